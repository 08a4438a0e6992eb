"""The tables of one process: loaded lazily, written before anyone is told, races retried."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from pelagos.bots import warm_up
from pelagos.engine.errors import PelagosError, UnknownGame, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.match import Match
from pelagos.tables import acts, fairness, logs, tokens
from pelagos.tables.beacon import Beacon, BeaconTrouble, Round
from pelagos.tables.errors import Conflict, NotFound, NotYours, Refused, Unavailable
from pelagos.tables.keeping import Append, Due, TableStore
from pelagos.tables.message import Message, Messages
from pelagos.tables.sharing import Claim
from pelagos.tables.table import BOT, SPECTATOR, Entry, Table
from pelagos.tables.talk import Line, Talk, unpack

if TYPE_CHECKING:
    from pelagos.tables.compiling import Compiling
    from pelagos.tables.hints import Hint
    from pelagos.tables.settings import Settings

RULES = ""
"""Stands for a game's rules and views, beside its bots, where it is compiled."""
FAR = 60.0
"""Seconds in which every bot's answer is due."""
RETRY = 1.0
"""Seconds until a database that was away at the start is asked again."""
LONG = 3600.0
"""Begin at once: seconds before any answer is due."""
SLOWER_IN_LESSONS = 2.0
"""So many times as long as usual a bot pauses beside a learner."""
MOST_TRIES = 50
"""Lost races in a row before a request gives up."""
AT_ONCE = 50
"""Streams that are told of a change before others have their turn."""
FOLLOWED = 25
"""Entries of a log that are followed before others have their turn: some milliseconds' work."""
STRAYS = 3
"""What people do at one table through another process before its streams here are ended."""
THINKING = 0.25
"""Seconds that bots are given beside their budget."""

Dismissal = Mapping[str, str]
"""What is said to whoever loses a seat."""
Act = Callable[[Table], list[Entry]]
"""What is asked of a table: plays on a draft, and returns the entries to append (`acts`)."""


def steady_clock() -> Callable[[], float]:
    """The time as it was, and as it has gone on since: whatever the machine's clock is set to."""
    start = time.time() - time.monotonic()
    return lambda: start + time.monotonic()


class Watcher(Protocol):
    """Whoever measures: told of the moments that count."""

    def bot_answered(self, bot: str, seconds: float) -> None:
        """A bot has made its move."""

    def race_lost(self) -> None:
        """Somebody else wrote first."""

    def strayed(self, entries: int) -> None:
        """People at a table that is looked at here were answered by another process."""


class Follower(Protocol):
    """A stream that writes by itself what it is to tell."""

    viewer: int
    stale: bool
    """Is it to be told of a change?"""

    def show(self) -> None:
        """Tell how things stand now."""

    def leave(self) -> None:
        """End the stream, so that its reader asks again."""


