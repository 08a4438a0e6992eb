"""Redeal: all worlds that a seat may think possible, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from oceanide.setting import IDS, Table, hand_of
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.games.oceanide import knowledge, worlds
from pelagos.games.oceanide.invariant import hides
from pelagos.games.oceanide.memory import unknown_in_hand, unseen
from pelagos.games.oceanide.state import KINDS, OBJECTS

World = tuple[tuple[str, ...], ...]
"""Every hand, and the deck, each sorted."""


def world_of(game: Any) -> World:
    hands = [tuple(hand_of(game, seat)) for seat in range(int(game.players))]
    deck = sorted(int(card) - 1 for card in game.deck if card)
    return (*hands, tuple(IDS[card] for card in deck))


def all_worlds(table: Table, viewer: int) -> Counter[World]:
    """Every world that the viewer may think possible, by brute force: all ways to lay the cards of
    unknown place, each told from its twins, into the hands and the deck."""
    game, players = table.game, int(table.game.players)
    known = [
        table.hand(seat) if seat == viewer else table.known(viewer, seat) for seat in range(players)
    ]
    room = [len(table.hand(seat)) - len(known[seat]) for seat in range(players)]
    pool = Counter(card for part in world_of(game) for card in part)
    for cards in known:
        pool.subtract(cards)
    cards = sorted(pool.elements(), key=IDS.index)
    fits = [
        [
            seat
            for seat in range(players)
            if card in ("thief", "king") or card in table.showcase(seat)
        ]
        for card in cards
    ]
    worlds: Counter[World] = Counter()

    def lay(place: int, hands: list[list[str]], deck: list[str]) -> None:
        if place == len(cards):
            if all(len(hand) == room[seat] for seat, hand in enumerate(hands)):
                full = [sorted(known[s] + hands[s], key=IDS.index) for s in range(players)]
                worlds[(*map(tuple, full), tuple(deck))] += 1
            return
        lay(place + 1, hands, [*deck, cards[place]])
        for seat in fits[place]:
            if len(hands[seat]) < room[seat]:
                more = [*hands]
                more[seat] = [*hands[seat], cards[place]]
                lay(place + 1, more, deck)

    lay(0, [[] for _ in range(players)], [])
    return worlds


SMALL = {
    "two sisters and a deck": Table(
        "star rum rum thief", "star star rum king", deck="star rum rum thief king moon"
    ),
    "an empty deck": Table("star star rum rum thief king", "star star rum rum rum thief"),
    "three sisters": Table(
        "star rum thief", "star star rum rum", "sun sun rum king", deck="rum sun"
    ),
    "a hand of unlike kinds": Table(
        "star moon moon rum", "star moon rum rum king thief", deck="moon"
    ),
}


def small_tables() -> Iterator[Any]:
    for name, table in SMALL.items():
        for viewer in range(-1, int(table.game.players)):
            yield pytest.param(table, viewer, id=f"{name}, seat {viewer}")
    robbed = Table("thief rum moon", "rum star star", "moon moon king", deck="rum star thief")
    robbed.play("steal rum < 1", "allow", "end")
    for viewer in (-1, 1, 2):
        yield pytest.param(robbed, viewer, id=f"after a theft, seat {viewer}")
    drawn = Table("star star rum", "star rum rum king thief moon", "moon rum", deck="rum moon")
    drawn.play("trade star > 1", "take hand", "drawn rum king", "end")
    for viewer in (-1, 0, 1, 2):
        yield pytest.param(drawn, viewer, id=f"after a draw from a hand, seat {viewer}")
    asked = Table("thief thief rum", "rum star star king", deck="rum thief king")
    asked.play("steal star < 1")
    for viewer in (-1, 0, 1):
        yield pytest.param(asked, viewer, id=f"while a target is asked, seat {viewer}")


@pytest.mark.parametrize(("table", "viewer"), list(small_tables()))
def test_redeal_draws_all_possible_worlds_and_no_others_without_bias(
    table: Table, viewer: int
) -> None:
    ways = all_worlds(table, viewer)
    total = sum(ways.values())
    draws = max(2000, 12 * len(ways))
    stream = words_of(b"worlds")
    seen = Counter(world_of(table.position.redeal(viewer, stream).record) for _ in range(draws))
    assert world_of(table.game) in ways
    assert set(seen) <= set(ways)
    surprise = 0.0
    for world, number in ways.items():
        expected = draws * number / total
        surprise += (seen[world] - expected) ** 2 / expected
    freedom = len(ways) - 1
    assert surprise < freedom + 5 * (2 * max(freedom, 1)) ** 0.5


def test_every_order_of_the_deck_comes_up() -> None:
    table = Table("star", "rum", deck="moon sun key")
    stream = words_of(b"orders")
    orders = Counter(
        tuple(table.position.redeal(0, stream).record.deck[:3].tolist()) for _ in range(1200)
    )
    assert len(orders) == 6
    assert min(orders.values()) > 140


def test_what_others_saw_between_them_is_forgotten_in_a_redealt_world() -> None:
    table = Table("star star rum", "star rum rum king thief", "moon", deck="rum king")
    table.play("trade star > 1", "take hand", "drawn rum king")
    third = table.position.redeal(2, words_of(b"x")).record
    assert not third.known[0].any()
    giver = table.position.redeal(1, words_of(b"x")).record
    assert hand_of(giver, 0) == ["rum", "king"]
    assert giver.known[0, :, 2].tolist() == table.game.known[0, :, 2].tolist()


def test_large_hands_are_redealt_too() -> None:
    """Nobody acts, so that all cards are in hands and showcases when the deck is empty."""
    match = Match.new("oceanide", players=5, seed="hoard")
    while not match.over:
        match.play(match.pending[0], "end")
    for viewer in range(-1, 5):
        world = match.position.redeal(viewer, words_of(b"hoard"))
        assert knowledge.census(world.record, world.pack_record) == [6] * OBJECTS + [12, 6]
        for seat in range(5):
            assert world.points(seat) == match.position.points(seat)
            own = world.record.own[seat]
            assert (
                sum(1 << kind for kind in range(OBJECTS) if own[kind]) == world.record.shown[seat]
            )


def test_hands_too_full_to_be_counted_are_mixed() -> None:
    """Nothing is lost or made up, every hand keeps its size, and holds what it could hide."""
    match = Match.new("oceanide", players=5, seed=b"full")
    for _ in range(18):
        seat = match.pending[0]
        match.play(seat, match.legal(seat)[0])
    position = match.position.copy()
    game, pack = position.record, position.pack_record
    left = np.array([unseen(game, pack, 0, card) for card in range(KINDS)])
    room = np.array([0, *(unknown_in_hand(game, seat, 0) for seat in range(1, 5))])
    before = game.own.copy()
    in_deck = left.copy()
    for seat in range(1, 5):
        for card in range(KINDS):
            in_deck[card] -= worlds.hidden_in_hand(game, seat, 0, card)
    worlds.mix_hands(game, left, room, 0, words_of(b"mix"))
    assert (game.own[0] == before[0]).all()
    assert (game.own[1:] != before[1:]).any()
    assert (game.own.sum(axis=1) == before.sum(axis=1)).all()
    assert (game.own.sum(axis=0) + left == before.sum(axis=0) + in_deck).all()
    for seat in range(1, 5):
        for card in range(KINDS):
            hidden = worlds.hidden_in_hand(game, seat, 0, card)
            assert hidden >= 0
            assert hidden == 0 or hides(game, seat, card)
