"""`Position`, a state with its rules; `Match`, a game with its history.

A match is a pure function of game, rules version, pack, options, seed and moves. Its JSON and its
pickle are its record.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pelagos.engine.doors import (
    BEFORE,
    CHANCE_DUE,
    NOT_LEGAL,
    NOT_PENDING,
    copy_of,
    doors,
    new_states,
    readable,
    record_of,
)
from pelagos.engine.errors import BadRecord, IllegalMove, PelagosError, short
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import Pack, default_pack, load_pack
from pelagos.engine.story import Note, Steps, Story
from pelagos.engine.stream import seed_of, words_of
from pelagos.engine.types import CHANCE, HIDDEN, TURNED, Array, Record
from pelagos.engine.view import (
    Choice,
    Event,
    Look,
    Shared,
    Sheet,
    View,
    make_sheet,
    name_sheet,
)

SPECTATOR = -1
WHOLE = (int, np.integer)
MOST_LISTED = 250
"""How many letters of legal moves a sentence lists."""


class Position:
    """One state and the rules to move it: what a bot is given. It has no history."""

    __slots__ = (
        "_buffer",
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
        self._buffer = np.zeros(max(game.actions + 1, game.outcome), np.int64)
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
        count = self._doors.legal(self.states, self._packs, 0, seat, self._buffer)
        return self._buffer[:count].tolist()  # type: ignore[no-any-return]

    def play(self, seat: int, action: int) -> int:
        """Make a legal move; nothing is checked here."""
        return int(self._doors.play(self.states, self._packs, 0, seat, action))

    def attempt(self, seat: int, action: int) -> int:
        """Make a move if it is legal; see `Doors.attempt` for what comes back."""
        return int(self._doors.attempt(self.states, self._packs, 0, seat, action, self._buffer))

    def chance(self) -> tuple[int, ...]:
        """Draw what chance owes from the state's stream."""
        count = self._doors.chance(self.states, self._packs, 0, self._buffer)
        return tuple(self._buffer[:count].tolist())

    def happen(self, outcome: Sequence[int]) -> None:
        """Apply what chance brought."""
        self._buffer[: len(outcome)] = outcome
        self._doors.happen(self.states, self._packs, 0, self._buffer, len(outcome))

    def settle(self) -> None:
        """Let chance do all it owes."""
        while self.mask == CHANCE:
            self.happen(self.chance())

    def points(self, seat: int) -> list[int]:
        """The lines of the seat's score sheet, as the cards lie."""
        out = np.zeros(len(self.lines), np.int64)
        self._doors.sheet(self.states, self._packs, 0, seat, out)
        return out.tolist()  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Every seat's points now."""
        return [sum(self.points(seat)) for seat in range(self.players)]

    @property
    def winners(self) -> list[int]:
        """Who wins, if the game ended now."""
        totals = np.array(self.scores, np.int64)
        mask = int(self._doors.winners(self.states, self._packs, 0, totals))
        return [seat for seat in range(self.players) if mask >> seat & 1]

    def preview(self, seat: int, action: int) -> list[int]:
        """The seat's sheet if this action alone happened."""
        out = np.zeros(len(self.lines), np.int64)
        self._doors.preview(copy_of(self.states), self._packs, 0, seat, action, out)
        return out.tolist()  # type: ignore[no-any-return]

    def observe(self, seat: int) -> Array:
        """What a learner sees."""
        out = np.zeros(self.game.part("features").SIZE, np.int16)
        self._doors.observe(self.states, self._packs, 0, seat, out)
        return out

    def copy(self) -> Position:
        """An independent copy."""
        other = object.__new__(Position)
        for name in _SHARED:
            setattr(other, name, getattr(self, name))
        other.states = copy_of(self.states)
        other._buffer = np.zeros(len(self._buffer), np.int64)
        other._record = None
        return other

    def redeal(self, seat: int, stream: Array) -> Position:
        """Another world that looks the same to the seat (-1: a spectator)."""
        other = self.copy()
        self._doors.redeal(other.states, self._packs, 0, seat, stream)
        return other

    def write(self, seat: int, action: int) -> str:
        """A move in words."""
        text: str = self.game.part("notation").write(self.record, self.pack_record, seat, action)
        return text


