"""The first start: games are compiled in processes of their own, while the server answers.

What somebody asks for comes first: a game's rules and views, then the bots at their table; all else
is compiled behind, one game at a time. What is compiled lies on the disk, for the server and for
the processes that bots think in; a note beside it says so to the next start.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pelagos.bots import LADDER, warm_up
from pelagos.bots.registry import is_trusted
from pelagos.engine.errors import text
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.rule import INTERPRETED
from pelagos.tables import logs
from pelagos.tables.errors import Unavailable
from pelagos.tables.service import RULES

COMPILED, FAILED = "compiled", "failed"

Step = tuple[str, str]
"""A game's id, and the bot (or RULES) that is compiled for it."""
Compile = Callable[[Connection, str], None]


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    done: int
    total: int
    game: Game
    """Which game is being compiled now."""
    failed: tuple[str, ...] = ()
    """Games that can't be compiled."""


class Compiling:
    """Compiles every game with its bots, what is asked for first."""

    def __init__(self, compile_game: Compile | None = None, noted: bool = True) -> None:
        """`compile_game` is what a process does; `noted`: notes of earlier starts are believed."""
        self._compile = compile_game or compile_steps
        self._noted = noted
        bots = dict.fromkeys(creature.bot for creature in LADDER)
        self._steps = [(game, step) for game in games() for step in (RULES, *bots)]
        self._done: dict[Step, asyncio.Future[None]] = {}
        self._wanted: list[Step] = []
        """What somebody waits for, in the order in which it was asked for."""
        self._running: dict[str, asyncio.Task[None]] = {}
        """The games that are being compiled, each in a process."""
        self._failed: dict[str, str] = {}
        self._room = ThreadPoolExecutor(max(1, len(games())), "compiling")
        self._processes: set[Any] = set()
        self._ahead = True
        self._closed = False

    def start(self, ahead: bool = True) -> None:
        """Begin with all that hasn't been compiled yet; not `ahead`: with what is asked for."""
        self._ahead = ahead
        loop = asyncio.get_running_loop()
        for step in self._steps:
            self._done[step] = loop.create_future()
            if INTERPRETED or (self._noted and is_noted(step)):
                self._done[step].set_result(None)
        self._go_on()

    async def close(self) -> None:
        """End what is under way; what is compiled so far stays."""
        self._closed = True
        for process in list(self._processes):
            process.kill()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        self._room.shutdown(wait=False)

    @property
    def progress(self) -> Progress | None:
        """How far it is; None as soon as there is nothing left to do."""
        if not self._running:
            return None
        done = sum(self.has(*step) for step in self._steps)
        asked = [game for game, _ in self._wanted if game in self._running]
        now = (asked or list(self._running))[0]
        return Progress(done, len(self._steps), find_game(now), tuple(self._failed))

    @property
    def is_done(self) -> bool:
        """Is everything compiled?"""
        return all(self.has(*step) for step in self._steps)

    def has(self, game: str, step: str = RULES) -> bool:
        """Is it compiled?"""
        done = self._done.get((game, step))
        return done is None or (done.done() and done.exception() is None)

    def why_not(self, game: str) -> str:
        """What went wrong with a game; empty: nothing."""
        return self._failed.get(game, "")

    def want(self, game: str, *steps: str) -> None:
        """Compile these before all else."""
        for step in (game, RULES), *((game, step) for step in steps):
            if not self.has(*step) and step not in self._wanted:
                self._wanted.append(step)
                if game not in self._running:
                    self._run(game)

    async def ready(self, game: str, step: str = RULES) -> None:
        """Wait until it is compiled, before all else; refused with a sentence if it can't be."""
        if self.has(game, step):
            return
        if self._done[game, step].done():  # it failed before: try again
            self._done[game, step] = asyncio.get_running_loop().create_future()
        self.want(game, step)
        await asyncio.shield(self._done[game, step])

    # --- the processes ------------------------------------------------------------------------

    def _left(self, game: str) -> list[str]:
        """What is to be compiled of a game, in its order."""
        left = [step for step in self._steps if step[0] == game and not self._done[step].done()]
        if not self._ahead:
            left = [step for step in left if step in self._wanted]
        return [what for _, what in sorted(left, key=lambda step: step not in self._wanted)]

    def _go_on(self) -> None:
        """Compile the next game, if none is being compiled."""
        left = [game for game, step in self._steps if not self._done[game, step].done()]
        if left and self._ahead and not self._running and not self._closed:
            self._run(left[0])

    def _run(self, game: str) -> None:
        self._failed.pop(game, None)
        self._running[game] = asyncio.ensure_future(self._compile_game(game))

    async def _compile_game(self, game: str) -> None:
        context = multiprocessing.get_context("spawn")
        pipe, other = context.Pipe()
        process = context.Process(target=self._compile, args=(other, game), daemon=True)
        why = ""
        try:
            process.start()
            self._processes.add(process)
            other.close()
            while left := self._left(game):
                why = await self._step(pipe, game, left[0])
                if why:
                    break
        except (EOFError, OSError):
            why = "its process ended"
        finally:
            pipe.close()
            if process.pid is not None:
                process.kill()
                process.join()
            self._processes.discard(process)
            self._end(game, why)

    async def _step(self, pipe: Connection, game: str, step: str) -> str:
        """Let the process compile one thing; why it can't, or nothing."""
        loop = asyncio.get_running_loop()
        pipe.send(step)
        kind, value = await loop.run_in_executor(self._room, pipe.recv)
        if kind == FAILED:
            return str(value)
        self._done[game, step].set_result(None)
        with contextlib.suppress(ValueError):
            self._wanted.remove((game, step))
        note((game, step))
        return ""

    def _end(self, game: str, why: str) -> None:
        self._running.pop(game, None)
        if why and not self._closed:
            self._failed[game] = why
            logs.tell("compiling_failed", game=game, error=why[:200])
        for step in self._left(game):
            error = Unavailable(text("tables/refuse.compiling", game=game, reason=why))
            self._done[game, step].set_exception(error)
            self._done[game, step].exception()  # nobody need have waited for it
            with contextlib.suppress(ValueError):
                self._wanted.remove((game, step))
        self._go_on()


