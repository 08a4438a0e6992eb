"""What a server can be set to, by a file or its environment; everything has a sane default.

The fields are the one list of settings: names in files (`beat`) and in the environment
(`PELAGOS_BEAT`), what `pelagos settings` prints and the documentation's table follow from them.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pelagos.engine.errors import PelagosError, short, text
from pelagos.tables.beacon import ADDRESS, NO_ADDRESS

PREFIX = "PELAGOS_"


class Settings(BaseSettings):
    """How a server behaves; `beat` is set by PELAGOS_BEAT, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, env_ignore_empty=True, use_attribute_docstrings=True
    )

    host: str = "127.0.0.1"
    """The address to listen at."""
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    """The port."""
    data: Path = Path("pelagos-data")
    """The folder in which the tables are kept (SQLite)."""
    database: str = ""
    """A PostgreSQL database instead: `postgresql://user@host/name`."""
    hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Names that people reach this server by, with commas: `play.example.org`. Addresses and the
    machine's own name need none; any other name is refused with 421, because a stranger's page
    could have pointed its own name at your server."""
    proxies: Annotated[tuple[str, ...], NoDecode] = ("127.0.0.1", "::1")
    """Addresses or networks of proxies, with commas: who asked and whether by https
    (`X-Forwarded-For`, `-Proto`) is believed from them and from nobody else."""
    routed: bool = False
    """Does a proxy send all requests for one table to the same of several processes? Then streams
    that were opened elsewhere, while that process was away, are ended when it is back, and their
    readers ask again."""
    hsts_days: NonNegativeInt = 0
    """How long browsers that came by https shall come by nothing else; 0: they aren't told."""
    metrics_key: str = ""
    """Who names it may read `/metrics`, which tells how long bots think; without one, nobody."""
    beacon: str = ""
    """A drand beacon that is mixed into every deal, by the address of a relay and the hash of a
    chain: `https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971`.
    Each deal then waits for a round that was named with its commitment."""
    limits: bool = True
    """Are there limits and quotas by seat and address? `off` lifts all of them."""
    moves_a_second: PositiveFloat = 10.0
    """Moves of one seat, on average; bursts may be four times as many."""
    lines_a_minute: PositiveFloat = 20.0
    """Lines of talk of one seat, on average; five may come at once."""
    hints_a_minute: PositiveFloat = 20.0
    """Hints for one address, on average; ten may come at once, and a longer thought counts as one
    more."""
    milliseconds_a_second: PositiveFloat = 300.0
    """Processor time that the requests of one address may take, on average; what twenty seconds
    bring may be used at once. A move takes a millisecond or two, a step of a replay fifty."""
    requests_a_second: PositiveFloat = 1000.0
    """Requests of one address, however cheap, on average; bursts may be four times as many: a whole
    club may sit behind it."""
    tables_a_minute: PositiveFloat = 60.0
    """New tables of one address."""
    tables_a_day: PositiveInt = 2000
    """New tables of one address on one day (UTC), in all processes together."""
    bot_games_a_day: PositiveInt = 2000
    """Games with bots of one address on one day, in all processes together."""
    megabytes: PositiveInt = 500
    """What the tables that one address has laid in the last 30 days may take, all together."""
    entries_a_table: PositiveInt = 20_000
    """Entries of one table's log, about a hundred a game; after that it can only be read."""
    names_days: NonNegativeInt = 0
    """After so many days on which nothing has happened at a table its people's names are erased;
    0: never."""
    analyses_an_hour: PositiveFloat = 30.0
    """Games that the coach is asked to look at, from one address; what is stored already is
    free."""
    streams: PositiveInt = 1000
    """Streams open at a time from one address."""
    pause: Annotated[tuple[NonNegativeFloat, NonNegativeFloat], NoDecode] = (0.4, 1.6)
    """Seconds between which bots' answers are drawn where being asked hides something."""
    away: NonNegativeFloat = 30.0
    """Seconds without an open stream after which a person counts as away."""
    thinkers: PositiveInt = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) - 1),
        examples=["cores − 1"],
    )
    """Processes that bots think in."""
    bot_seconds_a_minute: PositiveFloat = 30.0
    """Of bots' thinking for one address, before others' bots come first; tables at which nobody
    plays get no more."""
    compile_ahead: bool = True
    """Are games compiled in processes of their own, before anybody asks for them? `off` compiles a
    game when somebody asks for it, in the server itself, and lets them wait."""
    lease: PositiveFloat = 10.0
    """Seconds after which owed work that somebody began is anybody's again."""
    drain: NonNegativeFloat = 0.0
    """Seconds for which a server that is told to stop still answers, while `/health` says 503 so
    that a balancer asks others; then streams are ended, and requests that were begun finished."""
    beat: PositiveFloat = 10.0
    """Seconds between signs of life on a stream."""
    reread: PositiveFloat = 2.0
    """Seconds between looks for news that got lost."""
    idle: NonNegativeFloat = 600.0
    """Seconds after which a table that nobody looks at is put away; its log stays."""

    @property
    def where(self) -> Path | str:
        """The database: its URL, or the folder of a SQLite file."""
        return self.database or self.data

    @field_validator("hosts", "proxies", mode="before")
    @classmethod
    def _list(cls, value: object) -> object:
        """`a.example, b.example` are two names."""
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, list | tuple):
            return value
        return tuple(filter(None, (str(name).strip().lower() for name in names)))

    @field_validator("proxies")
    @classmethod
    def _networks(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        """Names can be pointed elsewhere: addresses and networks alone are trusted."""
        for proxy in proxies:
            ip_network(proxy)
        return proxies

    @field_validator("beacon")
    @classmethod
    def _chain_address(cls, address: str) -> str:
        """Which chain it is must be said: a relay may have several."""
        if address and not ADDRESS.fullmatch(address):
            raise ValueError(NO_ADDRESS)
        return address

    @field_validator("pause", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """`0.4,1.6` are two numbers; one number is both."""
        if not isinstance(value, str):
            return value
        low, _, high = value.partition(",")
        return (low, high or low)


@dataclass(frozen=True)
class About:
    """What a host is told of a setting."""

    key: str
    """Its name in a file."""
    default: Any
    about: str
    note: str
    """What the default is, where it depends on the machine."""

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return _variable(self.key)

    @property
    def toml(self) -> str:
        """The default as a file has it."""
        return json.dumps(self.default, default=str) + (f"  # {self.note}" if self.note else "")

    @property
    def shown(self) -> str:
        """The default as the environment has it."""
        return self.note or _shown(self.default)

    def as_json(self) -> dict[str, Any]:
        """All of it as data."""
        described = {"key": self.key, "variable": self.variable, "default": self.shown}
        return {**described, "about": self.about}


def all_settings() -> list[About]:
    """Every setting, in the order in which they are told."""
    return [
        About(
            key,
            field.get_default(call_default_factory=True),
            " ".join((field.description or "").split()),
            (field.examples or [""])[0],
        )
        for key, field in Settings.model_fields.items()
    ]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(_shown, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"


def read_settings(file: Path | None = None, **given: object) -> Settings:
    """The defaults, changed by a file, by the environment, and by what is given (None: it isn't);
    a sentence for a wrong name or value.
    """
    asked = {key: value for key, value in given.items() if value is not None}
    if "data" in asked and "database" not in asked:
        asked["database"] = ""
    written = {} if file is None else _read_file(file)
    in_file = {key: value for key, value in written.items() if not os.environ.get(_variable(key))}
    try:
        return Settings(**{**in_file, **asked})
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        value = asked.get(key, in_file.get(key, os.environ.get(_variable(key), first["input"])))
        name = f"{key} ({file})" if key in in_file else f"--{key}" if key in asked else ""
        raise PelagosError(
            text(
                "tables/refuse.setting",
                name=name or _variable(key),
                value=short(value),
                reason=first["msg"].removeprefix("Value error, "),
            )
        ) from None


def _variable(key: str) -> str:
    return f"{PREFIX}{key.upper()}"


def _read_file(file: Path) -> Mapping[str, Any]:
    """What a TOML file sets; nothing else may be in it."""
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise PelagosError(
            text("tables/refuse.settings_file", file=str(file), reason=error.strerror)
        ) from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise PelagosError(
            text("tables/refuse.settings_file", file=str(file), reason=short(error))
        ) from None
    for key in written:
        if key not in Settings.model_fields:
            nearest = difflib.get_close_matches(key, Settings.model_fields, 1, 0)[0]
            raise PelagosError(
                text("tables/refuse.no_setting", name=key, file=str(file), nearest=nearest)
            )
    return written
