"""What a network sees of Ecosystem once a seat has made its move: from what the seat knows alone.

`context` is written once a decision, `changing` for each thing that the seat may do; `act` lets an
action happen alone, before anything hidden is turned.
"""

from __future__ import annotations

from pelagos.engine.layout import Layout, count, flag
from pelagos.engine.rule import constants, rule
from pelagos.engine.types import ENDS, GOES_ON, RESTS, Array
from pelagos.games.ecosystem.actions import DROPS, FLIPS, GIVES, LIFTS, PLACES, TAKES, TIM_FLIPS
from pelagos.games.ecosystem.frame import COLUMNS, DOWN, FIRST_CELL, RIGHT, ROWS
from pelagos.games.ecosystem.knowledge import happen_alone, has_held
from pelagos.games.ecosystem.points import (
    CLOWNFISH_POINTS,
    CORAL_POINTS,
    CRAB_POINTS,
    GROUPER_POINTS,
    KRILL_POINTS,
    MORAY_POINTS,
    OCTOPUS_POINTS,
    PLANKTON_POINTS,
    SHARK_POINTS,
    TURTLE_POINTS,
    WHALE_POINTS,
    count_cells,
    group_of,
    is_prey,
)
from pelagos.games.ecosystem.rules import BOX, hand_of, owes_any_flip, rings
from pelagos.games.ecosystem.scoring import score
from pelagos.games.ecosystem.state import (
    CLOWNFISH,
    CORAL,
    CRAB,
    DONE,
    GIVE,
    GROUPER,
    HAND,
    KINDS,
    KRILL,
    MORAY,
    OCTOPUS,
    OWES,
    OWES_DROP,
    OWES_LIFT,
    PLACE,
    PLANKTON,
    SEATS,
    SHARK,
    SPECIES,
    TAKE,
    TIM,
    TURNS,
    TURTLE,
    WHALE,
    Pack,
    State,
)

CELLS = ROWS * COLUMNS
NAMED_CELLS = tuple(f"{row},{column}" for row in range(ROWS) for column in range(COLUMNS))
NAMED_PAIRS = tuple(
    f"{first}+{second}" for place, first in enumerate(SPECIES) for second in SPECIES[place:]
)
PAIRS = len(NAMED_PAIRS)
PAIR = constants(
    [
        [NAMED_PAIRS.index("+".join(sorted((first, second), key=SPECIES.index)))
         for second in SPECIES]
        for first in SPECIES
    ]
)  # fmt: skip
SUMMED = ("producers", "prey", "predators", "turtles and octopuses")
COMPARED = ("crabs", "sharks", "plankton", "prey")
MOST_POINTS, MOST_TOTAL = 120, 127
"""More than these are told as these."""

LAYOUT = Layout(
    1,
    flag("players", "How many play", players=range(1, SEATS + 1)),
    flag("turned_whales", "Option: do whales act that lie face down?"),
    flag("second_round", "Do hands go to the right?"),
    flag("from_neutral", "With two players: does the neutral seat pass its hand to this one?"),
    flag("revealed", "Is it known what the others took this turn?"),
    count("rivals", "Plankton of each other participant, most first", TURNS, rival=SEATS - 1),
    count("unseen", "Cards that the seat has not seen", 30, species=SPECIES),
    count("taken", "Cards that the others have taken but not laid", SEATS, species=SPECIES),
    flag("known", "Has the seat held the hand that comes to it then, and will it?", ahead=SEATS),
    count("hands", "Its cards", HAND, ahead=range(1, SEATS), species=SPECIES),
    count("best_counts", "The best other's cards", TURNS, species=SPECIES),
    count("best_open", "Open sides of the best other's cards", 48, species=SPECIES),
    count("best_points", "Points of the best other so far", MOST_POINTS, group=SUMMED),
    flag("laid", "How many cards lie in the reef", cards=range(TURNS + 1)),
    flag("octopus", "Does an octopus still act?"),
    flag("gives", "Alone: does Tim still get a card this turn?"),
    flag("given", "Alone: what Tim has just been given", species=SPECIES),
    count("tim", "Alone: Tim's points so far", MOST_TOTAL),
    count("hand", "Cards of the hand that is held, without the one taken", HAND, species=SPECIES),
    flag("cells", "What lies where", cell=NAMED_CELLS, species=SPECIES),
    flag("rows", "How many rows the reef has", rows=range(1, ROWS + 1)),
    flag("columns", "How many columns", columns=range(1, COLUMNS + 1)),
    count("pairs", "Neighbours, by both species", 31, species=NAMED_PAIRS),
    count("open", "Open sides where a card may still come", 48, species=SPECIES),
    count("counts", "Cards in the reef", TURNS, species=SPECIES),
    count("lines", "Points so far", MOST_POINTS, line=(*SPECIES, "bonus")),
    count("groups", "Points of each group so far", MOST_POINTS, group=SUMMED),
    count("room", "Free cells in the lines of each card that is counted there", 80, of=COMPARED),
)
SIZE = LAYOUT.size
CONTEXT = LAYOUT.first("laid")
"""What stands before this place doesn't change with the seat's own action."""
LEVELS = 2
"""So many decisions of the seat follow one another before anything hidden is turned."""

