"""Since your turn: what others did, in a line a seat, and the pieces that they moved."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from drawn import Page, check_clean, draw
from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.engine.types import HIDDEN
from pelagos.engine.view import Event
from pelagos.engine.words import LANGUAGES, words
from pelagos.tables.message import view
from tables.place import Place, at_a_place, match_of

GAMES = sorted(games())
NAMES = ["Ada", "Bo", "Théa", "Ewan", "Noor", "Zélie"]


def begun(game: str, seed: int = 4) -> Match:
    players = games()[game].players[-1]
    players = min(players, 3)
    return Match.new(game, players=players, seed=seed, names=NAMES[:players])


def played(game: str, least: int = 12) -> Match:
    """A match in which seat 0 owes a decision, and others have moved since its last."""
    match, lots = begun(game), random.Random(8)
    while len(match.history) < least or not _has_news(match):
        seat = lots.choice(match.pending)
        match.play(seat, lots.choice(match.legal(seat)))
    return match


def _has_news(match: Match) -> bool:
    news = match.view(0)["lately"] < match.view(0)["seen"]
    return news and 0 in match.pending and match.history[-1].news != HIDDEN


def recap_of(page: str) -> str:
    recap = re.search(r'<(\w+) id="recap".*?</\1>', page, re.S)
    assert recap is not None
    return " ".join(re.sub(r"<[^>]*>", " ", recap[0]).split())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_moved_since_is_told_in_a_line(name: str, language: str) -> None:
    page = draw(played(name), language, plain=True)
    check_clean(Page(page))
    line = recap_of(page)
    assert "Bo" in line
    assert line.startswith(("Since your turn", "Depuis votre tour"))


def test_a_reader_who_has_just_decided_reads_nothing() -> None:
    match = begun("minnows")
    match.play(0, match.legal(0)[0])
    assert recap_of(draw(match, plain=True)) == ""


def test_hidden_choices_are_told_by_symbols_once_they_are_turned_up() -> None:
    match = begun("ecosystem")
    for seat in (0, 1, 2):
        assert "data-reveal" not in draw(match)
        match.play(seat, match.legal(seat)[0])
    recap = re.search(r'<a id="recap".*?</a>', draw(match), re.S)
    assert recap is not None
    assert "data-reveal" in recap[0]
    assert recap[0].count("is-drawn") == 2


def test_what_a_card_brought_is_told_with_it() -> None:
    match, lots = begun("ecosystem"), random.Random(8)
    times = 0
    while not match.over:
        seat = lots.choice(match.pending)
        match.play(seat, lots.choice(match.legal(seat)))
        seen = match.view(0)
        newest = seen["events"][seen["lately"] :]
        gains = [event["gain"] for event in newest if event.get("gain") and told_of(event) == 1]
        if match.over or not gains or 0 not in match.pending:
            continue
        line = recap_of(draw(match, plain=True))
        assert f"{sum(gains):+d}".replace("-", "−") in line or len(gains) > 1
        times += 1
    assert times


def told_of(event: Event) -> int:
    who: int = event["params"]["who"]["seat"]
    return who


def test_gains_add_up_to_the_sheets_of_those_who_compare_nothing() -> None:
    """Each event's gain is what its card changed of its reef's own lines."""
    match, lots = begun("ecosystem"), random.Random(3)
    while not match.over:
        seat = lots.choice(match.pending)
        match.play(seat, lots.choice(match.legal(seat)))
    compared = {"plankton", "bonus"}
    laid = ("event.place", "event.move", "event.swap")
    for seat in range(match.players):
        events = [event for event in match.events(0) if event["key"] in laid]
        gained = sum(event.get("gain", 0) for event in events if told_of(event) == seat)
        own = {line: points for line, points in match.sheet(seat).items() if line not in compared}
        whales = [event for event in match.events(0) if event["key"] == "event.flip"]
        if not any(told_of(event) == seat for event in whales):
            assert gained == sum(own.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_event_has_few_words(name: str) -> None:
    for language in LANGUAGES:
        table = words(games()[name], language).table
        assert set(table["lately"]) == set(table["event"])


@pytest.mark.parametrize("name", [name for name in GAMES if name != "minnows"])
def test_what_others_moved_is_marked_with_their_seat(name: str) -> None:
    match, lots = begun(name), random.Random(8)
    marked: set[str] = set()
    for _ in range(60):
        seat = lots.choice(match.pending)
        match.play(seat, lots.choice(match.legal(seat)))
        page = Page(draw(match, plain=True))
        marked |= {attrs["data-last"] for _, attrs in page.tags if "data-last" in attrs}
    assert marked == {str(seat) for seat in range(1, match.players)}


def test_what_the_table_did_for_a_seat_is_told_in_the_same_place(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("ecosystem", 2, pace="quick")
        for _ in range(2):
            place.clock.now = live.table.until
            await place.work()
        match = match_of(live)
        line = recap_of(draw(match, plain=True))
        assert "you: time ran out" in line
        await place.move(live, 0, match.legal(0)[0])
        seen = view(live.table, 0)
        assert seen is not None
        assert seen["lately"] == seen["seen"]

    at_a_place(tmp_path, test, pause=(0.0, 0.0))
