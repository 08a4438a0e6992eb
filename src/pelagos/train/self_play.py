"""Whole games by networks (or by `greedy`), compiled, and what they can learn from them.

A row is what a network sees of an afterstate; its targets are how the game ended for the seat: its
own points, and those of the best other (alone: what it had to reach); or in part, where chance is
loud, what the network said of the seat's next decision. Where a game says what may be turned up,
luck is taken off: by how much what was turned up after the row is better than what might have been,
as the network sees it. On average that is nothing, and what is left is quieter. To see more than
their own habits, seats begin some games with actions by lot; rows are kept from the last of these
on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pelagos.bots.playing import playing
from pelagos.bots.valuing import LEVELS, WORST, scratch, valuing
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.digest import seed_game, series_bytes, start_players_stream, start_stream
from pelagos.engine.game import Game
from pelagos.engine.network import HEADS, expected, sum_rows, value_of
from pelagos.engine.pack import Pack
from pelagos.engine.position import new_position
from pelagos.engine.rule import rule
from pelagos.engine.stream import below
from pelagos.engine.turns import first_seat, whole_games
from pelagos.engine.types import ENDS, GOES_ON, MOST_SEATS, RESTS, TURNS_UP, Array
from pelagos.engine.units import UNIT

GREEDY = -1
"""Who decides where no network does."""
MOST_DECISIONS = 160
"""Of one seat in one game; rows of later ones aren't kept."""
STRAYING = 60
"""In so many of a hundred games a seat begins with actions by lot."""
STRAYS = 300
"""Of its decisions there, about so many in a thousand are by lot."""


class Rows(NamedTuple):
    """What was learnt from games, a row an afterstate."""

    features: Array
    targets: Array
    games: Array
    """The game each row is of: rows of one game are held out together."""


class Kept(NamedTuple):
    """A game's rows until its end is known."""

    features: Array
    fills: Array
    until: Array
    made: Array
    said: Array
    """What the network said of each row when it chose it: own points, the best other's."""
    lucks: Array
    """How lucky the seat was between each row and the one before, then since the last one; in the
    same points."""