def compile_steps(pipe: Connection, game_id: str) -> None:
    """In a process: compile what is named, and say so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the keyboard's interrupt is for the server
    while True:
        try:
            step = pipe.recv()
            try:
                warm_up(find_game(game_id), [step] if step else [])
            except Exception as error:  # whatever a game's rules raise is told
                pipe.send((FAILED, f"{type(error).__name__}: {error}"))
            else:
                pipe.send((COMPILED, step))
        except (EOFError, OSError):
            return


# --- notes on the disk ------------------------------------------------------------------------


def is_noted(step: Step) -> bool:
    """Was it compiled by an earlier start, from the same files? Bots from elsewhere are compiled
    where they think.
    """
    bot = step[1]
    if bot and not is_trusted(bot):
        return True
    path = note_path(step)
    with contextlib.suppress(OSError):
        os.utime(path)
    return path.exists()


def note(step: Step) -> None:
    """Tell later starts that it is compiled."""
    path = note_path(step)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def note_path(step: Step) -> Path:
    """Where the note lies: its name says from which files it was compiled."""
    from pelagos.engine.compiled import cache_folder

    game, bot = step
    return cache_folder() / f"{game}.{bot or 'rules'}-{_files_of(find_game(game))}.compiled"


@cache
def _files_of(game: Game) -> str:
    """The files that decide what is compiled for a game, as one number."""
    digest = hashlib.sha256()
    for package in ("pelagos.engine", "pelagos.bots", game.package):
        for file in sorted(Path(str(import_module(package).__file__)).parent.rglob("*.py")):
            facts = file.stat()
            digest.update(f"{file} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:24]
