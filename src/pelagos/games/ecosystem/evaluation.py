"""How good an action looks in Ecosystem: what a card scores where it lies, and what it may score
once the cells around it are filled. Numbers are hundredths of a point.

All twenty cells of the grid are filled in the end. So a card beside an empty cell has something to
expect of it, its *hope*, and a card laid there fulfils the hopes around it or buries them.
"""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.ecosystem.actions import DROPS, FLIPS, GIVES, LIFTS, PLACES, TAKES, TIM_FLIPS
from pelagos.games.ecosystem.frame import (
    COLUMNS,
    DOWN,
    FIRST_COLUMN,
    FRAME,
    FRAME_COLUMNS,
    FRAME_ROWS,
    RIGHT,
    ROWS,
    TOP_ROW,
)
from pelagos.games.ecosystem.points import count_cells, group_of, is_prey
from pelagos.games.ecosystem.rules import BOX, NEIGHBOURS, beside, drop_cells, open_cells
from pelagos.games.ecosystem.scoring import score
from pelagos.games.ecosystem.state import (
    CLOWNFISH,
    CORAL,
    CRAB,
    GROUPER,
    KRILL,
    MORAY,
    NORMAL,
    OCTOPUS,
    PLANKTON,
    SHARK,
    TIM,
    TURNS,
    TURTLE,
    WHALE,
    Pack,
    State,
)

SPREAD = 1500
"""How far apart finished games are: the margin that is as good as won."""

NEIGHBOUR_HOPE = (40, 60, 40, 130, 80, 20, 130, 0, 0, 0, 0)
"""What a card of each species expects of an empty cell beside it."""
CRAB_HOPE = 45
SHARK_HOPE = 55
"""What these expect of each empty cell of their lines."""
MORAY_ALONE = 50
"""Of a moray's hope, as long as it has no coral, in hundredths."""
NEW_LINE = 55
"""How likely a cell outside the box comes to be inside, in hundredths."""
KRILL_WORTH = (0, 220, 520, 900)
"""A group of krill, counting that a small one may grow."""
KRILL_TO_COME = 20
"""Krill that a turn still to be played will bring, in hundredths."""
FLIP_COST = 350
"""What the card was worth that a whale turns down."""
PLANKTON_WORTH = (0, 340, 650, 900, 1080, 1180, 1240, 1280)
"""So much plankton, wherever it will rank."""
CARD_WORTH = (250, 260, 250, 550, 450, 450, 650, 650, 800, 0, 0)
"""What a card of each species is likely to end up with, to foresee the smallest group."""
EVEN = 900
"""Groups that are no further apart than this may all be the smallest in the end."""
LATE = 5
"""Turns before the end from which the plankton of all decides."""
OCTOPUS_HELP = 350


@rule
def lowest_row(reef: int) -> int:
    """The frame row of the box's bottom; 0: no card."""
    row = FRAME_ROWS - 2
    while row > 0 and not reef & (TOP_ROW << (row * DOWN)):
        row -= 1
    return row


@rule
def last_column(reef: int) -> int:
    """The frame column of the box's right side; 0: no card."""
    column = FRAME_COLUMNS - 2
    while column > 0 and not reef & (FIRST_COLUMN << column):
        column -= 1
    return column


@rule
def smallest_group(game: State, seat: int) -> tuple[int, int, int]:
    """How likely each group is to be the smallest in the end, in hundredths."""
    producers, prey, predators = 0, 0, 0
    for place in range(ROWS * COLUMNS):
        kind = int(game.cells[seat, int(BOX[place])]) - 1
        if kind >= 0:
            if kind <= PLANKTON:
                producers += CARD_WORTH[kind]
            elif kind <= CRAB:
                prey += CARD_WORTH[kind]
            elif kind <= WHALE:
                predators += CARD_WORTH[kind]
    least = min(producers, prey, predators)
    first = closeness(producers - least)
    second = closeness(prey - least)
    third = closeness(predators - least)
    total = first + second + third
    return 100 * first // total, 100 * second // total, 100 * third // total


@rule
def closeness(distance: int) -> int:
    """A weight that falls with the distance from the smallest group."""
    steps = 10 * distance // EVEN
    return 1000 // (10 + steps * steps // 10)


