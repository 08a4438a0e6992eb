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
    counted = pad(REEF)
    assert counted.names == ["Ada"]
    assert counted.sheets[0]["total"] > 100
    assert "flip" in counted.notes[0]["params"]["flips"]


def test_the_score_pad_finds_the_best_flips() -> None:
    counted = pad("Best\nw k w k k\nk w k g k\nk k g k g\nk g k k pl\n")
    assert counted.sheets[0]["total"] >= 178


def test_the_score_pad_takes_flips_that_were_made() -> None:
    counted = pad("Best\nw (k) w k k\n[k] w k g k\nk k g k g\nk g k k pl\n")
    assert counted.sheets[0]["total"] == 178
    assert not counted.notes


def test_the_score_pad_knows_tim_and_the_neutral_hand() -> None:
    grid = "k k tur tur tur\n" * 2 + "co co co co co\n" + "k k k k k\n"
    other = "k k cra cra cra\n" * 2 + "co co co co co\n" + "k k k k k\n"
    solo = pad(f"Ada\n{grid}\nTim\n{other}")
    margin = solo.sheets[0]["total"] - solo.sheets[1]["total"]
    assert solo.notes[-1]["params"]["margin"] == margin == 10
    two = pad(f"A\npla{grid[1:]}\nB\n{other}neutral: 2")
    assert two.sheets[0]["lines"][2]["points"] == 8


def test_group_totals_and_the_winner() -> None:
    rest = "k k tur tur tur\n" * 2 + "co co co co co\n"
    counted = pad(f"Ada\n{rest}k k k k k\nBo\n{rest}oct oct oct oct oct\n")
    assert [[group.points for group in groups] for groups in counted.groups] == [
        [9 + 9, 0, 0],
        [9, 0, 0],
    ]
    assert [group.note for group in counted.groups[0]] == ["", "×2", ""]
    assert counted.winners == [1]
    assert counted.notes[-1] == {"key": "score.winner", "params": {"who": {"seat": 1}}}


def test_an_unfinished_reef_is_counted_as_it_lies_and_nobody_wins() -> None:
    counted = pad("Ada\nk k - - -\n- - - - -\n- - - - -\n- - - - co\nBo\n" + "- - - - -\n" * 4)
    assert counted.sheets[0]["total"] == 4 + 3
    assert (counted.winners, counted.missing) == ([], [17, 20])


def test_cards_are_turned_by_whales_beside_them_only() -> None:
    apart = "wha k k k k\nk k (k) k k\nk k k k tur\ntur tur tur tur co\n"
    with pytest.raises(BadTableau, match="no whale lies beside the card that is face down"):
        pad(f"Ada\n{apart}")
    one_for_two = "wha (k) k k k\n(k) k k k k\nk k k k tur\ntur tur tur tur co\n"
    with pytest.raises(BadTableau, match="2 cards lie face down; each needs a whale of its own"):
        pad(f"Ada\n{one_for_two}")
    two_for_two = "wha (k) k k k\n(k) wha k k k\nk k k k tur\ntur tur tur tur co\n"
    assert pad(f"Ada\n{two_for_two}").sheets[0]["total"] > 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no reef"),
        ("Ada\n" + "wha wha co co co\n" * 4, "8 × whale; the box has 6"),
        (
            "A\n" + "pla pla pla pla pla\n" * 4 + "B\n" + "k k k k k\n" * 4 + "neutral: 1",
            "21 × plankton; the box has 20",
        ),
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
