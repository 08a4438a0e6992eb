"""The view: what one viewer may see, as plain data, in one shape for all games.

The text table, the terminal, the page and the JSON API draw it, and none of them knows a game's
name. Texts are keys with parameters; `words` puts them into the reader's language. A parameter
`{"noun": "shell"}` is a thing with a name and articles, `{"seat": 2}` a player.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict, TypeVar, cast

from pelagos.engine.errors import Text as Text
from pelagos.engine.errors import text as text
from pelagos.engine.types import MOST_SEATS, Record

if TYPE_CHECKING:
    from pelagos.engine.position import Position


class Place(TypedDict):
    """Where pieces lie: a grid, a row, a hand, a stack."""

    key: str
    kind: str
    seat: int | None
    rows: int
    columns: int
    label: Text


class Piece(TypedDict):
    """Something that lies at a place; `face` is None for a back."""

    key: str
    place: str
    at: list[int] | None
    face: str | None
    count: int
    marks: list[str]


class Change(TypedDict):
    """How a line of a score sheet would change."""

    key: str
    points: int


class Choice(TypedDict):
    """One legal action, and what a player points at to make it."""

    action: int
    notation: str
    piece: str | None
    place: str | None
    at: list[int] | None
    variant: str | None
    label: Text
    group: str
    preview: dict[str, int]
    """The viewer's own sheet if this alone happened; empty where previews are off."""
    gain: int | None
    """How the viewer's total would change against how things stand; None without previews."""
    receipt: list[Change]
    """The same line by line, the lines that change."""
    asks: list[Text]
    """What the choice will ask next."""
    elsewhere: NotRequired[list[Text]]
    """What it would change elsewhere than on the viewer's own sheet, with previews."""
    follow: NotRequired[list[Choice]]
    """What may be chosen together with it, to be done when it is due; made on request."""


class Event(TypedDict):
    """Something that happened: a line of the log, and a motion if a piece moved."""

    key: str
    params: dict[str, Any]
    piece: NotRequired[str | None]
    source: NotRequired[str | None]
    target: NotRequired[str | None]
    gain: NotRequired[int]
    """What it brought or cost on the mover's own board, in points, if it did."""


class Evidence(TypedDict):
    """Points, the pieces that make them, and why."""

    points: int
    pieces: list[str]
    reason: Text


class Line(TypedDict):
    """A line of a score sheet."""

    key: str
    points: int
    evidence: list[Evidence]
    covered: NotRequired[bool]
    """The viewer may not know it: it counts as 0 here."""


class Sheet(TypedDict):
    """A score sheet as the viewer may see it."""

    seat: int
    total: int
    lines: list[Line]
    covered: NotRequired[bool]
    """Some lines are covered, so that the total is that of the others."""


class View(TypedDict):
    """Everything that one viewer sees of a game."""

    game: str
    viewer: int | None
    players: int
    over: bool
    prompt: Text
    phase: list[int]
    forced: bool
    places: list[Place]
    pieces: list[Piece]
    choices: list[Choice]
    events: list[Event]
    seen: int
    sheets: list[Sheet]
    standing: NotRequired[list[Sheet]]
    """The sheets as if the game ended now, for a game whose `sheets` count at times only."""
    facts: dict[str, Any]
    lately: int
    """The number of the first event since the viewer last decided."""
    undo: list[Text]
    """The viewer's own moves that may still be taken back, the oldest first."""
    why: dict[str, Text]
    """Why a piece or place can't be chosen now, by its key."""
    winners: list[int]
    """Who has won; empty before the end."""
    tie_break: NotRequired[Text]
    """What told apart those who had the same total, if something did."""


class Step(NamedTuple):
    """A move or a chance step, with the positions around it."""

    position: Position
    position_after: Position
    seat: int
    """-1 for chance."""
    action: int
    outcome: tuple[int, ...]
    public_events: dict[Any, tuple[Event, ...]]
    """What a spectator is told of it, by the function that tells it: made once, for all who are
    told the same."""

    @property
    def before(self) -> Record:
        """The state before it."""
        return self.position.record

    @property
    def after(self) -> Record:
        """The state after it."""
        return self.position_after.record

    @property
    def pack(self) -> Record:
        """The material."""
        return self.position.pack_record


def event(
    key: str,
    *,
    piece: str | None = None,
    source: str | None = None,
    target: str | None = None,
    gain: int = 0,
    **params: Any,
) -> Event:
    """An event; source and target are places (or places and cells, as `grid0:1,2`)."""
    made: Event = {
        "key": key,
        "params": params,
        "piece": piece,
        "source": source,
        "target": target,
    }
    if gain:
        made["gain"] = gain
    return made


