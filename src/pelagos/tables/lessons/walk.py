"""Where a learner stands in a lesson: worked out of the match alone, so that it follows whatever is
done, and goes back with what is taken back.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from pelagos.engine.match import Match
from pelagos.engine.view import Choice, Text, text
from pelagos.tables.lessons.script import LEARNER, Lesson, Step

ALONG = -1
"""No step is read again: the lesson goes along with the game."""
END, CLOSED = "end", "closed"
"""What is shown instead of a step: how the lesson ends; nothing, since the learner plays on."""
MOST_KEPT = 2000
"""Decisions that are kept for all learners: most of them walk the same way."""


@dataclass(frozen=True, eq=False)
class Decision:
    """One of the learner's decisions: what was offered, and what was chosen."""

    place: int
    """Its place in the match's history."""
    prompt: str
    """What was asked: the key of its words."""
    choices: Mapping[str, Choice]
    """By notation."""
    made: str = ""
    """In notation; empty: it is owed."""

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The groups of the choices that it offers."""
        return frozenset(choice["group"] for choice in self.choices.values())

    @cached_property
    def groups(self) -> frozenset[str]:
        """What steps may name it by: its choices' groups and first words, and its prompt."""
        verbs = {words.partition(" ")[0] for words in self.choices}
        return self._kinds | verbs | {self.prompt.partition("_")[0]}

    def meant(self, step: Step) -> list[Choice]:
        """The choices that a step names, as far as they are legal."""
        return [choice for words, choice in self.choices.items() if _matches(words, step.lit)]

    def lit(self, step: Step) -> list[Choice]:
        """The choices that glow; if none is legal, the nearest: what brings something here."""
        lit = self.meant(step)
        if lit or not step.lit:
            return _best(lit) if step.best and not step.then else lit
        groups = {step.group} if step.group in self._kinds else self._kinds
        alike = [choice for choice in self.choices.values() if choice["group"] in groups]
        return [choice for choice in _best(alike) if (choice["gain"] or 0) > 0]


_recent: OrderedDict[Any, tuple[str, Mapping[str, Choice]]] = OrderedDict()


def _asked(match: Match, place: int) -> tuple[str, Mapping[str, Choice]]:
    """What the learner was asked before this entry of the history, and could choose."""
    key = (match.game.id, match.seed, tuple(match.history[:place]))
    if key not in _recent:
        before = match if place == len(match.history) else match.at(place)
        view = before.view(LEARNER, follow=True)
        choices = {choice["notation"]: choice for choice in view["choices"]}
        _recent[key] = view["prompt"]["key"], choices
        while len(_recent) > MOST_KEPT:
            _recent.popitem(last=False)
    _recent.move_to_end(key)
    return _recent[key]


def _decisions(match: Match) -> list[Decision]:
    """The learner's own decisions, the one that is owed among them."""
    made = []
    for place, entry in enumerate(match.history):
        if entry.seat == LEARNER and entry.asked:
            prompt, choices = _asked(match, place)
            notation = next(
                words for words, choice in choices.items() if choice["action"] == entry.action
            )
            made.append(Decision(place, prompt, choices, notation))
    if LEARNER in match.pending:
        made.append(Decision(len(match.history), *_asked(match, len(match.history))))
    return made


