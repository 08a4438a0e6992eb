"""One game by numbers: copies, other worlds, rewards; and planted faults, which are found."""

from __future__ import annotations

import copy
import importlib
import sys
import zlib
from typing import Any

import numpy as np
import pytest

from envs.checks import (
    CHECKS,
    EVERY,
    check_copies,
    check_masks,
    check_seeds,
    check_worlds,
    walk,
)
from pelagos.engine.errors import BadOption, IllegalMove, PelagosError
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.rewards import find_reward
from pelagos.engine.stream import words_of
from pelagos.envs.table import Series, Setup, Table, set_up


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_table_is_whole_at_every_ply(name: str, players: int) -> None:
    for check in CHECKS:
        check(set_up(name, players=players))


@pytest.mark.parametrize("name", games())
def test_columns_are_the_same_numbers_expanded(name: str) -> None:
    setup = set_up(name, observe="float32")
    check_masks(setup)
    check_worlds(setup)
    for table in walk(setup, 1):
        seat = table.setup.players - 1
        assert (table.look(seat)[0] == table.position().expand(table.see(seat))).all()


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_table_is_the_match_of_its_seed(name: str, players: int) -> None:
    *_, table = walk(set_up(name, players=players), 7)
    match = table.match()
    assert match.over
    assert Match.new(name, players=players, seed=7).deal == match.deal
    assert match.position.states.tobytes() == table.states.tobytes()
    assert table.standing() == (match.scores, match.winners)
    least, most = table.setup.points
    assert least <= min(match.scores) <= max(match.scores) <= most
    assert len(table.log) <= table.setup.longest


def test_options_and_own_material_are_the_games_own(tmp_path: Any) -> None:
    assert set_up("minnows", players=3, calm=True).options == {"players": 3, "calm": True}
    with pytest.raises(BadOption):
        set_up("minnows", players=9)
    files = set_up("minnows").pack.files
    for name, content in files.items():
        (tmp_path / name).write_text(content.replace("minnow,", "minnow ,"), encoding="utf-8")
    own = set_up("minnows", pack=tmp_path)
    assert own.pack.sha256 != set_up("minnows").pack.sha256
    check_copies(own)


# --- rewards --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reward", "points", "winners", "worth"),
    [
        ("win", [30, 20, 10], [0], [1.0, -0.5, -0.5]),
        ("win", [30, 30, 10], [0, 1], [0.25, 0.25, -0.5]),
        ("win", [5, 5], [0, 1], [0.0, 0.0]),
        ("margin", [30, 20, 10], [0], [15.0, 0.0, -15.0]),
        ("score", [30, 20, 10], [0], [30.0, 20.0, 10.0]),
        ("win", [31], [0], [31.0]),
        ("margin", [31], [], [31.0]),
        (lambda points, won, players, seat: 0.5 * points[seat], [8, 6], [0], [4.0, 3.0]),
    ],
)
def test_the_end_is_worth(
    reward: Any, points: list[int], winners: list[int], worth: list[float]
) -> None:
    totals, won, seats = np.array(points), sum(1 << seat for seat in winners), range(len(points))
    assert [find_reward(reward)(totals, won, len(seats), seat) for seat in seats] == worth


def test_a_function_of_ones_own_says_what_an_end_is_worth() -> None:
    def own(totals: Any, won: int, players: int, seat: int) -> float:
        return float(totals[seat]) / 100

    *_, table = walk(set_up("minnows", rewards=own))
    assert table.returns() == [points / 100 for points in table.standing()[0]]


def test_what_makes_no_sense_is_refused_with_a_sentence() -> None:
    with pytest.raises(PelagosError, match="win, margin, score"):
        set_up("minnows", rewards="glory")
    with pytest.raises(PelagosError, match="Observations are raw, float32, not"):
        set_up("minnows", observe="smell")
    table = Series(set_up("minnows")).deal(0)
    with pytest.raises(IllegalMove, match=r"Action 99 of seat 1 isn't legal now; legal are: \d"):
        table.act(1, 99)
    assert not table.log
    with pytest.raises(PelagosError, match="no seed and no past"):
        table.redeal(0, words_of(b"other")).match()


# --- planted faults -------------------------------------------------------------------------------


@pytest.fixture(name="setup")
def _setup() -> Setup:
    """A setup of one's own, to spoil."""
    options = (("players", 3), ("calm", False))
    setup = Setup(find_game("minnows"), None, options, "win", "raw")
    setup.rules = copy.copy(setup.rules)
    return setup


def test_a_leak_is_found(setup: Setup) -> None:
    look = setup.rules.look

    def leak(
        states: Any, packs: Any, seat: int, asked: bool, room: Any, seen: Any, mask: Any
    ) -> None:
        look(states, packs, seat, asked, room, seen, mask)
        seen[0] = zlib.crc32(states["hands"].tobytes()) & 0x7FFF

    check_worlds(setup)
    setup.rules.look = leak
    with pytest.raises(AssertionError, match="sees more than it can know"):
        check_worlds(setup)


def test_unsorted_actions_are_found(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Table.legal
    check_masks(setup)
    monkeypatch.setattr(Table, "legal", lambda table, seat: legal(table, seat)[::-1])
    with pytest.raises(AssertionError):
        check_masks(setup)


def test_a_lossy_pickle_is_found(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Table.__getstate__

    def lossy(table: Table) -> Any:
        *rest, state = kept(table)
        states = np.frombuffer(bytearray(state), table.states.dtype)
        states["stream"] = 0
        return (*rest, states.tobytes())

    check_copies(setup)
    monkeypatch.setattr(Table, "__getstate__", lossy)
    with pytest.raises(AssertionError):
        check_copies(setup)


def test_an_ignored_seed_is_found(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = Series.deal
    check_seeds(setup)
    monkeypatch.setattr(Series, "deal", lambda series, seed=None: deal(series))
    with pytest.raises(AssertionError):
        check_seeds(setup)


# --- libraries that aren't installed --------------------------------------------------------------


@pytest.mark.parametrize(
    ("door", "library", "extra"),
    [("zoo", "pettingzoo", "envs"), ("gym", "gymnasium", "gym"), ("spiel", "pyspiel", "spiel")],
)
def test_a_door_says_what_it_needs(
    door: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    for name in (door, "spaces"):
        monkeypatch.delitem(sys.modules, f"pelagos.envs.{name}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install 'pelagos\[{extra}\]'"):
        importlib.import_module(f"pelagos.envs.{door}")
