"""Where an unfinished game is kept: its record, in a file, replaced as a whole."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

from pelagos.engine.errors import PelagosError, text
from pelagos.engine.match import Match
from pelagos.engine.record import SUFFIX, load


def default_path(game: str) -> Path:
    """The game's file in the user's data folder."""
    folder = os.environ.get("PELAGOS_DATA")
    base = Path(folder) if folder else user_data_path("pelagos", appauthor=False)
    return base / "saves" / f"{game}{SUFFIX}"


def save(match: Match, path: Path) -> None:
    """Replace the file by the match as it is now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(match.to_json() + "\n", encoding="utf-8")
    fresh.replace(path)


def resume(game: str, path: Path) -> Match:
    """The match in the file."""
    match = Match.replay(load(path))
    if match.game.id != game:
        raise PelagosError(
            text("terminal/refuse.other_game", file=str(path), kept=match.game.id, game=game)
        )
    if match.seed is None:
        raise PelagosError(text("terminal/refuse.no_seed", file=str(path)))
    return match


def write_record(match: Match, folder: Path) -> Path:
    """The finished match's record, in a folder, under a name that isn't taken."""
    folder.mkdir(parents=True, exist_ok=True)
    assert match.seed is not None
    stem = f"{match.game.id}-{match.players}-{match.seed.hex()[:8]}"
    path = folder / f"{stem}{SUFFIX}"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}{SUFFIX}"
        number += 1
    path.write_text(match.to_json() + "\n", encoding="utf-8")
    return path
