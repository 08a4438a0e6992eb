"""Tables that were laid under another version of the rules: listed, read, replayed, never gone on
with; and logs that can't be read, which break nothing but their own table.
"""

from __future__ import annotations

import html
import json
import random
import re
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from browser import Site
from pelagos.bots import find_creature
from pelagos.cli import app
from pelagos.tables import acts
from pelagos.tables.database import FILE
from pelagos.tables.own_games import OwnGames, new_key, owner_of
from pelagos.tables.service import OpenTable
from pelagos.tables.table import Entry, fold
from pelagos.tables.tokens import cookie_name
from pelagos.web.cookies import OWN_KEY
from tables.place import Place, at_a_place, match_of
from tabling import ROOT, client_id

OLD = "0"
BOT = find_creature("hermit").id
SAYS = {"en": "laid under version 0 of the rules", "fr": "selon la version 0 des règles"}


@dataclass
class Left:
    """What the former version left behind: tables by name, and who held seat 0 at them."""

    folder: Path
    tables: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    key: str = field(default_factory=new_key)
    url: str = ""

    def api(self, name: str, more: str = "") -> str:
        return f"{self.url}{ROOT}/tables/{self.tables[name]}{more}"

    def bearer(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def browser(self, language: str = "en") -> httpx.Client:
        """Ada's browser, with all her seats."""
        kept = {
            cookie_name(table, "0"): self.tokens[name]
            for name, table in self.tables.items()
            if name in self.tokens
        }
        cookies = {**kept, OWN_KEY: self.key}
        return httpx.Client(
            base_url=self.url, cookies=cookies, headers={"Accept-Language": language}, timeout=60
        )


async def play(place: Place, live: OpenTable, moves: int) -> None:
    chance = random.Random(7)
    for _ in range(moves):
        if live.table.state == "over":
            return
        seat = chance.choice(live.table.waiting)
        await place.move(live, seat, chance.choice(match_of(live).legal(seat)))


@pytest.fixture(name="left", scope="module")
def _left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Left]:
    left = Left(tmp_path_factory.mktemp("versions"))

    async def leave_tables(place: Place) -> None:
        for name, people, bots, moves in (
            ("over", 2, 0, 1000),
            ("unfit", 2, 0, 1000),
            ("running", 2, 0, 5),
            ("with_bot", 1, 1, 0),
            ("spoilt", 2, 0, 5),
            ("gone", 2, 0, 5),
            ("present", 2, 0, 1000),
        ):
            pace = {"pace": "quick"} if name == "with_bot" else {}
            live = await place.lay("minnows", people, bots, listed=True, free_talk=True, **pace)
            await play(place, live, moves)
            left.tables[name] = live.table.id
            left.tokens[name] = place.tables.token(live.table, 0)
            held = (live.table.id, 0, live.table.seats[0].issue)
            await OwnGames(place.tables).hold(owner_of(left.key), [held])
        gathering = await place.tables.create(
            acts.create("minnows", {"players": 2, "calm": True}, None, listed=True)
        )
        left.tables["gathering"] = gathering.table.id

    at_a_place(left.folder, leave_tables)
    with sqlite3.connect(left.folder / FILE) as database:
        for name in ("over", "unfit", "running", "with_bot", "gathering"):
            change(database, left.tables[name], 0, rules=OLD)
        change(database, left.tables["unfit"], 9, actions=["bid a coelacanth"])
        change(database, left.tables["gone"], 0, game="gone")
        spoil = "UPDATE log SET entry = '[no entry' WHERE table_id = ? AND number = 5"
        database.execute(spoil, (left.tables["spoilt"],))
    with Site(left.folder) as site:
        left.url = site.url
        yield left


def change(database: sqlite3.Connection, table: str, number: int, **changes: Any) -> None:
    """Let a log's entry say something else."""
    which = (table, number)
    query = "SELECT entry FROM log WHERE table_id = ? AND number = ?"
    entry = json.loads(database.execute(query, which).fetchone()[0])
    assert not changes.get("actions") or entry["do"] == "move"
    changed = "UPDATE log SET entry = ? WHERE table_id = ? AND number = ?"
    database.execute(changed, (json.dumps({**entry, **changes}), *which))


