"""What one million people at 250,000 tables would take: a simulation, by measured costs.

    python bench/scale.py --measure     the costs on this machine, into bench/scale.toml
    python bench/scale.py               the simulation by that file, and docs/pictures/scale.svg

A process is a queue: moves come in at random, each takes as long as one that was measured, and is
told when it is on the disk. Tables are spread over processes as nginx's consistent hash does it.
The database, its news, the network and the proxies' sockets are counted by what a move costs them.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import secrets
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
COSTS = ROOT / "bench/scale.toml"
PICTURE = ROOT / "docs/pictures/scale.svg"

TABLES, SEATS = 250_000, 4
LIMIT_MS = 100.0
PACES = {"people": 0.15, "bench": 2.65}
"""Moves a second at one table: four people who think, and `bench/tables.py`'s scripted players."""
COMMIT_MS = (2.0, 10.0)
"""From the append to the acknowledgement: the wait for its batch, and the disk."""
RING_POINTS = 160
"""Points of one server on nginx's ring."""
CORES = 16
"""Of one machine, of processes or of a database."""
GIGABITS = 10.0
"""Of one machine's network."""
SOCKETS = 500_000
"""That one proxy holds open, of the million files that a system commonly allows: two a stream."""
FLUSH_MS = 1.0
"""That a commit takes on a disk which is made for it; this isn't measured."""
WAITING_MS = 50.0
"""That a commit may wait for those of other processes."""
HEARING = 0.10
"""The share of its time that a process may spend on hearing of other processes' tables."""


@dataclass(frozen=True)
class Costs:
    """What was measured."""

    moves_ms: list[float]
    """Processor time of single moves, views and JSON for four seats included, as a sample."""
    serving_ms: float
    """What a move takes beside that, in the whole server: HTTP, sending, the append."""
    messages: float
    """A move."""
    message_bytes: float
    entry_bytes: float
    table_megabytes: float
    append_ms: float
    """Of the database's processor time."""
    news_ms: float
    """Of the database's, for each process that hears of an append."""
    hear_ms: float
    """Of a process's, for news of a table that it hasn't open."""

    @property
    def move_ms(self) -> float:
        """All that a move takes in its process."""
        return float(np.mean(self.moves_ms)) + self.serving_ms


# --- measuring ------------------------------------------------------------------------------------