@cache
def _loop(game: Game) -> Callable[..., int]:
    rules, values, house = whole_games(game), valuing(game), playing(game)
    afterstate = game.part("afterstate")
    levels, size = int(getattr(afterstate, "LEVELS", LEVELS)), int(afterstate.SIZE)
    mirror = getattr(afterstate, "mirror", None)
    legal, play, settle, start = rules.legal, rules.play, rules.settle, rules.start
    choose, follow, act = values.choose, values.follow, values.act
    prepare, changing = values.prepare, afterstate.changing
    greedy, count_up = house.best, house.count_up
    luck, write_turn = values.luck, _turning(game)
    turns_up = hasattr(afterstate, "OUTCOMES")
    """Then rows are what turns come to, and nothing between."""
    standing = game.part("evaluation").standing

    if mirror is None:

        @rule
        def turn_round(row: Array, stream: Array) -> None:
            pass

    else:

        @rule
        def turn_round(row: Array, stream: Array) -> None:
            if below(stream, 2):
                mirror(row)

    @rule
    def best_next(pack: Any, seat: int, which: int, network: Any, room: Any, stream: Array) -> int:
        """The seat's choice in states[1] that follows at once from its action."""
        states, actions = room.states, room.actions[levels]
        if which == GREEDY:
            return int(greedy(states[1], pack, seat, stream, actions))
        states[0] = states[1]
        count = legal(states[0], pack, seat, actions)
        best, top = 0, WORST
        for place in range(count):
            own, other = follow(states, pack, seat, int(actions[place]), network, room)
            value = value_of(network, own, other)
            if value > top:
                best, top = int(actions[place]), value
        states[1] = states[0]
        return best

    @rule
    def write_row(
        pack: Any,
        seat: int,
        action: int,
        which: int,
        network: Any,
        room: Any,
        stream: Array,
        row: Array,
    ) -> bool:
        """The features that an action in states[0] leads to, `prepare` done; False: it is the end.

        The states are changed.
        """
        states = room.states
        states[1] = states[0]
        comes_to = act(states[1], pack, seat, action)
        level = 1
        while comes_to & GOES_ON and not comes_to & ENDS and level < levels:
            action = best_next(pack, seat, which, network, room, stream)
            comes_to = act(states[1], pack, seat, action)
            level += 1
        if comes_to & ENDS:
            return False
        after = room.features[1]
        changing(states[1], pack, seat, after)
        for place in range(size):
            row[place] = after[place]
        turn_round(row, stream)
        return True

    @rule
    def add_luck(kept: Kept, seat: int, own: float, other: float) -> None:
        """Two players: what is luck for one of them is so for the other."""
        at = int(kept.fills[seat])
        kept.lucks[seat, at, 0] += own
        kept.lucks[seat, at, 1] += other
        at = int(kept.fills[1 - seat])
        kept.lucks[1 - seat, at, 0] += other
        kept.lucks[1 - seat, at, 1] += own

    @rule
    def play_games(
        series: Array,
        number: int,
        count: int,
        template: Array,
        packs: Array,
        networks: Array,
        which: Array,
        prefix: int,
        trace: float,
        states: Array,
        streams: Array,
        room: Any,
        actions: Array,
        kept: Kept,
        features: Array,
        targets: Array,
        games: Array,
        totals: Array,
        won: Array,
    ) -> int:
        """Play games `number` to number + count - 1 of the series; return how many rows there are.

        `which`: by seat, its network, or GREEDY. `prefix`: of how many of its first decisions a
        seat may make some by lot. `trace`: how much of a target is what came later, the rest being
        what the network said of the seat's next decision. Rows that find no room any more are lost.
        """
        pack, seed, stream = packs[0], streams[0], streams[1]
        written = 0
        for index in range(count):
            states[0] = template[0]
            game = states[0]
            players = int(game.players)
            seed_game(series, number + index, seed)
            start_stream(seed, game.stream)
            start_players_stream(seed, stream)
            for seat in range(players):
                kept.fills[seat] = 0
                kept.made[seat] = 0
                kept.until[seat] = 0
                kept.lucks[seat] = 0.0
                if prefix and below(stream, 100) < STRAYING:
                    kept.until[seat] = 1 + below(stream, prefix)
            strays = STRAYS * (1 + below(stream, 3)) // 2
            who = start(game, pack, actions)
            while who:
                seat = first_seat(who)
                choices = legal(game, pack, seat, actions)
                action = int(actions[0])
                if choices > 1:
                    by_lot = kept.made[seat] < kept.until[seat] and below(stream, 1000) < strays
                    kept.made[seat] += 1
                    if by_lot:
                        kept.fills[seat] = 0
                        kept.lucks[seat, 0] = 0.0
                        action = int(actions[below(stream, choices)])
                    player = int(which[seat])
                    network = networks[max(player, 0)]
                    room.states[0] = game
                    said_own, said_other = 0.0, 0.0
                    if player == GREEDY or by_lot:
                        if not by_lot:
                            action = int(greedy(game, pack, seat, stream, actions))
                        prepare(room.states[0], pack, seat, network, room)
                    else:
                        best = choose(pack, seat, network, room)
                        action = int(room.actions[0, best])
                        said_own = room.points[best, 0] / UNIT
                        said_other = room.points[best, 1] / UNIT
                    at = int(kept.fills[seat])
                    has_room = written < features.shape[0] and at < kept.features.shape[1]
                    if has_room and not turns_up:
                        row = kept.features[seat, at]
                        if write_row(pack, seat, action, player, network, room, stream, row):
                            kept.said[seat, at, 0] = said_own
                            kept.said[seat, at, 1] = said_other
                            kept.fills[seat] = at + 1
                if turns_up and features.shape[0]:
                    player = int(which[seat])
                    network = networks[max(player, 0)]
                    at = int(kept.fills[seat])
                    has_room = written < features.shape[0] and at < kept.features.shape[1]
                    if player != GREEDY and players == 2:
                        room.states[0] = game
                        own_luck, other_luck = luck(pack, seat, action, network, room)
                        add_luck(kept, seat, own_luck / UNIT, other_luck / UNIT)
                    room.states[0] = game
                    if has_room and write_turn(pack, seat, action, network, room):
                        for place in range(size):
                            kept.features[seat, at, place] = room.features[1, place]
                        turn_round(kept.features[seat, at], stream)
                        kept.said[seat, at, 0] = room.points[0, 0] / UNIT
                        kept.said[seat, at, 1] = room.points[0, 1] / UNIT
                        kept.fills[seat] = at + 1
                        kept.lucks[seat, at + 1] = 0.0
                play(game, pack, seat, action)
                who = settle(game, pack, actions)
            won[index] = count_up(game, pack, actions, totals[index])
            for seat in range(players):
                own = int(totals[index, seat])
                ahead = standing(game, pack, seat, totals[index]) / 100.0
                goal_own, goal_other = float(own), own - ahead
                share = 1.0 if int(which[seat]) == GREEDY else trace
                count_of_rows = int(kept.fills[seat])
                kept_rows = min(count_of_rows, features.shape[0] - written)
                goal_own -= kept.lucks[seat, count_of_rows, 0]
                goal_other -= kept.lucks[seat, count_of_rows, 1]
                for at in range(count_of_rows - 1, -1, -1):
                    if at < kept_rows:
                        row_number = written + at
                        for place in range(size):
                            features[row_number, place] = kept.features[seat, at, place]
                        targets[row_number, 0] = goal_own
                        targets[row_number, 1] = goal_other
                        games[row_number] = number + index
                    goal_own = share * goal_own + (1.0 - share) * kept.said[seat, at, 0]
                    goal_other = share * goal_other + (1.0 - share) * kept.said[seat, at, 1]
                    goal_own -= kept.lucks[seat, at, 0]
                    goal_other -= kept.lucks[seat, at, 1]
                written += kept_rows
        return written

    return play_games


