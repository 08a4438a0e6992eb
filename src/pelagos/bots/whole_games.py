"""Whole games by bots that choose by a rule: compiled, for statistics over very many games.

A bot whose class has a `chooser` can play in them. It is asked as bots are asked everywhere: each
decision has a stream of its own and a world that is redealt for the seat. So game `i` of a series
goes move by move as `decide` would play it, in the arena, in the terminal or at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from pelagos.bots.playing import playing
from pelagos.bots.registry import BUILT_IN, find_bot
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.digest import seed_game, series_bytes, start_bot_stream, start_stream
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game
from pelagos.engine.pack import Pack
from pelagos.engine.position import lines_of, new_position
from pelagos.engine.rule import rule
from pelagos.engine.turns import Chooser, first_seat, one_of, whole_games
from pelagos.engine.types import MOST_SEATS, Array


def chooser(bot: str, game: Game) -> Chooser:
    """The rule by which the bot of this name chooses."""
    make = getattr(find_bot(bot), "chooser", None)
    if make is None:
        known = ", ".join(name for name in BUILT_IN if hasattr(find_bot(name), "chooser"))
        raise PelagosError(text("bots/refuse.no_chooser", name=short(bot), known=known))
    rule_of_bot: Chooser = make(game)
    return rule_of_bot


@cache
def _loop(game: Game, choosers: tuple[Chooser, ...]) -> Callable[..., None]:
    """The compiled loop over games."""
    rules = whole_games(game)
    legal, play, redeal, settle = rules.legal, rules.play, rules.redeal, rules.settle
    start, count_up, choose = rules.start, rules.count_up, one_of(choosers)

    @rule
    def play_games(
        series: Array,
        number: int,
        template: Array,
        packs: Array,
        which: Array,
        lines: int,
        states: Array,
        streams: Array,
        room: Array,
        made: Array,
        totals: Array,
        won: Array,
        lengths: Array,
    ) -> None:
        """States: the game, and the world in which a bot thinks. Streams: the game's seed, and
        the bot's stream. `made` counts each seat's decisions.
        """
        pack = packs[0]
        seed, stream = streams[0], streams[1]
        for index in range(lengths.shape[0]):
            states[0] = template[0]
            game = states[0]
            seed_game(series, number + index, seed)
            start_stream(seed, game.stream)
            made[:] = 0
            who = start(game, pack, room)
            while who:
                seat = first_seat(who)
                count = legal(game, pack, seat, room)
                action = int(room[0])
                if count > 1:
                    start_bot_stream(seed, seat, int(made[seat]), stream)
                    states[1] = game
                    redeal(states[1], pack, seat, stream)
                    action = choose(int(which[seat]), states[1], pack, seat, stream, room)
                play(game, pack, seat, action)
                made[seat] += 1
                who = settle(game, pack, room)
            lengths[index] = made.sum()
            won[index] = count_up(game, pack, room, lines, totals[index])

    return play_games


class BotGames:
    """Games `first` to first + count - 1 of a seed's series, by a bot for each seat."""

    def __init__(
        self,
        game: Game,
        bots: Sequence[str],
        count: int,
        *,
        seed: str,
        pack: Pack,
        options: Mapping[str, Any],
        first: int = 0,
        threads: int = 1,
    ) -> None:
        """Nothing is played yet."""
        self.pack, self.count, self.players = pack, count, len(bots)
        self.totals = np.zeros((count, self.players), np.int64)
        self.won = np.zeros(count, np.int64)
        """Mask of each game's winners."""
        self.lengths = np.zeros(count, np.int64)
        """Decisions made in each game."""
        self._game, self._first, self._threads = game, first, min(threads, count)
        kinds = sorted(set(bots))
        self._loop = _loop(game, tuple(chooser(bot, game) for bot in kinds))
        self._which = np.array([kinds.index(bot) for bot in bots])
        self._series = series_bytes(seed)
        self._template = new_position(game, pack, options).states
        self._lines = len(lines_of(game, options))

    def play_out(self) -> Array:
        """Play every game to its end; return the scores, a row a game."""
        edges = [self.count * share // self._threads for share in range(self._threads + 1)]
        if self._threads == 1:
            self._play(0, self.count)
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(self._play, edges[:-1], edges[1:]))
        return self.totals

    def _play(self, first: int, last: int) -> None:
        self._loop(
            self._series,
            self._first + first,
            self._template,
            readable(self.pack.data),
            self._which,
            self._lines,
            new_states(self._game, 2),
            np.zeros((2, 4), np.uint64),
            np.zeros_like(playing(self._game).actions),
            np.zeros(MOST_SEATS, np.int64),
            self.totals[first:last],
            self.won[first:last],
            self.lengths[first:last],
        )
