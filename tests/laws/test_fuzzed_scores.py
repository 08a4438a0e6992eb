"""Damaged score files: each is refused, or adds up."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.fuzzing import (
    CHANCE,
    TEXTS,
    assert_clear,
    fuzz,
    spoiled,
)
from pelagos.engine.errors import BadTableau
from pelagos.engine.game import Game
from pelagos.engine.pack import default_pack
from places import SAMPLES

pytestmark = pytest.mark.thorough


def tableau(game: Game) -> Any:
    try:
        return game.part("tableau")
    except ModuleNotFoundError:
        pytest.skip("no score pad")


@cache
def tableau_samples(game: Game) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob(f"{game.id}*.txt"))]


@fuzz
@given(junk=TEXTS, chance=CHANCE, times=st.integers(1, 3))
def test_a_damaged_score_file_is_refused_or_adds_up(
    game: Game, junk: str, chance: random.Random, times: int
) -> None:
    score = tableau(game).score
    text = junk
    good = tableau_samples(game)
    if good and chance.randrange(4):
        text = chance.choice(good)
        for _ in range(times):
            text = _spoiled_lines(chance, text, junk)
    try:
        pad = score(text, default_pack(game))
    except BadTableau as error:
        assert_clear(error)
        return
    assert len(pad.names) == len(pad.sheets)
    for sheet in pad.sheets:
        assert sheet["total"] == sum(line["points"] for line in sheet["lines"])
        for line in sheet["lines"]:
            assert line["points"] == sum(proof["points"] for proof in line["evidence"])
    json.dumps([pad.names, pad.sheets, pad.notes])


def _spoiled_lines(chance: random.Random, text: str, junk: str) -> str:
    lines = text.splitlines()
    line = chance.randrange(len(lines)) if lines else 0
    words = lines[line].split() if lines else []
    kind = chance.randrange(6)
    if not words or kind == 0:
        return spoiled(chance, text)[:90_000]
    if kind == 1:
        del lines[line]
    elif kind == 2:
        lines.insert(line, lines[line])
    else:
        word = chance.randrange(len(words))
        if kind == 3:
            words[word] = junk
        elif kind == 4:
            words[word] = spoiled(chance, words[word])[:5000]
        else:
            words[word] = chance.choice(chance.choice(lines).split() or [""])
        lines[line] = " ".join(words)
    return "\n".join(lines) + "\n"


def test_good_score_files_are_counted(game: Game) -> None:
    score = tableau(game).score
    good = tableau_samples(game)
    assert good, f"tests/samples has no score file of {game.id}"
    for text in good:
        assert score(text, default_pack(game)).sheets
