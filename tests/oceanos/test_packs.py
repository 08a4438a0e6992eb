"""Packs: other cards and tokens, and what is wrong with them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from conftest import random_walk
from oceanos.setting import (
    DATA,
    GAME,
    PACK,
    changed_card,
)
from pelagos.engine.errors import BadPack
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, make_pack
from pelagos.games.oceanos.cards import species_on
from pelagos.games.oceanos.material import ANIMALS
from pelagos.games.oceanos.state import DECKS


def test_the_default_pack_says_where_it_comes_from() -> None:
    assert "Reconstructed" in PACK.provenance["cards"]
    assert len(PACK.files["cards.csv"].splitlines()) == 1 + 135
    assert all(line.endswith("reconstruction") for line in PACK.files["cards.csv"].splitlines()[1:])


def test_every_small_animal_occurs_more_often_than_every_big_one() -> None:
    for depth, size in enumerate(DECKS):
        cards = range(1, size + 1)
        often = Counter(kind for card in cards for kind in species_on(DATA, depth, card))
        assert len(often) == len(ANIMALS) == 8
        by_size = {
            size: [often[at] for at, name in enumerate(ANIMALS) if name.startswith(size)]
            for size in ("small", "big")
        }
        assert min(by_size["small"]) > max(by_size["big"]) > 0


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"card_id": "1-02"}, "line 3: card 1-02 stands in line 2 already"),
        ({"card_id": "a b"}, "must be letters"),
        ({"card_id": "123456789"}, "8 at most"),
        ({"round": 2}, "round 2 has 45 cards"),
        ({"round": 4}, "round must be from 1 to 3"),
        ({"coral": 10}, "coral must be from 0 to 9"),
        ({"base": 2}, "base must be from 0 to 1"),
        ({"symbols": "coral treasure base eel"}, "no symbol 'eel'"),
        ({"symbols": "coral treasure base"}, "says 0 × eye, but the numbers say 1"),
        ({"small_1": 1, "small_2": 1, "small_3": 1, "small_4": 1}, "4 animals"),
        ({"kraken_eyes": "many"}, "whole number"),
    ],
)
def test_a_wrong_card_is_named_by_line_and_reason(cells: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, changed_card("1-01", **cells))


def test_too_few_cards_are_named() -> None:
    texts = dict(PACK.files)
    texts["cards.csv"] = "\n".join(texts["cards.csv"].splitlines()[:-1]) + "\n"
    with pytest.raises(BadPack, match="round 3 has 49 cards, not 50"):
        make_pack(GAME, texts)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("small,0,1", "small,0,2", "4 small tokens, not 3"),
        ("big,-4,1", "big,4,1", "value must be from -99 to 0"),
        ("treasure,2,10", "treasure,2,9", "29 treasure tokens, not 30"),
        ("treasure,2,10", "pearl,2,10", "no kind 'pearl'"),
        ("treasure,2,10", "treasure,-2,10", "value must be from 0 to 99"),
    ],
)
def test_wrong_tokens_are_named(old: str, new: str, reason: str) -> None:
    texts = dict(PACK.files)
    texts["tokens.csv"] = texts["tokens.csv"].replace(old, new)
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, texts)


def test_a_pack_with_other_ids_tokens_and_symbols_is_played_and_recorded() -> None:
    files = changed_card(
        "1-01", card_id="Wreck.1", coral=2, symbols="coral coral treasure base eye"
    )
    files["tokens.csv"] = (
        files["tokens.csv"].replace("big,-4", "big,-9").replace("treasure,4,10", "treasure,7,10")
    )
    pack: Pack = make_pack(GAME, files)
    match = Match.new(GAME, players=5, seed=2, pack=pack)
    for _ in random_walk(match, random.Random(2)):
        pass
    record = match.record()
    assert "Wreck.1" in record["deal"]["decks"][0]
    assert 7 in record["deal"]["bag"]
    assert Match.replay(record).scores == match.scores
