"""A table that is spoilt, or played foul, spoils nothing else."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import httpx

from browser import Site
from pelagos.tables.database import FILE
from pelagos.tables.service import OpenTable
from pelagos.tables.table import fold
from pelagos.web import daily
from tabling import ROOT, lay
from web.days import whole_game


def test_a_log_that_can_t_be_followed_breaks_its_own_table_only(tmp_path: Path) -> None:
    body = {"game": "minnows", "options": {"players": 2}, "listed": True}
    with Site(tmp_path) as site:
        tables = [
            httpx.post(f"{site.url}{ROOT}/tables", json=body).json()["table"]["id"] for _ in "abc"
        ]
    with sqlite3.connect(tmp_path / FILE) as database:
        [[written]] = database.execute(
            "SELECT entry FROM log WHERE table_id = ? AND number = 0", (tables[0],)
        )
        future = json.dumps({**json.loads(written), "rules": 999})
        change = "UPDATE log SET entry = ? WHERE table_id = ?"
        database.execute(change, (future, tables[0]))
        database.execute(change, ("{this is no entry", tables[1]))
    with Site(tmp_path) as site:
        front = httpx.get(site.url)
        assert front.status_code == 200
        assert f"/t/{tables[2]}" in front.text
        for table, status in zip(tables, (200, 410), strict=False):  # other rules are told of
            assert f"/t/{table}" not in front.text
            assert httpx.get(f"{site.url}/t/{table}").status_code == status
            assert httpx.get(f"{site.url}{ROOT}/tables/{table}").status_code == status
        listed = httpx.get(f"{site.url}{ROOT}/tables").json()["tables"]
        assert {row["id"] for row in listed} == set(tables)
        assert httpx.get(f"{site.url}{ROOT}/tables/{tables[2]}").status_code == 200
        lay(site.url, "minnows", 2)


def test_whoever_replaces_a_bot_of_the_daily_deal_has_no_total() -> None:
    deal = daily.of(daily.today())
    entries = whole_game(deal, 3)
    fair = OpenTable(fold("x" * 22, entries))
    assert daily.total(fair) == (deal.text, fair.table.finished[0].scores[0])
    start = next(n for n, entry in enumerate(entries) if entry["do"] == "move")
    seat = entries[0]["seats"][1]
    swapped = [
        {"do": "leave", "seat": 1},
        {"do": "bot", "seat": 1, "bot": seat["bot"], "name": seat["name"]},
    ]
    foul = OpenTable(fold("x" * 22, [*entries[:start], *swapped, *entries[start:]]))
    assert foul.table.finished
    assert daily.total(foul) is None
