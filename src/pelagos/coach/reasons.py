"""Why a choice is better: from the engine's evidence, and from the final sheets of games played on.

What a choice brings at once is told by the evidence of the score sheet that it would lead to; what
it brings by the end, by the lines in which the expected final sheets differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.coach.study import DecisionStudy
from pelagos.coach.walk import Choosing
from pelagos.engine.errors import Text, text
from pelagos.engine.match import Match
from pelagos.engine.position import Position

MOST_REASONS = 3
LEAST_POINTS = 0.25
"""Of what is expected, so much at least is told."""
FIELDS = ("notation", "label", "piece", "place", "at", "variant", "group", "gain", "receipt")
"""What is told of an alternative as a view tells it of a choice."""


def decimal(number: float) -> Text:
    """A number with its sign and one decimal, as the reader's language writes it."""
    tenths = round(abs(number) * 10)
    key = "coach/number.minus" if number < 0 else "coach/number.plus"
    return text(key, whole=tenths // 10, tenth=tenths % 10)


def describe_choices(match: Match, choosing: Choosing) -> dict[int, dict[str, Any]]:
    """The seat's choices as its view told them, by action."""
    view = match.at(choosing.at).view(choosing.seat)
    return {
        choice["action"]: {name: choice[name] for name in FIELDS}  # type: ignore[literal-required]
        for choice in view["choices"]
    }


def line_text(position: Position, line: str) -> Text:
    """The name of a line of the score sheet."""
    return text(f"{position.game.id}/line.{line}")


def reasons(study: DecisionStudy, place: int, other: int) -> list[Text]:
    """Why a choice is what it is, compared to another one."""
    action = study.choices[place]
    texts = [*_at_once(study, action), *_by_the_end(study, place, other)]
    if not texts and place != other:
        texts = [text("coach/reason.more_often" if place else "coach/reason.less_often")]
    return texts[:MOST_REASONS]


def _at_once(study: DecisionStudy, action: int) -> list[Text]:
    """The strongest new piece of evidence on the seat's sheet, if the choice alone happened."""
    seen = study.position.redeal(study.seat, b"view")
    before = _evidence(seen, study.seat, seen.points(study.seat))
    after = seen.copy()
    points = after.preview_here(study.seat, action)
    new = [proof for proof in _evidence(after, study.seat, points) if proof not in before]
    if not new or sum(points) == sum(seen.points(study.seat)):
        return []
    best = max(new, key=lambda proof: abs(int(proof["points"])))
    if not best["points"]:
        return []
    why = text(f"{seen.game.id}/{best['reason']['key']}", **best["reason"]["params"])
    return [text("coach/reason.at_once", points=best["points"], why=why)]


def _evidence(position: Position, seat: int, points: Sequence[int]) -> list[Mapping[str, Any]]:
    """What makes a seat's points; nothing where the game's evidence is for other points."""
    prove = position.game.part("scoring").evidence
    proofs = [
        proof
        for line in prove(position.record, position.pack_record, seat, points)
        for proof in line
    ]
    return proofs if sum(proof["points"] for proof in proofs) == sum(points) else []


def _by_the_end(study: DecisionStudy, place: int, other: int) -> list[Text]:
    """The lines in which the final sheets differ most, and the rival who suffers most."""
    position = study.position
    more = study.more_lines(place, other)
    lines = sorted(zip(more, position.lines, strict=True), key=lambda line: -abs(line[0]))
    texts = [
        text("coach/reason.line", points=decimal(points), line=line_text(position, line))
        for points, line in lines[:2]
        if abs(points) >= LEAST_POINTS
    ]
    rivals = [
        (study.more_points_of(seat, place, other), seat)
        for seat in range(position.players)
        if seat != study.seat
    ]
    points, rival = max(rivals, key=lambda effect: abs(effect[0]), default=(0.0, 0))
    if abs(points) >= LEAST_POINTS:
        texts.append(text("coach/reason.rival", points=decimal(points), who={"seat": rival}))
    return texts


def headline(game: str, decision: Mapping[str, Any]) -> Text:
    """A decision in a few words: what was chosen, and what would have been better."""
    labels = {
        alternative["action"]: text(
            f"{game}/{alternative['label']['key']}", **alternative["label"]["params"]
        )
        for alternative in decision["alternatives"]
    }
    made, best = labels[decision["action"]], labels[decision["best"]]
    if decision["action"] == decision["best"]:
        return text("coach/headline.good", who={"seat": decision["seat"]}, made=made)
    return text("coach/headline.better", who={"seat": decision["seat"]}, made=made, best=best)
