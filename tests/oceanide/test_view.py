"""What each viewer sees of the table."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from conftest import finished, random_walk
from oceanide.setting import IDS, SISTERS, Table, replayed
from pelagos.engine.match import Match
from pelagos.engine.words import words
from pelagos.games.oceanide import GAME
from pelagos.games.oceanide.actions import TRADES
from pelagos.games.oceanide.cards import ids
from pelagos.games.oceanide.memory import unseen
from pelagos.games.oceanide.state import OBJECTS
from pelagos.games.oceanide.view import asks as asks_of

OPEN = {"closed": False}


def pieces(
    match: Match, viewer: int | None, place: str, options: dict[str, bool] | None = None
) -> dict[str | None, int]:
    return {
        piece["face"]: piece["count"]
        for piece in match.view(viewer, options=options)["pieces"]
        if piece["place"] == place
    }


def test_a_hand_is_its_owners_and_others_see_its_size() -> None:
    match = replayed(SISTERS, "")
    assert pieces(match, 0, "hand0") == {"rum": 1, "trident": 2, "thief": 1}
    assert pieces(match, 1, "hand0") == {None: 4}
    assert pieces(match, None, "hand0") == {None: 4}


def test_a_card_that_was_seen_going_to_a_hand_is_marked() -> None:
    match = replayed(SISTERS, "steal rum < 1, allow")
    view = match.view(2)
    (rum,) = [piece for piece in view["pieces"] if piece["key"] == "hand0.rum"]
    assert (rum["count"], rum["marks"]) == (1, ["known"])
    assert pieces(match, 2, "hand0") == {"rum": 1, None: 3}


def test_deck_and_discard_lie_in_the_middle() -> None:
    match = replayed(SISTERS, "steal star < 1, king")
    for viewer in (0, 1, 2, None):
        assert pieces(match, viewer, "discard") == {"thief": 1, "king": 1}
        assert pieces(match, viewer, "deck") == {None: 96 - 3 * 6 - 3}


def test_being_asked_tells_nothing() -> None:
    """With a king in the target's hand or without, all others see the same table."""
    views = []
    for card in ("king", "thief"):
        hands = (SISTERS[0], f"star scales tear fang thief {card}", "heart heart star star key key")
        match = replayed(hands, "steal star < 1")
        assert match.pending == (1,)
        views.append([match.view(viewer) for viewer in (0, 2, None)])
    assert views[0] == views[1]


def test_the_target_is_told_who_wants_what() -> None:
    match = replayed(SISTERS, "steal star < 1")
    prompt = match.view(1)["prompt"]
    assert prompt["key"] == "prompt.king_steal"
    assert prompt["params"] == {"player": {"seat": 0}, "card": {"noun": "star"}}
    (star,) = [piece for piece in match.view(2)["pieces"] if piece["key"] == "showcase1.star"]
    assert star["marks"] == ["named"]
    assert pieces(match, 2, "played") == {"thief": 1}


def test_open_collections_are_shown() -> None:
    match = replayed(SISTERS, "complete trident, trade rum > 1, take none")
    assert pieces(match, 2, "collection0", OPEN) == {"trident": 3}
    assert pieces(match, None, "collection1", OPEN) == {"rum": 3}


# --- what a choice asks next, and why something can't be chosen -----------------------------------


def sentence(match: Match, text: Any, language: str = "en") -> str:
    return words(GAME, language).say(text, ["Ada", "Bo", "Cy"])


def asks(match: Match, seat: int) -> dict[str, list[str]]:
    return {
        choice["notation"]: [sentence(match, ask) for ask in choice["asks"]]
        for choice in match.view(seat)["choices"]
    }


def test_a_choice_says_whom_it_will_ask() -> None:
    match = replayed(SISTERS, "")
    asked = asks(match, 0)
    assert asked["end"] == asked["complete trident"] == []
    assert asked["steal star < 1"] == ["Bo is asked: a King would stop it"]
    assert asked["trade rum > 1"] == [
        "then you choose what to take from Bo",
        "two objects of Bo's showcase",
    ]
    match.play(0, "trade rum > 1")
    asked = asks(match, 0)
    assert asked["take star,scales"] == ["Bo is asked: a King would stop it"]
    assert asked["take none"] == []


@pytest.mark.parametrize(
    ("hand", "offers"),
    [
        ("star moon sun key fang tear", ["objects_2_2"]),
        ("star moon king king king king", ["objects_1_2", "cards"]),
        ("star moon king king king", ["objects_1_2", "cards_maybe"]),
        ("star moon", ["objects_1_1"]),
        ("star king", ["objects_0_1"]),
        ("star", ["nothing"]),
    ],
)
def test_before_a_trade_its_partners_offer_is_told(hand: str, offers: list[str]) -> None:
    """Further copies of what is given may be among the cards that the giver can't see."""
    table = Table("star star", hand, more="star star star")
    action = TRADES + 1 * OBJECTS + IDS.index("star")
    take, *offer = asks_of(table.game, table.pack, 0, action)
    assert take["key"] == "ask.take"
    assert [text["key"].partition(".")[2] for text in offer] == offers


