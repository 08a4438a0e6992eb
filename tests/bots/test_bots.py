"""Bots: found by name, fair, repeatable, in time, and as strong as they say."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from conftest import SOAK
from pelagos.bots import (
    BadBudget,
    Bot,
    Budget,
    Thinker,
    UnknownBot,
    bot_stream,
    bots,
    find_bot,
    is_trusted,
    registry,
)
from pelagos.bots.playing import playing
from pelagos.engine.arrays import readable
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.position import Position
from pelagos.engine.stream import below, words_of
from pelagos.engine.types import Array

HOUSE = ("random", "greedy", "flat", "search")
THINKERS = ("greedy", "flat", "search")
ONE_SIMULATION = Budget(simulations=1)
FEW = Budget(simulations=24)
TABLES = [(name, players) for name, game in games().items() for players in game.players]


def finish(match: Match, seated: Sequence[Bot], budgets: Sequence[Budget]) -> Position:
    """Let the bots play a match to its end."""
    position = match.position
    decisions = [0] * match.players
    assert match.seed is not None
    position.settle()
    while not position.over:
        seat = position.pending[0]
        stream = bot_stream(match.seed, seat, decisions[seat])
        decisions[seat] += 1
        action = seated[seat].choose(position.redeal(seat, stream), seat, stream, budgets[seat])
        assert action in position.legal(seat)
        position.play(seat, action)
        position.settle()
    return position


def duel(game: str, first: str, second: str, deals: int, budget: Budget = ONE_SIMULATION) -> float:
    """The first bot's share of the wins: every deal twice, seats exchanged."""
    won = 0.0
    for deal in range(deals):
        for seat in range(2):
            names = [first, second] if seat == 0 else [second, first]
            match = Match.new(game, players=2, seed=f"duel {deal}")
            winners = finish(match, [find_bot(name) for name in names], [budget] * 2).winners
            won += (seat in winners) / len(winners)
    return won / (2 * deals)


def scores(
    game: str, players: int, bot: str, deals: int, budget: Budget = ONE_SIMULATION
) -> list[int]:
    """What a bot scores among its like."""
    points = []
    for deal in range(deals):
        match = Match.new(game, players=players, seed=f"alike {deal}")
        seated = [find_bot(bot) for _ in range(players)]
        points += finish(match, seated, [budget] * players).scores
    return points


def some_positions(game: str, players: int, count: int) -> list[tuple[Position, int]]:
    """Positions on the way through a random game, and a seat that owes a decision."""
    match = Match.new(game, players=players, seed="on the way")
    stream = words_of(b"on the way")
    positions = []
    while not match.over:
        seat = match.pending[below(stream, len(match.pending))]
        legal = match.legal(seat)
        if len(legal) > 1:
            positions.append((match.position.copy(), seat))
        match.play(seat, legal[below(stream, len(legal))])
    step = max(1, len(positions) // count)
    return positions[::step]


# --- the interface --------------------------------------------------------------------------------


def test_budget_is_read_from_words() -> None:
    assert Budget.parse("50ms") == Budget(milliseconds=50)
    assert Budget.parse("2s") == Budget(milliseconds=2000)
    assert Budget.parse("1000sims") == Budget(simulations=1000)
    assert [str(Budget.parse(words)) for words in ("50ms", "1000sims")] == ["50ms", "1000sims"]


@pytest.mark.parametrize("words", ["", "50", "-1ms", "0ms", "0sims", "1.5sims", "fast"])
def test_bad_budget_is_refused(words: str) -> None:
    with pytest.raises(BadBudget):
        Budget.parse(words)


def test_unknown_bot_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownBot, match="greedy"):
        find_bot("leviathan")


def test_every_seat_gets_a_bot_of_its_own() -> None:
    assert set(HOUSE) <= set(bots())
    for name in HOUSE:
        assert find_bot(name).name == name
        assert find_bot(name) is not find_bot(name)


def test_streams_differ_by_match_seat_and_decision() -> None:
    streams = [
        bot_stream(seed, seat, decision).tobytes()
        for seed in (b"a", b"b")
        for seat in (0, 1, 11)
        for decision in (0, 1, 10)
    ]
    assert len(set(streams)) == len(streams)
    assert bot_stream(b"a", 0, 0).tobytes() == streams[0]


class Last:
    """A bot from another package, in ten lines: it takes the last of the legal actions."""

    name = "last"

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        return position.legal(seat)[-1]


