"""Tournaments: every bot in every seat of the same deals.

A deal is played by every line-up in every seating, so that neither cards nor seats favour anyone.
Game after game goes into a file of JSON lines, from which an interrupted tournament goes on.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from pelagos.bots import (
    LADDER,
    Budget,
    Decision,
    Player,
    UnknownBot,
    bots,
    decide,
    find_creature,
    warm_up,
)
from pelagos.bots.question import PackFiles, own_files, pack_of
from pelagos.engine.errors import PelagosError, short
from pelagos.engine.game import Game, find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack
from pelagos.engine.record import result
from pelagos.engine.stream import seed_of

FULL_ROUNDS = 10
"""Fewer deals than this are too few: then each deal is played in rotations only."""
STEP = 1.05
"""Thinking times are counted in steps of five per cent."""
LONGEST_FAILURE = 300
FORMAT = 1


# --- the plan -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entrant:
    """A bot with its budget, under the name by which it was entered."""

    name: str
    bot: str
    budget: Budget

    @classmethod
    def parse(cls, words: str, budget: Budget) -> Entrant:
        """`search`, `search@200ms`, or a creature of the ladder."""
        name, at, own = words.partition("@")
        if name in bots():
            return cls(words, name, Budget.parse(own) if at else budget)
        try:
            creature = find_creature(name)
        except UnknownBot:
            known = ", ".join([*bots(), *(creature.id for creature in LADDER)])
            raise UnknownBot(
                f"There is no bot or creature {short(name)}; there are: {known}."
            ) from None
        return cls(words, creature.bot, Budget.parse(own) if at else creature.budget)


class Fixture(NamedTuple):
    """One game to be played: a deal, and who sits where."""

    deal: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """All that decides a tournament's games; workers anywhere get nothing else."""

    game: str
    options: Mapping[str, Any]
    seed: str
    entrants: tuple[Entrant, ...]
    pack_files: PackFiles | None = None

    @classmethod
    def make(
        cls,
        game: Game,
        options: Mapping[str, Any],
        seed: str,
        names: Sequence[str],
        budget: Budget,
        pack: Pack | None = None,
    ) -> Plan:
        """A checked plan."""
        if not names:
            raise PelagosError("Name at least one bot.")
        if len(set(names)) < len(names):
            raise PelagosError(
                "Name each bot once; the same one with two budgets is search@50ms search@200ms."
            )
        files = None if pack is None else own_files(pack)
        entrants = tuple(Entrant.parse(name, budget) for name in names)
        return cls(game.id, game.check_options(options), seed, entrants, files)

    @property
    def players(self) -> int:
        """How many sit at a table."""
        return int(self.options["players"])

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def pack(self) -> Pack:
        """The material."""
        return pack_of(self.game, self.pack_files)

    def entrant(self, name: str) -> Entrant:
        """The entrant of this name."""
        return next(one for one in self.entrants if one.name == name)

    def header(self) -> dict[str, Any]:
        """The first line of a file of results."""
        return {
            "pelagos_arena": FORMAT,
            "game": self.game,
            "rules": find_game(self.game).rules,
            "pack": self.pack.sha256,
            "options": dict(self.options),
            "seed": self.seed,
            "entrants": {one.name: [one.bot, str(one.budget)] for one in self.entrants},
        }

    def fixtures(self, games: int) -> Iterator[Fixture]:
        """The games to play, deal by deal, the last deal's completed."""
        full = games >= FULL_ROUNDS * sum(len(seatings(one)) for one in self.line_ups())
        count = 0
        for deal in itertools.count():
            if count >= games:
                return
            for fixture in self.round(deal, full):
                count += 1
                yield fixture

    def round(self, deal: int, full: bool) -> Iterator[Fixture]:
        """All games of one deal: every seating, or rotations of an order drawn for the deal."""
        for line_up in self.line_ups():
            if full:
                found = seatings(line_up)
            else:
                order = list(line_up)
                random.Random(f"{self.seed}/{deal}").shuffle(order)
                found = rotations(order)
            for seats in found:
                yield Fixture(deal, seats)

    def line_ups(self) -> list[tuple[str, ...]]:
        """Who sits together: different bots if there are enough, else each on some seats."""
        if len(self.names) >= self.players:
            return list(itertools.combinations(self.names, self.players))
        each, more = divmod(self.players, len(self.names))
        return [
            tuple(sorted(self.names * each + extra, key=self.names.index))
            for extra in itertools.combinations(self.names, more)
        ]


