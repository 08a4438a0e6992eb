"""What Prometheus may ask: latencies, streams, bots, refusals."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

_SECONDS = (0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """One server's numbers."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.well = Gauge(
            "pelagos_well",
            "1 while the database can be written, 0 while it can't.",
            registry=self._registry,
        )
        self.draining = Gauge(
            "pelagos_draining", "1 when the server is going to stop.", registry=self._registry
        )
        self.overdue = Gauge(
            "pelagos_overdue_seconds",
            "For how long the oldest answer that a bot owes, or a clock, has been due.",
            registry=self._registry,
        )
        self.disk_free = Gauge(
            "pelagos_disk_free_bytes",
            "Room beside the SQLite file; none is told for PostgreSQL.",
            ["folder"],
            registry=self._registry,
        )
        self.latency = Histogram(
            "pelagos_move_to_stream_seconds",
            "From a move's POST to another seat's stream.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.requests = Histogram(
            "pelagos_request_seconds",
            "How long requests took, by method and status.",
            ["method", "status"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.streams = Gauge("pelagos_streams", "Open event streams.", registry=self._registry)
        self.tables = Gauge(
            "pelagos_open_tables", "Tables open in this process.", registry=self._registry
        )
        self.bots = Histogram(
            "pelagos_bot_seconds", "How long bots thought.", ["bot"], registry=self._registry
        )
        self.refused = Counter(
            "pelagos_refused", "Requests refused, by reason.", ["code"], registry=self._registry
        )
        self.races = Counter(
            "pelagos_races_lost", "Appends that lost a race.", registry=self._registry
        )

        self.advice = Counter(
            "pelagos_advice",
            "Hints and rounds of the coach, by who thought: the server, or the player's browser.",
            ["of", "where"],
            registry=self._registry,
        )

        self.strays = Counter(
            "pelagos_strays",
            "What people did through another process at tables that are looked at in this one.",
            registry=self._registry,
        )

    def bot_answered(self, bot: str, seconds: float) -> None:
        """A bot has made its move."""
        self.bots.labels(bot).observe(seconds)

    def race_lost(self) -> None:
        """Somebody else wrote first."""
        self.races.inc()

    def strayed(self, entries: int) -> None:
        """People at a table that is looked at here were answered by another process."""
        self.strays.inc(entries)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)
