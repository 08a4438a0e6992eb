"""The games' modules of WebAssembly, for browsers that think by themselves.

A process says where a game's module lies; where there is none yet it makes one first, at the lowest
priority, for about a minute, and ends with the server. Nobody waits for it: until it is there, the
server thinks.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pelagos.bots.pocket import Module
from pelagos.tables import logs

PROGRAM = (sys.executable, "-m", "pelagos.bots.pocket")


@dataclass(frozen=True)
class ServedModule:
    """A game's module, as browsers are given it."""

    module: Module

    @cached_property
    def tag(self) -> str:
        """A few letters that tell it from all others: its address carries them."""
        code = hashlib.sha256(self.module.wasm)
        code.update(str(self.module.manifest).encode())
        return code.hexdigest()[:16]

    def addresses(self) -> dict[str, str]:
        """Where browsers find its code and its manifest."""
        start = f"/module/{self.tag}/{self.module.manifest['game']}"
        return {"code": f"{start}.wasm", "manifest": f"{start}.json"}


class Modules:
    """Finds each game's module when it is first asked for."""

    def __init__(self, program: Sequence[str] = PROGRAM) -> None:
        self._program = program
        self._ready: dict[str, ServedModule] = {}
        self._finding: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    def find(self, game_id: str) -> ServedModule | None:
        """A game's module; None: it isn't there yet, but will be looked for, or made."""
        if game_id not in self._ready and game_id not in self._finding:
            self._finding[game_id] = asyncio.create_task(self._find(game_id))
        return self._ready.get(game_id)

    async def close(self) -> None:
        """Look no further."""
        for task in self._finding.values():
            task.cancel()
        await asyncio.gather(*self._finding.values(), return_exceptions=True)

    async def _find(self, game_id: str) -> None:
        async with self._one_at_a_time:
            process = await asyncio.create_subprocess_exec(
                *self._program,
                game_id,
                "--nice",
                "--parent",
                str(os.getpid()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                output, trouble = await process.communicate()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode:
            reason = (trouble.decode(errors="replace").strip() or "?").splitlines()[-1]
            logs.tell("no_module", game=game_id, reason=reason[:200])
            return
        place = Path(output.decode().strip())
        module: Any = await asyncio.to_thread(Module.read, place.parent, place.name)
        self._ready[game_id] = ServedModule(module)
