"""Types that rules are written with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array: TypeAlias = Any

Record: TypeAlias = Any
"""One game's state or a pack: a field an attribute."""

CHANCE = 1 << 16
"""`pending`'s bit for chance."""

SPECTATOR = -1
"""Who looks on: stands for a seat where viewers are numbered."""

MOST_SEATS = 8
"""No game here seats more."""

HIDDEN, SHOWN, TURNED = 0, 1, 2
"""What `play` returns. HIDDEN: the choice stays secret until others have chosen too. SHOWN: all
see it, and nothing else came to light. TURNED: hidden choices were revealed, or a card, tile or
token was drawn or turned, so that nothing up to here can be undone."""

NOT_PENDING, NOT_LEGAL = -1, -2
BEFORE = 4
CHANCE_DUE = 8
"""What an attempted move comes to: one of the first two; or what `play` returns, with the mask of
who owed a decision before it in the bits from BEFORE on, and CHANCE_DUE if chance comes next."""

RESTS, GOES_ON, ENDS, TURNS_UP = 0, 1, 2, 4
"""What an action comes to that happens alone (`afterstate.act`). RESTS: the seat has nothing more
to do now. GOES_ON: its own next choice follows, before anything hidden is turned. ENDS: all points
are counted as they stand; with GOES_ON, the seat may still change them. TURNS_UP: something is
turned up next, before anybody's choice; all that it can be is known, and how likely."""
