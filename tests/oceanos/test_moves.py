"""Moves in words, deals, chance, and what can be undone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import finished
from oceanos.setting import (
    CHEST,
    DATA,
    GAME,
    Story,
    named,
)
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadRecord, IllegalMove
from pelagos.engine.match import Match
from pelagos.engine.types import SHOWN, TURNED
from pelagos.games.oceanos import notation
from pelagos.games.oceanos.actions import ACTIONS, FUELS, KEEPS, UNDERS
from pelagos.games.oceanos.state import (
    DECKS,
    KEEP,
    PARTS,
)


def test_the_captains_own_choices_can_be_undone_until_a_card_is_drawn() -> None:
    story = Story(players=3, captain=0)
    story.until(0, "keep")
    story.hold(0, CHEST)
    story.match.play(0, f"keep {CHEST}")
    story.match.play(0, "done")
    assert story.match.history[-1].news == SHOWN
    assert not story.match.why_no_undo(0)
    story.match.play(0, "dive")
    assert story.match.history[-1].news == TURNED
    assert story.match.why_no_undo(0)


def test_revealing_can_not_be_undone() -> None:
    story = Story(players=3, captain=0)
    while int(story.game.phase) == KEEP:
        story.step()
    assert story.match.history[-1].news == TURNED


def test_notation_is_what_the_rules_page_says() -> None:
    story = Story()
    assert notation.write(story.game, DATA, 1, KEEPS + 1) == "keep 1-01"
    assert notation.write(story.game, DATA, 1, FUELS + 40) == "fuel 1-40"
    assert notation.write(story.game, DATA, 1, UNDERS + 3) == "under 1-03"
    assert [notation.write(story.game, DATA, 1, action) for action in range(8)] == [
        "pass",
        "done",
        "dive",
        *(f"upgrade {part}" for part in PARTS),
    ]
    for junk in ("keep", "keep ", "keep 2-01", "keep 1-1", "fuel 1-41", "Keep 1-01", "upgrade", ""):
        assert notation.read(story.game, DATA, 1, junk) == -1
    with pytest.raises(IllegalMove, match="can't 'jump'"):
        story.match.play(1, "jump")


def test_every_action_has_words_and_they_lead_back() -> None:
    game = new_states(GAME, 1)
    for depth, size in enumerate(DECKS):
        record = record_of(game)
        record.depth = depth
        for action in range(GAME.actions):
            _, values, _ = ACTIONS.decode(action)
            if values and values[0] not in PARTS and values[0] > size:
                continue
            move = notation.write(record, DATA, 0, action)
            assert notation.read(record, DATA, 0, move) == action


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("decks", [], "three lists"),
        ("kraken", [1, -1, -2], r"kraken\[0\]"),
        ("kraken", [0, -1], "three numbers"),
        ("bag", [2] * 30, "10"),
        ("captain", 3, "0 to 2"),
        ("captain", None, "0 to 2"),
        ("captain", True, "0 to 2"),
    ],
)
def test_a_wrong_deal_is_named(place: str, value: Any, reason: str) -> None:
    record = Match.new(GAME, players=3, seed=1).record()
    del record["seed"]
    record["deal"][place] = value
    with pytest.raises(BadRecord, match=reason):
        Match.replay(record)


def test_a_deck_with_a_card_twice_or_from_another_round_is_named() -> None:
    record = Match.new(GAME, players=3, seed=1).record()
    del record["seed"]
    deck = record["deal"]["decks"][1]
    record["deal"]["decks"][1] = [deck[1], *deck[1:]]
    with pytest.raises(BadRecord, match=r"decks\[1\]\[1\].*there already"):
        Match.replay(record)
    record["deal"]["decks"][1] = ["1-01", *deck[1:]]
    with pytest.raises(BadRecord, match=r"decks\[1\]\[0\] is '1-01'"):
        Match.replay(record)


def test_chance_that_could_not_have_happened_is_refused() -> None:
    match = finished(GAME, {"players": 4, "troubled": True}, 2)
    record = match.record()
    del record["seed"]
    steps = {
        move.split()[0]: at for at, (mover, move) in enumerate(record["moves"]) if mover == "*"
    }
    for verb, wrong in (("captain", "captain takes 1-01 from 9"), ("under", "under 1-01 1-01")):
        broken = json.loads(json.dumps(record))
        broken["moves"][steps[verb]][1] = wrong
        with pytest.raises(BadRecord, match=rf"moves\[{steps[verb]}\]"):
            Match.replay(broken)


def test_a_running_games_record_hides_decks_tokens_and_the_bag() -> None:
    story = Story(players=3, captain=0)
    record = story.match.record(1)
    deck = record["deal"]["decks"][0]
    assert {card for card in deck if card != "?"} == named(int(story.game.hands[1]))
    assert set(record["deal"]["bag"]) == {"?"} == set(record["deal"]["kraken"])
    assert record["deal"]["captain"] == 0
    assert set(story.match.record(0)["deal"]["decks"][0]) == {"?"}
