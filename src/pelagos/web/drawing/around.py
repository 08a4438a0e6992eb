"""What stands around the board: seats, clock, orders, log, the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from markupsafe import Markup

from pelagos.engine.series import written
from pelagos.web.drawing.ids import piece_id, shown, signed
from pelagos.web.drawing.sheet import Sheet
from pelagos.web.marks import SEATS, attributes
from pelagos.web.own_table import own_table

MOST_LINES = 40
"""Lines of the log that a page shows."""


class Around(Sheet):
    """The page's own parts."""

    def seats(self, order: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """The seats, as chips show them."""
        return self._seats if order is None else [self._seats[number] for number in order]

    @cached_property
    def _seats(self) -> list[dict[str, Any]]:
        chips = []
        for number, seat in enumerate(self.about["seats"]):
            state = self._state(number, seat)
            chips.append(
                {
                    "number": number,
                    "name": self.names[number],
                    "mine": number == self.me,
                    "bot": bool(seat["bot"]),
                    "state": state,
                    "due": state in ("move", "choosing"),
                    "points": self.total_of(number) if self.view else None,
                    "again": bool(self.view) and self.view["over"] and seat["ready"],
                }
            )
        return chips

    @property
    def replayed(self) -> bool:
        """Is this a finished game again, step by step?"""
        return bool(self.message.get("replay"))

    def happening(self) -> str:
        """What goes on, for those who have nothing to decide: at a replay's step, what was done."""
        if self.replayed:
            return str(self._log[0]["line"]) if self._log else self.tell("replay.dealt")
        who = [self.names[seat] for seat in self.about["waiting"]]
        if self.me is not None or not who or self.view["over"]:
            return ""
        last = self.said.text("table.and").join(who[-2:])
        return self.tell("watch.choosing", who=", ".join([*who[:-2], last]), count=len(who))

    def hands(self) -> list[tuple[int, list[Mapping[str, Any]]]]:
        """What each seat holds, where all cards are open."""
        return list(enumerate(self.message.get("hands", ())))

    def _state(self, number: int, seat: Mapping[str, Any]) -> str:
        """What a seat does now."""
        if not self.view:
            away = seat.get("away") and number != self.me
            return "free" if not seat["taken"] else "away" if away else "here"
        if self.view["over"]:
            return "won" if number in self.winners else ""
        if self.replayed:
            return ""
        if not seat["taken"]:
            return "left"
        if number in self.about["waiting"]:
            owes = number == self.me and self.own.get("owes")
            return "move" if owes else "away" if seat.get("away") else "choosing"
        return "ready" if number in self.view["phase"] else ""

    def clock(self) -> int | None:
        """Seconds that are left for the decision, if a clock runs."""
        return None if self.view["over"] else seconds_left(self.about)

    def orders(self) -> list[tuple[str, str, bool]]:
        """Standing orders that the seat may give: the order, its name, is it given?"""
        standing = self.own.get("orders")
        if not standing or self.view["over"]:
            return []
        orders = []
        for order in standing["known"]:
            kind, _, value = order.partition("-")
            name = self.words(f"table.orders.{kind}", value=value)
            orders.append((order, name, order == standing["given"]))
        return orders

    # --- what happened ----------------------------------------------------------------------------

    def log(self) -> list[dict[str, Any]]:
        """The newest events, newest first, each with its number `n`, its `line`, the `seat` that
        did it, the id of the piece it is `of`, and its `sound`.
        """
        return self._log

    @cached_property
    def _log(self) -> list[dict[str, Any]]:
        events = self.view["events"]
        table = own_table(self.game.id)
        sounds = {} if table is None else table.sounds
        first = self.view["seen"] - len(events)
        lines = [
            {
                **event,
                "n": first + index,
                "line": self.say(event),
                "seat": _seat_of(event),
                "of": piece_id(event["piece"]) if event.get("piece") in self.pieces else "",
                "sound": sounds.get(event["key"].partition(".")[2], ""),
            }
            for index, event in enumerate(events[-MOST_LINES:], max(0, len(events) - MOST_LINES))
        ]
        return lines[::-1]

    @cached_property
    def recap(self) -> list[dict[str, Any]]:
        """What happened since the viewer last decided, a line a seat, in the order of play after
        the viewer's own; a `seat` of None is the table. Each line has the ids of what it is `of`.
        """
        said: dict[int | None, dict[str, dict[str, Any]]] = {}
        for event in self._latest:
            brief = self._briefly(event)
            if brief:
                deed = {"line": brief, "art": self._symbols(event), "gain": 0}
                deed = said.setdefault(_seat_of(event), {}).setdefault(brief, deed)
                deed["gain"] += event.get("gain", 0)
        order = [*self.own_first[1:], self.own_first[0], None]
        return [
            {
                "seat": seat,
                "name": self._called(seat),
                "deeds": [
                    {**deed, "gain": signed(deed["gain"]) if deed["gain"] else ""}
                    for deed in said[seat].values()
                ],
                "of": self.ids(key for key, mover in self._moved.items() if mover == seat),
            }
            for seat in order
            if said.get(seat)
        ]

    @property
    def revealed(self) -> int | None:
        """The number of the newest event by which others' hidden choices were turned up, of those
        that the recap tells.
        """
        first = self.view["seen"] - len(self._latest)
        reveals = self.own_table.reveals if self.own_table else ()
        numbers = [
            first + place
            for place, event in enumerate(self._latest)
            if event["key"].partition(".")[2] in reveals and _seat_of(event) != self.me
        ]
        return numbers[-1] if numbers else None

    def last(self, key: str) -> Markup:
        """For a piece that another seat has moved since the viewer last decided: the attribute
        `data-last`, with the number of that seat's colour and pattern.
        """
        seat = self._moved.get(key)
        if seat is None or seat == self.me:
            return Markup("")
        return attributes((("data-last", seat % SEATS),))

    @property
    def _latest(self) -> Sequence[Mapping[str, Any]]:
        events: Sequence[Mapping[str, Any]] = self.view["events"]
        return events[max(0, self.view["lately"] - self.view["seen"] + len(events)) :]

    def _briefly(self, event: Mapping[str, Any]) -> str:
        """An event in a few words, without its seat; nothing for what others tell better."""
        key = event["key"].replace("event.", "lately.", 1)
        return self.words(key, **event["params"]) if self.said.has(key) else self.say(event)

    def _symbols(self, event: Mapping[str, Any]) -> list[str]:
        """The symbols of an event's things, if they tell it as well as words."""
        table = self.own_table
        if table is None or event["key"].partition(".")[2] not in table.told_by_art:
            return []
        return [name for name in _things(event["params"]) if self.has_art(name)]

    def _called(self, seat: int | None) -> str:
        if seat is None:
            return ""
        return self.tell("recap.of", name=self.called(seat))

    @cached_property
    def _moved(self) -> dict[str, int | None]:
        """The pieces that were moved since the viewer last decided, and by which seat."""
        cells = {
            f"{piece['place']}:{','.join(map(str, piece['at']))}": key
            for key, piece in self.pieces.items()
            if piece["at"] is not None
        }
        moved: dict[str, int | None] = {}
        for event in self._latest:
            target = event.get("target") or ""
            card = event["params"].get("card")
            face = card.get("noun", "") if isinstance(card, Mapping) else ""
            names = (event.get("piece"), cells.get(target), f"{target}.{face}")
            key = next((name for name in names if name in self.pieces), None)
            if key is not None:
                moved[key] = _seat_of(event)
        return moved

    @property
    def steps(self) -> list[str]:
        """What the seat has chosen of its present decision, and may still take back."""
        return [self.say(text) for text in self.view["undo"]] if self.own.get("undo") else []

    @property
    def may_change(self) -> bool:
        """Has the seat chosen, and may change it until all have?"""
        done = self.me is not None and not self.own.get("owes") and bool(self.own.get("undo"))
        return done and self.me in self.view["phase"]

    # --- hints ------------------------------------------------------------------------------------

    @property
    def may_hint(self) -> bool:
        """May the viewer ask for a hint now?"""
        allowed = self.about.get("hints", {}).get("allowed")
        return bool(allowed and self.own.get("owes") and self.view and not self.view["over"])

    def hints(self, seat: int) -> str:
        """How many hints a seat asked for in this game; nothing if none."""
        asked = self.about.get("hints", {}).get("asked", [])
        return self.tell("hint.count", count=asked[seat]) if asked and asked[seat] else ""

    # --- the end ----------------------------------------------------------------------------------

    def victory(self) -> str:
        """Who has won; alone, how well it went, if the game has words for it."""
        if len(self.names) == 1 and self.said.has("end.alone"):
            params = {**self.view["facts"], "count": self.sheet(0)["total"]}
            return self.said.text("end.alone", params)
        if not self.winners:
            return self.tell("end.lost")
        if len(self.winners) == 1:
            return self.words("table.winner", who={"seat": self.winners[0]})
        return self.said.text("table.shared", {"who": self._and(self.winners)})

    def tie_break(self) -> str:
        """What told apart those with the same total, in a sentence; empty if nothing had to."""
        return self.say(self.view["tie_break"]) if "tie_break" in self.view else ""

    def series(self) -> dict[str, Any] | None:
        """How the series at this table stands, if there is one: `brief` for the bar, `line` for the
        table, at its end who has won it, and the name of the button that goes on.
        """
        series = self.about.get("series")
        if series is None:
            return None
        points = [written(share) for share in series["points"]]
        order = sorted(range(len(points)), key=lambda seat: -series["points"][seat])
        ended = ", ".join(f"{self.called(seat)} {points[seat]}" for seat in order)
        params: dict[str, Any] = {
            "games": series["games"],
            "number": series["number"],
            "points": ended,
        }
        key = "line"
        if series["over"]:
            key = "won" if len(series["winners"]) == 1 else "shared"
            first = {"seat": series["winners"][0]}
            params["who"] = first if key == "won" else self._and(series["winners"])
        return {
            "brief": " : ".join(points),
            "line": self.tell(f"series.{key}", **params),
            "over": series["over"],
            "on": self.tell("series.anew" if series["over"] else "series.on", **params),
        }

    def wanting(self) -> str:
        """Who wants another game, in a sentence for those who haven't said so."""
        again = self.about.get("again", [])
        if not self.view or not self.view["over"] or not again or self.me in again:
            return ""
        return self.tell("end.wants", count=len(again), who=self._and(again))

    def missing(self) -> str:
        """Who hasn't said yet that they want another game."""
        silent = [seat for seat, chair in enumerate(self.about["seats"]) if not chair["ready"]]
        return self.tell("table.waiting", who=self._and(silent))

    def _and(self, seats: Sequence[int]) -> str:
        return self.said.text("table.and").join(self.called(seat) for seat in seats)

    def last_game(self) -> dict[str, Any] | None:
        """The game before this one at the table: its number, and how it ended."""
        last = self.about.get("last")
        if last is None:
            return None
        order = sorted(range(len(self.names)), key=lambda seat: -last["scores"][seat])
        ended = ", ".join(f"{self.called(seat)} {shown(last['scores'][seat])}" for seat in order)
        return {"number": last["game"], "line": self.tell("end.last", ended=ended)}

    def podium(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The sheets, best first, each with its place; whoever wins is first, also by a tie."""
        sheets = self.view["sheets"]
        ranks = [(sheet["seat"] in self.winners, sheet["total"]) for sheet in sheets]
        places = [1 + sum(other > rank for other in ranks) for rank in ranks]
        return sorted(zip(places, sheets, strict=True), key=lambda place: place[0])


def seconds_left(about: Mapping[str, Any]) -> int | None:
    """What is left of a table's clock, if one runs."""
    until = about.get("until")
    return max(0, round(until - time.time())) if until else None


def _things(params: Mapping[str, Any]) -> Iterator[str]:
    """The names of the things that an event's texts speak of."""
    for value in params.values():
        if not isinstance(value, Mapping):
            continue
        if "noun" in value:
            yield value["noun"]
        elif "key" in value:
            yield value["key"].rpartition(".")[2]
            yield from _things(value["params"])


def _seat_of(event: Mapping[str, Any]) -> int | None:
    """Who did it."""
    who = event["params"].get("who")
    return who.get("seat") if isinstance(who, Mapping) else None
