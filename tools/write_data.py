"""Write a data folder as a host would have it, and what the server says of every table in it.

The code on the path serves; everything is done through its API and its pages' forms. Such a folder
is kept for each time that the code around the log was rebuilt (`tests/golden/data-*`), so that
tests can show that old tables open and go on.

    python tools/write_data.py tests/golden/data-2026-11
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

API = "/api/v1"
NAMES = ("Mira", "Bo", "Théa", "Ewan", "Noor", "Zélie")
PAUSE = 900
"""Seconds that bots take for a hidden choice where the server is to be stopped before."""
QUICK = 60
"""Seconds for a decision at a quick table."""
MOST_GUESSES = 60


class Host:
    """A server on a data folder, and the settings that it runs with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=300)

    @contextmanager
    def serving(self, end: signal.Signals = signal.SIGTERM, **settings: str) -> Iterator[None]:
        """A server process; `end` says how it is ended."""
        usual = {"LIMITS": "off", "PAUSE": "0,0", "AWAY": "1000000", "WINDOW": "3600"}
        environment = {f"PELAGOS_{name}": value for name, value in {**usual, **settings}.items()}
        words = [sys.executable, "-m", "pelagos.cli", "serve"]
        words += ["--port", str(self.port), "--data", str(self.folder)]
        server = subprocess.Popen(
            words,
            env={**os.environ, **environment, "PELAGOS_THINKERS": "1"},
            stderr=subprocess.DEVNULL,
        )
        try:
            while not self.is_up():
                assert server.poll() is None, "the server has ended"
                time.sleep(0.2)
            yield
        finally:
            server.send_signal(end)
            server.wait()

    def is_up(self) -> bool:
        """Does it answer?"""
        try:
            return self.http.get("/health").status_code == 200
        except httpx.TransportError:
            return False


