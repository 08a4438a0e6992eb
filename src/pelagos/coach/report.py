"""An analysis for readers: as text in their language, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pelagos.coach.analysis import BLUNDER, KINDS, MEASURES, UNIT, made, sums
from pelagos.engine.words import Words, package_words

LEVELS = "▁▂▃▄▅▆▇█"
COLUMNS = 60
"""The widest curve."""
MOST_BLUNDERS = 12
DECISION_COLUMNS = (
    "at",
    "step",
    "seat",
    "name",
    "number",
    "made",
    "best",
    "kind",
    "win",
    "points",
    "cost_win",
    "cost_points",
    "worth_win",
    "worth_points",
    "choices",
    "playouts",
)
POSITION_COLUMNS = (
    "at",
    "seat",
    "name",
    "measure",
    "value",
    "error",
    "start",
    "own",
    "others",
    "chance",
)


# --- CSV ------------------------------------------------------------------------------------------


def decisions_csv(document: Mapping[str, Any]) -> str:
    """A line a decision; chances in per cent, points in points."""
    return _csv(DECISION_COLUMNS, (_decision_row(document, each) for each in document["decisions"]))


def positions_csv(document: Mapping[str, Any]) -> str:
    """The curve: a line a position, seat and measure, with its parts."""
    return _csv(POSITION_COLUMNS, _position_rows(document))


def _csv(columns: Sequence[str], rows: Iterator[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def _decision_row(document: Mapping[str, Any], decision: Mapping[str, Any]) -> list[Any]:
    seat, cost, worth = decision["seat"], decision["cost"], decision["worth"]
    chosen = made(decision)
    best = decision["alternatives"][0]["notation"]
    return [
        *(decision["at"], decision["step"], seat, document["seats"][seat]["name"]),
        *(decision["number"], chosen["notation"], best, decision["kind"]),
        *(_plain(number) for number in (chosen["win"], chosen["points"])),
        *(_plain(cost[measure]) for measure in MEASURES),
        *(_plain(worth[measure][seat]) for measure in MEASURES),
        *(decision["choices"], decision["playouts"]),
    ]


def _position_rows(document: Mapping[str, Any]) -> Iterator[list[Any]]:
    first = document["positions"][0]
    for position in document["positions"]:
        for seat, about in enumerate(document["seats"]):
            for measure in MEASURES:
                parts = position["parts"][measure]
                numbers = (
                    *(position[measure][seat], position[f"{measure}_error"][seat]),
                    *(first[measure][seat], parts["own"][seat]),
                    *(parts["others"][seat], parts["chance"][seat]),
                )
                yield [position["at"], seat, about["name"], measure, *map(_plain, numbers)]


def _plain(number: int) -> str:
    sign, number = "-" * (number < 0), abs(number)
    return f"{sign}{number // UNIT}.{number % UNIT:02d}"


# --- text -----------------------------------------------------------------------------------------


def report(document: Mapping[str, Any], said: Words) -> str:
    """The whole analysis on a screen: curve, sums, moments, blunders. `said`: the game's words."""
    return "\n\n".join("\n".join(block) for block in _Report(document, said).blocks() if block)


