"""The coach: what every decision of a game was worth, and what its result is made of.

`analyse` gives one analysis after another, each better than the one before; `docs/coach.md` tells
what stands in them and how it is found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from pelagos.coach.reasons import describe_choices, headline, reasons
from pelagos.coach.study import DecisionStudy, Job, PositionStudy
from pelagos.coach.walk import Choosing, Step, walk
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.match import Match

VERSION = 1
REFERENCE = "greedy"
"""The bot that choices are compared with."""
ROUNDS = 6
"""An analysis in full."""
UNIT = 100
"""Numbers are whole: hundredths of a per cent, and of a point."""
WHOLE = 100 * UNIT
KINDS = {"good": 1 * UNIT, "fine": 3 * UNIT, "slip": 8 * UNIT}
"""A choice that cost less than so much is of this kind; what cost more is a blunder."""
BLUNDER = "blunder"
MOMENTS = 3
MEASURES = ("win", "points")

Document = dict[str, Any]


class Sums(NamedTuple):
    """What a seat's chance or expected points are made of."""

    start: int
    own: int
    others: int
    chance: int
    now: int


def analyse(
    match: Match,
    rounds: int = ROUNDS,
    threads: int = 1,
    resume: Mapping[str, Any] | None = None,
) -> Iterator[Document]:
    """Better and better analyses of a match, one after each round; from a stored one on, if it is
    of the same match. What comes out depends on the match and the round alone.
    """
    coach = _Coach(match)
    first = 1
    if resume is not None:
        coach.load(resume)
        first = int(resume["budget"]["round"]) + 1
        yield coach.document(first - 1, rounds)
    for number in range(first, rounds + 1):
        coach.run(number, threads)
        yield coach.document(number, rounds)


def share(
    match: Match, resume: Mapping[str, Any] | None, answers: Sequence[Sequence[Sequence[int]]]
) -> tuple[Document | None, int, list[Job]]:
    """An analysis whose games are played elsewhere: what came of the stages so far that belong to
    the round after `resume`, job by job, is added up.

    Gives the round's analysis, if all its stages are played; and which round's jobs come next:
    none at the end. `BadSums`: what came of it can't have.
    """
    coach, number = _Coach(match), 1
    if resume is not None:
        coach.load(resume)
        number = int(resume["budget"]["round"]) + 1
    stages = coach.stages(number)
    for answered in answers:
        for job, sums in zip(next(stages), answered, strict=True):
            job.add(sums)
    if jobs := next(stages, []):
        return None, number, jobs
    document = coach.document(number, ROUNDS)
    following = [] if number >= ROUNDS else next(coach.stages(number + 1))
    return document, number + 1, following


def record_hash(match: Match) -> str:
    """What tells a match from others: game, rules, options, material, deal and moves."""
    record = match.record()
    parts = [record[name] for name in ("game", "rules", "options", "deal", "moves")]
    parts.append(match.pack.sha256)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def check(document: Mapping[str, Any], match: Match) -> None:
    """Refuse a document that isn't an analysis of this match."""
    if not isinstance(document, Mapping) or document.get("coach") != VERSION:
        raise PelagosError(text("coach/refuse.version", version=VERSION))
    if document.get("record") != record_hash(match):
        raise PelagosError(text("coach/refuse.record"))


def kind_of(cost: int) -> str:
    """How a choice is called that cost so much: hundredths of a per cent, or of a point."""
    return next((kind for kind, limit in KINDS.items() if cost < limit), BLUNDER)


def sums(document: Mapping[str, Any], seat: int, position: int, measure: str = "win") -> Sums:
    """What a seat's number at a position is made of, in whole per cent or points that add up."""
    points = document["positions"]
    start, now = (_rounded(points[place][measure][seat]) for place in (0, position))
    parts = points[position]["parts"][measure]
    own, others = _rounded(parts["own"][seat]), _rounded(parts["others"][seat])
    return Sums(start, own, others, now - start - own - others, now)


def _rounded(number: int) -> int:
    return (2 * number + UNIT) // (2 * UNIT)


