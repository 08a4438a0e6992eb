"""How good an action looks in Minnows, in hundredths of a point."""

from __future__ import annotations

from minnows.actions import ALLOW, BIDS, HIDE, ROBS
from minnows.rules import best
from minnows.scoring import KIND_POINTS, REED_POINTS
from minnows.state import KINDS, REED, Pack, State
from pelagos.engine.rule import rule
from pelagos.engine.types import Array

SPREAD = 800
"""How far apart finished games are: the margin that is as good as won."""
BID_COST = 35
"""What a card is worth to later bids, for each point of its worth."""
CAUGHT = 70
"""How often a robbed seat lets go, in hundredths."""


@rule
def gain(game: State, pack: Pack, seat: int, kind: int) -> int:
    """What another card of this kind adds to the seat's catch."""
    new = KIND_POINTS if int(game.catches[seat, kind]) == 0 else 0
    return 100 * (int(pack.worth[kind]) + new)


@rule
def chance_to_win(game: State, pack: Pack, seat: int, kind: int) -> int:
    """How likely a bid is the highest, in hundredths, against a card of each hand's average."""
    lower, cards = 0, 0
    for other in range(KINDS):
        left = int(pack.counts[other]) - int(game.hands[seat, other]) - int(game.discards[other])
        cards += left
        if int(pack.worth[other]) < int(pack.worth[kind]):
            lower += left
    chance = 100
    for _ in range(int(game.players) - 1):
        chance = chance * lower // max(cards, 1)
    return chance


@rule
def rate(game: State, pack: Pack, seat: int, action: int) -> int:
    """How good a legal action looks to the seat."""
    if action >= ROBS:
        return CAUGHT * gain(game, pack, seat, best(game, pack, action - ROBS)) // 100
    if action >= BIDS:
        kind = action - BIDS
        wins = chance_to_win(game, pack, seat, kind)
        kept = REED_POINTS * 100 if kind == REED else BID_COST * int(pack.worth[kind])
        return wins * gain(game, pack, seat, int(game.offer) - 1) // 100 - kept
    if action == HIDE:
        return -REED_POINTS * 100
    if action == ALLOW:
        return -gain(game, pack, int(game.robber), best(game, pack, seat))
    return 0


@rule
def standing(game: State, pack: Pack, seat: int, totals: Array) -> int:
    """How far ahead of the best other the seat is."""
    most = -1
    for other in range(int(game.players)):
        if other != seat:
            most = max(most, int(totals[other]))
    return 100 * (int(totals[seat]) - most)
