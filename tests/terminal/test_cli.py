"""The command line as people and programs use it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pelagos.engine.game import Game


def pelagos(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pelagos.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def as_json(*arguments: str | Path) -> Any:
    return json.loads(pelagos(*arguments, "--json").stdout)


def test_help_and_games_load_no_compiler() -> None:
    script = (
        "import sys; from pelagos.cli import app; from typer.testing import CliRunner\n"
        "for command in ('--help', 'games', 'simulate --help', 'play --help', 'arena --help'):\n"
        "    assert CliRunner().invoke(app, command.split()).exit_code == 0\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_games_tells_players_options_and_provenance() -> None:
    listed = {game["id"]: game for game in as_json("games")["games"]}
    assert listed["ecosystem"]["players"] == [1, 6]
    assert "Printed" in listed["ecosystem"]["pack"]["provenance"]["cards"]
    assert "Écosystème" in pelagos("games", "--lang", "fr").stdout


def test_simulate_counts_and_repeats_itself(game: Game) -> None:
    words = ("simulate", game.id, "--games", "50", "--seed", "s")
    first, second = as_json(*words), as_json(*words, "--threads", "2")
    assert first["games"] == 50
    assert first["decisions"] == second["decisions"] > 50
    assert first["mean_scores"] == second["mean_scores"]
    for name in ("seconds", "decisions_per_second", "games_per_second"):
        assert first[name] > 0


def test_simulate_writes_a_row_a_game_and_compares_packs(tmp_path: Path) -> None:
    pelagos("pack", "new", "ecosystem", tmp_path / "mine")
    cards = tmp_path / "mine" / "cards.csv"
    cards.write_text(cards.read_text().replace("krill,krill,20", "krill,krill,40"))
    pelagos("pack", "check", "ecosystem", tmp_path / "mine")
    rows = tmp_path / "rows.csv"
    compared = as_json(
        "simulate", "ecosystem", "-n", "40", "--compare", tmp_path / "mine", "--out", rows
    )
    assert compared["compare"]["pack"]["name"] == "mine"
    assert compared["compare"]["mean_scores"] != compared["mean_scores"]
    with rows.open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 80
    assert {line["pack"] for line in lines} == {"default", "mine"}
    mean = sum(int(line["score_0"]) for line in lines[:40]) / 40
    assert mean == pytest.approx(compared["mean_scores"][0])


def test_bots_play_the_same_games_in_simulate_and_in_records(tmp_path: Path) -> None:
    seats = ["greedy", "random", "greedy"]
    words = ("minnows", "-n", "5", "--seed", "b", "--bots", ",".join(seats), "--out")
    rows = tmp_path / "rows.csv"
    counted = as_json("simulate", *words, rows)
    assert counted["bots"] == seats
    assert counted["games"] == 5
    pelagos("record", *words, tmp_path / "records")
    records = [json.loads(file.read_text()) for file in sorted((tmp_path / "records").iterdir())]
    assert [seat["bot"] for seat in records[0]["seats"]] == seats
    with rows.open() as file:
        for line, record in zip(csv.DictReader(file), records, strict=True):
            scores = [int(line[f"score_{seat}"]) for seat in range(3)]
            assert scores == record["result"]["scores"]
            assert line["winners"] == " ".join(map(str, record["result"]["winners"]))


def test_records_replay_with_positions(game: Game, tmp_path: Path) -> None:
    pelagos("record", game.id, "--games", "2", "--seed", "r", "--out", tmp_path)
    files = sorted(tmp_path.glob("*.pelagos.json"))
    assert len(files) == 2
    moves = json.loads(files[0].read_text())["moves"]
    lines = pelagos("replay", files[0], "--positions").stdout.splitlines()
    assert [json.loads(line)["move"] for line in lines] == list(range(len(moves) + 1))
    assert json.loads(lines[-1])["pending"] == []
    shown = pelagos("replay", files[0], "--at", "3", "--seat", "0", "--lang", "fr").stdout
    assert f"3 of {len(moves)}" in shown


def test_a_record_with_another_pack_holds_it(tmp_path: Path) -> None:
    pelagos("pack", "new", "ecosystem", tmp_path / "mine")
    cards = tmp_path / "mine" / "cards.csv"
    cards.write_text(cards.read_text().replace("krill,krill,20", "krill,krill,40"))
    pelagos("record", "ecosystem", "--pack", tmp_path / "mine", "--out", tmp_path / "out")
    file = next((tmp_path / "out").iterdir())
    assert "cards.csv" in json.loads(file.read_text())["pack"]["files"]
    pelagos("replay", file)


def test_a_changed_record_is_refused_with_the_place(tmp_path: Path) -> None:
    pelagos("record", "ecosystem", "--out", tmp_path)
    file = next(tmp_path.iterdir())
    record = json.loads(file.read_text())
    record["moves"][4][1] = "take squid"
    file.write_text(json.dumps(record))
    said = pelagos("replay", file, code=1).stderr
    assert "moves[4]" in said
    record["deal"]["deck"][7] = "octopus" if record["deal"]["deck"][7] != "octopus" else "krill"
    file.write_text(json.dumps(record))
    assert "deal.deck[7]" in pelagos("replay", file, code=1).stderr


def test_the_score_pad_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "reef.txt"
    file.write_text("Ada\nw (k) w k k\n(k) w k g k\nk k g k g\nk g k k plancton\n")
    assert as_json("score", "ecosystem", file)["sheets"][0]["total"] == 178
    assert "178" in pelagos("score", "ecosystem", file, "--lang", "fr").stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("simulate", "chess"), "There is no game 'chess'"),
        (("simulate", "ecosystem", "-p", "7"), "1 to 6 players, not 7"),
        (("simulate", "ecosystem", "-o", "fast=true"), "no option 'fast'"),
        (("simulate", "ecosystem", "-o", "fast"), "name=value"),
        (("simulate", "ecosystem", "--device", "abacus"), "no device 'abacus'"),
        (("simulate", "ecosystem", "--bots", "search"), "'search' can't play in compiled games"),
        (("simulate", "ecosystem", "--bots", "greedy,random"), "one bot for all seats or 3 bots"),
        (("simulate", "minnows", "--bots", "greedy", "--device", "gpu"), "play on the cpu"),
        (("replay", "nowhere.pelagos.json"), "can't be read"),
        (("score", "ecosystem", "nowhere.txt"), "can't be read"),
        (("pack", "check", "ecosystem", "nowhere"), "no folder"),
    ],
)
def test_a_mistake_gets_one_sentence(words: tuple[str, ...], reason: str) -> None:
    said = " ".join(pelagos(*words, code=1).stderr.split())
    assert reason in said


def test_doctor_says_what_works_and_what_is_missing() -> None:
    report = as_json("doctor")
    assert report["speeds"]["compiled"].startswith("works")
    assert report["speeds"]["gpu"]
