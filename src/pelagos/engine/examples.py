"""Examples of a game's rules: short pieces of real games, told as data and played by the engine.

They lie in `examples.toml` of the game's folder, one table each:

```toml
[shells]
about = ["shell"]              # cards, lines of the sheet, symbols: who explains one finds it so
players = 2                    # and any option of the game
seed = 7
shows = "board"                # a part of the table, as the game's `scenes` names it
rows = ["shells"]              # lines of the sheet beside the picture
before = ["take shell", "place 0,0"]
step = [
  { moves = ["take shell", "place 0,1"], lit = ["shells"] },
]
```

A move is the seat's own, or `1: take shell` another's. Until it is a seat's turn, the others make
the first move that they may; `others` lets them do so at the end of a step. Texts are
`example.<id>.title`, `.caption`, `.start` and `.1`, `.2` … of the game's words; the numbers in them
are parameters, from the sheets that the engine counts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.view import Sheet, View

FILE = "examples.toml"
NAMES = ("Ada", "Bo", "Cléo", "Dan", "Eve", "Fay")
OTHERS = "others"
_ANOTHERS = re.compile(r"(\d): (.*)")
_OWN = ("about", "seed", "seat", "shows", "rows", "before", "step")


@dataclass(frozen=True)
class Row:
    """A number beside the picture: a line of a seat's sheet, several together, or the total."""

    key: str
    of: tuple[str, ...]
    seat: int
    label: str = ""
    """The key of its name, if not that of the line."""
    art: str = ""
    """Its symbol, if not that of its key."""

    def points(self, sheets: Sequence[Sheet]) -> int:
        """What the engine counts for it."""
        sheet = sheets[self.seat]
        if self.key == "total":
            return sheet["total"]
        return sum(line["points"] for line in sheet["lines"] if line["key"] in self.of)


@dataclass(frozen=True)
class ExampleStep:
    """Moves that belong together."""

    moves: tuple[str, ...]
    lit: tuple[str, ...] | None
    """The lines of the sheet whose proofs are lit after them; None: what has moved is lit."""


@dataclass(frozen=True, eq=False)
class Example:
    """A piece of a game that shows a rule."""

    game: str
    id: str
    about: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int | str
    seat: int
    shows: str
    rows: tuple[Row, ...]
    before: tuple[str, ...]
    steps: tuple[ExampleStep, ...]

    def moments(self) -> list[View]:
        """What the seat sees before the first step and after each."""
        match = Match.new(self.game, seed=self.seed, names=self.names, **self.options)
        views = []
        for moves in (self.before, *(step.moves for step in self.steps)):
            for move in moves:
                self._make(match, move)
            views.append(match.view(self.seat, previews=False))
        return views

    @property
    def names(self) -> Sequence[str]:
        """Who plays."""
        players = find_game(self.game).check_options(self.options)["players"]
        return NAMES[: int(players)]

    def _make(self, match: Match, move: str) -> None:
        anothers = _ANOTHERS.fullmatch(move)
        seat, words = (int(anothers[1]), anothers[2]) if anothers else (self.seat, move)
        while seat not in match.pending and not match.over:
            other = match.pending[0]
            match.play(other, match.legal(other)[0])
        if words != OTHERS:
            match.play(seat, words)


def sheets_of(view: View) -> Sequence[Sheet]:
    """The sheets as things stand."""
    return view.get("standing") or view["sheets"]


@cache
def examples_of(game: str) -> tuple[Example, ...]:
    """A game's examples, in the order of its file; none if it has no such file."""
    file = files(find_game(game).package) / FILE
    if not file.is_file():
        return ()
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(_read(game, name, table) for name, table in tables.items())


def examples_about(game: str, name: str) -> tuple[Example, ...]:
    """The examples of a card, a line of the sheet or a symbol."""
    return tuple(example for example in examples_of(game) if name in example.about)


def _read(game: str, name: str, table: Mapping[str, Any]) -> Example:
    seat = table.get("seat", 0)
    return Example(
        game=game,
        id=name,
        about=tuple(table["about"]),
        options={key: value for key, value in table.items() if key not in _OWN},
        seed=table["seed"],
        seat=seat,
        shows=table.get("shows", ""),
        rows=tuple(_rows(table.get("rows", ()), seat)),
        before=tuple(table.get("before", ())),
        steps=tuple(
            ExampleStep(tuple(step["moves"]), tuple(step["lit"]) if "lit" in step else None)
            for step in table["step"]
        ),
    )


def _rows(rows: Sequence[Any], seat: int) -> Iterator[Row]:
    for row in rows:
        if isinstance(row, str):
            yield Row(row, (row,), seat)
        else:
            of = tuple(row.get("of", (row["key"],)))
            named = {name: row[name] for name in ("label", "art") if name in row}
            yield Row(row["key"], of, row.get("seat", seat), **named)
