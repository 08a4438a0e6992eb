"""What a server can be set to, by its environment; every number has a sane default."""

from __future__ import annotations

import os
from typing import Annotated

from pydantic import (
    Field,
    NonNegativeFloat,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pelagos.engine.errors import PelagosError, short, text

PREFIX = "PELAGOS_"


class Settings(BaseSettings):
    """How a server behaves; `beat` is set by PELAGOS_BEAT, and so on."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, env_ignore_empty=True)

    hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Names that people reach this server by, with commas: `play.example.org`. Addresses and the
    machine's own name always do."""
    metrics_key: str = ""
    """Who names it may read `/metrics`, which tells how long bots think; without one, nobody."""
    limits: bool = True
    """Are there rate limits?"""
    moves_a_second: PositiveFloat = 10.0
    """Of one seat, on average; short bursts may be four times as fast."""
    lines_a_minute: PositiveFloat = 20.0
    """Of talk, of one seat, on average; a few at once may come faster."""
    hints_a_minute: PositiveFloat = 20.0
    """For one address, on average; a few at once may come faster."""
    requests_a_second: PositiveFloat = 200.0
    """Of one address: a whole club may sit behind it."""
    tables_a_minute: PositiveFloat = 60.0
    """New ones, of one address."""
    analyses_an_hour: PositiveFloat = 30.0
    """Games that the coach is asked to look at, from one address."""
    streams: PositiveInt = 1000
    """Open at a time from one address."""
    pause: Annotated[tuple[NonNegativeFloat, NonNegativeFloat], NoDecode] = (0.4, 1.6)
    """Where being asked hides something, bots answer after a time drawn between these."""
    away: NonNegativeFloat = 30.0
    """Seconds without an open stream after which a person counts as away."""
    thinkers: PositiveInt = Field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """Processes that bots think in."""
    compile_ahead: bool = True
    """Are games compiled in processes of their own, before anybody asks for them?"""
    lease: PositiveFloat = 10.0
    """Seconds after which owed work that somebody began is anybody's again."""
    beat: PositiveFloat = 10.0
    """Seconds between signs of life on a stream."""
    reread: PositiveFloat = 2.0
    """Seconds between looks for news that got lost."""
    idle: NonNegativeFloat = 600.0
    """Seconds after which a table that nobody looks at is put away; its log stays."""

    @field_validator("hosts", mode="before")
    @classmethod
    def _list(cls, value: object) -> object:
        """`a.example, b.example` are two names."""
        if not isinstance(value, str):
            return value
        return tuple(filter(None, (name.strip().lower() for name in value.split(","))))

    @field_validator("pause", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """`0.4,1.6` are two numbers; one number is both."""
        if not isinstance(value, str):
            return value
        low, _, high = value.partition(",")
        return (low, high or low)


def read_settings() -> Settings:
    """The defaults, changed by the environment; a sentence for a wrong value."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"{PREFIX}{str(first['loc'][0]).upper()}"
        value = os.environ.get(name, first["input"])
        raise PelagosError(
            text("tables/refuse.setting", name=name, value=short(value), reason=first["msg"])
        ) from None
