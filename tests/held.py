"""A compiler that waits: each step of a first start goes on when a file lets it, or fails."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from pelagos.tables.compiling import COMPILED, FAILED


class Held:
    """What a process does in place of compiling (`tables.compiling.Compiling`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, pipe: Connection, game: str) -> None:
        """In the process."""
        while True:
            try:
                step = pipe.recv()
            except EOFError:
                return
            while not self.file(game, step).exists():
                if pipe.poll(0.01):
                    return  # the server is gone
            why = self.file(game, step).read_text()
            pipe.send((FAILED, why) if why else (COMPILED, step))

    def file(self, game: str, step: str) -> Path:
        """What lets a step go on."""
        return self.folder / f"{game}-{step or 'rules'}"

    def let(self, game: str, step: str, why: str = "") -> None:
        """Let it go on, or fail."""
        draft = self.folder / "draft"
        draft.write_text(why)
        draft.replace(self.file(game, step))
