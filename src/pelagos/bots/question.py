"""A decision as a bot is asked it: one redealt position, and nothing that its seat can't know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pelagos.bots.budget import Budget
from pelagos.engine.arrays import in_memory, new_states
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.stream import words_of
from pelagos.engine.types import Array

PackFiles = tuple[tuple[str, str], ...]


def bot_stream(seed: bytes, seat: int, decision: int) -> Array:
    """The stream a bot draws from: its own for each match, seat and decision of that seat."""
    return words_of(b"bot/%d/%d/" % (seat, decision) + seed)


@dataclass(frozen=True)
class Question:
    """What a bot is asked. It can be sent to another process; whoever thinks about it copies it."""

    position: Position
    seat: int
    stream: Array
    budget: Budget
    decision: int
    """Which of the seat's decisions in this match it is, from 0."""

    @classmethod
    def ask(cls, match: Match, seat: int, budget: Budget) -> Question:
        """The decision that the seat owes now."""
        assert match.seed is not None
        decision = match.decisions(seat)
        stream = bot_stream(match.seed, seat, decision)
        return cls(match.position.redeal(seat, stream), seat, stream, budget, decision)

    def __reduce__(self) -> Any:
        position = self.position
        return _rebuild, (
            position.game.id,
            own_files(position.pack),
            position.options,
            position.states.tobytes(),
            self.seat,
            self.stream,
            self.budget,
            self.decision,
        )


def _rebuild(
    game_id: str,
    files: PackFiles | None,
    options: Mapping[str, Any],
    state: bytes,
    *rest: Any,
) -> Question:
    game = find_game(game_id)
    states = in_memory(new_states(game, 1), bytearray(state))
    return Question(Position(game, pack_of(game_id, files), options, states), *rest)


def own_files(pack: Pack) -> PackFiles | None:
    """A pack's files, as they are sent to another process; None for the game's own pack."""
    return None if pack.is_default else tuple(sorted(pack.files.items()))


@lru_cache(16)
def pack_of(game_id: str, files: PackFiles | None) -> Pack:
    """The pack whose files these are."""
    game = find_game(game_id)
    return default_pack(game) if files is None else make_pack(game, dict(files))
