"""`search`: a tree over redealt worlds, information sets by what the seat itself can tell apart.

Every seat has a tree of its own: its decisions follow one another along its own actions alone, and
a decision is known by the actions it offers. What others choose in secret is never seen in a tree,
so that simultaneous choices stay simultaneous; what they do in the open shows in what can be done
next. At the root the candidates race in the same worlds, as `flat`'s do; below it each tree goes
for its own seat's best, wider the more often a decision has been met; beyond the tree all lean to
what looks good. The part of the tree that a decision leads into is kept for the seat's next one.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from pelagos.bots.budget import Budget
from pelagos.bots.playing import playing
from pelagos.bots.race import LOWEST_BIAS, Race, Racer, race_loop
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
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

NODE = np.dtype(
    [
        ("value", np.float64),  # sum of the seat's values
        ("offer", np.int64),  # what the decision offers, as one number
        ("first", np.int32),  # its branches lie from here on, the best-rated first
        ("size", np.int32),
        ("visits", np.int32),
        ("next", np.int32),  # another decision that the same branch leads to; 0: no more
    ]
)
BRANCH = np.dtype(
    [
        ("value", np.float64),  # sum of the seat's values
        ("bias", np.float64),  # what its rate says, against the best-rated action's
        ("action", np.int32),
        ("visits", np.int32),
        ("node", np.int32),  # the first decision it leads to; 0: none yet
        ("spare", np.int32),
    ]
)
_OFFERS = 2147483647


@cache
def _rules(game: Game) -> SimpleNamespace:
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
        nodes[node]["size"] = count
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
        wide = min(int(nodes[node]["size"]), 1 + int(WIDTH * np.sqrt(visits)))
        usual = nodes[node]["value"] / max(visits, 1)
        best = first
        most = -1.0
        spur = CURIOSITY * np.sqrt(np.log(visits + 1.0))
        for branch in range(first, first + wide):
            tried = int(branches[branch]["visits"])
            promise = branches[branch]["bias"] * TRUST / (tried + TRUST)
            if tried:
                promise += branches[branch]["value"] / tried + spur / np.sqrt(tried)
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
    def known(nodes: Array, branches: Array, branch: int, actions: Array, count: int) -> int:
        """The decision with these actions that a branch leads to; 0: none."""
        return find(nodes, branches, branch, offer_of(actions, count))

    return SimpleNamespace(simulate=race_loop(rules, follow), known=known)


class Search(Racer):
    """The strongest player of the house."""

    name = "search"

    def __init__(self) -> None:
        """No tree yet."""
        self._nodes = np.zeros(NODES, NODE)
        self._branches = np.zeros(BRANCHES, BRANCH)
        self._sizes = np.zeros(2, np.int64)
        self._roots: Array = np.zeros(0, np.int64)
        """The branches of the candidates of the newest race."""
        self._last = 0
        """The branch that the newest choice leads into; 0: none."""
        self._forget()

    def _forget(self) -> None:
        """Cut the trees down. Node 0 is none; the first branches lead into each seat's tree."""
        self._sizes[:] = (1, MOST_SEATS)
        self._branches[:MOST_SEATS] = np.zeros(1, BRANCH)
        self._last = 0

    def race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        """A race in whose games all seats follow their trees."""
        game = position.game
        race = Race(position, seat, stream, budget, TRUST)
        self._roots = self._plant(race, position, seat, game)
        ways = np.zeros(MOST_SEATS, np.int64)
        path = np.zeros((DEPTH, 3), np.int64)
        rates = np.zeros(game.actions + 1, np.int64)
        tree = (self._nodes, self._branches, self._sizes, self._roots, ways, path, rates)
        race.run(_rules(game).simulate, tree, budget)
        return race

    def keep(self, race: Race) -> None:
        """The tree below the best candidate is kept for the seat's next decision."""
        self._last = int(self._roots[race.best])

    def _plant(self, race: Race, position: Position, seat: int, game: Game) -> Array:
        """The branches of the candidates: kept ones with what is known of them, or new ones."""
        legal = np.array(position.legal(seat), np.int64)
        node = 0
        if self._last and self._sizes[0] < NODES // 2 and self._sizes[1] < BRANCHES // 2:
            node = _rules(game).known(self._nodes, self._branches, self._last, legal, len(legal))
        if not node:
            self._forget()
        else:
            self._branches[:MOST_SEATS] = np.zeros(1, BRANCH)
        count = len(race.actions)
        first = int(self._sizes[1])
        self._sizes[1] = first + count
        roots = np.arange(first, first + count)
        self._branches[first : first + count] = np.zeros(1, BRANCH)
        self._branches["action"][first : first + count] = race.actions
        if node:
            self._inherit(race, roots, node)
        return roots

    def _inherit(self, race: Race, roots: Array, node: int) -> None:
        """Let the candidates keep their trees, and what was thought of them as a bias: the race
        itself starts anew, for all in the same worlds.
        """
        start, size = int(self._nodes[node]["first"]), int(self._nodes[node]["size"])
        known = self._branches[start : start + size].copy()
        usual = known["value"].sum() / max(known["visits"].sum(), 1)
        for branch in known[known["visits"] > 0]:
            for place in np.flatnonzero(race.actions == branch["action"]):
                self._branches[roots[place]] = branch
                better = branch["value"] / branch["visits"] - usual
                weight = branch["visits"] / (branch["visits"] + TRUST)
                race.bias[place] += weight * (better - race.bias[place])
