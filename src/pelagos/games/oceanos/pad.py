"""The score pad's page: three rows of cards told by what they show, and the submarine's levels."""

from __future__ import annotations

from functools import reduce

from pelagos.engine.arrays import record_of
from pelagos.engine.pack import Pack
from pelagos.engine.pad import Board, Counter, Desk, Pad, Spot
from pelagos.engine.view import Text, text
from pelagos.games.oceanos.state import COLUMNS, LEVELS, PARTS, ROUNDS, SEATS, TURNS
from pelagos.games.oceanos.tableau import (
    SEVERAL,
    SYMBOLS,
    UNKNOWN,
    Card,
    Expedition,
    Table,
    chests_due,
)

PLAYERS = range(1, SEATS + 1)
ON, CLEAR, DIVER, TOKEN = "on", "clear", "diver", "token"
SHOWN = TURNS + 1
"""Columns that are always there."""
MOST_OF_ONE = 3
"""How often a symbol is counted up before a tap takes it off."""


def first_spot(table: Table, seat: int) -> str:
    """Where the next card belongs: the first row that isn't complete."""
    rows = table.players[seat].rows
    depth = next((depth for depth, row in enumerate(rows) if len(row) < TURNS), ROUNDS - 1)
    return f"{depth},{min(len(rows[depth]), COLUMNS - 1)}"


def press(table: Table, pack: Pack, seat: int, at: str, key: str) -> str:
    """Do what a tap asks for; where the next one goes."""
    expedition = table.players[seat]
    place, comma, column_told = key.partition(",")
    if comma:
        row = expedition.rows[int(place)]
        return f"{place},{min(int(column_told), len(row), COLUMNS - 1)}"
    if key.startswith(TOKEN):
        return key
    if at.startswith(TOKEN):
        tokens = expedition.numbers["tokens"]
        tokens[int(at.removeprefix(TOKEN))] = int(key.removeprefix("value"))
        return f"{TOKEN}{tokens.index(UNKNOWN)}" if UNKNOWN in tokens else at
    if key[-1] in "+-":
        _count(table, expedition, key[:-1], 1 if key.endswith("+") else -1)
        return at
    depth, column = (int(number) for number in at.split(","))
    row = expedition.rows[depth]
    if key == ON:
        if len(row) == column:
            row.append(Card())
        at = _onward(expedition, depth, column)
    elif key == CLEAR:
        del row[column : column + 1]
    else:
        if len(row) == column:
            row.append(Card())
        _mark(row[column], key)
    _fit_tokens(expedition)
    return at


def _onward(expedition: Expedition, depth: int, column: int) -> str:
    """The next card of the row; after the fifth, the first that the next round lacks."""
    row = expedition.rows[depth]
    if column + 1 < TURNS or column + 1 < len(row) or depth == ROUNDS - 1:
        return f"{depth},{min(column + 1, COLUMNS - 1)}"
    return f"{depth + 1},{min(len(expedition.rows[depth + 1]), COLUMNS - 1)}"


def _mark(card: Card, key: str) -> None:
    """Put a symbol or a diver onto a card, or take it off."""
    card.id = ""
    if key == DIVER:
        card.diver = not card.diver
        return
    most = MOST_OF_ONE if key in SEVERAL else 1
    shown = (card.symbols.get(SYMBOLS[SYMBOLS.index(key)], 0) + 1) % (most + 1)
    card.symbols[key] = shown
    if key == "treasure" and not shown:
        card.diver = False


def _fit_tokens(expedition: Expedition) -> None:
    """As many tokens as the divers bring up; those told first stay."""
    due = chests_due(expedition)
    tokens = expedition.numbers.pop("tokens", [])
    if due:
        expedition.numbers["tokens"] = (tokens + [UNKNOWN] * due)[:due]


def _count(table: Table, expedition: Expedition, key: str, change: int) -> None:
    """Raise or lower a level, a Kraken token or the sum of parts."""
    name, depth = key.rstrip("0123456789"), int(key[-1]) if key[-1].isdigit() else 0
    if name == "kraken":
        table.krakens[depth] = min(0, table.krakens[depth] + change)
        return
    if name == "parts":
        least, most = _parts(expedition)
        parts = expedition.numbers.get("parts", [least])[0]
        expedition.numbers["parts"] = [min(max(parts + change, least), most)]
        return
    levels = expedition.numbers.setdefault(name, [1] * ROUNDS)
    level = min(max(levels[depth] + change, 1), LEVELS)
    levels[:] = [
        min(before, level) if place < depth else max(before, level) if place > depth else level
        for place, before in enumerate(levels)
    ]
    if "parts" in expedition.numbers:
        least, most = _parts(expedition)
        expedition.numbers["parts"] = [min(max(expedition.numbers["parts"][0], least), most)]


