"""Hints at tables: who may ask, what everyone hears of it, and that they tell nothing secret."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pelagos.bots import Budget
from pelagos.engine.game import Game
from pelagos.engine.stream import words_of
from pelagos.tables import acts, hints
from pelagos.tables.errors import Malformed, Refused, Stale
from pelagos.tables.message import about, record
from pelagos.tables.service import OpenTable, Tables
from pelagos.tables.settings import Settings
from pelagos.tables.table import Entry, Table, fold
from pelagos.tables.workers import Workers
from tabling import Server, client_id, gather

ENDLESS = Budget(simulations=10**12)
BOT = {"kind": "bot", "bot": "puffin"}
OPEN = {"kind": "open"}


def begun(game: str, seats: list[dict[str, str]], **more: Any) -> tuple[Table, list[Entry]]:
    """A table at which all sit, and its log so far."""
    table = Table("T" * 22)
    entries = acts.create(game, {"players": len(seats)}, seats, **more)
    for seat, wish in enumerate(seats):
        if wish["kind"] != "bot":
            sits = {"do": "sit", "seat": seat, "name": f"P{seat}", "bytes": "", "holder": "x"}
            entries.append(sits)
    entries.append({"do": "start", "bytes": [""] * len(seats), "next": "0" * 64})
    return table, [table.apply(entry) for entry in entries]


def ask(table: Table, seat: int = 0) -> list[Entry]:
    return acts.ask_hint(table, seat, table.decisions[seat], client_id())


def heard(table: Table) -> list[str]:
    assert table.match is not None
    return [event["key"] for event in table.match.events(1)]


def test_hints_are_given_against_bots_alone_unless_the_host_says_otherwise() -> None:
    for seats, setting, allowed in (
        ([OPEN, BOT], None, True),
        ([OPEN], None, True),
        ([OPEN, OPEN], None, False),
        ([OPEN, OPEN], True, True),
        ([OPEN, BOT], False, False),
    ):
        table, entries = begun("ecosystem", seats, hints=setting)
        assert ("hints" in entries[0]) is (setting is not None)
        assert about(table)["hints"] == {"allowed": allowed, "asked": [0] * len(seats)}
        if allowed:
            assert ask(table)
        else:
            with pytest.raises(Refused, match="nobody asks for hints"):
                ask(table)


def test_a_hint_counts_once_a_decision_and_stands_in_the_record() -> None:
    table, entries = begun("ecosystem", [OPEN, OPEN], hints=True)
    assert table.match is not None
    entries += ask(table)
    assert ask(table) == []
    assert heard(table).count("event.hinted") == 1
    for seat in (0, 1):
        choice = table.match.legal(seat)[0]
        entries += acts.move(table, seat, table.decisions[seat], [choice], client_id())
    entries += ask(table)
    assert about(table)["hints"]["asked"] == [2, 0]
    assert [seat.get("hints") for seat in record(table, 0)["seats"]] == [2, None]
    assert about(fold(table.id, entries)) == about(table)
    with pytest.raises(Stale):
        acts.ask_hint(table, 0, 0, client_id())


def test_whoever_knows_nothing_of_hints_reads_that_somebody_is_here() -> None:
    table, entries = begun("ecosystem", [OPEN, BOT])
    entries += ask(table)
    assert entries[-1]["do"] == "presence"
    without = [
        {name: value for name, value in entry.items() if name != "hint"} for entry in entries
    ]
    old, new = fold(table.id, without), fold(table.id, entries)
    assert not old.broken
    assert old.decisions == new.decisions
    assert {**about(old), "hints": 0} == {**about(new), "hints": 0}
    assert "event.hinted" not in heard(new)  # against bots there is nobody to tell


# --- thinking -------------------------------------------------------------------------------------


def with_workers(test: Callable[[Workers], Awaitable[None]]) -> None:
    async def run() -> None:
        workers = Workers(Tables(None, b"key", Settings(thinkers=1)))  # type: ignore[arg-type]
        try:
            await test(workers)
        finally:
            await workers.close()

    asyncio.run(run())


def test_a_hint_is_the_same_in_every_world_that_looks_the_same(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "STEPS", (Budget(simulations=60),))
    monkeypatch.setattr(hints, "ENOUGH", 1)

    async def test(workers: Workers) -> None:
        table, _ = begun(game.id, [OPEN, BOT])
        match = table.match
        assert match is not None
        while len(match.legal(0)) < 2:
            for seat in match.pending:
                match.play(seat, match.legal(seat)[0])
        hints = []
        for world in (b"", b"another", b"a third"):
            twin = table.copy()
            assert twin.match is not None
            if world:
                twin.match.position = match.position.redeal(0, words_of(world))
            hint = await workers.hinting.hint(OpenTable(twin), 0, twin.decisions[0], 0)
            assert {thought.action for thought in hint.thoughts} == set(match.legal(0))
            assert 0.5 <= hint.sure <= 1
            hints.append(hint)
        assert hints[0] == hints[1] == hints[2]

    with_workers(test)


def test_a_browsers_thoughts_are_told_if_they_are_on_this_decision() -> None:
    table, _ = begun("minnows", [OPEN, BOT])
    live, match, decision = OpenTable(table), table.match, table.decisions[0]
    assert match is not None
    legal = match.legal(0)
    rows = [[action, 0.5 - place / 10, 40, 7.5] for place, action in enumerate(legal)]
    with pytest.raises(Stale):  # it wasn't asked for
        hints.check_hint(live, 0, decision, 0, rows)
    ask(table)
    hint = hints.check_hint(live, 0, decision, 1, rows)
    assert [thought.action for thought in hint.thoughts] == legal
    assert (hint.final, hint.games) == (True, 40 * len(legal))
    for wrong in (
        None,
        [],
        rows[1:],
        [*rows, rows[0]],
        [[999, 0.5, 40, 7.5], *rows[1:]],
        [[legal[0], 1.5, 40, 7.5], *rows[1:]],
        [[legal[0], float("nan"), 40, 7.5], *rows[1:]],
        [[legal[0], 0.5, -1, 7.5], *rows[1:]],
        [[legal[0], 0.5, 40, 10**9], *rows[1:]],
        [[legal[0], 0.5, 4.5, 7.5], *rows[1:]],
        [[legal[0], "0.5", 40, 7.5], *rows[1:]],
        [[True, 0.5, 40, 7.5], *rows[1:]],
        [[legal[0], 0.5, 40], *rows[1:]],
    ):
        with pytest.raises(Malformed):
            hints.check_hint(live, 0, decision, 0, wrong)
    for stale in ((decision + 1, 0), (decision, 2), (decision, -1)):
        with pytest.raises(Stale):
            hints.check_hint(live, 0, *stale, rows)


async def begin_to_think(workers: Workers) -> tuple[OpenTable, asyncio.Future[hints.Hint]]:
    """A table at which a hint is being thought about."""
    table, _ = begun("ecosystem", [OPEN, BOT])
    live = OpenTable(table)
    thinking = asyncio.ensure_future(workers.hinting.hint(live, 0, table.decisions[0], 0))
    while workers._thinkers[0].is_free:
        await asyncio.sleep(0)
    return live, thinking


def test_a_bot_that_somebody_waits_for_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "STEPS", (ENDLESS,))
    monkeypatch.setattr(hints, "ENOUGH", 1)

    async def test(workers: Workers) -> None:
        live, thinking = await begin_to_think(workers)
        table = live.table
        assert table.match is not None
        action = await workers._choose(table, table.match, 1, "greedy", Budget(simulations=1))
        assert action in table.match.legal(1)
        hint = await thinking
        assert hint.thoughts[0].action in table.match.legal(0)
        assert await workers.hinting.hint(live, 0, table.decisions[0], 0) is hint

    with_workers(test)


def test_nobody_thinks_on_about_a_decision_that_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "STEPS", (ENDLESS,))

    async def test(workers: Workers) -> None:
        live, thinking = await begin_to_think(workers)
        table = live.table
        assert table.match is not None
        acts.move(table, 0, table.decisions[0], [table.match.legal(0)[0]], client_id())
        live.tell()
        with pytest.raises(Stale):
            await thinking
        assert workers._thinkers[0].is_free

    with_workers(test)


def test_a_program_asks_for_a_hint_and_not_too_often(tmp_path: Any) -> None:
    with Server(tmp_path, LIMITS="on") as server:
        (mira,) = gather(server.url, "minnows", 1, ["puffin"])
        message = mira.view()
        while not message["own"]["owes"] or len(message["view"]["choices"]) < 2:
            message = mira.view()
        body = {"client": client_id(), "decision": message["own"]["decision"]}
        hint = mira.ask("POST", f"{mira.path}/hint", body).json()["hint"]
        offered = {choice["action"]: choice["notation"] for choice in message["view"]["choices"]}
        assert hint["by"] == "orca"
        assert len(hint["choices"]) == 2
        for choice in hint["choices"]:
            assert offered[choice["action"]] == choice["notation"]
            assert 0 <= choice["win"] <= 1
        assert mira.view()["table"]["hints"]["asked"] == [1, 0]
        stale = mira.ask("POST", f"{mira.path}/hint", {**body, "decision": 999})
        assert stale.status_code == 409
        while (got := mira.ask("POST", f"{mira.path}/hint", body)).status_code == 200:
            assert got.json()["hint"] == hint  # known already
        assert got.status_code == 429
        assert mira.view()["table"]["hints"]["asked"] == [1, 0]
