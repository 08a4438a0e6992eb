"""`pelagos arena`: bots against each other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import app
from pelagos.cli.options import (
    AsJson,
    GameName,
    Games,
    Options,
    PackFolder,
    Players,
    Seed,
    find_pack,
    read_options,
)
from pelagos.cli.output import err, out, print_json
from pelagos.cli.progress import progress
from pelagos.engine.game import find_game


@app.command()
def arena(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="Bots or creatures: greedy, search@200ms, dolphin."),
    ],
    players: Players = None,
    count: Games = 100,
    seed: Seed = "0",
    budget: Annotated[str, typer.Option(help="For a decision: 50ms, 2s or 1000sims.")] = "50ms",
    processes: Annotated[
        int, typer.Option("--processes", "--threads", min=1, max=256, help="How many processes.")
    ] = 1,
    cluster: Annotated[bool, typer.Option("--cluster", help="Play on a Ray cluster.")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep every game here, and go on from what is here."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a report with plots.")
    ] = None,
    series: Annotated[
        int, typer.Option(min=1, metavar="N", help="Each game a series: best of N, an odd number.")
    ] = 1,
    option: Options = None,
    pack: PackFolder = None,
    times: Annotated[bool, typer.Option(help="Tell times in the JSON, which never repeat.")] = True,
    as_json: AsJson = False,
) -> None:
    """Let bots play against each other: every deal in every seating, with 95 % intervals.

    `--games` is rounded up to whole deals. With a budget of simulations the games are the same to
    the last move on any machine and any number of processes. Alone (`--players 1`) bots are
    compared by their scores on the same deals.
    """
    from pelagos.arena.host import host
    from pelagos.arena.plan import Plan
    from pelagos.arena.report import write_report
    from pelagos.arena.show import show
    from pelagos.bots import Budget

    installed = find_game(game)
    chosen = read_options(players, option)
    material = find_pack(installed, pack)
    plan = Plan.make(installed, chosen, seed, bots, Budget.parse(budget), material, series)
    with progress(installed.id, len(list(plan.fixtures(count)))) as advance:
        standings, left = host(
            plan, count, workers=processes, on_cluster=cluster, file=resume, advance=advance
        )
    if report:
        write_report(standings, report)
    if as_json:
        print_json(standings.as_json(times))
    else:
        show(standings, out)
    if left:
        again = f"the same command goes on from {resume}" if resume else "--resume FILE keeps them"
        err.print(f"pelagos: interrupted with {left} games to go; {again}.", markup=False)
        sys.exit(130)