def seatings(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Every way to seat a line-up."""
    return list(dict.fromkeys(itertools.permutations(line_up)))


def rotations(order: Sequence[str]) -> list[tuple[str, ...]]:
    """Each bot once in each seat, the order around the table kept."""
    turned = [(*order[first:], *order[:first]) for first in range(len(order))]
    return list(dict.fromkeys(turned))


# --- a game ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """What one game came to."""

    deal: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    digest: str
    """Of all moves: two runs that played alike have the same."""
    more: dict[str, Any]
    """Numbers that the game adds to its result, such as a margin."""
    times: tuple[dict[str, int], ...]
    """For each seat, how many decisions took how many steps of time."""
    seconds: tuple[float, ...]
    """For each seat, the thinking time of all its decisions."""
    failures: dict[str, str]
    """What went wrong with a seat's bot, so that another moved in its place."""

    @property
    def fixture(self) -> Fixture:
        """The game that this was."""
        return Fixture(self.deal, self.seats)

    def to_line(self) -> str:
        """One line of a file of results."""
        return json.dumps(self.__dict__, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_line(cls, data: Mapping[str, Any]) -> Played:
        """A game from its line."""
        return cls(
            int(data["deal"]),
            tuple(data["seats"]),
            tuple(data["scores"]),
            tuple(data["winners"]),
            str(data["digest"]),
            dict(data["more"]),
            tuple(data["times"]),
            tuple(data["seconds"]),
            dict(data["failures"]),
        )


def deal_out(plan: Plan, deal: int) -> Match:
    """The match of a deal, nobody having moved."""
    pack = plan.pack
    return Match.new(pack.game, seed=seed_of(plan.seed, deal), pack=pack, **plan.options)


def play(plan: Plan, fixture: Fixture) -> Played:
    """Play one game."""
    match = deal_out(plan, fixture.deal)
    clocks = play_match(match, [plan.entrant(name) for name in fixture.seats])
    ended = result(match.position)
    return Played(
        fixture.deal,
        fixture.seats,
        tuple(ended["scores"]),
        tuple(ended["winners"]),
        _digest(match),
        {key: value for key, value in ended.items() if isinstance(value, int | float)},
        tuple(clock.times for clock in clocks),
        tuple(round(clock.seconds, 6) for clock in clocks),
        {
            str(seat): "; ".join(clock.failures)[:LONGEST_FAILURE]
            for seat, clock in enumerate(clocks)
            if clock.failures
        },
    )


def play_match(match: Match, entrants: Sequence[Entrant]) -> list[Clock]:
    """Let the entrants play a match to its end; what the decisions of each took."""
    players = [Player(entrant.bot) for entrant in entrants]
    clocks = [Clock() for _ in entrants]
    while not match.over:
        seat = match.pending[0]
        decision = decide(match, seat, players[seat], entrants[seat].budget)
        match.play(seat, decision.action)
        clocks[seat].count(decision)
    for player in players:
        player.close()
    return clocks


@dataclass
class Clock:
    """What a seat's decisions took, and what went wrong with them."""

    seconds: float = 0.0
    times: dict[str, int] = field(default_factory=dict)
    """How many decisions took how many steps of time."""
    failures: list[str] = field(default_factory=list)

    def count(self, decision: Decision) -> None:
        """Count a decision; one without a choice takes no time."""
        if decision.seconds is not None:
            self.seconds += decision.seconds
            step = step_of(decision.seconds)
            self.times[step] = self.times.get(step, 0) + 1
        if decision.failure:
            self.failures.append(decision.failure)


def step_of(seconds: float) -> str:
    """The step of the scale of thinking times, as a key of JSON."""
    return str(round(math.log(max(seconds, 1e-6) * 1e6) / math.log(STEP)))


def milliseconds_of(step: str) -> float:
    """What a step of the scale stands for."""
    return float(STEP ** int(step) / 1e3)


def _digest(match: Match) -> str:
    moves = [(entry.seat, entry.action, entry.outcome) for entry in match.history]
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]


def get_ready(plan: Plan) -> None:
    """Compile and load all that the games will need, so that no decision is timed with it."""
    warm_up(find_game(plan.game), [entrant.bot for entrant in plan.entrants])


# --- the file of results --------------------------------------------------------------------


class Results:
    """Games played so far, kept in a file if there is one."""

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.plan = plan
        self.path = path
        self.games: dict[Fixture, Played] = {}
        self._file: Any = None
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise PelagosError(f"{path} can't be read: {error}.") from None
        whole, _, torn = text.rpartition("\n")
        lines = whole.split("\n") if whole else []
        if lines:
            self._read(path, lines)
        elif torn:
            raise PelagosError(f"{path} isn't a tournament's file; name a new one.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+" if lines else "w", encoding="utf-8")
        except OSError as error:
            raise PelagosError(f"{path} can't be written: {error.strerror}.") from None
        if lines:
            self._file.seek(len((whole + "\n").encode()))
            self._file.truncate()
        else:
            self._write(json.dumps(self.plan.header(), ensure_ascii=False))

    def _read(self, path: Path, lines: Sequence[str]) -> None:
        try:
            header = json.loads(lines[0])
            games = [Played.from_line(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError) as error:
            raise PelagosError(f"{path} isn't a tournament's file: {error}.") from None
        own = self.plan.header()
        if not isinstance(header, dict) or "pelagos_arena" not in header:
            raise PelagosError(f"{path} isn't a tournament's file; name a new one.")
        for key, value in own.items():
            if header.get(key) != value:
                raise PelagosError(
                    f"{path} holds another tournament: its {key} is {header.get(key)}, not {value}."
                )
        self.games = {one.fixture: one for one in games}

    def add(self, played: Played) -> None:
        """Keep a game; it is in the file before anyone is told of it."""
        self.games[played.fixture] = played
        if self._file is not None:
            self._write(played.to_line())

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()


# --- playing --------------------------------------------------------------------------------

Work = Callable[[Plan, Sequence[Fixture]], Iterator[Played]]
"""Plays fixtures and gives the games as they end, in any order (see `workers`)."""


@dataclass
class Tournament:
    """A plan being carried out."""

    plan: Plan
    results: Results
    wanted: list[Fixture] = field(default_factory=list)

    def run(self, games: int, work: Work, advance: Callable[[int], None] = lambda _: None) -> None:
        """Play up to `games` games, those in the file being played already."""
        self.wanted = list(self.plan.fixtures(games))
        left = [fixture for fixture in self.wanted if fixture not in self.results.games]
        advance(len(self.wanted) - len(left))
        for played in work(self.plan, left):
            self.results.add(played)
            advance(1)

    @property
    def finished(self) -> list[Played]:
        """The games of all deals that are played to the end, in the plan's order."""
        games = self.results.games
        missing = {fixture.deal for fixture in self.wanted if fixture not in games}
        return [games[one] for one in self.wanted if one.deal not in missing]
