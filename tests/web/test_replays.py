"""A finished game again: all cards open, nobody away or waited for, as things stood then."""

from __future__ import annotations

import random
from functools import cache

import pytest

from drawn import Page, check_clean
from pelagos.engine.game import find_game, games
from pelagos.tables import acts
from pelagos.tables.table import OVER, Table
from pelagos.web import replay
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader

NAMES = ("Mira", "Bo", "Théa")


@cache
def played(which: str, games_played: int = 1) -> Table:
    """A table at which games were played; then Bo's seat went to Eve, and Mira is away."""
    players = min(find_game(which).default_players, 3)
    table, chance = Table("x" * 22), random.Random(which)
    for entry in acts.create(which, {"players": players}, None, pace="slow"):
        table.apply(entry)
    for seat in range(players):
        acts.sit(table, seat, NAMES[seat], "", f"client-{seat}-0123456789", False)
    for number in range(games_played):
        while table.state != OVER:
            seat = chance.choice(table.waiting)
            assert table.match is not None
            action = chance.choice(table.match.legal(seat))
            acts.move(table, seat, None, [action], f"move-{table.number:08d}")
        if number < games_played - 1:
            for seat in range(players):
                acts.again(table, seat, "", f"again-{number}-{seat}-0123456789")
    acts.leave(table, 1)
    acts.sit(table, 1, "Eve", "", "client-eve-0123456789", False)
    acts.presence(table, 0, True)
    return table


def draw(table: Table, game: int, number: int, eyes: str, language: str = "en") -> Page:
    message = replay.message_of(replay.at(table, game, number), eyes, number)
    page = Page(Drawing(message, Reader(language)).inside({"why": "", "daily_line": ""}))
    check_clean(page)
    return page


def steps(table: Table) -> list[int]:
    length = replay.length(table.finished[0])
    return [0, length // 3, length // 2, length - 1, length]


@pytest.mark.parametrize("which", sorted(games()))
def test_all_hands_are_open_with_names_on_the_games_own_table(which: str) -> None:
    table = played(which)
    held = 0
    for number in steps(table):
        page = draw(table, 0, number, replay.OPEN_EYES)
        assert "own-table" in page.classes("main", "table")[0]["class"]
        match = table.finished[0].match.at(number)
        message = replay.message_of(replay.at(table, 0, number), replay.OPEN_EYES, number)
        for seat, hand in enumerate(message.get("hands", ())):
            view = match.view(seat)
            places = {place["key"] for place in view["places"] if place["kind"] == "hand"}
            own = {place["key"] for place in view["places"] if place["seat"] == seat} & places
            seen = [piece for piece in view["pieces"] if piece["place"] in own]
            assert hand == seen
            assert all(piece["face"] for piece in hand)
            held += len(hand)
        if held:
            labels = [attrs.get("aria-label") for attrs in page.classes("ul", "plain")]
            assert set(NAMES[: table.players]) <= set(labels)
    assert bool(held) == find_game(which).secrets


@pytest.mark.parametrize("eyes", ["0", "open"])
@pytest.mark.parametrize("which", sorted(games()))
def test_nobody_is_away_waited_for_or_somebody_else(which: str, eyes: str) -> None:
    table = played(which)
    for number in steps(table)[:-1]:
        page = draw(table, 0, number, eyes)
        texts = " ".join(page.texts)
        assert "Bo" in texts
        assert "Eve" not in texts
        for state in ("move", "choosing", "ready", "away", "left", "here"):
            assert not page.classes("span", f"st-{state}"), state
        assert not page.classes("li", "due")
        assert not page.classes("p", "clock")
        assert not page.buttons
        for word in ("aiting for", "is playing", "chooses", "choose."):
            assert word not in texts, word


@pytest.mark.parametrize("which", sorted(games()))
def test_the_prompt_says_what_was_done(which: str) -> None:
    table = played(which)
    number = steps(table)[1]
    message = replay.message_of(replay.at(table, 0, number), "0", number)
    drawing = Drawing(message, Reader("en"))
    assert drawing.happening() == drawing.log()[0]["line"]
    assert drawing.happening() in " ".join(draw(table, 0, number, "0").texts)


def test_the_series_stands_as_it_stood_then() -> None:
    table = played("ozeanien", 3)
    assert len(table.finished) == 3
    for game in range(3):
        message = replay.message_of(replay.at(table, game, 4), "0", 4)
        won = [finished.match.winners for finished in table.finished[:game]]
        assert message["table"]["past"] == won
        end = replay.length(table.finished[game])
        message = replay.message_of(replay.at(table, game, end), "0", end)
        assert message["table"]["past"] == won
