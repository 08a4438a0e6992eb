"""What a game says of itself, and the registry that finds games by entry point."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from pelagos.engine.errors import BadOption, BadRecord, UnknownGame, short, text

GROUP = "pelagos.games"


@dataclass(frozen=True)
class Option:
    """A choice made before the game; its default may be left out."""

    name: str
    default: bool | int
    about: Mapping[str, str]
    values: tuple[bool | int, ...] = (False, True)
    ruling: str = ""
    """A house reading: the ruling that it decides otherwise. At its default no record has it."""
    players: range | None = None
    """The numbers of players it is for; None: all."""
    hint: Mapping[str, str] = field(default_factory=dict)
    """For whom it is recommended."""
    is_goal: bool = False
    """Does it say only when a player has won? It changes no move, and at its default no record has
    it.
    """

    def is_for(self, players: int) -> bool:
        """Is it offered to so many players?"""
        return self.players is None or players in self.players


BY_LOT = -1
"""Instead of a seat: lots are drawn."""


@dataclass(frozen=True)
class FirstSeat:
    """The option that names the seat which begins; left out, or `BY_LOT`, lots are drawn.

    What a deal says of it has the same name.
    """

    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    players: range
    loser: bool = False
    """Does the loser of the last game at the table begin the next?"""

    def after(self, winners: Sequence[int], began: int, chosen: int) -> int:
        """Who begins the next game: where it isn't the loser, whoever was chosen for all."""
        if not self.loser:
            return chosen
        return 1 - (winners[0] if len(winners) == 1 else began)


def check_first(name: str, seat: int, chosen: int) -> None:
    """Refuse a deal in which another seat begins than was chosen."""
    if chosen not in (BY_LOT, seat):
        raise BadRecord(text("refuse.first_deal", name=name, seat=seat, chosen=chosen))


@dataclass(frozen=True)
class TableOption:
    """How a table shows or runs a game; no part of its rules, and not in its records."""

    name: str
    default: bool
    about: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Game:
    """A game's card in the catalogue. Loading it loads none of its rules."""

    id: str
    package: str
    titles: Mapping[str, str]
    authors: tuple[str, ...]
    published: str
    players: range
    minutes: str
    about: Mapping[str, str]
    actions: int
    outcome: int
    """The most numbers that a chance step draws."""
    lines: tuple[str, ...]
    options: tuple[Option, ...] = field(default=())
    table_options: tuple[TableOption, ...] = field(default=())
    first: FirstSeat | None = None
    """How a seat is told to begin; None where nobody begins."""
    follow: Mapping[str, str] = field(default_factory=dict)
    """Choices whose sequel can be chosen with them: a group of choices, and the group after it."""
    fixed_colours: bool = False
    """Are pieces drawn and called in their seat's colour, so that it can't have another?"""
    secrets: bool = True
    """Does a seat know what the others may not? Then people at one device cover the table."""
    simultaneous: bool = False
    """Do several seats choose at the same time, before any of these choices is revealed?"""
    orders: bool = False
    """Can standing orders be given? Then the game has a module `orders`."""
    rules: str = "1"
    """Version of the rules, as records name it."""

    @cache  # noqa: B019 (a game is there for as long as the process)
    def part(self, name: str) -> ModuleType:
        """One of the game's modules, loaded when first asked for."""
        return importlib.import_module(f"{self.package}.{name}")

    def check_options(self, options: Mapping[str, Any]) -> dict[str, bool | int]:
        """The options with their defaults, `players` first; a clear sentence for a wrong one."""
        by_name = {option.name: option for option in self.options}
        players = options.get("players", self.default_players)
        if type(players) is not int or players not in self.players:
            raise BadOption(
                text(
                    "refuse.players",
                    game=self.id,
                    first=self.players[0],
                    last=self.players[-1],
                    players=short(players),
                )
            )
        checked: dict[str, bool | int] = {"players": players}
        first = () if self.first is None else (self.first.name,)
        for name in options:
            if name not in ("players", *by_name, *first):
                names = ", ".join(["players", *by_name, *first])
                raise BadOption(
                    text("refuse.no_option", game=self.id, name=short(name), known=names)
                )
        for name, option in by_name.items():
            value = options.get(name, option.default)
            if type(value) is not type(option.default) or value not in option.values:
                allowed = ", ".join(str(value).lower() for value in option.values)
                raise BadOption(
                    text(
                        "refuse.option",
                        game=self.id,
                        name=name,
                        allowed=allowed,
                        value=short(value),
                    )
                )
            checked[name] = value
        if self.first is not None and self.first.name in options:
            self._check_first(self.first, options[self.first.name], checked)
        if hasattr(self.part("rules"), "check"):
            self.part("rules").check(checked)
        return checked

    def recorded_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options as a record has them: house readings and goals only where chosen."""
        unwritten = [option for option in self.options if option.ruling or option.is_goal]
        usual = {option.name: option.default for option in unwritten}
        return {
            name: value
            for name, value in options.items()
            if name not in usual or value != usual[name]
        }

    def _check_first(self, first: FirstSeat, seat: Any, checked: dict[str, bool | int]) -> None:
        """Add the seat that begins; a lot is what happens anyway."""
        players = int(checked["players"])
        if type(seat) is not int or not BY_LOT <= seat < players:
            named = {"game": self.id, "name": first.name, "last": players - 1}
            raise BadOption(text("refuse.first_seat", value=short(seat), **named))
        if seat != BY_LOT and players not in first.players:
            raise BadOption(
                text("refuse.first_players", game=self.id, name=first.name, players=players)
            )
        if seat != BY_LOT:
            checked[first.name] = seat

    def longest(self, options: Mapping[str, Any], pack: Any = None) -> int:
        """No game with these options, and this pack, has more decisions."""
        most: int = self.part("rules").longest(self.check_options(options), self._material(pack))
        return most

    def points(self, options: Mapping[str, Any], pack: Any = None) -> tuple[int, int]:
        """The fewest and the most points that a seat could end with; nobody has less or more."""
        scoring = self.part("scoring")
        span: tuple[int, int] = scoring.points_span(
            self.check_options(options), self._material(pack)
        )
        return span

    def _material(self, pack: Any) -> Any:
        """A pack's record; without one, that of the pack that comes with the game."""
        arrays = importlib.import_module("pelagos.engine.arrays")
        packs = importlib.import_module("pelagos.engine.pack")
        return arrays.record_of((pack or packs.default_pack(self)).data)

    @property
    def default_players(self) -> int:
        """Three where the game allows it, else the most it allows."""
        return 3 if 3 in self.players else self.players[-1]


@cache
def games() -> dict[str, Game]:
    """Every installed game by its id."""
    installed = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            installed[entry.name] = entry.load()
        except Exception as error:  # anybody's package: one that fails must not stop the others
            broken[entry.name] = f"{type(error).__name__}: {error}"
    return installed


broken: dict[str, str] = {}
"""Games that are installed but can't be loaded, and why."""


def find_game(name: str) -> Game:
    """The game with this id."""
    known = games()
    if name in broken:
        raise UnknownGame(text("refuse.game_broken", name=repr(name), reason=broken[name]))
    if name not in known:
        raise UnknownGame(text("refuse.no_game", name=short(name), known=", ".join(known)))
    return known[name]
