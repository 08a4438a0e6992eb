"""`Match`: a game with its history.

A match is a pure function of game, rules version, pack, options, seed and moves. Its JSON and its
pickle are its record.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pelagos.engine.errors import BadRecord, IllegalMove, PelagosError, short
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import Pack, default_pack, load_pack
from pelagos.engine.story import Note, Story
from pelagos.engine.stream import seed_of
from pelagos.engine.types import (
    BEFORE,
    CHANCE,
    CHANCE_DUE,
    HIDDEN,
    NOT_LEGAL,
    NOT_PENDING,
    TURNED,
)
from pelagos.engine.types import SPECTATOR as SPECTATOR
from pelagos.engine.view import (
    Change,
    Choice,
    Event,
    Look,
    Part,
    PartCache,
    Shared,
    Sheet,
    Step,
    Text,
    View,
    put_together,
    text,
)

if TYPE_CHECKING:
    from pelagos.engine.position import Position

MOST_LISTED = 250
"""How many letters of legal moves a sentence lists."""
STEPS_KEPT = 16
"""The newest steps of a match, from which every viewer's story goes on."""


_VIEW = b"view"
"""The seed of the world that stands for what a viewer doesn't know."""


def _positions() -> Any:
    """Where positions come from: named, so that a match needs no NumPy (see `rule`)."""
    return import_module("pelagos.engine.position")


