"""Junk as moves: what isn't legal is refused with one sentence, and changes nothing."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import random_walk, shapes
from laws.fuzzing import (
    CHANCE,
    SCALARS,
    TEXTS,
    assert_clear,
    fuzz,
    spoiled,
)
from pelagos.engine.errors import IllegalMove, PelagosError
from pelagos.engine.game import Game
from pelagos.engine.match import Match

pytestmark = pytest.mark.thorough


@cache
def stations(game: Game) -> list[Match]:
    """Matches at many places of a random game, with the fewest and the most players."""
    matches = []
    every = list(shapes(game))
    for options in (every[0], every[-1]):
        match = Match.new(game, seed="stations", **options)
        plies = [at.copy() for at in random_walk(match, random.Random(1)) if not at.over]
        matches += plies[:: max(1, len(plies) // 12)]
    return matches


@fuzz
@given(junk=SCALARS, chance=CHANCE, number=st.integers(0, 1000))
def test_what_is_no_legal_move_is_refused_and_changes_nothing(
    game: Game, junk: Any, chance: random.Random, number: int
) -> None:
    match = stations(game)[number % len(stations(game))].copy()
    seat = chance.choice(match.pending)
    legal = match.moves(seat)
    move = chance.choice([junk, spoiled(chance, chance.choice(legal))])
    before = match.position.states.tobytes()
    try:
        match.play(seat, move)
    except IllegalMove as error:
        assert_clear(error)
        assert move not in legal
        assert match.position.states.tobytes() == before
        assert match.history == stations(game)[number % len(stations(game))].history
    else:
        assert move in legal or move in stations(game)[number % len(stations(game))].legal(seat)


@fuzz
@given(seat=SCALARS)
def test_who_has_no_turn_is_told_so(game: Game, seat: Any) -> None:
    match = stations(game)[-1].copy()
    if type(seat) in (int, bool) and seat in match.pending:
        return
    before = match.position.states.tobytes()
    with pytest.raises(IllegalMove) as caught:
        match.play(seat, 0)
    assert_clear(caught.value)
    assert match.position.states.tobytes() == before


@fuzz
@given(words=TEXTS)
def test_what_chance_cannot_have_brought_is_refused(game: Game, words: str) -> None:
    match = stations(game)[0].copy()
    before = match.position.states.tobytes()
    with pytest.raises(PelagosError) as caught:
        match.happen(words)
    assert_clear(caught.value)
    assert match.position.states.tobytes() == before
