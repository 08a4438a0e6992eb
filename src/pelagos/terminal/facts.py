"""A view's facts: single ones in one line, a number for each of many things in columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from pelagos.engine.view import View
from pelagos.terminal.layout import columns
from pelagos.terminal.reader import QUIET, Reader

LONGEST_LINE = 30
"""A list of facts that is longer is told in columns."""
FEWEST_THINGS = 4
"""So many things at least make a tally."""


def draw_facts(view: View, reader: Reader, width: int, tallies_too: bool = True) -> Iterator[Text]:
    """All facts; without room for tallies, what the command `f` would show of them."""
    single: list[Text] = []
    tallies: dict[str, dict[str, int]] = {}
    colon = reader.own.text("table.colon")
    for key, value in view["facts"].items():
        label = reader.words.text(f"fact.{key}")
        tally = _tally(value, reader)
        if tally:
            tallies[label] = tally
            continue
        shown = _fact(value, view, reader)
        heading = (label + colon, QUIET)
        if isinstance(value, list) and len(shown) > LONGEST_LINE:
            yield Text.assemble(heading)
            yield from columns([Text("  " + _fact(part, view, reader)) for part in value], width)
        elif shown:
            single.append(Text.assemble(heading, shown))
    if tallies and tallies_too:
        yield from _draw_tallies(tallies, reader, width)
    elif tallies:
        yield Text("f" + colon + " / ".join(tallies), style=QUIET)
    if single:
        yield Text().append(" · ", style=QUIET).join(single)


def _fact(value: Any, view: View, reader: Reader) -> str:
    if isinstance(value, list):
        return " | ".join(_fact(part, view, reader) for part in value)
    if isinstance(value, dict) and not {"noun", "seat", "key"} & value.keys():
        return ", ".join(
            f"{_owner(key, view, reader)} {_fact(part, view, reader)}"
            for key, part in value.items()
        )
    if isinstance(value, bool):
        return reader.words.text(f"fact.{str(value).lower()}")
    return "" if value is None else reader.value(value)


def _owner(key: str, view: View, reader: Reader) -> str:
    """A seat by its player's name, anything else by its noun."""
    if key.isdigit() and int(key) < view["players"]:
        return reader.called(int(key))
    return reader.words.noun(key)


# --- tallies ----------------------------------------------------------------------------------


def _tally(value: Any, reader: Reader) -> dict[str, int]:
    """A fact as numbers by noun, if it is that."""
    if isinstance(value, dict):
        things = list(value.items())
    elif isinstance(value, list) and all(
        isinstance(part, dict) and "key" in part for part in value
    ):
        things = [_noun_and_number(part["params"]) for part in value]
    else:
        return {}
    have_nouns = all(reader.words.has(f"noun.{name}") for name, _ in things)
    numbers = all(isinstance(number, int) for _, number in things)
    return dict(things) if have_nouns and numbers and len(things) >= FEWEST_THINGS else {}


def _noun_and_number(params: Mapping[str, Any]) -> tuple[str, Any]:
    """The thing and the number of a text that has just these two."""
    values = params.values()
    nouns = [value["noun"] for value in values if isinstance(value, dict) and "noun" in value]
    numbers = [value for value in values if isinstance(value, int)]
    if len(params) == 2 and len(nouns) == len(numbers) == 1:
        return nouns[0], numbers[0]
    return "", None


def _draw_tallies(
    tallies: Mapping[str, Mapping[str, int]], reader: Reader, width: int
) -> Iterator[Text]:
    things = dict.fromkeys(name for tally in tallies.values() for name in tally)
    yield Text(" / ".join(tallies), style=QUIET)
    items = []
    for name in things:
        item = Text().append("  " + reader.words.noun(name), style=reader.colour(name))
        numbers = [str(tally.get(name, "–")) for tally in tallies.values()]
        items.append(item.append(" " + "/".join(numbers), style="bold"))
    yield from columns(items, width)
