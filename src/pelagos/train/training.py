"""Rounds of learning: play, fit, compare with the weights so far, and write everything down.

A folder holds a run: `network.npz` (what a game ships), `training.npz` (to go on from), `curve.csv`
and its picture. Rows aren't kept: a run that goes on plays a round first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count as count_from
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.bots.networks import Trained, read, write
from pelagos.bots.outlook import NETWORK_FILE
from pelagos.engine.arrays import readable
from pelagos.engine.errors import BadOption, text
from pelagos.engine.game import Game
from pelagos.engine.network import Floats, fixed, network_type
from pelagos.engine.pack import Pack
from pelagos.engine.types import Array
from pelagos.train.curve import read_rows, write_rows
from pelagos.train.fitting import Norms, fit, has_torch, new_weights
from pelagos.train.self_play import GREEDY, Rows, SelfPlay

RESUMED = "training.npz"
CURVE = "curve.csv"
USUAL_SHARE = 0.8
"""Of the games, how many have the usual options; the rest have each of the others."""
OTHER_WEIGHTS = (0, 25, 50, 75, 100)
"""What a point of the best other may be worth, in hundredths; the best of them is measured."""
SLOWER = 6
"""Every so many rounds the weights change by half the steps, down to an eighth."""


@dataclass(frozen=True)
class Recipe:
    """How to train; the defaults are for a GPU and sixteen cores."""

    players: tuple[int, ...]
    seed: str = "train"
    hidden: int = 64
    inner: int = 32
    other_weight: int = 50
    games: int = 60_000
    """A round."""
    first_games: int = 0
    """Of the first round, which greedy plays, and quickly; 0: as many as of any."""
    rows: int = 90
    """Of a game and seat, at most."""
    prefix: int = 18
    """Of how many of its first decisions a seat may make some by lot."""
    trace: float = 1.0
    """How much of a target is what came later; the rest is what the network said of the seat's next
    decision, which chance has moved less."""
    steps: int = 3_000
    batch: int = 16_384
    rate: float = 2e-3
    keep: int = 5
    """Rounds that are learnt from."""
    deals: int = 1_000
    """To compare with, each with every seating."""
    threads: int = 16
    device: str = "cpu"


@dataclass(frozen=True)
class Shape:
    """Games with the same options, and how many of all they are."""

    play: SelfPlay
    share: float
    usual: bool


class Training:
    """A run in its folder."""

    def __init__(
        self, game: Game, pack: Pack, recipe: Recipe, folder: Path, tell: Callable[[str], None]
    ) -> None:
        """Go on with what the folder holds, or begin."""
        self.game, self.pack, self.recipe, self.folder = game, pack, recipe, folder
        self.layout = game.part("afterstate").LAYOUT
        self._tell = tell
        self._shapes = list(_shapes(game, pack, recipe))
        self._rounds: list[Rows] = []
        self.round, self.games, self.seconds = 0, 0, 0.0
        self.norms: Norms | None = None
        self.weights: Floats | None = None
        """What is learnt on."""
        self.best: Floats | None = None
        """The strongest so far, which plays."""
        self.strength: dict[str, Any] = {}
        self.other_weight = recipe.other_weight
        self.curve = read_rows(folder / CURVE)
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / RESUMED).is_file():
            self._resume()

    def run(self, seconds: float) -> None:
        """Make rounds until the time is over, at least one; then weigh what a point is worth."""
        began = time.perf_counter()
        longest = 0.0
        while True:
            start = time.perf_counter()
            self.one_round()
            longest = max(longest, time.perf_counter() - start)
            if time.perf_counter() - began + longest > seconds:
                break
        self.weigh()
        self.save()

    def one_round(self) -> None:
        """Play, fit, compare, save."""
        start = time.perf_counter()
        rows, mean = self._play()
        played = time.perf_counter() - start
        self._rounds = [*self._rounds, rows][-self.recipe.keep :]
        if self.round == 2:
            self._rounds = self._rounds[1:]  # greedy's games have served
        if self.norms is None or self.weights is None:
            self.norms = Norms.of(rows)
            self.weights = new_weights(self.norms, self.recipe.hidden, self.recipe.inner)
        self.weights, off = fit(
            self.weights,
            self.norms,
            self._rounds,
            steps=self._steps(),
            batch=self.recipe.batch,
            rate=self.recipe.rate / 2 ** min(self.round // SLOWER, 3),
            seed=self.round,
            device=self.recipe.device,
        )
        fitted = time.perf_counter() - start - played
        self._compare(off, len(rows.features))
        self.round += 1
        self.seconds += time.perf_counter() - start
        strength = self.strength["greedy"]
        self.curve.append(
            {
                "seconds": round(self.seconds, 1),
                "games": self.games,
                "share": round(strength[0], 4),
                "lower": round(strength[0] - strength[1], 4),
                "off": round(float(off[0]), 3),
            }
        )
        self.save()
        self._tell(
            f"round {self.round}: {self.games} games in all, mean {mean:.1f}; played {played:.0f} s"
            f", fitted {fitted:.0f} s; off by {off[0]:.2f} own, {off[1]:.2f} other; "
            f"{self.strength['said']}"
        )

    def _steps(self) -> int:
        """Fewer while there are few rounds to learn from, as when a run goes on."""
        if self.round == 0:
            return self.recipe.steps
        return max(1, self.recipe.steps * len(self._rounds) // self.recipe.keep)

    def _play(self) -> tuple[Rows, float]:
        """A round's games: by greedy at first, then by the best network."""
        which, total = GREEDY, self.recipe.first_games or self.recipe.games
        if self.best is not None:
            which, total = 0, self.recipe.games
        parts, points = [], []
        for shape in self._shapes:
            games = max(1, round(total * shape.share))
            seats = [which] * shape.play.players
            totals, _, rows = shape.play.play(
                self._networks(self.best),
                seats,
                self.games,
                games,
                self.recipe.prefix,
                self.recipe.rows * shape.play.players,
                self.recipe.trace,
            )
            parts.append(rows)
            points.append(totals.mean())
        self.games += total
        joined = Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
        return joined, float(np.mean(points))

    def _networks(self, *floats: Floats | None) -> Array:
        """The weights as records; where there are none yet, zeros that nobody asks."""
        blank = self.weights or self.best
        if blank is None:
            rows, recipe = self.layout.size, self.recipe
            norms = Norms(np.ones(rows, np.float32), np.zeros(2), np.ones(2))
            blank = new_weights(norms, recipe.hidden, recipe.inner)
        return np.concatenate(
            [fixed(weights or blank, self.layout, self.other_weight) for weights in floats]
        )

    def _compare(self, off: Array, rows: int) -> None:
        """Play against the strongest so far, and against greedy; the better one is kept."""
        networks = self._networks(self.weights, self.best)
        greedy = self._duels(networks, GREEDY)
        against = self._duels(networks, 1) if self.best is not None else (1.0, 0.0)
        better = against[0] >= 1.0 / _par(self._shapes)
        said = f"{100 * greedy[0]:.1f} % ± {100 * greedy[1]:.1f} against greedy"
        if self.best is not None:
            said += f", {100 * against[0]:.1f} % ± {100 * against[1]:.1f} against the best so far"
        if better or self.best is None:
            self.best = self.weights
            self.strength = {"greedy": greedy}
        self.strength["said"] = said

    def _duels(self, networks: Array, second: int, first: int = 0) -> tuple[float, float]:
        """The mean share of the wins over all usual shapes, and its interval's half."""
        usual = [shape for shape in self._shapes if shape.usual]
        deals = max(2, self.recipe.deals // len(usual))
        shares = [shape.play.duel(networks, first, second, deals) for shape in usual]
        half = np.sqrt(sum(share.var() / len(share) for share in shares)) / len(shares)
        return float(np.mean([share.mean() for share in shares])), float(1.96 * half)

    def weigh(self) -> None:
        """Let the best weights play against themselves with others' points worth more or less."""
        usual = self.other_weight
        standing = {}
        for weight in OTHER_WEIGHTS:
            self.other_weight = weight
            first = self._networks(self.best)
            self.other_weight = usual
            networks = np.concatenate([first, self._networks(self.best)])
            standing[weight] = self._duels(networks, 1)[0]
        self.other_weight = max(standing, key=lambda weight: standing[weight])
        shares = ", ".join(f"{weight}: {100 * share:.1f} %" for weight, share in standing.items())
        self._tell(f"a point of the best other, in hundredths, against {usual}: {shares}")
        self.strength["greedy"] = self._duels(self._networks(self.best), GREEDY)

    # --- the folder -------------------------------------------------------------------------------

    def trained(self) -> Trained:
        """The best network with where it comes from."""
        share, half = self.strength["greedy"]
        about = {
            "hidden": self.recipe.hidden,
            "games": self.games,
            "rounds": self.round,
            "seconds": round(self.seconds),
            "against_greedy": [round(share, 3), round(half, 3)],
            "recipe": asdict(self.recipe),
        }
        return Trained(
            self.recipe.players, fixed(self._strongest, self.layout, self.other_weight), about
        )

    @property
    def _strongest(self) -> Floats:
        assert self.best is not None
        return self.best

    def save(self) -> None:
        """Write the network, all that is needed to go on, and the curve."""
        write(self.folder / NETWORK_FILE, self.game, self.pack, [self.trained()])
        assert self.weights is not None
        assert self.norms is not None
        state = {
            "round": self.round,
            "games": self.games,
            "seconds": self.seconds,
            "strength": self.strength,
            "other_weight": self.other_weight,
            "features": self.layout.fingerprint,
        }
        arrays = {f"weights.{name}": part for name, part in self.weights._asdict().items()}
        arrays |= {f"best.{name}": part for name, part in self._strongest._asdict().items()}
        arrays |= {f"norms.{name}": part for name, part in asdict(self.norms).items()}
        state_bytes = np.frombuffer(json.dumps(state).encode(), np.uint8)
        np.savez_compressed(self.folder / RESUMED, allow_pickle=False, state=state_bytes, **arrays)
        title = f"{self.game.id}: share of the wins against greedy, by minutes of learning"
        write_rows(self.folder / CURVE, self.curve, title)

    def _resume(self) -> None:
        with np.load(self.folder / RESUMED, allow_pickle=False) as arrays:
            state = json.loads(arrays["state"].tobytes())
            if state["features"] != self.layout.fingerprint:
                raise BadOption(text("bots/network.features", folder=str(self.folder)))
            self.weights, self.best = (
                Floats(*(arrays[f"{part}.{name}"] for name in Floats._fields))
                for part in ("weights", "best")
            )
            self.norms = Norms(
                *(arrays[f"norms.{name}"] for name in ("features", "mean", "spread"))
            )
        self.round, self.games, self.seconds = state["round"], state["games"], state["seconds"]
        self.strength, self.other_weight = state["strength"], state["other_weight"]
        hidden, inner = self.weights.second.shape
        self.recipe = replace(self.recipe, hidden=hidden, inner=inner)


def _par(shapes: Sequence[Shape]) -> float:
    """One over what a player as good as the others wins, on average over the usual shapes."""
    usual = [shape.play.players for shape in shapes if shape.usual]
    return 1 / float(np.mean([0.5 if players == 1 else 1 / players for players in usual]))


def _shapes(game: Game, pack: Pack, recipe: Recipe) -> list[Shape]:
    """The usual options with every number of players, and each other value of an option."""
    shapes = []
    numbers = count_from()
    for players in recipe.players:
        usual = game.check_options({"players": players})
        others = [options for options in _variants(game, players) if options != usual]
        share = 1 / len(recipe.players)
        kinds = [(usual, share * (USUAL_SHARE if others else 1.0))]
        kinds += [(options, share * (1 - USUAL_SHARE) / len(others)) for options in others]
        for options, part in kinds:
            seed = f"{recipe.seed}/{next(numbers)}"
            play = SelfPlay(game, pack, options, seed, recipe.threads)
            shapes.append(Shape(play, part, options == usual))
    return shapes


def _variants(game: Game, players: int) -> list[dict[str, Any]]:
    variants = []
    for option in game.options:
        for value in option.values:
            try:
                variants.append(game.check_options({"players": players, option.name: value}))
            except BadOption:
                continue
    return variants


def join(files: Sequence[Path], out: Path, game: Game, pack: Pack) -> None:
    """Several runs' networks, each for its own numbers of players, in one file.

    All are made as wide as the widest, by units that say nothing: so one compilation serves them.
    """
    trained = [entry for file in files for entry in read(file.read_bytes(), game).trained]
    hidden = max(entry.network["bias"].shape[1] for entry in trained)
    inner = max(entry.network["second_bias"].shape[1] for entry in trained)
    write(
        out,
        game,
        pack,
        [replace(entry, network=_widened(entry.network, hidden, inner)) for entry in trained],
    )


def _widened(network: Array, hidden: int, inner: int) -> Array:
    rows = network["first"].shape[1]
    wide = np.zeros(1, network_type(rows, hidden, inner).dtype)
    for name in network.dtype.names or ():
        part = network[name]
        wide[name][tuple(slice(size) for size in part.shape)] = part
    return readable(wide)


def best_device() -> str:
    """A GPU if torch is installed and finds one."""
    if not has_torch():
        return "cpu"
    from importlib import import_module

    return "cuda" if import_module("torch").cuda.is_available() else "cpu"
