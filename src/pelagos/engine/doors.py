"""The compiled doors into a game's rules, for callers in Python.

A door takes the whole array of states and an index: a compiled call with an array costs a
fraction of one with a record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from pelagos.engine.game import Game
from pelagos.engine.layout import expander
from pelagos.engine.rule import machine, rule
from pelagos.engine.types import BEFORE, CHANCE, CHANCE_DUE, NOT_LEGAL, NOT_PENDING, Array

Door = Callable[..., Any]


@dataclass(frozen=True)
class Doors:
    """One compiled function for each rule of the contract."""

    game: Game

    @cached_property
    def rules(self) -> SimpleNamespace:
        """The contract's rules, gathered from the game's modules."""
        rules, scoring = self.game.part("rules"), self.game.part("scoring")
        knowledge, features = self.game.part("knowledge"), self.game.part("features")
        return SimpleNamespace(
            shuffle=rules.shuffle,
            begin=rules.begin,
            pending=rules.pending,
            legal=rules.legal,
            play=rules.play,
            chance=rules.chance,
            happen=rules.happen,
            sheet=scoring.sheet,
            winners=scoring.winners,
            redeal=knowledge.redeal,
            preview=knowledge.preview,
            observe=features.observe,
        )

    @cached_property
    def shuffle(self) -> Door:
        """Fill in the deal."""
        return _two(self.rules.shuffle)

    @cached_property
    def begin(self) -> Door:
        """Start play from the deal."""
        return _two(self.rules.begin)

    @cached_property
    def pending(self) -> Door:
        """Who owes a decision."""
        return _two(self.rules.pending)

    @cached_property
    def legal(self) -> Door:
        """What a seat may do."""
        return _four(self.rules.legal)

    @cached_property
    def play(self) -> Door:
        """Make a move."""
        return _four(self.rules.play)

    @cached_property
    def attempt(self) -> Door:
        """Make a move if it is legal: NOT_PENDING, NOT_LEGAL, or what `play` returns, with who
        owed a decision before it in the bits from BEFORE on, and CHANCE_DUE.
        """
        return _five(self.attempt_rule)

    @cached_property
    def attempt_rule(self) -> Door:
        """The same on one state."""
        return _attempt(self.rules)

    @cached_property
    def chance(self) -> Door:
        """Draw what chance owes."""
        return _three(self.rules.chance)

    @cached_property
    def happen(self) -> Door:
        """Apply what chance brought."""
        return _four(self.rules.happen)

    @cached_property
    def sheet(self) -> Door:
        """A seat's score sheet."""
        return _four(self.rules.sheet)

    @cached_property
    def winners(self) -> Door:
        """Who wins, given the totals."""
        return _three(self.rules.winners)

    @cached_property
    def redeal(self) -> Door:
        """Another world that looks the same to a seat."""
        return _four(self.rules.redeal)

    @cached_property
    def preview(self) -> Door:
        """A seat's sheet if an action alone happened; the state is scratch."""
        return _five(self.rules.preview)

    @cached_property
    def previews(self) -> Door:
        """A seat's sheet for each of several actions, as if it alone happened."""
        return _previews(self.previews_rule)

    @cached_property
    def previews_rule(self) -> Door:
        """The same on one state."""
        return _previews_rule(self.rules.preview)

    @cached_property
    def observe(self) -> Door:
        """Numbers for a learner."""
        return _four(self.rules.observe)

    @cached_property
    def expand(self) -> Door:
        """The same as float32 columns."""
        return _expand(expander(self.game))


@cache
def doors(game: Game) -> Doors:
    """The game's doors, opened once a process."""
    opened: Doors = machine.open_doors(Doors(game))
    return opened


def _attempt(rules: SimpleNamespace) -> Door:
    pending, legal, play = rules.pending, rules.legal, rules.play

    @rule
    def attempt(game: Any, pack: Any, seat: int, action: int, room: Array) -> Any:
        who = pending(game, pack)
        if who == CHANCE or not (who >> seat) & 1:
            return NOT_PENDING
        count = legal(game, pack, seat, room)
        for place in range(count):
            if room[place] == action:
                result = play(game, pack, seat, action) | (who << BEFORE)
                if pending(game, pack) == CHANCE:
                    result |= CHANCE_DUE
                return result
        return NOT_LEGAL

    return attempt


def _previews_rule(preview: Door) -> Door:
    @rule
    def previews(
        game: Any, pack: Any, seat: int, actions: Array, count: int, scratch: Array, out: Array
    ) -> None:
        for place in range(count):
            scratch[0] = game
            preview(scratch[0], pack, seat, int(actions[place]), out[place])

    return previews


def _previews(inner: Door) -> Door:
    @rule
    def previews(
        states: Array,
        packs: Array,
        index: int,
        seat: int,
        actions: Array,
        scratch: Array,
        out: Array,
    ) -> None:
        inner(states[index], packs[0], seat, actions, len(actions), scratch, out)

    return previews


def _expand(inner: Door) -> Door:
    @rule
    def expand(packs: Array, raw: Array, out: Array) -> None:
        inner(packs[0], raw, out)

    return expand


def _two(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int) -> Any:
        return inner(states[index], packs[0])

    return door


def _three(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int, first: Any) -> Any:
        return inner(states[index], packs[0], first)

    return door


def _four(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int, first: Any, second: Any) -> Any:
        return inner(states[index], packs[0], first, second)

    return door


def _five(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int, first: Any, second: Any, third: Any) -> Any:
        return inner(states[index], packs[0], first, second, third)

    return door
