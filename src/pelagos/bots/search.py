"""`search`: a tree over redealt worlds, information sets by what the seat itself can tell apart.

Every seat has a tree of its own: its decisions follow one another along its own actions alone, and
a decision is known by the actions it offers. What others choose in secret is never seen in a tree,
so that simultaneous choices stay simultaneous; what they do in the open shows in what can be done
next. At the root the candidates race in the same worlds, as `flat`'s do; below it each tree goes
for its own seat's best, wider the more often a decision has been met; beyond the tree all lean to
what looks good. The part of the tree that a decision leads into is kept for the seat's next one.
"""

from __future__ import annotations

import math
from decimal import Decimal
from functools import cache
from types import SimpleNamespace
from typing import Any

from pelagos.bots.budget import Budget
from pelagos.bots.playing import playing
from pelagos.bots.race import CANDIDATES, LOWEST_BIAS, Race, Racer, Tree, best_place, race_loop
from pelagos.engine.arrays import new_records, numbers
from pelagos.engine.fields import state_type
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import constants, rule
from pelagos.engine.types import MOST_SEATS, Array

NODES = 1 << 14
BRANCHES = 1 << 17
DEPTH = 64
"""Decisions of all seats that one simulation can follow in the trees."""

WIN_WEIGHT = 0.15
"""Of a value, how much is the share of the win: the margin says more while the end is far."""
CURIOSITY = 0.3
"""How much a decision's rarely tried actions are worth a try."""
WIDTH = 1.0
"""A decision met n times considers 1 + WIDTH * sqrt(n) of its actions, the best-rated ones."""
OTHERS = True
"""Do the other seats have trees too?"""
TRUST = 8.0
"""How many simulations an action's rate is worth, at the root and below it."""
RIPE = 1
"""How often an action must have been tried before what follows is put into the tree."""

NODE = state_type(
    [
        ("value", "float64"),  # sum of the seat's values
        ("offer", "int64"),  # what the decision offers, as one number
        ("first", "int32"),  # its branches lie from here on, the best-rated first
        ("choices", "int32"),
        ("visits", "int32"),
        ("next", "int32"),  # another decision that the same branch leads to; 0: no more
    ]
)
BRANCH = state_type(
    [
        ("value", "float64"),  # sum of the seat's values
        ("bias", "float64"),  # what its rate says, against the best-rated action's
        ("action", "int32"),
        ("visits", "int32"),
        ("node", "int32"),  # the first decision it leads to; 0: none yet
        ("spare", "int32"),
    ]
)
NODES_USED, BRANCHES_USED, LAST = range(3)
"""In `sizes`: how much of the trees is in use, and the branch that the newest choice leads into (0:
none)."""
_OFFERS = 2147483647
_EXACT, _OCTAVES = 64, 25