def test_no_copy_can_come_up_when_all_are_in_sight() -> None:
    table = Table("star star", "star moon king king king")
    action = TRADES + 1 * OBJECTS + IDS.index("star")
    _, *offer = asks_of(table.game, table.pack, 0, action)
    assert [text["key"] for text in offer] == ["ask.objects_1_1", "ask.cards"]


def test_a_trade_offers_what_was_told_before_it() -> None:
    """In whole games: who was told for sure of two objects, of cards or of nothing finds so."""
    told_for_sure = 0
    for seed in range(6):
        match = Match.new("oceanide", seed=seed, players=3)
        choices = random.Random(seed)
        while not match.over:
            seat = choices.choice(match.pending)
            legal = match.view(seat, previews=False)["choices"]
            trades = [choice for choice in legal if choice["notation"].startswith("trade")]
            choice = choices.choice(trades or legal)
            match.play(seat, choice["action"])
            if not trades:
                continue
            keys = {text["key"].partition(".")[2] for text in choice["asks"]}
            taking = match.moves(seat)
            pairs, cards = any("," in move for move in taking), "take hand" in taking
            told_for_sure += bool(keys & {"objects_2_2", "cards", "nothing"})
            assert pairs or "objects_2_2" not in keys
            assert cards or "cards" not in keys
            assert (pairs or cards) <= ("nothing" not in keys)
            assert not cards or keys & {"cards", "cards_maybe"}
            assert not pairs or keys & {"objects_2_2", "objects_1_2"}
    assert told_for_sure > 5


def why(match: Match, seat: int, language: str = "en") -> dict[str, str]:
    return {
        key: sentence(match, reason, language) for key, reason in match.view(seat)["why"].items()
    }


def test_an_own_object_that_is_no_set_says_why() -> None:
    match = replayed(SISTERS, "")
    reasons = why(match, 0)
    assert reasons["showcase0.rum"] == "bottle of rum: a set takes 3 of a kind, and you own 2."
    assert "showcase0.trident" not in reasons
    assert "showcase1.star" not in reasons  # a thief reaches it


def test_what_neither_a_pair_nor_a_thief_reaches_says_why() -> None:
    hands = ("sun key moon star star rum", "rum star king king scales tear", "heart " * 6)
    match = replayed(hands, "")
    reasons = why(match, 0)
    assert "you have no thief, and own 0." in reasons["showcase1.scales"]
    assert "you have no thief, and own 1." in reasons["showcase1.rum"]
    assert "showcase1.star" not in reasons
    assert "Cy shows none" in reasons["showcase2.star"]
    assert "showcase2.sun" not in reasons
    french = why(match, 0, "fr")
    assert french.keys() == reasons.keys()
    assert "vous n'avez pas de voleuse" in french["showcase1.scales"]


def test_special_cards_in_hand_say_how_they_are_played() -> None:
    hands = ("sun key moon star thief king", "rum star king king scales tear", "heart " * 6)
    reasons = why(replayed(hands, ""), 0)
    assert "choosing what to steal" in reasons["hand0.thief"]
    assert "reaches for your treasures" in reasons["hand0.king"]


def test_in_a_trade_other_showcases_and_a_small_hand_say_why() -> None:
    hands = ("star star sun key moon rum", "star scales tear fang sun king", "heart " * 6)
    match = replayed(hands, "trade star > 1")
    reasons = why(match, 0)
    assert reasons["showcase2.heart"] == "You are trading with Bo: take from that showcase."
    assert reasons["hand1"] == "Bo holds 1; only a hand of at least 3 can be drawn from."
    assert "showcase1.scales" not in reasons


def test_nobody_else_is_told_why() -> None:
    match = replayed(SISTERS, "")
    assert match.view(1)["why"] == match.view(None)["why"] == {}


def test_everything_on_the_table_can_be_chosen_or_says_why() -> None:
    """On the own turn, of what is shown nothing is silent."""
    for seed in range(6):
        match = Match.new("oceanide", players=2 + seed % 4, seed=seed)
        for at in random_walk(match, random.Random(seed)):
            for seat in at.pending:
                view = at.view(seat)
                if view["prompt"]["key"] not in ("prompt.act", "prompt.take"):
                    continue
                lit = {choice["piece"] for choice in view["choices"]}
                lit |= {f"{choice['place']}.{choice['variant']}" for choice in view["choices"]}
                objects = {
                    piece["key"]
                    for piece in view["pieces"]
                    if piece["place"].startswith("showcase")
                }
                own = {key for key in objects if key.startswith(f"showcase{seat}.")}
                if view["prompt"]["key"] == "prompt.take":
                    objects -= own
                assert objects <= lit | view["why"].keys()
                assert not lit & view["why"].keys()


