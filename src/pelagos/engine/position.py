"""`Position`: a state with its rules. It has no history; it is what a bot is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from pelagos.engine.arrays import (
    copy_of,
    in_memory,
    listed,
    new_states,
    numbers,
    readable,
    record_of,
)
from pelagos.engine.doors import doors
from pelagos.engine.fields import Fields
from pelagos.engine.game import Game
from pelagos.engine.pack import Pack
from pelagos.engine.stream import words_of
from pelagos.engine.types import CHANCE, Array, Record
from pelagos.engine.view import Reading


def new_position(game: Game, pack: Pack, options: Mapping[str, Any]) -> Position:
    """A position before its deal, with the options written into it."""
    position = Position(game, pack, options, new_states(game, 1))
    game.part("rules").configure(position.record, position.options)
    return position


class Position:
    """One state and the rules to move it."""

    __slots__ = (
        "_doors",
        "_packs",
        "_record",
        "game",
        "lines",
        "options",
        "pack",
        "pack_record",
        "players",
        "states",
    )

    def __init__(self, game: Game, pack: Pack, options: Mapping[str, Any], states: Array) -> None:
        self.game = game
        self.pack = pack
        self.options = dict(options)
        self.players: int = self.options["players"]
        self.lines = lines_of(game, self.options)
        """The names of the score sheet's lines."""
        self.states = states
        self.pack_record: Record = record_of(pack.data)
        """The pack as rules see it."""
        self._packs = readable(pack.data)
        self._doors = doors(game)
        self._record: Record = None

    @property
    def record(self) -> Record:
        """The state as a record, a field an attribute; it shares the state's memory."""
        if self._record is None:
            self._record = record_of(self.states)
        return self._record

    @property
    def mask(self) -> int:
        """`pending` as the rules give it: a bit for a seat, or chance's."""
        return int(self._doors.pending(self.states, self._packs, 0))

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that owe a decision now."""
        mask = int(self._doors.pending(self.states, self._packs, 0))
        if mask == CHANCE:
            return ()
        return tuple(seat for seat in range(self.players) if mask >> seat & 1)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.mask == 0

    def legal(self, seat: int) -> list[int]:
        """The seat's legal actions, ascending."""
        room = self._room()
        count = self._doors.legal(self.states, self._packs, 0, seat, room)
        return room[:count].tolist()  # type: ignore[no-any-return]

    def play(self, seat: int, action: int) -> int:
        """Make a legal move; nothing is checked here."""
        return int(self._doors.play(self.states, self._packs, 0, seat, action))

    def attempt(self, seat: int, action: int) -> int:
        """Make a move if it is legal; see `Doors.attempt` for what comes back."""
        return int(self._doors.attempt(self.states, self._packs, 0, seat, action, self._room()))

    def chance(self) -> tuple[int, ...]:
        """Draw what chance owes from the state's stream."""
        room = self._room()
        count = self._doors.chance(self.states, self._packs, 0, room)
        return tuple(room[:count].tolist())

    def happen(self, outcome: Sequence[int]) -> None:
        """Apply what chance brought."""
        room = self._room()
        room[: len(outcome)] = outcome
        self._doors.happen(self.states, self._packs, 0, room, len(outcome))

    def _room(self) -> Array:
        """Where rules write what they list. Positions are many, and don't keep it."""
        return numbers(max(self.game.actions + 1, self.game.outcome))

    def settle(self) -> None:
        """Let chance do all it owes."""
        while self.mask == CHANCE:
            self.happen(self.chance())

    def points(self, seat: int) -> list[int]:
        """The lines of the seat's score sheet, as the cards lie."""
        out = numbers(len(self.lines))
        self._doors.sheet(self.states, self._packs, 0, seat, out)
        return out.tolist()  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Every seat's points now."""
        return [sum(self.points(seat)) for seat in range(self.players)]

    @property
    def winners(self) -> list[int]:
        """Who wins, if the game ended now."""
        totals = listed(self.scores)
        mask = int(self._doors.winners(self.states, self._packs, 0, totals))
        return [seat for seat in range(self.players) if mask >> seat & 1]

    def preview(self, seat: int, action: int) -> list[int]:
        """The seat's sheet if this action alone happened."""
        return self.copy().preview_here(seat, action)

    def preview_here(self, seat: int, action: int) -> list[int]:
        """The same, and the position is then as the preview saw it: for evidence alone."""
        out = numbers(len(self.lines))
        self._doors.preview(self.states, self._packs, 0, seat, action, out)
        return out.tolist()  # type: ignore[no-any-return]

    def previews(self, seat: int, actions: Sequence[int]) -> list[list[int]]:
        """The seat's sheet for each of these actions, as if it alone happened."""
        out = numbers((len(actions), len(self.lines)))
        tried = listed(actions)
        scratch = copy_of(self.states)
        self._doors.previews(self.states, self._packs, 0, seat, tried, scratch, out)
        return out.tolist()  # type: ignore[no-any-return]

    def observe(self, seat: int) -> Array:
        """What a learner sees: int16 numbers, which the game's layout explains."""
        out = numbers(self.game.part("features").SIZE, "int16")
        self._doors.observe(self.states, self._packs, 0, seat, out)
        return out

    def expand(self, raw: Array) -> Array:
        """An observation as float32 columns: categories one-hot, cards by their attributes."""
        out = numbers(self.game.part("features").LAYOUT.expanded, "float32")
        self._doors.expand(self._packs, raw, out)
        return out

    def copy(self) -> Position:
        """An independent copy."""
        other = object.__new__(Position)
        other._doors, other._packs, other.game = self._doors, self._packs, self.game
        other.lines, other.options, other.pack = self.lines, self.options, self.pack
        other.pack_record, other.players = self.pack_record, self.players
        other.states = copy_of(self.states)
        other._record = None
        return other

    def redeal(self, seat: int, source: Array | bytes) -> Position:
        """A world that looks the same to the seat (-1: a spectator), by a stream or a seed."""
        other = self.copy()
        stream = _start_of(source).copy() if isinstance(source, bytes) else source
        self._doors.redeal(other.states, self._packs, 0, seat, stream)
        return other

    def deal(self, seed: bytes) -> None:
        """Fill in the deal that follows from a seed."""
        self.record.stream[:] = words_of(seed)
        self._doors.shuffle(self.states, self._packs, 0)

    def begin(self) -> None:
        """Start play from the deal."""
        self._doors.begin(self.states, self._packs, 0)

    def read(self, reading: Reading, whole: bytes) -> bytes:
        """Of the state's bytes those of some fields: where they are equal, so are the fields."""
        return b"".join([whole[part] for part in _parts(self.game, reading)])

    def only(self, reading: Reading) -> Record:
        """A record with these fields as they are, and all else 0."""
        whole, room = self.states.tobytes(), bytearray(self.states.itemsize)
        for part in _parts(self.game, reading):
            room[part] = whole[part]
        return record_of(in_memory(self.states, room))

    def write(self, seat: int, action: int) -> str:
        """A move in words."""
        text: str = self.game.part("notation").write(self.record, self.pack_record, seat, action)
        return text


@lru_cache(maxsize=64)
def _start_of(seed: bytes) -> Array:
    """A seed's stream, never drawn from: views ask for the same one over and over."""
    return words_of(seed)


@cache
def _parts(game: Game, reading: Reading) -> tuple[slice, ...]:
    """Where the bytes of some fields lie."""
    fields: Fields = game.part("state").STATE
    parts = []
    for name in reading.whole:
        field = fields.by_name[name]
        parts.append(slice(field.offset, field.offset + field.size))
    for name in reading.by_seat:
        field = fields.by_name[name]
        first = field.offset + reading.seat * field.entry_size
        parts.append(slice(first, first + field.entry_size))
    return tuple(parts)


def lines_of(game: Game, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the score sheet's lines under these options."""
    scoring = game.part("scoring")
    return scoring.lines(options) if hasattr(scoring, "lines") else game.lines
