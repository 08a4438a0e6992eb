"""Random games by the million: tallies, rows, and single games as matches."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.arena.intervals import Z95
from pelagos.engine.batch import Batch
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack
from pelagos.engine.stream import below, players_stream, seed_of
from pelagos.engine.types import Array

CHUNK = 10_000
GPU_CHUNK = 1_000_000


@dataclass
class Tally:
    """What many games came to."""

    game: Game
    pack: Pack
    players: int
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    sums: Array = field(init=False)
    squares: Array = field(init=False)
    lowest: Array = field(init=False)
    highest: Array = field(init=False)
    wins: Array = field(init=False)

    def __post_init__(self) -> None:
        self.sums = np.zeros(self.players)
        self.squares = np.zeros(self.players)
        self.lowest = np.full(self.players, np.iinfo(np.int64).max)
        self.highest = np.full(self.players, np.iinfo(np.int64).min)
        self.wins = np.zeros(self.players)

    def add(self, batch: Batch) -> None:
        """Count a finished batch; a shared win is split."""
        self.games += batch.count
        self.decisions += batch.decisions
        self.seconds += batch.seconds
        self.cpu_seconds += batch.cpu_seconds
        self.sums += batch.totals.sum(0)
        self.squares += (batch.totals.astype(float) ** 2).sum(0)
        self.lowest = np.minimum(self.lowest, batch.totals.min(0))
        self.highest = np.maximum(self.highest, batch.totals.max(0))
        won = batch.won[:, None] >> np.arange(self.players) & 1
        self.wins += (won / np.maximum(won.sum(1, keepdims=True), 1)).sum(0)

    def mean(self, seat: int) -> float:
        """A seat's mean score."""
        return float(self.sums[seat] / self.games)

    def deviation(self, seat: int) -> float:
        """A seat's standard deviation."""
        spread = self.squares[seat] / self.games - self.mean(seat) ** 2
        return float(max(spread, 0.0) ** 0.5)

    def interval(self, seat: int) -> tuple[float, float]:
        """The mean's 95 % interval."""
        half = Z95 * self.deviation(seat) / self.games**0.5
        return self.mean(seat) - half, self.mean(seat) + half

    @property
    def decisions_per_second(self) -> float:
        """How fast it went."""
        return self.decisions / self.seconds if self.seconds else 0.0

    @property
    def games_per_second(self) -> float:
        """How fast it went, in whole games."""
        return self.games / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, Any]:
        """The tally for programs."""
        seats = range(self.players)
        return {
            "game": self.game.id,
            "pack": {"name": self.pack.name, "sha256": self.pack.sha256},
            "players": self.players,
            "games": self.games,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "decisions_per_second": self.decisions_per_second,
            "games_per_second": self.games_per_second,
            "mean_length": self.decisions / self.games,
            "mean_scores": [self.mean(seat) for seat in seats],
            "intervals": [list(self.interval(seat)) for seat in seats],
            "lowest": self.lowest.tolist(),
            "highest": self.highest.tolist(),
            "win_rates": (self.wins / self.games).tolist(),
        }


class CsvFile:
    """One row a game."""

    def __init__(self, path: Path, players: int, packs: bool) -> None:
        try:
            self._file = path.open("w", newline="", encoding="utf-8")
        except OSError as error:
            raise PelagosError(
                text("arena/refuse.unwritable", file=str(path), reason=str(error.strerror))
            ) from None
        self._packs = packs
        self._writer = csv.writer(self._file)
        scores = [f"score_{seat}" for seat in range(players)]
        self._writer.writerow(
            [*(["pack"] if packs else []), "game", *scores, "winners", "decisions"]
        )

    def add(self, batch: Batch, first: int) -> None:
        """Write a finished batch."""
        for index in range(batch.count):
            winners = [seat for seat in range(batch.players) if int(batch.won[index]) >> seat & 1]
            self._writer.writerow(
                [
                    *([batch.pack.name] if self._packs else []),
                    first + index,
                    *batch.totals[index].tolist(),
                    " ".join(map(str, winners)),
                    int(batch.lengths[index]),
                ]
            )

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def run(
    game: Game,
    pack: Pack,
    options: Mapping[str, Any],
    games: int,
    seed: str,
    threads: int,
    device: str,
    advance: Callable[[int], None],
    file: CsvFile | None = None,
) -> Tally:
    """Play games 0 to games - 1 of the seed's series with random players."""
    chunk = GPU_CHUNK if device == "gpu" else CHUNK * threads
    Batch(game, 1, pack=pack, seed="warm", device=device, **options).play_out()
    tally = Tally(game, pack, int(options["players"]))
    for first in range(0, games, chunk):
        count = min(chunk, games - first)
        batch = Batch(
            game,
            count,
            seed=seed,
            first=first,
            pack=pack,
            threads=threads,
            device=device,
            **options,
        )
        batch.play_out()
        tally.add(batch)
        if file:
            file.add(batch, first)
        advance(count)
    return tally


def random_match(
    game: Game, pack: Pack, options: Mapping[str, Any], seed: str, index: int
) -> Match:
    """Game `index` of the seed's series, with its history: the one that `run` plays too."""
    start = seed_of(seed, index)
    match = Match.new(game, seed=start, pack=pack, **options)
    for seat, chair in enumerate(match.seats):
        chair.update(name=f"random {seat}", bot="random")
    stream = players_stream(start)
    while not match.over:
        seat = match.pending[0]
        legal = match.legal(seat)
        match.play(seat, legal[below(stream, len(legal))])
    return match
