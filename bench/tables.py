"""How many live tables one server process holds: four seats each, a decision a second each.

Scripted players sit at four-seat tables of every installed game that has them, all streams open.
Each makes a decision a second when it owes one. Measured is the time from sending a POST to its
arrival at each of the other seats' streams, seen from outside, over loopback. The players run on
uvloop, like the server, and look into a message no further than they must, so that they take as
little as they can of the processor they share.

`moves_unheard` are those that some seat still hasn't heard of a second after they were sent, when
the run ends: a server that can't follow leaves many. `moves_hidden` seemed to be seen by all, since
somebody else moved at the same moment, and weren't: they don't count.

    python bench/tables.py
    python bench/tables.py --tables 50 100 --seconds 10 --game ecosystem
    python bench/tables.py --pages --tables 50
    python bench/tables.py --against COMMIT --tables 40
    python bench/tables.py --processes 2 --tables 100
    python bench/tables.py --spectators 2000 --tables 1 --game oceanos

With `--against` this tree's server and that commit's take turns in one run, and the ratios of
what a move costs them are told: over JSON streams and over the pages' streams. With `--processes`
so many processes serve one PostgreSQL database behind nginx. `--spectators` look on at the first
table, each over a stream of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop
from players import SEATS, Spectator, Table, Wire

ROOT = Path(__file__).resolve().parent.parent
VENDOR = Path("src/pelagos/web/static/vendor")
LIMIT = 0.100
START, STEP = 100, 25
WARMING = 3.0
"""Seconds that each server is played at before anything is measured."""


def cpu_of(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def has_ended(process: int) -> bool:
    """Is it gone, though nobody has waited for it yet?"""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def memory_of(process: int) -> float:
    """Megabytes that a process holds, without what it shares with others."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


@dataclass(frozen=True)
class Server:
    """A server that runs, in one or more processes."""

    port: int
    processes: tuple[int, ...]

    def cpu(self) -> float:
        """Seconds of processor time that it has used."""
        return sum(map(cpu_of, self.processes))

    def memory(self) -> float:
        """Megabytes that it holds."""
        return sum(map(memory_of, self.processes))


@dataclass(frozen=True)
class Load:
    """What a server is loaded with."""

    kinds: list[str]
    tables: int
    seconds: float
    pages: bool
    spectators: int = 0

    async def on(self, server: Server) -> dict[str, Any]:
        """Lay the tables, play, and tell what it took."""
        tables = [
            Table(server.port, self.kinds[place % len(self.kinds)], place, self.pages)
            for place in range(self.tables)
        ]
        for table in tables:
            await table.gather()
        seats = [seat for table in tables for seat in table.seats]
        streams = [asyncio.create_task(seat.listen()) for seat in seats]
        watching = [await Spectator.of(tables[0]) for _ in range(self.spectators)]
        while not all(seat.message for seat in seats) or not all(
            spectator.is_looking for spectator in watching
        ):
            failed = next((stream for stream in streams if stream.done()), None)
            assert failed is None, f"a stream has ended: {failed}"
            await asyncio.sleep(0.1)
        before, megabytes = server.cpu(), server.memory()
        until = time.perf_counter() + self.seconds
        plays = []
        for table in tables:
            for seat in table.seats:
                delay = seat.number / SEATS + table.place / self.tables / SEATS
                plays.append(asyncio.create_task(seat.play(delay, until)))
        await asyncio.gather(*plays)
        spent = server.cpu() - before
        grown = [round(megabytes), round(server.memory())]
        for spectator in watching:
            spectator.close()
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        result = self.result(tables, spent)
        if self.spectators:
            late = [seconds for spectator in watching for seconds in spectator.latencies]
            result |= {
                "spectators": self.spectators,
                "told": len(late),
                "told_p95_ms": p95_ms(late),
            }
        return {**result, "server_megabytes": grown}

    def result(self, tables: list[Table], spent: float) -> dict[str, Any]:
        """The figures."""
        latencies = [late for table in tables for late in table.latencies]
        moves = sum(table.statuses.get(200, 0) for table in tables)
        unheard = sum(time.perf_counter() - post.sent > 1 for t in tables for post in t.posts)
        other = sum(n for table in tables for status, n in table.statuses.items() if status != 200)
        by_game = {
            kind: p95_ms([late for t in tables if t.game == kind for late in t.latencies])
            for kind in self.kinds
        }
        return {
            "streams": "pages" if self.pages else "json",
            "tables": self.tables,
            "moves": moves,
            "moves_a_second": round(moves / self.seconds, 1),
            "not_200": other,
            "messages_measured": len(latencies),
            "moves_unheard": unheard,
            "moves_hidden": sum(table.hidden for table in tables),
            "median_ms": round(1000 * statistics.median(latencies), 1) if latencies else None,
            "p95_ms": p95_ms(latencies),
            "p95_ms_by_game": by_game,
            "server_cpu_ms_a_move": round(1000 * spent / max(moves, 1), 2),
            "machine_load": os.getloadavg()[0],
        }


