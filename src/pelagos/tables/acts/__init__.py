"""What can be asked of a table.

Each act checks, plays on the table that it is given, a draft, and returns the entries to append.
A refusal is one sentence; the draft is thrown away then. Nothing here writes: when the entries are
in the log, the draft becomes the table.
"""

from __future__ import annotations

from pelagos.tables.acts.answering import (
    bot_move,
    goes_on,
    is_forced,
    is_open,
    settle,
    stand_in,
)
from pelagos.tables.acts.checks import clean_client, clean_long_client, clean_name, find_creature
from pelagos.tables.acts.gathering import (
    COLOURS,
    again,
    arrange,
    create,
    deal_by_beacon,
    issue,
    laid_anew,
    leave,
    note_beacon_trouble,
    presence,
    put_bot,
    sit,
    start,
)
from pelagos.tables.acts.learning import learn, try_again, walk
from pelagos.tables.acts.orders import (
    by_order,
    default_answer,
    give_order,
    may_be_ordered,
    order_of,
    seconds,
)
from pelagos.tables.acts.playing import (
    MOST_ACTIONS,
    MOST_AHEAD,
    ask_hint,
    can_undo,
    is_choosing,
    move,
    send_ahead,
    take_back,
    taken_back,
    undo,
)

__all__ = [
    "COLOURS",
    "MOST_ACTIONS",
    "MOST_AHEAD",
    "again",
    "arrange",
    "ask_hint",
    "bot_move",
    "by_order",
    "can_undo",
    "clean_client",
    "clean_long_client",
    "clean_name",
    "create",
    "deal_by_beacon",
    "default_answer",
    "find_creature",
    "give_order",
    "goes_on",
    "is_choosing",
    "is_forced",
    "is_open",
    "issue",
    "laid_anew",
    "learn",
    "leave",
    "may_be_ordered",
    "move",
    "note_beacon_trouble",
    "order_of",
    "presence",
    "put_bot",
    "seconds",
    "send_ahead",
    "settle",
    "sit",
    "stand_in",
    "start",
    "take_back",
    "taken_back",
    "try_again",
    "undo",
    "walk",
]
