"""`pelagos site`: Pelagos as files, for any web host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import app
from pelagos.cli.output import err, out
from pelagos.engine.errors import PelagosError
from pelagos.web.vendor import NoPackages

OWN = "pelagos"
"""The package that is our own."""


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write it.")],
    own: Annotated[
        bool, typer.Option("--own", help="Only the games that come with Pelagos itself.")
    ] = False,
) -> None:
    """Write Pelagos as a site without a server: games against bots, lessons, replays, score pads.

    Any web host will do, below any path; after the first visit it works without a network.
    """
    from pelagos.pocket.build import build

    def tell(step: str) -> None:
        err.print(f"· {step}", markup=False, highlight=False)

    try:
        weight = build(folder, tell, OWN if own else "")
    except NoPackages as error:
        raise PelagosError(str(error)) from None
    first_visit = f"{weight.compressed / 1_000_000:.1f} MB"
    out.print(f"{folder}: {weight.files} files; a first visit takes {first_visit}.", markup=False)
