"""What each viewer is told."""

from __future__ import annotations

from oceanide.setting import SISTERS, replayed
from pelagos.engine.match import Match
from pelagos.engine.words import words
from pelagos.games.oceanide import GAME


def told_story(match: Match, viewer: int | None) -> list[str]:
    said = words(GAME, "en")
    return [
        said.text(event["key"], event["params"], ["Ada", "Bo", "Cy"])
        for event in match.events(viewer)
    ]


def events(match: Match, viewer: int | None) -> list[str]:
    """What was told after the opening."""
    return told_story(match, viewer)[1:]


def test_the_opening_says_who_begins_and_why() -> None:
    """The fullest showcase as it was dealt, before the first draw; or a lot among equals."""
    fullest = ("sun key moon rum rum star", "star scales tear fang king king", "heart " * 6)
    match = replayed(fullest, "")
    for viewer in (0, 2, None):
        assert told_story(match, viewer) == ["Ada begins with the fullest showcase: 5 objects."]
    equal = replayed(SISTERS, "")
    assert told_story(equal, 1) == [
        "Ada begins, by lot among the fullest showcases (Ada, Bo: 4 objects each)."
    ]
    chosen = Match.replay({**equal.record(), "options": {"players": 3, "start": 0}})
    assert told_story(chosen, 1) == [
        "Ada begins, as was agreed among the fullest showcases (Ada, Bo: 4 objects each)."
    ]


def test_a_theft_is_told() -> None:
    match = replayed(SISTERS, "steal star < 1, allow")
    assert events(match, None) == [
        "Ada sends a thief for Bo's captive star.",
        "Ada takes the captive star from Bo.",
        "The thief joins Bo's collection.",
    ]
    stopped = replayed(SISTERS, "steal star < 1, king")
    assert events(stopped, None)[1:] == ["Bo calls King Ocean: nothing is taken."]


def test_a_draw_is_told_to_each_as_they_see_it() -> None:
    match = replayed(SISTERS, "end")
    trident, button = "a pocket trident", "an admiral's button"
    assert events(match, 1)[1:] == [f"Bo draws {trident}.", *[f"Bo draws {trident}."] * 2]
    assert events(match, 0)[1:] == [f"Bo draws {trident}.", "Bo draws 2 cards."]
    match.play(1, "end")
    assert events(match, 0)[-2:] == [f"Cy draws {button}.", "Cy draws 2 cards."]


def test_cards_drawn_from_a_hand_are_told_to_the_two_concerned() -> None:
    hands = ("star star key moon rum fang", "star sun sun rum rum thief", "heart " * 6)
    match = replayed(hands, "trade star > 1, take hand")
    match.happen("drawn rum sun")
    assert events(match, 1)[-2:] == [
        "Ada draws a drowned sun from Bo's hand.",
        "Ada draws a bottle of rum from Bo's hand.",
    ]
    assert events(match, 2)[-2:] == [
        "Ada draws a drowned sun from Bo's hand.",
        "Ada draws an unseen card from Bo's hand.",
    ]


def test_a_copy_that_comes_up_is_told() -> None:
    hands = ("star star key moon rum fang", "star star sun rum rum thief", "heart " * 6)
    match = replayed(hands, "trade star > 1")
    assert events(match, 2) == [
        "Ada gives Bo two to complete a set: captive star.",
        "Another copy of the captive star comes up in Bo's showcase.",
    ]
