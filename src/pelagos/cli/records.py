"""`pelagos record` and `pelagos replay`: whole games in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from pelagos.cli.app import app
from pelagos.cli.options import (
    DEFAULT_LANGUAGE,
    AsJson,
    BotNames,
    GameName,
    Games,
    Language,
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
def record(
    game: GameName,
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the files go.")],
    players: Players = None,
    count: Games = 1,
    seed: Seed = "0",
    bots: BotNames = "random",
    pack: PackFolder = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Write whole games as `*.pelagos.json`: those that `simulate` plays."""
    from pelagos.engine.record import SUFFIX

    simulation = read_simulation(game, players, option, bots, seed)
    installed, options = simulation.game, simulation.options
    material = find_pack(installed, pack)
    folder.mkdir(parents=True, exist_ok=True)
    extras = "".join(f"-{name}" for name, value in options.items() if value is True)
    safe = "".join(letter if letter.isalnum() else "_" for letter in seed)[:40]
    files = []
    with progress(f"{installed.id}", count) as advance:
        for index in range(count):
            match = simulation.match(material, index)
            path = (
                folder / f"{installed.id}-{options['players']}{extras}-{safe}-{index:05d}{SUFFIX}"
            )
            path.write_text(match.to_json() + "\n", encoding="utf-8")
            files.append(str(path))
            advance(1)
    if as_json:
        print_json({"files": files})
    else:
        out.print(f"{count} {'record' if count == 1 else 'records'} in {folder}", markup=False)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game record.")],
    at: Annotated[int | None, typer.Option("--at", min=0, help="Show the table at move N.")] = None,
    positions: Annotated[
        bool, typer.Option("--positions", help="One JSON line for each position, from 0.")
    ] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", help="Look through this seat's eyes.")
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
    as_json: AsJson = False,
) -> None:
    """Verify a record, and show the table as text at move N (the end, if not told)."""
    from pelagos.engine import record as records

    data = records.load(file)
    if positions:
        lines = [json.dumps(position, ensure_ascii=False) for position in records.positions(data)]
        print("\n".join(lines))
        return
    if records.other_rules(data):
        _show_other_rules(data, at, seat, lang, as_json)
        return
    match = records.replay(data) if at is None else records.at(data, at)
    if as_json:
        print_json({"ok": True, "moves": len(data["moves"]), "view": match.view(seat)})
        return
    out.print(match.text(seat, lang), markup=False)
    checked = "deal and chance follow from the seed" if "seed" in data else "no seed"
    number = len(data["moves"]) if at is None else at
    out.print(
        f"move {number} of {len(data['moves'])}; every move is legal; {checked}.", markup=False
    )


def _show_other_rules(
    data: dict[str, Any], at: int | None, seat: int | None, lang: str, as_json: bool
) -> None:
    """A record of another version of the rules, as far as the installed ones fit it; if they don't
    to its end, that is a failure.
    """
    from pelagos.engine import record as records

    match, why = records.replay_as_far(data)
    fits, moves = len(match.history), len(data["moves"])
    shown = match if at is None else match.at(at)
    versions = {"version": records.other_rules(data), "installed": match.game.rules}
    if as_json:
        verdict = {"ok": why is None, "moves": moves, "fits": fits, "view": shown.view(seat)}
        print_json({**verdict, "other_rules": versions, **({"why": str(why)} if why else {})})
    else:
        out.print(shown.text(seat, lang), markup=False)
        number = fits if at is None else at
        rules = "played by version {version} of the rules, shown by version {installed}"
        out.print(
            f"move {number} of {moves}; {rules.format(**versions)}, which fits the first {fits}.",
            markup=False,
        )
    if why:
        raise why