def evidence(points: int, pieces: Iterable[str], key: str, **params: Any) -> Evidence:
    """What makes points on a line of a sheet."""
    return {"points": points, "pieces": list(pieces), "reason": text(key, **params)}


# --- what a part of a view reads ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reading:
    """The fields that a part of a view reads."""

    whole: tuple[str, ...]
    by_seat: tuple[str, ...]
    """Of these only the seat's own entry, along the first axis."""
    seat: int
    public: bool
    """Do all viewers see them alike?"""
    told_apart: int | None = None
    """All but this seat, which knows more of its own."""
    compares: bool = False
    """Do a seat's points depend on other seats, of which each viewer knows its own best?"""


class Reads:
    """Names of a state's fields: whole ones, those of which only one seat's entry is read, and
    those that are read `over` only, once the game is over. `public`: everyone sees them alike, so
    that what is made of them is made once for all viewers; `but_own`: all but the seat itself.
    `compares`: a seat's points depend on other seats too, and each viewer knows its own best.
    """

    def __init__(
        self,
        *whole: str,
        seat: tuple[str, ...] = (),
        over: tuple[str, ...] = (),
        public: bool = False,
        but_own: bool = False,
        compares: bool = False,
    ) -> None:
        def reading(number: int, is_over: bool) -> Reading:
            fields = whole + (over if is_over else ())
            return Reading(fields, seat, number, public, number if but_own else None, compares)

        self._readings = {
            (number, is_over): reading(number, is_over)
            for number in range(MOST_SEATS)
            for is_over in (False, True)
        }

    def of(self, seat: int = 0, over: bool = False) -> Reading:
        """The fields that are read for this seat."""
        return self._readings[seat, over]


Made = TypeVar("Made")


class Eyes:
    """What somebody sees of a position, as parts read it."""

    def __init__(self, seen: Position) -> None:
        self.seen = seen
        self._bytes = b""

    @property
    def state(self) -> bytes:
        """All that is seen."""
        self._bytes = self._bytes or self.seen.states.tobytes()
        return self._bytes

    def read(self, reads: Reading) -> bytes:
        """The bytes of some fields: where they are equal, so are the fields."""
        return self.seen.read(reads, self.state)


class Shared(Eyes):
    """What all viewers share of one position: made of what a spectator sees, and made once."""

    def __init__(self, seen: Position) -> None:
        super().__init__(seen)
        self.made: dict[Any, Any] = {}


class PartCache:
    """Parts of one match's views, kept for all viewers: made once for the same inputs."""

    CAPACITY = 64
    """As many as were used last are kept, or up to twice as many."""

    def __init__(self) -> None:
        self._recent: dict[Any, Any] = {}
        self._older: dict[Any, Any] = {}
        self._shared: tuple[Position, Shared] | None = None

    def shared_at(self, position: Position, seen: Callable[[], Position]) -> Shared:
        """What all viewers share of a position; `seen` is what a spectator sees of it. After a
        hidden move that is the same as before it.
        """
        kept = self._shared
        if kept is None or kept[0] is not position:
            shared = Shared(seen())
            if kept is not None and kept[1].state == shared.state:
                shared = kept[1]
            kept = self._shared = (position, shared)
        return kept[1]

    def forget_shared(self) -> None:
        """What comes next is told anew: its pieces may have other keys."""
        self._shared = None

    def find(self, key: Any) -> Any:
        """What was made for a key; None if it must be made anew."""
        made = self._recent.get(key)
        if made is None:
            made = self._older.pop(key, None)
            if made is not None:
                self.keep(key, made)
        return made

    def keep(self, key: Any, made: Made) -> Made:
        """Keep what was made, which depends on the key alone."""
        if len(self._recent) >= self.CAPACITY:
            self._older, self._recent = self._recent, {}
        self._recent[key] = made
        return made

    def record(self, seen: Position, reads: Reading) -> Record:
        """What a builder gets to read: nothing that isn't in its key."""
        return seen.only(reads)


class NoCache(PartCache):
    """Makes every part anew, from the whole record: what a view must equal, whatever was kept."""

    def find(self, key: Any) -> Any:
        """Nothing."""
        return None

    def keep(self, key: Any, made: Made) -> Made:
        """What was made."""
        return made

    def record(self, seen: Position, reads: Reading) -> Record:
        """All that the viewer may know."""
        return seen.record