@rule
def likelihood(cell: int, low: int, right: int) -> int:
    """How likely a cell will hold a card, in hundredths, in a box with these last lines."""
    row, column = cell // FRAME_COLUMNS, cell % FRAME_COLUMNS
    if row < 1 or row > low:
        return NEW_LINE if low < ROWS else 0
    if column < 1 or column > right:
        return NEW_LINE if right < COLUMNS else 0
    return 100


@rule
def krill_group(game: State, seat: int, cell: int) -> int:
    """What krill laid on the cell adds to the groups of krill that it joins."""
    krill = 0
    for place in range(ROWS * COLUMNS):
        other = int(BOX[place])
        if int(game.cells[seat, other]) == KRILL + 1:
            krill |= 1 << other
    group = 1 << cell
    before = 0
    while group != before:
        before = group
        group |= beside(group) & krill
    added = KRILL_WORTH[min(count_cells(group), 3)]
    old = group & ~(1 << cell)
    while old:
        part = group_of(old)
        old &= ~part
        added -= KRILL_WORTH[min(count_cells(part), 3)]
    return added


@rule
def plankton_seen(game: State, grid: int) -> int:
    """How much plankton lies in a grid, as all see it."""
    count = 0
    for cell in range(DOWN, FRAME - DOWN):
        if int(game.shown[grid, cell]) == PLANKTON + 1:
            count += 1
    return count


@rule
def plankton_rank(game: State, seat: int, own: int) -> int:
    """The points that so much plankton ranks for, as the others stand."""
    if own == 0:
        return 0
    players = int(game.players)
    ahead = 0
    for other in range(max(players, 2)):
        if other != seat and plankton_seen(game, other) > own:
            ahead += 1
    if players == 2 and int(game.neutral[PLANKTON]) > own:
        ahead += 1
    return max(0, 1200 - 400 * ahead)


@rule
def plankton_gain(game: State, seat: int) -> int:
    """What one more plankton brings in the comparison."""
    own = 0
    for place in range(ROWS * COLUMNS):
        if int(game.cells[seat, int(BOX[place])]) == PLANKTON + 1:
            own += 1
    own = min(own, 6)
    habit = PLANKTON_WORTH[own + 1] - PLANKTON_WORTH[own]
    left = TURNS - int(game.turn)
    if left > LATE:
        return habit
    now = plankton_rank(game, seat, own + 1) - plankton_rank(game, seat, own)
    return (left * habit + (LATE - left) * now) // LATE


@rule
def moray_has_coral(game: State, seat: int, cell: int) -> bool:
    """Is a coral beside the cell?"""
    for step in (-DOWN, -RIGHT, RIGHT, DOWN):
        if int(game.cells[seat, cell + step]) == CORAL + 1:
            return True
    return False


@rule
def prey_beside(game: State, seat: int, cell: int) -> int:
    """How many neighbours are prey."""
    count = 0
    for step in (-DOWN, -RIGHT, RIGHT, DOWN):
        if is_prey(int(game.cells[seat, cell + step]) - 1):
            count += 1
    return count