_SHARED = ("_doors", "_packs", "game", "lines", "options", "pack", "pack_record", "players")
"""What a position has in common with its copies; nobody changes it."""


def lines_of(game: Game, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the score sheet's lines under these options."""
    scoring = game.part("scoring")
    return scoring.lines(options) if hasattr(scoring, "lines") else game.lines


class Entry(NamedTuple):
    """One entry of a match's history: a move, or chance (seat -1)."""

    seat: int
    action: int
    outcome: tuple[int, ...]
    pending: int
    """Who owed a decision before it."""
    news: int
    """HIDDEN, SHOWN or TURNED."""


def seed_bytes(seed: str | int | bytes | None) -> bytes:
    """Any seed as 32 bytes: 64 hexadecimal digits are the seed itself, S is game 0 of series S."""
    if seed is None:
        return secrets.token_bytes(32)
    if isinstance(seed, bytes):
        return seed if len(seed) == 32 else hashlib.sha256(seed).digest()
    digits = str(seed)
    if len(digits) == 64 and all(digit in "0123456789abcdef" for digit in digits):
        return bytes.fromhex(digits)
    return seed_of(digits, 0)


class Match:
    """A game being played, from its first deal to its score."""

    def __init__(
        self,
        game: Game,
        pack: Pack,
        options: Mapping[str, Any],
        seed: bytes | None,
        deal: Mapping[str, Any] | None,
        seats: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """Use `Match.new` or `Match.replay`."""
        self.game = game
        self.pack = pack
        self.options = game.check_options(options)
        self.players: int = int(self.options["players"])
        self.seats = (
            [dict(seat) for seat in seats]
            if seats
            else [{"name": f"seat {seat}"} for seat in range(self.players)]
        )
        self.seed = seed
        self.position = Position(game, pack, self.options, new_states(game, 1))
        game.part("rules").configure(self.position.record, self.options)
        notation = game.part("notation")
        opened = doors(game)
        packs = readable(pack.data)
        if seed is not None:
            self.position.states["stream"][0] = words_of(seed)
            opened.shuffle(self.position.states, packs, 0)
            self.deal: dict[str, Any] = notation.write_deal(
                self.position.record, self.position.pack_record
            )
        else:
            assert deal is not None
            notation.read_deal(self.position.record, self.position.pack_record, deal)
            self.deal = notation.write_deal(self.position.record, self.position.pack_record)
        if deal is not None:
            found = difference(self.deal, dict(deal), "deal")
            if found:
                raise BadRecord(found if seed is None else f"With this seed, {found}")
        opened.begin(self.position.states, packs, 0)
        self._start = copy_of(self.position.states)
        self.history: list[Entry] = []
        self.notes: list[Note] = []
        self._stories: dict[int, Story] = {}
        self._steps: Steps = {}
        self._shared = Shared()

    # --- making matches ------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        game: str | Game,
        *,
        players: int | None = None,
        seed: str | int | bytes | None = None,
        pack: Pack | Path | str | None = None,
        names: Sequence[str] | None = None,
        **options: Any,
    ) -> Match:
        """Deal a new game. Without a seed it is dealt at random."""
        found = find_game(game) if isinstance(game, str) else game
        if players is not None:
            options["players"] = players
        checked = found.check_options(options)
        if names is not None and len(names) != checked["players"]:
            raise PelagosError(
                f"{checked['players']} players need as many names, not {len(names)}."
            )
        seats = [{"name": name} for name in names] if names else None
        if pack is None:
            pack = default_pack(found)
        elif not isinstance(pack, Pack):
            pack = load_pack(found, pack)
        match = cls(found, pack, checked, seed_bytes(seed), None, seats)
        match._let_chance()
        return match

    @classmethod
    def replay(cls, record: Mapping[str, Any] | str) -> Match:
        """A match from its record, every move checked."""
        from pelagos.engine.record import replay

        return replay(record)

    def copy(self) -> Match:
        """An independent copy, history included."""
        other = object.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.position = self.position.copy()
        other.history = list(self.history)
        other.notes = list(self.notes)
        other._stories = {}
        other._steps = {}
        other._shared = Shared()
        return other

    def __reduce__(self) -> Any:
        return Match.replay, (json.dumps(self.record()),)

    # --- who may do what -----------------------------------------------------------------------

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that owe a decision now."""
        return self.position.pending

    @property
    def chance_is_due(self) -> bool:
        """Does something random come next (in a match without a seed)?"""
        return self.position.mask == CHANCE

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.position.over

    def legal(self, seat: int) -> list[int]:
        """The seat's legal actions; none if it owes no decision."""
        if not self._owes(seat):
            return []
        return self.position.legal(seat)

    def moves(self, seat: int) -> list[str]:
        """The seat's legal moves in words."""
        return [self.position.write(seat, action) for action in self.legal(seat)]

    def _owes(self, seat: int) -> bool:
        return 0 <= seat < self.players and bool(self.position.mask >> seat & 1)

    # --- moving --------------------------------------------------------------------------------

    def play(self, seat: int, move: int | str) -> None:
        """Make a move, by number or in words; refused with a sentence if it isn't legal."""
        if self.move(seat, move) and self.seed is not None:
            self._let_chance()

    def move(self, seat: int, move: int | str) -> bool:
        """Like `play`, but leave what chance owes then to the caller; return whether it does."""
        if not isinstance(seat, WHOLE) or not 0 <= seat < self.players:
            raise IllegalMove(self._not_your_turn(seat, 0))
        action = self._number(seat, move) if isinstance(move, str) else move
        if not isinstance(action, WHOLE) or not 0 <= action < self.game.actions:
            action = -1
        seat, action = int(seat), int(action)
        done = self.position.attempt(seat, action)
        if done == NOT_PENDING:
            raise IllegalMove(self._not_your_turn(seat, self.position.mask))
        if done == NOT_LEGAL:
            raise IllegalMove(self._not_legal(seat, move, self.position.legal(seat)))
        self.history.append(Entry(seat, action, (), done >> BEFORE, done & 3))
        return bool(done & CHANCE_DUE)

    def happen(self, words: str) -> None:
        """Say what chance brought, in a match without a seed."""
        if not self.chance_is_due:
            raise IllegalMove(f"Nothing random is due now, so {short(words)} can't have happened.")
        notation = self.game.part("notation")
        outcome = notation.read_chance(self.position.record, self.position.pack_record, words)
        self._apply_chance(tuple(outcome))

    def _let_chance(self) -> None:
        while self.position.mask == CHANCE:
            self._apply_chance(self.position.chance())

    def _apply_chance(self, outcome: tuple[int, ...]) -> None:
        self.position.happen(outcome)
        self.history.append(Entry(-1, -1, outcome, CHANCE, TURNED))

    def _number(self, seat: int, words: str) -> int:
        notation = self.game.part("notation")
        return int(notation.read(self.position.record, self.position.pack_record, seat, words))

    def _not_your_turn(self, seat: int, mask: int) -> str:
        if not isinstance(seat, WHOLE) or not 0 <= seat < self.players:
            return f"There is no seat {short(seat)}; the seats are 0 to {self.players - 1}."
        if mask == 0:
            return "The game is over."
        if mask == CHANCE:
            return f"Seat {seat} can't move now: something random comes first."
        waiting = ", ".join(str(one) for one in self.pending)
        return f"Seat {seat} owes no decision now; waiting for seat {waiting}."

    def _not_legal(self, seat: int, move: int | str, legal: Sequence[int]) -> str:
        shown = ", ".join(self.position.write(seat, action) for action in legal[:12])
        if len(legal) > 12 or len(shown) > MOST_LISTED:
            shown = f"{shown[:MOST_LISTED].rpartition(', ')[0]}, … ({len(legal)} in all)"
        return f"Seat {seat} can't {short(move)} now; legal are: {shown}."

    # --- undo ----------------------------------------------------------------------------------

    def why_no_undo(self, seat: int, count: int = 1) -> str:
        """Why the seat can't take back its last move, or its last so many; empty if it can."""
        moved = 0  # mask of the seats that have moved since, for all to see
        for entry in reversed(self.history):
            if entry.news == TURNED:
                return "Something came to light with that move or after it."
            if entry.news != HIDDEN:
                moved |= 1 << entry.seat
            if entry.seat == seat:
                since = moved & ~entry.pending
                if since:
                    return f"Seat {since.bit_length() - 1} has moved since."
                count -= 1
                if not count:
                    return ""
        return f"Seat {seat} has made no move yet."

    def undo(self, seat: int) -> None:
        """Take back the seat's last move."""
        reason = self.why_no_undo(seat)
        if reason:
            raise IllegalMove(f"This can't be taken back: {reason}")
        last = max(index for index, entry in enumerate(self.history) if entry.seat == seat)
        kept = self.history[:last] + self.history[last + 1 :]
        self.position.states[:] = self._start
        self.history = []
        self._stories = {}
        self._steps = {}
        for entry in kept:
            self._again(entry)

    def _again(self, entry: Entry) -> None:
        mask = self.position.mask
        if entry.seat < 0:
            if self.seed is not None:
                self.position.chance()  # moves the stream on
            self._apply_chance(entry.outcome)
        else:
            news = self.position.play(entry.seat, entry.action)
            self.history.append(Entry(entry.seat, entry.action, (), mask, news))

    # --- scores --------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """Every seat's points as all cards lie, hidden choices included."""
        return self.position.scores

    @property
    def winners(self) -> list[int]:
        """Who wins; empty before the end."""
        return self.position.winners if self.over else []

    def sheet(self, seat: int, viewer: int | None = None) -> dict[str, int]:
        """A seat's score sheet as the viewer may see it (None: a spectator)."""
        seen = self._seen_by(viewer)
        return dict(zip(seen.lines, seen.points(seat), strict=True))

    def preview(self, seat: int, move: int | str) -> dict[str, int]:
        """The seat's own sheet if this move alone happened."""
        action = self._number(seat, move) if isinstance(move, str) else move
        legal = self.legal(seat)
        if action not in legal:
            raise IllegalMove(self._not_legal(seat, move, legal))
        seen = self._seen_by(seat)
        return dict(zip(seen.lines, seen.preview(seat, action), strict=True))

    # --- what a seat sees ----------------------------------------------------------------------

    def redeal(self, seat: int, seed: str | int | bytes | None = None) -> Position:
        """A position like this one in all that the seat knows, and redealt in all else."""
        return self.position.redeal(seat, words_of(seed_bytes(seed)))

    def _seen_by(self, viewer: int | None) -> Position:
        seat = SPECTATOR if viewer is None else viewer
        if not SPECTATOR <= seat < self.players:
            raise PelagosError(
                f"There is no seat {short(viewer)}; the seats are 0 to {self.players - 1}."
            )
        return self.position.redeal(seat, words_of(b"view"))

    def view(self, viewer: int | None = None, since: int = 0, previews: bool = True) -> View:
        """Everything the viewer may see; its events from number `since` on."""
        seen = self._seen_by(viewer)
        seat = SPECTATOR if viewer is None else viewer
        knowledge = self.game.part("knowledge")
        story = self._story(seat)
        events = story.tell(self.history, self.notes)
        over = self.over
        look = Look(
            seen.record, seen.pack_record, seat, self.players, over, story.memory, self._shared
        )
        knowledge.view(look)
        legal = [] if viewer is None else self.legal(viewer)
        view: View = {
            "game": self.game.id,
            "viewer": viewer,
            "players": self.players,
            "over": over,
            "prompt": look.prompt,
            "phase": look.phase,
            "forced": len(legal) == 1
            and bool(knowledge.forced(seen.record, seen.pack_record, seat)),
            "places": look.places,
            "pieces": look.pieces,
            "choices": [self._choice(seen, look, action, previews) for action in legal],
            "events": events[since:],
            "seen": len(events),
            "sheets": [self._sheet(seen, look, one) for one in range(self.players)],
            "facts": look.facts,
        }
        if look.standing:
            view["standing"] = look.standing
        return view

    def _choice(self, seen: Position, look: Look, action: int, previews: bool) -> Choice:
        knowledge, seat = self.game.part("knowledge"), look.viewer
        choice: Choice = knowledge.choice(seen.record, seen.pack_record, seat, action)
        if choice["piece"] is not None:
            choice["piece"] = look.names.get(choice["piece"], choice["piece"])
        choice["action"] = action
        choice["notation"] = seen.write(seat, action)
        if previews:
            choice["preview"] = dict(zip(seen.lines, seen.preview(seat, action), strict=True))
        return choice

    def _sheet(self, seen: Position, look: Look, seat: int) -> Sheet:
        scoring, game, pack = self.game.part("scoring"), seen.record, seen.pack_record
        points = seen.points(seat)

        def build() -> Sheet:
            return make_sheet(seat, seen.lines, points, scoring.evidence(game, pack, seat))

        if hasattr(scoring, "counted"):
            return look.count("sheet", seat, (tuple(points), *scoring.counted(game, seat)), build)
        return name_sheet(build(), look.names)

    def events(self, viewer: int | None = None) -> list[Event]:
        """All that has happened, as the viewer may know it."""
        seat = SPECTATOR if viewer is None else viewer
        return self._story(seat).tell(self.history, self.notes)

    def note(self, event: Event) -> None:
        """Tell everyone something that isn't the game's own, now; it is no part of the record."""
        self.notes.append((len(self.history), event))

    def _story(self, seat: int) -> Story:
        if seat not in self._stories:
            self._stories[seat] = Story(self.position, self._start, seat, self._steps)
        return self._stories[seat]

    # --- records -------------------------------------------------------------------------------

    def record(self, seat: int | None = None) -> dict[str, Any]:
        """The match's record; for a seat, without what that seat may not know."""
        from pelagos.engine.record import write

        return write(self, seat)

    def to_json(self) -> str:
        """The match as JSON text, from which `from_json` makes it again."""
        return json.dumps(self.record(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Match:
        """A match from `to_json`."""
        return cls.replay(text)

    # --- showing itself ------------------------------------------------------------------------

    def text(self, viewer: int | None = None, language: str = "en") -> str:
        """The table as text."""
        from pelagos.engine.text import draw
        from pelagos.engine.words import pack_words

        return draw(self.view(viewer, previews=False), pack_words(self.pack, language), self.names)

    @property
    def names(self) -> list[str]:
        """The players' names."""
        return [str(seat["name"]) for seat in self.seats]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Match {self.game.id}, {self.players} players, {len(self.history)} moves>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.text())}</pre>"


def difference(true: Any, told: Any, where: str) -> str:
    """A sentence on the first place where what is told isn't what is true; empty if none."""
    if type(told) is not type(true):
        return f"{where} is {short(told)}; it should be {short(true)}."
    if isinstance(true, dict):
        for name in true:
            if name not in told:
                return f"{where}.{name} is missing."
        for name in told:
            if name not in true:
                return f"{where} has no part {short(name)}."
        pairs = [(f"{where}.{name}", true[name], told[name]) for name in true]
    elif isinstance(true, list):
        if len(told) != len(true):
            return f"{where} must be a list of {len(true)}, not {len(told)}."
        pairs = [
            (f"{where}[{index}]", *both) for index, both in enumerate(zip(true, told, strict=True))
        ]
    else:
        return "" if told == true else f"{where} is {short(told)}; it should be {short(true)}."
    found = (difference(one, other, place) for place, one, other in pairs)
    return next((sentence for sentence in found if sentence), "")
