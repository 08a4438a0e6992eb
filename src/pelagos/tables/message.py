"""What a viewer is sent: the table around the game, what is its own, and the game's view.

A message is whole, never a difference, and numbered by the changes of this viewer's own view. It
is plain data that pages are drawn from; as JSON it is made when somebody asks for that, once. The
game's part is made anew only when it changed for this viewer; others' hidden choices don't.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Generic, TypeVar, cast

import orjson

from pelagos.bots import UnknownBot, find_creature
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.view import Event, Sheet, Text, View, put_together
from pelagos.engine.view import Part as ViewedPart
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts, fairness
from pelagos.tables.beacon import Round, round_address
from pelagos.tables.errors import OtherRules
from pelagos.tables.lessons import LEARNER
from pelagos.tables.table import BOT, OVER, PLAYING, SPECTATOR, Seat, Table, as_played
from pelagos.tables.talk import Talk

MOST_EVENTS = 40
"""The newest lines of the log that come with a view; `events` has them all."""
MOST_ENCODED = 32
"""Things of a table whose JSON is kept: those used last, or up to twice as many."""


def encode(data: Any) -> bytes:
    """JSON as it is sent."""
    return orjson.dumps(data)


def about(table: Table) -> dict[str, Any]:
    """What everyone may know of a table."""
    known: dict[str, Any] = {
        "id": table.id,
        "game": table.game.id,
        "options": table.options,
        "pack": {
            "name": table.pack.name if table.pack else "",
            "sha256": table.pack.sha256 if table.pack else "",
        },
        "state": table.state,
        "games": len(table.finished),
        "seats": [about_seat(seat) for seat in table.seats],
        "pace": table.pace,
        "waiting": list(table.waiting),
        "commitment": fairness.commitment(table.secret),
        "previews": table.previews,
        "hints": {
            "allowed": table.allows_hints,
            "asked": [count for count, _ in table.hinted],
        },
        "past": [finished.winners for finished in table.past],
    }
    if table.past:
        known["last"] = {"game": len(table.past) - 1, "scores": table.past[-1].scores}
    if known["state"] == OVER:
        known["again"] = [
            seat for seat, chair in enumerate(table.seats) if chair.ready and chair.kind != BOT
        ]
    if table.series > 1:
        known["series"] = about_series(table)
    if table.colours:
        known["colours"] = list(table.colours)
    if table.pack_names:
        known["pack"]["names"] = table.pack_names
    if table.free_talk:
        known["free_talk"] = True
    if table.table_options:
        known["table_options"] = table.table_options
    if table.table_options.get("closed"):
        known["closed"] = True  # the one table option that was told by its name
    if table.until:
        known["until"] = table.until
    if table.deal:
        known["deal"] = table.deal
    if table.lesson:
        known["lesson"] = True
    if known["state"] != PLAYING and not table.deals_openly:
        known["adds"] = [bool(chair.bytes) for chair in table.seats]
    if table.beacon:
        known["beacon"] = about_beacon(table, table.beacon)
    if table.next_beacon:
        known["next_beacon"] = about_beacon(table, table.next_beacon)
    if table.next_secret:
        known["next_commitment"] = fairness.commitment(table.next_secret)
    if table.match is not None:
        known["bytes"] = list(table.parts)
    if table.handovers:
        known["handovers"] = list(table.handovers)
    if table.broken:
        known["broken"] = str(table.broken)
    if table.other_rules:
        known["other_rules"] = about_rules(table)
    if table.match is not None and known["state"] == OVER:
        known["secret"] = table.secret
        known["winners"] = table.match.winners
    return known


def about_rules(table: Table) -> dict[str, Any]:
    """Of a table that was laid under other rules: which, how far the installed ones fit its log,
    and how the same table is laid anew.
    """
    versions = {"version": table.other_rules, "installed": table.game.rules}
    known: dict[str, Any] = {
        **versions,
        "says": _in_all_languages(OtherRules(text("tables/refuse.other_rules", **versions))),
        "fits": table.broken is None,
        "anew": acts.laid_anew(table),
    }
    if table.broken:
        known["stops"] = _in_all_languages(table.broken)
    return known


def _in_all_languages(error: PelagosError) -> dict[str, str]:
    return {language: error.say(language) for language in LANGUAGES}


def about_beacon(table: Table, beacon: Round) -> dict[str, Any]:
    """A beacon's round, where it can be read, and whether the deal waits for it."""
    known = {**beacon, "url": round_address(beacon)}
    if beacon is table.round_to_deal and table.waits_for_beacon:
        known["waits"] = True
        known["trouble"] = table.beacon_trouble or None
    return known


