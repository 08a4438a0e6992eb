"""The time of an example that plays again and again, as keyframes of a style sheet.

Frame 0 is how things stood; each step leads to the next frame. Things move for a moment at the
beginning of a step; what they bring about is seen when they have arrived. Then everything fades,
and begins again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pelagos.engine.scene import Point

LEAD = 1.1
"""Seconds before the first step."""
BEATS = 6.4
"""Seconds for all steps together, at most."""
LONGEST_BEAT = 2.4
FADE = 0.5
MOVE = 0.75
BLINK = 0.18
LIFT = 1.1
"""How large a thing is on its way, as if lifted."""

Keyframe = tuple[float, str]


@dataclass(frozen=True)
class Timeline:
    """The loop of an example with so many steps."""

    steps: int

    @property
    def beat(self) -> float:
        """Seconds of a step."""
        return min(LONGEST_BEAT, BEATS / self.steps)

    @property
    def length(self) -> float:
        """Seconds of the whole loop."""
        return LEAD + self.steps * self.beat + FADE

    def start(self, step: int) -> float:
        """When a step begins; the first is number 1."""
        return LEAD + (step - 1) * self.beat

    # --- rules of the style sheet -------------------------------------------------------------

    def loop(self) -> str:
        """The class that says how long the loop is, and the fade at its end."""
        end = self.length
        fade = [(0, "0"), (FADE / 2, "1"), (end - FADE / 2, "1"), (end, "0")]
        name = f"ex-loop-{self.steps}"
        return (
            f".{name}{{--ex-loop:{_number(end)}s}}"
            f".{name} .ex-all{{animation-name:{name}}}"
            f"{self._keyframes(name, [(at, f'opacity:{shown}') for at, shown in fade])}"
        )

    def visible(self, frames: Sequence[bool], late: bool) -> tuple[str, str]:
        """A class for what is there in some frames only, and its rule; `late`: when what moves has
        arrived.
        """
        bits = "".join("1" if shown else "0" for shown in frames)
        name = f"ex-{'then' if late else 'here'}-{bits}"
        keys: list[Keyframe] = [(0, f"opacity:{int(frames[0])}")]
        for step in range(1, len(frames)):
            before, after = int(frames[step - 1]), int(frames[step])
            if before != after:
                begin = self.start(step) + (MOVE if late or not after else 0)
                keys += [(begin, f"opacity:{before}"), (begin + BLINK, f"opacity:{after}")]
        keys.append((self.length, f"opacity:{int(frames[-1])}"))
        return name, self._rule(name, keys)

    def moving(self, name: str, places: Sequence[Point], size: Point) -> str:
        """The rule of a class for what moves from frame to frame."""
        keys: list[Keyframe] = [(0, _at(places[0]))]
        for step in range(1, len(places)):
            before, after = places[step - 1], places[step]
            if before == after:
                continue
            start = self.start(step)
            middle = ((before[0] + after[0]) / 2, (before[1] + after[1]) / 2)
            keys += [
                (start, f"{_at(before)};animation-timing-function:ease-in"),
                (start + MOVE / 2, f"{_lifted(middle, size)};animation-timing-function:ease-out"),
                (start + MOVE, _at(after)),
            ]
        keys.append((self.length, _at(places[-1])))
        return self._rule(name, keys)

    def _rule(self, name: str, keys: Sequence[Keyframe]) -> str:
        return f".{name}{{animation-name:{name}}}{self._keyframes(name, keys)}"

    def _keyframes(self, name: str, keys: Sequence[Keyframe]) -> str:
        inside = "".join(
            f"{_number(100 * at / self.length)}%{{{declared}}}" for at, declared in keys
        )
        return f"@keyframes {name}{{{inside}}}"


def _at(place: Point) -> str:
    return f"transform:translate({_number(place[0])}px,{_number(place[1])}px)"


def _lifted(place: Point, size: Point) -> str:
    grown = (place[0] - size[0] * (LIFT - 1) / 2, place[1] - size[1] * (LIFT - 1) / 2)
    return f"{_at(grown)} scale({LIFT})"


def _number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
