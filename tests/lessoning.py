"""A lesson played at a table of its own, without a server: by its book, or otherwise."""

from __future__ import annotations

import itertools
from typing import Any

from pelagos.bots import Player, decide
from pelagos.tables import acts, message
from pelagos.tables.lessons import LEARNER, Lesson, Walk, scripted_move
from pelagos.tables.table import OVER, Table

_clients = (f"client-{number:08d}" for number in itertools.count())


class Learner:
    """Somebody at seat 0 of a lesson; the bots answer by themselves."""

    def __init__(self, lesson: Lesson, deal: str = "") -> None:
        self.lesson = lesson
        seats: list[dict[str, str]] = [{"kind": "open"}]
        seats += [{"kind": "bot", "bot": lesson.bot_of(n)} for n in range(1, lesson.players)]
        options = {"players": lesson.players, **lesson.options}
        entries = acts.create(
            lesson.game.id,
            options,
            seats,
            table_options=lesson.table_options,
            deal=deal or lesson.deal,
            lesson=True,
        )
        self.table = Table("T" * 22)
        self.log = [self.table.apply(entry) for entry in entries]
        self.do(acts.sit, LEARNER, "Mira", "", next(_clients), False)

    def do(self, act: Any, *asked: Any, **more: Any) -> None:
        """Ask something of the table, and let the others answer."""
        draft = self.table.copy()
        self.log += act(draft, *asked, **more)
        self.log += acts.settle(draft)
        self.table = draft
        while self.others():
            pass

    def others(self) -> bool:
        table = self.table
        match = table.match
        assert match is not None
        due = [seat for seat in match.pending if seat != LEARNER]
        if not due:
            return False
        seat = due[0]
        action = scripted_move(self.lesson, match, seat)
        if action is None:
            creature = acts.find_creature(table.seats[seat].bot)
            action = decide(match, seat, Player(creature.bot), creature.budget).action
        self.log += acts.bot_move(table, seat, table.decisions[seat], action, 0.0)
        self.log += acts.settle(table)
        return True

    @property
    def over(self) -> bool:
        return self.table.state == OVER

    @property
    def view(self) -> Any:
        return message.view(self.table, LEARNER, follow=True)

    @property
    def shown(self) -> dict[str, Any]:
        """The lesson's part of the learner's message."""
        shown: dict[str, Any] = message.own(self.table, LEARNER, None)["lesson"]
        return shown

    @property
    def walk(self) -> Walk:
        walk = acts.walk(self.table)
        assert walk is not None
        return walk

    def move(self, *actions: int | str) -> None:
        self.do(acts.move, LEARNER, None, list(actions), next(_clients))

    def read(self) -> None:
        """Press Next."""
        lesson = self.shown
        if lesson["state"] == "other":
            self.do(acts.learn, LEARNER, next(_clients), noted=lesson["noted"])
        elif lesson["state"] == "again":
            self.do(acts.learn, LEARNER, next(_clients), show=lesson["next"])
        else:
            self.do(acts.learn, LEARNER, next(_clients), read=lesson["read"])

    def look(self, show: int | str) -> None:
        self.do(acts.learn, LEARNER, next(_clients), show=show)

    def try_again(self) -> None:
        self.do(acts.try_again, LEARNER, next(_clients))

    def follow(self, lesson: dict[str, Any]) -> None:
        """Do what is lit: the first of it, with the first of what goes with it."""
        action = lesson["lit"][0]
        choice = next(offered for offered in self.view["choices"] if offered["action"] == action)
        sequels = [sequel["notation"] for sequel in choice.get("follow", [])]
        lit = [words for words in lesson["then"] if words in sequels]
        self.move(action, *lit[:1])