class Walk:
    """A match as a lesson sees it."""

    def __init__(self, lesson: Lesson, match: Match, read: int = 0) -> None:
        """`read`: how many of the steps the learner has read."""
        self.lesson = lesson
        self.match = match
        self.read = read
        decisions = _decisions(match)
        self.now = decisions.pop() if decisions and not decisions[-1].made else None
        self.past = decisions
        self._counts: Counter[str] = Counter()
        self._steps_at: list[list[int]] = []
        """For each of them, the steps that belong to it."""
        for decision in self.past:
            self._steps_at.append(self._steps_of(decision))
            self._counts.update(decision.groups)
        self._now_at = [] if self.now is None else self._steps_of(self.now)

    def _steps_of(self, decision: Decision) -> list[int]:
        return [
            number
            for number, step in enumerate(self.lesson.steps)
            if step.group in decision.groups and self._counts[step.group] + 1 == step.number
        ]

    def _is_past(self, number: int) -> bool:
        step = self.lesson.steps[number]
        return self._counts[step.group] >= step.number

    @property
    def is_taught(self) -> bool:
        """Is the last step told?"""
        steps = self.lesson.steps
        is_read = steps[-1].is_read and self.read >= len(steps)
        return self.match.over or is_read or self._is_past(len(steps) - 1)

    @cached_property
    def due(self) -> list[int]:
        """The steps that are to be told now: those of this decision, and before them those whose
        own never came.
        """
        steps = self.lesson.steps
        last = max(self._now_at, default=len(steps) if self.is_taught else -1)
        return [
            number
            for number, step in enumerate(steps[: last + 1])
            if not self._is_past(number)
            and (number >= self.read or (number in self._now_at and not step.is_read))
        ]

    @property
    def current(self) -> int | None:
        """The step that is told now; None: the learner waits, does as they like, or has ended."""
        return self.due[0] if self.due else None

    def is_missed(self, number: int) -> bool:
        """Is the step told although its decision isn't asked?"""
        return number not in self._now_at

    # --- what glows -------------------------------------------------------------------------------

    @property
    def going_on(self) -> Step | None:
        """The step that was followed just now, and that says what comes after it."""
        if self.now is None or self._now_at or not self.past:
            return None
        step, decision = self._done_at(len(self.past) - 1), self.past[-1]
        if step is None or not step.then:
            return None
        return step if decision.choices[decision.made] in decision.meant(step) else None

    def lit(self) -> tuple[list[Choice], list[str]]:
        """The choices that glow now, and of what may be sent with them what does, in notation."""
        if self.now is None:
            return [], []
        if self.going_on is not None:
            sequel = Step(self.going_on.at, "", self.going_on.then, best=self.going_on.best)
            return self.now.lit(sequel), []
        if self.current is None or self.is_missed(self.current):
            return [], []
        step = self.lesson.steps[self.current]
        lit = self.now.lit(step)
        sequels = [choice["notation"] for first in lit for choice in _sequels(first, step)]
        return lit, list(dict.fromkeys(sequels))

    # --- what came of it --------------------------------------------------------------------------

    def _done_at(self, index: int) -> Step | None:
        """The step that asked for something at a past decision."""
        steps = [self.lesson.steps[number] for number in self._steps_at[index]]
        return next((step for step in steps if step.lit), None)

    @cached_property
    def _latest(self) -> int | None:
        """The newest past decision at which something was meant: the last one, or the one before
        if that step went on with the last one.
        """
        for index in (len(self.past) - 1, len(self.past) - 2):
            step = None if index < 0 else self._done_at(index)
            if step is not None and (step.then or index == len(self.past) - 1):
                return index
            if index >= 0 and self._steps_at[index]:
                return None
        return None

    def last(self) -> dict[str, Any] | None:
        """What the learner did at the last step that meant something, and what it had meant."""
        if self._latest is None:
            return None
        step, decision = self._done_at(self._latest), self.past[self._latest]
        assert step is not None
        if not decision.meant(step):
            return None
        meant = decision.lit(step)
        made = decision.choices[decision.made]
        followed = made in meant
        gain, label, aim = made["gain"], made["label"], _meant(meant, step)
        if self._latest == len(self.past) - 2:  # what went on from it
            sequel = self.past[-1]
            gain = _both(made, sequel)
            if followed:
                went_on = sequel.choices[sequel.made]
                wanted = sequel.lit(Step(step.at, "", step.then, best=step.best))
                is_as_good = gain is not None and gain >= (aim["meant_gain"] or 0)
                followed = went_on in wanted or is_as_good
                label, aim["meant"] = went_on["label"], [choice["label"] for choice in wanted]
        return {"followed": followed, "gain": gain, "made": label, **aim}

    @property
    def way_back(self) -> int | None:
        """Where in the history the last step that meant something began."""
        return None if self._latest is None else self.past[self._latest].place

    def _is_news(self, noted: int) -> bool:
        return self.way_back is not None and self.way_back > noted

    # --- for the viewer ---------------------------------------------------------------------------

    def message(self, shown: int | str, noted: int) -> dict[str, Any]:
        """What a page shows. `shown`: a step that the learner reads again, ALONG, END or CLOSED.
        `noted`: up to which entry it knows what was meant.
        """
        steps, current = self.lesson.steps, self.current
        message: dict[str, Any] = {
            "steps": len(steps),
            "taught": self.is_taught,
            "guide": self.lesson.guide,
        }
        if shown == CLOSED:
            return {**message, "state": CLOSED}
        last = self.last()
        if last is not None and not last["followed"] and shown == ALONG and self._is_news(noted):
            return {
                **message,
                "state": "other",
                "step": self._reached,
                "last": last,
                "noted": self.way_back,
            }
        if shown == END or (self.is_taught and current is None):
            back = {} if self.is_taught else {"back": ALONG}
            lines = {"text": text("lesson.end"), "do": text("lesson.whole")}
            return {**message, "state": END, "step": len(steps), **lines, **back}
        at = self._reached if current is None else current
        if isinstance(shown, int) and 0 <= shown < at:
            return {
                **message,
                **self._lines_of(shown),
                "state": "again",
                "next": shown + 1 if shown + 1 < at else ALONG,
            }
        lit, sequels = self.lit()
        glowing = {"lit": [choice["action"] for choice in lit], "then": sequels}
        message["last"] = last
        if current is None:
            lines = self._lines_of(at)
            if self.now is not None and not lit:  # a decision of which the lesson says nothing
                del lines["text"], lines["do"], lines["point"]
            state = "wait" if self.now is None else "do" if lit else "free"
            return {**message, **lines, **glowing, "state": state}
        if steps[current].is_read or self.is_missed(current):
            lines = {key: value for key, value in self._lines_of(current).items() if key != "do"}
            return {**message, **lines, "state": "read", "read": current + 1}
        lines = self._lines_of(current)
        if steps[current].lit and self.now is not None and not self.now.meant(steps[current]):
            del lines["do"]  # what it would ask for can't be done here
        return {**message, **lines, **glowing, "state": "do" if lit else "free"}

    @property
    def _reached(self) -> int:
        """The furthest step whose decision is past."""
        return max((number for steps in self._steps_at for number in steps), default=0)

    def _lines_of(self, number: int) -> dict[str, Any]:
        step = self.lesson.steps[number]
        return {
            "step": number,
            "text": text(f"lesson.{step.text}"),
            "do": text(f"lesson.{step.text}_do"),
            "point": list(step.point),
            **({"back": number - 1} if number else {}),
        }