def measure() -> Costs:
    """The costs here; other work on the machine makes them larger."""
    import uvloop

    moves, sizes, entries = [], [], []
    for kind in four_seated():
        for cost, lengths, written in whole_game(kind):
            moves.append(cost)
            sizes += lengths
            entries.append(written)
    served, megabytes = uvloop.run(server_costs())
    append_ms, news_ms, hear_ms = uvloop.run(database_costs())
    return Costs(
        moves_ms=[round(cost, 3) for cost in sorted(moves)[:: max(1, len(moves) // 100)]],
        serving_ms=round(max(served - float(np.mean(moves)), 0.0), 3),
        messages=round(len(sizes) / len(moves), 2),
        message_bytes=round(float(np.mean(sizes))),
        entry_bytes=round(float(np.mean(entries))),
        table_megabytes=round(megabytes, 3),
        append_ms=round(append_ms, 4),
        news_ms=round(news_ms, 5),
        hear_ms=round(hear_ms, 5),
    )


def four_seated() -> list[str]:
    """The games that four can play."""
    from pelagos.engine.game import games

    return [game.id for game in games().values() if SEATS in game.players]


def whole_game(kind: str) -> Iterator[tuple[float, list[int], int]]:
    """Of each move of a game: milliseconds, the messages' bytes, the entries' bytes."""
    from pelagos.engine.game import find_game
    from pelagos.tables import acts
    from pelagos.tables.service import OpenTable, warm
    from pelagos.tables.table import OVER, Table

    warm(find_game(kind))
    gc.disable()
    table = Table(secrets.token_urlsafe(16))
    for entry in acts.create(kind, {"players": SEATS}, None):
        table.apply(entry)
    live = OpenTable(table)
    for seat in range(SEATS):
        draft = live.table.copy()
        acts.sit(draft, seat, f"P{seat}", "", secrets.token_hex(10), False)
        acts.settle(draft)
        live.table = draft
    chance = random.Random(kind)
    shown = [live.message(seat) for seat in range(SEATS)]
    while live.table.state != OVER:
        seat = chance.choice(live.table.waiting)
        view = shown[seat].view.data
        assert view is not None
        action = chance.choice(view["choices"])["action"]
        began = time.process_time()
        draft = live.table.copy()
        decision = draft.decisions[seat]
        entries = acts.move(draft, seat, decision, [action], secrets.token_hex(8))
        entries += acts.settle(draft)
        live.table = draft
        newest = [live.message(viewer) for viewer in range(SEATS)]
        news = [new for new, old in zip(newest, shown, strict=True) if not new.says_the_same(old)]
        sizes = [len(message.json) for message in news]
        cost = 1000 * (time.process_time() - began)
        shown = newest
        yield cost, sizes, sum(len(json.dumps(entry)) for entry in entries)
    gc.enable()


async def server_costs(tables: int = 24, seconds: float = 12.0) -> tuple[float, float]:
    """A move's milliseconds in a server on SQLite, and an open table's megabytes."""
    from tables import Load, ready, serving

    kinds = four_seated()
    with serving(ROOT) as server:
        await ready(server)
        await Load(kinds, len(kinds), 3.0, False).on(server)
        before = server.memory()
        result = await Load(kinds, tables, seconds, False).on(server)
        return result["server_cpu_ms_a_move"], (server.memory() - before) / tables


async def database_costs(appends: int = 3000, listeners: int = 8) -> tuple[float, float, float]:
    """An append's milliseconds in PostgreSQL, those for each listener, and a listener's own."""
    sys.path.insert(0, str(ROOT / "tests"))
    import postgres
    from pelagos.tables.news import listen
    from pelagos.tables.store import Store
    from pelagos.tables.writer import Append
    from tables import cpu_of

    def family(process: int) -> list[int]:
        stats = [path.read_text().rpartition(")")[2].split() for path in _stats()]
        pids = [int(path.parent.name) for path in _stats()]
        return [process, *(p for p, s in zip(pids, stats, strict=False) if int(s[1]) == process)]

    with postgres.running() as cluster:
        assert cluster.process is not None
        store = await Store.open(cluster.database())
        spent = []
        entry = {"do": "move", "seat": 0, "actions": ["x" * 20], "client": "c" * 16}

        async def append(table: str) -> None:
            for number in range(appends // 30):
                await store.append(Append(table, number, [entry], "minnows", "playing", False))

        for count in (0, listeners):
            heard = [0]

            def hear(_table: str, _length: int, heard: list[int] = heard) -> None:
                heard[0] += 1

            url, ears = str(store.url), []
            for _ in range(count):
                ears.append(asyncio.ensure_future(listen(url, hear, lambda _table, _line: None)))
            await asyncio.sleep(1.0)
            before = sum(map(cpu_of, family(cluster.process))), time.process_time()
            await asyncio.gather(*(append(f"{count}-{place}") for place in range(30)))
            await asyncio.sleep(1.0)
            after = sum(map(cpu_of, family(cluster.process))), time.process_time()
            spent.append((after[0] - before[0], after[1] - before[1]))
            assert heard[0] >= 0.9 * count * appends, "news got lost"
            for ear in ears:
                ear.cancel()
            await asyncio.gather(*ears, return_exceptions=True)
        await store.close()
    (alone, own), (with_ears, own_with_ears) = spent
    each = 1000 / (appends * listeners)
    return (
        1000 * alone / appends,
        max(with_ears - alone, 0.0) * each,
        max(own_with_ears - own, 0.0) * each,
    )


def _stats() -> list[Path]:
    return [path for path in Path("/proc").glob("[0-9]*/stat") if path.exists()]


# --- simulating -----------------------------------------------------------------------------------


def p95_ms(costs: Costs, moves_a_second: float, moves: int = 40_000) -> float:
    """From a move's arrival until everyone is told, in one process with so many moves a second."""
    chance = np.random.default_rng(17)
    work = chance.choice(costs.moves_ms, moves) + costs.serving_ms
    gaps = chance.exponential(1000 / moves_a_second, moves)
    ahead = np.concatenate(([0.0], np.cumsum(work[:-1] - gaps[:-1])))
    waits = ahead - np.minimum.accumulate(ahead)
    return float(np.percentile(waits + work + chance.uniform(*COMMIT_MS, moves), 95))


def most_moves(costs: Costs) -> float:
    """Moves a second that one process tells in time."""
    low, high = 1.0, 1000 / costs.move_ms
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if p95_ms(costs, middle) < LIMIT_MS else (low, middle)
    return low


def largest_share(processes: int) -> float:
    """How many times the mean the fullest process has, on nginx's ring."""
    chance = np.random.default_rng(23)
    owners = np.repeat(np.arange(processes), RING_POINTS)
    points = chance.random(len(owners))
    order = np.argsort(points)
    arcs = np.diff(np.concatenate((points[order], [1.0 + points[order][0]])))
    shares = np.bincount(owners[order], weights=arcs, minlength=processes)
    return float(shares.max() * processes)


def processes_for(costs: Costs, tables: int, pace: float) -> int:
    """So many that the fullest one still tells in time."""
    capacity = most_moves(costs)
    count = max(1, int(np.ceil(tables * pace / capacity)))
    while tables * pace / count * largest_share(count) > capacity:
        count = max(count + 1, int(count * 1.02))
    return count


@dataclass(frozen=True)
class Bound:
    """Something that ends, and at how many tables."""

    name: str
    tables: float
    way_out: str


def bounds(costs: Costs, pace: float) -> list[Bound]:
    """What ends first as one installation grows: one database, as many processes as it takes."""
    in_process = most_moves(costs) / pace

    def database(tables: float) -> float:
        """Cores that PostgreSQL needs: each process hears of each append."""
        processes = np.ceil(tables / in_process)
        return float(tables * pace * (costs.append_ms + processes * costs.news_ms) / 1000)

    def until(enough: float, need: float = 1.0) -> float:
        low, high = 1.0, 1e9
        for _ in range(80):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if database(middle) * need < enough else (low, middle)
        return low

    bits = 8 * costs.messages * costs.message_bytes * 1.25  # the mover's answer is one more
    limits = [
        Bound("one process", in_process, "more processes"),
        Bound(
            "news: each process hears of every table",
            HEARING * 1000 / costs.hear_ms / pace,
            "several databases, each with its own processes",
        ),
        Bound(
            "one commit with news at a time",
            WAITING_MS / FLUSH_MS * in_process,
            "several databases",
        ),
        Bound("one database of 16 cores", until(CORES), "several databases"),
        Bound(
            f"one proxy's network of {GIGABITS:.0f} Gbit/s",
            GIGABITS * 1e9 / bits / pace,
            "more proxies; gzip",
        ),
        Bound("one proxy's sockets", SOCKETS / 2 / SEATS, "more proxies"),
    ]
    return sorted(limits, key=lambda bound: bound.tables)


def machines(costs: Costs, pace: float) -> dict[str, float]:
    """What 250,000 tables take, in cells: a database and its processes, apart from all others."""
    in_cell = min(bound.tables for bound in bounds(costs, pace) if "database" in bound.way_out)
    cells = int(np.ceil(TABLES / in_cell))
    processes = cells * processes_for(costs, int(np.ceil(TABLES / cells)), pace)
    moves = TABLES * pace
    gigabits = 8e-9 * moves * costs.messages * costs.message_bytes * 1.25
    return {
        "moves a second": moves,
        "processes": processes,
        f"machines of {CORES} cores for them": int(np.ceil(processes / CORES)),
        "databases": cells,
        "gigabytes in processes": TABLES * costs.table_megabytes / 1024,
        "gigabits a second, unsqueezed": gigabits,
        "proxies": max(np.ceil(gigabits / GIGABITS), np.ceil(2 * SEATS * TABLES / SOCKETS)),
        "gigabytes of entries a day": moves * costs.entry_bytes * 86_400 / 1e9,
    }


# --- telling --------------------------------------------------------------------------------------


def show(costs: Costs) -> None:
    """The figures, as the documentation has them."""
    print(f"a move: {costs.move_ms:.2f} ms, {costs.messages:.2f} messages", end=" ")
    print(f"of {costs.message_bytes / 1000:.1f} kB; {most_moves(costs):.0f} moves a second")
    print("\n| for 250,000 tables | " + " | ".join(f"{name}'s pace" for name in PACES) + " |")
    print("|---" * (1 + len(PACES)) + "|")
    columns = [machines(costs, pace) for pace in PACES.values()]
    for name in columns[0]:
        print(f"| {name} | " + " | ".join(f"{column[name]:,.0f}" for column in columns) + " |")
    print("\n| what ends | at so many tables | way out |\n|---|---|---|")
    for bound in bounds(costs, PACES["people"]):
        print(f"| {bound.name} | {bound.tables:,.0f} | {bound.way_out} |")


def drawn(limits: list[Bound]) -> str:
    """What ends first, on a scale of tens."""
    width, left, row = 760, 300, 44
    height = 40 + row * len(limits) + 30
    first, last = 2.0, 6.0

    def across(tables: float) -> float:
        share = (np.log10(max(tables, 10**first)) - first) / (last - first)
        return float(left + (width - left - 90) * min(share, 1.0))

    lines = [
        f'<line x1="{across(10.0**power):.0f}" y1="24" x2="{across(10.0**power):.0f}" '
        f'y2="{height - 30}" stroke="#9aa8b455"/><text x="{across(10.0**power):.0f}" '
        f'y="{height - 12}" text-anchor="middle">{10**power:,}</text>'
        for power in range(int(first), int(last) + 1)
    ]
    goal = across(TABLES)
    lines.append(
        f'<line x1="{goal:.0f}" y1="18" x2="{goal:.0f}" y2="{height - 30}" stroke="#d2603a" '
        f'stroke-width="2"/><text x="{goal:.0f}" y="14" text-anchor="middle">250,000 tables</text>'
    )
    for place, bound in enumerate(limits):
        y = 34 + row * place
        end = across(bound.tables)
        lines.append(
            f'<rect x="{left}" y="{y}" width="{end - left:.0f}" height="22" rx="4" fill="#1380b8"/>'
            f'<text x="{left - 10}" y="{y + 16}" text-anchor="end">{escape(bound.name)}</text>'
            f'<text x="{end - 8:.0f}" y="{y + 16}" text-anchor="end" fill="#fff">'
            f"{bound.tables:,.0f}</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#6b7b8a">'
        f"<title>At how many tables what ends, at people's pace</title>{''.join(lines)}</svg>\n"
    )


def write(costs: Costs) -> None:
    """Keep the costs."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in asdict(costs).items()]
    COSTS.write_text("# Written by `python bench/scale.py --measure`.\n" + "\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true", help="Measure the costs here first.")
    arguments = parser.parse_args()
    if arguments.measure:
        write(measure())
    costs = Costs(**tomllib.loads(COSTS.read_text()))
    show(costs)
    PICTURE.write_text(drawn(bounds(costs, PACES["people"])))


if __name__ == "__main__":
    main()
