"""What a choice brings, what it will ask, and why something can't be chosen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import random_walk
from oceanos.setting import (
    BASES,
    CHEST,
    CHEST_WITH_BASE,
    GAME,
    GREENS,
    PLAIN,
    YELLOWS,
    Story,
    second_chest_below_a_diver,
)
from pelagos.engine.match import Match
from pelagos.engine.words import words
from pelagos.games.oceanos import rules
from pelagos.games.oceanos.state import DIVERS, FUEL, GREEN, PARTS, YELLOW

TABLES = [(2, False), (3, False), (4, False), (5, False), (4, True)]


def walk(seed: int, **options: Any) -> Iterator[Match]:
    """A match at every ply of a random game."""
    return random_walk(Match.new(GAME, seed=seed, **options), random.Random(seed))


def choices(match: Match, seat: int, **more: Any) -> dict[str, dict[str, Any]]:
    """A seat's choices by their notation."""
    return {choice["notation"]: dict(choice) for choice in match.view(seat, **more)["choices"]}


def asked(choice: dict[str, Any]) -> list[tuple[str, int | None]]:
    """What a choice will ask, each with its number."""
    return [(ask["key"].partition(".")[2], ask["params"].get("count")) for ask in choice["asks"]]


# --- the diver's chests ------------------------------------------------------------------------


def test_a_diver_is_promised_no_chest_that_another_one_brings_up() -> None:
    """Two chests in the column, and a diver on the upper one: the second diver finds one."""
    story = second_chest_below_a_diver()
    assert asked(choices(story.match, 1)["keep 2-42"]) == [("diver", 1)]
    story.match.play(1, "keep 2-42")
    story.until(1, "dive")
    dive = choices(story.match, 1)["dive"]
    assert dive["label"]["params"]["count"] == 1
    assert dive["receipt"] == [{"key": "treasure", "points": 3}]


def test_a_diver_is_promised_the_chests_above_it_too() -> None:
    story = Story()
    story.turn(1, CHEST)
    story.finish_round()
    story.until(1, "keep")
    story.hold(1, "2-42")
    (ask,) = choices(story.match, 1)["keep 2-42"]["asks"]
    assert (ask["params"]["count"], ask["params"]["rows_up"]) == (2, 1)
    story.match.play(1, "keep 2-42")
    story.until(1, "dive")
    assert choices(story.match, 1)["dive"]["label"]["params"]["count"] == 2


@pytest.mark.parametrize(("players", "waters"), TABLES)
def test_a_dives_chests_are_those_that_the_rules_count(players: int, waters: bool) -> None:
    """In whole games: what is promised, what the preview adds, and what `chests_of` says after."""
    dives = 0
    for seed in range(6):
        for match in walk(seed, players=players, troubled=waters):
            for seat in match.pending:
                if "dive" not in match.moves(seat):
                    continue
                offered = choices(match, seat)
                game, pack = match.position.record, match.position.pack_record
                before = int(rules.chests_of(game, pack, seat))
                after = match.position.copy()
                rules.dive(after.record, seat)
                more = int(rules.chests_of(after.record, pack, seat)) - before
                assert offered["dive"]["label"]["params"]["count"] == more
                assert offered["dive"]["gain"] == 3 * more
                assert offered["pass"]["gain"] == 0
                dives += 1
    assert dives


# --- gains -------------------------------------------------------------------------------------


def test_a_gain_is_counted_against_how_things_stand() -> None:
    """Halfway through a round its animals are on no sheet yet; passing still changes nothing."""
    story = Story()
    story.turn(1, "1-20", answers=[])
    story.until(1, "keep")
    story.hold(1, CHEST)
    story.match.play(1, f"keep {CHEST}")
    story.until(1, "dive")
    view = story.match.view(1)
    assert view["sheets"][1]["total"] == 0
    assert view["standing"][1]["total"] > 0
    gains = {choice["notation"]: choice["gain"] for choice in view["choices"]}
    assert gains == {"pass": 0, "dive": 3}


