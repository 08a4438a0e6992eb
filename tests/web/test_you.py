"""You: on a page nobody reads of themselves in the third person, in whole games of every game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from pelagos.engine.game import Game
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts
from pelagos.tables.message import Messages
from pelagos.tables.table import OVER, Table
from pelagos.terminal.reader import Reader as TerminalReader
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader

OWN = "Zuleika"
LISTS = r'<(\w+) class="(?:seat-name|podium-name|own-name|jar-name|other-name)"[^>]*>.*?</\1>'
"""Where seats are listed the name stands, with `(you)` beside it where it is read."""
HEADS = re.compile(rf'<h2 title="{OWN}">{OWN}</h2>| title="{OWN}"')


def begun(game: Game, deal: int) -> Table:
    players = max(2, game.default_players)
    table = Table("T" * 22)
    entries = acts.create(game.id, {"players": players}, None, series=3)
    entries[0]["secret"] = f"{deal:064x}"
    for seat in range(players):
        name = OWN if seat == 0 else f"Bo{seat}"
        sits = {"do": "sit", "seat": seat, "name": name, "bytes": "", "holder": "x"}
        entries.append(sits)
    entries.append({"do": "start", "bytes": [""] * players, "next": "0" * 64, "opening": True})
    for entry in entries:
        table.apply(entry)
    return table


def played(game: Game, deal: int) -> Iterator[dict[str, Any]]:
    """What seat 0 is shown, before each of its decisions and at the end."""
    table, chance, messages = begun(game, deal), random.Random(deal), Messages()
    while True:
        match = table.match
        assert match is not None
        if 0 in table.waiting or table.state == OVER:
            yield messages.of(table, 0, True).data
        if table.state == OVER:
            return
        seat = chance.choice(table.waiting)
        action = chance.choice(match.legal(seat))
        table.apply({"do": "move", "seat": seat, "actions": [action]})
        acts.settle(table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_own_name_stands_in_no_sentence_of_a_whole_game(game: Game, language: str) -> None:
    spoken_to = 0
    for plain, deal in ((False, 7), (True, 8)):
        reader = Reader(language, plain=plain)
        for message in played(game, deal):
            drawing = Drawing(message, reader)
            page = drawing.inside({"why": "", "daily_line": ""})
            running = HEADS.sub("", re.sub(LISTS, "", page, flags=re.DOTALL))
            at = running.find(OWN)
            assert at < 0, running[max(0, at - 300) : at + 100]
            for line in drawing.log():
                assert not re.match(r"(you|vous)\b", line["line"]), line["line"]
                spoken_to += bool(re.match(r"(You|Your|Vous|Votre|Vos)\b", line["line"]))
    assert spoken_to > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_in_the_terminal_speaks_to_who_reads_it(game: Game, language: str) -> None:
    table = begun(game, 5)
    assert table.match is not None
    for message in played(game, 5):
        last = message
    reader = TerminalReader(table.match.pack, language, table.match.names)
    own = [event for event in last["view"]["events"] if event["params"].get("who") == {"seat": 0}]
    assert own
    assert any(OWN in reader.say(event) for event in own)
    reader.you = 0
    assert not any(OWN in reader.say(event) for event in own)


def test_verbs_agree_with_who_does_it_and_who_is_spoken_to() -> None:
    from pelagos.engine.game import find_game
    from pelagos.engine.words import words

    names = ["Ada", "Bo"]
    params = {"who": {"seat": 0}, "player": {"seat": 1}, "card": {"noun": "compass"}}
    for language, spoken in (
        ("en", ["Ada asks Bo for", "You ask Bo for", "Ada asks you for"]),
        ("fr", ["Ada demande à Bo", "Vous demandez à Bo", "Ada vous demande"]),
    ):
        said = words(find_game("oceanide"), language)
        for you, begins in zip((None, 0, 1), spoken, strict=True):
            assert said.text("event.take_one", params, names, you).startswith(begins)