class Entry(NamedTuple):
    """One entry of a match's history: a move, or chance (seat -1)."""

    seat: int
    action: int
    outcome: tuple[int, ...]
    pending: int
    """Who owed a decision before it."""
    news: int
    """HIDDEN, SHOWN or TURNED."""
    asked: bool = True
    """Did the seat itself decide it now? Else it was made for it."""


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
        self.seats: list[dict[str, Any]] = (
            [dict(seat) for seat in seats]
            if seats
            else [{"name": f"seat {seat}"} for seat in range(self.players)]
        )
        self.seed = seed
        start: Position = _positions().new_position(game, pack, self.options)
        notation = game.part("notation")
        if seed is not None:
            start.deal(seed)
        else:
            assert deal is not None
            notation.read_deal(start.record, start.pack_record, deal)
        self.deal: dict[str, Any] = notation.write_deal(start.record, start.pack_record)
        if deal is not None:
            wrong = difference(self.deal, dict(deal), "deal")
            if wrong:
                raise BadRecord(wrong if seed is None else text("refuse.seed", reason=wrong))
        start.begin()
        self._start = self.position = start
        """A position is never changed: each entry makes the next one."""
        self.history: list[Entry] = []
        self.notes: list[Note] = []
        self.tells_opening = True
        """Does its story begin with how the game was opened, where the game tells it?"""
        self._steps: list[Step] = []
        self._stories: dict[int, Story] = {}
        self._cache = PartCache()
        self._mask: tuple[Position, int] = (start, start.mask)
        """Who owes a decision, and at which position that was asked."""
        self._undoable: tuple[Position, dict[int, tuple[list[int], Text | None]]] = (start, {})
        """What each seat may take back, and at which position that was asked."""

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
        rules = find_game(game) if isinstance(game, str) else game
        if players is not None:
            options["players"] = players
        checked = rules.check_options(options)
        if names is not None and len(names) != checked["players"]:
            raise PelagosError(text("refuse.names", players=checked["players"], count=len(names)))
        seats = [{"name": name} for name in names] if names else None
        if pack is None:
            pack = default_pack(rules)
        elif not isinstance(pack, Pack):
            pack = load_pack(rules, pack)
        match = cls(rules, pack, checked, seed_bytes(seed), None, seats)
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
        other.seats = [dict(seat) for seat in self.seats]
        other.history = list(self.history)
        other.notes = list(self.notes)
        other._steps = list(self._steps)
        other._stories = {viewer: story.copy() for viewer, story in self._stories.items()}
        return other

    def at(self, number: int) -> Match:
        """The match as it stood after so many entries of its history."""
        if not 0 <= number <= len(self.history):
            raise PelagosError(text("refuse.position", number=number, last=len(self.history)))
        other = self.copy()
        other._cache = PartCache()  # whoever looks at the past may do so in a thread of their own
        other._go_back(self.history[:number])
        return other

    def _go_back(self, entries: Sequence[Entry]) -> None:
        """Start over, and make these entries again."""
        self.position = self._start
        self.history, self._steps, self._stories = [], [], {}
        self._cache.forget_shared()
        self.notes = [note for note in self.notes if note[0] <= len(entries)]
        for entry in entries:
            self._again(entry)

    def __reduce__(self) -> Any:
        return Match.replay, (json.dumps(self.record()),)

    # --- who may do what -----------------------------------------------------------------------

    @property
    def mask(self) -> int:
        """Who owes a decision, as the rules tell it; they are asked once a position."""
        if self._mask[0] is not self.position:
            self._mask = (self.position, self.position.mask)
        return self._mask[1]

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that owe a decision now."""
        mask = self.mask
        if mask == CHANCE:
            return ()
        return tuple(seat for seat in range(self.players) if mask >> seat & 1)

    @property
    def chance_is_due(self) -> bool:
        """Does something random come next (in a match without a seed)?"""
        return self.mask == CHANCE

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.mask == 0

    def legal(self, seat: int) -> list[int]:
        """The seat's legal actions; none if it owes no decision."""
        if not self._owes(seat):
            return []
        return self.position.legal(seat)

    def moves(self, seat: int) -> list[str]:
        """The seat's legal moves in words."""
        return [self.position.write(seat, action) for action in self.legal(seat)]

    def _owes(self, seat: int) -> bool:
        return 0 <= seat < self.players and bool(self.mask >> seat & 1)

    # --- moving --------------------------------------------------------------------------------

    def play(self, seat: int, move: int | str, asked: bool = True) -> str:
        """Make a move, by number or in words, and return it in words; refused with a sentence if
        it isn't legal. `asked`: the seat decides it now; else it is made for it.
        """
        before = self.position
        chance_is_due = self.move(seat, move, asked)
        action = self.history[-1].action
        if chance_is_due and self.seed is not None:
            self._let_chance()
        return before.write(seat, action)

    def move(self, seat: int, move: int | str, asked: bool = True) -> bool:
        """Like `play`, but leave what chance owes then to the caller; return whether it does."""
        if not _is_whole(seat) or not 0 <= seat < self.players:
            raise IllegalMove(self._not_your_turn(seat, 0))
        action = self._number(seat, move) if isinstance(move, str) else move
        if not _is_whole(action) or not 0 <= action < self.game.actions:
            action = -1
        seat, action = int(seat), int(action)
        after = self.position.copy()
        done = after.attempt(seat, action)
        if done == NOT_PENDING:
            raise IllegalMove(self._not_your_turn(seat, self.position.mask))
        if done == NOT_LEGAL:
            raise IllegalMove(self._not_legal(seat, move, self.position.legal(seat)))
        self._enter(Entry(seat, action, (), done >> BEFORE, done & 3, asked), after)
        return bool(done & CHANCE_DUE)

    def happen(self, words: str) -> None:
        """Say what chance brought, in a match without a seed."""
        if not self.chance_is_due:
            raise IllegalMove(text("refuse.nothing_random", words=short(words)))
        notation = self.game.part("notation")
        outcome = notation.read_chance(self.position.record, self.position.pack_record, words)
        after = self.position.copy()
        if self.seed is not None:
            after.chance()  # moves the stream on
        self._apply_chance(tuple(outcome), after)

    def _let_chance(self) -> None:
        while self.position.mask == CHANCE:
            after = self.position.copy()
            self._apply_chance(after.chance(), after)

    def _apply_chance(self, outcome: tuple[int, ...], after: Position) -> None:
        after.happen(outcome)
        self._enter(Entry(-1, -1, outcome, CHANCE, TURNED), after)

    def _enter(self, entry: Entry, after: Position) -> None:
        """Add an entry to the history, with the position that it leads to."""
        step = Step(self.position, after, entry.seat, entry.action, entry.outcome, {})
        if len(self._steps) >= STEPS_KEPT:
            del self._steps[: STEPS_KEPT // 2]
        self._steps.append(step)
        self.history.append(entry)
        self.position = after

    def _again(self, entry: Entry) -> None:
        """Make an entry of the history once more."""
        after = self.position.copy()
        if entry.seat < 0:
            if self.seed is not None:
                after.chance()  # moves the stream on
            self._apply_chance(entry.outcome, after)
        else:
            mask = self.position.mask
            news = after.play(entry.seat, entry.action)
            self._enter(Entry(entry.seat, entry.action, (), mask, news, entry.asked), after)

    def decisions(self, seat: int) -> int:
        """How many decisions the seat has made: the number of its next one."""
        return sum(entry.seat == seat for entry in self.history)

    def _number(self, seat: int, words: str) -> int:
        notation = self.game.part("notation")
        return int(notation.read(self.position.record, self.position.pack_record, seat, words))

    def _not_your_turn(self, seat: int, mask: int) -> Text:
        if not _is_whole(seat) or not 0 <= seat < self.players:
            return text("refuse.no_seat", seat=short(seat), last=self.players - 1)
        if mask == 0:
            return text("refuse.over")
        if mask == CHANCE:
            return text("refuse.random_first", seat=seat)
        waiting = ", ".join(map(str, self.pending))
        return text("refuse.not_your_turn", seat=seat, waiting=waiting)

    def _not_legal(self, seat: int, move: int | str, legal: Sequence[int]) -> Text:
        moves = ", ".join(self.position.write(seat, action) for action in legal[:12])
        if len(legal) > 12 or len(moves) > MOST_LISTED:
            start = moves[:MOST_LISTED].rpartition(", ")[0]
            moves_more = text("refuse.more_moves", moves=start, count=len(legal))
            return text("refuse.not_legal", seat=seat, move=short(move), legal=moves_more)
        return text("refuse.not_legal", seat=seat, move=short(move), legal=moves)

    # --- undo ----------------------------------------------------------------------------------

    def undoable(self, seat: int) -> tuple[list[int], Text | None]:
        """The seat's entries that it may take back, as places in the history, the newest first;
        and why it may take back no more.
        """
        if self._undoable[0] is not self.position:
            self._undoable = (self.position, {})
        known = self._undoable[1]
        if seat not in known:
            known[seat] = self._find_undoable(seat)
        return known[seat]

    def _find_undoable(self, seat: int) -> tuple[list[int], Text | None]:
        places: list[int] = []
        moved = 0  # mask of the seats that have moved since, for all to see
        for place in range(len(self.history) - 1, -1, -1):
            entry = self.history[place]
            if entry.news == TURNED:
                return places, text("refuse.undo_turned")
            if entry.news != HIDDEN:
                moved |= 1 << entry.seat
            if entry.seat == seat:
                since = moved & ~entry.pending
                if since:
                    return places, text("refuse.undo_moved", seat=since.bit_length() - 1)
                places.append(place)
        return places, None if places else text("refuse.undo_none", seat=seat)

    def why_no_undo(self, seat: int, count: int = 1) -> Text | None:
        """Why the seat can't take back its last move, or its last so many; None if it can."""
        places, reason = self.undoable(seat)
        if len(places) >= count:
            return None
        return reason or text("refuse.undo_none", seat=seat)

    def undo(self, seat: int) -> None:
        """Take back the seat's last move."""
        places, reason = self.undoable(seat)
        if not places:
            raise IllegalMove(text("refuse.undo", reason=reason))
        self._go_back(self.history[: places[0]] + self.history[places[0] + 1 :])

    # --- scores --------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """Every seat's points as all cards lie, hidden choices included."""
        return self.position.scores

    @property
    def winners(self) -> list[int]:
        """Who wins; empty before the end."""
        return self.position.winners if self.over else []

    @property
    def tie_break(self) -> Text | None:
        """What told apart those with the best total; None if nothing had to, or before the end."""
        if not self.over:
            return None
        broken_tie = getattr(self.game.part("scoring"), "broken_tie", None)
        if broken_tie is None:
            return None
        at = self.position
        reason: Text | None = broken_tie(at.record, at.pack_record, at.scores, at.winners)
        return reason

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
        return self.position.redeal(seat, seed_bytes(seed))

    def _seen_by(self, viewer: int | None) -> Position:
        seat = SPECTATOR if viewer is None else viewer
        if not SPECTATOR <= seat < self.players:
            raise PelagosError(text("refuse.no_seat", seat=short(viewer), last=self.players - 1))
        return self.position.redeal(seat, _VIEW)

    def view(
        self,
        viewer: int | None = None,
        since: int = 0,
        previews: bool = True,
        follow: bool = False,
        options: Mapping[str, bool] | None = None,
        cached: bool = True,
    ) -> View:
        """Everything the viewer may see; its events from number `since` on, or the newest so many
        if that is negative.

        `follow`: with each choice, what may be chosen together with it. `options`: the table's own
        (`Game.table_options`). A view made without the cache is the same.
        """
        return put_together(*self.view_in_parts(viewer, since, previews, follow, options, cached))

    def view_in_parts(
        self,
        viewer: int | None,
        since: int,
        previews: bool,
        follow: bool,
        options: Mapping[str, bool] | None,
        cached: bool = True,
    ) -> tuple[View, list[Part]]:
        """The same, for whoever sends it on: without places and pieces, and those in parts."""
        seen = self._seen_by(viewer)
        seat = SPECTATOR if viewer is None else viewer
        story = self._story(seat)
        mask = self.mask
        over = mask == 0
        look = Look(seen, seat, over, story.memory, options or {}, *self._kept(cached))
        reader = self.game.part("view")
        reader.view(look)
        legal = self.position.legal(seat) if seat >= 0 and mask >> seat & 1 else []
        scoring = self.game.part("scoring")
        evidence, reads = scoring.evidence, scoring.READS
        sheets = [
            look.proven(evidence, owner, reads.of(owner, over)) for owner in range(self.players)
        ]
        choices: list[Choice] = []
        if legal:
            now = (look.standing or sheets)[seat]
            choices = _choices(seen, look, legal, now if previews else None)
            if follow:
                _add_follow(seen, look, choices, now if previews else None)
        view: View = {
            "game": self.game.id,
            "viewer": viewer,
            "players": self.players,
            "over": look.over,
            "prompt": look.prompt,
            "phase": look.phase,
            "forced": len(legal) == 1 and self._is_forced(seen, seat),
            "places": [],
            "pieces": [],
            "choices": choices,
            "events": story.events.since(since),
            "seen": len(story.events),
            "sheets": sheets,
            "facts": look.facts,
            "lately": story.lately,
            "undo": self.own_moves(seat),
            "why": look.reasons,
            "winners": self.position.winners if over else [],
        }
        if look.standing:
            view["standing"] = look.standing
        if tie_break := self.tie_break:
            view["tie_break"] = tie_break
        return view, look.parts

    def _kept(self, cached: bool) -> tuple[PartCache, Shared] | tuple[()]:
        """What was made for views before, if it is to be used."""
        if not cached:
            return ()
        shared = self._cache.shared_at(self.position, lambda: self._seen_by(None))
        return self._cache, shared

    def _is_forced(self, seen: Position, seat: int) -> bool:
        """Does everyone know what the seat may do?"""
        knowledge = self.game.part("knowledge")
        return bool(knowledge.forced(seen.record, seen.pack_record, seat))

    def own_moves(self, seat: int, most: int | None = None) -> list[Text]:
        """What the seat has done and may take back, the oldest first; the newest so many."""
        count = 0 if seat < 0 or self.over else len(self.undoable(seat)[0][:most])
        if not count:
            return []
        newest = self._story(seat).own.since(-count)
        return [text(event["key"], **event["params"]) for event in newest if event is not None]

    def planned(self, seat: int, words: str) -> list[Choice]:
        """A move that is sent ahead, as the choice that it will be when everyone else has answered;
        nothing if it isn't legal then.
        """
        seen = self._seen_by(seat)
        later = _after(seen, seat)
        legal = later.legal(seat) if seat in later.pending else []
        look = Look(seen, seat, self.over, {}, {})
        return [
            choice for choice in _choices(later, look, legal, None) if choice["notation"] == words
        ]

    def events(self, viewer: int | None = None) -> list[Event]:
        """All that has happened, as the viewer may know it."""
        return self._story(SPECTATOR if viewer is None else viewer).events.since()

    def note(self, event: Event) -> None:
        """Tell everyone something that isn't the game's own, now; it is no part of the record."""
        self.notes.append((len(self.history), event))

    def _story(self, seat: int) -> Story:
        """The viewer's story, told up to now."""
        story = self._stories.get(seat)
        if story is None:
            story = self._stories[seat] = Story(self.game.part("story"), seat)
            if self.tells_opening:
                story.open(self._start.record, self._start.pack_record, self.options)
        story.note(self.notes)
        if story.entries_told < len(self.history):
            for entry, step in self._steps_from(story.entries_told):
                story.tell(entry, step)
                story.note(self.notes)
        return story

    def _steps_from(self, number: int) -> Iterator[tuple[Entry, Step]]:
        """The entries from this one on, with the positions around them."""
        kept = len(self.history) - len(self._steps)
        if number >= kept:
            return zip(self.history[number:], self._steps[number - kept :], strict=True)
        return chain(self._steps_again(number, kept), self._steps_from(kept))

    def _steps_again(self, first: int, last: int) -> Iterator[tuple[Entry, Step]]:
        """Entries whose steps are not kept any more, made again from the start."""
        again = object.__new__(Match)
        again.__dict__.update(self.__dict__)
        again.position, again.history, again._steps = self._start, [], []
        for number, entry in enumerate(self.history[:last]):
            again._again(entry)
            if number >= first:
                yield entry, again._steps[-1]

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


def _is_whole(number: Any) -> bool:
    """Is it a whole number, of whatever type?"""
    return hasattr(number, "__index__")


def _choices(
    seen: Position, look: Look, legal: Sequence[int], now: Sheet | None, group: str = ""
) -> list[Choice]:
    """The legal actions as choices of a group, or of all; `now` is what gains are told from."""
    reader, seat = seen.game.part("view"), look.viewer
    game, pack = seen.record, seen.pack_record
    asks, elsewhere = getattr(reader, "asks", None), getattr(reader, "elsewhere", None)
    choices: list[Choice] = []
    for action in legal:
        choice: Choice = reader.choice(game, pack, seat, action)
        if group and choice["group"] != group:
            continue
        if choice["piece"] is not None:
            choice["piece"] = look.names.get(choice["piece"], choice["piece"])
        choice["action"] = action
        choice["notation"] = seen.write(seat, action)
        if asks is not None:
            choice["asks"] = asks(game, pack, seat, action)
        choices.append(choice)
    if now is not None and choices:
        previews = seen.previews(seat, [choice["action"] for choice in choices])
        lines, total = seen.lines, now["total"]
        points = [line["points"] for line in now["lines"]]
        for choice, preview in zip(choices, previews, strict=True):
            if elsewhere and (changes := elsewhere(game, pack, seat, choice["action"])):
                choice["elsewhere"] = changes
            choice["preview"] = dict(zip(lines, preview, strict=True))
            choice["gain"] = sum(preview) - total
            if preview != points:
                choice["receipt"] = [
                    Change(key=key, points=then - before)
                    for key, then, before in zip(lines, preview, points, strict=True)
                    if then != before
                ]
    return choices


def _add_follow(seen: Position, look: Look, choices: list[Choice], now: Sheet | None) -> None:
    """With each choice that has a sequel, what the seat may do right after it.

    Others' hidden choices don't matter to that: they are made at random in a world that looks the
    same to the seat.
    """
    for choice in choices:
        group = seen.game.follow.get(choice["group"])
        if group:
            later = _after(seen, look.viewer, choice["action"])
            legal = later.legal(look.viewer) if look.viewer in later.pending else []
            sequel = _choices(later, look, legal, now, group)
            if sequel:
                choice["follow"] = sequel


def _after(seen: Position, seat: int, action: int | None = None) -> Position:
    """How things stand for the seat after its action, when everyone else has answered too."""
    world = seen.copy()
    if action is not None:
        world.play(seat, action)
    for other in world.pending:
        if other != seat:
            world.play(other, world.legal(other)[0])
    world.settle()
    return world


def difference(true: Any, given: Any, where: str) -> Text | None:
    """A text on the first place where what is told isn't what is true; None if there is none."""
    if type(given) is not type(true):
        return text("refuse.differs", where=where, told=short(given), true=short(true))
    if isinstance(true, dict):
        for name in true:
            if name not in given:
                return text("refuse.missing", where=f"{where}.{name}")
        for name in given:
            if name not in true:
                return text("refuse.no_part", where=where, name=short(name))
        parts = [(f"{where}.{name}", true[name], given[name]) for name in true]
    elif isinstance(true, list):
        if len(given) != len(true):
            return text("refuse.list_length", where=where, count=len(true), number=len(given))
        parts = [
            (f"{where}[{index}]", *both) for index, both in enumerate(zip(true, given, strict=True))
        ]
    elif given == true:
        return None
    else:
        return text("refuse.differs", where=where, told=short(given), true=short(true))
    for place, inner, other in parts:
        wrong = difference(inner, other, place)
        if wrong:
            return wrong
    return None
