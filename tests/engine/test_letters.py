"""Letters as readers count them."""

from __future__ import annotations

import pytest

from pelagos.engine.letters import count_letters, fits
from pelagos.engine.match import Match
from pelagos.tables import acts
from pelagos.tables.errors import Malformed

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAG = "\U0001f1eb\U0001f1f7"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
DIVER = "\U0001f93d\U0001f3fd\u200d\u2640\ufe0f"
SEAL = "\U0001f9ad"
NEW = "\U0001fae9"
"""A face of Unicode 16, which Python may not know yet."""


@pytest.mark.parametrize(
    ("written", "letters"),
    [
        ("Ada", 3),
        ("The\u0301a", 4),
        (FAMILY, 1),
        (FLAG * 2, 2),
        (SCOTLAND, 1),
        (DIVER + SEAL, 2),
        ("\u2764\ufe0f", 1),
        ("", 0),
    ],
)
def test_a_sign_made_of_several_is_one_letter(written: str, letters: int) -> None:
    assert count_letters(written) == letters


@pytest.mark.parametrize("name", [FAMILY, FLAG, SCOTLAND, DIVER, f"Ada {NEW}", FLAG * 40, "نی‌نا"])
def test_such_a_name_is_a_name(name: str) -> None:
    assert acts.clean_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "a" * 41,
        FLAG * 41,
        "A\u0000",
        "A\u202eB",
        "\u200d",
        "\u3164",
        "a" + "\u0301" * 500,
    ],
)
def test_what_steers_hides_or_piles_up_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        acts.clean_name(name)


def test_a_record_keeps_such_names() -> None:
    match = Match.new("minnows", players=2, seed=1, names=[FAMILY, DIVER])
    assert Match.from_json(match.to_json()).names == [FAMILY, DIVER]


def test_a_line_has_no_line_ends_in_it() -> None:
    assert not fits("a\nb", 10)
