"""The fold: what a table is, as a pure function of its log's entries.

An entry is a plain dict with `do`, what was done. Whoever appends one has applied it first to a
draft, a copy of the table (`acts`); applying an entry from the log is the same code, so that what
was accepted once is the same after any restart and in every process.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from pelagos.engine.errors import IllegalMove, PelagosError, text
from pelagos.engine.game import BY_LOT, find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.series import Standing, standing
from pelagos.engine.types import HIDDEN
from pelagos.engine.view import Text, event
from pelagos.engine.words import LANGUAGES
from pelagos.tables import fairness
from pelagos.tables.beacon import Round
from pelagos.tables.errors import Broken, OtherRules, Refused
from pelagos.tables.lessons import ALONG, CLOSED, LEARNER

Entry: TypeAlias = dict[str, Any]
SPECTATOR = -1
OPEN, PERSON, BOT = "open", "person", "bot"
GATHERING, PLAYING, OVER = "gathering", "playing", "over"
FREE = "free"
PACES: dict[str, float | None] = {FREE: None, "quick": 60.0, "slow": 86_400.0}
"""Seconds for a decision; when they are over, a bot decides."""
LONGEST_VERSION = 40
"""Letters that are told of a version of the rules."""
LATE = {True: "event.late", "default": "event.late_default"}
"""What the log says when time runs out, by who decides then: a bot, or the question's default."""


@dataclass(frozen=True)
class Seat:
    """A chair, and who holds it. It is never changed, so that copies of a table share it."""

    kind: str
    """open: for anyone who has the address; person: handed out by the host; bot."""
    name: str = ""
    bot: str = ""
    taken: bool = False
    issue: int = 0
    """How often the seat's secret was issued: only the newest is good."""
    holder: str = ""
    """Hash of the client id that sat down, so that it may ask again."""
    bytes: str = ""
    """What this seat adds to the next deal."""
    ready: bool = False
    """Does it want to play (again)?"""
    order: str = ""
    """Its standing order; none: the first of those that can be given."""
    away: bool = False
    """Has nobody been looking through its eyes for a while?"""
    device: str = ""
    """Where it sits, as far as pages know: people at one device have the same one."""


@dataclass(frozen=True)
class Lost:
    """How somebody lost a seat to somebody else's wish."""

    do: str
    """The entry: it was freed (leave), or its secret made anew (issue)."""
    by: str
    """Who did it, by name; empty: a host without a seat."""
    why: str


@dataclass(frozen=True)
class Finished:
    """A game that was played to its end here."""

    match: Match
    secret: str
    parts: tuple[str, ...]
    series: Standing | None = None
    """How the series stood before it, if it was one of several."""
    issues: tuple[int, ...] = ()
    """Who held each seat when it ended: the issue of the seat's secret."""
    handovers: tuple[dict[str, Any], ...] = ()
    """How seats changed hands in the middle of it (`Table.handovers`)."""
    rules: str = ""
    """The version of the rules that it was played by, where that isn't the installed one."""
    beacon: Round | None = None
    """The beacon's round that was mixed in, if there was one."""

    @cached_property
    def winners(self) -> list[int]:
        """Who won."""
        return self.match.winners

    @cached_property
    def scores(self) -> list[int]:
        """Every seat's points."""
        return self.match.scores

    def record(self) -> dict[str, Any]:
        """The whole record, with what is needed to check the shuffle."""
        whole = as_played(self.match.record(), self.rules)
        whole["fairness"] = {
            "commitment": fairness.commitment(self.secret),
            "secret": self.secret,
            "bytes": list(self.parts),
        }
        if self.beacon is not None:
            whole["fairness"]["beacon"] = dict(self.beacon)
        if self.series is not None:
            whole["series"] = self.series.as_json()
        if self.handovers:
            whole["handovers"] = [dict(handover) for handover in self.handovers]
        return whole


