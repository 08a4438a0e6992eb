"""What may be chosen: in words, with what it brings, and as the attributes of a button."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from markupsafe import Markup

from pelagos.web.drawing.ids import piece_id, place_id, signed
from pelagos.web.drawing.lesson import Taught
from pelagos.web.drawing.message import Choice
from pelagos.web.marks import attributes


class Choices(Taught):
    """The viewer's choices."""

    # --- in words ---------------------------------------------------------------------------------

    def label(self, choice: Choice) -> str:
        """A choice in words."""
        return self.say(choice["label"])

    def told_apart(self, choice: Choice) -> str:
        """A choice in words, told from others that are called the same."""
        words = self._told_apart.get(choice["action"])
        return self.label(choice) if words is None else words

    @cached_property
    def _told_apart(self) -> dict[int, str]:
        labels = {choice["action"]: self.label(choice) for choice in self.view["choices"]}
        times = Counter(labels.values())
        return {
            choice["action"]: f"{label} ({self._variant(choice)})" if times[label] > 1 else label
            for choice, label in zip(self.view["choices"], labels.values(), strict=True)
        }

    def _variant(self, choice: Choice) -> str:
        variant = choice["variant"]
        if variant is not None:
            for value in choice["label"]["params"].values():
                if isinstance(value, Mapping) and "noun" in value:
                    key = f"{value['noun']}-{variant}"
                    if self.said.has(f"noun.{key}"):
                        return self.noun(key)
            if self.said.has(f"noun.{variant}"):
                return self.noun(variant)
        piece = self.pieces.get(choice["piece"] or "")
        lies = None if piece is None else piece["at"]
        if piece is not None and lies is not None and choice["at"] not in (None, lies):
            return f"{self.named(piece)}, {self._cell(lies)}"
        return str(choice["notation"])

    def _cell(self, at: Sequence[int]) -> str:
        """A cell as the game calls it, where it has words for that: rows and columns from 1."""
        row, column = (number + 1 for number in at)
        if self.said.has("cell.at"):
            return self.said.text("cell.at", {"row": row, "column": column})
        return f"{row},{column}"

    # --- what a choice brings ---------------------------------------------------------------------

    def total(self, choice: Choice) -> int | None:
        """The change of the viewer's total, or None if the table shows no previews."""
        gain: int | None = choice["gain"]
        return gain

    def gain(self, choice: Choice) -> str:
        """The change in a few letters, where choices differ by it at all."""
        change = choice["gain"]
        return "" if change is None or not self._gains_differ else signed(change)

    @cached_property
    def _gains_differ(self) -> bool:
        return any(choice["gain"] for choice in self.view["choices"])

    def receipt(self, choice: Choice) -> list[tuple[str, int]]:
        """The lines of the viewer's sheet that change, by their names."""
        return [(self.words(f"line.{line['key']}"), line["points"]) for line in choice["receipt"]]

    def changes(self, choice: Choice) -> dict[str, int]:
        """The same, by their keys."""
        return {line["key"]: line["points"] for line in choice["receipt"]}

    def followers(self, choice: Choice) -> list[Choice]:
        """What may be sent together with a choice, after it."""
        following: list[Choice] = choice.get("follow", [])
        return following

    @property
    def planned(self) -> list[Choice]:
        """What the seat has sent ahead, as the choice that it will be."""
        planned: list[Choice] = self.own.get("planned", [])
        return planned

    # --- buttons ----------------------------------------------------------------------------------

    def choice(self, choices: Sequence[Choice], kind: str = "", id_: str = "") -> Markup:
        """The attributes of a button that stands for one or more choices at the same spot."""
        first = choices[0]
        more = " ".join(str(other["action"]) for other in choices[1:])
        return attributes(
            (
                ("id", id_ or f"c-{first['action']}"),
                ("class", f"choice {kind}" if kind else "choice"),
                ("name", "action"),
                ("value", first["action"]),
                *self._points_at(first),
                ("data-more", more or None),
                *self.taught(choices),
                ("data-follow", self._follow(first)),
            )
        )

    def listed(self, choice: Choice) -> Markup:
        """The attributes of a choice's button in the list of all: there is told what it brings."""
        return attributes(
            (
                ("id", f"l-{choice['action']}"),
                ("class", "choice worded listed"),
                ("name", "action"),
                ("value", choice["action"]),
                *self._points_at(choice),
                *self.taught([choice]),
                ("data-say", self.told_apart(choice)),
                ("data-gain", self.gain(choice) or None),
                ("data-receipt", self._receipt(choice) or None),
                ("data-lines", self._lines(choice) or None),
                ("data-asks", "|".join(map(self.say, choice["asks"])) or None),
            )
        )

    def _points_at(self, choice: Choice) -> Iterable[tuple[str, Any]]:
        at = choice["at"]
        return (
            ("data-group", choice["group"]),
            ("data-piece", piece_id(choice["piece"]) if choice["piece"] else None),
            ("data-place", place_id(choice["place"]) if choice["place"] else None),
            ("data-at", None if at is None else f"{at[0]},{at[1]}"),
            ("data-variant", choice["variant"]),
        )

    def _follow(self, choice: Choice) -> str | None:
        """What may follow a choice, for scripts; None if nothing may."""
        following = [
            {
                "move": sequel["notation"],
                "say": self.label(sequel),
                "at": None if sequel["at"] is None else f"{sequel['at'][0]},{sequel['at'][1]}",
                "piece": piece_id(sequel["piece"]) if sequel["piece"] else None,
                "gain": sequel["gain"],
                "lines": self._lines(sequel),
                "receipt": self._receipt(sequel),
                "asks": [self.say(text) for text in sequel["asks"]],
                **({"taught": self.tell("lesson.lit")} if self.goes_on(choice, sequel) else {}),
            }
            for sequel in self.followers(choice)
        ]
        if not following:
            return None
        return json.dumps(following, ensure_ascii=False, separators=(",", ":"))

    def _lines(self, choice: Choice) -> str:
        return " ".join(f"{line['key']}:{line['points']}" for line in choice["receipt"])

    def _receipt(self, choice: Choice) -> str:
        own = [f"{label} {signed(change)}" for label, change in self.receipt(choice)]
        return "|".join([*own, *map(self.say, choice.get("elsewhere", ()))])
