"""Bots at tables: owed answers are rows with a lease, thought out in processes with a deadline.

Who thinks next, where several wait, is a matter of fair shares (`sharing`). Each seat's bot stays
with the process that thought for it last, so that it remembers. For one that
fails or hangs `greedy` moves (`bots.Player`), and a process that hangs is ended and started anew.
If the server is killed, the rows stay, and whoever comes next takes them up.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from pelagos.bots import USUAL, Budget, Limits, Player, Worker, decide_soon
from pelagos.engine.match import Match
from pelagos.tables import acts, logs
from pelagos.tables.beacon import BeaconTrouble
from pelagos.tables.errors import Refused
from pelagos.tables.hints import Hinting
from pelagos.tables.keeping import Due
from pelagos.tables.lessons import lesson_of, scripted_move
from pelagos.tables.service import Tables
from pelagos.tables.sharing import ANYBODY, Claim, Shares, Turns
from pelagos.tables.table import BOT, SPECTATOR, Table

GRACE = 3.0
"""Seconds that a bot may go beyond its budget before it is stopped."""
WARMING = 300.0
"""Seconds that compiling a bot's rules may take, the first time."""
PART = 0.6
"""Of the time until an answer is due, how much a bot may think."""
LIMITS = Limits(start=WARMING, rehearsal=WARMING, times=1.0, slack=GRACE, without_clock=GRACE)
FOR_PEOPLE = USUAL
"""The creature that decides for a person whose time ran out."""
MOST_PLAYERS = 10_000
"""So many players' processes are remembered."""
ROOM = 2000
"""Answers that wait here for their turn, or until they are due."""
BEACON_PAUSES = (0.0, 0.5, 1.0, 2.0)
"""Seconds before each time that a beacon is asked for a round that should be out."""
POLL = 1.0
"""Seconds between looks for owed work that nobody told of."""


def _fitting(budget: Budget, left: float) -> Budget:
    """The budget, cut so that the thought ends before the answer is due."""
    if budget.milliseconds is None or left <= 0:
        return budget
    return Budget(max(20.0, min(budget.milliseconds, left * 1000 * PART)), budget.simulations)


def _is_owed(table: Table, work: Due) -> bool:
    """Is the seat still asked what this work answers?"""
    return work.seat in table.waiting and table.decisions[work.seat] == work.decision


def _scripted(table: Table, match: Match, seat: int) -> int | None:
    """What a bot does since a lesson says so; None: it decides itself."""
    lesson = lesson_of(table.game.id) if table.lesson else None
    return None if lesson is None else scripted_move(lesson, match, seat)


class Thinker:
    """A process in which bots think, for one player at a time."""

    def __init__(self, worker: Worker | None = None) -> None:
        self.worker = worker or Worker(LIMITS)
        self.turns = Turns()
        self._bots = 0
        """Bots that think here, or wait for it."""
        self._hinting = False

    @property
    def is_free(self) -> bool:
        """Does nobody think here, and nobody wait for it?"""
        return not self._bots and not self.turns.taken

    @asynccontextmanager
    async def for_bot(self, claim: Claim = ANYBODY) -> AsyncIterator[None]:
        """A bot's turn to think: who thinks about a hint here makes room."""
        self._bots += 1
        try:
            if self._hinting:
                self.worker.hurry()
            async with self.turns.turn(claim):
                yield
        finally:
            self._bots -= 1

    @asynccontextmanager
    async def for_hint(self) -> AsyncIterator[None]:
        """A hint's turn, until a bot comes."""
        async with self.turns.turn(ANYBODY):
            self._hinting = True
            try:
                yield
            finally:
                self._hinting = False


