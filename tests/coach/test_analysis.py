"""The coach: its parts add up, it knows nothing that a seat didn't, and it repeats itself."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pelagos.cli.analyse  # noqa: F401 (adds the command)
from conftest import finished, random_walk
from pelagos import coach
from pelagos.cli.app import app
from pelagos.coach import study
from pelagos.coach.study import DecisionStudy, PositionStudy
from pelagos.coach.walk import walk
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.match import Match
from pelagos.engine.words import pack_words


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here holds whatever the number of play-outs."""
    monkeypatch.setattr(study, "FIRST_WORLDS", 2)
    monkeypatch.setattr(study, "STAGE_WORLDS", 3)
    monkeypatch.setattr(study, "POSITION_WORLDS", 5)


def analysis(match: Match, rounds: int = 1, **options: Any) -> coach.Document:
    *_, last = coach.analyse(match, rounds, **options)
    return last


def check_sums(document: coach.Document) -> None:
    """Result = start + own choices + others' choices + chance: at every position, exactly."""
    seats, positions = range(document["players"]), document["positions"]
    for measure in ("win", "points"):
        own = [0 for _ in seats]
        others = [0 for _ in seats]
        rest = list(document["decisions"])
        for number, position in enumerate(positions):
            while rest and rest[0]["step"] == number:
                decision = rest.pop(0)
                for seat in seats:
                    made_by = own if seat == decision["seat"] else others
                    made_by[seat] += decision["worth"][measure][seat]
            parts = position["parts"][measure]
            assert (parts["own"], parts["others"]) == (own, others)
            for seat in seats:
                start, now = positions[0][measure][seat], position[measure][seat]
                assert start + own[seat] + others[seat] + parts["chance"][seat] == now
                sums = coach.sums(document, seat, number, measure)
                assert sum(sums[:4]) == sums.now
        assert not rest
        for seat in document["seats"]:
            parts = seat["parts"][measure]
            assert parts["result"] == positions[-1][measure][seat["seat"]]
            assert sum(parts.values()) == 2 * parts["result"]


