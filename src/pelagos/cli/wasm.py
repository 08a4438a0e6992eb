"""`pelagos wasm`: rules and bots as WebAssembly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import app
from pelagos.cli.output import out
from pelagos.engine.game import find_game, games


@app.command()
def wasm(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Without one: all that are installed."),
    ] = None,
    folder: Annotated[Path, typer.Option("--out", help="Where to write them.")] = Path("wasm"),
) -> None:
    """Write a game's rules and bots as a WebAssembly module, with a manifest of its functions."""
    from pelagos.bots import pocket

    for game in [find_game(name) for name in names or games()]:
        module = pocket.module(game)
        module.write(folder)
        out.print(f"{folder / game.id}.wasm: {len(module.wasm):,} bytes", markup=False)