@rule
def gain(
    game: State, seat: int, kind: int, cell: int, low: int, right: int, left: int, groups: int
) -> int:
    """What a card on an empty cell brings, now and in time. `groups` packs how likely producers,
    prey and predators are the smallest group; `left` turns follow this one.
    """
    row, column = cell // FRAME_COLUMNS, cell % FRAME_COLUMNS
    producers, prey, predators, others = 0, 0, 0, 0
    coral_near = False
    prey_near = 0
    inner_low, inner_right = low, right
    if row < 1 or row > low:
        inner_low += 1
    if column < 1 or column > right:
        inner_right += 1
    hope = 0
    for step in (-DOWN, -RIGHT, RIGHT, DOWN):
        there = cell + step
        other = int(game.cells[seat, there]) - 1
        if other < 0:
            shifted = there
            if row < 1:
                shifted += DOWN
            if column < 1:
                shifted += RIGHT
            if 0 <= there < FRAME:
                hope += likelihood(shifted, inner_low, inner_right)
            continue
        others -= NEIGHBOUR_HOPE[other]
        if other == CORAL:
            coral_near = True
            if kind == CLOWNFISH:
                prey += 200
        elif other == KRILL:
            if kind == GROUPER:
                prey += 300
        elif other == PLANKTON:
            if kind == CLOWNFISH:
                prey += 200
        elif other == GROUPER:
            if kind == KRILL:
                prey += 300
        elif other == CLOWNFISH:
            if kind == PLANKTON or kind == CORAL:
                prey += 200
        elif other == MORAY:
            covered = moray_has_coral(game, seat, there)
            if is_prey(kind):
                predators += 400 if covered else 4 * MORAY_ALONE
            elif kind == CORAL and not covered:
                predators += 4 * (100 - MORAY_ALONE) * prey_beside(game, seat, there)
        if is_prey(other):
            prey_near += 1
    others += NEIGHBOUR_HOPE[kind] * hope // 100
    lines = kind == SHARK or kind == TURTLE
    new_row, new_column = True, True
    for line in range(1, FRAME_COLUMNS - 1):
        there = row * FRAME_COLUMNS + line
        if there == cell:
            continue
        other = int(game.cells[seat, there]) - 1
        if other < 0:
            if kind == CRAB and line <= max(inner_right, 3):
                prey += CRAB_HOPE
            elif kind == SHARK:
                predators += SHARK_HOPE
        elif other == CRAB:
            prey += 200 - CRAB_HOPE if kind == PLANKTON else -CRAB_HOPE
        elif other == SHARK:
            predators += 200 - SHARK_HOPE if is_prey(kind) else -SHARK_HOPE
        elif other == PLANKTON:
            if kind == CRAB:
                prey += 200
        elif other == TURTLE:
            new_row = False
        if lines and kind == SHARK and is_prey(other):
            predators += 200
    for line in range(1, FRAME_ROWS - 1):
        there = line * FRAME_COLUMNS + column
        if there == cell:
            continue
        other = int(game.cells[seat, there]) - 1
        if other < 0:
            if kind == SHARK:
                predators += SHARK_HOPE
        elif other == SHARK:
            predators += 200 - SHARK_HOPE if is_prey(kind) else -SHARK_HOPE
        elif other == TURTLE:
            new_column = False
        if kind == SHARK and is_prey(other):
            predators += 200
    if kind == CORAL:
        if row >= low:
            producers += 300 if inner_low == ROWS else 200
    elif kind == KRILL:
        producers += krill_group(game, seat, cell)
        predators += 200 * whales(game, seat)
    elif kind == PLANKTON:
        producers += plankton_gain(game, seat)
    elif kind == MORAY:
        predators += 400 * prey_near if coral_near else 4 * MORAY_ALONE * prey_near
        if coral_near:
            others += NEIGHBOUR_HOPE[MORAY] * hope // 100
    elif kind == WHALE:
        krill = 0
        for place in range(ROWS * COLUMNS):
            if int(game.cells[seat, int(BOX[place])]) == KRILL + 1:
                krill += 1
        predators += 200 * krill + 2 * KRILL_TO_COME * left
        others -= FLIP_COST
    elif kind == TURTLE:
        others += 200 * int(new_row) + 200 * int(new_column)
    elif kind == OCTOPUS:
        others += 300 + OCTOPUS_HELP
    if row > low and low > 0:
        others -= 300 * corals_in(game, seat, low)
    producers += producers * (groups & 127) // 100
    prey += prey * ((groups >> 7) & 127) // 100
    predators += predators * (groups >> 14) // 100
    return producers + prey + predators + others


@rule
def whales(game: State, seat: int) -> int:
    """How many whales lie in the grid."""
    count = 0
    for place in range(ROWS * COLUMNS):
        if int(game.cells[seat, int(BOX[place])]) == WHALE + 1:
            count += 1
    return count


@rule
def corals_in(game: State, seat: int, row: int) -> int:
    """How many corals lie in a row."""
    count = 0
    for column in range(1, FRAME_COLUMNS - 1):
        if int(game.cells[seat, row * FRAME_COLUMNS + column]) == CORAL + 1:
            count += 1
    return count


@rule
def pack_groups(game: State, seat: int) -> int:
    """How likely each group is to be the smallest, in one number."""
    producers, prey, predators = smallest_group(game, seat)
    return producers | (prey << 7) | (predators << 14)


@rule
def best_gain(game: State, seat: int, kind: int) -> int:
    """What a card brings on its best cell."""
    reef = int(game.reef[seat])
    cells = open_cells(reef)
    if cells == 0:
        return 0
    low, right = lowest_row(reef), last_column(reef)
    left = TURNS - 1 - int(game.turn)
    groups = pack_groups(game, seat)
    best = -1_000_000
    for cell in range(FRAME):
        if (cells >> cell) & 1:
            best = max(best, gain(game, seat, kind, cell, low, right, left, groups))
    return best


