"""The pictures of the documents come from games that are played anew."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from pelagos import Match

TOOL = Path(__file__).parent.parent.parent / "tools" / "pictures.py"


def test_a_pictured_game_is_whole_and_always_the_same() -> None:
    spec = importlib.util.spec_from_file_location("pictures", TOOL)
    assert spec is not None
    assert spec.loader is not None
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    moves = pictures.play("minnows")
    assert moves == pictures.play("minnows")
    assert {seat for seat, _ in moves} == set(range(Match.new("minnows").players))
