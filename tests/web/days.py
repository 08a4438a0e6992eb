"""The deal of a day, played to its end."""

from __future__ import annotations

import random
from typing import Any

from pelagos.tables import acts
from pelagos.tables.table import BOT, Table
from pelagos.web import daily


def whole_game(deal: daily.Daily, seed: int) -> list[dict[str, Any]]:
    """The log of a table at which the day's deal was played at random, to its end."""
    chance = random.Random(seed)
    table = Table("x" * 22)
    bots = [{"kind": BOT, "bot": daily.OPPONENT.id}] * (deal.players - 1)
    seats = [{"kind": "open"}, *bots]
    players = {"players": deal.players}
    created = acts.create(deal.game.id, players, seats, listed=True, deal=deal.text)
    log = [table.apply(entry) for entry in created]
    log += acts.sit(table, 0, "Mira", "", "client-0123456789", False)
    while table.match is not None and not table.match.over:
        seat = chance.choice(table.match.pending)
        action = chance.choice(table.match.legal(seat))
        if seat:
            log += acts.bot_move(table, seat, table.decisions[seat], action, 0.0)
        else:
            log += acts.move(table, seat, None, [action], f"move-{len(log):08d}")
    return log
