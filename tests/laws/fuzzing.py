"""Junk, and what must hold of every refusal: a person gets one clear sentence."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterable
from functools import cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from conftest import SOAK, finished, shapes
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game

LONGEST = 400
DEEP = 100_000

fuzz = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=1500 if SOAK else 100,
    suppress_health_check=list(HealthCheck),
)


def assert_clear(error: PelagosError) -> None:
    """One sentence, printable, on one line, and short."""
    said = str(error)
    assert 0 < len(said) < LONGEST, said
    assert said.isprintable(), repr(said)
    assert said.endswith("."), said


def assert_names(error: PelagosError, names: Iterable[str]) -> None:
    """The sentence names the place."""
    assert any(name in str(error) for name in names), error


# --- junk -----------------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.integers(-3, 300),
    st.sampled_from([-1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**4000]),
    st.sampled_from([0.5, 1.0, -0.0, 1e308, float("nan"), float("inf")]),
)
STRANGE = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "\x00",
        "\x1b[31m",
        "\r\n\t",
        "\u2028",
        "\u202e",
        "\ud800",
        "²",
        "٣",
        "-",
        "--5",
        "+5",
        "1_0",
        "1e3",
        "0x10",
        "9" * 5000,
        "[/red]",
        "[bold]",
        "{0}",
        "%s",
        "../../x",
        "?",
        "x" * 100_000,
    ]
)
TEXTS = st.one_of(STRANGE, st.text(max_size=30), st.text(string.printable, max_size=300))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


class Chance(random.Random):
    """Where junk is put; it shows its seed, so that a failure can be made again."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __repr__(self) -> str:
        return f"Chance({self.number})"


CHANCE = st.integers(0, 2**32).map(Chance)


def spoiled(chance: random.Random, text: str) -> str:
    """A text with a small change: something dropped, doubled, swapped, put in, or spelt anew."""
    place = chance.randrange(len(text) + 1)
    letter = chance.choice([*string.printable, "é", "\ufeff", "\x00", "²"])
    changed: list[str] = [
        text[:place] + text[place + 1 :],
        text[:place] + letter + text[place:],
        text[:place] + letter + text[place + 1 :],
        text[:place] + text[place : place + 1] * 2 + text[place + 1 :],
        text[:place],
        text[place:] + text[:place],
        text.upper(),
        text + " ",
        "\t" + text,
        text.replace(" ", "  "),
        text.replace("1", "01"),
        text.replace("1", "١"),
        text * 2,
        text * 200,
    ]
    return chance.choice(changed)


@cache
def records(game: Game) -> list[str]:
    """Whole games as JSON, with the fewest and the most players, with and without their seed."""
    every = list(shapes(game))
    played = [finished(game, options, 11).record() for options in (every[0], every[-1])]
    return [
        json.dumps(record)
        for game_record in played
        for record in (game_record, {**game_record, "seed": None})
    ]