@dataclass
class Table:
    """A live table, rebuilt from its log."""

    id: str
    number: int = 0
    """Entries applied so far."""
    game: Any = None
    options: dict[str, Any] = field(default_factory=dict)
    pack: Pack | None = None
    pack_names: dict[str, dict[str, str]] = field(default_factory=dict)
    """By language, what a pack of the table's own names otherwise than the game does."""
    listed: bool = False
    free_talk: bool = False
    """May people say what they like, beside reactions and short texts?"""
    previews: bool = True
    table_options: dict[str, bool] = field(default_factory=dict)
    """How the table shows or runs the game (`Game.table_options`)."""
    shown_options: dict[str, bool] = field(default_factory=dict)
    """The same, with those that its log doesn't name: they are off, as when it was laid."""
    hints: bool | None = None
    """May people ask what the strongest bot would do? None: if there is but one of them."""
    series: int = 1
    """How many games a series has here; 1: each game is for itself."""
    colours: tuple[int, ...] = ()
    """Each seat's colour, by the seat that usually has it; none: the usual ones."""
    pace: str = FREE
    until: float = 0.0
    """When the clock of the present decision runs out; 0: none runs."""
    asked: float = 0.0
    """Since when somebody is asked what a standing order may answer; 0: nobody is."""
    late: frozenset[int] = frozenset()
    """The seats that a bot decides for, since time ran out and until all see what they did."""
    deal: str = ""
    """Why the first game's cards are no secret, if they aren't: a text that they follow from, or
    the game that this one goes on from."""
    lesson: bool = False
    """Is the game that is played a first one, with its game's lesson beside it?"""
    lesson_read: int = 0
    """How many of the lesson's steps the learner has read."""
    lesson_noted: int = -1
    """Up to which entry of the history the learner knows what the lesson had meant."""
    lesson_shown: int | str = ALONG
    """What the learner looks at instead of the step that is due (see `lessons`)."""
    seats: list[Seat] = field(default_factory=list)
    host_issue: int = 1
    secret: str = ""
    """Of the game that is played, or gathers."""
    next_secret: str = ""
    beacon: Round | None = None
    """The round of a public beacon that was named with the secret's commitment."""
    next_beacon: Round | None = None
    is_asked_to_deal: bool = False
    """Has everyone been ready, at a table that deals with a beacon?"""
    beacon_trouble: str = ""
    """Why the round can't be had, if it should be out (`beacon`)."""
    parts: tuple[str, ...] = ()
    match: Match | None = None
    ended: tuple[int, ...] = ()
    """The issues of the seats' secrets when the newest game ended."""
    orders: tuple[str, ...] = ()
    """The standing orders that can be given; none in a game that has none."""
    past: tuple[Finished, ...] = ()
    decisions: list[int] = field(default_factory=list)
    """For each seat, its own moves and undos: what an answer must name."""
    units: list[tuple[tuple[int, bool], ...]] = field(default_factory=list)
    """For each seat, how many actions each of its moves had, and whether the table made it for
    the player: an undo takes back a whole move, and one that was the player's."""
    ahead: list[tuple[str, ...]] = field(default_factory=list)
    due: list[float] = field(default_factory=list)
    """For each seat, the time that was drawn for its bot's newest answer."""
    hinted: list[tuple[int, int]] = field(default_factory=list)
    """For each seat, how many hints it asked for in this game, and for which decision last."""
    handed: dict[tuple[int, int], int] = field(default_factory=dict)
    """For two seats, the entry that made it the second one's turn to look, not the first one's."""
    lost: dict[tuple[int, int], Lost] = field(default_factory=dict)
    """By seat and issue of its secret, how its holder lost it."""
    handovers: tuple[dict[str, Any], ...] = ()
    """How seats have changed hands since the game began: after how many entries of its history,
    which seat, what was done (an entry's `do`), and by whom: the `seat` itself, or the `host`."""
    for_bots: frozenset[int] = frozenset()
    """Seats that their people were thrown out of while they were here: nobody but a bot may have
    them until the game is over."""
    moved: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """By seat and issue of a secret, where its holder sits since the host arranged the seats: the
    seat, and the issue of its secret then."""
    clients: set[tuple[int, str]] = field(default_factory=set)
    """(seat, client id) of everything accepted: asked twice, done once."""
    views: list[int] = field(default_factory=list)
    """For each seat and then the spectator: how often what it sees has changed."""
    looks: list[int] = field(default_factory=list)
    """The same, for the game's own view alone."""
    _answer: tuple[Any, tuple[tuple[int, ...], bool]] | None = None
    """A position, and what the rules say of it (`_asked_rules`)."""
    broken: Broken | None = None
    """Why the table can only be read, if its log can't be followed any more."""
    other_rules: str = ""
    """The version of the rules that it was laid under, where that isn't the installed one: its log
    is followed as far as the installed rules fit it, and nobody goes on there."""

    # --- asking -----------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.seats)

    @property
    def state(self) -> str:
        """Gathering, playing or over."""
        if self.match is None:
            return GATHERING
        if not self._asked_rules()[1] or (self.broken and self.other_rules):
            return PLAYING
        return OVER

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose decision the game waits for."""
        return () if self.other_rules else self._asked_rules()[0]

    def _asked_rules(self) -> tuple[tuple[int, ...], bool]:
        """Who is waited for, and whether the game is over: asked once a position."""
        match = self.match
        if match is None:
            return (), False
        if self._answer is None or self._answer[0] is not match.position:
            self._answer = (match.position, (match.pending, match.over))
        return self._answer[1]

    def beside(self, seat: int) -> tuple[int, ...]:
        """The seats at this seat's device, its own among them."""
        device = self.seats[seat].device
        return tuple(
            other
            for other in range(self.players)
            if other == seat or (device and self.seats[other].device == device)
        )

    @property
    def finished(self) -> tuple[Finished, ...]:
        """Every game that came to its end here."""
        if self.match is None or self.state != OVER:
            return self.past
        return (
            *self.past,
            Finished(
                self.match,
                self.secret,
                self.parts,
                self.standing,
                self.ended,
                self.handovers,
                self.other_rules,
                self.beacon,
            ),
        )

    @property
    def deals_openly(self) -> bool:
        """Do the next deal's cards follow from something that everyone knows?"""
        return bool(self.deal) and self.match is None

    @property
    def round_to_deal(self) -> Round | None:
        """The beacon's round that the next deal needs."""
        return self.beacon if self.match is None else self.next_beacon

    @property
    def waits_for_beacon(self) -> bool:
        """Does everyone want to play, and only the beacon's round is missing?"""
        return self.is_asked_to_deal and all(chair.ready for chair in self.seats)

    @property
    def allows_hints(self) -> bool:
        """May people ask for hints here? Against bots alone, unless the host said otherwise."""
        if self.hints is not None or self.lesson:
            return bool(self.hints)  # a lesson lights what it is about itself
        return sum(seat.kind != BOT for seat in self.seats) == 1

    @property
    def standing(self) -> Standing | None:
        """How the series stood before the present game, or the first one; None: there is none."""
        if self.series == 1:
            return None
        return standing(self.series, self.players, (game.winners for game in self.past))

    @property
    def next_first(self) -> int | None:
        """The seat that begins the next game, if the last one decides that."""
        first, finished = self.game.first, self.finished
        if first is None or not first.loser or not finished or self.players not in first.players:
            return None
        last = finished[-1]
        return int(first.after(last.winners, int(last.match.deal[first.name]), BY_LOT))

    @property
    def is_closed(self) -> bool:
        """Can it only be read?"""
        return bool(self.broken or self.other_rules)

    def check_open(self) -> None:
        """Refuse whatever is asked of a table that can only be read."""
        if self.other_rules:
            versions = {"version": self.other_rules, "installed": self.game.rules}
            raise OtherRules(text("tables/refuse.other_rules", **versions))
        if self.broken:
            raise Broken(self.broken.text)

    def copy(self) -> Table:
        """An independent copy: a draft to play on. What is never changed is shared."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.match = None if self.match is None else self.match.copy()
        for name in _CHANGED_IN_PLACE:
            setattr(other, name, getattr(self, name).copy())
        return other

    # --- following the log ------------------------------------------------------------------------

    def apply(self, entry: Entry) -> Entry:
        """Do what an entry says; returns it as it is written into the log."""
        if self.broken:
            self.number += 1
            return entry
        entry, before = dict(entry), self.waiting
        try:
            changed = _DOING[entry["do"]](self, entry)
        except Refused:
            raise
        except PelagosError as error:
            if self.number and entry["do"] in ("move", "undo"):
                raise
            raise Broken(text("tables/refuse.broken", reason=error.text)) from error
        self.number += 1
        self.until = entry.get("until", self.until)
        self.asked = entry.get("asked", self.asked)
        self._hand_over(before, anew=entry["do"] == "start")
        client = entry.get("client")
        if client is not None:
            self.clients.add((entry.get("seat", SPECTATOR), client))
        self._count(changed, entry.get("seat", SPECTATOR), before != self.waiting)
        return entry

    def follow(self, entry: Entry) -> None:
        """Follow an entry of the log; if it can't be followed, the table can only be read."""
        if self.broken and self.other_rules:
            self._follow_seats(entry)
            return
        try:
            self.apply(entry)
        except _UNREADABLE as error:
            self.broken = Broken(self._why_not(error))
            self.number += 1

    def _why_not(self, error: Exception) -> Text | str:
        """Why the log isn't followed further. Of a move nothing is told but where it stands: it may
        be a secret, and what its seat might have done instead is one.
        """
        why = error.text if isinstance(error, PelagosError) else str(error)
        why, game = why or type(error).__name__, len(self.past) + 1
        if self.match is not None and (self.other_rules or isinstance(error, IllegalMove)):
            return text("tables/refuse.rules_stop", count=len(self.match.history), game=game)
        return text("tables/refuse.rules_deal", game=game, reason=why) if self.other_rules else why

    def _follow_seats(self, entry: Entry) -> None:
        """Where the game itself can't be followed any more: who sits where."""
        self.number += 1
        if entry.get("do") in _SEATING:
            with contextlib.suppress(*_UNREADABLE):
                _DOING[entry["do"]](self, entry)
                self._count(_TABLE, SPECTATOR, False)

    def _hand_over(self, before: tuple[int, ...], anew: bool) -> None:
        """Note whose turn it is to look where people share a device; a new deal is nobody's."""
        now = self.waiting
        if now == before and not anew:
            return
        seats = range(self.players)
        for seat in seats if anew else [seat for seat in seats if seat not in now]:
            for other in seats if anew else now:
                if anew or seat in before or other not in before:
                    self.handed[seat, other] = self.number

    def _count(self, changed: str, seat: int, waiting_changed: bool) -> None:
        """Number the change for everyone who can see it, and for nobody else."""
        by_others = changed in (_GAME, _TABLE) or (changed == _SECRET_GAME and waiting_changed)
        by_itself = changed != _NOBODY
        for viewer in range(len(self.views)):
            own = viewer == seat
            self.views[viewer] += by_itself if own else by_others
            self.looks[viewer] += changed == _GAME or (changed == _SECRET_GAME and own)

    def _create(self, entry: Entry) -> str:
        self.game = find_game(entry["game"])
        if str(entry["rules"]) != self.game.rules:
            self.other_rules = str(entry["rules"])[:LONGEST_VERSION] or "?"
        self.options = dict(entry["options"])
        self.listed = entry["listed"]
        self.free_talk = entry.get("free_talk", False)
        self.previews = entry["previews"]
        self.table_options = _table_options(entry)
        unnamed = dict.fromkeys((option.name for option in self.game.table_options), False)
        self.shown_options = {**unnamed, **self.table_options}
        self.hints = entry.get("hints")
        self.series = entry.get("series", 1)
        self.colours = tuple(entry.get("colours", ()))
        self.pace = entry.get("pace", FREE)
        self.deal = entry.get("deal", "")
        self.lesson = entry.get("lesson", False)
        self.secret, self.next_secret = entry["secret"], ""
        self.beacon = entry.get("beacon")
        self.seats = [_new_seat(seat["kind"], seat["name"], seat["bot"]) for seat in entry["seats"]]
        self.decisions = [0] * self.players
        self.units = [()] * self.players
        self.ahead = [()] * self.players
        self.due = [0.0] * self.players
        self.hinted = [(0, -1)] * self.players
        self.views = [0] * (self.players + 1)
        self.looks = [0] * (self.players + 1)
        self.options = dict(self.game.check_options(self.options))
        files = entry.get("pack")
        self.pack = make_pack(self.game, files) if files else default_pack(self.game)
        if files:
            self.pack_names = {language: self.pack.names(language) for language in LANGUAGES}
        return _GAME

    def _change_seat(self, number: int, **changes: Any) -> None:
        self.seats[number] = replace(self.seats[number], **changes)

    def _sit(self, entry: Entry) -> str:
        self._change_seat(
            entry["seat"],
            name=entry["name"],
            holder=entry["holder"],
            bytes=entry["bytes"],
            taken=True,
            ready=self.state != PLAYING,  # whoever takes over is asked again at the end
            order="",
            away=False,
            device=entry.get("device", ""),
            issue=self.seats[entry["seat"]].issue + 1,
        )
        self._write_name(entry["seat"])
        self._note_handover(entry)
        return _TABLE

    def _put_bot(self, entry: Entry) -> str:
        issue = self.seats[entry["seat"]].issue + 1
        fresh = _new_seat(BOT, entry["name"], entry["bot"])
        self.seats[entry["seat"]] = replace(fresh, issue=issue)
        self.ahead[entry["seat"]] = ()
        self._write_name(entry["seat"])
        self._note_handover(entry)
        return _TABLE

    def _leave(self, entry: Entry) -> str:
        left = self.seats[entry["seat"]]
        name = "" if self.match is None else left.name
        self._lose(entry)
        self.seats[entry["seat"]] = Seat(OPEN, name, issue=left.issue + 1)
        self.ahead[entry["seat"]] = ()
        self._note_handover(entry)
        if entry.get("for_bots"):
            self.for_bots |= {entry["seat"]}
        return _TABLE

    def _note_handover(self, entry: Entry) -> None:
        """Remember that a seat changes hands in the middle of a game."""
        if self.match is None or self.state != PLAYING or self.broken:
            return
        by = "host" if "by" in entry else "seat"
        done = {"at": len(self.match.history), "seat": entry["seat"], "do": entry["do"], "by": by}
        self.handovers += (done,)

    def _lose(self, entry: Entry) -> None:
        """Remember who was thrown out, until they ask."""
        if "by" in entry:
            lost = Lost(entry["do"], entry["by"], entry.get("why", ""))
            self.lost[entry["seat"], self.seats[entry["seat"]].issue] = lost

    def _issue(self, entry: Entry) -> str:
        self._lose(entry)
        issue = self.seats[entry["seat"]].issue + 1
        self._change_seat(entry["seat"], issue=issue, holder="", device=entry.get("device", ""))
        if not entry.get("told"):
            return _NOBODY
        self._note_handover(entry)
        if self.match is None or self.state != PLAYING or self.broken:
            return _TABLE
        self.match.note(event("event.issued", who={"seat": entry["seat"]}))
        return _GAME

    def _arrange(self, entry: Entry) -> str:
        """Seat `number` is taken by whoever sat at `order[number]`; each moved seat has a new
        secret, to which the old one leads.
        """
        before, latest = self.seats, max(seat.issue for seat in self.seats) + 1
        self.seats = [
            before[old] if old == new else replace(before[old], issue=latest)
            for new, old in enumerate(entry["order"])
        ]
        for new, old in enumerate(entry["order"]):
            if old != new:
                self.moved[old, before[old].issue] = (new, latest)
        first = self.game.first
        if first is not None and first.name in self.options:
            self.options[first.name] = entry["order"].index(self.options[first.name])
        return _TABLE

    def where(self, seat: int, issue: int) -> tuple[int, int]:
        """The seat that an old secret's holder has now, and its issue."""
        while (seat, issue) in self.moved:
            seat, issue = self.moved[seat, issue]
        return seat, issue

    def _start(self, entry: Entry) -> str:
        self.past, self.match = self.finished, None
        self.lesson = self.lesson and not self.past
        if self.next_secret:
            self.secret = self.next_secret
        self.next_secret = entry["next"]
        self.beacon, self.next_beacon = entry.get("beacon"), entry.get("next_beacon")
        self.is_asked_to_deal, self.beacon_trouble = False, ""
        self.parts = tuple(entry["bytes"])
        assert self.pack is not None
        first = {self.game.first.name: entry["first"]} if "first" in entry else {}
        self.match = Match.new(
            self.game,
            seed=fairness.seed(self.secret, self.parts, self.beacon),
            pack=self.pack,
            names=[seat.name or f"seat {number}" for number, seat in enumerate(self.seats)],
            **{**self.options, **first},
        )
        self.match.tells_opening = entry.get("opening", False)
        if self.game.orders:
            self.orders = tuple(self.game.part("orders").known(self.match.position.pack_record))
        self.hinted = [(0, -1)] * self.players
        self.handovers, self.for_bots = (), frozenset()
        for number, seat in enumerate(self.seats):
            self._write_name(number)
            self._change_seat(number, ready=seat.kind == BOT, bytes="")
        self.units = [()] * self.players
        self.ahead = [()] * self.players
        self._new_question()
        return _GAME

    def _ask_beacon(self, entry: Entry) -> str:
        """Everyone is ready, and the beacon is asked; or its answer can't be used (yet)."""
        self.is_asked_to_deal = True
        self.beacon_trouble = entry.get("trouble", "")
        return _TABLE

    def _new_question(self) -> None:
        """All have seen how things stand: the next clock starts afresh."""
        self.until = self.asked = 0.0
        self.late = frozenset()

    def _write_name(self, number: int) -> None:
        """Write who sits here into the record, unless its game is over."""
        if self.match is not None and self.state != OVER:
            seat = self.seats[number]
            self.match.seats[number] = {"name": seat.name or f"seat {number}"}
            if seat.kind == BOT:
                self.match.seats[number]["bot"] = seat.bot
            if self.hinted[number][0]:
                self.match.seats[number]["hints"] = self.hinted[number][0]

    def _move(self, entry: Entry) -> str:
        """Play each action as it comes; the entry then has words and numbers."""
        match, seat = self._playing(), entry["seat"]
        since = len(match.history)
        newly_late = bool(entry.get("late")) and seat not in self.late
        if newly_late:
            match.note(event(LATE[entry["late"]], who={"seat": seat}))
            self.late |= {seat}
        asked = not entry.get("forced")
        entry["actions"] = [match.play(seat, action, asked) for action in entry["actions"]]
        made = match.history[since:]
        entry["numbers"] = [done.action for done in made if done.seat >= 0]
        self.decisions[seat] += len(entry["actions"])
        self.units[seat] += ((len(entry["actions"]), bool(entry.get("forced"))),)
        self.due[seat] = entry.get("due", 0.0)
        if self.lesson and asked and seat == LEARNER:
            self.lesson_shown = CLOSED if isinstance(self.lesson_shown, str) else ALONG
        if entry.get("ahead"):
            self.ahead[seat] = self.ahead[seat][len(entry["actions"]) :]
        hidden = all(done.news == HIDDEN for done in made)
        if self.state == OVER:
            self.ended = tuple(chair.issue for chair in self.seats)
        if not hidden:
            self._new_question()
        return _SECRET_GAME if hidden and not newly_late else _GAME

    def _undo(self, entry: Entry) -> str:
        match, seat = self._playing(), entry["seat"]
        hidden = True
        for _ in range(entry["count"]):
            own = [done for done in match.history if done.seat == seat]
            hidden = hidden and bool(own) and own[-1].news == HIDDEN
            match.undo(seat)
        if entry.get("told") and not hidden and self.players > 1:
            match.note(event("event.undone", who={"seat": seat}))
        self.decisions[seat] += 1
        left = entry["count"]
        while left > 0 and self.units[seat]:
            left -= self.units[seat][-1][0]
            self.units[seat] = self.units[seat][:-1]
        self.ahead[seat] = ()
        if not hidden:
            self._new_question()
        return _SECRET_GAME if hidden else _GAME

    def _send_ahead(self, entry: Entry) -> str:
        self.ahead[entry["seat"]] = tuple(entry["actions"])
        return _OWN

    def _order(self, entry: Entry) -> str:
        self._change_seat(entry["seat"], order=entry["order"])
        return _OWN

    def _learn(self, entry: Entry) -> str:
        """What the learner has read, and looks at; or back to an earlier decision."""
        self.lesson_noted = max(self.lesson_noted, entry.get("noted", -1))
        if "to" in entry:
            self._rewind(entry["to"])
            self.lesson_noted = entry["to"] - 1
        self.lesson_read = max(self.lesson_read, entry.get("read", 0))
        self.lesson_shown = entry.get("show", ALONG)
        return _GAME if "to" in entry else _OWN

    def _rewind(self, place: int) -> None:
        """Go back to an earlier entry of the history, for all seats."""
        self.match = self._playing().at(place)
        self.decisions = [decision + 1 for decision in self.decisions]
        self.ahead = [()] * self.players
        for seat in range(self.players):
            left = self.match.decisions(seat)
            units = list(self.units[seat])
            while units and sum(count for count, _ in units) > left:
                units.pop()
            self.units[seat] = tuple(units)
        self._new_question()

    def _presence(self, entry: Entry) -> str:
        self._change_seat(entry["seat"], away=entry["away"])
        if "hint" in entry:
            return self._count_hint(entry["seat"], entry["hint"])
        return _TABLE

    def _count_hint(self, seat: int, decision: int) -> str:
        """Among people all hear of it, though not what it said."""
        self.hinted[seat] = (self.hinted[seat][0] + 1, decision)
        self._write_name(seat)
        if sum(chair.kind != BOT for chair in self.seats) == 1:
            return _TABLE
        self._playing().note(event("event.hinted", who={"seat": seat}))
        return _GAME

    def _again(self, entry: Entry) -> str:
        self._change_seat(entry["seat"], ready=True, bytes=entry["bytes"])
        return _TABLE

    def _erase(self, entry: Entry) -> str:
        """Names were erased: whoever reads the log anew finds them no more."""
        return _TABLE

    def _playing(self) -> Match:
        if self.match is None:
            raise Refused(text("tables/refuse.not_begun"))
        return self.match