class Table:
    """A table, the tokens of those who sit there, and somebody who plays for all of them."""

    def __init__(self, host: Host, name: str, shows: str) -> None:
        self.host = host
        self.name = name
        self.shows = shows
        self.id = ""
        self.tokens: dict[str, str] = {}
        self.chance = random.Random(name)
        self.seen: list[str] = []
        """Moves in words that were legal once: what may be sent ahead is guessed from these."""

    # --- asking ---------------------------------------------------------------------------------

    def ask(self, method: str, path: str, body: Any = None, role: str = "") -> httpx.Response:
        """A request about this table, in a role."""
        head = {"Authorization": f"Bearer {self.tokens[role]}"} if role else {}
        address = f"{API}/tables/{self.id}{path}"
        self.host.http.cookies.clear()
        return self.host.http.request(method, address, json=body, headers=head)

    def need(self, method: str, path: str, body: Any = None, role: str = "") -> Any:
        """The answer to a request that can't be refused."""
        got = self.ask(method, path, body, role)
        assert got.status_code == 200, f"{self.name} {path}: {got.status_code} {got.text}"
        return got.json()

    def seat(self, seat: int, path: str, body: Any) -> httpx.Response:
        """Something that a seat does."""
        body = {"client": secrets.token_urlsafe(12), **body}
        return self.ask("POST", f"/seats/{seat}/{path}", body, str(seat))

    def about(self) -> Any:
        """What everyone may know of the table."""
        return self.need("GET", "")

    def message(self, viewer: int) -> Any:
        """A viewer's message; -1: a spectator's."""
        if viewer < 0:
            return self.need("GET", "/view")
        return self.need("GET", f"/seats/{viewer}/view", role=str(viewer))

    @property
    def held(self) -> list[int]:
        """The seats that people hold."""
        return sorted(int(role) for role in self.tokens if role.isdigit())

    # --- gathering ------------------------------------------------------------------------------

    def lay(self, game: str, seats: list[str], **more: Any) -> Table:
        """Seats are `open`, `person` or a bot's id."""
        options = {"players": len(seats), **more.pop("options", {})}
        wishes = [
            {"kind": kind} if kind in ("open", "person") else {"kind": "bot", "bot": kind}
            for kind in seats
        ]
        body = {"game": game, "options": options, "seats": wishes, **more}
        self.host.http.cookies.clear()
        got = self.host.http.post(f"{API}/tables", json=body)
        assert got.status_code == 201, got.text
        self.id, self.tokens["host"] = got.json()["table"]["id"], got.json()["token"]
        return self

    def sit(self, *seats: int) -> Table:
        """People sit down."""
        for seat in seats:
            body = {"name": NAMES[seat], "client": secrets.token_urlsafe(16)}
            body["bytes"] = secrets.token_hex(32) if seat % 2 == 0 else ""
            got = self.need("POST", f"/seats/{seat}", body, "host")
            self.tokens[str(seat)] = got["token"]
        return self

    def full(self, game: str, people: int, bots: list[str] | None = None, **more: Any) -> Table:
        """A table at which everybody has sat down."""
        self.lay(game, ["open"] * people + (bots or []), **more)
        return self.sit(*range(people))

    # --- playing --------------------------------------------------------------------------------

    def settle(self) -> Any:
        """Wait until no bot owes anything; what everyone may know then."""
        while True:
            about = self.about()
            owing = [seat for seat in about["waiting"] if about["seats"][seat]["kind"] == "bot"]
            if not owing:
                return about
            time.sleep(0.05)

    def move(self, seat: int, prefer: str = "") -> Any:
        """Any choice of the seat, by number or in words; the seat's next message."""
        message = self.message(seat)
        choices = message["view"]["choices"]
        self.seen += [choice["notation"] for choice in choices]
        liked = [choice for choice in choices if prefer and choice["notation"].startswith(prefer)]
        chosen = self.chance.choice(liked or choices)
        action = chosen[self.chance.choice(["action", "notation"])]
        body = {"actions": [action], "decision": message["own"]["decision"]}
        got = self.seat(seat, "actions", body)
        assert got.status_code == 200, got.text
        return got.json()

    def play(self, moves: int = 10**6, until: Callable[[Any], bool] | None = None) -> Table:
        """So many moves of people, or until the game is over or as wished."""
        for _ in range(moves):
            about = self.settle()
            if about["state"] == "over" or (until is not None and until(about)):
                break
            owing = [seat for seat in about["waiting"] if str(seat) in self.tokens]
            self.move(self.chance.choice(owing))
        self.settle()
        return self

    def hide(self) -> bool:
        """Play on until one seat has chosen in secret and others haven't."""
        for _ in range(40):
            about = self.settle()
            if about["state"] == "over":
                return False
            before = about["waiting"]
            seat = before[0]
            while seat in self.about()["waiting"] and len(self.about()["waiting"]) == len(before):
                self.move(seat)
            if 0 < len(self.settle()["waiting"]) < len(before) and len(before) > 1:
                return True
        return False

    def send_ahead(self) -> bool:
        """Let a seat choose beforehand what it will do later, if there is something."""
        guesses = sorted(set(self.seen))
        self.chance.shuffle(guesses)
        waiting = self.about()["waiting"]
        seat = next(seat for seat in self.held if seat not in waiting)
        for words in guesses[:MOST_GUESSES]:
            got = self.seat(seat, "ahead", {"actions": [words]})
            if got.status_code == 200 and got.json()["own"]["ahead"]:
                return True
        return False

    def undo(self) -> bool:
        """Play on until somebody can take a move back, and does."""
        for _ in range(80):
            about = self.settle()
            if about["state"] == "over":
                return False
            seat = self.chance.choice(about["waiting"])
            own = self.move(seat)["own"]
            if own["undo"]:
                got = self.seat(seat, "undo", {"decision": own["decision"]})
                assert got.status_code == 200, got.text
                return True
        return False

    def rematch(self) -> Table:
        """Everyone plays again."""
        for seat in self.held:
            assert self.seat(seat, "rematch", {"bytes": ""}).status_code == 200
        return self

    # --- what the server says -------------------------------------------------------------------

    def testimony(self) -> dict[str, Any]:
        """All that the server says of this table, to everyone who may ask."""
        about = self.about()
        viewers = [seat for seat in self.held if about["seats"][seat]["kind"] != "bot"]
        testimony: dict[str, Any] = {
            "table": self.id,
            "messages": {str(viewer): self.message(viewer) for viewer in (*viewers, -1)},
            "records": [
                self.need("GET", f"/record?game={number}") for number in range(about["games"])
            ],
        }
        if about["state"] != "gathering":
            testimony["seen_records"] = {
                str(seat): self.need("GET", f"/seats/{seat}/record", role=str(seat))
                for seat in viewers
            }
            testimony["events"] = {
                str(seat): self.need("GET", f"/seats/{seat}/events", role=str(seat))["events"]
                for seat in viewers
            }
        return testimony


