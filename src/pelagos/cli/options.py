"""Arguments and options that several commands share, and what is made of them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pelagos.engine.errors import BadOption, short, text
from pelagos.engine.game import Game, find_game

if TYPE_CHECKING:
    from pelagos.arena.simulate import Simulation
    from pelagos.engine.pack import Pack

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, see `pelagos games`.")]
Players = Annotated[int | None, typer.Option("--players", "-p", help="How many players.")]
Games = Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")]
Seed = Annotated[str, typer.Option("--seed", "-s", help="Any text: the same seed, the same games.")]
BotNames = Annotated[
    str,
    typer.Option(
        "--bots",
        help="Who plays: random, greedy, or a bot for each seat, such as greedy,random,greedy.",
    ),
]
PackFolder = Annotated[
    Path | None, typer.Option("--pack", metavar="DIR", help="Play with this pack's material.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="K=V", help="A game option, such as troubled=true."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Language = Annotated[
    str,
    typer.Option(
        "--lang",
        "-l",
        help="en or fr.",
        envvar="PELAGOS_LANG",
        show_default=False,
        callback=lambda language: reader.choose(language),
    ),
]
DEFAULT_LANGUAGE = "fr" if os.environ.get("LANG", "").startswith("fr") else "en"


class Reader:
    """Whoever reads what a command says."""

    def __init__(self) -> None:
        self.language = os.environ.get("PELAGOS_LANG") or DEFAULT_LANGUAGE

    def choose(self, language: str) -> str:
        """Refusals, too, are told in the language that a command was given."""
        self.language = language
        return language


reader = Reader()


def read_bots(words: str) -> list[str]:
    """The bots that are named, one for all seats or one for each."""
    return [name.strip() for name in words.split(",")]


def read_options(players: int | None, pairs: list[str] | None) -> dict[str, Any]:
    """Options from `--players` and `--option k=v`."""
    options: dict[str, Any] = {} if players is None else {"players": players}
    for pair in pairs or []:
        name, sign, value = pair.partition("=")
        if not sign:
            raise BadOption(text("cli/refuse.option_form", option=short(pair)))
        lowered = value.strip().lower()
        if lowered in ("true", "yes", "on", "false", "no", "off"):
            options[name.strip()] = lowered in ("true", "yes", "on")
        elif re.fullmatch(r"-?[0-9]{1,9}", lowered):
            options[name.strip()] = int(lowered)
        else:
            raise BadOption(text("cli/refuse.option_value", name=short(name), value=short(value)))
    return options


def find_pack(game: Game, folder: Path | None) -> Pack:
    """The pack in a folder, or the default."""
    from pelagos.engine.pack import default_pack, load_pack

    return default_pack(game) if folder is None else load_pack(game, folder)


def read_simulation(
    game: str,
    players: int | None,
    pairs: list[str] | None,
    bots: str,
    seed: str,
    threads: int = 1,
    device: str = "cpu",
) -> Simulation:
    """The games that a command names, not yet played."""
    from pelagos.arena.simulate import Simulation

    installed = find_game(game)
    options = installed.check_options(read_options(players, pairs))
    return Simulation.make(installed, options, read_bots(bots), seed, threads, device)
