"""A game's rules and the house's bots as one WebAssembly module, for browsers.

A module is made from the same source as everything else, in a process of its own (`engine.wasm`
says why), and comes with a manifest that says what its functions take. A package brings the
modules of the house's own games; whatever is missing there, or was made from other rules, is made
when first asked for, and kept in the cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pelagos.bots.flat import flat_rules
from pelagos.bots.outlook import CANDIDATES, RATED, TALLY
from pelagos.bots.playing import playing
from pelagos.bots.playouts import BY_SEAT, MOST_CHOICES, playouts
from pelagos.bots.race import THOUGHT, race_fields, racing
from pelagos.bots.search import TRUST, new_tree, search_rules
from pelagos.engine import processes
from pelagos.engine.compiled import cache_folder, identity
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.rule import rule
from pelagos.engine.turns import play_outs, random_chooser
from pelagos.engine.types import MOST_SEATS, Array

FORMAT = 1
PACKAGED = Path(__file__).with_name("wasm")
"""Where a package has the modules of its own games."""


@dataclass(frozen=True)
class Module:
    """A game's module and its manifest."""

    wasm: bytes
    manifest: dict[str, Any]

    def write(self, folder: Path, name: str = "") -> None:
        """Write GAME.wasm and GAME.json."""
        name = name or str(self.manifest["game"])
        folder.mkdir(parents=True, exist_ok=True)
        files = {"wasm": self.wasm, "json": json.dumps(self.manifest).encode()}
        for ending, content in files.items():  # never half a file, whoever writes at the same time
            draft = folder / f".{name}.{os.getpid()}.{ending}"
            draft.write_bytes(content)
            draft.replace(folder / f"{name}.{ending}")

    @classmethod
    def read(cls, folder: Path, name: str) -> Module:
        """What `write` wrote."""
        manifest = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        return cls((folder / f"{name}.wasm").read_bytes(), manifest)


@dataclass(frozen=True)
class Blocks:
    """What lies at the addresses of a race, with the states that it works on, and of `search`'s
    trees.
    """

    race: Any
    tree: Any

    @classmethod
    def of(cls, game: Game) -> Blocks:
        """Those of a game."""
        from pelagos.engine.wasm import Block, Kinds, array

        race = array(race_fields(game).dtype, 1, name="race")
        states = array(Kinds(game).state.kind, 3, name="state")
        tree = [array(part.dtype, *part.shape, name="tree") for part in new_tree(game)]
        return cls(Block("race", (race, states)), Block("tree", tuple(tree)))


@cache
def exports(game: Game) -> dict[str, Any]:
    """All functions of a game's module."""
    from pelagos.engine.wasm import REAL, WHOLE, Block, Export, Kinds, array, exports_of

    kinds, blocks, rules, entries = Kinds(game), Blocks.of(game), playing(game), _entries(game)
    of_seat = (kinds.state, kinds.pack, WHOLE)
    asked = (kinds.states, kinds.packs, WHOLE, kinds.stream, WHOLE)
    counts = (kinds.state, kinds.pack, kinds.room, kinds.totals)
    slice_ = (kinds.packs, WHOLE, REAL, kinds.room)
    race, tree = blocks.race, blocks.tree
    record = Block("race", race.parts[:1])
    thoughts = array("float64", game.actions + 1, THOUGHT)
    return {
        **exports_of(game),
        "count_up": Export(rules.count_up, counts),
        "play_out": Export(entries.play_out, (kinds.state, kinds.pack, kinds.stream, kinds.room)),
        "greedy": Export(rules.best, (*of_seat, kinds.stream, kinds.room)),
        "rate": Export(rules.rate_rule, (*of_seat, WHOLE)),
        "flat_start": Export(entries.flat_start, (*asked, race, kinds.room)),
        "flat_go": Export(entries.flat_go, (race, *slice_)),
        "search_start": Export(entries.search_start, (*asked, race, tree, kinds.room)),
        "search_go": Export(entries.search_go, (race, tree, *slice_)),
        "search_keep": Export(entries.search_keep, (record, tree)),
        "race_choice": Export(racing(game).choice, (record,)),
        "race_thoughts": Export(racing(game).tell, (record, thoughts)),
        **_coaching(game),
        **_valuing(game),
    }


def _valuing(game: Game) -> dict[str, Any]:
    """What the game's networks say, where it has any, and looks ahead by them."""
    from pelagos.bots.networks import shipped
    from pelagos.bots.valuing import scratch
    from pelagos.engine.wasm import WHOLE, Block, Export, Kinds, array

    networks = shipped(game)
    if networks is None:
        return {}
    kinds, rules, network = Kinds(game), _looking(game), networks.trained[0].network
    room = scratch(game, network)
    parts = tuple(array(part.dtype, *part.shape, name="scratch") for part in room)
    thinks = (array(network.dtype, 1, name="network"), Block("scratch", parts))
    rated = array("int64", len(room.values), RATED)
    states = array(kinds.state.kind, 3, name="state")
    race = (array("int64", CANDIDATES), array("int64", CANDIDATES, TALLY), kinds.stream)
    return {
        "network_rate": Export(rules.rate, (kinds.states, kinds.packs, WHOLE, *thinks, rated)),
        "network_look": Export(rules.look, (states, kinds.packs, WHOLE, WHOLE, *race, *thinks)),
    }


