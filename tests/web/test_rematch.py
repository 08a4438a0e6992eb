"""Another game: who wants one is told, and the one before stays within reach."""

from __future__ import annotations

import random

from drawn import Page, check_clean
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts
from pelagos.tables.message import Messages
from pelagos.tables.table import OVER, Table
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader

CLIENT = "client-0123456789"


def finished(players: int = 3) -> Table:
    table, lots = Table("T" * 22), random.Random(2)
    for entry in acts.create("minnows", {"players": players}, None):
        table.apply(entry)
    for seat, name in enumerate(["Ada", "Bo", "Théa"][:players]):
        acts.sit(table, seat, name, "", f"{CLIENT}{seat}", False)
    play_on(table, lots)
    return table


def play_on(table: Table, lots: random.Random) -> None:
    match = table.match
    assert match is not None
    while table.state != OVER:
        seat = lots.choice(match.pending)
        client = f"{CLIENT}-{len(match.history)}"
        acts.move(table, seat, None, [lots.choice(match.legal(seat))], client)
        acts.settle(table)


def page(table: Table, seat: int, language: str = "en") -> str:
    message = Messages().of(table, seat).data
    return str(Drawing(message, Reader(language, "light", "Mira")).inside({"why": ""}))


def test_who_wants_another_game_is_told_to_those_who_havent_said_so() -> None:
    table = finished()
    assert "data-wants" not in page(table, 1)
    acts.again(table, 0, "", CLIENT)
    assert Messages().of(table, 1).data["table"]["again"] == [0]
    for seat in (1, -1):
        drawn = page(table, seat)
        assert 'data-wants="Ada wants another game."' in drawn
        assert "● Ada wants another game. – Minnows" in drawn
        assert drawn.count("Ada wants another game.") >= 3
    assert "data-wants" not in page(table, 0)
    assert "Waiting for Bo and Théa." in page(table, 0)
    acts.again(table, 1, "", CLIENT)
    assert "Ada et Bo veulent rejouer." in page(table, 2, "fr")


def test_the_game_before_stays_within_reach() -> None:
    table = finished(2)
    scores = Messages().of(table, 0).data["view"]["sheets"]
    for seat in range(2):
        acts.again(table, seat, "", CLIENT)
    assert table.state != OVER
    for language in LANGUAGES:
        drawn = page(table, 0, language)
        check_clean(Page(drawn))
        links = [attrs.get("href", "") for tag, attrs in Page(drawn).tags if tag == "a"]
        assert f"/t/{table.id}/replay?game=0" in links
        assert f"/t/{table.id}/record?game=0" in links
    for sheet in scores:
        assert f"{['you', 'Bo'][sheet['seat']]} {sheet['total']}" in page(table, 0)