def test_bot_of_another_package_is_found_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = EntryPoint("last", f"{__name__}:Last", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    registry.installed.cache_clear()
    try:
        assert isinstance(find_bot("last"), Last)
        assert isinstance(find_bot("last"), Bot)
        assert not is_trusted("last")
        assert duel("ecosystem", "last", "random", 1) >= 0
    finally:
        registry.installed.cache_clear()


def test_the_house_trusts_its_own_bots() -> None:
    assert all(is_trusted(name) for name in HOUSE)


# --- every game, every number of players ----------------------------------------------------------


@pytest.mark.parametrize(("title", "players"), TABLES)
def test_every_bot_plays_every_table(title: str, players: int) -> None:
    match = Match.new(title, players=players, seed="all")
    seated = [find_bot(HOUSE[-1 - seat % len(HOUSE)]) for seat in range(players)]
    assert finish(match, seated, [Budget(simulations=4)] * players).over


@pytest.mark.parametrize("title", games())
@pytest.mark.parametrize("name", THINKERS)
def test_thoughts_name_every_legal_action_the_chosen_one_first(title: str, name: str) -> None:
    for position, seat in some_positions(title, 2, 3):
        stream = words_of(b"thoughts")
        bot = find_bot(name)
        assert isinstance(bot, Thinker)
        thoughts = bot.explain(position.copy(), seat, stream.copy(), FEW)
        assert sorted(thought.action for thought in thoughts) == position.legal(seat)
        if name != "greedy":
            chosen = find_bot(name).choose(position.copy(), seat, stream.copy(), FEW)
            assert thoughts[0].action == chosen
            assert sum(thought.visits for thought in thoughts) == FEW.simulations
            assert all(0 <= thought.value <= 1 for thought in thoughts)


# --- fair and repeatable --------------------------------------------------------------------------


@pytest.mark.parametrize("title", games())
@pytest.mark.parametrize("name", HOUSE)
def test_bot_answers_the_same_whatever_it_cannot_know(title: str, name: str) -> None:
    players = 3 if 3 in find_game(title).players else 2
    for number, (truth, seat) in enumerate(some_positions(title, players, 6)):
        other_truth = truth.redeal(seat, words_of(b"another truth"))
        answers = set()
        for position in (truth, other_truth, truth):
            stream = bot_stream(b"fair", seat, number)
            given = position.redeal(seat, stream)
            answers.add(find_bot(name).choose(given, seat, stream, FEW))
        assert len(answers) == 1


@pytest.mark.parametrize("title", games())
def test_rates_know_nothing_hidden_and_leave_no_trace(title: str) -> None:
    rate = playing(find_game(title)).rate
    for players in find_game(title).players:
        for truth, seat in some_positions(title, players, 25):
            packs = readable(truth.pack.data)
            worlds = [truth.redeal(seat, words_of(b"%d" % number)) for number in range(3)]
            for action in truth.legal(seat):
                rates = set()
                for world in worlds:
                    before = world.states.tobytes()
                    rates.add(int(rate(world.states, packs, seat, action)))
                    assert world.states.tobytes() == before
                assert len(rates) == 1, truth.write(seat, action)


@pytest.mark.parametrize("title", games())
@pytest.mark.parametrize("name", ["flat", "search"])
def test_match_with_a_simulation_budget_repeats(title: str, name: str) -> None:
    ends = set()
    for _ in range(2):
        match = Match.new(title, players=2, seed="again")
        seated = [find_bot(name), find_bot("greedy")]
        ends.add(finish(match, seated, [Budget(simulations=12)] * 2).states.tobytes())
    assert len(ends) == 1


@pytest.mark.parametrize("title", games())
@pytest.mark.parametrize("name", ["flat", "search"])
def test_time_budget_is_kept(title: str, name: str) -> None:
    budget = Budget(milliseconds=30)
    spent = []
    for position, seat in some_positions(title, 2, 8):
        for measured in (False, True):
            start = time.thread_time()  # its own work, however busy the machine is
            find_bot(name).choose(position.copy(), seat, words_of(b"time"), budget)
            if measured:
                spent.append(1000 * (time.thread_time() - start))
    assert np.median(spent) < 45


# --- strength: quick looks at the bars ------------------------------------------------------------


def test_greedy_reaches_its_anchors() -> None:
    assert np.mean(scores("ecosystem", 3, "greedy", 20)) >= 85
    assert np.mean(scores("oceanos", 4, "greedy", 40)) >= 48
    assert np.median(scores("ozeanien", 1, "greedy", 60)) >= 100


@pytest.mark.parametrize(
    ("title", "share"),
    [("ecosystem", 0.95), ("oceanos", 0.9), ("oceanide", 0.9), ("ozeanien", 0.85)],
)
def test_greedy_beats_random(title: str, share: float) -> None:
    assert duel(title, "greedy", "random", 20) >= share


@pytest.mark.parametrize(
    ("title", "deals", "simulations", "share"),
    [
        ("ecosystem", 4, 100, 0.7),
        ("oceanos", 6, 100, 0.7),
        ("oceanide", 10, 300, 0.6),
        ("ozeanien", 15, 100, 0.5),
    ],
)
def test_flat_beats_greedy(title: str, deals: int, simulations: int, share: float) -> None:
    assert duel(title, "flat", "greedy", deals, Budget(simulations=simulations)) >= share


@pytest.mark.parametrize(
    ("title", "deals", "simulations"),
    [
        ("ecosystem", 4, 120),
        ("oceanos", 8, 120),
        ("oceanide", 8, 120),
        *([("ozeanien", 12, 250)] if SOAK else []),
    ],
)
def test_search_beats_flat(title: str, deals: int, simulations: int) -> None:
    assert duel(title, "search", "flat", deals, Budget(simulations=simulations)) >= 0.5


def test_search_alone_beats_tim_and_explores_more_than_greedy() -> None:
    budget = Budget(simulations=60)
    match = Match.new("ecosystem", players=1, seed="tim")
    position = finish(match, [find_bot("search")], [budget])
    assert position.winners == [0]
    mine = np.median(scores("ozeanien", 1, "search", 8, Budget(simulations=200)))
    assert mine > np.median(scores("ozeanien", 1, "greedy", 60))
