"""`pelagos games`: what is installed."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from pelagos.cli.app import app
from pelagos.cli.options import DEFAULT_LANGUAGE, AsJson, Language
from pelagos.cli.output import out, print_json
from pelagos.engine.game import Game, games


@app.command("games")
def list_games(as_json: AsJson = False, lang: Language = DEFAULT_LANGUAGE) -> None:
    """List the games: players, options, packs and where their material comes from."""
    described = [_describe(game) for game in games().values()]
    if as_json:
        print_json({"games": described})
        return
    for game, about in zip(games().values(), described, strict=True):
        title = game.titles.get(lang, game.titles["en"])
        out.print(f"[bold]{game.id}[/]  {title}, {', '.join(game.authors)}, {game.published}")
        out.print(f"  {game.about.get(lang, game.about['en'])}", markup=False)
        out.print(f"  players: {game.players[0]}–{game.players[-1]}, minutes: {game.minutes}")
        for option in game.options:
            values = "|".join(str(value).lower() for value in option.values)
            text = option.about.get(lang, option.about["en"])
            out.print(f"  option {option.name}={values}: {text}", markup=False)
        for shown in game.table_options:
            text = shown.about.get(lang, shown.about["en"])
            out.print(f"  shown {shown.name}=false|true: {text}", markup=False)
        out.print(f"  pack {about['pack']['name']}:")
        for part, source in about["pack"]["provenance"].items():
            out.print(f"    {part}: {source}", markup=False)
        out.print()


def _describe(game: Game) -> dict[str, Any]:
    toml = (files(game.package) / "pack" / "pack.toml").read_text(encoding="utf-8")
    pack = tomllib.loads(toml)
    return {
        "id": game.id,
        "titles": dict(game.titles),
        "authors": list(game.authors),
        "published": game.published,
        "players": [game.players[0], game.players[-1]],
        "rules": game.rules,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": list(option.values),
                **({"ruling": option.ruling} if option.ruling else {}),
            }
            for option in game.options
        ],
        "pack": {"name": pack["name"], "provenance": pack.get("provenance", {})},
    }
