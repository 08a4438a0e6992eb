"""`pelagos play`: a table in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import app
from pelagos.cli.options import (
    DEFAULT_LANGUAGE,
    Language,
    Options,
    PackFolder,
    Players,
    find_pack,
    read_options,
)
from pelagos.engine.game import find_game


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game's id; without one, you are asked."),
    ] = None,
    players: Players = None,
    people: Annotated[int, typer.Option(min=1, help="People at this keyboard.")] = 1,
    seat: Annotated[int, typer.Option(min=1, help="Where you sit; 1 is first.")] = 1,
    level: Annotated[
        str, typer.Option(help="How strong all bots are: from winkle to albatross (docs/bots.md).")
    ] = "",
    bots: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="One bot or creature for each other seat.")
    ] = "",
    budget: Annotated[
        str | None, typer.Option(help="For bots and hints: 50ms, 2s or 1000sims.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", "-s", help="Any text: the same seed, the same deal.")
    ] = None,
    option: Options = None,
    pack: PackFolder = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the game is kept as you play.")
    ] = None,
    resume: Annotated[
        bool | None, typer.Option("--resume/--new", help="Go on with the saved game, or don't ask.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the record goes at the end.")
    ] = None,
    first: Annotated[
        int | None, typer.Option(min=1, help="Which seat begins; left out: by lot.")
    ] = None,
    series: Annotated[
        int, typer.Option(min=1, metavar="N", help="Best of N games, an odd number.")
    ] = 1,
    hints: Annotated[
        bool | None,
        typer.Option("--hints/--no-hints", help="Left out: where you play against bots alone."),
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    """Play in the terminal, against bots or with several people at one keyboard.

    The game is saved after each of your moves; the same command goes on with it.
    """
    from pelagos.terminal.start import start

    installed = find_game(game) if game else None
    start(
        installed,
        read_options(players, option),
        people=people,
        seat=seat,
        bots=[name.strip() for name in (bots or level).split(",") if name.strip()],
        budget=budget,
        language=lang,
        seed=seed,
        pack=find_pack(installed, pack) if installed else None,
        save=save,
        go_on=resume,
        record=record,
        first=first,
        length=series,
        hints=hints,
    )
