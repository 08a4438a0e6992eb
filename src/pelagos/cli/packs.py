"""`pelagos pack`: content packs of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import pack_app
from pelagos.cli.options import AsJson, GameName, find_pack
from pelagos.cli.output import out, print_json
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import find_game


@pack_app.command("new")
def new_pack(
    game: GameName,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that isn't there yet.")],
) -> None:
    """Start a pack of your own: a copy of the default one, to be changed."""
    installed = find_game(game)
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise PelagosError(text("cli/refuse.folder_exists", folder=str(folder)))
    pack = find_pack(installed, None)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pack.files.items():
        if name == "pack.toml":
            own_name = json.dumps(folder.name[:80] or "mine", ensure_ascii=False)
            content = content.replace('name = "default"', f"name = {own_name}", 1)
        (folder / name).write_bytes(content.encode())
    out.print(f"{folder}: {', '.join(sorted(pack.files))}", markup=False)
    out.print(f"Change them, then: pelagos pack check {game} {folder}", markup=False)


@pack_app.command("check")
def check_pack(
    game: GameName,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The pack's folder.")],
    as_json: AsJson = False,
) -> None:
    """Check a pack: a mistake is named by file, line and reason."""
    pack = find_pack(find_game(game), folder)
    if as_json:
        print_json({"name": pack.name, "sha256": pack.sha256, "ok": True})
    else:
        out.print(f"{pack.name}: a good pack for {game} (sha256 {pack.sha256[:16]}…)", markup=False)
