"""A saved game is opened in a browser: verified, one of its games, or refused in a sentence."""

from __future__ import annotations

import asyncio
import json
import random
import re
from typing import Any

import pytest

from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.tables import fairness
from pelagos.tables.saved import SavedGame
from pelagos.tables.table import fold
from pocket.visitor import Visitor


def by_chance(game: str, seats: list[dict[str, Any]], **options: int) -> dict[str, Any]:
    """The record of a whole game, as a table writes it."""
    chance, secret, parts = random.Random(game), fairness.new_secret(), ["ab" * 32]
    parts += [""] * (len(seats) - 1)
    match = Match.new(game, players=len(seats), seed=fairness.seed(secret, parts), **options)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, chance.choice(match.legal(seat)))
    match.seats = seats
    proof = {"commitment": fairness.commitment(secret), "secret": secret, "bytes": parts}
    return {**match.record(), "fairness": proof}


@pytest.mark.parametrize("which", games())
def test_what_a_table_of_a_saved_game_writes_is_the_saved_game(which: str) -> None:
    seats = [
        {"name": "Ada", "hints": 2},
        {"name": "Krill", "bot": "greedy"},
        {"name": "a bot that isn't here", "bot": "elsewhere"},
    ]
    record = by_chance(which, seats[: max(games()[which].players)])
    record["handovers"] = [
        {"at": 1, "seat": 0, "do": "leave", "by": "host"},
        {"at": 2, "seat": 0, "do": "sit", "by": "seat"},
        {"at": 3, "seat": 1, "do": "bot", "by": "seat"},
    ]
    saved = SavedGame.read(json.dumps(record))
    table = fold(saved.table, saved.entries())
    assert table.broken is None
    [finished] = table.finished
    assert finished.record() == record


def test_a_saved_game_is_one_of_ones_own_with_replay_and_coach() -> None:
    async def open_it() -> None:
        here, there = Visitor({}), Visitor({})
        await here.pocket.open()
        table = await here.play("minnows", random.Random(1))
        record = (await here.ask(f"/t/{table}/record")).text
        await here.pocket.close()

        await there.pocket.open()
        for _ in range(2):  # asked twice, there once
            answer = await there.open_file(record.encode())
            assert (answer.status, answer.headers["location"][-17:]) == (303, "/mine?done=opened")
        mine = (await there.ask("/mine")).text
        assert "d&#39;un fichier" in mine
        [opened] = re.findall(r'class="link" href="/some/path/t/([\w-]{22})/replay', mine)
        assert 'class="panel mine-card"' not in mine  # nobody knows whose game it was
        for page in ("replay?at=2&eyes=0", "coach", "fair"):
            assert (await there.ask(f"/t/{opened}/{page}")).status == 200, page
        assert "Cette partie a été ouverte" in (await there.ask(f"/t/{opened}/fair")).text
        assert json.loads((await there.ask(f"/t/{opened}/record")).text) == json.loads(record)
        await there.pocket.close()

        again = Visitor(there.kept)
        await again.pocket.open()
        assert opened in (await again.ask("/mine")).text
        await again.ask("/mine/delete", {"sure": "1"})
        assert not [name for name in again.kept if opened in name]
        await again.pocket.close()

    asyncio.run(open_it())


def test_a_bad_file_is_refused_in_a_sentence_and_changes_nothing() -> None:
    record = by_chance("minnows", [{"name": "Ada"}, {"name": "Bo"}])
    won = {**record, "result": {**record["result"], "scores": [99, 0]}}
    unfinished = {name: part for name, part in record.items() if name != "result"}
    unfinished["moves"] = record["moves"][:2]
    stacked = {**record, "fairness": {**record["fairness"], "secret": "00" * 32}}
    bad = {
        b"": "Not JSON",
        b"no game at all": "Not JSON",
        b"\xff\xfe": "Not JSON",
        b"[" * 5000: "",
        b"[]": "record",
        json.dumps(won).encode(): "result",
        json.dumps(unfinished).encode(): "isn&#39;t over",
        json.dumps(stacked).encode(): "commitment",
        json.dumps({**record, "fairness": None}).encode(): "fairness is missing",
        json.dumps({**record, "game": "chess"}).encode(): "chess",
        b" " * 1_000_000: "larger than",
    }

    async def try_all() -> None:
        visitor = Visitor({})
        await visitor.pocket.open()
        before = dict(visitor.kept)
        for file, reason in bad.items():
            english = await visitor.open_file(file, "en")
            french = await visitor.open_file(file, "fr")
            assert english.status == french.status == 422
            assert "This file wasn&#39;t opened, and nothing has changed." in english.text
            assert "Ce fichier n&#39;a pas été ouvert, et rien n&#39;a changé." in french.text
            assert reason in english.text, file[:80]
            assert visitor.kept == before
        await visitor.pocket.close()

    asyncio.run(try_all())