class Part:
    """Places and pieces of a view, as a builder adds them; never changed once it is done.

    Many are kept. One that was encoded is kept as JSON alone: a fraction of the memory.
    """

    __slots__ = ("_encoded", "_pieces", "_places", "names", "pack", "players")

    def __init__(self, pack: Record, players: int) -> None:
        self.pack = pack
        self.players = players
        self.names: dict[str, str] = {}
        """The keys of the pieces that lie on a cell, by place and cell."""
        self._places: list[Place] = []
        self._pieces: list[Piece] = []
        self._encoded: tuple[bytes, bytes] | None = None

    @property
    def places(self) -> list[Place]:
        """The places, as plain data."""
        return self._places if self._encoded is None else _items_of(self._encoded[0])

    @property
    def pieces(self) -> list[Piece]:
        """The pieces, as plain data."""
        return self._pieces if self._encoded is None else _items_of(self._encoded[1])

    def encoded(self, encode: Callable[[Any], bytes]) -> tuple[bytes, bytes]:
        """The places and the pieces as JSON, without brackets."""
        if self._encoded is None:
            self._encoded = encode(self._places)[1:-1], encode(self._pieces)[1:-1]
            self._places, self._pieces = [], []
        return self._encoded

    def place(
        self,
        key: str,
        kind: str,
        label: Text,
        *,
        seat: int | None = None,
        rows: int = 0,
        columns: int = 0,
    ) -> None:
        """Add a place. Kinds: grid (rows and columns), row, hand, stack, board."""
        self._places.append(
            {
                "key": key,
                "kind": kind,
                "seat": seat,
                "rows": rows,
                "columns": columns,
                "label": label,
            }
        )

    def piece(
        self,
        key: str,
        place: str,
        face: str | None,
        *,
        at: Sequence[int] | None = None,
        count: int = 1,
        marks: Iterable[str] = (),
    ) -> None:
        """Add a piece; a face of None shows its back."""
        if at is not None:
            self.names[f"{place}:{','.join(map(str, at))}"] = key
        self._pieces.append(
            {
                "key": key,
                "place": place,
                "at": None if at is None else list(at),
                "face": face,
                "count": count,
                "marks": list(marks),
            }
        )


def _items_of(encoded: bytes) -> list[Any]:
    """A list's items from their JSON without brackets."""
    items: list[Any] = json.loads(b"[%b]" % encoded)
    return items


def put_together(view: View, parts: Iterable[Part]) -> View:
    """The view with all places and pieces of these parts."""
    places = [place for part in parts for place in part.places]
    pieces = [piece for part in parts for piece in part.pieces]
    return {**view, "places": places, "pieces": pieces}


