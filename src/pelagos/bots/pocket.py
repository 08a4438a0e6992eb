"""A game's rules and the house's bots as one WebAssembly module, for browsers.

A module is made from the same source as everything else, in a process of its own (`engine.wasm`
says why), and comes with a manifest that says what its functions take. A package brings the
modules of the house's own games; whatever is missing there, or was made from other rules, is made
when first asked for, and kept in the cache.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pelagos.bots.playing import playing
from pelagos.engine.compiled import cache_folder, identity
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game, find_game

FORMAT = 1
PACKAGED = Path(__file__).with_name("wasm")
"""Where a package has the modules of its own games."""


@dataclass(frozen=True)
class Module:
    """A game's module and its manifest."""

    wasm: bytes
    manifest: dict[str, Any]

    def write(self, folder: Path) -> None:
        """Write GAME.wasm and GAME.json."""
        name = str(self.manifest["game"])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.wasm").write_bytes(self.wasm)
        (folder / f"{name}.json").write_text(json.dumps(self.manifest), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path, game: Game) -> Module:
        """What `write` wrote."""
        manifest = json.loads((folder / f"{game.id}.json").read_text(encoding="utf-8"))
        return cls((folder / f"{game.id}.wasm").read_bytes(), manifest)


def exports(game: Game) -> dict[str, Any]:
    """All functions of a game's module."""
    from pelagos.engine.wasm import WHOLE, Export, Kinds, exports_of

    kinds, rules = Kinds(game), playing(game)
    of_seat = (kinds.state, kinds.pack, WHOLE)
    counts = (kinds.state, kinds.pack, kinds.room, kinds.totals)
    return {
        **exports_of(game),
        "count_up": Export(rules.count_up, counts),
        "greedy": Export(rules.best, (*of_seat, kinds.stream, kinds.room)),
        "rate": Export(rules.rate_rule, (*of_seat, WHOLE)),
    }


def build(game: Game) -> Module:
    """Make the module. This process is of no other use afterwards."""
    from pelagos.engine import wasm

    kinds, functions = wasm.Kinds(game), exports(game)
    code, told = wasm.build(functions)
    manifest = {
        "format": FORMAT,
        "game": game.id,
        "rules": game.rules,
        "source": source(game),
        "state": game.part("state").STATE.size,
        "pack": game.part("state").PACK.size,
        "room": kinds.size,
        "lines": kinds.lines,
        "features": kinds.features,
        "columns": kinds.columns,
        "exports": told,
    }
    return Module(code, manifest)


@cache
def source(game: Game) -> str:
    """A hash of all that the module is made from."""
    digest = hashlib.sha256()
    for piece in _pieces(game):
        digest.update(piece.encode() + b"\0")
    return digest.hexdigest()


def _pieces(game: Game) -> Iterator[str]:
    from pelagos.engine import compiler, wasm, wasm_link

    for module in (compiler, wasm, wasm_link):
        yield Path(str(module.__file__)).read_text(encoding="utf-8")
    yield f"{FORMAT} {game.id} {game.rules}"
    for name, export in exports(game).items():
        yield f"{name} {identity(export.rule)} {export.takes}"


@cache
def module(game: Game) -> Module:
    """The game's module: the package's, the cache's, or a new one."""
    kept = cache_folder() / "wasm"
    for folder in (PACKAGED, kept):
        if (folder / f"{game.id}.json").is_file():
            ready = Module.read(folder, game)
            if ready.manifest["source"] == source(game):
                return ready
    with TemporaryDirectory() as draft:
        _build_elsewhere(game, Path(draft))
        made = Module.read(Path(draft), game)
    made.write(kept)
    return made


def _build_elsewhere(game: Game, folder: Path) -> None:
    """Make the module in a process of its own."""
    command = [sys.executable, "-m", "pelagos.bots.pocket", game.id, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or "?").splitlines()[-1]
        raise PelagosError(text("bots/refuse.no_module", game=game.id, reason=reason))


def main(name: str, folder: str) -> None:
    """Make the module of a game, named by its id or as `package:NAME`."""
    is_place = ":" in name
    game = EntryPoint(name, name, "pelagos.games").load() if is_place else find_game(name)
    build(game).write(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