def test_a_standing_is_what_a_choice_without_effect_leaves() -> None:
    """The sheet for readers and the rule that previews use count the same."""
    seen = 0
    for match in walk(4, players=3):
        for seat in match.pending:
            offered = choices(match, seat)
            for move in {"pass", "done"} & offered.keys():
                lines = match.view(seat)["standing"][seat]["lines"]
                assert offered[move]["preview"] == {line["key"]: line["points"] for line in lines}
                assert offered[move]["receipt"] == []
                seen += 1
    assert seen


def test_two_cards_tell_what_both_bring_and_ask() -> None:
    """Crystal, then base: the base will be asked; alone it would find no crystal."""
    story = Story()
    story.until(1, "keep")
    story.hold(1, GREENS[0], BASES[0])
    offered = choices(story.match, 1, follow=True)
    assert asked(offered[f"keep {BASES[0]}"]) == [("no_crystal", None)]
    follow = {choice["notation"]: choice for choice in offered[f"keep {GREENS[0]}"]["follow"]}
    then = follow[f"fuel {BASES[0]}"]
    assert asked(dict(then)) == [("base", None)]
    story.match.play(1, f"keep {GREENS[0]}")
    later = choices(story.match, 1)[f"fuel {BASES[0]}"]
    assert then["preview"] == later["preview"]


# --- asks --------------------------------------------------------------------------------------


def test_a_card_asks_for_a_diver_and_for_an_upgrade() -> None:
    story = Story()
    story.until(1, "keep")
    story.hold(1, CHEST_WITH_BASE, PLAIN)
    offered = choices(story.match, 1)
    assert asked(offered[f"keep {CHEST_WITH_BASE}"]) == [("diver", 1), ("no_crystal", None)]
    assert asked(offered[f"keep {PLAIN}"]) == []
    story.game.boat[1, DIVERS] = 0
    story.game.boat[1, YELLOW] = 1
    story.begin_here()
    assert asked(choices(story.match, 1)[f"keep {CHEST_WITH_BASE}"]) == [("base", None)]


def test_a_base_asks_nothing_where_no_part_can_be_improved() -> None:
    """All parts at level 2 and one colour."""
    story = Story()
    story.until(1, "keep")
    story.game.boat[1, : len(PARTS)] = 2
    story.game.boat[1, GREEN] = 2
    story.hold(1, BASES[0])
    assert asked(choices(story.match, 1)[f"keep {BASES[0]}"]) == []
    story.game.boat[1, YELLOW] = 1
    story.begin_here()
    assert asked(choices(story.match, 1)[f"keep {BASES[0]}"]) == [("base", None)]


def test_after_the_diver_the_same_cards_base_asks() -> None:
    story = Story()
    story.until(1, "keep")
    story.game.boat[1, GREEN] = 1
    story.hold(1, CHEST_WITH_BASE)
    story.match.play(1, f"keep {CHEST_WITH_BASE}")
    story.until(1, "dive")
    offered = choices(story.match, 1)
    assert asked(offered["dive"]) == asked(offered["pass"]) == [("base", None)]


# --- why not -----------------------------------------------------------------------------------


def why(story: Story, seat: int) -> dict[str, str]:
    """Reasons by what can't be chosen."""
    reasons = story.match.view(seat)["why"]
    return {key: text["key"].removeprefix("why.") for key, text in reasons.items()}


def test_a_part_says_what_it_lacks() -> None:
    story = Story()
    story.until(1, "keep")
    assert why(story, 1)["boat1"] == "no_crystal"
    story.turn(1, YELLOWS[0])
    story.until(1, "keep")
    assert why(story, 1)["boat1"] == "no_base"
    story.game.boat[1, : len(PARTS)] = (1, 2, 3, 1, 1)
    story.hold(1, BASES[0])
    story.match.play(1, f"keep {BASES[0]}")
    story.until(1, "upgrade")
    parts = {key: reason for key, reason in why(story, 1).items() if key.startswith("boat")}
    assert parts == {"boat1.motor": "both_colours", "boat1.cockpit": "highest_level"}


