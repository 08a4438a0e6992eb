"""What must hold: what was acknowledged is on the disk, once, and nobody is told too much."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import orjson
import sqlalchemy as sa

from pelagos.bots import Player, decide, find_creature
from pelagos.bots.thinking import ThinkingHere
from pelagos.engine.match import Match
from pelagos.tables import fairness
from pelagos.tables.keeping import Append
from pelagos.tables.message import Messages
from pelagos.tables.names import split
from pelagos.tables.schema import log, tables
from pelagos.tables.table import OVER, SPECTATOR, Entry, Table
from worlds import another

if TYPE_CHECKING:
    from simulation.world import Process, World

TWINS = 0.04
"""Of the messages that are sent, how many are compared with their twin's."""
PROMPT = 6.0
"""Seconds after which a stream has shown what is on the disk, if nothing went wrong meanwhile."""
_VIEWER = re.compile(r"/api/v1/tables/([^/]+)(?:/seats/(\d+))?/(stream|view|actions)")


class Broken(AssertionError):
    """Something that must hold doesn't."""


class Truth:
    """All that was committed, beside what people were told."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._choices = random.Random(f"{world.seed}/twins")
        self.tables: dict[str, Table] = {}
        """Each table as its log says, entry by entry as it is committed."""
        self.logs: dict[str, list[Entry]] = {}
        self.clients: dict[tuple[str, int, str], tuple[int, Entry]] = {}
        """By table, seat and client id: the decision that it was made for, and the entry."""
        self._since: dict[tuple[str, int, int], float] = {}
        """By table, viewer and number of its view: when it came about."""
        self.laid: list[str] = []
        """Tables whose hosts were told of them: of a request that came twice one is forgotten."""
        self.broken: str = ""
        self.closed = False
        """It is all over: what falls down now is only swept together."""
        self.bots_failed = False
        self.twins = 0
        self._bots: dict[str, Player] = {}

    def go_on_from(self, other: Truth) -> None:
        """Know all that another truth knows."""
        self.tables = {name: table.copy() for name, table in other.tables.items()}
        self.logs = {name: list(entries) for name, entries in other.logs.items()}
        self.clients = dict(other.clients)
        self.laid = list(other.laid)
        self._since = dict(other._since)

    def fail(self, what: str) -> None:
        """The first thing that doesn't hold ends the schedule."""
        if not self.broken and not self.closed:
            self.broken = what
            self._world.note("", f"BROKEN: {what}")

    # --- at every commit --------------------------------------------------------------------------

    def committed(self, append: Append) -> None:
        """Entries have come onto the disk."""
        table = self.tables.setdefault(append.table, Table(append.table))
        kept = self.logs.setdefault(append.table, [])
        if len(kept) != append.after:
            self.fail(f"entry {append.after} is written after {len(kept)}")
        for entry in append.entries:
            self._note(entry)
            seat = entry.get("seat", SPECTATOR)
            decision = table.decisions[seat] if table.decisions and seat >= 0 else 0
            self._check_bot(table, entry)
            client = entry.get("client")
            if client is not None:
                key = (append.table, seat, client)
                if key in self.clients:
                    self.fail(f"{client} of seat {seat} is done twice")
                self.clients[key] = (decision, entry)
            kept.append(orjson.loads(orjson.dumps(entry)))
            table.follow(kept[-1])
            if table.broken:
                self.fail(f"the log can't be followed: {table.broken}")
            for viewer, number in enumerate([*table.views[-1:], *table.views[:-1]], SPECTATOR):
                self._since.setdefault((table.id, viewer, number), self._world.loop.now)

    def _note(self, entry: Entry) -> None:
        if self._world.trace is not None:
            shown = ("do", "seat", "actions", "client", "forced", "late", "ahead", "away", "count")
            named = {name: entry[name] for name in shown if name in entry}
            process = self._world.process
            self._world.note(process.actor.name if process else "", f"commits {named}")

    def _check_bot(self, table: Table, entry: Entry) -> None:
        """A bot's move follows from its decision: one for another decision would be another."""
        if entry["do"] != "move" or "due" not in entry or self.bots_failed:
            return
        seat = entry["seat"]
        creature = find_creature(table.seats[seat].bot)
        assert table.match is not None
        player = self._bots.setdefault(creature.bot, Player(creature.bot, ThinkingHere()))
        expected = decide(table.match, seat, player, creature.budget).action
        if [expected] != entry["numbers"]:
            self.fail(f"seat {seat}'s bot decides {expected}, and {entry['numbers']} is written")

    # --- at every answer --------------------------------------------------------------------------

    def acknowledged(self, table: str, seat: int, client: str, sent: dict[str, Any]) -> None:
        """Somebody was told that what they asked for is done."""
        kept = self.clients.get((table, seat, client))
        if kept is None:
            self.fail(f"{client} of seat {seat} is acknowledged and not on the disk")
            return
        decision, entry = kept
        actions = sent.get("actions")
        if actions is not None and entry["actions"] != actions[: len(entry["actions"])]:
            self.fail(f"{client} of seat {seat} asked for {actions}: {entry['actions']}")
        if sent.get("decision") is not None and sent["decision"] != decision:
            self.fail(f"{client} answers decision {sent['decision']}, and counts for {decision}")

    def refused(self, table: str, seat: int, client: str) -> None:
        """Somebody was told that what they asked for is not done."""
        if (table, seat, client) in self.clients:
            self.fail(f"{client} of seat {seat} is refused, and on the disk")

    def opened(self, process: Process, path: str) -> None:
        """A stream begins."""
        place = _VIEWER.fullmatch(path)
        if place is not None:
            process.shown[place[1], _viewer(place)] = (self._world.loop.now, -1)

    def hear(self, process: Process, path: str, status: int, chunk: bytes) -> None:
        """A process sends something: would it send the same to somebody in another world?"""
        if status >= 500 and status != 503:
            self.fail(f"{path} is answered by {status}")
        place = _VIEWER.fullmatch(path)
        if place is None or status != 200 or not chunk:
            return
        viewer = _viewer(place)
        live = process.server.tables._open.get(place[1])
        if live is None:
            return
        if place[3] == "stream":
            if not chunk.startswith(b"id: "):
                return
            head, _, chunk = chunk.partition(b"data: ")
            chunk = chunk.strip()
            self._check_prompt(process, place[1], viewer, int(head.split()[1]))
        if self._choices.random() < TWINS:
            self._check_twin(live, viewer, chunk)

    def _check_prompt(self, process: Process, table: str, viewer: int, number: int) -> None:
        since = self._since.get((table, viewer, number))
        if since is None:
            self.fail(f"{viewer} is told of change {number}, which isn't on the disk")
            return
        opened, shown = process.shown[table, viewer]
        process.shown[table, viewer] = (opened, number)
        waited = self._world.loop.now - max(since, process.last_hit, opened)
        if number < shown:
            self.fail(f"{viewer} is told of change {number} after {shown}")
        if waited > PROMPT and number != shown:
            self.fail(f"{viewer} is told of change {number} after {waited:.1f} seconds")

    def _check_twin(self, live: Any, viewer: int, sent: bytes) -> None:
        table: Table = live.table
        if table.match is None or table.state == OVER:
            return
        if orjson.loads(sent)["number"] != table.views[viewer]:
            return
        if Messages().of(table, viewer, False, live.talk).json != sent:
            self.fail(f"{viewer} is sent what was kept, and that isn't how things stand")
        twin = another(table, viewer, f"{self._world.seed}/{self.twins}")
        if twin is None:
            return
        self.twins += 1
        if Messages().of(twin, viewer, False, live.talk).json != sent:
            self.fail(f"{viewer} could tell that it isn't in another world")

    def is_begun(self) -> bool:
        """Is a game played, at every table?"""
        matches = [self.tables[table].match for table in self.laid]
        return bool(matches) and None not in matches

    def all_over(self) -> bool:
        """Has every table come to its end?"""
        return all(self.tables[table].state == OVER for table in self.laid)

    # --- in the end -------------------------------------------------------------------------------

    def check_end(self) -> None:
        """All is over: disk, memory and records agree."""
        rows = self._world.disk.run(
            lambda connection: connection.execute(
                sa.select(log.c.table_id, log.c.number, log.c.entry).order_by(
                    log.c.table_id, log.c.number
                )
            ).all()
        )
        written: dict[str, list[Entry]] = {}
        for table, number, entry in rows:
            kept = written.setdefault(table, [])
            if number != len(kept):
                self.fail(f"the log has entry {number} in place {len(kept)}")
            kept.append(orjson.loads(entry))
        nameless = {
            name: [split(entry)[0] for entry in entries] for name, entries in self.logs.items()
        }
        if written != nameless:
            self.fail("the disk has another log than was committed")
        states = self._world.disk.run(
            lambda connection: connection.execute(
                sa.select(tables.c.id, tables.c.number, tables.c.state)
            ).all()
        )
        for table, number, state in states:
            truth = self.tables[table]
            if (number, state) != (truth.number, truth.state):
                self.fail(f"the list says {number}, {state}; the log {truth.number}, {truth.state}")
        for table in self.laid:
            self._check_table(self.tables[table])

    def _check_table(self, table: Table) -> None:
        if table.state != OVER:
            self.fail(f"table {table.id} is {table.state}")
            return
        for finished in table.finished:
            record = finished.record()
            fairness.check(record)
            again = Match.replay(json.dumps(record))
            if again.scores != finished.scores:
                self.fail("the record has other scores")
        messages = Messages()
        for process in self._world.processes:
            live = process.open and process.server.tables._open.get(table.id)
            if not live or live.behind:  # then it is read when somebody asks
                continue
            for viewer in range(SPECTATOR, table.players):
                if live.message(viewer).json != messages.of(table, viewer).json:
                    self.fail(f"{process.actor.name} tells {viewer} otherwise than the log")


def _viewer(place: re.Match[str]) -> int:
    return SPECTATOR if place[2] is None else int(place[2])