@rule
def place_gain(game: State, seat: int, kind: int, cell: int) -> int:
    """What a card brings on this cell."""
    reef = int(game.reef[seat])
    left = TURNS - 1 - int(game.turn)
    groups = pack_groups(game, seat)
    return gain(game, seat, kind, cell, lowest_row(reef), last_column(reef), left, groups)


@rule
def drop_gain(game: State, seat: int, lifted: int, cell: int) -> int:
    """What the grid scores more once the lifted card is dropped there."""
    before = score(game, seat)
    exchange(game, seat, lifted, cell)
    after = score(game, seat)
    exchange(game, seat, cell, lifted)
    return 100 * (after - before)


@rule
def exchange(game: State, seat: int, cell: int, other: int) -> None:
    """Let the contents of two cells change places, where the box lies."""
    card = game.cells[seat, cell]
    game.cells[seat, cell] = game.cells[seat, other]
    game.cells[seat, other] = card
    reef = int(game.reef[seat]) & ~(1 << cell) & ~(1 << other)
    if game.cells[seat, cell]:
        reef |= 1 << cell
    if game.cells[seat, other]:
        reef |= 1 << other
    game.reef[seat] = reef


@rule
def lift_gain(game: State, seat: int, lifted: int) -> int:
    """What the best drop of this card brings."""
    cells = drop_cells(int(game.reef[seat]), lifted)
    best = -1_000_000
    for cell in range(FRAME):
        if (cells >> cell) & 1:
            best = max(best, drop_gain(game, seat, lifted, cell))
    return best


@rule
def flip_gain(game: State, grid: int, pair: int) -> int:
    """What the grid scores more once this card is turned down."""
    before = score(game, grid)
    down = int(game.down[grid])
    game.down[grid] = down | (1 << int(NEIGHBOURS[pair, 1]))
    after = score(game, grid)
    game.down[grid] = down
    return 100 * (after - before)


@rule
def give_gain(game: State, kind: int) -> int:
    """What it brings to leave this card to Tim: as little as possible for him, and for oneself."""
    cell = int(BOX[int(game.laid[TIM])])
    before = score(game, TIM)
    game.cells[TIM, cell] = kind + 1
    reef = int(game.reef[TIM])
    game.reef[TIM] = reef | (1 << cell)
    after = score(game, TIM)
    game.cells[TIM, cell] = 0
    game.reef[TIM] = reef
    spare = int(game.hands[0, kind]) > 2
    return 100 * (before - after) - (0 if spare else best_gain(game, 0, kind) // 2)


@rule
def rate(game: State, pack: Pack, seat: int, action: int) -> int:
    """How good a legal action looks to the seat."""
    if action >= TIM_FLIPS:
        return -flip_gain(game, TIM, action - TIM_FLIPS)
    if action >= FLIPS:
        return flip_gain(game, seat, action - FLIPS)
    if action >= LIFTS:
        return lift_gain(game, seat, int(BOX[action - LIFTS]))
    if action >= DROPS:
        return drop_gain(game, seat, int(game.lifted[seat]), action - DROPS)
    if action >= PLACES:
        return place_gain(game, seat, int(game.chosen[seat]) - 1, action - PLACES)
    if action >= GIVES:
        return give_gain(game, action - GIVES)
    if action >= TAKES:
        return best_gain(game, seat, action - TAKES)
    return 0


@rule
def lean(game: State, pack: Pack, seat: int, action: int) -> int:
    """The same for play-outs, where an octopus may rest: weighing its moves takes too long."""
    if LIFTS <= action < FLIPS:
        return -1
    return rate(game, pack, seat, action)


@rule
def standing(game: State, pack: Pack, seat: int, totals: Array) -> int:
    """How far ahead the seat is: of the best other, and alone of Tim by the margin that counts."""
    if int(game.players) == 1:
        return 100 * (int(totals[0]) - score(game, TIM) - NORMAL)
    best = -1_000_000
    for other in range(int(game.players)):
        if other != seat:
            best = max(best, int(totals[other]))
    return 100 * (int(totals[seat]) - best)
