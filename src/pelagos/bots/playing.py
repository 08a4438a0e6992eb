"""What the stronger bots share: rating actions, greedy-leaning play-outs, the value of an end.

Made once for each game from its contract and its evaluation, and compiled with it.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from pelagos.engine.arrays import numbers
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.rule import machine, rule
from pelagos.engine.stream import below
from pelagos.engine.turns import first_seat, whole_games
from pelagos.engine.types import MOST_SEATS, Array

SAMPLE = 6
"""In a play-out, the best of so many legal actions drawn by lot is made."""
STRAY = 50
"""In a play-out, how many decisions in a thousand are left to chance."""
WIN_WEIGHT = 0.5
"""Of a value, how much is the share of the win; the rest is the margin."""
RATE_VALUE = 0.45
"""What a rate that is better by a game's spread adds to the value, while margins are small."""


def _evaluation(game: Game) -> Any:
    """The game's evaluation; for a game that brings none, one that thinks all actions alike."""
    try:
        return game.part("evaluation")
    except ModuleNotFoundError:
        return SimpleNamespace(rate=_all_alike, standing=_ahead, SPREAD=1000)


@rule
def _all_alike(game: Any, pack: Any, seat: int, action: int) -> int:
    return 0


@rule
def _ahead(game: Any, pack: Any, seat: int, totals: Array) -> int:
    """How far ahead of the best other the seat is; alone, its points."""
    if int(game.players) == 1:
        return 100 * int(totals[0])
    best = -1_000_000
    for other in range(int(game.players)):
        if other != seat:
            best = max(best, int(totals[other]))
    return 100 * (int(totals[seat]) - best)


@cache
def playing(game: Game, win_weight: float = WIN_WEIGHT) -> SimpleNamespace:
    """The rules for a game, and doors into them. `actions` is room for the legal ones."""
    evaluation, shared = _evaluation(game), _shared(game)
    standing, spread, share = evaluation.standing, float(evaluation.SPREAD), shared.share

    @rule
    def value(game: Any, pack: Any, seat: int, totals: Array, won: int) -> float:
        """What the end is worth to the seat, from 0 to 1."""
        players = int(game.players)
        ahead = standing(game, pack, seat, totals) / spread
        margin = float(0.5 + 0.5 * ahead / (1.0 + abs(ahead)))
        if players == 1:
            return margin
        return win_weight * float(share(game, won, seat)) + (1.0 - win_weight) * margin

    return SimpleNamespace(value=value, **vars(shared))


@cache
def _shared(game: Game) -> SimpleNamespace:
    """What doesn't depend on how much a win weighs: compiled once for all bots."""
    evaluation = _evaluation(game)
    rate_rule = evaluation.rate
    lean = getattr(evaluation, "lean", rate_rule)
    spread = float(evaluation.SPREAD)
    sample = int(getattr(evaluation, "SAMPLE", SAMPLE))
    lines = len(game.lines)
    contract = doors(game).rules
    legal, play = contract.legal, contract.play
    whole = whole_games(game)
    settle, count_up_lines = whole.settle, whole.count_up

    @rule
    def best(game: Any, pack: Any, seat: int, stream: Array, actions: Array) -> int:
        """The best-rated legal action; equal ones are drawn by lot."""
        count = legal(game, pack, seat, actions)
        if count == 1:
            return int(actions[0])
        top = 0
        equal = 0
        chosen = -1
        for index in range(count):
            action = int(actions[index])
            value = rate_rule(game, pack, seat, action)
            if chosen < 0 or value > top:
                top = value
                equal = 1
                chosen = action
            elif value == top:
                equal += 1
                if below(stream, equal) == 0:
                    chosen = action
        return chosen

    @rule
    def likely(game: Any, pack: Any, seat: int, stream: Array, actions: Array) -> int:
        """The best of a few legal actions drawn by lot; now and then any of them."""
        count = legal(game, pack, seat, actions)
        if count == 1:
            return int(actions[0])
        if below(stream, 1000) < STRAY:
            return int(actions[below(stream, count)])
        top = 0
        chosen = -1
        for index in range(min(count, sample)):
            other = index + below(stream, count - index)
            action = int(actions[other])
            actions[other] = actions[index]
            value = lean(game, pack, seat, action)
            if chosen < 0 or value > top:
                top = value
                chosen = action
        return chosen

    @rule
    def play_out(game: Any, pack: Any, stream: Array, actions: Array) -> None:
        """Play to the end, every seat leaning to what looks good."""
        who = settle(game, pack, actions)
        while who:
            seat = first_seat(who)
            play(game, pack, seat, likely(game, pack, seat, stream, actions))
            who = settle(game, pack, actions)

    @rule
    def count_up(game: Any, pack: Any, room: Array, totals: Array) -> Any:
        """Write every seat's points; return the winners' mask."""
        return count_up_lines(game, pack, room, lines, totals)

    @rule
    def share(game: Any, won: int, seat: int) -> float:
        """The seat's share of the win, by the winners' mask."""
        if not (won >> seat) & 1:
            return 0.0
        sharing = 0
        for other in range(int(game.players)):
            sharing += (won >> other) & 1
        return 1.0 / sharing

    @rule
    def choose(states: Array, packs: Array, seat: int, stream: Array, actions: Array) -> int:
        return best(states[0], packs[0], seat, stream, actions)

    @rule
    def rate(states: Array, packs: Array, seat: int, action: int) -> int:
        return int(rate_rule(states[0], packs[0], seat, action))

    return SimpleNamespace(
        best=best,
        slope=RATE_VALUE / spread,
        legal=legal,
        play=play,
        redeal=contract.redeal,
        settle=settle,
        first_seat=first_seat,
        likely=likely,
        play_out=play_out,
        count_up=count_up,
        share=share,
        rate_rule=rate_rule,
        choose=machine.door(doors(game), "greedy", choose),
        rate=machine.door(doors(game), "rate", rate),
        actions=numbers(max(game.actions + 1, game.outcome, lines, MOST_SEATS)),
    )
