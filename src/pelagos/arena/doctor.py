"""What is installed, compiled and cached here, and which speeds work."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version

from pelagos import __version__
from pelagos.engine.compiled import INTERPRETED, cache_folder
from pelagos.engine.game import broken, games


def examine() -> dict[str, dict[str, str]]:
    """Findings by topic."""
    return {
        "installed": _installed(),
        "games": {game.id: f"rules {game.rules}" for game in games().values()} | broken,
        "cache": _cache(),
        "speeds": _speeds(),
    }


def _installed() -> dict[str, str]:
    versions = {"pelagos": __version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "llvmlite", "typer", "rich", "babel", "numba-cuda"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "missing"
    versions["processor"] = f"{platform.machine()}, {os.cpu_count()} cores"
    return versions


def _cache() -> dict[str, str]:
    folder = cache_folder()
    files = list(folder.glob("*.rule")) if folder.is_dir() else []
    size = sum(file.stat().st_size for file in files)
    home = str(os.path.expanduser("~"))
    base = next((p for p in (folder, *folder.parents) if p.exists()), folder)
    return {
        "folder": str(folder).replace(home, "~", 1),
        "compiled rules": f"{len(files)} ({size / 1e6:.1f} MB)",
        "writable": "yes" if os.access(base, os.W_OK) else "no: rules are compiled at every start",
    }


def _speeds() -> dict[str, str]:
    from pelagos.engine.gpu import why_not

    reason = why_not()
    return {
        "interpreted": "works (set PELAGOS_INTERPRETED=1)",
        "compiled": "off: PELAGOS_INTERPRETED is set" if INTERPRETED else _compiled(),
        "gpu": f"not here: {reason}" if reason else "works",
    }


def _compiled() -> str:
    from pelagos.engine.batch import Batch

    game = next(iter(games().values()))
    Batch(game, 1).play_out()
    batch = Batch(game, 200)
    start = time.perf_counter()
    batch.play_out()
    rate = batch.decisions / (time.perf_counter() - start)
    return f"works: {rate / 1e6:.1f} million random decisions a second in {game.id}"