def about_series(table: Table) -> dict[str, Any]:
    """How the series stands, the present game in it if that is over."""
    before = table.standing
    assert before is not None
    now = before.then(table.match.winners) if table.match and table.state == OVER else before
    points = [float(points) for points in now.points]
    return {
        "games": now.length,
        "number": before.played + 1,
        "points": points,
        "over": now.over,
        "winners": now.winners,
    }


def about_seat(seat: Seat) -> dict[str, Any]:
    """What everyone may know of a seat; a bot has a name in every language."""
    known: dict[str, Any] = {
        "name": seat.name,
        "kind": seat.kind,
        "bot": seat.bot or None,
        "taken": seat.taken,
        "ready": seat.ready,
        "away": seat.away,
    }
    if seat.kind == BOT:
        known["names"] = _names(seat.bot, seat.name)
    return known


@cache
def _names(bot: str, name: str) -> dict[str, str]:
    try:
        creature = find_creature(bot)
    except UnknownBot:
        return {}
    return {language: creature.name_of(name, language) for language in LANGUAGES}


def own(table: Table, seat: int, taken_back: list[Text] | None) -> dict[str, Any]:
    """What a seat alone is told, beside its view; `taken_back` is what an undo would take back."""
    ordered = acts.by_order(table, seat) is not None
    known: dict[str, Any] = {
        "seat": seat,
        "decision": table.decisions[seat],
        "owes": seat in table.waiting and not ordered,
        "ahead": list(table.ahead[seat]),
        "undo": taken_back is not None,
        "taken_back": taken_back or [],
    }
    if table.other_rules:
        return known
    if table.match is not None and table.ahead[seat]:
        known["planned"] = table.match.planned(seat, table.ahead[seat][0])
    if table.state != PLAYING and not table.deals_openly:
        chair = table.seats[seat]
        known["adds_nothing"] = chair.ready and not chair.bytes
    if table.orders:
        known["orders"] = {"given": acts.order_of(table, seat), "known": list(table.orders)}
    if ordered:
        known["ordered"] = True
    if table.lesson and seat == LEARNER:
        taught = acts.walk(table)
        if taught is not None:
            known["lesson"] = taught.message(table.lesson_shown, table.lesson_noted)
    return known


def view(table: Table, viewer: int, follow: bool = False) -> View | None:
    """The game's view, with the newest events; None before the first deal.

    `follow`: with each choice, what may be chosen together with it.
    """
    made = view_in_parts(table, viewer, follow)
    return None if made is None else put_together(*made)


def view_in_parts(table: Table, viewer: int, follow: bool) -> tuple[View, list[ViewedPart]] | None:
    """The same without places and pieces, and those in parts that other views have too."""
    match = table.match
    if match is None:
        return None
    who = None if viewer == SPECTATOR else viewer
    seen, parts = match.view_in_parts(
        who, -MOST_EVENTS, table.previews, follow, table.shown_options
    )
    if table.other_rules:
        seen["choices"] = []
    return seen, parts


def record(table: Table, viewer: int, game: int | None = None) -> dict[str, Any]:
    """A game's record: the whole of a finished one, else what this viewer may know."""
    finished = table.finished
    if game is not None:
        if not 0 <= game < len(finished):
            raise PelagosError(text("tables/refuse.finished", count=len(finished)))
        return finished[game].record()
    if table.match is None:
        raise PelagosError(text("tables/refuse.not_begun"))
    if table.state == OVER:
        return finished[-1].record()
    known = as_played(table.match.record(viewer), table.other_rules)
    if table.broken:
        known.pop("result", None)  # its moves go on
    return {**known, "series": table.standing.as_json()} if table.standing else known


Data = TypeVar("Data")


