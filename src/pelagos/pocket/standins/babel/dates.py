"""Days as people write them, in English and French."""

from __future__ import annotations

from datetime import date

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
SHORT_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
}
WEEKDAYS = {"en": "MTWTFSS", "fr": "LMMJVSD"}
"""Their first letters, from Monday on."""


def format_date(day: date, format: str, *, locale: str) -> str:
    """The day by a pattern, whose words are written out one by one."""
    words = {
        "d": str(day.day),
        "MMMM": MONTHS[locale].split()[day.month - 1],
        "MMM": SHORT_MONTHS[locale].split()[day.month - 1],
        "y": str(day.year),
        "EEEEE": WEEKDAYS[locale][day.weekday()],
    }
    return " ".join(words[word] for word in format.split())