class Workers:
    """Takes up owed answers, lets bots think, and makes their moves when they are due."""

    def __init__(self, tables: Tables, thinkers: Sequence[Thinker] = ()) -> None:
        """`thinkers` are who thinks, if not processes as the settings say."""
        self._tables = tables
        made = thinkers or [Thinker() for _ in range(tables.settings.thinkers)]
        self._thinkers = list(made)
        settings = tables.settings
        budget = settings.bot_seconds_a_minute if settings.limits else math.inf
        self._shares = Shares(budget, tables.clock)
        for thinker in self._thinkers:
            thinker.turns.shares = self._shares
        self.hinting = Hinting(self._thinkers, tables.compiled)
        self._hired: OrderedDict[str, Thinker] = OrderedDict()
        """Who thinks for which player."""
        self._busy: set[asyncio.Task[None]] = set()
        self._asked: set[tuple[str, int, int]] = set()
        """What is being thought about here: a lease may end while rules are compiled."""
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for work."""
        self._loop = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Let go: what was begun will be taken up again when its lease ends."""
        tasks = [*self._busy, *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for thinker in self._thinkers:
            thinker.worker.close()

    @property
    def begun(self) -> set[tuple[str, int, int]]:
        """What is being thought about here, by table, seat and decision."""
        return set(self._asked)

    def thinking(self) -> bool:
        """Is anybody thinking, or waiting to?"""
        return not all(thinker.is_free for thinker in self._thinkers)

    async def _look(self) -> None:
        tables = self._tables
        await tables.times_are_right.wait()
        while True:
            tables.work_came.clear()
            taken: list[Due] = []
            try:
                if len(self._busy) < ROOM:
                    taken = await tables.store.take(
                        tables.clock(), ROOM - len(self._busy), tables.settings.lease
                    )
            except Exception as error:  # the database may be away for a while
                logs.tell("work_lookup_failed", error=type(error).__name__)
                await asyncio.sleep(POLL)
            for work in taken:
                task = asyncio.create_task(self._do(work))
                self._busy.add(task)
                task.add_done_callback(self._busy.discard)
            if not taken:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL):  # `wait_for` may swallow that we are ended
                        await tables.work_came.wait()

    async def _do(self, work: Due) -> None:
        asked = (work.table, work.seat, work.decision)
        if asked in self._asked:
            return
        self._asked.add(asked)
        try:
            await self.answer(work)
        except Refused:
            await self._tables.store.drop(work)
        except Exception as error:  # the lease ends, and somebody tries again
            logs.tell("work_failed", error=type(error).__name__, reason=str(error)[:200])
        finally:
            self._asked.discard(asked)

    async def answer(self, work: Due) -> None:
        """Think about one decision, wait until the answer is due, and move."""
        tables = self._tables
        if work.seat == SPECTATOR:
            await self._deal(work)
            return
        live = await tables.find(work.table)
        if not _is_owed(live.table, work):
            await tables.refresh(live)  # another process may have written that it is
        table = live.table
        match = table.match
        if match is None or not _is_owed(table, work):
            await tables.store.drop(work)
            return
        if table.seats[work.seat].kind != BOT:
            await self._stand_in(table, match, work)
            return
        began = time.perf_counter()
        creature = acts.find_creature(table.seats[work.seat].bot)
        budget = _fitting(creature.budget, work.at - tables.clock())
        scripted = _scripted(table, match, work.seat)
        if scripted is None:
            action = await self._choose(table, match, work.seat, creature.bot, budget)
        else:
            action = scripted
        spent = time.perf_counter() - began
        if not acts.goes_on(match, work.seat, action):
            await asyncio.sleep(max(0.0, work.at - tables.clock()))
        await tables.do(
            work.table, lambda now: acts.bot_move(now, work.seat, work.decision, action, work.at)
        )
        if tables.watcher is not None:
            tables.watcher.bot_answered(creature.id, spent)

    async def _deal(self, work: Due) -> None:
        """Ask the beacon for the round that a table waits for, and deal; if it can't be had, tell
        so, and leave the work to whoever takes it up when its lease ends.
        """
        tables = self._tables
        live = await tables.find(work.table)
        if not live.table.waits_for_beacon:
            await tables.refresh(live)  # another process may have written that it does
        table, named = live.table, live.table.round_to_deal
        if not table.waits_for_beacon or named is None or len(table.finished) != work.decision:
            await tables.store.drop(work)
            return
        beacon, number = tables.beacon_at(named["address"]), named["round"]
        for pause in BEACON_PAUSES:
            await asyncio.sleep(pause)
            try:
                drawn = await beacon.fetch(number)
            except BeaconTrouble as error:
                trouble = error
            else:
                await tables.do(table.id, partial(acts.deal_by_beacon, number=number, drawn=drawn))
                return
        logs.tell(
            f"beacon_{trouble.kind}", address=beacon.address, round=number, reason=str(trouble)
        )
        await tables.do(table.id, partial(acts.note_beacon_trouble, kind=trouble.kind))

    async def _stand_in(self, table: Table, match: Match, work: Due) -> None:
        """Decide for a person: as its standing order says, or since its time ran out."""
        tables, seat = self._tables, work.seat
        action = acts.by_order(table, seat)
        late: bool | str = False
        if action is None:
            await asyncio.sleep(max(0.0, table.until - tables.clock()))
            action, late = acts.default_answer(match, seat), "default"
        if action is None:
            late = True
            action = await self._choose(table, match, seat, FOR_PEOPLE.bot, FOR_PEOPLE.budget)
        chosen = action
        if late is True and not acts.goes_on(match, seat, chosen):
            # One time for the whole of a hidden choice, as a bot's own.
            end = table.until + tables.drawn(table, f"late/{seat}/{table.until}", GRACE)
            await asyncio.sleep(end - tables.clock())
        await tables.do(
            work.table, lambda now: acts.stand_in(now, seat, work.decision, chosen, late)
        )

    async def _choose(self, table: Table, match: Match, seat: int, bot: str, budget: Budget) -> int:
        await self._tables.compiled(match.game.id, bot)
        key = f"{table.id}/{seat}/{len(table.past)}"
        while (seconds := self._shares.must_wait(self._tables.claim(table))) > 0:
            await asyncio.sleep(min(seconds, POLL))
        thinker = self._thinker(key)
        player = Player(bot, thinker.worker, key)
        turn = thinker.for_bot(self._tables.claim(table))
        decision = await decide_soon(match, seat, player, budget, turn)
        if decision.failure:
            logs.tell("bot_failed", game=match.game.id, error=decision.failure)
        return decision.action

    def _thinker(self, player: str) -> Thinker:
        """The process that thinks for this player; at first any, a free one if there is one.

        It stays the same even while it is busy: a bot that had forgotten what it thought could
        move otherwise than anywhere else.
        """
        if player not in self._hired:
            free = [thinker for thinker in self._thinkers if thinker.is_free]
            self._hired[player] = random.choice(free or self._thinkers)
        self._hired.move_to_end(player)
        while len(self._hired) > MOST_PLAYERS:
            self._hired.popitem(last=False)
        return self._hired[player]
