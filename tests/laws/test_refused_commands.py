"""Whatever is thrown at the command line, it answers with one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from laws.fuzzing import records
from pelagos.engine.game import find_game
from pelagos.engine.pack import default_pack

pytestmark = pytest.mark.thorough


def pelagos(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pelagos.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def assert_refused(*words: str | Path) -> str:
    done = pelagos(*words)
    assert done.returncode == 1, done
    assert done.stderr.startswith("pelagos: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_the_command_line_refuses_records_with_one_sentence(tmp_path: Path) -> None:
    record = json.loads(records(find_game("minnows"))[0])
    file = tmp_path / "game.pelagos.json"
    record["moves"][3][1] = "bid \x1b[31m" + "x" * 9000
    file.write_text(json.dumps(record))
    assert "moves[3]" in assert_refused("replay", file)
    file.write_bytes(b"\xff\xfe{}")
    assert "UTF-8" in assert_refused("replay", file, "--positions")
    assert "can't be read" in assert_refused("replay", tmp_path)


def test_the_command_line_refuses_packs_and_options_with_one_sentence(tmp_path: Path) -> None:
    for name, text in default_pack(find_game("minnows")).files.items():
        (tmp_path / name).write_text(text.replace("pike,5,2", "pike,--5,2"))
    assert "cards.csv, line 7" in assert_refused("pack", "check", "minnows", tmp_path)
    assert "pike" not in assert_refused("simulate", "minnows", "--pack", tmp_path / "none")
    assert "luck" in assert_refused("simulate", "minnows", "--option", "luck=²")
    assert "--5" in assert_refused("simulate", "minnows", "--option", "luck=--5")
    assert "nothing" in assert_refused("simulate", "nothing")
    assert "UTF-8" in assert_refused("simulate", "minnows", "-n", "1", "--seed", "\udcff")


def test_the_command_line_refuses_what_it_cannot_write(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "file" in assert_refused("record", "minnows", "--out", file)
    assert "file" in assert_refused("simulate", "minnows", "-n", "1", "--out", file / "x.csv")
    assert "file" in assert_refused("pack", "new", "minnows", file / "pack")


def test_the_command_line_refuses_a_score_file_with_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.txt"
    file.write_text("Ada: pike whale\n")
    assert "Line 1" in assert_refused("score", "minnows", file)


def test_names_are_shown_as_they_are_written(tmp_path: Path) -> None:
    """Square brackets are markup to the library that draws tables."""
    file = tmp_path / "table.txt"
    file.write_text("Ada [/red] [bold]: pike\n")
    assert "Ada [/red] [bold]" in pelagos("score", "minnows", file).stdout
    folder = tmp_path / "[bold] 🐟"
    assert pelagos("pack", "new", "minnows", folder).returncode == 0
    assert pelagos("pack", "check", "minnows", folder).returncode == 0
    assert "[bold] 🐟" in pelagos("simulate", "minnows", "-n", "1", "--pack", folder).stdout
