"""`pelagos analyse`: the coach on a record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pelagos.cli.app import app
from pelagos.cli.options import DEFAULT_LANGUAGE, AsJson, Language
from pelagos.cli.output import out, print_json
from pelagos.cli.progress import progress
from pelagos.engine.errors import PelagosError, text


class Table(StrEnum):
    """What is printed as CSV."""

    DECISIONS = "decisions"
    POSITIONS = "positions"


def _stored(file: Path | None) -> Any:
    """An analysis from a file; what isn't JSON is told like what isn't an analysis."""
    if file is None:
        return None
    try:
        return json.loads(file.read_bytes())
    except ValueError:
        return {}


@app.command()
def analyse(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A game record, of a game in progress too.")
    ],
    first: Annotated[bool, typer.Option("--first", help="The first answer only.")] = False,
    full: Annotated[bool, typer.Option("--full", help="In full (this is what is done).")] = False,
    budget: Annotated[
        int | None,
        typer.Option("--budget", min=1, metavar="GAMES", help="Stop after so many played games."),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Cores to use.")] = 2,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Go on from an analysis printed as JSON."),
    ] = None,
    table: Annotated[Table | None, typer.Option("--csv", help="Print this table as CSV.")] = None,
    lang: Language = DEFAULT_LANGUAGE,
    as_json: AsJson = False,
) -> None:
    """Say what every decision of a game cost, and what its result is made of."""
    from pelagos import coach
    from pelagos.engine import record as records
    from pelagos.engine.words import pack_words

    if first and full:
        raise PelagosError(text("cli/refuse.first_and_full"))
    match = records.replay(records.load(file))
    rounds = 1 if first else coach.ROUNDS
    document: Mapping[str, Any] = {}
    with progress(match.game.titles["fr" if lang == "fr" else "en"], rounds) as advance:
        for document in coach.analyse(match, rounds, threads, _stored(resume)):
            advance(1)
            if budget is not None and document["budget"]["playouts"] >= budget:
                break
    if as_json:
        print_json(document)
    elif table is not None:
        csv_of = coach.decisions_csv if table is Table.DECISIONS else coach.positions_csv
        print(csv_of(document), end="")
    else:
        out.print(coach.report(document, pack_words(match.pack, lang)), markup=False)
