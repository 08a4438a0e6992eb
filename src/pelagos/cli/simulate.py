"""`pelagos simulate`: games by the million."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from pelagos.cli.app import app
from pelagos.cli.options import (
    AsJson,
    BotNames,
    GameName,
    Games,
    Options,
    PackFolder,
    Players,
    Seed,
    find_pack,
    read_simulation,
)
from pelagos.cli.output import out, print_json
from pelagos.cli.progress import progress


@app.command()
def simulate(
    game: GameName,
    players: Players = None,
    count: Games = 10_000,
    seed: Seed = "0",
    bots: BotNames = "random",
    threads: Annotated[int, typer.Option(min=1, max=256, help="How many threads.")] = 1,
    device: Annotated[str, typer.Option(help="cpu or gpu.")] = "cpu",
    pack: PackFolder = None,
    compare: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A second pack, side by side.")
    ] = None,
    option: Options = None,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.csv", help="One row a game.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play many games and count. Random players take each legal action with equal chance.

    Speed counts everything from the seed to the tally; compiling isn't counted, and chance steps
    are no decisions.
    """
    from pelagos.arena.simulate import CsvFile

    simulation = read_simulation(game, players, option, bots, seed, threads, device)
    installed, options = simulation.game, simulation.options
    packs = [find_pack(installed, pack)] + ([find_pack(installed, compare)] if compare else [])
    file = CsvFile(out_file, int(options["players"]), len(packs) > 1) if out_file else None
    tallies = []
    try:
        with progress(f"{installed.id}", count * len(packs)) as advance:
            for material in packs:
                tallies.append(simulation.run(material, count, advance, file))
    finally:
        if file:
            file.close()
    if as_json:
        data = tallies[0].as_json()
        if len(tallies) > 1:
            data["compare"] = tallies[1].as_json()
        print_json(data)
        return
    _show_tallies(tallies, options)


def _show_tallies(tallies: list[Any], options: Mapping[str, Any]) -> None:
    first = tallies[0]
    out.print(
        f"{first.game.titles['en']}: {first.games} games, "
        + ", ".join(f"{name} {str(value).lower()}" for name, value in options.items()),
        markup=False,
    )
    for tally in tallies:
        table = Table(title=escape(f"pack {tally.pack.name}"), title_justify="left")
        table.add_column("seat")
        for head in ("mean score", "95 %", "deviation", "lowest", "highest", "wins"):
            table.add_column(head, justify="right")
        for seat in range(tally.players):
            low, high = tally.interval(seat)
            table.add_row(
                f"{seat} {tally.bots[seat]}",
                f"{tally.mean(seat):.2f}",
                f"{low:.2f} … {high:.2f}",
                f"{tally.deviation(seat):.1f}",
                str(tally.lowest[seat]),
                str(tally.highest[seat]),
                f"{100 * tally.wins[seat] / tally.games:.1f} %",
            )
        out.print(table)
        out.print(f"length: {tally.decisions / tally.games:.1f} decisions a game")
    out.print(
        f"{first.decisions_per_second:,.0f} decisions and "
        f"{first.games_per_second:,.0f} games a second ({first.seconds:.2f} s)"
    )
