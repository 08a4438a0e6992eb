"""The house on one page: every function that it names is there, and the paths are what happens."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

from house.paths import GAME, House, Tally, finished_table, next_view, play_out
from pelagos.bots import Budget, Player, decide, warm_up
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.web import replay
from places import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
STATIC = ROOT / "src" / "pelagos" / "web" / "static"
ROW = re.compile(r"^\| `([^`]+)` \| .* \| (.*) \|$", re.MULTILINE)
NAME = re.compile(r"`((?:[a-z_]+\.)+(?:[A-Za-z_]+\.)*[A-Za-z_]+)`")


class Step(NamedTuple):
    name: str
    runs: str


def steps(heading: str) -> list[Step]:
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n##")[0]
    listed = [Step(*row) for row in ROW.findall(section)]
    assert listed, heading
    return listed


HEADINGS = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)


# --- names ----------------------------------------------------------------------------------------


def resolve(name: str) -> Any:
    """What a dotted name stands for: a module, a function, a method, a function in a function."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            resolved: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            resolved = (
                getattr(resolved, part) if hasattr(resolved, part) else _inner(resolved, part)
            )
        return resolved
    raise LookupError(name)


def _inner(function: Any, name: str) -> CodeType:
    code = getattr(function, "__wrapped__", function).__code__
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == name:
            return constant
    raise LookupError(f"{function} has no {name}")


def packages(name: str) -> Iterator[str]:
    """The whole names that a name of the page stands for."""
    first, _, rest = name.partition(".")
    if first == "game":
        yield from (f"{game.package}.{rest}" for game in games().values())
    else:
        yield f"pelagos.{name}"


@pytest.mark.parametrize("heading", HEADINGS)
def test_every_function_of_a_path_exists_and_is_named_once(heading: str) -> None:
    names = [step.name for step in steps(heading)]
    assert max(Counter(names).values()) == 1
    for name in names:
        file, _, function = name.partition(" ")
        if function:
            script = (STATIC / file).read_text("utf-8")
            assert re.search(rf"\bfunction {function}\(|\bconst {function} =", script), name
            continue
        for whole in packages(name):
            assert resolve(whole) is not None


def test_every_other_name_of_ours_on_the_page_exists() -> None:
    rooms = {path.name for path in (ROOT / "src" / "pelagos").iterdir() if path.is_dir()}
    for name in NAME.findall(PAGE):
        if name.partition(".")[0] in {*rooms, "game"}:
            for whole in packages(name):
                resolve(whole)


def test_a_name_that_is_not_there_is_found() -> None:
    for name in ("pelagos.engine.match.Match.jump", "pelagos.engine.turns.whole_games.no_such"):
        with pytest.raises((LookupError, AttributeError)):
            resolve(name)


# --- the paths, walked ----------------------------------------------------------------------------


def check(heading: str, calls: Counter[str], viewers: int = 1, compiled: bool = False) -> None:
    """Every function of the path has run, and as often as the page says.

    `compiled`: what else is compiled was interpreted, and can be seen.
    """
    counts = Counter[str]()
    for name, count in calls.items():
        plain = name.replace(".<locals>", "").removeprefix("pelagos.")
        counts[re.sub(rf"^{GAME}\.", "game.", plain)] += count
    for name, runs in steps(heading):
        if runs == "once":
            assert counts[name] == 1, name
        elif runs == "once a viewer":
            assert counts[name] == viewers, name
        elif runs != "in the browser" and (compiled or runs != "compiled"):
            assert counts[name], name


def test_a_move_is_played_once_and_drawn_once_a_viewer(tmp_path: Path) -> None:
    house = House(tmp_path)
    table = house.lay_where_a_fish_is_taken()
    house.act(table, house.last_choice(table, 0))
    with house.watching(table, 0) as others, house.watching(table, 1) as own:
        for lines in (others, own):
            next_view(lines)
        form = house.last_choice(table, 1)
        with house.tally.counting():
            house.act(table, form)
            for lines in (others, own):
                next_view(lines)
    house.close()
    check("A move, from the tap to all pages", house.tally.calls, viewers=2)


def test_a_bots_decision_is_made_on_the_named_way() -> None:
    warm_up(find_game(GAME), ["search"])
    match = Match.new(GAME, players=3, seed=5)
    tally = Tally()
    with tally.here():
        decide(match, 0, Player("search"), Budget(simulations=8))
    check("A bot's decision", tally.calls)


def test_a_play_out_runs_the_rules_and_nothing_else() -> None:
    check("A play-out", play_out(), compiled=True)


def test_a_replay_step_plays_no_record() -> None:
    table = finished_table()
    tally = Tally()
    with tally.here():
        then = replay.at(table, 0, 6)
        replay.message_of(then, "0", 6)
    check("A replay step", tally.calls)
    assert not [name for name in tally.calls if name.startswith("pelagos.engine.record.")]