PLAYERS, TURNED_WHALES, SECOND_ROUND, FROM_NEUTRAL, REVEALED = map(
    LAYOUT.first, ("players", "turned_whales", "second_round", "from_neutral", "revealed")
)
RIVALS, UNSEEN, TAKEN, KNOWN, HANDS = map(
    LAYOUT.first, ("rivals", "unseen", "taken", "known", "hands")
)
BEST_COUNTS, BEST_OPEN, BEST_POINTS = map(LAYOUT.first, ("best_counts", "best_open", "best_points"))
LAID, OCTOPUS_ACTS, GIVES_CARD, GIVEN, TIM_POINTS, HELD = map(
    LAYOUT.first, ("laid", "octopus", "gives", "given", "tim", "hand")
)
CELL, ROW, COLUMN = map(LAYOUT.first, ("cells", "rows", "columns"))
PAIRED, OPEN, COUNTS, LINES, GROUPS, ROOM = map(
    LAYOUT.first, ("pairs", "open", "counts", "lines", "groups", "room")
)
BONUS = LINES + KINDS

# --- what an action does --------------------------------------------------------------------------


@rule
def act(game: State, pack: Pack, seat: int, action: int) -> int:
    """Let the action happen, and nothing that follows from it but the seat's own next choice."""
    if action >= FLIPS:
        happen_alone(game, seat, action)
        grid = TIM if action >= TIM_FLIPS else seat
        return ENDS | GOES_ON if owes_any_flip(game, grid) else ENDS
    if action >= LIFTS:
        game.lifted[seat] = BOX[action - LIFTS]
        game.stage[seat] = OWES_DROP
        return GOES_ON
    if action >= GIVES and action < PLACES:
        game.hands[0, action - GIVES] -= 1
        happen_alone(game, seat, action)
        game.phase = TAKE
        return RESTS
    if action >= TAKES and action < GIVES:
        game.hands[hand_of(game, seat), action - TAKES] -= 1
        game.chosen[seat] = action - TAKES + 1
        game.stage[seat] = OWES
        game.phase = PLACE
        return GOES_ON
    acts = action >= PLACES and action < DROPS and int(game.chosen[seat]) == OCTOPUS + 1
    happen_alone(game, seat, action)
    game.stage[seat] = OWES_LIFT if acts and int(game.laid[seat]) > 1 else DONE
    if int(game.players) == 1 and int(game.stage[seat]) == DONE:
        game.phase = GIVE
        return GOES_ON
    return RESTS


# --- a reef ---------------------------------------------------------------------------------------


@rule
def card_of(game: State, grid: int, cell: int, own: bool) -> int:
    """The card on a cell, of others as all see it."""
    return int(game.cells[grid, cell]) if own else int(game.shown[grid, cell])


