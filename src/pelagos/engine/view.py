"""The view: what one viewer may see, as plain data, in one shape for all games.

The text table, the terminal, the page and the JSON API draw it, and none of them knows a game's
name. Texts are keys with parameters; `words` puts them into the reader's language. A parameter
`{"noun": "krill"}` is a thing with a name and articles, `{"seat": 2}` a player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict, TypeVar

import numpy as np

from pelagos.engine.types import Record


class Text(TypedDict):
    """A sentence or label: a key of the game's words, and what to put into it."""

    key: str
    params: dict[str, Any]


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


class Event(TypedDict):
    """Something that happened: a line of the log, and a motion if a piece moved."""

    key: str
    params: dict[str, Any]
    piece: NotRequired[str | None]
    source: NotRequired[str | None]
    target: NotRequired[str | None]


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


class Sheet(TypedDict):
    """A score sheet as the viewer may see it."""

    seat: int
    total: int
    lines: list[Line]


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


@dataclass(frozen=True)
class Step:
    """A move or a chance step, with the states around it."""

    before: Record
    after: Record
    pack: Record
    seat: int
    """-1 for chance."""
    action: int
    outcome: tuple[int, ...] = ()


def text(key: str, **params: Any) -> Text:
    """A key with its parameters."""
    return {"key": key, "params": params}


def event(
    key: str,
    *,
    piece: str | None = None,
    source: str | None = None,
    target: str | None = None,
    **params: Any,
) -> Event:
    """An event; source and target are places (or places and cells, as `grid0:1,2`)."""
    return {"key": key, "params": params, "piece": piece, "source": source, "target": target}


def evidence(points: int, pieces: Iterable[str], key: str, **params: Any) -> Evidence:
    """What makes points on a line of a sheet."""
    return {"points": points, "pieces": list(pieces), "reason": text(key, **params)}


Part = TypeVar("Part")
_NUMPY = (np.ndarray, np.generic)


class Shared:
    """Parts of one match's views, kept for all viewers: made once for the same numbers."""

    MOST = 64
    """As many as were used last are kept, or up to twice as many."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}
        self._older: dict[Any, Any] = {}

    def get(self, name: Any, on: Iterable[Any], build: Callable[[], Part]) -> Part:
        """What `build` makes, which hangs on `on` alone: numbers, arrays, texts."""
        key = (name, *[one.tobytes() if isinstance(one, _NUMPY) else one for one in on])
        found: Part | None = self._kept.get(key)
        if found is None:
            found = self._older.pop(key, None)
            if found is None:
                found = build()
            if len(self._kept) >= self.MOST:
                self._older, self._kept = self._kept, {}
            self._kept[key] = found
        return found


class Look:
    """What a game's `view` fills in. `game` is already cut to what the viewer may know."""

    def __init__(
        self,
        game: Record,
        pack: Record,
        viewer: int,
        players: int,
        over: bool,
        memory: dict[Any, Any],
        shared: Shared | None = None,
    ) -> None:
        self.game = game
        self.pack = pack
        self.viewer = viewer
        self.players = players
        self.over = over
        self.memory = memory
        self.shared = shared or Shared()
        self.names: dict[str, str] = {}
        """The keys of the pieces that lie on a cell, by place and cell."""
        self.prompt = text("prompt.over") if over else text("prompt.wait")
        self.phase: list[int] = []
        self.places: list[Place] = []
        self.pieces: list[Piece] = []
        self.standing: list[Sheet] = []
        self.facts: dict[str, Any] = {}

    @property
    def seats(self) -> list[int]:
        """The seats, the viewer's own first."""
        first = max(self.viewer, 0)
        return [(first + step) % self.players for step in range(self.players)]

    def ask(self, key: str, **params: Any) -> None:
        """Set the prompt."""
        self.prompt = text(key, **params)

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
        self.places.append(
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
        self.pieces.append(
            {
                "key": key,
                "place": place,
                "at": None if at is None else list(at),
                "face": face,
                "count": count,
                "marks": list(marks),
            }
        )

    def part(self, build: Callable[..., None], *about: Any, on: Iterable[Any]) -> None:
        """Let `build(look, *about)` add places and pieces that hang on `on` alone: numbers, arrays,
        texts. What it added for the same ones is used again, for other viewers too.
        """

        def made() -> tuple[list[Place], list[Piece], dict[str, str]]:
            own = Look(self.game, self.pack, self.viewer, self.players, self.over, self.memory)
            build(own, *about)
            return own.places, own.pieces, own.names

        places, pieces, names = self.shared.get((build.__qualname__, *about), on, made)
        self.places += places
        self.pieces += pieces
        self.names.update(names)

    def count(self, name: str, seat: int, on: Iterable[Any], build: Callable[[], Sheet]) -> Sheet:
        """A seat's sheet that hangs on `on` alone, its evidence with the keys of this look's
        pieces.
        """
        sheet, cells, named = self.shared.get((name, seat), on, lambda: _with_cells(build()))
        keys = tuple(map(self.names.get, cells))
        if keys not in named:
            named[keys] = name_sheet(sheet, self.names)
        found: Sheet = named[keys]
        return found


def choice(
    label: Text,
    *,
    group: str,
    piece: str | None = None,
    place: str | None = None,
    at: Sequence[int] | None = None,
    variant: str | None = None,
) -> Choice:
    """A choice; the engine adds action, notation and preview."""
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
    }


def make_sheet(
    seat: int, lines: Sequence[str], points: Sequence[int], found: Sequence[list[Evidence]]
) -> Sheet:
    """A sheet from its lines' points and evidence."""
    return {
        "seat": seat,
        "total": sum(points),
        "lines": [
            {"key": key, "points": number, "evidence": proof}
            for key, number, proof in zip(lines, points, found, strict=True)
        ],
    }


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


def _with_cells(sheet: Sheet) -> tuple[Sheet, list[str], dict[Any, Sheet]]:
    """A sheet, all that its evidence names, and room for the sheet with pieces' keys."""
    cells = [
        piece for line in sheet["lines"] for proof in line["evidence"] for piece in proof["pieces"]
    ]
    return sheet, cells, {}