class Part(Generic[Data]):
    """A part of a message: plain data that nobody changes, or the same as JSON.

    Whoever asks for JSON seldom wants the data again. So it goes as soon as it is encoded: a
    thousand objects whose memory the next view is made in while it is still at hand, and which
    the collector never sees.
    """

    __slots__ = ("_data", "_json")

    def __init__(self, data: Data) -> None:
        self._data: Data | None = data
        self._json: bytes | None = None

    @property
    def data(self) -> Data:
        """The part as plain data."""
        if self._data is None and self._json is not None:
            self._data = orjson.loads(self._json)
        return cast(Data, self._data)

    @property
    def json(self) -> bytes:
        """The part as it is sent, made when it is first asked for."""
        if self._json is None:
            self._json = self._encode()
            self._data = None
        return self._json

    def says_the_same(self, other: Part[Data]) -> bool:
        """Is it equal, as far as anybody can see?"""
        if self is other:
            return True
        return self.json == other.json if other._json is not None else self.data == other.data

    def _encode(self) -> bytes:
        return encode(self._data)


class ViewPart(Part[View | None]):
    """A view: what other views have too, before it or beside it, isn't encoded again."""

    __slots__ = ("_encoded", "_parts")

    def __init__(self, made: tuple[View, list[ViewedPart]] | None, encoded: Encoded) -> None:
        super().__init__(None if made is None else made[0])
        self._parts = [] if made is None else made[1]
        self._encoded = encoded

    @property
    def data(self) -> View | None:
        """The view as plain data."""
        if self._parts and self._data is not None:
            self._data, self._parts = put_together(self._data, self._parts), []
        return super().data

    def _encode(self) -> bytes:
        view = self._data
        if view is None:
            return encode(None)
        encoded = self._encoded
        shared: dict[str, Any] = {}
        if self._parts:
            lines = [part.encoded(encode) for part in self._parts]
            shared["places"] = _array(places for places, _ in lines)
            shared["pieces"] = _array(pieces for _, pieces in lines)
            self._parts = []
        shared["sheets"] = [encoded.item(sheet) for sheet in view["sheets"]]
        if "standing" in view:
            shared["standing"] = [encoded.item(sheet) for sheet in view["standing"]]
        shared["events"] = [encoded.events(view)] if view["events"] else []
        return encode({**view, **shared})


def _array(stretches: Iterable[bytes]) -> orjson.Fragment:
    """A list, of its items' bytes in stretches."""
    return orjson.Fragment(b"[%b]" % b",".join(filter(None, stretches)))


class Encoded:
    """What a table's newest views are made of, as JSON: each thing is encoded once, for all views
    that have it. Things are known by their identity, and never changed.
    """

    def __init__(self) -> None:
        self._recent: dict[int, tuple[Any, bytes]] = {}
        self._older: dict[int, tuple[Any, bytes]] = {}
        self._events: dict[int | None, tuple[Event, int, list[bytes]]] = {}
        """Of each viewer: the newest event, its number, and the bytes of those up to it."""

    def item(self, sheet: Sheet) -> orjson.Fragment:
        """A sheet's bytes."""
        return orjson.Fragment(self._bytes_of(sheet))

    def events(self, view: View) -> orjson.Fragment:
        """Those of a view's events, without brackets; of the log's lines only the new ones."""
        events, seen = view["events"], view["seen"]
        data: list[bytes] = []
        if (kept := self._events.get(view["viewer"])) is not None:
            newest, number, lines = kept
            place = len(events) - 1 - (seen - number)
            if 0 <= place < len(events) and events[place] is newest:
                data = lines[-(place + 1) :]
        data += [self._bytes_of(event) for event in events[len(data) :]]
        self._events[view["viewer"]] = (events[-1], seen, data)
        return orjson.Fragment(b",".join(data))

    def _bytes_of(self, data: Any) -> bytes:
        key = id(data)
        kept = self._recent.get(key)
        if kept is not None:
            return kept[1]
        kept = self._older.pop(key, None) or (data, encode(data))
        if len(self._recent) >= MOST_ENCODED:
            self._older, self._recent = self._recent, {}
        self._recent[key] = kept
        return kept[1]


