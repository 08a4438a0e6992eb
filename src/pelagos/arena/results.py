"""The games that a tournament has played so far, kept in a file if there is one.

Game after game goes into a file of JSON lines, from which an interrupted tournament goes on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from pelagos.arena.matches import Played
from pelagos.arena.plan import Fixture, Plan
from pelagos.engine.errors import PelagosError, text


class Results:
    """Games played so far, kept in a file if there is one."""

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.plan = plan
        self.path = path
        self.games: dict[Fixture, Played] = {}
        self._file: Any = None
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            written = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise PelagosError(
                text("refuse.unreadable", file=str(path), reason=str(error))
            ) from None
        whole, _, torn = written.rpartition("\n")
        lines = whole.split("\n") if whole else []
        if lines:
            self._read(path, lines)
        elif torn:
            raise PelagosError(text("arena/refuse.other_file", file=str(path)))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+" if lines else "w", encoding="utf-8")
        except OSError as error:
            raise PelagosError(
                text("arena/refuse.unwritable", file=str(path), reason=str(error.strerror))
            ) from None
        if lines:
            self._file.seek(len((whole + "\n").encode()))
            self._file.truncate()
        else:
            self._write(json.dumps(self.plan.header(), ensure_ascii=False))

    def _read(self, path: Path, lines: Sequence[str]) -> None:
        try:
            header = json.loads(lines[0])
            games = [Played.from_line(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError) as error:
            raise PelagosError(
                text("arena/refuse.bad_file", file=str(path), reason=str(error))
            ) from None
        own = self.plan.header()
        if not isinstance(header, dict) or "pelagos_arena" not in header:
            raise PelagosError(text("arena/refuse.other_file", file=str(path)))
        for key, value in {"series": None, **own}.items():
            if header.get(key) != value:
                kept, planned = str(header.get(key)), str(value)
                raise PelagosError(
                    text(
                        "arena/refuse.other_tournament",
                        file=str(path),
                        part=key,
                        kept=kept,
                        planned=planned,
                    )
                )
        self.games = {played.fixture: played for played in games}

    def add(self, played: Played) -> None:
        """Keep a game; it is in the file before anyone is told of it."""
        self.games[played.fixture] = played
        if self._file is not None:
            self._write(played.to_line())

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