class OpenTable:
    """A table that is open in this process."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.laid_by = ""
        """For whose quotas a new table counts."""
        self.address = ""
        """Who came first since it was opened: its bots think in that one's share, if it isn't known
        who laid it."""
        self.lock = asyncio.Lock()
        self.messages = Messages()
        self.talk = Talk()
        self.behind = False
        """Is there more in the log than was read?"""
        self.used = time.monotonic()
        self.posted = time.perf_counter()
        """When the request came in that made the newest change."""
        self.poster = SPECTATOR
        """Whose request that was."""
        self.watching = 0
        self.hung_up = 0
        """How often all streams were ended, for their readers to ask again."""
        self.strayed = 0
        """What people have done here through other processes, since one last did through this."""
        self.eyes: dict[int, int] = {}
        """Open streams of each seat that has, or had, one in this process."""
        self.seen: dict[int, float] = {}
        """When a seat's last stream closed, or the table was opened."""
        self.hinting = asyncio.Lock()
        """Held while somebody thinks about a hint for one of the seats."""
        self.hints: dict[int, Hint] = {}
        """The newest hint of each seat that asked for one here."""
        self.followers: set[Follower] = set()
        self._stale: deque[Follower] = deque()
        """Those that are to be told of a change, players first."""
        self._waiting: dict[asyncio.Future[bool], None] = {}

    def message(self, viewer: int, drawn: bool = False) -> Message:
        """The newest message for this viewer; for a page with what may follow each choice."""
        return self.messages.of(self.table, viewer, drawn, self.talk)

    def look(self, viewer: int, more: int, now: float) -> None:
        """A viewer's stream opens (1) or closes (-1)."""
        self.watching += more
        if viewer != SPECTATOR:
            self.eyes[viewer] = self.eyes.get(viewer, 0) + more
            self.seen[viewer] = now

    def change(self) -> asyncio.Future[bool]:
        """Comes true at the next change."""
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[waiting] = None
        waiting.add_done_callback(self._forget)
        return waiting

    @property
    def is_followed(self) -> bool:
        """Does anybody wait for news here?"""
        return bool(self.watching or self._waiting)

    def hang_up(self) -> None:
        """End all streams: their readers ask again, and are led to where the table lives now."""
        self.hung_up += 1
        self.strayed = 0
        for follower in list(self.followers):
            follower.leave()
        self.tell()

    def _forget(self, waiting: asyncio.Future[bool]) -> None:
        self._waiting.pop(waiting, None)

    def tell(self) -> None:
        """Wake everyone who waits for a change, in the order in which they came."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(True)
        if not self._stale and self.followers:
            asyncio.get_running_loop().call_soon(self._show_some)
        for follower in self.followers:
            if not follower.stale:
                follower.stale = True
                if follower.viewer == SPECTATOR:
                    self._stale.append(follower)
                else:
                    self._stale.appendleft(follower)

    def _show_some(self) -> None:
        for _ in range(min(AT_ONCE, len(self._stale))):
            self._stale.popleft().show()
        if self._stale:
            asyncio.get_running_loop().call_soon(self._show_some)


class Tables:
    """Every table of this place, as this process sees it."""

    def __init__(
        self,
        store: TableStore,
        key: bytes,
        settings: Settings,
        clock: Callable[[], float] | None = None,
        compiling: Compiling | None = None,
    ) -> None:
        self.store = store
        self.keys: tuple[bytes, ...] = (key,)
        """The keys that are good, the one that signs first."""
        self.settings = settings
        self.clock = clock or steady_clock()
        self.compiling = compiling
        """Who compiles games in processes; without, it is done here, whoever asks first."""
        self.watcher: Watcher | None = None
        self.work_came = asyncio.Event()
        """Set when work may be owed: wakes the workers."""
        self.times_are_right = asyncio.Event()
        """Set when it is known which answers are due (`hasten`)."""
        self.times_are_right.set()
        self._open: dict[str, OpenTable] = {}
        self._beacons: dict[str, Beacon] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._ready: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._begun: set[asyncio.Task[None]] = set()
        """What was begun is ended, also when nobody waits for it any more."""

    # --- living -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to listen for news."""
        self._spawn(self._reread())
        if not self.store.postgres:
            self.times_are_right.clear()
            self._spawn(self.hasten())
        else:
            from pelagos.tables.news import listen

            self._spawn(listen(self.store.url, self._hear, self._hear_talk))

    async def close(self) -> None:
        """Stop listening, when all that was begun is written or refused."""
        await asyncio.gather(*self._begun, return_exceptions=True)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def ready(self, game: str) -> Game:
        """The game, its rules loaded: what takes seconds when they must be compiled first."""
        installed = find_game(game)
        await self.compiled(installed.id)
        if installed.id not in self._ready:
            self._ready[installed.id] = asyncio.ensure_future(asyncio.to_thread(warm, installed))
        await asyncio.shield(self._ready[installed.id])
        return installed

    async def compiled(self, game: str, bot: str = RULES) -> None:
        """Wait until a game's rules, or a bot for it, are compiled."""
        if self.compiling is not None:
            await self.compiling.ready(game, bot)

    def may_wait(self, game: str) -> bool:
        """Must a game's rules be compiled before anybody can look at one of its tables?"""
        return self.compiling is not None and not self.compiling.has(game)

    async def game_of(self, table: str) -> str:
        """The game that a table is for; empty if there is no such table."""
        live = self._open.get(table)
        if live is not None:
            return "" if live.table.game is None else str(live.table.game.id)
        entries = await self.store.read(table)
        return str(entries[0].get("game", "")) if entries else ""

    # --- news -------------------------------------------------------------------------------------

    def _hear(self, table: str, length: int) -> None:
        live = self._open.get(table)
        if live is not None and live.table.number < length:
            live.behind = True
            if live.is_followed:  # else it is read when somebody asks
                self._spawn(self._catch_up_alone(live))
        self.work_came.set()

    def _hear_talk(self, table: str, news: str) -> None:
        live = self._open.get(table)
        if live is not None and live.talk.add(unpack(news)):
            live.tell()

    async def _catch_up_alone(self, live: OpenTable) -> None:
        async with live.lock:
            await self._catch_up(live)

    async def _catch_up(self, live: OpenTable) -> None:
        """Read what others have written."""
        if not live.behind:
            return
        live.behind = False
        try:
            entries = await self.store.read(live.table.id, live.table.number)
        except BaseException:
            live.behind = True
            raise
        for entry in entries:
            live.table.follow(entry)
        await self._forget_names(live, entries)
        if entries:
            live.tell()
            self._count_strays(live, sum("client" in entry for entry in entries))

    def _count_strays(self, live: OpenTable, by_people: int) -> None:
        """Where one table's requests always go to one process, and now to another one: let those
        who still listen here follow them.
        """
        if not by_people or not live.watching:
            return
        live.strayed += by_people
        if self.watcher is not None:
            self.watcher.strayed(by_people)
        if self.settings.routed and live.strayed >= STRAYS:
            live.hang_up()

    async def _forget_names(self, live: OpenTable, entries: list[Entry]) -> None:
        """Read a table anew if names were erased at it."""
        for entry in entries:
            if entry["do"] == "erase":
                live.talk.forget(entry["seats"])
                live.table = await unroll(live.table.id, await self.store.read(live.table.id))
                live.messages = Messages()

    async def refresh(self, live: OpenTable) -> None:
        """Read what other processes have written, whether they told of it or not."""
        async with live.lock:
            await self._read_on(live)

    async def _read_on(self, live: OpenTable) -> bool:
        """The same, by whoever holds the lock; was there anything?"""
        if not self.store.postgres:
            return False
        before, live.behind = live.table.number, True
        await self._catch_up(live)
        return live.table.number != before

    async def _reread(self) -> None:
        """Look for lost news, and put away what nobody uses."""
        while True:
            await asyncio.sleep(self.settings.reread)
            try:
                await self._look_for_news()
            except Exception:  # the database may be away for a while
                continue

    async def look_for_people(self) -> None:
        """Tell who has come, and who has been gone for a while.

        Of several processes each tells only of people whose streams it has seen.
        """
        now = self.clock()
        for live in list(self._open.values()):
            for seat, chair in enumerate(live.table.seats):
                if not self.store.postgres:
                    live.seen.setdefault(seat, now)
                beside = live.table.beside(seat)
                here = any(live.eyes.get(other, 0) > 0 for other in beside)
                seen = max(
                    (live.seen[other] for other in beside if other in live.seen), default=now
                )
                gone = now - seen > self.settings.away
                away = chair.away if not here and not gone else not here
                if gone and not here:
                    live.seen.pop(seat, None)  # told once: it may be looking elsewhere
                if away != chair.away and not live.table.is_closed and not self.is_full(live.table):
                    await self.do(live.table.id, partial(acts.presence, seat=seat, away=away))

    async def _look_for_news(self) -> None:
        self.put_away()
        ids = list(self._open)
        for first in range(0, len(ids), 500):
            asked = ids[first : first + 500]
            lengths = await self.store.lengths(asked)
            for deleted in set(asked) - lengths.keys():
                self.close_table(deleted)
            for table, length in lengths.items():
                live = self._open.get(table)
                if live is not None and live.table.number < length:
                    live.behind = True
                    if live.is_followed:
                        await self._catch_up_alone(live)
        await self.look_for_people()

    def put_away(self) -> None:
        """Close tables that nobody has used for a while."""
        now = time.monotonic()
        for table, live in list(self._open.items()):
            idle = now - live.used > self.settings.idle
            if idle and not live.watching and not live.lock.locked():
                del self._open[table]

    def close_table(self, table: str) -> None:
        """Put a table away that was deleted."""
        self._open.pop(table, None)

    @property
    def count(self) -> int:
        """Tables open in this process."""
        return len(self._open)

    # --- tables -----------------------------------------------------------------------------------

    async def find(self, table: str) -> OpenTable:
        """A table, read from its log when it is first asked for."""
        live = self._open.get(table)
        if live is None:
            try:
                async with self._opening.setdefault(table, asyncio.Lock()):
                    live = self._open.get(table) or await self._load(table)
            finally:
                self._opening.pop(table, None)
        if live.behind:
            await self._catch_up_alone(live)
        return live

    async def _load(self, table: str) -> OpenTable:
        entries = await self.store.read(table)
        if not entries:
            raise NotFound(text("tables/refuse.no_table"))
        with contextlib.suppress(UnknownGame):  # the table itself says what it lacks
            await self.ready(entries[0].get("game", ""))
        return self._open.setdefault(table, OpenTable(await unroll(table, entries)))

    def beacon_at(self, address: str) -> Beacon:
        """The beacon at an address that a table has named: the host may have chosen another one."""
        return self._beacons.setdefault(address, Beacon(address))

    async def _name_first_round(self) -> Round:
        """The beacon's round for a commitment of this moment; refused if the chain isn't known."""
        beacon = self.beacon_at(self.settings.beacon)
        try:
            await beacon.learn()
        except BeaconTrouble as error:
            logs.tell("beacon_unknown", address=beacon.address, kind=error.kind, reason=str(error))
            raise Unavailable(text("tables/refuse.beacon")) from None
        named = beacon.name_round(self.clock())
        assert named is not None
        return named

    def _name_next_round(self, table: Table, entries: list[Entry]) -> None:
        """With the commitment of the game after one that starts, name the beacon's round for it."""
        for place, entry in enumerate(entries):
            if entry["do"] == "start":
                named = self.beacon_at(self.settings.beacon).name_round(self.clock())
                if named is not None:
                    table.next_beacon = named
                    entries[place] = {**entry, "next_beacon": named}

    async def create(
        self, entries: list[Entry], laid_by: str = "", table_id: str = ""
    ) -> OpenTable:
        """Lay a new table; its id can't be guessed. `laid_by`: for whose quotas it counts. With
        `table_id` the table of that id, if somebody has just laid it.
        """
        await self.ready(entries[0]["game"])
        if self.settings.beacon and not entries[0].get("deal"):
            entries = [{**entries[0], "beacon": await self._name_first_round()}, *entries[1:]]
        table = Table(table_id or secrets.token_urlsafe(16))
        live = OpenTable(table)
        live.laid_by = laid_by

        def lay_once(draft: Table) -> list[Entry]:
            return [] if draft.number else [draft.apply(entry) for entry in entries]

        await self._commit(live, lay_once)
        return self._open.setdefault(table.id, live)

    async def do(
        self,
        table: str,
        act: Act,
        posted: float | None = None,
        whatever_its_length: bool = False,
    ) -> OpenTable:
        """Ask something of a table; refused with a sentence, or on the disk when this returns."""
        live = await self.find(table)
        await asyncio.shield(self.begin(live, act, posted, whatever_its_length))
        return live

    def at_hand(self, table: str) -> OpenTable | None:
        """A table that is open here and, as far as is known, as it is in the log."""
        live = self._open.get(table)
        return None if live is None or live.behind else live

    def begin(
        self,
        live: OpenTable,
        act: Act,
        posted: float | None = None,
        whatever_its_length: bool = False,
    ) -> asyncio.Task[None]:
        """Begin what is asked of an open table; it goes on whoever waits for it."""
        live.table.check_open()
        if self.is_full(live.table) and not whatever_its_length:
            raise Refused(text("tables/refuse.full", most=self.settings.entries_a_table))
        task = asyncio.ensure_future(self._locked(live, act, posted))
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        return task

    def is_full(self, table: Table) -> bool:
        """Has a table's log as many entries as it may have?"""
        return self.settings.limits and table.number >= self.settings.entries_a_table

    async def pass_on(self, table: str, seat: int, device: str, by: Dismissal | None) -> OpenTable:
        """Make a new secret for a seat (`acts.issue`); `by`: what its holder is told of who did."""
        live = await self.find(table)
        live.seen.setdefault(seat, self.clock())  # whoever isn't here will be away in a while
        return await self.do(table, lambda now: acts.issue(now, seat, device, by))

    async def say(self, table: str, make: Callable[[Table], Line]) -> OpenTable:
        """Let a line be heard at a table, in every process."""
        live = await self.find(table)
        line = make(live.table)
        if live.talk.add(line):
            live.tell()
            await self.store.spread(table, line.pack())
        return live

    async def _locked(self, live: OpenTable, act: Act, posted: float | None) -> None:
        async with live.lock:
            await self._commit(live, act, posted)

    async def _commit(self, live: OpenTable, act: Act, posted: float | None = None) -> None:
        for _ in range(MOST_TRIES):
            await self._catch_up(live)
            draft = live.table.copy()
            seen_before = draft.views[SPECTATOR] if draft.views else 0
            try:
                entries = act(draft)
            except PelagosError:
                if await self._read_on(live):
                    continue  # it was asked of an old table
                raise
            if not entries:
                return
            entries += acts.settle(draft)
            self._start_clock(draft, entries)
            if self.settings.beacon:
                self._name_next_round(draft, entries)
            owes = _may_owe(draft) or _may_owe(live.table)
            append = Append(
                draft.id,
                live.table.number,
                entries,
                draft.game.id,
                draft.state,
                draft.listed,
                self._works(draft) if owes else None,
                draft.views[SPECTATOR] != seen_before,
                live.laid_by,
            )
            try:
                await self.store.append(append)
            except Conflict:
                live.behind = True
                if self.watcher is not None:
                    self.watcher.race_lost()
                continue
            except BaseException:
                live.behind = True  # it may be written or not: the log will tell
                raise
            live.posted = time.perf_counter() if posted is None else posted
            live.poster = entries[0].get("seat", SPECTATOR)
            live.table = draft
            live.strayed = 0
            await self._forget_names(live, entries)
            live.tell()
            if append.works:
                self.work_came.set()
            return
        raise Conflict

    # --- owed work --------------------------------------------------------------------------------

    def _start_clock(self, table: Table, entries: list[Entry]) -> None:
        """If a decision begins that may not take for ever, the last entry tells until when; if a
        standing order may answer it, since when it is asked.
        """
        now, seconds = self.clock(), acts.seconds(table)
        if not table.until and seconds is not None:
            table.until = round(now + seconds, 3)
            entries[-1] = {**entries[-1], "until": table.until}
        if not table.asked and acts.may_be_ordered(table):
            table.asked = round(now, 3)
            entries[-1] = {**entries[-1], "asked": table.asked}

    def _works(self, table: Table) -> list[Due]:
        """The answers that are owed now: the bots', and people's when they run out of time."""
        named = table.round_to_deal
        if table.waits_for_beacon and named is not None:
            return [Due(table.id, SPECTATOR, len(table.finished), named["at"], 0.0)]
        match = table.match
        if match is None:
            return []
        now = self.clock()
        works = [
            self.work(table, match, seat, now)
            if table.seats[seat].kind == BOT
            else self.last_moment(table, seat)
            for seat in match.pending
        ]
        return [work for work in works if work is not None]

    def last_moment(self, table: Table, seat: int) -> Due | None:
        """When a person's decision is made for it, if ever: after a drawn time if it has given an
        order, or when its clock runs out. Neither depends on what it holds.
        """
        decision = table.decisions[seat]
        if acts.by_order(table, seat) is not None:
            at = table.asked + self.drawn(table, f"order/{seat}/{decision}", THINKING)
            return Due(table.id, seat, decision, at, 0.0, fixed=True)
        if table.until:
            return Due(table.id, seat, decision, table.until, 0.0, fixed=True)
        return None

    def drawn(self, table: Table, about: str, lead: float) -> float:
        """Seconds until an answer: drawn from the table's secret, and from nothing else."""
        low, high = self.settings.pause
        if not high:
            return 0.0
        pause = low + (high - low) * fairness.lot(table.secret, about)
        return lead + pause * (SLOWER_IN_LESSONS if table.lesson else 1.0)

    def work(self, table: Table, match: Match, seat: int, now: float) -> Due:
        """A bot's answer: at once where all see what it may do, else after a drawn time.

        The time follows from the table's secret and from nothing that the bot holds.
        """
        decision = table.decisions[seat]
        if acts.is_choosing(match, seat) and table.due[seat]:
            # One time for the whole of a hidden choice: how many actions it has stays hidden.
            return Due(table.id, seat, decision, table.due[seat], LONG)
        if acts.is_open(match, seat):
            return Due(table.id, seat, decision, now, 0.0)
        budget = acts.find_creature(table.seats[seat].bot).budget
        lead = (budget.milliseconds or 0.0) / 1000 + THINKING
        at = now + self.drawn(table, f"answer/{seat}/{decision}", lead)
        return Due(table.id, seat, decision, at, lead + self.settings.pause[1])

    def claim(self, table: Table) -> Claim:
        """The share that a table's bots think in."""
        live = self._open.get(table.id)
        newest = table if live is None else live.table
        played = any(seat.taken and seat.kind != BOT and not seat.away for seat in newest.seats)
        whose = "" if live is None else live.laid_by or live.address
        return Claim(whose, table.id, played)

    async def hasten(self) -> None:
        """Bots' answers that are due in a far future, since the clock was set back, are due now."""
        try:
            while not await self._hasten_all(self.clock()):
                await asyncio.sleep(RETRY)
        finally:
            self.times_are_right.set()

    async def _hasten_all(self, now: float) -> bool:
        """The same; False if the database was away."""
        try:
            for work in await self.store.due_after(now + FAR):
                with contextlib.suppress(PelagosError):
                    table = (await self.find(work.table)).table
                    by_bot = work.seat != SPECTATOR and table.seats[work.seat].kind == BOT
                    if by_bot and not table.is_closed:
                        await self.store.hasten(work, now)
        except self.store.raises as error:
            logs.tell("hasten_failed", error=type(error).__name__)
            return False
        return True

    # --- who asks ---------------------------------------------------------------------------------

    @property
    def key(self) -> bytes:
        """The key that signs."""
        return self.keys[0]

    def token(self, table: Table, seat: int) -> str:
        """A seat's secret."""
        return tokens.sign(self.key, table.id, str(seat), table.seats[seat].issue)

    def host_token(self, table: Table) -> str:
        """The host's secret."""
        return tokens.sign(self.key, table.id, tokens.HOST, table.host_issue)

    def holds(self, table: Table, seat: int, given: list[str]) -> bool:
        """Is the seat's secret among these?"""
        issue = table.seats[seat].issue
        return self.are_signed(given, table, str(seat), issue)

    def moved_to(self, table: Table, seat: int, given: list[str]) -> int | None:
        """Where the holder of one of these secrets sits since the host has arranged the seats."""
        for old, issue in table.moved:
            if old == seat and self.are_signed(given, table, str(seat), issue):
                new, latest = table.where(old, issue)
                if table.seats[new].issue == latest:
                    return new
        return None

    def hosts(self, table: Table, given: list[str]) -> bool:
        """Is the host's secret among these?"""
        return self.are_signed(given, table, tokens.HOST, table.host_issue)

    def are_signed(self, given: list[str], table: Table, role: str, issue: int) -> bool:
        """Is the role's secret of this issue among these, by a key that is good?"""
        return any(
            tokens.is_signed(key, token, table.id, role, issue)
            for token in given
            for key in self.keys
        )

    def hang_up(self) -> None:
        """End all streams: their readers ask again."""
        for live in list(self._open.values()):
            live.hang_up()

    def check(self, table: Table, seat: int, given: list[str]) -> None:
        """Refuse whoever doesn't hold the seat."""
        if not 0 <= seat < table.players:
            raise NotFound(text("refuse.no_seat", seat=seat, last=table.players - 1))
        chair = table.seats[seat]
        if chair.kind == BOT or not chair.taken or not self.holds(table, seat, given):
            raise NotYours(text("tables/refuse.not_yours"))


async def unroll(table: str, entries: list[Entry]) -> Table:
    """A table from its log, however long: others have their turn meanwhile."""
    unrolled = Table(table)
    for number, entry in enumerate(entries, 1):
        unrolled.follow(entry)
        if number % FOLLOWED == 0:
            await asyncio.sleep(0)
    return unrolled


def _may_owe(table: Table) -> bool:
    """May the server have to decide something here?"""
    return bool(table.until or table.asked or table.is_asked_to_deal) or any(
        seat.kind == BOT for seat in table.seats
    )


def warm(game: Game) -> None:
    """Load all that playing a game needs."""
    warm_up(game)
    gc.collect()
    gc.freeze()  # rules stay for good: the collector need not look through them