def p95_ms(latencies: list[float]) -> float:
    """The 95th percentile, in milliseconds."""
    ordered = sorted(latencies)
    return round(1000 * ordered[int(0.95 * (len(ordered) - 1))], 1) if ordered else 0.0


# --- servers --------------------------------------------------------------------------------------


@contextmanager
def serving(tree: Path) -> Iterator[Server]:
    """A server with the code of a tree, on an empty data folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    path = os.pathsep.join(str(tree / part) for part in ("src", "tests/minnows/src"))
    environment = {**os.environ, "PELAGOS_LIMITS": "off", "PYTHONPATH": path}
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "pelagos.cli", "serve", "--port", str(port)]
        server = subprocess.Popen(
            [*words, "--data", folder], env=environment, cwd=folder, stderr=subprocess.DEVNULL
        )
        try:
            yield Server(port, (server.pid,))
        finally:
            server.terminate()
            server.wait()


@contextmanager
def several(count: int) -> Iterator[Server]:
    """So many processes on a new PostgreSQL database, behind nginx, as the tests start them."""
    sys.path.insert(0, str(ROOT / "tests"))
    import nginx
    import postgres
    from tabling import Server as Process

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(postgres.running()).database()
        processes = [
            stack.enter_context(Process(url, ROUTED="on", REREAD="2")) for _ in range(count)
        ]
        address = stack.enter_context(nginx.running([each.port for each in processes], folder))
        yield Server(int(address.rpartition(":")[2]), tuple(each.pid for each in processes))


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """A commit's files, for as long as they are needed."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
            files.extractall(folder, filter="data")
        tree = Path(folder)
        if (ROOT / VENDOR).is_dir():  # never committed, and fetched once
            shutil.copytree(ROOT / VENDOR, tree / VENDOR)
        yield tree


async def ready(server: Server) -> None:
    """Until it answers; says so if it never will."""
    while True:
        if any(has_ended(process) for process in server.processes):
            sys.exit("A server has ended before it answered; start it by hand to see why.")
        try:
            status, _ = await Wire(server.port).ask("GET", "/health")
            if status == 200:
                return
        except OSError:
            await asyncio.sleep(0.1)


# --- one server -----------------------------------------------------------------------------------


async def measure(load: Load, processes: int = 0) -> dict[str, Any]:
    """One load on a fresh server: on SQLite, or so many processes on PostgreSQL."""
    with several(processes) if processes else serving(ROOT) as server:
        await ready(server)
        await Load(load.kinds, len(load.kinds), WARMING, load.pages).on(server)
        result = {**({"processes": processes} if processes else {}), **await load.on(server)}
    print(json.dumps(result), flush=True)
    return result


def is_held(result: dict[str, Any]) -> bool:
    """Was everyone told in time?"""
    return bool(result["messages_measured"]) and result["p95_ms"] <= 1000 * LIMIT


async def climb(seconds: float, kinds: list[str], pages: bool) -> list[dict[str, Any]]:
    """From the number that a process should hold, up as far as it goes, or down until it does."""
    results = [await measure(Load(kinds, START, seconds, pages))]
    step = STEP if is_held(results[0]) else -STEP
    while is_held(results[-1]) == (step > 0) and results[-1]["tables"] + step > 0:
        results.append(await measure(Load(kinds, results[-1]["tables"] + step, seconds, pages)))
    return results


async def each(loads: list[Load], processes: list[int]) -> list[dict[str, Any]]:
    """These loads, on each of these numbers of processes."""
    return [await measure(load, count) for load in loads for count in processes or [0]]


# --- two servers ----------------------------------------------------------------------------------

