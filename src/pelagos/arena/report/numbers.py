"""Numbers as the report writes them."""

from __future__ import annotations

from pelagos.arena.intervals import Estimate


def minus(text: str) -> str:
    """With true minus signs."""
    return text.replace("-", "−")


def percent(value: float) -> str:
    """A rate."""
    return f"{100 * value:.1f} %"


def percent_range(estimate: Estimate) -> str:
    """The interval of a rate."""
    return f"{100 * estimate.low:.1f} – {100 * estimate.high:.1f}"


def percent_interval(estimate: Estimate) -> str:
    """A rate with its interval."""
    return f"{percent(estimate.value)} ({percent_range(estimate)})"


def mean_interval(estimate: Estimate) -> str:
    """A mean with its interval."""
    return minus(f"{estimate.value:.1f} ({estimate.low:.1f} – {estimate.high:.1f})")


def duration(milliseconds: float) -> str:
    """A time in the unit that suits it."""
    if milliseconds < 1:
        return f"{1000 * milliseconds:.3g} µs"
    if milliseconds < 1000:
        return f"{milliseconds:.3g} ms"
    return f"{milliseconds / 1000:.3g} s"
