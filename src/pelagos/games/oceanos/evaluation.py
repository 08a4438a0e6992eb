"""How good an action looks in Oceanos: new species, the reef that is growing, treasure that a diver
may reach, crystals on their way to a base, eyes that draw the Kraken. Numbers are hundredths of a
star.
"""

from __future__ import annotations

from pelagos.engine.bits import count_of
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanos.actions import DONE, FUELS, KEEPS, PASS, UNDERS, UPGRADES
from pelagos.games.oceanos.rules import (
    AQUARIUM_ROOM,
    PROPELLER_STARS,
    least_upgraded,
    species_of,
    upgrade_limit,
)
from pelagos.games.oceanos.scoring import beside, coral_cells, coral_of, reef_of
from pelagos.games.oceanos.state import (
    AID,
    AIRLOCK,
    AQUARIUM,
    COCKPIT,
    COLUMNS,
    DIVERS,
    FUEL,
    GREEN,
    HAS_BASE,
    HAS_GREEN,
    HAS_YELLOW,
    KRAKENS,
    MOTOR,
    NEW_DIVERS,
    OWES_CARD,
    OWES_DIVE,
    OWES_EXTRA,
    OWES_UPGRADE,
    PROPELLER,
    ROUNDS,
    TURNS,
    YELLOW,
    Pack,
    State,
)

SPREAD = 1000
"""How far apart finished games are: the margin that is as good as won."""

SPECIES_WORTH = 200
CROWDED = 45
"""A species more than the aquarium has room for, if it may still grow."""
CORAL_NEAR = 100
CORAL_FAR = (50, 45, 10)
"""Coral that touches no other, by round."""
CHEST = 300
"""A treasure token."""
CHEST_HOPE = (30, 40, 85)
"""How likely a treasure is worth a diver, by round, in hundredths."""
CHEST_LEFT = (25, 25, 0)
"""The same for a treasure left to divers of later rounds, or to divers yet to come."""
DIVER_WAITS = (700, 500, 260)
"""What the last diver may be worth later in the game, by round."""
FIRST_CRYSTAL = 85
SECOND_COLOUR = 25
SAME_COLOUR = 3
BASE = 65
"""Of an upgrade's worth, in hundredths: a crystal that will bring it, the other colour, one more
of the same colour, a base that brings it now."""
EYE = 55
"""Of the Kraken's token, what an eye costs whoever has the most, in hundredths; for the others
the half of it."""
FUEL_WAITS = 330
"""What a card must bring at the first turn to be worth the fuel."""
UNDER_PAR = 220
"""What a usual card brings."""

COCKPIT_TURN = 50
MOTOR_ROUND = 260
AQUARIUM_ROUND = (0, 320, 110)
AIRLOCK_WORTH = (560, 470, 230)
"""What a better part brings: for each turn, round, round by level, or by round."""


@rule
def part_worth(game: State, seat: int, part: int) -> int:
    """What one level more of a part brings until the end."""
    depth = int(game.depth)
    level = int(game.boat[seat, part])
    rounds = ROUNDS - depth
    aid = int(game.phase) == AID
    later = rounds - 1 if aid else rounds
    if part == PROPELLER:
        return 100 * rounds * (PROPELLER_STARS[level + 1] - PROPELLER_STARS[level])
    if part == AQUARIUM:
        return AQUARIUM_ROUND[level] * rounds
    if part == MOTOR:
        return MOTOR_ROUND * later
    if part == COCKPIT:
        turns = TURNS * rounds - (TURNS if aid else int(game.turn) + 1)
        return COCKPIT_TURN * turns
    if aid:
        return AIRLOCK_WORTH[depth + 1] if depth + 1 < ROUNDS else 0
    return AIRLOCK_WORTH[depth]


@rule
def best_part(game: State, seat: int, limit: int) -> int:
    """What the best upgrade up to this level brings."""
    best = 0
    least = least_upgraded(game, seat, limit)
    for part in range(PROPELLER, AIRLOCK + 1):
        if least <= int(game.boat[seat, part]) < limit:
            best = max(best, part_worth(game, seat, part))
    return best


