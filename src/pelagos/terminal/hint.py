"""What the strongest bot would do, and what it expects of each choice."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from pelagos.bots import Thought
from pelagos.engine.view import View
from pelagos.terminal.numbers import NUMBER
from pelagos.terminal.reader import QUIET
from pelagos.terminal.screen import Screen

MOST_SHOWN = 5


def draw_hint(screen: Screen, view: View, bot: str, thoughts: Sequence[Thought]) -> None:
    """A bot's thoughts on the choices of a view, the best first."""
    numbers = {choice["action"]: number for number, choice in enumerate(view["choices"], 1)}
    labels = {choice["action"]: screen.label(choice) for choice in view["choices"]}
    best = thoughts[0].action
    screen.say("hint.best", "bold green", bot=bot, number=numbers[best], label=labels[best])
    games = sum(thought.visits for thought in thoughts)
    if not games:
        return
    alone = view["players"] == 1
    screen.say("hint.alone" if alone else "hint.why", QUIET, count=games)
    shown = [thought for thought in thoughts if thought.visits][:MOST_SHOWN]
    wide = max(len(labels[thought.action]) for thought in shown)
    for thought in shown:
        line = Text("  ").append(f"{numbers[thought.action]:>2}", style=NUMBER)
        line.append(f" {labels[thought.action].ljust(wide)}  ")
        line.append(_expected(screen, thought, alone))
        screen.console.print(line)


def _expected(screen: Screen, thought: Thought, alone: bool) -> str:
    words = screen.reader.own
    points = f"{thought.points:6.1f}".replace(".", words.text("hint.decimal"))
    expected = f"{points} {words.text('hint.points')}"
    if alone:
        return expected
    return f"{100 * thought.value:3.0f} % {words.text('hint.win')}  {expected}"
