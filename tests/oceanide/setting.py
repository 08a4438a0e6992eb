"""Océanide's tests lay a table by telling its cards.

A seat is told by the cards it owns outside its collection: "rum rum star thief" shows a rum and a
star, and holds the other rum and the thief. A table's pack is made of exactly the cards on it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.position import Position
from pelagos.engine.types import CHANCE, TURNED
from pelagos.games.oceanide import GAME, cards, invariant, notation
from pelagos.games.oceanide.state import OBJECTS

IDS = cards.ids(record_of(default_pack(GAME).data))
VALUES = dict(zip(IDS, default_pack(GAME).data["values"][0].tolist(), strict=False))


def sheet(sets: int = 0, showcase: int = 0, hand: int = 0, thieves: int = 0) -> list[int]:
    return [sets, showcase, hand, thieves]


class Table:
    """A game in its middle: what every seat owns, the deck in drawing order, and whose turn it is.

    The turn's cards are drawn already; `dry` says that there were none to draw."""

    def __init__(
        self, *seats: str, deck: str = "", turn: int = 0, dry: bool = False, more: str = ""
    ) -> None:
        cards = [[IDS.index(card) for card in seat.split()] for seat in seats]
        pile = [IDS.index(card) for card in deck.split()]
        data = default_pack(GAME).data.copy()
        data["copies"][0] = 0
        aside = [IDS.index(card) for card in more.split()]
        for card in [*itertools.chain(*cards), *pile, *aside]:
            data["copies"][0, card] += 1
        data["total"] = int(data["copies"].sum())
        pack = replace(default_pack(GAME), data=data)
        self.position = Position(GAME, pack, {"players": len(seats)}, new_states(GAME, 1))
        self.game: Any = self.position.record
        self.game.players = len(seats)
        self.game.active = turn
        self.game.dry = dry
        self.game.last = len(pile)
        for place, card in enumerate(pile):
            self.game.deck[place] = card + 1
        for seat, owned in enumerate(cards):
            for card in owned:
                invariant.receive(self.game, seat, card)

    @property
    def pack(self) -> Any:
        return self.position.pack_record

    @property
    def seat(self) -> int:
        """The seat that owes a decision."""
        (seat,) = self.position.pending
        return seat

    def moves(self) -> list[str]:
        return [self.position.write(self.seat, action) for action in self.position.legal(self.seat)]

    def some(self, verb: str) -> list[str]:
        return [move for move in self.moves() if move.startswith(verb)]

    def play(self, *moves: str) -> int:
        """Make moves of whoever is pending; `drawn …` is chance. Returns what the last one gave."""
        news = TURNED
        for move in moves:
            if move.startswith("drawn"):
                assert self.position.mask == CHANCE
                self.position.happen(notation.read_chance(self.game, self.pack, move))
                continue
            assert move in self.moves(), f"{move} isn't legal: {self.moves()}"
            action = notation.read(self.game, self.pack, self.seat, move)
            news = self.position.play(self.seat, action)
        return news

    def showcase(self, seat: int) -> list[str]:
        return [IDS[kind] for kind in range(OBJECTS) if int(self.game.shown[seat]) >> kind & 1]

    def hand(self, seat: int) -> list[str]:
        return hand_of(self.game, seat)

    def sets(self, seat: int) -> list[str]:
        return [IDS[kind] for kind in range(OBJECTS) for _ in range(self.game.sets[seat, kind])]

    def points(self, seat: int) -> list[int]:
        return self.position.points(seat)

    def known(self, viewer: int, owner: int) -> list[str]:
        """The cards in the owner's hand that the viewer (-1: a spectator) knows of."""
        counts = self.game.known[owner, :, viewer + 1]
        return [IDS[card] for card in range(len(IDS)) for _ in range(counts[card])]


def hand_of(game: Any, seat: int) -> list[str]:
    return [
        IDS[card] for card in range(len(IDS)) for _ in range(invariant.in_hand(game, seat, card))
    ]


def dealt(*hands: str, start: int = 0) -> Match:
    """A match dealt so, the rest of the pack in its order, and no seed."""
    deck = [card for hand in hands for card in hand.split()]
    left = Counter(dict.fromkeys(IDS[:OBJECTS], 6) | {"thief": 12, "king": 6})
    left.subtract(deck)
    deck += left.elements()
    record = {
        "pelagos": 1,
        "game": "oceanide",
        "options": {"players": len(hands)},
        "deal": {"deck": deck, "start": start},
        "moves": [],
    }
    return Match.replay(record)


def replayed(hands: Sequence[str], moves: str, start: int = 0) -> Match:
    match = dealt(*hands, start=start)
    for move in moves.split(", ") if moves else []:
        match.play(match.pending[0], move)
    return match


SISTERS = (
    "thief rum rum sun key moon",
    "rum star king king scales tear",
    "heart thief thief star star key",
)
