"""A game's own table: what lies in the folder `table/` of its package, ours or anybody's.

```
table/
  __init__.py
  table.py      make(drawing), DRAWS, FITS, SOUNDS, TOLD_BY_ART, REVEALS, symbol(face)
  parts/        board.html is drawn inside `#board`; it may include or import the others
  table.css     table.js
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from pelagos.engine.game import find_game, games

PARTS = frozenset(("seats", "clock", "prompt", "loose", "others", "sheets", "facts", "log"))
"""Parts of the page that a game may draw itself."""
SERVED = ("table.css", "table.js")
"""Files of the folder that pages take as they are."""


@dataclass(frozen=True)
class OwnTable:
    """What a game brings for its table."""

    folder: Path
    make: Callable[[Any], Any]
    """Works out of a drawing what its templates ask for as `made`."""
    draws: frozenset[str] = frozenset()
    fits: bool = False
    """Are its parts laid on the page's own grid, which is as large as the window?"""
    sounds: Mapping[str, str] = field(default_factory=dict)
    """Which events are heard, and as what: `{"steal": "theft"}`."""
    symbol: Callable[[str], str | None] | None = None
    """The symbol of a face that has none of its own name, for the plain table."""
    told_by_art: frozenset[str] = frozenset()
    """Events that the recap tells by their things' symbols where words have no room."""
    reveals: frozenset[str] = frozenset()
    """Events by which hidden choices are turned up, all together."""

    def file(self, name: str) -> Path | None:
        """A file of the folder, if it is there."""
        path = self.folder / name
        return path if path.is_file() else None


def package_folder(game: str) -> Path | None:
    """Where a game's package lies."""
    installed = games().get(game)
    return None if installed is None else Path(str(files(installed.package)))


@cache
def own_table(game: str) -> OwnTable | None:
    """A game's own table; None if it has none and is drawn as all games are."""
    package = package_folder(game)
    if package is None:
        return None
    if (package / "table" / "parts" / "board.html").is_file():
        return _in_folder(game, package / "table")
    return None


def _in_folder(game: str, folder: Path) -> OwnTable:
    code = import_module(f"{find_game(game).package}.table.table")
    draws = frozenset(getattr(code, "DRAWS", ()))
    fits = bool(getattr(code, "FITS", False))
    sounds = dict(getattr(code, "SOUNDS", {}))
    symbol = getattr(code, "symbol", None)
    told_by_art = frozenset(getattr(code, "TOLD_BY_ART", ()))
    reveals = frozenset(getattr(code, "REVEALS", ()))
    return OwnTable(folder, code.make, draws & PARTS, fits, sounds, symbol, told_by_art, reveals)


def template(name: str) -> str | None:
    """The text of `game:<id>/<file>`, a part of a game's own table."""
    if not name.startswith("game:"):
        return None
    game, _, file = name[5:].partition("/")
    table = own_table(game)
    if table is None:
        return None
    path = table.file(f"parts/{file}")
    return None if path is None else path.read_text(encoding="utf-8")


def template_names(chosen: Iterable[str]) -> Iterator[str]:
    """All that `template` knows of these games."""
    for game in chosen:
        table = own_table(game)
        if table is not None:
            parts = table.folder / "parts"
            for path in sorted(parts.rglob("*.html")):
                yield f"game:{game}/{path.relative_to(parts).as_posix()}"
