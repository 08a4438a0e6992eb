"""Where an unfinished game or series is kept: its record, in a file, replaced as a whole."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from pelagos.engine.errors import BadRecord, PelagosError, text
from pelagos.engine.match import Match
from pelagos.engine.record import SUFFIX, load
from pelagos.engine.series import Series, Standing, is_series, read, replay


def default_path(game: str) -> Path:
    """The game's file in the user's data folder."""
    folder = os.environ.get("PELAGOS_DATA")
    base = Path(folder) if folder else user_data_path("pelagos", appauthor=False)
    return base / "saves" / f"{game}{SUFFIX}"


def save(series: Series, path: Path) -> None:
    """Replace the file by the games as they are now; a single one is kept by itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    saved = series if series.length > 1 else series.matches[-1]
    fresh.write_text(saved.to_json() + "\n", encoding="utf-8")
    fresh.replace(path)


def resume(game: str, path: Path) -> Series:
    """The games in the file."""
    series = _read(path)
    match = series.matches[-1]
    if match.game.id != game:
        raise PelagosError(
            text("terminal/refuse.other_game", file=str(path), kept=match.game.id, game=game)
        )
    if match.seed is None:
        raise PelagosError(text("terminal/refuse.no_seed", file=str(path)))
    return series


def _read(path: Path) -> Series:
    data = None
    with suppress(BadRecord):  # what is no series at all is told as a record
        data = read(path)
    return replay(data) if is_series(data) else begin_series(Match.replay(load(path)))


def begin_series(match: Match, length: int = 1) -> Series:
    """A series that begins with this match; of one game, if nobody says otherwise."""
    options: dict[str, Any] = dict(match.options)
    return Series(match.game, length, [match], **options)


def write_record(match: Match, folder: Path, series: Standing | None = None) -> Path:
    """The finished match's record, in a folder, under a name that isn't taken; `series`: how one
    stood before it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    assert match.seed is not None
    stem = f"{match.game.id}-{match.players}-{match.seed.hex()[:8]}"
    path = folder / f"{stem}{SUFFIX}"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}{SUFFIX}"
        number += 1
    record = match.record()
    if series is not None:
        record["series"] = series.as_json()
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