def test_a_card_says_why_it_must_stay() -> None:
    story = Story()
    story.until(1, "keep")
    assert "hand" not in why(story, 1)
    story.game.boat[1, FUEL] = 0
    story.begin_here()
    story.match.play(1, story.match.moves(1)[0])
    assert why(story, 1)["hand"] == "no_fuel"


def test_who_said_done_has_kept_the_cards() -> None:
    story = Story()
    story.until(1, "keep")
    story.match.play(1, story.match.moves(1)[0])
    story.match.play(1, "done")
    assert why(story, 1)["hand"] == "kept"


def test_the_captain_waits_for_the_others() -> None:
    story = Story()
    story.until(1, "keep")
    story.hold(1, CHEST)
    story.match.play(1, f"keep {CHEST}")
    story.until(1, "dive")
    assert why(story, 0)["hand"] == "captain_last"


def test_a_chest_says_why_no_diver_goes_there_any_more() -> None:
    story = Story()
    story.turn(1, CHEST)
    story.until(1, "keep")
    assert why(story, 1)["card1.1"] == "diver_late"
    story.game.boat[1, DIVERS] = 0
    story.begin_here()
    assert why(story, 1)["card1.1"] == "no_diver"


@pytest.mark.parametrize(("players", "waters"), TABLES)
def test_reasons_are_in_words_and_never_on_a_choice(players: int, waters: bool) -> None:
    said = [words(GAME, language) for language in ("en", "fr")]
    for match in walk(3, players=players, troubled=waters):
        for seat in range(players):
            view = match.view(seat)
            there = {shown["key"] for shown in (*view["pieces"], *view["places"])}
            assert view["why"].keys() <= there
            chosen = {
                key for choice in view["choices"] for key in (choice["piece"], choice["place"])
            }
            assert not view["why"].keys() & chosen - {f"rows{seat}", f"boat{seat}"}
            texts = [
                *view["why"].values(),
                *(ask for choice in view["choices"] for ask in choice["asks"]),
            ]
            assert all(language.has(text["key"]) for text in texts for language in said)


# --- facts and marks ---------------------------------------------------------------------------


def test_the_view_says_what_parts_give_and_who_is_next() -> None:
    facts = Story(players=4, captain=2).match.view(0)["facts"]
    gives = {part: list(text["params"].values()) for part, text in facts["parts"].items()}
    assert gives["propeller"] == [0, 2, 5]
    assert gives["cockpit"] == [2, 3, 4]
    assert gives["aquarium"] == [3, 5, 8]
    assert (facts["captain"], facts["next"]) == ({"seat": 2}, {"seat": 3})
    assert (facts["turn"], facts["turns_left"]) == (1, 4)


@pytest.mark.parametrize(
    ("options", "captain", "keys"),
    [
        ({"players": 2}, 0, ("goes_other", "goes_other")),
        ({"players": 3}, 0, ("goes_captain", "goes_away")),
        ({"players": 3, "troubled": True}, 0, ("taken", "goes_under")),
    ],
)
def test_the_view_says_where_the_rest_goes(
    options: dict[str, Any], captain: int, keys: tuple[str, str]
) -> None:
    story = Story(captain=captain, **options)
    ways = []
    for seat in (1, 0):
        story.until(seat, "keep")
        ways.append(story.match.view(seat)["facts"]["rest"]["key"].removeprefix("fact."))
    assert tuple(ways) == keys


def test_pending_crystals_are_marked_on_the_cards_that_brought_them() -> None:
    """Not on a card whose own crystal comes after its diver."""
    story = Story()
    story.turn(1, GREENS[0])
    story.until(1, "keep")
    story.hold(1, "1-16")
    story.match.play(1, "keep 1-16")
    story.until(1, "dive")

    def pending() -> list[str | None]:
        own = [piece for piece in story.match.view(1)["pieces"] if piece["place"] == "rows1"]
        return [piece["face"] for piece in own if "pending" in piece["marks"]]

    assert pending() == [GREENS[0]]
    story.match.play(1, "pass")
    story.until(1, "keep")
    assert pending() == [GREENS[0], "1-16"]