def test_the_api_lists_and_shows_them_and_refuses_to_go_on(left: Left) -> None:
    rows = httpx.get(f"{left.url}{ROOT}/tables").json()["tables"]
    versions = {row["id"]: row.get("other_rules") for row in rows}
    old = ("over", "unfit", "running", "with_bot", "gathering")
    assert versions == {table: OLD if name in old else None for name, table in left.tables.items()}
    for name in old:
        about = httpx.get(left.api(name)).json()
        rules = about["other_rules"]
        assert (rules["version"], rules["installed"]) == (OLD, "1")
        assert all(words in rules["says"][language] for language, words in SAYS.items())
        assert rules["fits"] == (name != "unfit")
        assert about["waiting"] == []
        body = {"name": "Eve", "client": client_id()}
        refused = httpx.post(
            left.api(name, "/seats/1"), json=body, headers={"Accept-Language": "fr"}
        )
        assert refused.status_code == 410
        assert refused.json()["error"]["code"] == "other_rules"
        assert SAYS["fr"] in refused.json()["error"]["message"]
        assert SAYS["en"] in refused.json()["error"]["sentence"]
        anew = httpx.post(f"{left.url}{ROOT}/tables", json=rules["anew"]).json()["table"]
        assert "other_rules" not in anew
        for setting in ("game", "options", "pace", "table_options", "free_talk"):
            assert anew.get(setting) == about.get(setting), setting
        assert [seat["name"] for seat in anew["seats"] if seat["bot"]] == [
            find_creature(seat["bot"]).names["en"] for seat in about["seats"] if seat["bot"]
        ]

    seen = httpx.get(left.api("running", "/seats/0/view"), headers=left.bearer("running")).json()
    assert seen["view"]["pieces"]
    assert seen["view"]["choices"] == []
    assert not seen["own"]["owes"]
    assert not seen["own"]["undo"]
    asked = {"actions": [0], "client": client_id()}
    path = left.api("running", "/seats/0/actions")
    assert httpx.post(path, json=asked, headers=left.bearer("running")).status_code == 410


def test_a_record_tells_by_which_rules_it_was_played_and_ends_where_others_stop(
    left: Left,
) -> None:
    whole = httpx.get(left.api("over", "/record")).json()
    same = httpx.get(left.api("present", "/record")).json()
    assert (whole["rules"], whole["replayed_by"]) == (OLD, "1")
    assert (same["rules"], same.get("replayed_by")) == ("1", None)
    assert [sum(sheet.values()) for sheet in whole["result"]["sheets"]] == whole["result"]["scores"]
    about = httpx.get(left.api("unfit")).json()
    part = httpx.get(left.api("unfit", "/record")).json()
    assert about["games"] == 0
    assert part["rules"] == OLD
    assert "result" not in part
    stops = about["other_rules"]["stops"]
    count = len(part["moves"]) if part["moves"] else 0
    assert 0 < count < len(whole["moves"])
    assert re.search(r"game 1 .* \d+ moves", stops["en"])
    assert "bid" not in json.dumps(about)  # neither a hidden move nor what else its seat held
    assert re.search(r"partie 1, .* \d+ coups", stops["fr"])


def test_nothing_is_owed_there_any_more(left: Left) -> None:
    """The bot of a running table isn't asked, and no clock decides for anybody."""
    owed = "SELECT count(*) FROM due WHERE table_id = ?"
    length = "SELECT count(*) FROM log WHERE table_id = ?"
    table = (left.tables["with_bot"],)
    with sqlite3.connect(left.folder / FILE) as database:
        [[before]] = database.execute(length, table)
        while database.execute(owed.replace("?", "? AND at < 1e9"), table).fetchone()[0]:
            time.sleep(0.05)
        assert database.execute(length, table).fetchone()[0] == before