def _looking(game: Game) -> SimpleNamespace:
    """The network's rules, called from outside."""
    from pelagos.bots.planner import PLIES, looking
    from pelagos.bots.valuing import Scratch, valuing

    rate_all, look_ahead = valuing(game).rate_all, looking(game)

    @rule
    def rate(
        position: Array,
        packs: Array,
        seat: int,
        networks: Array,
        states: Array,
        features: Array,
        sums: Array,
        layer: Array,
        actions: Array,
        values: Array,
        points: Array,
        totals: Array,
        known: Array,
        weights: Array,
        rated: Array,
    ) -> int:
        """Write every legal action with its value and points; return how many there are."""
        thinks = (states, features, sums, layer, actions, values, points, totals)
        room = Scratch(*thinks, known, weights)
        count = int(rate_all(position, packs, seat, networks, room))
        for place in range(count):
            rated[place, 0] = actions[0, place]
            rated[place, 1] = values[place]
            rated[place, 2] = points[place, 0]
            rated[place, 3] = points[place, 1]
        return count

    @rule
    def look(
        worlds: Array,
        packs: Array,
        seat: int,
        count: int,
        candidates: Array,
        tallies: Array,
        stream: Array,
        networks: Array,
        states: Array,
        features: Array,
        sums: Array,
        layer: Array,
        actions: Array,
        values: Array,
        points: Array,
        totals: Array,
        known: Array,
        weights: Array,
    ) -> None:
        """A look at each of the first `count` candidates, in one world that they share."""
        thinks = (states, features, sums, layer, actions, values, points, totals)
        room = Scratch(*thinks, known, weights)
        look_ahead(worlds, packs, seat, PLIES, count, candidates, tallies, stream, networks, room)

    return SimpleNamespace(rate=rate, look=look)


def _networks_told(game: Game) -> dict[str, Any]:
    """What the module can be given as a network: whom each is for, and where its parts lie."""
    from pelagos.bots.networks import shipped
    from pelagos.bots.valuing import scratch

    networks = shipped(game)
    if networks is None:
        return {}
    dtype = networks.trained[0].network.dtype
    fields: Mapping[str, Any] = dtype.fields or {}
    return {
        "pack": networks.pack,
        "players": [list(entry.players) for entry in networks.trained],
        "size": dtype.itemsize,
        "scratch": sum(part.nbytes for part in scratch(game, networks.trained[0].network)),
        "fields": {name: fields[name][1] for name in fields if name != "padding"},
    }


def _coaching(game: Game) -> dict[str, Any]:
    """The coach's play-outs."""
    from pelagos.engine.wasm import WHOLE, Export, Kinds, array

    kinds, rules = Kinds(game), playouts(game)
    width = 2 * MOST_SEATS + kinds.lines
    states, streams = array(kinds.state.kind, 3, name="state"), array("uint64", 3, 4)
    sums = array("int64", MOST_CHOICES * (BY_SEAT + width))
    room, choices = (kinds.room, array("int64", 2 * width)), array("int64", MOST_CHOICES)
    both, chosen = (states, kinds.packs), (kinds.totals, WHOLE)
    decided = (WHOLE, WHOLE, choices, choices, WHOLE, WHOLE, *chosen)
    return {
        "coach_position": Export(rules.position, (*both, WHOLE, streams, *room, sums)),
        "coach_decision": Export(rules.decision, (*both, *decided, streams, *room, sums)),
    }