def _spurs() -> list[float]:
    """CURIOSITY times the root of the logarithm of 1 + n: for each n below 64, then for the middle
    of each 32nd part of each octave.
    """
    middles = [Decimal(visits) for visits in range(_EXACT)]
    for octave in range(1, _OCTAVES + 1):
        half = Decimal((1 << octave) - 1) / 2
        middles += [(place << octave) + half for place in range(_EXACT // 2, _EXACT)]
    return [CURIOSITY * math.sqrt(float((visits + 1).ln())) for visits in middles]


SPURS = constants(_spurs(), "float64")
"""From a table, since no two machines' logarithms agree to the last bit."""


@rule
def spur_of(visits: int) -> float:
    """How much a rarely tried action is worth a try where a decision has been met so often."""
    place = visits
    octave = 0
    while place >= _EXACT:
        place >>= 1
        octave += _EXACT // 2
    return float(SPURS[octave + place])


@cache
def search_rules(game: Game) -> SimpleNamespace:
    """The loop over simulations, and what comes before and after it."""
    rules = playing(game, win_weight=WIN_WEIGHT)
    play, legal, settle = rules.play, rules.legal, rules.settle
    first_seat, likely, rate = rules.first_seat, rules.likely, rules.rate_rule
    count_up, value, slope = rules.count_up, rules.value, rules.slope

    @rule
    def offer_of(actions: Array, count: int) -> int:
        """The offered actions as one number."""
        number = count
        for index in range(count):
            number = (number * 263 + int(actions[index]) + 1) % _OFFERS
        return number

    @rule
    def find(nodes: Array, branches: Array, branch: int, offer: int) -> int:
        """The decision with this offer that a branch leads to; 0: none yet."""
        node = int(branches[branch]["node"])
        while node and int(nodes[node]["offer"]) != offer:
            node = int(nodes[node]["next"])
        return node

    @rule
    def grow(
        game: Any,
        pack: Any,
        seat: int,
        nodes: Array,
        branches: Array,
        sizes: Array,
        branch: int,
        actions: Array,
        count: int,
        rates: Array,
    ) -> int:
        """Put a decision into the tree; 0: there is no room left."""
        node = int(sizes[0])
        first = int(sizes[1])
        if node >= nodes.shape[0] or first + count > branches.shape[0]:
            return 0
        sizes[0] = node + 1
        sizes[1] = first + count
        nodes[node]["offer"] = offer_of(actions, count)
        nodes[node]["first"] = first
        nodes[node]["choices"] = count
        nodes[node]["visits"] = 0
        nodes[node]["value"] = 0.0
        nodes[node]["next"] = branches[branch]["node"]
        branches[branch]["node"] = node
        for index in range(count):
            action = int(actions[index])
            worth = rate(game, pack, seat, action)
            place = index
            while place > 0 and rates[place - 1] < worth:
                rates[place] = rates[place - 1]
                branches[first + place]["action"] = branches[first + place - 1]["action"]
                place -= 1
            rates[place] = worth
            branches[first + place]["action"] = action
        for place in range(first, first + count):
            branches[place]["value"] = 0.0
            bias = slope * (rates[place - first] - rates[0])
            branches[place]["bias"] = max(bias, LOWEST_BIAS)
            branches[place]["visits"] = 0
            branches[place]["node"] = 0
        return node

    @rule
    def select(nodes: Array, branches: Array, node: int) -> int:
        """The branch to follow: an untried one if the decision has been met often enough, else
        the one that promises most (UCB).
        """
        visits = int(nodes[node]["visits"])
        first = int(nodes[node]["first"])
        wide = min(int(nodes[node]["choices"]), 1 + int(WIDTH * math.sqrt(visits)))
        usual = nodes[node]["value"] / max(visits, 1)
        best = first
        most = -1.0
        spur = spur_of(visits)
        for branch in range(first, first + wide):
            tried = int(branches[branch]["visits"])
            promise = branches[branch]["bias"] * TRUST / (tried + TRUST)
            if tried:
                promise += branches[branch]["value"] / tried + spur / math.sqrt(tried)
            else:
                promise += usual + spur
            if promise > most:
                most = promise
                best = branch
        return best

    @rule
    def follow(
        game: Any,
        pack: Any,
        seat: int,
        candidate: int,
        action: int,
        stream: Array,
        actions: Array,
        totals: Array,
        tree: Any,
    ) -> Any:
        """Make the move and follow the trees as far as they go. `roots` holds the branches of the
        candidates, `ways` where each seat is in its tree (-1: beyond it), `path` the branches
        followed and whose.
        """
        nodes, branches, sizes, roots, ways, path, rates = tree
        for other in range(int(game.players)):
            ways[other] = other if OTHERS else -1
        length = 1
        path[0, 0] = roots[candidate]
        path[0, 1] = seat
        path[0, 2] = 0
        ways[seat] = roots[candidate]
        play(game, pack, seat, action)
        who = settle(game, pack, actions)
        while who:
            mover = first_seat(who)
            way = int(ways[mover])
            if way < 0:
                play(game, pack, mover, likely(game, pack, mover, stream, actions))
            else:
                choices = legal(game, pack, mover, actions)
                if choices == 1:
                    play(game, pack, mover, int(actions[0]))
                else:
                    node = find(nodes, branches, way, offer_of(actions, choices))
                    if node == 0:
                        ways[mover] = -1
                        if way < MOST_SEATS or int(branches[way]["visits"]) >= RIPE:
                            node = grow(
                                game,
                                pack,
                                mover,
                                nodes,
                                branches,
                                sizes,
                                way,
                                actions,
                                choices,
                                rates,
                            )
                    if node == 0 or length == DEPTH:
                        ways[mover] = -1
                        play(game, pack, mover, likely(game, pack, mover, stream, actions))
                    else:
                        branch = select(nodes, branches, node)
                        if ways[mover] >= 0:
                            ways[mover] = branch
                        path[length, 0] = branch
                        path[length, 1] = mover
                        path[length, 2] = node
                        length += 1
                        play(game, pack, mover, int(branches[branch]["action"]))
            who = settle(game, pack, actions)
        won = count_up(game, pack, actions, totals)
        for step in range(length):
            branch, node = path[step, 0], path[step, 2]
            gained = value(game, pack, int(path[step, 1]), totals, won)
            branches[branch]["value"] += gained
            branches[branch]["visits"] += 1
            nodes[node]["value"] += gained
            nodes[node]["visits"] += 1
        return won

    @rule
    def plant(races: Array, states: Array, packs: Array, room: Array, tree: Any) -> None:
        """The branches of the candidates: kept ones with what is known of them, or new ones."""
        nodes, branches, sizes, roots = tree[0], tree[1], tree[2], tree[3]
        race = races[0]
        node = 0
        last = int(sizes[LAST])
        if last and sizes[NODES_USED] < NODES // 2 and sizes[BRANCHES_USED] < BRANCHES // 2:
            count = legal(states[0], packs[0], int(race.seat), room)
            node = find(nodes, branches, last, offer_of(room, count))
        if node == 0:  # cut the trees down: node 0 is none
            sizes[NODES_USED] = 1
            sizes[BRANCHES_USED] = MOST_SEATS
            sizes[LAST] = 0
        for branch in range(MOST_SEATS):  # these lead into each seat's tree
            clear(branches, branch, 0)
        first = int(sizes[BRANCHES_USED])
        sizes[BRANCHES_USED] = first + int(race.candidates)
        for place in range(int(race.candidates)):
            roots[place] = first + place
            clear(branches, first + place, int(race.ranked[place]))
        if node:
            inherit(race, nodes, branches, roots, node)

    @rule
    def inherit(race: Any, nodes: Array, branches: Array, roots: Array, node: int) -> None:
        """Let the candidates keep their trees, and what was thought of them as a bias: the race
        itself starts anew, for all in the same worlds.
        """
        first = int(nodes[node]["first"])
        end = first + int(nodes[node]["choices"])
        total = 0.0
        met = 0
        for branch in range(first, end):
            total += branches[branch]["value"]
            met += int(branches[branch]["visits"])
        usual = total / max(met, 1)
        for branch in range(first, end):
            visits = int(branches[branch]["visits"])
            for place in range(int(race.candidates)):
                if visits and int(race.ranked[place]) == int(branches[branch]["action"]):
                    branches[roots[place]] = branches[branch]
                    better = branches[branch]["value"] / visits - usual
                    weight = visits / (visits + TRUST)
                    race.bias[place] += weight * (better - race.bias[place])

    @rule
    def keep(races: Array, tree: Any) -> None:
        """The tree below the best candidate is kept for the seat's next decision."""
        if int(races[0].candidates) > 1:
            tree[2][LAST] = tree[3][best_place(races[0])]

    return SimpleNamespace(advance=race_loop(rules, follow), plant=plant, keep=keep)


@rule
def clear(branches: Array, branch: int, action: int) -> None:
    """Make a branch new."""
    branches[branch]["value"] = 0.0
    branches[branch]["bias"] = 0.0
    branches[branch]["action"] = action
    branches[branch]["visits"] = 0
    branches[branch]["node"] = 0


def new_tree(game: Game) -> Tree:
    """Empty trees: nodes, branches, sizes, the candidates' branches, and room for one simulation:
    where each seat is in its tree, the branches followed, rates.
    """
    return (
        new_records(NODE, NODES),
        new_records(BRANCH, BRANCHES),
        numbers(3),
        numbers(CANDIDATES),
        numbers(MOST_SEATS),
        numbers((DEPTH, 3)),
        numbers(game.actions + 1),
    )


class Search(Racer):
    """The strongest player of the house."""

    name = "search"

    def __init__(self) -> None:
        """No tree yet."""
        self._tree: Tree = ()
        self._game: Game | None = None

    def race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        """A race in whose games all seats follow their trees."""
        if self._game is not position.game:
            self._game, self._tree = position.game, new_tree(position.game)
        rules = search_rules(position.game)
        race = Race(position, seat, stream, budget, TRUST)
        if race.candidates > 1:
            rules.plant(race.races, race.states, race.packs, race.room, self._tree)
            race.run(rules.advance, self._tree, budget)
        return race

    def keep(self, race: Race) -> None:
        """The tree below the best candidate is kept for the seat's next decision."""
        assert self._game is not None
        search_rules(self._game).keep(race.races, self._tree)
