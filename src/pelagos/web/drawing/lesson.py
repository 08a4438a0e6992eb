"""A lesson beside the table: what it says, and which choices glow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from markupsafe import Markup, escape

from pelagos.web.drawing.ids import piece_id, place_id, signed
from pelagos.web.drawing.message import Choice, SortedMessage
from pelagos.web.marks import art, attributes

_STRONG = re.compile(r"\*\*(.+?)\*\*")
_PICTURE = re.compile(r" ?\[([\w-]+)\]")
MOST_MEANT = 3
"""So many moves that the lesson had meant are named."""


class Taught(SortedMessage):
    """The lesson's part of the message; most tables have none."""

    @cached_property
    def lesson(self) -> Mapping[str, Any]:
        """What the lesson tells this viewer now; empty at a table that is none."""
        lesson: Mapping[str, Any] = self.own.get("lesson") or {}
        return lesson

    @property
    def teaches(self) -> bool:
        """Does a lesson speak beside the table?"""
        return bool(self.view and self.lesson) and self.lesson["state"] != "closed"

    @property
    def idle_words(self) -> str:
        """The key of what the large button says while nothing is chosen."""
        if self.lesson.get("state") in ("read", "again", "other"):
            return "lesson.read"
        return "lesson.glows" if self._glowing else "table.pick"

    @cached_property
    def _glowing(self) -> frozenset[int]:
        return frozenset(self.lesson.get("lit", ()))

    def is_taught(self, choices: Iterable[Choice]) -> bool:
        """Does the lesson light one of these choices?"""
        return any(choice["action"] in self._glowing for choice in choices)

    def taught(self, choices: Iterable[Choice]) -> tuple[tuple[str, Any], ...]:
        """The attributes of a button that the lesson lights, for eyes and for ears."""
        return self._taught_attributes if self._glowing and self.is_taught(choices) else ()

    @property
    def _taught_attributes(self) -> tuple[tuple[str, Any], ...]:
        return (("data-taught", 1), ("aria-description", self.tell("lesson.lit")))

    def taught_part(self, actions: str) -> Markup:
        """The attributes of a button that is a part of choices, if the lesson lights one."""
        lit = any(int(action) in self._glowing for action in actions.split())
        return attributes(self._taught_attributes if lit else ())

    def goes_on(self, first: Choice, sequel: Choice) -> bool:
        """Does the lesson light this after that?"""
        return first["action"] in self._glowing and sequel["notation"] in self.lesson["then"]

    def lesson_text(self) -> Markup:
        """What the lesson says; words between two stars are strong."""
        lesson = self.lesson
        if lesson["state"] == "other":
            return escape(self._other(lesson["last"]))
        if "text" not in lesson:
            return escape(self.tell("lesson.free"))
        return self._marked_up(lesson["text"])

    def _marked_up(self, text: Mapping[str, Any]) -> Markup:
        """A lesson's sentence: words between two stars are strong, `[name]` is that picture."""
        strong = _STRONG.sub(r"<b>\1</b>", str(escape(self.say(text))))
        return Markup(_PICTURE.sub(lambda named: f"\u00a0{art(self.game.id, named[1])}", strong))

    def lesson_do(self) -> str:
        """What it asks for now; empty: nothing."""
        lesson = self.lesson
        if lesson["state"] == "wait":
            return self.tell("lesson.wait")
        if lesson["state"] in ("do", "free") and "do" not in lesson and "text" in lesson:
            return self.tell("lesson.nearest" if lesson["state"] == "do" else "lesson.free")
        if lesson["state"] not in ("do", "free", "again", "end") or not self._is_step("do"):
            return ""
        return self._marked_up(lesson["do"])

    def _is_step(self, name: str) -> bool:
        """Has the step words of this kind?"""
        return name in self.lesson and self.said.has(self.lesson[name]["key"])

    def lesson_praise(self) -> str:
        """What came of the last step, where it was followed."""
        last = self.lesson.get("last")
        if not last or not last["followed"]:
            return ""
        if (last["gain"] or 0) <= 0:
            return self.tell("lesson.well")
        return self.tell("lesson.well_gain", gain=signed(last["gain"]))

    def _other(self, last: Mapping[str, Any]) -> str:
        """What was done, and what was meant."""
        names = list(dict.fromkeys(self.say(label) for label in last["meant"]))[:MOST_MEANT]
        params = {"made": self.say(last["made"]), "meant": self.tell("lesson.or").join(names)}
        if last["gain"] is None or (last["meant_gain"] or 0) <= last["gain"]:
            return self.tell("lesson.other", **params)
        gains = {"gain": signed(last["gain"]), "meant_gain": signed(last["meant_gain"])}
        return self.tell("lesson.other_gain", **params, **gains)

    def lesson_points_at(self) -> str:
        """What on the page is pointed at: selectors."""
        return ", ".join(filter(None, map(self._selector, self.lesson.get("point", ()))))

    def _selector(self, what: str) -> str:
        kind, _, key = what.partition(":")
        if kind == "piece":
            return f"#{piece_id(key)}"
        if kind == "place":
            return f"#{place_id(key)}"
        if kind == "seat":
            return f"#seat-{key}"
        if kind == "line":
            return f'#sheets [data-line="{key}"]'
        return f"#{key}"
