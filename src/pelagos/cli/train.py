"""`pelagos train`: networks that learn by playing themselves."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import app
from pelagos.cli.options import GameName, PackFolder, Seed, find_pack
from pelagos.cli.output import out
from pelagos.engine.errors import BadOption, short, text
from pelagos.engine.game import Game, find_game


@app.command()
def train(
    game: GameName,
    folder: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The run's folder; it goes on from there.")
    ] = Path("training"),
    players: Annotated[
        str, typer.Option("--players", "-p", help="Numbers of players, such as 2, 2-4 or 1,3.")
    ] = "",
    minutes: Annotated[float, typer.Option(min=0.0, help="How long, about.")] = 10.0,
    seed: Seed = "train",
    hidden: Annotated[int, typer.Option(min=8, max=512, help="Units of the first layer.")] = 64,
    inner: Annotated[int, typer.Option(min=4, max=128, help="Units of the second layer.")] = 32,
    games: Annotated[int, typer.Option(min=1, help="Games a round.")] = 60_000,
    first_games: Annotated[
        int, typer.Option(min=0, help="Games of the first round, by greedy; 0: as many.")
    ] = 0,
    other_weight: Annotated[
        int, typer.Option(min=0, max=100, help="What a point of the best other is worth, in %.")
    ] = 50,
    trace: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Below 1: learn from next decisions, too.")
    ] = 1.0,
    steps: Annotated[int, typer.Option(min=1, help="Steps of fitting a round.")] = 3_000,
    batch: Annotated[int, typer.Option(min=16, help="Rows a step.")] = 16_384,
    keep: Annotated[int, typer.Option(min=1, help="Rounds that are learnt from.")] = 5,
    deals: Annotated[int, typer.Option(min=2, help="Deals to compare weights by.")] = 1_000,
    threads: Annotated[int, typer.Option(min=1, max=256, help="How many threads.")] = (
        os.cpu_count() or 1
    ),
    pack: PackFolder = None,
    quick: Annotated[
        bool, typer.Option(help="Small rounds, for one core: a twentieth of the games.")
    ] = False,
) -> None:
    """Train a network by self-play: play, fit, compare with the best so far, again and again.

    The folder gets `network.npz`, which belongs in the game's own folder, a learning curve, and
    what is needed to go on. Fitting uses a GPU where torch is installed and finds one (the extra
    `train`), NumPy otherwise; playing uses all cores.
    """
    from pelagos.train.training import Recipe, Training, best_device

    installed = find_game(game)
    if quick:
        games, steps, batch, deals = games // 20, steps // 4, batch // 8, deals // 4
        first_games //= 20
    recipe = Recipe(
        players=read_numbers(installed, players),
        seed=seed,
        hidden=hidden,
        inner=inner,
        games=games,
        first_games=first_games,
        other_weight=other_weight,
        trace=trace,
        steps=steps,
        batch=batch,
        keep=keep,
        deals=deals,
        threads=threads,
        device=best_device(),
    )

    def tell(line: str) -> None:
        out.print(line, markup=False, highlight=False, soft_wrap=True)

    run = Training(installed, find_pack(installed, pack), recipe, folder, tell)
    run.run(60 * minutes)
    tell(f"{folder / 'network.npz'}: {(folder / 'network.npz').stat().st_size} bytes")


def read_numbers(game: Game, words: str) -> tuple[int, ...]:
    """Numbers of players; none named means all that the game takes."""
    if not words:
        return tuple(game.players)
    numbers: list[int] = []
    for part in words.split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or not (last if dash else first).isdecimal():
            raise BadOption(text("cli/refuse.train_players", words=short(words)))
        numbers += range(int(first), int(last or first) + 1)
    for players in numbers:
        game.check_options({"players": players})
    return tuple(dict.fromkeys(numbers))