def walk_of(lesson: Lesson, match: Match, read: int) -> Walk:
    """Where a learner stands."""
    return Walk(lesson, match, read)


def scripted_move(lesson: Lesson, match: Match, seat: int) -> int | None:
    """What a seat does by the lesson's script: its move for this decision or, if that isn't legal
    here, the next one that is; None: as its bot decides.
    """
    moves = lesson.moves.get(seat, ())[match.decisions(seat) :]
    if not moves or not moves[0]:
        return None
    legal = {match.position.write(seat, action): action for action in match.legal(seat)}
    return next((legal[words] for words in moves if words in legal), None)


def _matches(notation: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(notation, pattern) for pattern in patterns)


def _best(choices: Sequence[Choice]) -> list[Choice]:
    """Those that bring the most."""
    most = max((choice["gain"] or 0 for choice in choices), default=0)
    return [choice for choice in choices if (choice["gain"] or 0) == most]


def _sequels(choice: Choice, step: Step) -> list[Choice]:
    """What is to be sent with a choice."""
    offered = choice.get("follow", []) if step.then else []
    following = [sequel for sequel in offered if _matches(sequel["notation"], step.then)]
    return _best(following or offered) if step.best or not following else following


def _both(made: Choice, sequel: Decision) -> int | None:
    """What a choice and the one after it brought together."""
    for choice in made.get("follow", []):
        if choice["notation"] == sequel.made:
            return choice["gain"]
    return sequel.choices[sequel.made]["gain"]


def _meant(meant: Sequence[Choice], step: Step) -> dict[str, Any]:
    """What a step would have had the learner do, and what that would have brought."""
    ways: list[tuple[Text, int | None]] = [(choice["label"], choice["gain"]) for choice in meant]
    for choice in meant:
        ways += [(choice["label"], sequel["gain"]) for sequel in _sequels(choice, step)]
    gains = [gain for _, gain in ways if gain is not None]
    labels = list({str(label): label for label, _ in ways}.values())
    return {"meant": labels, "meant_gain": max(gains, default=None)}
