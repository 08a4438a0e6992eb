"""What a place can be set to; every number has a sane default."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How a server behaves."""

    limits: bool = True
    """Are there rate limits?"""
    moves_a_second: float = 10.0
    """Of one seat, on average; short bursts may be four times as fast."""
    requests_a_second: float = 200.0
    """Of one address: a whole club may sit behind it."""
    tables_a_minute: float = 60.0
    """New ones, of one address."""
    streams: int = 1000
    """Open at a time from one address."""
    pause: tuple[float, float] = (0.4, 1.6)
    """Where being asked hides something, bots answer after a time drawn between these."""
    window: float = 20.0
    """Seconds for who is asked something whose answer must tell nothing by its time."""
    away: float = 30.0
    """Seconds without an open stream after which a person counts as away."""
    thinkers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes that bots think in."""
    lease: float = 10.0
    """Seconds after which owed work that somebody began is anybody's again."""
    beat: float = 10.0
    """Seconds between signs of life on a stream."""
    reread: float = 2.0
    """Seconds between looks for news that got lost."""
    idle: float = 600.0
    """Seconds after which a table that nobody looks at is put away; its log stays."""

    @classmethod
    def from_environment(cls) -> Settings:
        """The defaults, changed by PELAGOS_LIMITS=off, PELAGOS_PAUSE=0.4,1.6 and so on."""
        from dataclasses import fields

        changed: dict[str, object] = {}
        for field in fields(cls):
            told = os.environ.get(f"PELAGOS_{field.name.upper()}")
            if told is None:
                continue
            if field.name == "limits":
                changed[field.name] = told.lower() not in ("off", "0", "no", "false")
            elif field.name == "pause":
                low, _, high = told.partition(",")
                changed[field.name] = (float(low), float(high or low))
            elif field.name in ("streams", "thinkers"):
                changed[field.name] = int(told)
            else:
                changed[field.name] = float(told)
        return cls(**changed)  # type: ignore[arg-type]