@rule
def species_gain(game: State, pack: Pack, seat: int, card: int) -> int:
    """New species, as far as the aquarium has room; where all rows score, for later rounds too."""
    depth = int(game.depth)
    species = species_of(game, pack, seat, depth)
    before = count_of(species)
    after = count_of(species | int(pack.animals[depth, card]))
    room = AQUARIUM_ROOM[int(game.boat[seat, AQUARIUM])]
    counted = min(after, room) - min(before, room)
    rounds = ROUNDS - depth if int(game.all_dives) else 1
    return rounds * (SPECIES_WORTH * counted + CROWDED * (after - before - counted))


@rule
def coral_gain(game: State, pack: Pack, seat: int, card: int, column: int) -> int:
    """Coral that the reef reaches, and coral that may be reached later."""
    depth = int(game.depth)
    coral = int(pack.coral[depth, card])
    if coral == 0:
        return 0
    cells = coral_cells(game, pack, seat)
    here = 1 << (depth * COLUMNS + column)
    group = here
    before = 0
    while group != before:
        before = group
        group |= beside(group) & cells
    reef = coral_of(game, pack, seat, reef_of(game, pack, seat))
    joined = coral_of(game, pack, seat, group & ~here) + coral
    if joined > reef:
        return CORAL_NEAR * (joined - reef) + CORAL_FAR[depth] * min(coral, joined - coral)
    if group != here:
        return (CORAL_NEAR + CORAL_FAR[depth]) * coral // 2
    return CORAL_FAR[depth] * coral


@rule
def chests_above(game: State, pack: Pack, seat: int, column: int) -> int:
    """Treasures in the column, in the rows above this round's, that no diver has yet."""
    count = 0
    for depth in range(int(game.depth)):
        count += int(pack.treasure[depth, int(game.rows[seat, depth, column])])
        if (int(game.dived[seat]) >> (depth * COLUMNS + column)) & 1:
            count = 0
    return count