def _entries(game: Game) -> SimpleNamespace:
    """Rules that are called from outside alone."""
    line_up, search, flat_advance = racing(game).line_up, search_rules(game), flat_rules(game)
    plant, search_advance, keep = search.plant, search.advance, search.keep
    play_at_random = play_outs(game, (random_chooser(game),)).play_out

    @rule
    def play_out(game: Any, pack: Any, stream: Array, room: Array) -> int:
        """Play to the end at random; return how many decisions it took."""
        return int(play_at_random(game, pack, room, stream, room))

    @rule
    def flat_start(
        position: Array,
        packs: Array,
        seat: int,
        stream: Array,
        limit: int,
        races: Array,
        states: Array,
        room: Array,
    ) -> int:
        """Line up a race; return how many run."""
        return int(line_up(position, packs, seat, stream, limit, 0.0, races, states, room))

    @rule
    def flat_go(
        races: Array, states: Array, packs: Array, count: int, part: float, room: Array
    ) -> int:
        """Make so many simulations; return how many were made (0: the race is over)."""
        return int(flat_advance(races, states, packs, count, part, room, ()))

    @rule
    def search_start(
        position: Array,
        packs: Array,
        seat: int,
        stream: Array,
        limit: int,
        races: Array,
        states: Array,
        nodes: Array,
        branches: Array,
        sizes: Array,
        roots: Array,
        ways: Array,
        path: Array,
        rates: Array,
        room: Array,
    ) -> int:
        """Line up a race; return how many run."""
        tree = (nodes, branches, sizes, roots, ways, path, rates)
        count = int(line_up(position, packs, seat, stream, limit, TRUST, races, states, room))
        if count > 1:
            plant(races, states, packs, room, tree)
        return count

    @rule
    def search_go(
        races: Array,
        states: Array,
        nodes: Array,
        branches: Array,
        sizes: Array,
        roots: Array,
        ways: Array,
        path: Array,
        rates: Array,
        packs: Array,
        count: int,
        part: float,
        room: Array,
    ) -> int:
        """Make so many simulations; return how many were made (0: the race is over)."""
        tree = (nodes, branches, sizes, roots, ways, path, rates)
        return int(search_advance(races, states, packs, count, part, room, tree))

    @rule
    def search_keep(
        races: Array,
        nodes: Array,
        branches: Array,
        sizes: Array,
        roots: Array,
        ways: Array,
        path: Array,
        rates: Array,
    ) -> None:
        """Keep the tree below the best candidate."""
        keep(races, (nodes, branches, sizes, roots, ways, path, rates))

    return SimpleNamespace(
        play_out=play_out,
        flat_start=flat_start,
        flat_go=flat_go,
        search_start=search_start,
        search_go=search_go,
        search_keep=search_keep,
    )


def build(game: Game) -> Module:
    """Make the module. This process is of no other use afterwards."""
    from pelagos.engine import wasm

    kinds, blocks, functions = wasm.Kinds(game), Blocks.of(game), exports(game)
    code, signatures = wasm.build(functions)
    manifest = {
        "format": FORMAT,
        "game": game.id,
        "rules": game.rules,
        "source": source(game),
        "state": game.part("state").STATE.size,
        "pack": game.part("state").PACK.size,
        "race": blocks.race.size,
        "tree": blocks.tree.size,
        "room": kinds.size,
        "lines": kinds.lines,
        "features": kinds.features,
        "columns": kinds.columns,
        "networks": _networks_told(game),
        "exports": signatures,
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
    yield f"{FORMAT} {game.id} {game.rules} {json.dumps(_networks_told(game))}"
    for name, export in exports(game).items():
        yield f"{name} {identity(export.rule)} {export.takes}"


def find(game: Game, folder: Path, name: str = "") -> Module | None:
    """The game's module in a folder, if it was made from these very rules."""
    try:
        ready = Module.read(folder, name or game.id)
    except (OSError, ValueError):
        return None
    return ready if ready.manifest.get("source") == source(game) else None


@cache
def module(game: Game) -> Module:
    """The game's module: the package's, the cache's, or a new one."""
    ready = _ready(game)
    return _build_elsewhere(game) if ready is None else ready[0]


def _kept_name(game: Game) -> str:
    """How the game's module is called in the cache."""
    return f"{game.id}-{source(game)[:16]}"


def _ready(game: Game) -> tuple[Module, Path] | None:
    """The package's module or the cache's, and its path without an ending."""
    for path in (PACKAGED / game.id, cache_folder() / _kept_name(game)):
        ready = find(game, path.parent, path.name)
        if ready is not None:
            return ready, path
    return None


def _build_elsewhere(game: Game) -> Module:
    """Make the module in a process of its own."""
    command = [sys.executable, "-m", "pelagos.bots.pocket", game.id, "--parent", str(os.getpid())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or "?").splitlines()[-1]
        raise PelagosError(text("bots/refuse.no_module", game=game.id, reason=reason))
    path = Path(done.stdout.strip())
    return Module.read(path.parent, path.name)


def main(name: str, folder: str = "", parent: int = 0, nice: bool = False) -> None:
    """Make the module of a game, named by its id or as `package:NAME`, where it isn't yet.

    Without a folder it is looked for where `module` does, or made and kept there; then a line says
    where it lies, without an ending. Of several processes one makes it, and the others wait. If
    `parent`, the process that asked, is killed, this one ends. `nice`: at the lowest priority.
    """
    if parent:
        processes.end_with_parent(parent)
    is_place = ":" in name
    game = EntryPoint(name, name, "pelagos.games").load() if is_place else find_game(name)
    if folder:
        if find(game, Path(folder)) is None:
            build(game).write(Path(folder))
        return
    path = cache_folder() / _kept_name(game)
    with processes.alone(path.with_name(f"{path.name}.lock")):
        ready = _ready(game)
        if ready is None:
            if nice:
                processes.be_nice()
            build(game).write(path.parent, path.name)
    print(path if ready is None else ready[1])


if __name__ == "__main__":
    from pelagos.bots import pocket  # the hash has the rules' names in it, none of them __main__

    asked = ArgumentParser()
    asked.add_argument("name")
    asked.add_argument("folder", nargs="?", default="")
    asked.add_argument("--parent", type=int, default=0)
    asked.add_argument("--nice", action="store_true")
    pocket.main(**vars(asked.parse_args()))
