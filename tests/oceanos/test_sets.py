"""Sets of cards, species, lots."""

from __future__ import annotations

import random

from oceanos.setting import (
    DATA,
    GAME,
)
from pelagos.engine.match import Match
from pelagos.engine.position import Position
from pelagos.engine.types import CHANCE
from pelagos.games.oceanos import rules
from pelagos.games.oceanos.cards import cards_in
from pelagos.games.oceanos.state import (
    DECKS,
    LOTS,
    SPECIES,
    TURNS,
)


def test_sets_of_cards_are_counted_and_listed() -> None:
    chance = random.Random(3)
    for _ in range(300):
        cards = sorted(chance.sample(range(1, 51), chance.randrange(1, 20)))
        mask = sum(1 << card for card in cards)
        assert int(rules.count_of(mask)) == len(cards)
        assert int(rules.first_of(mask)) == cards[0]
        assert cards_in(mask) == cards


def test_chance_is_pending_alone() -> None:
    match = Match.new(GAME, players=5, troubled=True, seed=1)
    position: Position = match.position.copy()
    choices = random.Random(1)
    steps = 0
    while not position.over:
        if position.mask == CHANCE:
            assert position.pending == ()
            position.happen(position.chance())
            steps += 1
        else:
            seat = choices.choice(position.pending)
            position.play(seat, choices.choice(position.legal(seat)))
    assert steps > 30


def test_species_are_eight_four_of_them_small() -> None:
    assert len(SPECIES) == 8
    counts = [0] * 8
    for depth, size in enumerate(DECKS):
        for card in range(1, size + 1):
            for kind in range(8):
                counts[kind] += int(DATA.animals[depth, card]) >> kind & 1
    assert min(counts[:4]) > max(counts[4:])


def test_lots_never_run_over() -> None:
    """At most two lots are put under a deck each turn, and the first is there already."""
    assert 1 + 2 * TURNS <= LOTS
