"""The score pad's page: twenty cells, eleven species, and a key that turns a card face down."""

from __future__ import annotations

from collections import defaultdict

from pelagos.engine.pack import Pack
from pelagos.engine.pad import Board, Counter, Desk, Pad, Spot
from pelagos.engine.view import Text, text
from pelagos.games.ecosystem.frame import COLUMNS, ROWS, cell_words
from pelagos.games.ecosystem.state import GROUPS, SEATS, SPECIES
from pelagos.games.ecosystem.tableau import EMPTY, TIM_NAME, Reef, Table

PLAYERS = range(1, SEATS + 1)
PARTNER = TIM_NAME
"""Somebody who may be added to a single player."""
TURN, CLEAR, NEUTRAL = "turn", "clear", "neutral"
MOST_NEUTRAL = 20


def first_spot(table: Table, seat: int) -> str:
    """Where the next card of a reef belongs: its first empty cell."""
    return _next(table.players[seat], -1)


def press(table: Table, pack: Pack, seat: int, at: str, key: str) -> str:
    """Do what a tap asks for; where the next one goes."""
    reef = table.players[seat]
    if key.startswith(NEUTRAL):
        change = 1 if key.endswith("+") else -1
        table.neutral = min(max(table.neutral + change, 0), MOST_NEUTRAL)
        return at
    if "," in key:
        return key
    row, column = (int(number) for number in at.split(","))
    kind, down = reef.rows[row][column]
    if key == CLEAR:
        reef.rows[row][column] = (EMPTY, False)
    elif key == TURN:
        reef.rows[row][column] = (kind, kind != EMPTY and not down)
    else:
        reef.rows[row][column] = (SPECIES.index(key), False)
        return _next(reef, row * COLUMNS + column) or at
    return at


def _next(reef: Reef, number: int) -> str:
    """The first empty cell from here on, or from the start; none if the reef is complete."""
    empty = [place for place, (kind, _) in enumerate(reef.cards) if kind == EMPTY]
    after = [place for place in empty if place > number] or empty
    return "{},{}".format(*divmod(after[0], COLUMNS)) if after else ""


def desk(table: Table, pack: Pack, seat: int, at: str, counted: Pad) -> Desk:
    """What lies on the page for one player."""
    reef = table.players[seat]
    worth = _worth(counted, seat)
    spots = [_spot(*card, number, worth) for number, card in enumerate(reef.cards)]
    kinds = [kind for kind, _ in reef.cards]
    keys = [
        Spot(
            species,
            text("pad.put", card={"noun": species}),
            _picture(kind),
            "framed",
            str(kinds.count(kind) or ""),
        )
        for kind, species in enumerate(SPECIES)
    ]
    keys.append(Spot(TURN, text("pad.turn"), ["card-back"], "framed"))
    keys.append(Spot(CLEAR, text("pad.clear"), kind="clear"))
    counters = []
    if len(table.players) == 2 and not table.solo:
        label = text("pad.neutral")
        counters.append(Counter(NEUTRAL, label, table.neutral, 0, MOST_NEUTRAL, "plankton"))
    board = Board(text("pad.reef", who=reef.name), COLUMNS, spots, f"rows-{ROWS}")
    return Desk(_prompt(reef, at), [board], keys, counters)


def _prompt(reef: Reef, at: str) -> Text:
    if not at:
        return text("pad.complete")
    row, column = (int(number) for number in at.split(","))
    kind, _ = reef.rows[row][column]
    where = cell_words(row, column)
    if kind == EMPTY:
        return text("pad.prompt", where=where)
    return text("pad.prompt_card", where=where, card={"noun": SPECIES[kind]})


def _spot(kind: int, down: bool, number: int, worth: dict[str, int]) -> Spot:
    row, column = divmod(number, COLUMNS)
    key, where = f"{row},{column}", cell_words(row, column)
    if kind == EMPTY:
        return Spot(key, text("pad.empty", where=where), kind="empty")
    card = {"noun": SPECIES[kind]}
    if down:
        return Spot(key, text("pad.down", card=card, where=where), ["card-back"], "framed")
    badge = str(worth[key]) if key in worth else ""
    return Spot(key, text("pad.card", card=card, where=where), _picture(kind), "framed", badge)


def _picture(kind: int) -> list[str]:
    return [f"scene-{GROUPS[kind] or 'other'}", SPECIES[kind]]


def _worth(counted: Pad, seat: int) -> dict[str, int]:
    """What single cards score, by their cells: those of which a proof names first the card."""
    worth: dict[str, int] = defaultdict(int)
    for line in counted.sheets[seat]["lines"]:
        if line["key"] in ("krill", "plankton", "turtle", "bonus"):
            continue
        for proof in line["evidence"]:
            worth[proof["pieces"][0].partition(":")[2]] += proof["points"]
    return worth
