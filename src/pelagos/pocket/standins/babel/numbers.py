"""Numbers as people write them, in English and French."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

SIGNS = {"en": (",", "."), "fr": ("\u202f", ",")}
"""What stands between thousands, and before a fraction."""


def format_decimal(number: float, format: str = "#,##0.###", *, locale: str) -> str:
    """The number by a pattern such as `#,##0.0`: 0 is a digit that is always there, # is not."""
    between, point = SIGNS[locale]
    places = format.partition(".")[2]
    exact = Decimal(str(number)).quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_EVEN)
    whole, _, fraction = f"{exact:,f}".partition(".")
    while len(fraction) > places.count("0") and fraction.endswith("0"):
        fraction = fraction[:-1]
    return whole.replace(",", between) + (point + fraction if fraction else "")