def _turning(game: Game) -> Callable[..., bool]:
    """For a game that says what may be turned up, the rule that writes what a turn comes to; for
    others, one that nobody calls.
    """
    afterstate = game.part("afterstate")
    if not hasattr(afterstate, "OUTCOMES"):

        @rule
        def no_turn(pack: Any, seat: int, action: int, network: Any, room: Any) -> bool:
            return False

        return no_turn

    act, turn_up, coming = afterstate.act, afterstate.turn_up, afterstate.coming
    context, changing = afterstate.context, afterstate.changing

    @rule
    def write_turn(pack: Any, seat: int, action: int, network: Any, room: Any) -> bool:
        """The features that the seat's turn comes to with this action in states[0], and what the
        network says of them; False: it goes on, or the game ends.
        """
        states = room.states
        states[1] = states[0]
        comes_to = act(states[1], pack, seat, action)
        if comes_to & TURNS_UP:
            comes_to = turn_up(states[1], pack, seat, coming(states[0], pack))
        if comes_to != RESTS:
            return False
        context(states[1], pack, seat, room.features[1])
        changing(states[1], pack, seat, room.features[1])
        sum_rows(network, room.features[1], room.sums[1])
        own, other = expected(network, room.sums[1], room.layer)
        room.points[0, 0] = own
        room.points[0, 1] = other
        return True

    return write_turn


class SelfPlay:
    """Games of a seed's series by networks of one shape."""

    def __init__(
        self, game: Game, pack: Pack, options: Mapping[str, Any], seed: str, threads: int = 1
    ) -> None:
        """Nothing is played yet."""
        self.game, self.pack, self.threads = game, pack, threads
        self.players = int(options["players"])
        self._template = new_position(game, pack, options).states
        self._series = series_bytes(seed)

    def play(
        self,
        networks: Array,
        which: Sequence[int],
        first: int,
        count: int,
        prefix: int = 0,
        rows: int = 0,
        trace: float = 1.0,
    ) -> tuple[Array, Array, Rows]:
        """Totals and winners' masks of games first to first + count - 1, and at most so many
        rows of each.
        """
        totals, won = np.zeros((count, MOST_SEATS), np.int64), np.zeros(count, np.int64)
        threads = min(self.threads, count)
        edges = [count * share // threads for share in range(threads + 1)]
        seats = np.array(which, np.int64)

        def work(start: int, end: int) -> Rows:
            room = self._room(networks, rows * (end - start))
            written = _loop(self.game)(
                self._series,
                first + start,
                end - start,
                self._template,
                readable(self.pack.data),
                networks,
                seats,
                prefix,
                trace,
                *room,
                totals[start:end],
                won[start:end],
            )
            return Rows(*(part[:written] for part in room[-3:]))

        if threads == 1:
            parts = [work(0, count)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                parts = list(pool.map(work, edges[:-1], edges[1:]))
        joined = Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
        return totals[:, : self.players], won, joined

    def _room(self, networks: Array, rows: int) -> tuple[Any, ...]:
        size = self.game.part("afterstate").SIZE
        fills, until, made = (np.zeros(MOST_SEATS, np.int64) for _ in range(3))
        features = np.zeros((self.players, MOST_DECISIONS, size), np.int8)
        said = np.zeros((self.players, MOST_DECISIONS, HEADS))
        lucks = np.zeros((self.players, MOST_DECISIONS + 1, HEADS))
        kept = Kept(features, fills, until, made, said, lucks)
        return (
            new_states(self.game, 1),
            np.zeros((2, 4), np.uint64),
            scratch(self.game, networks),
            np.zeros_like(playing(self.game).actions),
            kept,
            np.zeros((rows, size), np.int8),
            np.zeros((rows, 2), np.float32),
            np.zeros(rows, np.int64),
        )

    def duel(self, networks: Array, first: int, second: int, deals: int) -> Array:
        """Each deal's share of the wins for the first against seats that are all the second's, it
        taking every seat in turn; 1 / players is as good as the second. Alone: how many of the
        deals it did better in.
        """
        if self.players == 1:
            ours = self.play(networks, [first], 0, deals)[0]
            theirs = self.play(networks, [second], 0, deals)[0]
            return np.asarray(((ours > theirs) + 0.5 * (ours == theirs))[:, 0], np.float64)
        shares = np.zeros(deals)
        for seat in range(self.players):
            which = [first if other == seat else second for other in range(self.players)]
            won = self.play(networks, which, 0, deals)[1]
            sharing = sum((won >> other) & 1 for other in range(self.players))
            shares += ((won >> seat) & 1) / sharing / self.players
        return shares