class Message:
    """What one viewer is sent at one moment."""

    __slots__ = ("_json", "chunk", "number", "own", "table", "talk", "view")

    def __init__(
        self,
        number: int,
        table: Part[dict[str, Any]],
        own: Part[dict[str, Any] | None],
        view: ViewPart,
        talk: tuple[dict[str, Any], ...] = (),
    ) -> None:
        self.number = number
        self.table = table
        self.own = own
        self.view = view
        self.talk = talk
        self._json: bytes | None = None
        self.chunk: bytes | None = None
        """The same as streams send it, once one did."""

    @property
    def data(self) -> dict[str, Any]:
        """The message as plain data; its parts are shared, and never changed."""
        return {
            "number": self.number,
            "table": self.table.data,
            "own": self.own.data,
            "view": self.view.data,
            **({"talk": self.talk} if self.talk else {}),
        }

    @property
    def pieces(self) -> list[bytes]:
        """The message as JSON, for whoever puts it into something larger: in pieces."""
        return [
            b'{"number":%d,"table":' % self.number,
            self.table.json,
            b',"own":',
            self.own.json,
            b',"view":',
            self.view.json,
            b',"talk":%b}' % encode(self.talk) if self.talk else b"}",
        ]

    @property
    def json(self) -> bytes:
        """The message as JSON, made when it is first asked for."""
        if self._json is None:
            self._json = b"".join(self.pieces)
        return self._json

    def says_the_same(self, other: Message) -> bool:
        """Is all the same but the number?"""
        return self.talk == other.talk and self.shows_the_same(other)

    def shows_the_same(self, other: Message) -> bool:
        """Is all the same but the number and what was said?"""
        return (
            self.table.says_the_same(other.table)
            and self.own.says_the_same(other.own)
            and self.view.says_the_same(other.view)
        )


class Messages:
    """The newest message of each viewer of one table, made once."""

    def __init__(self) -> None:
        self._messages: dict[tuple[int, bool], Message] = {}
        self._views: dict[tuple[int, bool], tuple[int, ViewPart]] = {}
        self._undos: dict[int, tuple[int, list[Text] | None]] = {}
        self._about: tuple[int, Part[dict[str, Any]]] | None = None
        self._encoded = Encoded()
        self._compared: tuple[Message, Message, bool] | None = None
        """Two messages, and whether the newer one is news to who was shown the other."""

    def is_news(self, message: Message, shown: Message) -> bool:
        """Does a message say anything else than the one that was shown? Of many who look on through
        the same eyes nearly all were shown the same one: it is compared once for all of them.
        """
        kept = self._compared
        if kept is None or kept[0] is not message or kept[1] is not shown:
            kept = self._compared = (message, shown, not message.says_the_same(shown))
        return kept[2]

    def of(
        self, table: Table, viewer: int, follow: bool = False, talk: Talk | None = None
    ) -> Message:
        """The viewer's newest message, with what it may hear; `follow` as for `view`."""
        number, key = table.views[viewer], (viewer, follow and bool(table.game.follow))
        heard = () if talk is None else talk.heard_by(table, viewer)
        kept = self._messages.get(key)
        if kept is None or kept.number != number:
            taken_back = self._taken_back(table, viewer)
            mine = None if viewer == SPECTATOR else own(table, viewer, taken_back)
            kept = Message(number, self._table(table), Part(mine), self._view(table, *key), heard)
        elif kept.talk != heard:
            kept = Message(number, kept.table, kept.own, kept.view, heard)
        self._messages[key] = kept
        return kept

    def _table(self, table: Table) -> Part[dict[str, Any]]:
        if self._about is None or self._about[0] != table.number:
            self._about = (table.number, Part(about(table)))
        return self._about[1]

    def _taken_back(self, table: Table, viewer: int) -> list[Text] | None:
        """What an undo would take back: it changes with what the viewer sees of the game."""
        look = table.looks[viewer]
        kept = self._undos.get(viewer)
        if kept is None or kept[0] != look:
            undone = None if viewer == SPECTATOR else acts.taken_back(table, viewer)
            kept = self._undos[viewer] = (look, undone)
        return kept[1]

    def _view(self, table: Table, viewer: int, follow: bool) -> ViewPart:
        look = table.looks[viewer]
        kept = self._views.get((viewer, follow))
        if kept is None or kept[0] != look:
            kept = (look, ViewPart(view_in_parts(table, viewer, follow), self._encoded))
            self._views[viewer, follow] = kept
        return kept[1]