class Look:
    """What a game's `view` fills in. `game` is already cut to what the viewer may know."""

    def __init__(
        self,
        seen: Position,
        viewer: int,
        over: bool,
        memory: Mapping[Any, Any],
        options: Mapping[str, bool],
        cache: PartCache | None = None,
        shared: Shared | None = None,
    ) -> None:
        """Without cache all is made anew, of the viewer's own eyes."""
        self.game = seen.record
        self.pack = seen.pack_record
        self.players = seen.players
        self.viewer = viewer
        self.over = over
        self.memory = memory
        """What the game's `story.track` has kept of what this viewer has seen."""
        self.options = options
        """How the table shows the game, by the names of its table options."""
        self.prompt = text("prompt.over" if over else "prompt.wait")
        self.phase: list[int] = []
        self.standing: list[Sheet] = []
        self.facts: dict[str, Any] = {}
        self.reasons: dict[str, Text] = {}
        self.covered: dict[int, tuple[str, ...]] = {}
        first = max(viewer, 0)
        self.seats = [*range(first, seen.players), *range(first)]
        """The seats, the viewer's own first."""
        self.parts: list[Part] = []
        """The places and pieces, in stretches that other views may have too."""
        self._loose: Part | None = None
        """The last of them, if it is this look's own, and not closed."""
        self._names: dict[str, str] = {}
        self._parts_named = 0
        self._own = Eyes(seen)
        self._shared = shared or Shared(seen)
        self._cache = cache or NoCache()

    @property
    def places(self) -> list[Place]:
        """All places so far."""
        return [place for part in self.parts for place in part.places]

    @property
    def pieces(self) -> list[Piece]:
        """All pieces so far."""
        return [piece for part in self.parts for piece in part.pieces]

    @property
    def names(self) -> Mapping[str, str]:
        """The keys of the pieces that lie on a cell, by place and cell."""
        for part in self.parts[self._parts_named :]:
            if part.names:
                self._names.update(part.names)
        self._parts_named = len(self.parts) - (self._loose is not None)
        return self._names

    def place(
        self,
        key: str,
        kind: str,
        label: Text,
        *,
        seat: int | None = None,
        rows: int = 0,
        columns: int = 0,
    ) -> None:
        """Add a place, as `Part.place` does."""
        self._beside_parts().place(key, kind, label, seat=seat, rows=rows, columns=columns)

    def piece(
        self,
        key: str,
        place: str,
        face: str | None,
        *,
        at: Sequence[int] | None = None,
        count: int = 1,
        marks: Iterable[str] = (),
    ) -> None:
        """Add a piece, as `Part.piece` does."""
        self._beside_parts().piece(key, place, face, at=at, count=count, marks=marks)

    def _beside_parts(self) -> Part:
        """Where this look adds what is in no part that others have."""
        if self._loose is None:
            self._loose = Part(self.pack, self.players)
            self.parts.append(self._loose)
        return self._loose

    def ask(self, key: str, **params: Any) -> None:
        """Set the prompt."""
        self.prompt = text(key, **params)

    def why(self, key: str, reason: str, **params: Any) -> None:
        """Say why a piece or place can't be chosen now."""
        self.reasons[key] = text(reason, **params)

    def cover(self, seat: int, *lines: str) -> None:
        """Keep lines of a seat's sheet from the viewer."""
        self.covered[seat] = lines

    def part(self, build: Callable[..., None], *inputs: Any, reads: Reading) -> None:
        """Let `build(part, game, *inputs)` add places and pieces.

        It gets a record in which all fields but those that it reads are 0. What it added for the
        same inputs and fields is used again, for other viewers too.
        """
        self.parts.append(self._made(self._new_part, build, inputs, reads))
        self._loose = None

    def compute(self, build: Callable[..., Made], *inputs: Any, reads: Reading) -> Made:
        """What `build(game, pack, *inputs)` gives, kept like a part."""
        made: Made = self._made(self._new_value, build, inputs, reads)
        return made

    def public(self, build: Callable[..., Made], *inputs: Any) -> Made:
        """What `build(game, pack, *inputs)` gives of what a spectator sees: made once a position,
        for all viewers, and changed by none. What a seat knows more of isn't in it.
        """
        key, shared = (build, inputs), self._shared
        made: Made | None = shared.made.get(key)
        if made is None:
            made = shared.made[key] = build(shared.seen.record, self.pack, *inputs)
        return made

    def sheet(self, build: Callable[..., Sheet], seat: int, reads: Reading, *inputs: Any) -> Sheet:
        """A seat's sheet by `build(game, pack, seat, *inputs)`, its evidence with the keys of this
        look's pieces.
        """
        key, is_shared = (build, seat, inputs, reads), self._sees_what_all_see(reads)
        if is_shared and (shared := self._shared.made.get(key)) is not None:
            return cast(Sheet, shared)
        made: _Named = self._made(self._new_sheet, build, (seat, *inputs), reads)
        sheet = made.with_keys(self.names)
        if is_shared:
            self._shared.made[key] = sheet
        return sheet

    def _cover(self, sheet: Sheet, lines: tuple[str, ...]) -> Sheet:
        """The sheet without what these lines say, the same one for the same sheet."""
        key = (cover_sheet, id(sheet), lines)  # the sheet is kept beside it, so its id is its own
        made = self._cache.find(key) or self._cache.keep(key, (sheet, cover_sheet(sheet, lines)))
        covered: Sheet = made[1]
        return covered

    def proven(
        self, evidence: Callable[..., list[list[Evidence]]], seat: int, reads: Reading
    ) -> Sheet:
        """A seat's sheet with what makes its points, by the game's `evidence`, without what is
        covered: once for all viewers, if it reads what all see alike.
        """
        is_shared, shared = self._sees_what_all_see(reads), self._shared
        points: tuple[int, ...] = ()
        if reads.compares or not is_shared:
            points = tuple(self._own.seen.points(seat))
        key = (evidence, seat, self.covered.get(seat, ()), points)
        if is_shared and (made := shared.made.get(key)) is not None:
            return cast(Sheet, made)
        points = points or tuple(shared.seen.points(seat))
        sheet = self.sheet(_prove, seat, reads, evidence, self._own.seen.lines, points)
        if seat in self.covered:
            sheet = self._cover(sheet, self.covered[seat])
        if is_shared:
            shared.made[key] = sheet
        return sheet

    def _sees_what_all_see(self, reads: Reading) -> bool:
        """Does the viewer see of these fields what a spectator sees?"""
        return reads.public and reads.told_apart != self.viewer

    def _made(
        self,
        make: Callable[[Callable[..., Any], Record, tuple[Any, ...]], Any],
        build: Callable[..., Any],
        inputs: tuple[Any, ...],
        reads: Reading,
    ) -> Any:
        """What `make` gives of a record of these fields; what another viewer of this position
        shares, or what was made for the same before, if there is any.
        """
        key = (build, inputs, reads)
        if reads.public and reads.told_apart != self.viewer:
            made = self._shared.made.get(key)
            if made is None:
                made = self._shared.made[key] = self._kept(make, key, self._shared)
            return made
        return self._kept(make, key, self._own)

    def _kept(
        self,
        make: Callable[[Callable[..., Any], Record, tuple[Any, ...]], Any],
        key: tuple[Callable[..., Any], tuple[Any, ...], Reading],
        eyes: Eyes,
    ) -> Any:
        """The same of what these eyes see."""
        build, inputs, reads = key
        cache, in_cache = self._cache, (key, eyes.read(reads))
        made = cache.find(in_cache)
        if made is None:
            made = cache.keep(in_cache, make(build, cache.record(eyes.seen, reads), inputs))
        return made

    def _new_part(self, build: Callable[..., None], game: Record, inputs: tuple[Any, ...]) -> Part:
        part = Part(self.pack, self.players)
        build(part, game, *inputs)
        return part

    def _new_value(self, build: Callable[..., Made], game: Record, inputs: tuple[Any, ...]) -> Made:
        return build(game, self.pack, *inputs)

    def _new_sheet(
        self, build: Callable[..., Sheet], game: Record, inputs: tuple[Any, ...]
    ) -> _Named:
        return _Named(build(game, self.pack, *inputs))

    def stand(self, build: Callable[..., Sheet], reads: Reads) -> None:
        """Every seat's sheet as if the game ended now, where `sheets` count at times only."""
        self.standing = [self.sheet(build, seat, reads.of(seat)) for seat in range(self.players)]