# --- closed collections ---------------------------------------------------------------------------

CLOSED = {"closed": True}


def test_collections_are_closed_to_every_reader_unless_the_table_opens_them() -> None:
    match = replayed(SISTERS, "complete trident, trade rum > 1, take none")
    for viewer in (0, 1, 2, None):
        assert match.view(viewer) == match.view(viewer, options=CLOSED)
        assert match.view(viewer) != match.view(viewer, options=OPEN)
    (sets,) = [line for line in match.text(2).splitlines() if line.startswith("sets ")]
    assert sets.split() == ["sets", "?", "?", "0"]
    (total,) = [line for line in match.text(2).splitlines() if line.startswith("total ")]
    assert total.split()[:3] == ["total", "?", "?"]


def test_the_cards_out_of_sight_count_what_lies_in_closed_collections() -> None:
    match = replayed(SISTERS, "complete trident, steal star < 1, allow")
    for viewer, own in ((0, True), (1, False), (2, False), (None, False)):
        counted = _counts(match.view(viewer)["facts"]["out_of_sight"])
        open_counts = _counts(match.view(viewer, options=OPEN)["facts"]["unseen"])
        assert counted.get("trident", 0) == open_counts.get("trident", 0) + (0 if own else 3)
    assert "unseen" not in match.view(0)["facts"]


def _counts(fact: list[Any]) -> dict[str, int]:
    return {line["params"]["card"]["noun"]: line["params"]["number"] for line in fact}


def test_a_closed_collection_tells_its_number_of_cards_alone() -> None:
    match = replayed(SISTERS, "complete trident, trade rum > 1, take none")
    view = match.view(2, options=CLOSED)
    collections = [piece for piece in view["pieces"] if piece["place"].startswith("collection")]
    assert [(piece["key"], piece["face"], piece["count"]) for piece in collections] == [
        ("collection0", None, 3),
        ("collection1", None, 3),
    ]
    assert "unseen" not in view["facts"]
    text = json.dumps({**view, "events": []})
    assert "collection0." not in text
    assert "collection1." not in text


def test_a_closed_sheet_covers_what_the_collection_makes() -> None:
    match = replayed(SISTERS, "complete trident, steal star < 1, allow")
    opened, closed = (match.view(2, options=options)["sheets"] for options in (OPEN, CLOSED))
    for seat in (0, 1):
        lines = {line["key"]: line for line in closed[seat]["lines"]}
        for key in ("sets", "thieves"):
            assert lines[key] == {"key": key, "points": 0, "evidence": [], "covered": True}
        plain = {line["key"]: line for line in opened[seat]["lines"]}
        assert lines["showcase"] == plain["showcase"]
        assert lines["hand"] == plain["hand"]
        assert closed[seat]["covered"]
        assert closed[seat]["total"] == lines["showcase"]["points"] + lines["hand"]["points"]
    assert closed[2] == opened[2]


def test_closed_views_differ_by_nothing_that_a_collection_holds() -> None:
    """Two games that differ by what was put away alone look the same, but for the log."""
    views = []
    others = "rum star king king scales smoker", "heart thief thief star star key"
    for kind in ("fang", "tear"):
        hands = (f"{kind} {kind} {kind} moon key star", *others)
        match = replayed(hands, f"complete {kind}")
        views.append([{**match.view(seat, options=CLOSED), "events": []} for seat in (1, 2, None)])
    assert views[0] == views[1]


def test_the_own_collection_stays_open_and_all_open_at_the_end() -> None:
    match = replayed(SISTERS, "complete trident")
    assert "collection0.trident" in {
        piece["key"] for piece in match.view(0, options=CLOSED)["pieces"]
    }
    over = finished("oceanide", {"players": 3}, 1)
    assert over.view(0, options=CLOSED) == over.view(0)


def test_what_all_heard_stays_in_the_log() -> None:
    match = replayed(SISTERS, "complete trident")
    assert match.view(2, options=CLOSED)["events"] == match.view(2)["events"]


def test_the_unseen_cards_are_those_that_the_rules_count() -> None:
    """The view counts them for a reader, `memory.unseen` for bots: both tell the same."""
    match = Match.new("oceanide", seed=5, players=3)
    names = [*ids(match.position.pack_record)]
    for now in random_walk(match, random.Random(5)):
        for viewer in (-1, 0, 1, 2):
            seen = now.position
            facts = now.view(None if viewer < 0 else viewer, options=OPEN)["facts"]["unseen"]
            counts = {fact["params"]["card"]["noun"]: fact["params"]["number"] for fact in facts}
            counted = {
                name: int(unseen(seen.record, seen.pack_record, viewer, card))
                for card, name in enumerate(names)
            }
            assert counts == {name: count for name, count in counted.items() if count}