@rule
def survey(game: State, grid: int, own: bool, out: Array) -> None:
    """Count all that a reef's features need, and its points, into their places."""
    for place in range(CELL, SIZE):
        out[place] = 0
    bottom, right = 0, 0
    for place in range(CELLS):
        if card_of(game, grid, int(BOX[place]), own):
            bottom = place // COLUMNS
            right = max(right, place % COLUMNS)
    if card_of(game, grid, FIRST_CELL, own) == 0 and bottom == 0 and right == 0:
        return
    out[ROW + bottom] = 1
    out[COLUMN + right] = 1
    krill, coral, moray, crab, shark = 0, 0, 0, 0, 0
    turtle_rows, turtle_columns = 0, 0
    filled, sharks, preys = 0, 0, 0
    for row in range(bottom + 1):
        row_filled, row_crabs, row_plankton, row_sharks, row_prey = 0, 0, 0, 0, 0
        for column in range(right + 1):
            cell = FIRST_CELL + row * DOWN + column
            kind = card_of(game, grid, cell, own) - 1
            if kind < 0:
                continue
            place = row * COLUMNS + column
            out[CELL + place * KINDS + kind] = 1
            out[COUNTS + kind] += 1
            row_filled += 1
            filled += 1 << (8 * column)
            if is_prey(kind):
                row_prey += 1
                preys += 1 << (8 * column)
            if kind == CRAB:
                row_crabs += 1
            elif kind == PLANKTON:
                row_plankton += 1
            elif kind == SHARK:
                row_sharks += 1
                sharks += 1 << (8 * column)
            elif kind == KRILL:
                krill |= 1 << cell
            elif kind == TURTLE:
                turtle_rows |= 1 << row
                turtle_columns |= 1 << column
            elif kind == CORAL and row == bottom:
                coral += 1
            up = card_of(game, grid, cell - DOWN, own)
            down = card_of(game, grid, cell + DOWN, own)
            before = card_of(game, grid, cell - RIGHT, own)
            after = card_of(game, grid, cell + RIGHT, own)
            if after:
                out[PAIRED + PAIR[kind, after - 1]] += 1
            elif column < COLUMNS - 1:
                out[OPEN + kind] += 1
            if down:
                out[PAIRED + PAIR[kind, down - 1]] += 1
            elif row < ROWS - 1:
                out[OPEN + kind] += 1
            if up == 0 and (row > 0 or bottom < ROWS - 1):
                out[OPEN + kind] += 1
            if before == 0 and (column > 0 or right < COLUMNS - 1):
                out[OPEN + kind] += 1
            if kind == MORAY and (
                up == CORAL + 1 or down == CORAL + 1 or before == CORAL + 1 or after == CORAL + 1
            ):
                for other in (up, down, before, after):
                    moray += int(is_prey(other - 1))
        crab += row_crabs * row_plankton
        shark += row_sharks * row_prey
        free = COLUMNS - row_filled
        out[ROOM] += row_crabs * free
        out[ROOM + 1] += row_sharks * free
        out[ROOM + 2] += row_plankton * free
        out[ROOM + 3] += row_prey * free
    for column in range(right + 1):
        column_sharks, column_prey = (sharks >> (8 * column)) & 255, (preys >> (8 * column)) & 255
        shark += column_sharks * column_prey
        free = ROWS - ((filled >> (8 * column)) & 255)
        out[ROOM + 1] += column_sharks * free
        out[ROOM + 3] += column_prey * free
    groups = 0
    while krill:
        group = group_of(krill)
        krill &= ~group
        groups += KRILL_POINTS[min(count_cells(group), 3)]
    out[LINES + CORAL] = CORAL_POINTS * coral
    out[LINES + KRILL] = groups
    out[LINES + PLANKTON] = plankton_points(int(out[COUNTS + PLANKTON]), out)
    out[LINES + GROUPER] = GROUPER_POINTS * out[PAIRED + PAIR[KRILL, GROUPER]]
    out[LINES + CLOWNFISH] = CLOWNFISH_POINTS * (
        out[PAIRED + PAIR[PLANKTON, CLOWNFISH]] + out[PAIRED + PAIR[CORAL, CLOWNFISH]]
    )
    out[LINES + CRAB] = CRAB_POINTS * crab
    out[LINES + MORAY] = MORAY_POINTS * moray
    out[LINES + SHARK] = SHARK_POINTS * shark
    whale = WHALE_POINTS * int(out[COUNTS + WHALE]) * int(out[COUNTS + KRILL])
    out[LINES + WHALE] = min(whale, MOST_POINTS)
    out[LINES + TURTLE] = TURTLE_POINTS * (count_cells(turtle_rows) + count_cells(turtle_columns))
    out[LINES + OCTOPUS] = OCTOPUS_POINTS * out[COUNTS + OCTOPUS]
    least = 1_000_000
    for group in range(3):
        points = 0
        for kind in range(3 * group, 3 * group + 3):
            points += int(out[LINES + kind])
        out[GROUPS + group] = min(points, MOST_POINTS)
        least = min(least, points)
    out[BONUS] = min(least, MOST_POINTS)
    out[GROUPS + 3] = out[LINES + TURTLE] + out[LINES + OCTOPUS]


@rule
def plankton_points(own: int, out: Array) -> int:
    """What so much plankton ranks for among the rivals' that are written already."""
    if own == 0:
        return 0
    ahead = 0
    for rival in range(SEATS - 1):
        ahead += int(int(out[RIVALS + rival]) > own)
    return PLANKTON_POINTS[ahead] if ahead < len(PLANKTON_POINTS) else 0


@rule
def points_of(out: Array) -> int:
    """All points of the reef that was surveyed."""
    points = int(out[BONUS])
    for group in range(len(SUMMED)):
        points += int(out[GROUPS + group])
    return points


