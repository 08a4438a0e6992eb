"""The score pad: finished reefs typed in from a real table."""

from __future__ import annotations

from typing import Any

import pytest

from ecosystem.reefs import GAME, PACK
from pelagos.engine.errors import BadTableau

REEF = """
Ada
kri whale krill krill krill
krill baleine krill mérou krill
krill krill gro krill grouper
krill grouper krill krill plancton
"""


def pad(text: str) -> Any:
    return GAME.part("tableau").score(text, PACK)


def test_the_score_pad_reads_french_english_and_short_names() -> None:
    found = pad(REEF)
    assert found.names == ["Ada"]
    assert found.sheets[0]["total"] > 100
    assert "flip" in found.notes[0]["params"]["flips"]


def test_the_score_pad_finds_the_best_flips() -> None:
    found = pad("Best\nw k w k k\nk w k g k\nk k g k g\nk g k k pl\n")
    assert found.sheets[0]["total"] >= 178


def test_the_score_pad_takes_flips_that_were_made() -> None:
    found = pad("Best\nw (k) w k k\n[k] w k g k\nk k g k g\nk g k k pl\n")
    assert found.sheets[0]["total"] == 178
    assert not found.notes


def test_the_score_pad_knows_tim_and_the_neutral_hand() -> None:
    grid = "k k k k k\n" * 4
    assert pad(f"Ada\n{grid}\nTim\n{grid}").notes[-1]["params"]["margin"] == 0
    one_plankton = "pla k k k k\n" + "k k k k k\n" * 3
    two = pad(f"A\n{one_plankton}\nB\n{grid}neutral: 2")
    assert two.sheets[0]["lines"][2]["points"] == 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no reef"),
        ("Ada\nk k k k\n", "Line 2: 4 cards; a row has 5"),
        ("Ada\nk k k k k\n", "has 1 rows; a reef has 4"),
        ("Ada\nk k k k squid\n", "Line 2: 'squid' is no species"),
        ("Ada\nk k k k c\n", "could be coral or"),
        ("A" * 41, "name has 1 to 40 letters"),
        ("neutral: 2\n" + ("A\n" + "k k k k k\n" * 4) * 3, "for two players only"),
        (("A\n" + "k k k k k\n" * 4) * 7, "7 reefs; there are at most 6 players"),
    ],
)
def test_a_wrong_score_file_gets_a_clear_sentence(text: str, reason: str) -> None:
    with pytest.raises(BadTableau, match=reason) as refused:
        pad(text)
    assert refused.value.key.startswith("ecosystem/refuse.")
    assert refused.value.say("fr") not in ("", str(refused.value))
    assert "{" not in refused.value.say("fr")


def test_a_refusal_lists_species_in_the_readers_language() -> None:
    with pytest.raises(BadTableau) as refused:
        pad("Ada\nk k k k c\n")
    assert str(refused.value) == (
        "Line 2: 'c' could be coral or clownfish or crab; write a letter more."
    )
    assert "peut être coral ou clownfish ou crab" in refused.value.say("fr")