@rule
def treasure_gain(game: State, pack: Pack, seat: int, card: int, column: int) -> int:
    """Treasure that a diver may reach from this card, now or in a later round."""
    depth = int(game.depth)
    treasure = int(pack.treasure[depth, card])
    if treasure == 0:
        return 0
    left = CHEST * treasure * CHEST_LEFT[depth] // 100
    if int(game.boat[seat, DIVERS]) > int(game.boat[seat, NEW_DIVERS]):
        chests = treasure + chests_above(game, pack, seat, column)
        return max(left, CHEST * chests * CHEST_HOPE[depth] // 100)
    return left


@rule
def crystal_gain(game: State, pack: Pack, seat: int, card: int) -> int:
    """A base for the crystals that are pending, then crystals for the next base or the aid."""
    depth = int(game.depth)
    stops = int(pack.stops[depth, card])
    green = int(game.boat[seat, GREEN]) > 0
    yellow = int(game.boat[seat, YELLOW]) > 0
    size = int(game.row_size[seat, depth])
    for place in range(size, size + int(game.kept[seat])):
        kept = int(pack.stops[depth, int(game.rows[seat, depth, place])])
        green = green or (kept & HAS_GREEN) != 0
        yellow = yellow or (kept & HAS_YELLOW) != 0
    gain = 0
    limit = 1 + int(green) + int(yellow)
    if stops & HAS_BASE and limit > 1:
        gain += BASE * best_part(game, seat, limit) // 100
        green, yellow = False, False
    if depth == ROUNDS - 1 and int(game.turn) >= TURNS - 1:
        following = max(last_worth(game, seat, PROPELLER), last_worth(game, seat, AQUARIUM))
    else:
        following = best_part(game, seat, 2)
    for colour in (HAS_GREEN, HAS_YELLOW):
        if stops & colour:
            has_it = green if colour == HAS_GREEN else yellow
            if has_it:
                gain += SAME_COLOUR * following // 100
            elif green or yellow:
                gain += SECOND_COLOUR * max(best_part(game, seat, 3), following) // 100
            else:
                gain += FIRST_CRYSTAL * following // 100
            if colour == HAS_GREEN:
                green = True
            else:
                yellow = True
    return gain


@rule
def last_worth(game: State, seat: int, part: int) -> int:
    """What a part brings that is improved at the very end."""
    return part_worth(game, seat, part) if int(game.boat[seat, part]) < 2 else 0


@rule
def eye_cost(game: State, pack: Pack, seat: int, card: int) -> int:
    """What the card's eyes cost, by what the others show."""
    depth = int(game.depth)
    eyes = int(pack.eyes[depth, card])
    if eyes == 0:
        return 0
    own, most = 0, 0
    for other in range(int(game.players)):
        count = 0
        for column in range(int(game.row_size[other, depth])):
            count += int(pack.eyes[depth, int(game.rows[other, depth, column])])
        if other == seat:
            own = count
        else:
            most = max(most, count)
    token = 0
    for place in range(KRAKENS):
        token -= int(pack.kraken[depth, place])
    token = 100 * token // KRAKENS
    share = EYE if own + eyes >= most else EYE // 2
    return eyes * token * share // 100


@rule
def card_gain(game: State, pack: Pack, seat: int, card: int) -> int:
    """What a card brings as the next of the row."""
    depth = int(game.depth)
    column = int(game.row_size[seat, depth]) + int(game.kept[seat])
    if column >= COLUMNS:
        return 0
    gain = species_gain(game, pack, seat, card)
    gain += coral_gain(game, pack, seat, card, column)
    gain += treasure_gain(game, pack, seat, card, column)
    gain += crystal_gain(game, pack, seat, card)
    return gain - eye_cost(game, pack, seat, card)


@rule
def fuel_cost(game: State, seat: int) -> int:
    """What a fuel token may bring in the turns that are left of the round."""
    left = TURNS - 1 - int(game.turn)
    if left == 0:
        return 0
    spare = int(game.boat[seat, FUEL]) - 1
    return max(60, FUEL_WAITS - 25 * (TURNS - 1 - left) - 50 * spare)


@rule
def dive_gain(game: State, pack: Pack, seat: int) -> int:
    """The treasure of the card that is being laid and above it, less what the diver may find
    later.
    """
    depth = int(game.depth)
    column = int(game.row_size[seat, depth]) - int(game.laying[seat])
    chests = int(pack.treasure[depth, int(game.rows[seat, depth, column])])
    chests += chests_above(game, pack, seat, column)
    divers = int(game.boat[seat, DIVERS])
    left = TURNS * (ROUNDS - depth) - int(game.turn) - 1
    if left == 0:
        return CHEST * chests
    waits = DIVER_WAITS[depth]
    if depth == ROUNDS - 1:
        waits = waits * min(left, 4) // 4
    return CHEST * chests - waits // (divers * divers)


@rule
def upgrade_gain(game: State, seat: int, part: int) -> int:
    """What the part brings, against saving the crystals for more."""
    worth = part_worth(game, seat, part)
    return worth + 1 if upgrade_limit(game, seat) > 2 else worth - 1


@rule
def rate(game: State, pack: Pack, seat: int, action: int) -> int:
    """How good a legal action looks to the seat; passing and being done are 0."""
    if action == PASS or action == DONE:
        return 0
    stage = int(game.stage[seat])
    if stage == OWES_CARD:
        return card_gain(game, pack, seat, action - KEEPS)
    if stage == OWES_EXTRA:
        return card_gain(game, pack, seat, action - FUELS) - fuel_cost(game, seat)
    if stage == OWES_DIVE:
        return dive_gain(game, pack, seat)
    if stage == OWES_UPGRADE:
        return upgrade_gain(game, seat, action - UPGRADES)
    return card_gain(game, pack, 1 - seat, action - UNDERS) - UNDER_PAR


@rule
def standing(game: State, pack: Pack, seat: int, totals: Array) -> int:
    """How far ahead of the best other the seat is."""
    best = -1_000_000
    for other in range(int(game.players)):
        if other != seat:
            best = max(best, int(totals[other]))
    return 100 * (int(totals[seat]) - best)
