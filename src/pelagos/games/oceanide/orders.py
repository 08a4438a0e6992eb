"""Standing orders: how a seat answers the King's question without being asked each time.

`ask` asks each time, `allow` lets everything happen, `from-5` asks from an object of value 5 on,
`king-5` sends a king from there on, if there is one. Whether an order answers follows from what
everyone knows, so that an answer tells nothing by its time.
"""

from __future__ import annotations

from pelagos.engine.types import Record
from pelagos.games.oceanide.actions import ALLOW, ANSWER_KING
from pelagos.games.oceanide.rules import is_asked, named_objects
from pelagos.games.oceanide.state import KING

ASK_ME, LET_IT_HAPPEN, FROM_VALUE, KING_FROM_VALUE = "ask", "allow", "from-", "king-"


def known(pack: Record) -> list[str]:
    """The orders that a seat may give, the first one unless it says otherwise."""
    values = sorted({int(value) for value in pack.values})
    return [
        ASK_ME,
        LET_IT_HAPPEN,
        *(f"{FROM_VALUE}{value}" for value in values[1:]),
        *(f"{KING_FROM_VALUE}{value}" for value in values),
    ]


def answer(game: Record, pack: Record, seat: int, order: str) -> int | None:
    """The action that the order makes now; None if the seat must be asked."""
    if order == ASK_ME or not is_asked(game) or int(game.target) != seat:
        return None
    at_stake = max(int(pack.values[kind]) for kind in named_objects(game))
    if order == LET_IT_HAPPEN or at_stake < int(order.rpartition("-")[2]):
        return ALLOW
    if order.startswith(FROM_VALUE):
        return None
    return ANSWER_KING if int(game.own[seat, KING]) else ALLOW


def default(game: Record, pack: Record, seat: int) -> int | None:
    """What counts as the seat's answer when time runs out; None if it isn't asked for a king."""
    return ALLOW if is_asked(game) and int(game.target) == seat else None
