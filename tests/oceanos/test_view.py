"""The view: symbols, evidence, previews, the log."""

from __future__ import annotations

from conftest import finished
from oceanos.setting import (
    CHEST,
    DATA,
    GAME,
    PLAIN,
    Story,
    ended,
    number,
    scored,
)
from pelagos.engine.match import Match
from pelagos.engine.words import words
from pelagos.games.oceanos.cards import names_of, symbols_on
from pelagos.games.oceanos.scoring import evidence, lines_of


def test_the_view_shows_symbols_of_any_packs_cards() -> None:
    story = Story()
    view = story.match.view(1)
    for piece in view["pieces"]:
        if piece["place"] == "hand" and piece["face"]:
            card = number(piece["face"])
            assert piece["marks"] == [
                symbol for symbol, count in symbols_on(DATA, 0, card).items() for _ in range(count)
            ]


def test_evidence_names_the_animals_in_the_tank_and_those_without_room() -> None:
    game = scored("1-15 1-26 1-07 1-08 1-20", "1-40")
    game.depth = 1
    animals = evidence(game, DATA, 0, list(lines_of(game, DATA, 0).values()))[0]
    assert [proof["points"] for proof in animals] == [2, 2, 2, 0, 0, 0, 0]
    first = words(GAME, "en").say(animals[0]["reason"])
    assert first == "clownfish, in the aquarium"
    assert animals[0]["pieces"] == ["rows0:0,0"]
    assert words(GAME, "fr").say(animals[-1]["reason"]).startswith("raie manta")


def test_evidence_names_the_cards_of_the_reef() -> None:
    game = ended(("1-40 1-03 1-07", "2-09 2-04 2-10", "3-09"))
    (proof,) = evidence(game, DATA, 0, list(lines_of(game, DATA, 0).values()))[9]
    assert proof["points"] == 3
    assert proof["pieces"] == ["rows0:0,0", "rows0:0,1", "rows0:1,1"]


def test_a_preview_shows_what_a_card_would_add() -> None:
    story = Story(players=3, captain=0)
    story.hold(1, "1-15", PLAIN)
    assert story.match.preview(1, "keep 1-15")["animals1"] == 4
    assert story.match.preview(1, f"keep {PLAIN}")["reef"] == 1
    story.hold(1, CHEST, PLAIN)
    story.match.play(1, f"keep {CHEST}")
    story.match.play(1, "done")
    story.until(1, "dive")
    assert story.match.preview(1, "dive")["treasure"] == 3
    assert story.match.preview(1, "pass")["treasure"] == 0


def test_the_log_tells_of_rounds_the_kraken_and_treasure() -> None:
    match = finished(GAME, {"players": 3, "troubled": False}, 4)
    for language in ("en", "fr"):
        said = words(GAME, language)
        lines = [said.text(event["key"], event["params"], match.names) for event in match.events(0)]
        assert not any("{" in line for line in lines)
        assert all(said.has(event["key"]) for event in match.events(0))
    assert any("Kraken" in line for line in lines)


def test_every_default_card_has_a_name_in_both_languages() -> None:
    for depth in range(3):
        for card in names_of(DATA, depth)[1:]:
            for language in ("en", "fr"):
                assert words(GAME, language).noun(card) == card


def test_what_others_keep_face_down_counts_for_nobody_else() -> None:
    """A viewer could only guess it; it counts when it is laid."""
    match = Match.new("oceanos", seed=3, players=4)
    before = match.view(1)["standing"]
    laying = next(seat for seat in match.pending if seat != 1)
    match.play(laying, match.legal(laying)[0])
    assert match.view(1)["standing"] == before
    assert match.view(laying)["standing"][laying] != before[laying]


def test_with_two_players_what_is_left_is_passed_until_the_last_turn_discards_it() -> None:
    match = Match.new(GAME, players=2, seed="rest")
    facts = set()
    while not match.over and int(match.position.record.depth) == 0:
        seat = match.pending[0]
        rest = match.view(seat)["facts"].get("rest")
        if rest is not None:
            facts.add((match.view(seat)["facts"]["turn"], rest["key"]))
        match.play(seat, match.legal(seat)[0])
    assert {(turn, "fact.goes_other") for turn in range(1, 5)} | {(5, "fact.goes_away")} == facts