@pytest.mark.parametrize(
    ("name", "players"),
    [(game.id, players) for game in games().values() for players in game.players],
)
def test_the_parts_add_up(name: str, players: int) -> None:
    match = finished(name, {"players": players}, 7)
    document = analysis(match)
    check_sums(document)
    last, winners = document["positions"][-1], match.winners
    assert last["points"] == [100 * score for score in match.scores]
    assert last["at"] == len(match.history)
    if match.players > 1:
        assert all(sum(position["win"]) == 10000 for position in document["positions"])
        assert all(last["win"][seat] == 10000 // len(winners) for seat in winners[1:])
        effects = [sum(decision["worth"]["win"]) for decision in document["decisions"]]
        assert all(abs(effect) <= match.players for effect in effects)  # nothing but rounding
    for decision in document["decisions"]:
        made = coach.made(decision)
        best = decision["alternatives"][0]
        assert best["action"] == decision["best"]
        assert decision["kind"] == coach.kind_of(decision["cost"][document["measure"]])
        assert decision["cost"]["win"] >= 0 or document["measure"] == "points"
        assert made["reason"] or best is made
        assert sum(each["reference"] for each in decision["alternatives"]) in range(990, 1011)
    assert sum(sum(seat["kinds"].values()) for seat in document["seats"]) == len(
        document["decisions"]
    )
    json.dumps(document)


def decisions_of(game: Game) -> Iterator[tuple[Match, int, int]]:
    """Some decisions of a random game: the match, whose it is, what is chosen."""
    match = Match.new(game, seed="twins")
    choices = random.Random(5)
    for ply, at in enumerate(random_walk(match, choices)):
        if ply % 9 == 4 and not at.over:
            seat = at.pending[-1]
            if len(at.legal(seat)) > 1:
                yield at, seat, at.legal(seat)[-1]


def test_nothing_that_a_seat_does_not_know_matters(game: Game) -> None:
    compared = 0
    for match, seat, action in decisions_of(game):
        twin = match.position.redeal(seat, b"twin")
        compared += twin.states.tobytes() != match.position.states.tobytes()
        nobody = [-1] * match.players
        studies = [DecisionStudy(each, seat, action, nobody) for each in (match.position, twin)]
        spectator = match.position.redeal(-1, b"other twin")
        curves = [PositionStudy(each) for each in (match.position, spectator)]
        for each in (*studies, *curves):
            each.run(1)
            each.run(2)
        assert list(studies[0].choices) == list(studies[1].choices)
        assert studies[0].sums.tolist() == studies[1].sums.tolist()
        assert curves[0].sums.tolist() == curves[1].sums.tolist()
    assert compared


def test_a_stored_analysis_goes_on_as_if_it_had_never_stopped() -> None:
    match = finished("oceanos", {"players": 3}, 3)
    whole = list(coach.analyse(match, 3))
    stored = json.loads(json.dumps(whole[0]))
    assert list(coach.analyse(match, 3, threads=2, resume=stored))[1:] == whole[1:]
    budgets = [document["budget"] for document in whole]
    assert [budget["done"] for budget in budgets] == [False, False, True]
    assert budgets[0]["playouts"] < budgets[1]["playouts"] < budgets[2]["playouts"]
    with pytest.raises(PelagosError, match="another game"):
        list(coach.analyse(finished("oceanos", {"players": 3}, 4), 3, resume=stored))


def played_elsewhere(jobs: list[coach.Job]) -> list[list[int]]:
    """What comes of jobs, as a browser would tell it."""
    answers = []
    for job in jobs:
        here = dataclasses.replace(job, sums=job.sums * 0)
        here.play()
        answers.append(here.sums.ravel().tolist())
    return answers


def test_games_played_elsewhere_give_the_same_analyses() -> None:
    match = finished("minnows", {"players": 2}, 3)
    stored, answers, rounds = None, [], []
    while True:
        document, number, jobs = coach.share(match, stored, answers)
        if document is not None:
            rounds.append(document)
            stored, answers = json.loads(json.dumps(document)), []
        if not jobs:
            break
        assert number == len(rounds) + 1
        answers.append(played_elsewhere(jobs))
    assert rounds == list(coach.analyse(match))


def test_sums_that_no_games_can_have_are_refused() -> None:
    match = finished("minnows", {"players": 2}, 3)
    _, _, jobs = coach.share(match, None, [])
    true = played_elsewhere(jobs)
    for job, sums in zip(jobs, true, strict=True):
        squares = {study.WIN_SQUARES: -1} if job.loop == "decision" else {5: -1}
        for wrong in ({0: sums[0] + 1}, squares, {1: 0.5}, {1: True}, {1: 10**18}):
            changed = [wrong.get(place, number) for place, number in enumerate(sums)]
            with pytest.raises(coach.BadSums):
                job.add(changed)
        with pytest.raises(coach.BadSums):
            job.add(sums[1:])
    with pytest.raises(ValueError, match="shorter"):
        coach.share(match, None, [true[:-1]])


def test_a_game_in_progress_is_analysed_as_far_as_it_is() -> None:
    match = finished("ecosystem", {"players": 2}, 3).at(31)
    document = analysis(match)
    check_sums(document)
    assert not document["over"]
    assert document["positions"][-1]["at"] == 31
    assert document["positions"][-1]["win_error"][0] > 0


def test_simultaneous_choices_are_one_step() -> None:
    match = finished("ecosystem", {"players": 3}, 3)
    first = walk(match)[1]
    assert [choosing.seat for choosing in first.deciding] == [0, 1, 2]
    taken = [choosing.action for choosing in first.deciding]
    assert first.chosen_by_others(1, 3) == [taken[0], -1, taken[2]]


def test_report_and_tables_in_both_languages(game: Game) -> None:
    match = finished(game, {"players": game.default_players}, 3)
    document = analysis(match)
    for language, words in (("en", "better:"), ("fr", "mieux")):
        report = coach.report(document, pack_words(match.pack, language))
        assert words in report
        for missing in ("report.", "reason.", "label.", "line.", "{"):
            assert missing not in report
    rows = list(csv.DictReader(io.StringIO(coach.decisions_csv(document))))
    assert [int(row["at"]) for row in rows] == [each["at"] for each in document["decisions"]]
    curve = list(csv.DictReader(io.StringIO(coach.positions_csv(document))))
    assert len(curve) == 2 * match.players * len(document["positions"])
    for row in curve:
        parts = [round(100 * float(row[part])) for part in ("start", "own", "others", "chance")]
        assert sum(parts) == round(100 * float(row["value"]))


@pytest.mark.parametrize(
    ("cost", "kind"),
    [(0, "good"), (99, "good"), (100, "fine"), (299, "fine"), (300, "slip"), (800, "blunder")],
)
def test_kinds(cost: int, kind: str) -> None:
    assert coach.kind_of(cost) == kind


def test_a_plain_blunder_is_found_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever always does what brings least at once loses more than who does the opposite."""
    monkeypatch.undo()
    match = Match.new(find_game("ecosystem"), players=2, seed="blunder")
    while len(match.history) < 60 and not match.over:
        seat = match.pending[0]
        gains = match.view(seat)["choices"]
        worst = min(gains, key=lambda choice: (choice["gain"], choice["action"]))
        best = max(gains, key=lambda choice: (choice["gain"], -choice["action"]))
        match.play(seat, (worst if seat else best)["action"])
    careful, careless = analysis(match)["seats"]
    assert careful["accuracy"] > careless["accuracy"]
    assert careful["lost"]["points"] < careless["lost"]["points"]


def test_the_command(tmp_path: Path) -> None:
    """A game in progress in the terminal: as text, JSON and CSV, gone on from, refused."""
    file, stored = tmp_path / "game.json", tmp_path / "analysis.json"
    file.write_text(finished("oceanos", {"players": 2}, 3).at(30).to_json())

    def pelagos(*words: str) -> str:
        ended = CliRunner().invoke(app, ["analyse", str(file), "--threads", "1", *words])
        if ended.exception:
            raise ended.exception
        return ended.stdout

    stored.write_text(pelagos("--first", "--json"))
    document = json.loads(stored.read_text())
    assert document == analysis(Match.replay(file.read_text()))
    assert pelagos("--first", "--lang", "fr").startswith("Chances de gagner")
    assert pelagos("--first", "--csv", "positions").startswith("at,seat,name,measure,value")
    more = str(document["budget"]["playouts"] + 1)
    went_on = json.loads(pelagos("--json", "--budget", more, "--resume", str(stored)))
    assert went_on["budget"]["round"] == 2
    with pytest.raises(PelagosError, match="not both"):
        pelagos("--first", "--full")
    for other in ("not JSON", "[]", file.read_text()):
        stored.write_text(other)
        with pytest.raises(PelagosError, match="no analysis"):
            pelagos("--resume", str(stored))
