"""Games by the million: tallies, rows, and single games as matches."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pelagos.arena.intervals import Z95
from pelagos.arena.matches import play_match
from pelagos.arena.plan import Entrant
from pelagos.bots.budget import ONE_SIMULATION
from pelagos.bots.whole_games import BotGames, chooser
from pelagos.engine.batch import Batch
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack
from pelagos.engine.stream import below, players_stream, seed_of
from pelagos.engine.types import Array

RANDOM = "random"
CHUNK = 10_000
BOT_CHUNK = 500
GPU_CHUNK = 1_000_000


class Played(Protocol):
    """Games that are over."""

    pack: Pack
    count: int
    players: int
    totals: Any
    won: Any
    lengths: Any

    def play_out(self) -> Array:
        """Play them."""
        ...


@dataclass
class Tally:
    """What many games came to."""

    game: Game
    pack: Pack
    bots: Sequence[str]
    """Who sat in each seat."""
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    sums: Array = field(init=False)
    squares: Array = field(init=False)
    lowest: Array = field(init=False)
    highest: Array = field(init=False)
    wins: Array = field(init=False)

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.bots)

    def __post_init__(self) -> None:
        self.sums = np.zeros(self.players)
        self.squares = np.zeros(self.players)
        self.lowest = np.full(self.players, np.iinfo(np.int64).max)
        self.highest = np.full(self.players, np.iinfo(np.int64).min)
        self.wins = np.zeros(self.players)

    def add(self, played: Played) -> None:
        """Count games; a shared win is split."""
        self.games += played.count
        self.decisions += int(played.lengths.sum())
        self.sums += played.totals.sum(0)
        self.squares += (played.totals.astype(float) ** 2).sum(0)
        self.lowest = np.minimum(self.lowest, played.totals.min(0))
        self.highest = np.maximum(self.highest, played.totals.max(0))
        masks = np.bincount(played.won, minlength=1 << self.players)
        won = np.arange(len(masks))[:, None] >> np.arange(self.players) & 1
        self.wins += masks @ (won / np.maximum(won.sum(1, keepdims=True), 1))

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
            "bots": list(self.bots),
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

    def add(self, played: Played, first: int) -> None:
        """Write games; `first` is the number of the first one."""
        seats = range(played.players)
        winners = [
            " ".join(str(seat) for seat in seats if mask >> seat & 1)
            for mask in range(1 << played.players)
        ]
        columns = [
            range(first, first + played.count),
            *played.totals.T.tolist(),
            [winners[mask] for mask in played.won.tolist()],
            played.lengths.tolist(),
        ]
        if self._packs:
            columns.insert(0, [played.pack.name] * played.count)
        self._writer.writerows(zip(*columns, strict=True))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


@dataclass(frozen=True)
class Simulation:
    """Games of a seed's series, by bots that can play compiled games.

    Where random players are among themselves they draw from one stream for the whole game, which
    is many times as fast. In all other games every bot is asked as it is asked in the arena.
    """

    game: Game
    options: Mapping[str, Any]
    bots: Sequence[str]
    """Who sits in each seat."""
    seed: str
    threads: int = 1
    device: str = "cpu"

    @classmethod
    def make(
        cls,
        game: Game,
        options: Mapping[str, Any],
        names: Sequence[str],
        seed: str,
        threads: int = 1,
        device: str = "cpu",
    ) -> Simulation:
        """A checked one, by one bot for all seats or one for each."""
        players = int(options["players"])
        bots = [Entrant.parse(name, ONE_SIMULATION).bot for name in names]
        if len(bots) not in (1, players):
            raise PelagosError(
                text("arena/refuse.seats", players=players, bots=", ".join(map(short, names)))
            )
        seats = bots * players if len(bots) == 1 else bots
        for bot in dict.fromkeys(seats):
            chooser(bot, game)
        if device != "cpu" and set(seats) != {RANDOM}:
            raise PelagosError(text("arena/refuse.bots_on_device", device=short(device)))
        return cls(game, options, tuple(seats), seed, threads, device)

    @property
    def is_random(self) -> bool:
        """Are all players random?"""
        return set(self.bots) == {RANDOM}

    @property
    def chunk(self) -> int:
        """How many games are played at a time."""
        if self.device == "gpu":
            return GPU_CHUNK
        return (CHUNK if self.is_random else BOT_CHUNK) * self.threads

    def games(self, pack: Pack, first: int, count: int, seed: str | None = None) -> Played:
        """Some of the games, not yet played."""
        which: dict[str, Any] = {
            "seed": self.seed if seed is None else seed,
            "first": first,
            "pack": pack,
            "threads": self.threads,
        }
        if self.is_random:
            return Batch(self.game, count, device=self.device, **which, **self.options)
        return BotGames(self.game, self.bots, count, options=self.options, **which)

    def run(
        self,
        pack: Pack,
        games: int,
        advance: Callable[[int], None] = lambda _: None,
        file: CsvFile | None = None,
    ) -> Tally:
        """Play games 0 to games - 1; whatever must be compiled is compiled before."""
        self.games(pack, 0, 1, seed="warm").play_out()
        tally = Tally(self.game, pack, self.bots)
        wall, cpu = time.perf_counter(), time.process_time()
        for first in range(0, games, self.chunk):
            played = self.games(pack, first, min(self.chunk, games - first))
            played.play_out()
            tally.add(played)
            if file:
                file.add(played, first)
            advance(played.count)
        tally.seconds = time.perf_counter() - wall
        tally.cpu_seconds = time.process_time() - cpu
        return tally

    def match(self, pack: Pack, index: int) -> Match:
        """Game `index`, with its history: the one that `run` plays too."""
        if self.is_random:
            return random_match(self.game, pack, self.options, self.seed, index)
        match = Match.new(self.game, seed=seed_of(self.seed, index), pack=pack, **self.options)
        for seat, (chair, bot) in enumerate(zip(match.seats, self.bots, strict=True)):
            chair.update(name=f"{bot} {seat}", bot=bot)
        play_match(match, [Entrant(bot, bot, ONE_SIMULATION) for bot in self.bots])
        return match


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
