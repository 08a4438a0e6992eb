"""A saved game, opened from its file: a table at which it was played, entry by entry."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pelagos.engine import record as records
from pelagos.engine.errors import BadRecord, text
from pelagos.engine.match import Match
from pelagos.tables import acts, fairness
from pelagos.tables.own_games import FROM_FILE
from pelagos.tables.table import BOT, OPEN, Entry

HANDED_ON = ("sit", "bot", "leave", "issue")
"""How a seat may change hands in the middle of a game."""


@dataclass(frozen=True)
class SavedGame:
    """A record that was verified."""

    record: Mapping[str, Any]
    match: Match

    @classmethod
    def read(cls, written: str) -> SavedGame:
        """What a file holds, if all of it can be verified: every move, the result, and that nobody
        chose the cards.
        """
        record = records.parse(written)
        match = records.replay(record, of_any_rules=True)
        if not match.over:
            raise BadRecord(text("tables/refuse.saved_open"))
        fairness.check(record)
        return cls(record, match)

    @property
    def table(self) -> str:
        """The id of its table: opened twice, it is there once."""
        identity = [self.record["fairness"], self.record["moves"]]
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).digest()
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    @property
    def people(self) -> list[int]:
        """The seats of people; of a game among bots, all."""
        seats = range(self.match.players)
        return [seat for seat in seats if "bot" not in self.match.seats[seat]] or list(seats)

    def entries(self) -> list[Entry]:
        """The log of a table at which this game was played."""
        return [*self._laid(), *self._hints(), *self._moves()]

    def _laid(self) -> Iterator[Entry]:
        match, proof = self.match, self.record["fairness"]
        handed = {change["seat"] for change in self._handovers()}
        seats = [
            {"kind": BOT, "name": sat["name"], "bot": str(sat["bot"])}
            if "bot" in sat and seat not in handed
            else {"kind": OPEN, "name": sat["name"], "bot": ""}
            for seat, sat in enumerate(match.seats)
        ]
        files = None if match.pack.is_default else match.pack.files
        [created] = acts.create(match.game.id, match.options, None, pack=files)
        rules = records.other_rules(self.record) or match.game.rules
        opened = {"deal": FROM_FILE, "secret": proof["secret"], "rules": rules, "seats": seats}
        yield {**created, **opened}
        for seat, sat in enumerate(seats):
            if sat["kind"] == OPEN:
                yield self._sit(seat)
        yield {
            "do": "start",
            "bytes": list(proof["bytes"]),
            "next": fairness.new_secret(),
            "opening": True,
            **({"beacon": proof["beacon"]} if proof.get("beacon") else {}),
        }

    def _sit(self, seat: int) -> Entry:
        sits = {"do": "sit", "seat": seat, "bytes": "", "holder": ""}
        return {**sits, "name": self.match.seats[seat]["name"]}

    def _hints(self) -> Iterator[Entry]:
        for seat, sat in enumerate(self.match.seats):
            asked = sat.get("hints")
            if type(asked) is int and asked <= len(self.record["moves"]):
                for number in range(asked):
                    yield {"do": "presence", "seat": seat, "away": False, "hint": number}

    def _moves(self) -> Iterator[Entry]:
        changes = self._handovers()
        for number, (mover, words) in enumerate(self.record["moves"]):
            for change in changes:
                if change["at"] == number:
                    yield self._hand_over(change)
            if isinstance(mover, int):  # chance follows from the seed
                yield {"do": "move", "seat": mover, "actions": [words]}

    def _handovers(self) -> list[dict[str, Any]]:
        handovers = self.record.get("handovers")
        return [
            change
            for change in (handovers if isinstance(handovers, list) else [])
            if isinstance(change, dict)
            and change.get("do") in HANDED_ON
            and change.get("seat") in range(self.match.players)
        ]

    def _hand_over(self, change: Mapping[str, Any]) -> Entry:
        seat = int(change["seat"])
        by = {"by": ""} if change.get("by") == "host" else {}
        sat = self.match.seats[seat]
        done: Entry = {"told": True} if change["do"] == "issue" else {}
        if change["do"] == "bot":
            done = {"name": sat["name"], "bot": str(sat.get("bot", ""))}
        elif change["do"] == "sit":
            done = self._sit(seat)
        return {**done, "do": change["do"], "seat": seat, **by}