@pytest.mark.parametrize("language", ["en", "fr"])
def test_their_pages_tell_what_can_be_told(left: Left, language: str) -> None:
    with left.browser(language) as ada:
        front = ada.get("/")
        assert front.status_code == 200
        marked = {"en": "laid under other rules", "fr": "d'autres règles"}[language]
        for name in ("over", "unfit", "running", "with_bot"):
            row = re.search(rf'href="/t/{left.tables[name]}".*?</a>', front.text, re.DOTALL)
            assert row, name
            assert marked in html.unescape(row[0])
            page = ada.get(f"/t/{left.tables[name]}")
            assert page.status_code == 200
            text = html.unescape(page.text).replace("\u202f", " ")
            assert SAYS[language] in text
            again = re.search(r'class="main" href="(/new/minnows\?[^"]+)"', page.text)
            assert again
            new = ada.get(html.unescape(again[1]))
            assert new.status_code == 200
            chosen = re.findall(r'value="([^"]+)"\s+selected', new.text)
            assert (BOT in chosen) == (name == "with_bot")
            assert ("quick" in chosen) == (name == "with_bot")
            stops = {"en": "moves and no more", "fr": "coups et pas plus"}[language]
            assert (stops in text) == (name == "unfit")
            replayed = ada.get(f"/t/{left.tables[name]}/replay?at=3")
            assert replayed.status_code == (200 if name == "over" else 404)
            assert (f"/t/{left.tables[name]}/replay" in page.text) == (name == "over")
            for beside in ("/seats", "/fair"):
                assert ada.get(f"/t/{left.tables[name]}{beside}").status_code == 200
        form = {"seat": "0", "decision": "0", "action": "0", "client": client_id()}
        refused = ada.post(f"/t/{left.tables['running']}/act", data=form)
        assert refused.status_code == 410
        assert SAYS[language] in html.unescape(refused.text)
        assert ada.get(f"/t/{left.tables['over']}/coach").status_code == 410


def test_a_log_that_can_t_be_read_breaks_nothing_else(left: Left) -> None:
    with left.browser() as ada:
        for name in ("spoilt", "gone"):
            for _ in range(2):
                assert ada.get(f"/t/{left.tables[name]}").status_code == 410
        assert ada.get("/").status_code == 200
        assert ada.get("/mine").status_code == 200
        own = ada.get("/mine/games.json").json()
    assert {game["table"] for game in own} == {left.tables["over"], left.tables["present"]}


def test_commands_tell_what_they_did_and_fail_where_they_did_nothing(
    left: Left, tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["export", str(tmp_path), "--data", str(left.folder)])
    assert done.exit_code == 0, done.output
    output = " ".join(done.output.split())
    assert "2 records of" in output
    assert "1 of them were played by other versions of the rules" in output
    for name in ("unfit", "spoilt", "gone"):
        assert f"Table {left.tables[name]}:" in output
    [old] = tmp_path.glob(f"*{left.tables['over']}*")
    for command in ("verify", "replay"):
        done = CliRunner().invoke(app, [command, str(old)])
        assert done.exit_code == 0, done.output
        assert "layed by version 0 of the rules" in done.output
    record = json.loads(old.read_text())
    moves = [number for number, move in enumerate(record["moves"]) if isinstance(move[0], int)]
    record["moves"][moves[4]][1] = "bid a coelacanth"
    old.write_text(json.dumps(record))
    for command in ("verify", "replay"):
        done = CliRunner().invoke(app, [command, str(old)])
        assert done.exit_code == 1
        said = done.output + str(done.exception)
        assert f"moves[{moves[4]}]" in said, said
        assert "played by version 0 of the rules" in said


def test_who_sits_is_followed_where_the_game_can_t_be() -> None:
    entries: list[Entry] = acts.create("minnows", {"players": 2}, None)
    entries[0] |= {"rules": OLD, "options": {"players": 2, "whirlpools": True}}
    sits = {"do": "sit", "bytes": "", "holder": ""}
    entries += [{**sits, "seat": seat, "name": name} for seat, name in enumerate(("Ada", "Bo"))]
    entries += [{"do": "leave", "seat": 1}, {"do": "nonsense"}, {"do": "move", "seat": 0}]
    entries += [{**sits, "seat": 1, "name": "Cy"}]
    table = fold("T" * 22, entries)
    assert [seat.name for seat in table.seats] == ["Ada", "Cy"]
    assert [seat.issue for seat in table.seats] == [1, 3]
    assert table.number == len(entries)
    assert "whirlpools" in str(table.broken)
    assert acts.laid_anew(table)["options"] == {"players": 2, "calm": False}