FIGURES = ("server_cpu_ms_a_move", "median_ms", "p95_ms")


async def compare(commit: str, loads: list[Load], rounds: int) -> dict[str, Any]:
    """Measure this tree and a commit in turns, under each load; the ratios of what they need."""
    with tree_of(commit) as tree, serving(ROOT) as ours, serving(tree) as theirs:
        sides = {"here": ours, commit: theirs}
        for server in sides.values():
            await ready(server)
            for load in loads:
                await Load(load.kinds, len(load.kinds), WARMING, load.pages).on(server)
        runs = []
        for load in loads:
            for turn in range(rounds):
                for name, server in sides.items():
                    run = {"side": name, "round": turn, **await load.on(server)}
                    print(json.dumps(run), flush=True)
                    runs.append(run)
    return {"against": commit, "runs": runs, "ratios": ratios(runs, commit)}


def ratios(runs: list[dict[str, Any]], commit: str) -> list[dict[str, Any]]:
    """For each kind of streams and number of tables, our figures by theirs."""
    lines = []
    for streams, tables in dict.fromkeys((run["streams"], run["tables"]) for run in runs):
        same = [run for run in runs if (run["streams"], run["tables"]) == (streams, tables)]
        line: dict[str, Any] = {"streams": streams, "tables": tables}
        for figure in FIGURES:
            ours = _mean(same, "here", figure)
            theirs = _mean(same, commit, figure)
            line[figure] = [round(ours, 2), round(theirs, 2), round(ours / max(theirs, 1e-9), 3)]
        lines.append(line)
    return lines


def _mean(runs: list[dict[str, Any]], side: str, figure: str) -> float:
    """A side's figure over all rounds, each weighted by its moves."""
    own = [run for run in runs if run["side"] == side]
    moves = sum(run["moves"] for run in own)
    return float(sum((run[figure] or 0.0) * run["moves"] for run in own) / max(moves, 1))


def show(lines: list[dict[str, Any]], commit: str) -> None:
    """The ratios, for people."""
    print(f"{'streams':8} {'tables':>6}  {'':22} {'here':>8} {commit[:8]:>8} {'ratio':>6}")
    for line in lines:
        for figure in FIGURES:
            ours, theirs, ratio = line[figure]
            name = figure.replace("_", " ")
            print(
                f"{line['streams']:8} {line['tables']:6}  {name:22} "
                f"{ours:8.2f} {theirs:8.2f} {ratio:6.2f}"
            )


def main() -> None:
    from pelagos.engine.game import games

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", help="Not as many as go, but these.")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--game", action="append", help="Only this one; may be repeated.")
    parser.add_argument("--pages", action="store_true", help="Over the pages' streams, not JSON.")
    parser.add_argument("--against", metavar="COMMIT", help="In turns with that commit's server.")
    parser.add_argument("--rounds", type=int, default=3, help="Turns of each, with --against.")
    parser.add_argument(
        "--processes", type=int, nargs="+", default=[], help="So many, on PostgreSQL behind nginx."
    )
    parser.add_argument("--spectators", type=int, default=0, help="Who look on at one table.")
    parser.add_argument("--json", type=Path, help="Write the results here too.")
    arguments = parser.parse_args()
    kinds = arguments.game or [game.id for game in games().values() if SEATS in game.players]
    result: dict[str, Any]
    if arguments.against:
        modes = (True,) if arguments.pages else (False, True)
        counts = arguments.tables or [START // 2]
        loads = [
            Load(kinds, count, arguments.seconds, pages) for pages in modes for count in counts
        ]
        result = uvloop.run(compare(arguments.against, loads, arguments.rounds))
        show(result["ratios"], arguments.against)
    else:
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        counts = arguments.tables or (
            [1] if arguments.spectators else [START] if arguments.processes else []
        )
        loads = [
            Load(kinds, count, arguments.seconds, arguments.pages, arguments.spectators)
            for count in counts
        ]
        work = (
            each(loads, arguments.processes)
            if loads
            else climb(arguments.seconds, kinds, arguments.pages)
        )
        runs = uvloop.run(work)
        held = max((run["tables"] for run in runs if is_held(run)), default=0)
        print(f"holds {held} tables at a p95 of {1000 * LIMIT:.0f} ms")
        result = {"held": held, "runs": runs}
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