class _Report:
    def __init__(self, document: Mapping[str, Any], said: Words) -> None:
        self.document = document
        self.said = said
        self.own = package_words("pelagos.coach", said.language)
        self.names = [seat["name"] for seat in document["seats"]]
        self.width = max(map(len, self.names))
        self.measure: str = document["measure"]
        self.unit = self.own.text(f"unit.{self.measure}")

    def blocks(self) -> Iterator[list[str]]:
        budget = self.document["budget"]
        error = f"{self.measure}_error"
        errors = [number for position in self.document["positions"] for number in position[error]]
        yield [
            self._text(f"curve_{self.measure}"),
            *self._curve(),
            self._text("budget", count=budget["playouts"], error=self._number(max(errors))),
        ]
        yield [self._text("sums"), *self._sums()]
        yield [self._text("kinds"), *self._kinds()]
        moments = [line for moment in self.document["moments"] for line in self._moment(moment)]
        if moments:
            yield [self._text("moments"), *moments]
        blunders = [each for each in self.document["decisions"] if each["kind"] == BLUNDER]
        if blunders:
            blunders.sort(key=lambda each: -each["cost"][self.measure])
            shown = sorted(blunders[:MOST_BLUNDERS], key=lambda each: int(each["at"]))
            lines = [line for each in shown for line in self._decision(each)]
            yield [self._text("blunders", count=len(blunders)), *lines]

    def _text(self, key: str, **params: Any) -> str:
        return self.own.text(f"report.{key}", params, self.names)

    def _number(self, number: int, signed: bool = False) -> str:
        """In per cent or points, with one decimal."""
        shown = f"{number / UNIT:{'+' if signed else ''}.1f}".replace("-", "\u2212")
        return (shown.replace(".", ",") if self.said.language == "fr" else shown) + self.unit

    def _curve(self) -> Iterator[str]:
        positions = self.document["positions"]
        count = min(len(positions), COLUMNS)
        last = max(count - 1, 1)
        places = [round(column * (len(positions) - 1) / last) for column in range(count)]
        everything = [number for position in positions for number in position[self.measure]]
        top = 100 * UNIT if self.measure == "win" else max(*everything, 1)
        for seat, name in enumerate(self.names):
            numbers = [positions[place][self.measure][seat] for place in places]
            levels = [
                LEVELS[max(0, min(number * len(LEVELS) // top, len(LEVELS) - 1))]
                for number in numbers
            ]
            start, end = (self._number(number) for number in (numbers[0], numbers[-1]))
            yield f"  {name:<{self.width}}  {start:>7}  {''.join(levels)}  {end}"

    def _sums(self) -> Iterator[str]:
        last = len(self.document["positions"]) - 1
        heads = [self._text(part) for part in ("start", "own", "others", "chance", "now")]
        yield f"  {'':<{self.width}}  " + "  ".join(f"{head:>14}" for head in heads)
        for seat, name in enumerate(self.names):
            parts = sums(self.document, seat, last, self.measure)
            shown = [f"{parts.start}", *(f"{part:+d}" for part in parts[1:4]), f"= {parts.now}"]
            cells = (f"{part.replace('-', '−')}{self.unit}" for part in shown)
            yield f"  {name:<{self.width}}  " + "  ".join(f"{cell:>14}" for cell in cells)

    def _kinds(self) -> Iterator[str]:
        for seat in self.document["seats"]:
            counts = [
                f"{seat['kinds'][kind]:>3} {self.own.text(f'kind.{kind}')}"
                for kind in (*KINDS, BLUNDER)
            ]
            lost = self._text(
                "lost",
                lost=self._number(seat["lost"][self.measure] // max(seat["decisions"], 1)),
                accuracy=self._percent(seat["accuracy"]),
            )
            yield f"  {seat['name']:<{self.width}}  {'  '.join(counts)}   {lost}"

    def _percent(self, number: int) -> str:
        return f"{number / UNIT:.1f}".replace(".", "," if self.said.language == "fr" else ".")

    def _moment(self, moment: Mapping[str, Any]) -> Iterator[str]:
        effect = ""
        if moment["affected"] != moment["seat"]:
            name = self.names[moment["affected"]]
            effect = f" ({name} {self._number(moment['effect'], signed=True)})"
        decision = self.document["decisions"][moment["decision"]]
        yield from self._decision(decision, moment["swing"], effect)

    def _decision(
        self, decision: Mapping[str, Any], swing: int | None = None, effect: str = ""
    ) -> Iterator[str]:
        name = self.names[decision["seat"]]
        chosen, best = made(decision), decision["alternatives"][0]
        loss = -decision["cost"][self.measure] if swing is None else swing
        at = self._text("at", number=decision["at"])
        yield f"  {at}  {self._number(loss, signed=True)}  {name}{effect}"
        yield f"      {self._alternative(chosen)}"
        if best is not chosen:
            yield f"      {self._text('better')} {self._alternative(best)}"

    def _alternative(self, alternative: Mapping[str, Any]) -> str:
        why = "; ".join(self.said.say(reason, self.names) for reason in alternative["reason"])
        label = self.said.say(alternative["label"], self.names)
        worth = self._number(alternative[self.measure])
        return f"{label} ({worth})" + (f": {why}" if why else "")