_GAME, _SECRET_GAME, _TABLE, _OWN, _NOBODY = "game", "secret", "table", "own", "nobody"
"""What an entry changes: the game for all; the game for its seat, and for others at most who is
waited for; the table for all; something that its seat alone sees; nothing."""

_CHANGED_IN_PLACE = (
    "seats",
    "decisions",
    "units",
    "ahead",
    "due",
    "hinted",
    "views",
    "looks",
    "handed",
    "lost",
    "moved",
    "options",
    "clients",
)

_DOING = {
    "create": Table._create,
    "sit": Table._sit,
    "bot": Table._put_bot,
    "leave": Table._leave,
    "issue": Table._issue,
    "arrange": Table._arrange,
    "start": Table._start,
    "beacon": Table._ask_beacon,
    "move": Table._move,
    "undo": Table._undo,
    "ahead": Table._send_ahead,
    "order": Table._order,
    "lesson": Table._learn,
    "presence": Table._presence,
    "again": Table._again,
    "erase": Table._erase,
}

_SEATING = ("sit", "bot", "leave", "issue", "arrange", "erase")
"""What is done to seats, whatever the rules are."""
_UNREADABLE = (
    PelagosError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
)
"""What comes of following an entry that can't be."""


def read_entry(written: str) -> Entry:
    """An entry; one that can't be read breaks its own table only."""
    try:
        entry = json.loads(written)
    except (ValueError, RecursionError):
        entry = None
    return entry if isinstance(entry, dict) else {"do": "unreadable"}


def as_played(record: dict[str, Any], rules: str) -> dict[str, Any]:
    """A record that names the rules it was played by, and those by which it was replayed."""
    return {**record, "rules": rules, "replayed_by": record["rules"]} if rules else record


def _table_options(entry: Entry) -> dict[str, bool]:
    """The table options of a created table; older logs have but one, by its name."""
    given: dict[str, bool] = entry.get("table_options") or {}
    return {**given, "closed": True} if entry.get("closed") else dict(given)


def _new_seat(kind: str, name: str, bot: str) -> Seat:
    """A seat as it is laid: a bot is there already."""
    return Seat(kind, name, bot, taken=kind == BOT, ready=kind == BOT)


def fold(table: str, entries: list[Entry]) -> Table:
    """A table from its log. One that doesn't replay any more opens with a sentence, to be read."""
    folded = Table(table)
    for entry in entries:
        folded.follow(entry)
    return folded
