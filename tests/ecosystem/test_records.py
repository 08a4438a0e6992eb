"""Records of Ecosystem: a deck that can't be, a neutral card that can't be."""

from __future__ import annotations

from typing import Any

import pytest

from ecosystem.reefs import GAME, PACK
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadRecord
from pelagos.engine.match import Match
from pelagos.games.ecosystem import notation
from pelagos.games.ecosystem.state import SPECIES

DECK = Match.new("ecosystem", players=2, seed=1).deal["deck"]


def read(deal: dict[str, Any]) -> None:
    notation.read_deal(record_of(new_states(GAME, 1)), record_of(PACK.data), deal)


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (None, "deal.deck must be a list of 130 cards."),
        (DECK[1:], "deal.deck must be a list of 130 cards."),
        (["squid", *DECK[1:]], "deal.deck[0] is 'squid', which is no species."),
        (["krill"] * 130, "deal.deck has 0 coral; the pack has 12."),
    ],
)
def test_a_wrong_deck_is_refused(deck: Any, reason: str) -> None:
    with pytest.raises(BadRecord) as refused:
        read({"deck": deck})
    assert str(refused.value) == reason
    assert refused.value.say("fr") not in ("", reason)


@pytest.mark.parametrize("words", ["neutral squid", "krill", "", "Neutral krill"])
def test_what_is_no_neutral_card_is_refused(words: str) -> None:
    record = Match.new("ecosystem", players=2, seed=1).position.record
    with pytest.raises(BadRecord, match="should be `neutral` and a species") as refused:
        notation.read_chance(record, record_of(PACK.data), words)
    assert "devrait être" in refused.value.say("fr")


def test_the_neutral_hand_plays_what_it_holds() -> None:
    record = Match.new("ecosystem", players=2, seed=1).position.record
    held = [species for kind, species in enumerate(SPECIES) if record.hands[2, kind]]
    (missing, *_) = (species for species in SPECIES if species not in held)
    assert notation.read_chance(record, record_of(PACK.data), f"neutral {held[0]}") == [
        SPECIES.index(held[0])
    ]
    with pytest.raises(BadRecord, match=f"hand has no {missing}") as refused:
        notation.read_chance(record, record_of(PACK.data), f"neutral {missing}")
    assert refused.value.say("fr") == f"la main neutre n'a pas de {missing}."