def _parts(expedition: Expedition) -> tuple[int, int]:
    """The least and the most that all parts' levels can come to with those that are told."""
    levels = [expedition.numbers.get(part, [1] * ROUNDS)[-1] for part in ("aquarium", "propeller")]
    rest = len(PARTS) - len(levels)
    return sum(levels) + rest, sum(levels) + rest * LEVELS


def desk(table: Table, pack: Pack, seat: int, at: str, counted: Pad) -> Desk:
    """What lies on the page for one player."""
    expedition = table.players[seat]
    boards = [_row(expedition, depth) for depth in range(ROUNDS)]
    tokens = expedition.numbers.get("tokens", [])
    if tokens:
        spots = [_token(place, value) for place, value in enumerate(tokens)]
        boards.append(Board(text("pad.tokens"), 8, spots, "tokens", headed=True))
    if at.startswith(TOKEN):
        values = sorted({int(value) for value in record_of(pack.data).bag})
        keys = [
            Spot(f"value{value}", text("pad.value", value=value), badge=str(value))
            for value in values
        ]
        return Desk(text("pad.prompt_token"), boards, keys, _counters(table, expedition, 2))
    depth, column = (int(number) for number in at.split(","))
    row = expedition.rows[depth]
    card = row[column] if column < len(row) else Card()
    prompt = text("pad.prompt", round=depth + 1, place=column + 1)
    return Desk(prompt, boards, _keys(card), _counters(table, expedition, depth))


def _row(expedition: Expedition, depth: int) -> Board:
    row = expedition.rows[depth]
    longest = max(len(cards) for cards in expedition.rows)
    columns = min(max(SHOWN, longest + 1), COLUMNS)
    spots = []
    for column in range(columns):
        key, piece = f"{depth},{column}", f"{depth + 1}.{column + 1}"
        if column < len(row):
            label = _describe(row[column], depth, column)
            spots.append(
                Spot(key, label, _faces(row[column]), "card", pieces=row[column].id or piece)
            )
        else:
            kind = "empty" if column == len(row) else "empty later"
            spots.append(Spot(key, text("pad.next", round=depth + 1), kind=kind, pieces=piece))
    return Board(text("pad.row", round=depth + 1), columns, spots, f"row depth-{depth}")


def _faces(card: Card) -> list[str]:
    symbols = [symbol for symbol in SYMBOLS for _ in range(card.symbols.get(symbol, 0))]
    return symbols + ["diver"] * card.diver


def _describe(card: Card, depth: int, column: int) -> Text:
    names: list[Text] = [text(f"mark.{face}") for face in _faces(card)] or [text("pad.blank")]
    listed = reduce(lambda first, rest: text("pad.and", first=first, rest=rest), names)
    return text("pad.card", round=depth + 1, place=column + 1, symbols=listed)


def _token(place: int, value: int) -> Spot:
    if value == UNKNOWN:
        label = text("pad.token_open", place=place + 1)
        return Spot(f"{TOKEN}{place}", label, ["treasure"], "empty")
    label = text("pad.token", place=place + 1, value=value)
    return Spot(f"{TOKEN}{place}", label, ["treasure"], badge=str(value))


def _keys(card: Card) -> list[Spot]:
    keys = []
    for symbol in SYMBOLS:
        count = card.symbols.get(symbol, 0)
        kind = "is-on" if count else ""
        badge = str(count) if count > 1 else ""
        keys.append(Spot(symbol, text(f"mark.{symbol}"), [symbol], kind, badge))
    if card.symbols.get("treasure"):
        kind = "is-on" if card.diver else ""
        keys.append(Spot(DIVER, text("pad.diver"), ["diver"], kind))
    keys.append(Spot(CLEAR, text("pad.clear"), kind="clear"))
    keys.append(Spot(ON, text("pad.on"), kind="next"))
    return keys


def _counters(table: Table, expedition: Expedition, depth: int) -> list[Counter]:
    numbers, params = expedition.numbers, {"round": depth + 1}
    least, most = _parts(expedition)
    ones = [1] * ROUNDS
    aquarium, propeller = (numbers.get(part, ones)[depth] for part in ("aquarium", "propeller"))
    level = text("pad.aquarium", **params)
    parts = numbers.get("parts", [least])[0]
    return [
        Counter(f"aquarium{depth}", level, aquarium, 1, LEVELS, "clownfish"),
        Counter(
            f"propeller{depth}",
            text("pad.propeller_level", **params),
            propeller,
            1,
            LEVELS,
            "propeller",
        ),
        Counter(
            f"kraken{depth}",
            text("pad.kraken_token", **params),
            table.krakens[depth],
            -9,
            0,
            "kraken",
        ),
        Counter("parts", text("pad.parts"), parts, least, most, "fuel"),
    ]
