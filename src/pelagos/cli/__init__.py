"""The command line, a module for each of its commands."""

from __future__ import annotations

import sys

from pelagos.cli import (
    analyse,
    arena,
    doctor,
    games,
    packs,
    play,
    records,
    score,
    simulate,
    site,
    tables,
    train,
    wasm,
)
from pelagos.cli.app import app
from pelagos.cli.options import reader
from pelagos.cli.output import err
from pelagos.engine.errors import PelagosError, text

__all__ = [
    "analyse",
    "app",
    "arena",
    "doctor",
    "games",
    "main",
    "packs",
    "play",
    "records",
    "score",
    "simulate",
    "site",
    "tables",
    "train",
    "wasm",
]


def main() -> None:
    """Run the command line; a mistake gets one sentence, in the reader's language, and exit 1."""
    try:
        app()
    except PelagosError as error:
        _fail(error)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except UnicodeEncodeError:
        _fail(PelagosError(text("cli/refuse.not_utf8")))
    except OSError as error:
        _fail(PelagosError(f"{error.filename}: {error.strerror}."))


def _fail(error: PelagosError) -> None:
    err.print(f"pelagos: {error.say(reader.language)}", style="red", markup=False)
    sys.exit(1)
