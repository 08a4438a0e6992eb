"""A progress bar on standard error that also tells what is being compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pelagos.cli.output import err


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how far it is; what is given back is told of steps as they are made."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from pelagos.engine.rule import watch_compiling

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    task = bar.add_task(title, total=total)

    def compiling(rule: str) -> None:
        bar.update(task, description=f"{title}: compiling {rule.rpartition('.')[2]}")

    def advance(steps: int) -> None:
        bar.update(task, description=title, advance=steps)

    with watch_compiling(compiling), bar:
        yield advance