def _prove(
    game: Record,
    pack: Record,
    seat: int,
    evidence: Callable[..., list[list[Evidence]]],
    lines: Sequence[str],
    points: Sequence[int],
) -> Sheet:
    """A seat's sheet: its points, and what they are made of."""
    return make_sheet(seat, lines, points, evidence(game, pack, seat, points))


class _Named:
    """A sheet, and the same with pieces' keys in place of the cells that its evidence names."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._cells = [
            piece
            for line in sheet["lines"]
            for proof in line["evidence"]
            for piece in proof["pieces"]
            if ":" in piece
        ]
        self._by_keys: dict[Any, Sheet] = {}

    def with_keys(self, names: Mapping[str, str]) -> Sheet:
        if not self._cells:
            return self._sheet
        keys = tuple(map(names.get, self._cells))
        if keys not in self._by_keys:
            self._by_keys[keys] = name_sheet(self._sheet, names)
        return self._by_keys[keys]


def choice(
    label: Text,
    *,
    group: str,
    piece: str | None = None,
    place: str | None = None,
    at: Sequence[int] | None = None,
    variant: str | None = None,
) -> Choice:
    """A choice; the engine adds action, notation, preview and what follows from it."""
    return {
        "action": -1,
        "notation": "",
        "piece": piece,
        "place": place,
        "at": None if at is None else list(at),
        "variant": variant,
        "label": label,
        "group": group,
        "preview": {},
        "gain": None,
        "receipt": [],
        "asks": [],
    }


def make_sheet(
    seat: int, lines: Sequence[str], points: Sequence[int], evidence: Sequence[list[Evidence]]
) -> Sheet:
    """A sheet from its lines' points and evidence."""
    return {
        "seat": seat,
        "total": sum(points),
        "lines": [
            {"key": key, "points": number, "evidence": proof}
            for key, number, proof in zip(lines, points, evidence, strict=True)
        ],
    }


def cover_sheet(sheet: Sheet, keys: Sequence[str]) -> Sheet:
    """The sheet without what these lines say."""
    lines: list[Line] = [
        {"key": line["key"], "points": 0, "evidence": [], "covered": True}
        if line["key"] in keys
        else line
        for line in sheet["lines"]
    ]
    total = sum(line["points"] for line in lines)
    return {**sheet, "total": total, "lines": lines, "covered": True}


def name_sheet(sheet: Sheet, names: Mapping[str, str]) -> Sheet:
    """The sheet, with a piece's key where evidence names it by its place and cell."""
    lines: list[Line] = [
        {
            **line,
            "evidence": [
                {**proof, "pieces": [names.get(piece, piece) for piece in proof["pieces"]]}
                for proof in line["evidence"]
            ],
        }
        for line in sheet["lines"]
    ]
    return {**sheet, "lines": lines}