class _Coach:
    """The studies of a match's positions and decisions."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.players = match.players
        self.measure = "points" if match.players == 1 else "win"
        self.steps = walk(match)
        self.decisions = [
            (number, choosing)
            for number, step in enumerate(self.steps)
            for choosing in step.deciding
        ]
        self.studies = [
            self._study(self.steps[number], choosing) for number, choosing in self.decisions
        ]
        going = self.steps[:-1] if match.over else self.steps
        self.positions = [PositionStudy(step.position) for step in going]
        self.described: dict[int, dict[int, dict[str, Any]]] = {}

    def _study(self, step: Step, choosing: Choosing) -> DecisionStudy:
        chosen = step.chosen_by_others(choosing.seat, self.players)
        return DecisionStudy(choosing.position, choosing.seat, choosing.action, chosen)

    def run(self, number: int, threads: int) -> None:
        """One round of every study."""
        studies: list[PositionStudy | DecisionStudy] = [*self.positions, *self.studies]
        if threads == 1:
            for study in studies:
                study.run(number)
            return
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda study: study.run(number), studies))

    def stages(self, number: int) -> Iterator[list[Job]]:
        """All play-outs of a round, in two stages at most, each played before the next begins."""
        studies: list[PositionStudy | DecisionStudy] = [*self.studies, *self.positions]
        begun = [study.stages(number) for study in studies]
        while jobs := [job for stage in begun for job in next(stage, [])]:
            yield jobs

    def load(self, document: Mapping[str, Any]) -> None:
        """Go on from a stored analysis of this match."""
        check(document, self.match)
        work = document["work"]
        for position, sums in zip(self.positions, work["positions"], strict=True):
            position.sums[:] = sums
        for study, (sums, revealed) in zip(self.studies, work["decisions"], strict=True):
            study.sums[:] = sums
            study.revealed[:] = revealed

    def document(self, number: int, rounds: int) -> Document:
        """The analysis as far as it is."""
        decisions = [self._decision(index) for index in range(len(self.studies))]
        positions = self._positions(decisions)
        played = sum(position.playouts for position in self.positions)
        return {
            "coach": VERSION,
            "game": self.match.game.id,
            "rules": self.match.game.rules,
            "players": self.players,
            "record": record_hash(self.match),
            "over": self.match.over,
            "measure": self.measure,
            "reference": REFERENCE,
            "budget": {
                "round": number,
                "rounds": rounds,
                "playouts": played + sum(study.playouts for study in self.studies),
                "done": number >= rounds,
            },
            "positions": positions,
            "decisions": decisions,
            "moments": self._moments(decisions),
            "luck": self._luck(positions),
            "seats": [self._seat(seat, positions, decisions) for seat in range(self.players)],
            "work": {
                "positions": [position.sums.tolist() for position in self.positions],
                "decisions": [
                    [study.sums.tolist(), study.revealed.tolist()] for study in self.studies
                ],
            },
        }

    # --- decisions -----------------------------------------------------------------------------

    def _decision(self, index: int) -> dict[str, Any]:
        (step, choosing), study = self.decisions[index], self.studies[index]
        best = study.best
        more_win, more_points = study.more_win(best), study.more_points(best)
        cost = {"win": max(_share(more_win.mean), 0), "points": _points(more_points.mean)}
        if self.measure == "points":
            cost["points"] = max(cost["points"], 0)
        wins, points = study.worth()
        return {
            "at": choosing.at,
            "step": step,
            "seat": choosing.seat,
            "number": choosing.number,
            "action": choosing.action,
            "best": study.choices[best],
            "kind": kind_of(cost[self.measure]),
            "cost": cost,
            "cost_error": {"win": _share(more_win.error), "points": _points(more_points.error)},
            "worth": {
                "win": [_share(more) for more in wins],
                "points": [_points(more) for more in points],
            },
            "choices": choosing.choices,
            "playouts": study.playouts,
            "alternatives": [self._alternative(index, place, best) for place in study.ranking],
        }

    def _alternative(self, index: int, place: int, best: int) -> dict[str, Any]:
        (_, choosing), study = self.decisions[index], self.studies[index]
        if index not in self.described:
            self.described[index] = describe_choices(self.match, choosing)
        action, other = study.choices[place], 0 if place else best
        win, points = study.win, study.points
        more_win, more_points = study.more_win(place), study.more_points(place)
        more_lines = study.more_lines(place, other)
        return {
            "action": action,
            **self.described[index][action],
            "win": _share(win.mean + more_win.mean),
            "win_error": _share(win.error),
            "points": _points(points.mean + more_points.mean),
            "points_error": _points(points.error),
            "playouts": int(study.sums[place, 0]),
            "reference": round(1000 * study.reference[place]),
            "lines": {
                line: _points(more)
                for line, more in zip(study.position.lines, more_lines, strict=True)
                if _points(more)
            },
            "reason": reasons(study, place, other) if place in (0, best) else [],
        }

    # --- positions, and what they are made of --------------------------------------------------

    def _positions(self, decisions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The curve, with its parts: chance is what choices don't explain."""
        values = [self._value(number) for number in range(len(self.steps))]
        own = {measure: [0] * self.players for measure in MEASURES}
        others = {measure: [0] * self.players for measure in MEASURES}
        rest = list(decisions)
        for number, value in enumerate(values):
            while rest and rest[0]["step"] == number:
                decision = rest.pop(0)
                for measure in MEASURES:
                    for seat, worth in enumerate(decision["worth"][measure]):
                        made_by = own if seat == decision["seat"] else others
                        made_by[measure][seat] += worth
            value["parts"] = {
                measure: {
                    "own": list(own[measure]),
                    "others": list(others[measure]),
                    "chance": [
                        value[measure][seat]
                        - values[0][measure][seat]
                        - own[measure][seat]
                        - others[measure][seat]
                        for seat in range(self.players)
                    ],
                }
                for measure in MEASURES
            }
        return values

    def _value(self, number: int) -> dict[str, Any]:
        step, seats = self.steps[number], range(self.players)
        if number == len(self.positions):  # the end of a game that is over
            winners, scores = self.match.winners, self.match.scores
            shares = [(seat in winners) / max(len(winners), 1) for seat in seats]
            return {
                "at": step.at,
                "win": _whole(shares),
                "win_error": [0] * self.players,
                "points": [score * UNIT for score in scores],
                "points_error": [0] * self.players,
            }
        study = self.positions[number]
        wins, points = [study.win(seat) for seat in seats], [study.points(seat) for seat in seats]
        return {
            "at": step.at,
            "win": _whole([win.mean for win in wins]),
            "win_error": [_share(win.error) for win in wins],
            "points": [_points(each.mean) for each in points],
            "points_error": [_points(each.error) for each in points],
        }

    # --- what is told first --------------------------------------------------------------------

    def _moments(self, decisions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The choices that the game turned on, in the order in which they were made."""

        def weight(index: int) -> int:
            decision = decisions[index]
            effects: list[int] = decision["worth"][self.measure]
            return max(int(decision["cost"][self.measure]), *map(abs, effects))

        ranked = sorted(range(len(decisions)), key=lambda index: -weight(index))
        turning = sorted(index for index in ranked[:MOMENTS] if weight(index))
        return [self._moment(index, decisions[index]) for index in turning]

    def _moment(self, index: int, decision: Mapping[str, Any]) -> dict[str, Any]:
        seat, cost = decision["seat"], decision["cost"][self.measure]
        worth = decision["worth"][self.measure][seat]
        swing = worth if abs(worth) >= cost else -cost
        effects = decision["worth"][self.measure]
        affected = max(range(self.players), key=lambda other: abs(effects[other]))
        return {
            "decision": index,
            "seat": seat,
            "step": decision["step"],
            "swing": swing,
            "affected": affected,
            "effect": effects[affected],
            "headline": headline(self.match.game.id, decision),
        }

    def _luck(self, positions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The largest strokes of chance."""
        chance = [position["parts"][self.measure]["chance"] for position in positions]
        strokes = [
            {"step": number, "seat": seat, "swing": chance[number][seat] - chance[number - 1][seat]}
            for number in range(1, len(positions))
            for seat in range(self.players)
        ]
        return sorted(strokes, key=lambda stroke: -abs(stroke["swing"]))[:MOMENTS]

    def _seat(
        self,
        seat: int,
        positions: Sequence[Mapping[str, Any]],
        decisions: Sequence[Mapping[str, Any]],
    ) -> dict[str, Any]:
        own = [decision for decision in decisions if decision["seat"] == seat]
        reached = sum(made(decision)[self.measure] for decision in own)
        lost = {measure: sum(decision["cost"][measure] for decision in own) for measure in MEASURES}
        best = reached + lost[self.measure]
        end = positions[-1]
        return {
            "seat": seat,
            "name": self.match.names[seat],
            "kinds": {
                kind: sum(decision["kind"] == kind for decision in own)
                for kind in (*KINDS, BLUNDER)
            },
            "decisions": len(own),
            "lost": lost,
            "accuracy": _accuracy(reached, best),
            "skill": {
                measure: round(
                    sum(decision["worth"][measure][seat] for decision in own) / max(len(own), 1)
                )
                for measure in MEASURES
            },
            "parts": {
                measure: {
                    "start": positions[0][measure][seat],
                    "own": end["parts"][measure]["own"][seat],
                    "others": end["parts"][measure]["others"][seat],
                    "chance": end["parts"][measure]["chance"][seat],
                    "result": end[measure][seat],
                }
                for measure in MEASURES
            },
        }


def made(decision: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a decision's alternatives the one that was chosen."""
    return next(
        alternative
        for alternative in decision["alternatives"]
        if alternative["action"] == decision["action"]
    )


def _accuracy(made: int, best: int) -> int:
    """Of what the best choices were worth, how much was kept."""
    return max(0, min(WHOLE, round(WHOLE * made / best))) if best > 0 else WHOLE


def _share(number: float) -> int:
    return round(WHOLE * float(number))


def _points(number: float) -> int:
    return round(UNIT * float(number))


def _whole(shares: Sequence[float]) -> list[int]:
    """Shares as whole numbers that add up as they do themselves: what is left over by rounding
    down goes to the largest remainders.
    """
    exact = [WHOLE * share for share in shares]
    whole = [int(number) for number in exact]
    missing = round(sum(exact)) - sum(whole)
    by_remainder = sorted(range(len(shares)), key=lambda seat: whole[seat] - exact[seat])
    for seat in by_remainder[:missing]:
        whole[seat] += 1
    return whole
