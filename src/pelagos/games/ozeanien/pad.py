"""The score pad's page: the chart cell by cell, of each the tiles that fit, and the explorers."""

from __future__ import annotations

from itertools import product

from pelagos.engine.arrays import record_of
from pelagos.engine.pack import Pack as Box
from pelagos.engine.pad import Board, Counter, Desk, Pad, Spot
from pelagos.engine.view import Text, text
from pelagos.games.ozeanien.notation import cell_name
from pelagos.games.ozeanien.rules import FORMS
from pelagos.games.ozeanien.state import CLASSES, DEGREES, SEATS, TILES, VALUES
from pelagos.games.ozeanien.tableau import COLOURS, OPEN_SEA, UNEXPLORED, Table

PLAYERS = range(1, SEATS + 1)
SIDES = "nesw"
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
"""From a cell to its neighbours, rows from the top."""
ACROSS = dict(zip(SIDES, "swne", strict=True))
STRAITS = ("ns", "ew")
LAND, MAN, CLEAR, ON, DISCARDS = "land.", "man.", "clear", "on", "discards"
LETTERS = "ry"
"""The seats' colours."""


def _faces() -> dict[str, str]:
    """The name of each tile, by its sides with land."""
    faces: dict[str, str] = {}
    for (kind, form), quarters in product(zip(CLASSES, FORMS, strict=True), range(4)):
        sides = {SIDES[(side + quarters) % 4] for side in range(4) if form[side] == "L"}
        land = "".join(side for side in SIDES if side in sides)
        faces.setdefault(land, f"{kind}-{DEGREES[quarters]}")
    return faces


FACES = _faces()


def first_spot(table: Table, seat: int) -> str:
    """The first unexplored cell, from the top left."""
    cells = [
        (row, column)
        for row, line in enumerate(table.rows)
        for column, word in enumerate(line.cells)
        if word == UNEXPLORED
    ]
    return "{},{}".format(*(cells or [(0, 0)])[0])


def press(table: Table, pack: Box, seat: int, at: str, key: str) -> str:
    """Do what a tap asks for; where the next one goes."""
    if key[-1] in "+-":
        player = table.players[int(key[len(DISCARDS) : -1])]
        player.discards = min(max(player.discards + (1 if key[-1] == "+" else -1), 0), TILES)
        return at
    if "," in key:
        return key
    row, column = (int(number) for number in at.split(","))
    cells = table.rows[row].cells
    if key == CLEAR:
        cells[column] = UNEXPLORED
    elif key.startswith(LAND):
        cells[column] = key.removeprefix(LAND) or OPEN_SEA
        return _onward(table, row, column)
    elif key.startswith(MAN):
        cells[column] = _with_man(cells[column], *map(int, key.split(".")[1:]))
    else:
        return _onward(table, row, column)
    return at


def _onward(table: Table, row: int, column: int) -> str:
    """The next cell in the order of reading."""
    columns = len(table.rows[0].cells)
    number = min(row * columns + column + 1, len(table.rows) * columns - 1)
    return "{},{}".format(*divmod(number, columns))


def _with_man(word: str, seat: int, value: int) -> str:
    """An explorer on a cell; on a strait first here, then there; then away again."""
    land, _, man = word.partition("/")
    there = man[:1] in LETTERS and (COLOURS.get(man[:1]), man[1:2]) == (seat, str(value))
    parts = land if land in STRAITS else [""]
    if not there:
        return f"{land}/{LETTERS[seat]}{value}{parts[0]}"
    if man[2:] and man[2:] != parts[-1]:
        return f"{land}/{LETTERS[seat]}{value}{parts[-1]}"
    return land


def _land(word: str) -> str:
    """A cell's sides with land, in their order."""
    sides = word.partition("/")[0].replace("o", "w")
    return "".join(side for side in SIDES if side in sides)


def fitting(table: Table, row: int, column: int) -> list[str]:
    """The tiles whose sides meet land with land and sea with sea, as sides with land."""
    rows, columns = len(table.rows), len(table.rows[0].cells)
    must: dict[str, bool] = {}
    for side, (down, right) in STEPS.items():
        there, beside = row + down, column + right
        if not (0 <= there < rows and 0 <= beside < columns):
            must[side] = False
        elif (word := table.rows[there].cells[beside]) != UNEXPLORED:
            must[side] = ACROSS[side] in _land(word)
    return [
        land for land in FACES if all((side in land) == is_land for side, is_land in must.items())
    ]


def desk(table: Table, pack: Box, seat: int, at: str, counted: Pad) -> Desk:
    """What lies on the page."""
    rows, columns = len(table.rows), len(table.rows[0].cells)
    names = [
        [
            cell_name(record_of(pack.data), (rows - 1 - row) * columns + column)
            for column in range(columns)
        ]
        for row in range(rows)
    ]
    spots = [
        _spot(f"{row},{column}", names[row][column], word)
        for row, line in enumerate(table.rows)
        for column, word in enumerate(line.cells)
    ]
    row, column = (int(number) for number in at.split(","))
    word = table.rows[row].cells[column]
    keys = [
        Spot(f"{LAND}{land}", text("pad.put", tile={"noun": FACES[land]}), [_picture(land)], "tile")
        for land in fitting(table, row, column)
    ]
    if len(table.players) > 1 and _land(word):
        keys += [
            Spot(
                f"{MAN}{owner}.{value}",
                text("pad.man", man={"noun": f"explorer-{owner}-{value}"}),
                [f"explorer-{owner}-{value}"],
                "is-on" if word.partition("/")[2][:2] == f"{LETTERS[owner]}{value}" else "",
                str(value),
            )
            for owner in range(len(table.players))
            for value in range(1, VALUES + 1)
        ]
    keys.append(Spot(CLEAR, text("pad.clear"), kind="clear"))
    keys.append(Spot(ON, text("pad.on"), kind="next"))
    counters = [
        Counter(
            f"{DISCARDS}{number}", text("pad.discards", who=player.name), player.discards, 0, TILES
        )
        for number, player in enumerate(table.players)
        if len(table.players) > 1
    ]
    cell = names[row][column]
    prompt = text("pad.prompt" if word == UNEXPLORED else "pad.prompt_tile", cell=cell)
    return Desk(prompt, [Board(text("pad.chart"), columns, spots, "chart")], keys, counters)


def _picture(land: str) -> str:
    return f"coast-{land or 'sea'}-1"


def _spot(key: str, cell: str, word: str) -> Spot:
    if word == UNEXPLORED:
        return Spot(key, text("pad.unexplored", cell=cell), kind="empty", pieces=cell)
    land, _, man = word.partition("/")
    tile = {"noun": FACES[_land(land)]}
    if not man:
        return Spot(key, _tile(cell, tile), [_picture(_land(land))], "tile", pieces=cell)
    explorer = f"explorer-{COLOURS[man[0]]}-{man[1]}"
    label = text("pad.tile_man", cell=cell, tile=tile, man={"noun": explorer})
    kind = f"tile on-{man[2:].replace('o', 'w')}" if man[2:] else "tile"
    return Spot(key, label, [_picture(_land(land)), explorer], kind, man[1], cell)


def _tile(cell: str, tile: dict[str, str]) -> Text:
    return text("pad.tile", cell=cell, tile=tile)