# --- features -------------------------------------------------------------------------------------


@rule
def context(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action doesn't change. The rest of `out` is scratch."""
    for place in range(CONTEXT):
        out[place] = 0
    players, turn = int(game.players), int(game.turn)
    out[PLAYERS + players - 1] = 1
    out[TURNED_WHALES] = game.turned_whales
    out[SECOND_ROUND] = int(turn >= HAND)
    if players == 2:
        out[FROM_NEUTRAL] = int(seat == (1 if turn >= HAND else 0))
        add_rival(int(game.neutral[PLANKTON]), out)
    for kind in range(KINDS):
        out[UNSEEN + kind] = int(pack.counts[kind]) - int(game.neutral[kind])
    grids = max(players, 2)
    for grid in range(grids):
        plankton = 0
        for place in range(CELLS):
            card = card_of(game, grid, int(BOX[place]), grid == seat)
            if card:
                out[UNSEEN + card - 1] -= 1
                plankton += int(card == PLANKTON + 1)
        if grid != seat:
            add_rival(plankton, out)
    if int(game.phase) == PLACE and players > 1:
        for other in range(players):
            card = int(game.chosen[other])
            if other != seat and card:
                out[REVEALED] = 1
                out[TAKEN + card - 1] += 1
                out[UNSEEN + card - 1] -= 1
        if int(game.laid[seat]) == turn:
            out[UNSEEN + int(game.chosen[seat]) - 1] -= 1
    write_hands(game, seat, out)
    best = -1
    for grid in range(grids):
        if grid != seat:
            survey(game, grid, False, out)
            points = points_of(out)
            if points > best:
                best = points
                for kind in range(KINDS):
                    out[BEST_COUNTS + kind] = out[COUNTS + kind]
                    out[BEST_OPEN + kind] = out[OPEN + kind]
                for group in range(len(SUMMED)):
                    out[BEST_POINTS + group] = out[GROUPS + group]


@rule
def add_rival(plankton: int, out: Array) -> None:
    """Note a rival's plankton, in the order of how much it is."""
    place = SEATS - 2
    while place > 0 and int(out[RIVALS + place - 1]) < plankton:
        out[RIVALS + place] = out[RIVALS + place - 1]
        place -= 1
    out[RIVALS + place] = plankton


@rule
def write_hands(game: State, seat: int, out: Array) -> None:
    """The hands that the seat has held, by how many passes bring them to it, if they still come.
    Its own one is known always, and changes as it takes.
    """
    ring, turn = rings(game), int(game.turn)
    left = HAND - 1 - turn % HAND
    step = 1 if turn >= HAND else ring - 1
    hand = hand_of(game, seat)
    for kind in range(KINDS):
        out[UNSEEN + kind] -= int(game.hands[hand, kind])
    out[KNOWN] = int(left >= ring or int(game.players) == 1)
    for ahead in range(1, ring):
        hand = (hand + step) % ring
        if has_held(game, seat, hand):
            comes = left >= ahead
            out[KNOWN + ahead] = int(comes)
            for kind in range(KINDS):
                cards = int(game.hands[hand, kind])
                out[UNSEEN + kind] -= cards
                if comes:
                    out[HANDS + (ahead - 1) * KINDS + kind] = cards


@rule
def changing(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action changes, below what `context` has written."""
    for place in range(CONTEXT, CELL):
        out[place] = 0
    survey(game, seat, True, out)
    out[LAID + int(game.laid[seat])] = 1
    out[OCTOPUS_ACTS] = int(int(game.stage[seat]) == OWES_LIFT)
    out[GIVES_CARD] = int(int(game.phase) == GIVE)
    hand = hand_of(game, seat)
    for kind in range(KINDS):
        out[HELD + kind] = game.hands[hand, kind]
    if int(game.players) == 1:
        out[TIM_POINTS] = min(score(game, TIM), MOST_TOTAL)
        laid = int(game.laid[TIM])
        if laid > int(game.turn):
            out[GIVEN + int(game.cells[TIM, int(BOX[laid - 1])]) - 1] = 1


@rule
def mirror(row: Array) -> None:
    """The same reef, seen in a mirror: it is worth as much."""
    width = COLUMNS
    for column in range(COLUMNS):
        if row[COLUMN + column]:
            width = column + 1
    for line in range(ROWS):
        for column in range(width // 2):
            here = CELL + (line * COLUMNS + column) * KINDS
            there = CELL + (line * COLUMNS + width - 1 - column) * KINDS
            for kind in range(KINDS):
                row[here + kind], row[there + kind] = row[there + kind], row[here + kind]
