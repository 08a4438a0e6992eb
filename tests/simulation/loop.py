"""An event loop whose clock is virtual and whose order is drawn from a seed.

Each actor (a server's process, a person, the network) runs its own callbacks in order, as asyncio
does; which actor runs next is drawn. Time passes only when nobody has anything to do. An actor that
is ended never runs again, not even its `finally`: as after SIGKILL.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import random
import warnings
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any


class Actor:
    """Whoever has callbacks to run."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.ready: deque[asyncio.Handle] = deque()
        self._context = Context()
        self._context.run(_ACTOR.set, self)

    @property
    def context(self) -> Context:
        """Where this actor's work runs."""
        return self._context.copy()


_ACTOR: ContextVar[Actor] = ContextVar("actor")


def acting() -> Actor:
    """Whose callback runs now."""
    return _ACTOR.get()


class Loop(asyncio.AbstractEventLoop):
    """Runs callbacks one by one, in a drawn order, in virtual time."""

    def __init__(self, draws: random.Random, thinking: Callable[[], float]) -> None:
        """`thinking`: seconds that work in a thread takes."""
        self.now = 0.0
        self.steps = 0
        self.errors: list[BaseException] = []
        """What callbacks have raised that nobody was waiting for."""
        self._draws = draws
        self._thinking = thinking
        self._busy: list[Actor] = []
        self._timers: list[tuple[float, int, Actor, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[Any]] = []

    # --- running ----------------------------------------------------------------------------------

    def run_until(self, finished: Callable[[], bool], most_steps: int, most_seconds: float) -> bool:
        """Run until this is true; False if it takes too long, or nobody has anything to do."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            while not finished():
                if self.steps >= most_steps or self.now > most_seconds or not self._step():
                    return False
            return True
        finally:
            events._set_running_loop(before)

    def _step(self) -> bool:
        while not self._busy:
            if not self._timers:
                return False
            self.now = max(self.now, self._timers[0][0])
            while self._timers and self._timers[0][0] <= self.now:
                _, _, actor, timer = heapq.heappop(self._timers)
                if actor.alive and not timer.cancelled():
                    self._add(actor, timer)
        busy = self._busy
        place = int(self._draws.random() * len(busy)) if len(busy) > 1 else 0
        actor = busy[place]
        handle = actor.ready.popleft() if actor.ready else None
        if not actor.ready:
            busy[place] = busy[-1]
            busy.pop()
        if handle is not None and actor.alive and not handle.cancelled():
            self.steps += 1
            handle._run()
        return True

    def _add(self, actor: Actor, handle: asyncio.Handle) -> None:
        if not actor.alive:
            return
        if not actor.ready and actor not in self._busy:
            self._busy.append(actor)
        actor.ready.append(handle)

    def close(self) -> None:
        """Let go of all that was begun and never ended."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        for task in self._tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with contextlib.suppress(BaseException), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    task.get_coro().close()
        events._set_running_loop(before)
        self._tasks.clear()
        self._timers.clear()
        self._busy.clear()

    # --- what asyncio asks of a loop --------------------------------------------------------------

    def time(self) -> float:
        return self.now

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        context = copy_context() if context is None else context
        handle = asyncio.Handle(callback, args, self, context)
        self._add(context[_ACTOR], handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        context = copy_context() if context is None else context
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), context[_ACTOR], timer))
        return timer

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def _timer_handle_cancelled(self, timer: asyncio.TimerHandle) -> None:
        """It is passed over when its time comes."""

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Coroutine[Any, Any, Any],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        return task

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        done = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)

        self.call_later(self._thinking(), work)
        return done

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if "handle" in context and "exception" in context:
            self.errors.append(context["exception"])

    def get_task_factory(self) -> None:
        return None

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False