class Writer:
    """Lays all the tables."""

    def __init__(self, folder: Path) -> None:
        self.host = Host(folder)
        self.tables: list[Table] = []

    def new(self, name: str, shows: str) -> Table:
        """One more table of the folder."""
        print(time.strftime("%H:%M:%S"), name, "·", shows, flush=True)
        table = Table(self.host, name, shows)
        self.tables.append(table)
        return table

    def drop(self, table: Table, why: str) -> None:
        """Keep the table, but say what it doesn't show."""
        table.shows = f"{table.shows} (not in this game: {why})"

    def by_form(self, name: str, shows: str, path: str, form: dict[str, str]) -> Table:
        """A table that a page lays; the browser's cookies are its tokens."""
        table = self.new(name, shows)
        self.host.http.cookies.clear()
        got = self.host.http.post(path, data=form, headers={"Origin": str(self.host.http.base_url)})
        assert got.status_code == 303, got.text
        table.id = re.search(r"/t/([A-Za-z0-9_-]{22})", got.headers["location"])[1]  # type: ignore[index]
        self.take_cookies(table, got)
        return table

    def take_cookies(self, table: Table, got: httpx.Response) -> None:
        """The tokens that a browser would keep."""
        for name, value in got.cookies.items():
            if name.startswith(f"pelagos-{table.id}-"):
                table.tokens[name.rpartition("-")[2]] = value.strip('"')

    # --- the tables -----------------------------------------------------------------------------

    def usual(self, game: Any) -> None:
        """What there is of every game."""
        kind, low, high = game["id"], game["players"][0], game["players"][1]
        two, many = min(2, high), min(3, high)
        table = self.new(f"{kind}-gathering", "gathering; one seat kept, one taken, one empty")
        seats = ["open", "person", "open", "open"][: max(2, many)]
        table.lay(kind, seats[:high], listed=True).sit(0)
        self.new(f"{kind}-begun", "just dealt").full(kind, many)
        table = self.new(f"{kind}-middle", "in the middle of the game, listed, without previews")
        table.full(kind, high, listed=True, previews=False).play(4 * high + 5)
        table = self.new(f"{kind}-hidden", "hidden choices pending")
        if not table.full(kind, many).hide():
            self.drop(table, "no hidden choice was met")
        table = self.new(f"{kind}-ahead", "actions sent ahead")
        is_sent_ahead = False
        table.full(kind, many).play(3 * many)
        for _ in range(3):
            is_sent_ahead = table.hide() and table.send_ahead()
            if is_sent_ahead or table.about()["state"] == "over":
                break
            table.play(3)
        if not is_sent_ahead:
            self.drop(table, "nothing could be sent ahead")
        table = self.new(f"{kind}-undo", "an undo in the log")
        if not table.full(kind, two).undo():
            self.drop(table, "nothing could be taken back")
        table = self.new(f"{kind}-over", "finished")
        table.full(kind, many, closed=True).play()
        table = self.new(f"{kind}-rematch", "one game finished, a rematch running")
        table.full(kind, two, ["starfish"] if two < high else []).play()
        table.rematch().play(5)
        if low == 1:
            self.new(f"{kind}-solo", "alone, finished").full(kind, 1).play()
        for option in game["options"]:
            value = next(other for other in option["values"] if other != option["default"])
            table = self.new(f"{kind}-{option['name']}", f"option {option['name']}={value}, closed")
            table.full(kind, many, options={option["name"]: value}, closed=True).play(9)

    def packed(self, game: Any) -> None:
        """A table with material of one's own."""
        from pelagos.engine.game import find_game
        from pelagos.engine.pack import default_pack

        kind = game["id"]
        files = dict(default_pack(find_game(kind)).files)
        files["pack.toml"] = files["pack.toml"].replace('name = "default"', 'name = "ours"')
        if kind == "ecosystem":
            rows = files["cards.csv"].splitlines()
            rows = [
                ",".join([*row.split(",")[:4], "21", *row.split(",")[5:]])
                if row.startswith("krill,")
                else row
                for row in rows
            ]
            files["cards.csv"] = "\n".join(rows) + "\n"
        table = self.new(f"{kind}-pack", "a pack of one's own")
        table.full(kind, 2, pack=files).play(7)

    def with_bots(self, game: Any, ladder: list[str]) -> None:
        """Every bot of the ladder."""
        kind = game["id"]
        for bot in ladder:
            table = self.new(f"{kind}-{bot}", f"in the middle of a game with {bot}")
            table.full(kind, 1, [bot]).play(3)
        table = self.new(f"{kind}-bots", "finished, bots alone")
        table.lay(kind, ["starfish", "hermit"])
        table.need("POST", "/start", role="host")
        table.settle()

    def seats(self, kind: str) -> None:
        """Seats that change hands."""
        table = self.new(f"{kind}-left", "a seat left, empty in the middle of the game")
        table.full(kind, 2).play(4)
        table.need("POST", "/seats/1/leave", role="1")
        del table.tokens["1"]
        table = self.new(f"{kind}-replaced", "a seat left, and given to a bot")
        table.full(kind, 2).play(4).play(until=lambda about: "until" not in about)
        table.need("POST", "/seats/1/leave", role="1")
        del table.tokens["1"]
        table.need("POST", "/seats/1/bot", {"bot": "hermit"}, "host")
        table.play(2)
        table = self.new(f"{kind}-issued", "a seat's token issued anew, twice")
        table.full(kind, 2).play(2)
        table.tokens["0"] = table.need("POST", "/seats/0/issue", role="host")["token"]
        self.host.http.cookies.clear()
        table.tokens["1"] = table.need("POST", "/seats/1/issue", role="host")["token"]
        got = self.host.http.post(f"/t/{table.id}/seat/1", data={"key": table.tokens["1"]})
        assert got.status_code == 303, got.text
        self.take_cookies(table, got)

    def pages(self) -> None:
        """What only the pages do: several people at one device, the deal of the day, playing on."""
        table = self.by_form(
            "ecosystem-here",
            "three at one device",
            "/new/ecosystem",
            {
                **{"players": "3", "seat0": "me", "seat1": "here", "seat2": "here"},
                **{"name": "Mira", "name1": "Bo", "name2": "Théa", "previews": "on"},
            },
        )
        table.play(7)
        table = self.by_form(
            "oceanide-here",
            "two at one device, closed collections",
            "/new/oceanide",
            {
                **{"players": "2", "seat0": "me", "seat1": "here", "closed": "on"},
                **{"name": "Ewan", "name1": "Noor"},
            },
        )
        table.play(9)
        self.by_form("daily", "the deal of the day", "/daily", {}).play(3)
        self.by_form("daily-over", "the deal of the day, finished", "/daily", {}).play()
        over = next(table for table in self.tables if table.name == "oceanos-over")
        form = {"game": "0", "at": "12", "eyes": "1"}
        shows = "played on from a finished game"
        self.by_form("oceanos-played-on", shows, f"/t/{over.id}/replay", form).play(2)

    def orders(self) -> None:
        """Océanide's standing orders and its window for kings."""
        for name, order in (("asked", "ask"), ("allow", "allow"), ("from", "from-5")):
            table = self.new(f"oceanide-{name}", f"standing orders: {order}; closed collections")
            table.full("oceanide", 3, closed=True)
            for seat in range(3):
                got = table.seat(seat, "orders", {"order": order})
                assert got.status_code == 200, got.text
            for _ in range(40):
                about = table.settle()
                if "until" in about and order != "allow":
                    break
                for seat in about["waiting"][:1]:
                    table.move(seat, "steal")
        table = self.new("oceanide-orders", "several standing orders, in the middle of the game")
        table.full("oceanide", 4).play(6)
        for seat, order in enumerate(("allow", "from-6", "ask", "from-4")):
            assert table.seat(seat, "orders", {"order": order}).status_code == 200

    def owing(self, game: Any) -> None:
        """Bots that are asked, and the server is killed before they answer."""
        kind = game["id"]
        table = self.new(f"{kind}-owing", "a bot's answer owed when the server was killed")
        table.full(kind, 1, ["dolphin"])
        if 0 in table.about()["waiting"]:
            table.move(0)

    def away(self) -> None:
        """People who have gone, and one who came back."""
        gone = next(table for table in self.tables if table.name == "ecosystem-middle")
        back = next(table for table in self.tables if table.name == "oceanos-middle")
        for table in (gone, back):
            table.shows += "; people away"
            while not all(seat["away"] for seat in table.about()["seats"]):
                time.sleep(0.3)
        head = {"Authorization": f"Bearer {back.tokens['0']}", "Accept-Encoding": "identity"}
        address = f"{API}/tables/{back.id}/seats/0/stream"
        with self.host.http.stream("GET", address, headers=head) as got:
            for line in got.iter_lines():
                message = json.loads(line[6:]) if line.startswith("data: {") else {}
                if message.get("table") and not message["table"]["seats"][0]["away"]:
                    break

    def clocks(self, kinds: list[str]) -> list[dict[str, Any]]:
        """Quick and slow tables; at some of them somebody was late. What the server says of all.

        Tables without a clock are asked while the clocks run: nothing changes there.
        """
        late, still = [], list(self.tables)
        for kind in kinds:
            table = self.new(f"{kind}-late", "pace quick; a decision made late")
            late.append(table.full(kind, 2, pace="quick"))
        for kind in kinds:
            table = self.new(f"{kind}-slow", "pace slow, the clock running")
            table.full(kind, 2, pace="slow").play(3)
        begun = {table.id: table.about()["until"] for table in late}
        testimonies = [table.testimony() for table in still]
        while any(table.about().get("until") == begun[table.id] for table in late):
            time.sleep(0.5)
        for kind in kinds:
            table = self.new(f"{kind}-quick", "pace quick, the clock running")
            table.full(kind, 2, pace="quick").play(2)
        return testimonies + [table.testimony() for table in self.tables[len(still) :]]

    # --- all of it ------------------------------------------------------------------------------

    def write(self) -> list[dict[str, Any]]:
        """Lay everything; what the server says of it."""
        with self.host.serving():
            games = self.host.http.get(f"{API}/games").json()["games"]
            ladder = [bot["id"] for bot in self.host.http.get(f"{API}/bots").json()["bots"]]
            for game in games:
                self.usual(game)
                self.packed(game)
                self.with_bots(game, ladder)
                self.seats(game["id"])
            self.orders()
            self.pages()
        with self.host.serving(signal.SIGKILL, PAUSE=f"{PAUSE},{PAUSE}"):
            for game in games:
                self.owing(game)
        with self.host.serving(AWAY="2", REREAD="0.5"):
            self.away()
        with self.host.serving():
            return self.clocks([game["id"] for game in games])


def pack_up(source: Path, folder: Path) -> None:
    """The database as one small file: nothing in it is changed."""
    database = sqlite3.connect(source / "pelagos.sqlite")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("VACUUM")
    database.close()
    packed = lzma.compress((source / "pelagos.sqlite").read_bytes(), preset=9 | lzma.PRESET_EXTREME)
    (folder / "pelagos.sqlite.xz").write_bytes(packed)


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        writer = Writer(Path(place))
        tables = writer.write()
        pack_up(Path(place), folder)
    index = [
        {"name": table.name, "shows": table.shows, "table": table.id, "tokens": table.tokens}
        for table in writer.tables
    ]
    (folder / "tables.json").write_text(json.dumps(index, ensure_ascii=False, indent=1) + "\n")
    lines = "".join(json.dumps(table, ensure_ascii=False) + "\n" for table in tables)
    (folder / "told.jsonl.xz").write_bytes(lzma.compress(lines.encode(), preset=9))


if __name__ == "__main__":
    main()
