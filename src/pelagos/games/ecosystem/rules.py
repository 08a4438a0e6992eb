"""Ecosystem's rules, in the rulebook's order: deal, take, place, octopus, whales; two; solo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pelagos.engine.errors import BadOption, text
from pelagos.engine.rule import constants, rule
from pelagos.engine.stream import below
from pelagos.engine.stream import shuffle as shuffle_cards
from pelagos.engine.types import CHANCE, HIDDEN, SHOWN, TURNED, Array
from pelagos.games.ecosystem.actions import (
    DROPS,
    FLIPS,
    GIVES,
    LIFTS,
    PASS,
    PLACES,
    TAKES,
    TIM_FLIPS,
)
from pelagos.games.ecosystem.frame import (
    BOTTOM_ROW,
    COLUMNS,
    DOWN,
    FIRST_CELL,
    FIRST_COLUMN,
    FRAME,
    FRAME_COLUMNS,
    FRAME_ROWS,
    INNER_COLUMNS,
    INNER_ROWS,
    LAST_COLUMN,
    NEIGHBOUR_PAIRS,
    REEF_CELLS,
    RIGHT,
    ROWS,
    TOP_ROW,
    WHOLE_FRAME,
)
from pelagos.games.ecosystem.state import (
    DONE,
    EASY,
    FLIP,
    FLIP_TIM,
    GIVE,
    HAND,
    KINDS,
    NEUTRAL,
    NEUTRAL_SEAT,
    OCTOPUS,
    OVER,
    OWES,
    OWES_DROP,
    OWES_LIFT,
    PLACE,
    TAKE,
    TIM,
    TURNS,
    WHALE,
    Pack,
    State,
)

BOX = constants(REEF_CELLS)
"""The frame cells of the full grid, row by row."""
NEIGHBOURS = constants(NEIGHBOUR_PAIRS)
"""Every whale's cell and cell beside it in the full grid: what a flip is."""
PAIRS = len(NEIGHBOUR_PAIRS)


def check(options: Mapping[str, Any]) -> None:
    """A goal is for one player, who has nobody else to beat."""
    if options["players"] > 1 and options["goal"] != EASY:
        raise BadOption(text("ecosystem/refuse.goal"))


def configure(game: State, options: Mapping[str, Any]) -> None:
    """Write the options into an empty state."""
    game.players = options["players"]
    game.goal = options["goal"]
    game.turned_whales = int(options["turned_whales"])


# --- dealing ----------------------------------------------------------------------------------


@rule
def shuffle(game: State, pack: Pack) -> None:
    """Fill the deck with the pack's cards and shuffle it."""
    place = 0
    for kind in range(KINDS):
        for _ in range(int(pack.counts[kind])):
            game.deck[place] = kind + 1
            place += 1
    shuffle_cards(game.stream, game.deck, 0, place)


@rule
def begin(game: State, pack: Pack) -> None:
    """Deal the first hands."""
    deal(game)
    begin_turn(game)


@rule
def rings(game: State) -> int:
    """How many hands go round: one a seat, and the neutral one with two players."""
    players = int(game.players)
    return 3 if players == 2 else players


@rule
def draw(game: State, hand: int, count: int) -> None:
    """Move cards from the top of the deck to a hand."""
    top = int(game.top)
    for place in range(top, top + count):
        game.hands[hand, int(game.deck[place]) - 1] += 1
        game.deck[place] = 0
    game.top = top + count


@rule
def deal(game: State) -> None:
    """Ten cards to each hand, each its whole hand in turn."""
    for hand in range(rings(game)):
        draw(game, hand, HAND)


@rule
def hand_of(game: State, seat: int) -> int:
    """Which hand the seat holds now: they go to the left in round 1, to the right in round 2.

    Rulings ECO-2, ECO-30.
    """
    turn = int(game.turn)
    ring = rings(game)
    if turn < HAND:
        return (seat - turn + TURNS * ring) % ring
    return (seat + turn - HAND) % ring


@rule
def everyone(game: State) -> int:
    """Mask of all seats."""
    return (1 << int(game.players)) - 1


@rule
def begin_turn(game: State) -> None:
    """Every seat owes a card of its hand."""
    for seat in range(int(game.players)):
        game.chosen[seat] = 0
        game.stage[seat] = OWES
    game.phase = TAKE
    game.owing = everyone(game)


# --- who owes a decision, and which are legal -------------------------------------------------


@rule
def pending(game: State, pack: Pack) -> int:
    """Mask of the seats that owe a decision, or chance's bit; 0: the game is over."""
    if int(game.phase) == NEUTRAL:
        return CHANCE
    return int(game.owing)


@rule
def legal(game: State, pack: Pack, seat: int, out: Array) -> int:
    """Write the seat's legal actions, ascending; return how many."""
    phase = int(game.phase)
    if phase == TAKE:
        return cards_of(game, hand_of(game, seat), TAKES, out)
    if phase == PLACE:
        stage = int(game.stage[seat])
        if stage == OWES:
            return each(open_cells(int(game.reef[seat])), PLACES, out)
        if stage == OWES_DROP:
            return each(drop_cells(int(game.reef[seat]), int(game.lifted[seat])), DROPS, out)
        return lifts(int(game.reef[seat]), out)
    if phase == GIVE:
        return cards_of(game, 0, GIVES, out)
    if phase == FLIP:
        return flips(game, seat, FLIPS, out)
    return flips(game, TIM, TIM_FLIPS, out)


@rule
def each(mask: int, first: int, out: Array) -> int:
    """Write an action for each cell of the mask."""
    count = 0
    for cell in range(FRAME):
        out[count] = first + cell
        count += (mask >> cell) & 1
    return count


@rule
def cards_of(game: State, hand: int, first: int, out: Array) -> int:
    """Write an action for each species in the hand."""
    count = 0
    for kind in range(KINDS):
        out[count] = first + kind
        count += int(game.hands[hand, kind] != 0)
    return count


@rule
def beside(mask: int) -> int:
    """The cells next to the mask's cells."""
    return (mask << DOWN) | (mask >> DOWN) | (mask << RIGHT) | (mask >> RIGHT)


@rule
def open_cells(reef: int) -> int:
    """Where a card may be placed: next to a card, the box at most 4 rows by 5 columns.

    Rulings ECO-3, ECO-4, ECO-5.
    """
    if reef == 0:
        return 1 << FIRST_CELL
    room = WHOLE_FRAME
    if reef & BOTTOM_ROW:
        room &= INNER_ROWS
    if reef & LAST_COLUMN:
        room &= INNER_COLUMNS
    return beside(reef) & ~reef & room


@rule
def lifts(reef: int, out: Array) -> int:
    """Leave all, or lift any card (ECO-10, ECO-15)."""
    out[0] = PASS
    count = 1
    for place in range(ROWS * COLUMNS):
        out[count] = LIFTS + place
        count += (reef >> BOX[place]) & 1
    return count


@rule
def drop_cells(reef: int, lifted: int) -> int:
    """Where a lifted card may go: any other card (a swap), or an empty cell where all cards are
    one connected shape again, in a box of at most 4 rows by 5 columns.

    Rulings ECO-7, ECO-8, ECO-9, ECO-10, ECO-13, ECO-14.
    """
    rest = reef & ~(1 << lifted)
    joins = WHOLE_FRAME & ~reef
    left = rest
    while left:
        part = left & -left
        size = 0
        while part != size:
            size = part
            part |= beside(part) & rest
        joins &= beside(part)
        left &= ~part
    return rest | (joins & room_around(rest))


@rule
def room_around(cells: int) -> int:
    """Cells that keep the box around these ones within 4 rows by 5 columns (ECO-4, ECO-5)."""
    room = WHOLE_FRAME
    first, last = FRAME_ROWS, 0
    for row in range(FRAME_ROWS):
        line = TOP_ROW << (row * DOWN)
        if cells & line:
            first = min(first, row)
            last = row
    for row in range(FRAME_ROWS):
        if row <= last - ROWS or row >= first + ROWS:
            room &= ~(TOP_ROW << (row * DOWN))
    first, last = FRAME_COLUMNS, 0
    for column in range(FRAME_COLUMNS):
        line = FIRST_COLUMN << column
        if cells & line:
            first = min(first, column)
            last = column
    for column in range(FRAME_COLUMNS):
        if column <= last - COLUMNS or column >= first + COLUMNS:
            room &= ~(FIRST_COLUMN << column)
    return room


@rule
def owes_flip(game: State, seat: int, pair: int) -> bool:
    """Is this a whale that has not acted, beside a face-up card? It lies face up itself, but in
    a house reading.

    Rulings ECO-16, ECO-18, ECO-19, ECO-21.
    """
    whale = int(NEIGHBOURS[pair, 0])
    other = int(NEIGHBOURS[pair, 1])
    face_up = int(game.reef[seat]) & ~int(game.down[seat])
    acting = int(game.reef[seat]) if int(game.turned_whales) else face_up
    return (
        int(game.cells[seat, whale]) == WHALE + 1
        and ((acting & ~int(game.acted[seat])) >> whale) & 1 == 1
        and (face_up >> other) & 1 == 1
    )


@rule
def flips(game: State, seat: int, first: int, out: Array) -> int:
    """Write every flip that the grid's whales may make (ECO-17)."""
    count = 0
    for pair in range(PAIRS):
        if owes_flip(game, seat, pair):
            out[count] = first + pair
            count += 1
    return count


# --- moves ------------------------------------------------------------------------------------


@rule
def play(game: State, pack: Pack, seat: int, action: int) -> int:
    """Make the seat's move; after the last one, reveal and go on."""
    if action >= FLIPS:
        return turn_down(game, seat, action)
    if action >= LIFTS:
        game.lifted[seat] = BOX[action - LIFTS]
        game.stage[seat] = OWES_DROP
        return HIDDEN if int(game.players) > 1 else SHOWN
    if action >= DROPS:
        drop(game, seat, action - DROPS)
        return placed(game, seat)
    if action >= PLACES:
        return place(game, seat, action - PLACES)
    if action >= GIVES:
        return give(game, action - GIVES)
    if action >= TAKES:
        return take(game, seat, action - TAKES)
    return placed(game, seat)


@rule
def done(game: State, seat: int) -> bool:
    """The seat owes nothing more in this phase. Was it the last?"""
    game.stage[seat] = DONE
    game.owing &= ~(1 << seat)
    return int(game.owing) == 0


@rule
def take(game: State, seat: int, kind: int) -> int:
    """Choose a card of the hand; when all have chosen, reveal."""
    game.chosen[seat] = kind + 1
    if not done(game, seat):
        return HIDDEN
    players = int(game.players)
    for other in range(players):
        game.hands[hand_of(game, other), int(game.chosen[other]) - 1] -= 1
    if players == 2:
        game.phase = NEUTRAL
    else:
        begin_placing(game)
    return TURNED if players > 1 else SHOWN


@rule
def begin_placing(game: State) -> None:
    """Every seat owes a cell for its card."""
    for seat in range(int(game.players)):
        game.stage[seat] = OWES
    game.phase = PLACE
    game.owing = everyone(game)


@rule
def place(game: State, seat: int, cell: int) -> int:
    """Lay the chosen card; an octopus acts at once, unless it is the first card (ECO-12)."""
    lay(game, seat, cell, int(game.chosen[seat]))
    if int(game.chosen[seat]) == OCTOPUS + 1 and int(game.laid[seat]) > 1:
        game.stage[seat] = OWES_LIFT
        return HIDDEN if int(game.players) > 1 else SHOWN
    return placed(game, seat)


@rule
def lay(game: State, seat: int, cell: int, card: int) -> None:
    """Put a card on a cell."""
    game.cells[seat, cell] = card
    game.reef[seat] |= 1 << cell
    game.laid[seat] += 1
    settle(game, seat)


@rule
def drop(game: State, seat: int, cell: int) -> None:
    """Move the lifted card to an empty cell, or swap it with another card (ECO-11)."""
    lifted = int(game.lifted[seat])
    card = game.cells[seat, lifted]
    game.cells[seat, lifted] = game.cells[seat, cell]
    game.cells[seat, cell] = card
    if not (int(game.reef[seat]) >> cell) & 1:
        game.reef[seat] = (int(game.reef[seat]) | (1 << cell)) & ~(1 << lifted)
        settle(game, seat)
    game.lifted[seat] = 0


@rule
def settle(game: State, seat: int) -> None:
    """Bring the box's corner back to its place in the frame."""
    reef = int(game.reef[seat])
    if reef & TOP_ROW:
        shift(game, seat, DOWN)
    elif not reef & (TOP_ROW << DOWN):
        shift(game, seat, -DOWN)
    reef = int(game.reef[seat])
    if reef & FIRST_COLUMN:
        shift(game, seat, RIGHT)
    elif not reef & (FIRST_COLUMN << RIGHT):
        shift(game, seat, -RIGHT)


@rule
def shift(game: State, seat: int, step: int) -> None:
    """Move all cards of a grid by a step."""
    if step > 0:
        for cell in range(FRAME - 1, step - 1, -1):
            game.cells[seat, cell] = game.cells[seat, cell - step]
        for cell in range(step):
            game.cells[seat, cell] = 0
        game.reef[seat] = int(game.reef[seat]) << step
    else:
        for cell in range(FRAME + step):
            game.cells[seat, cell] = game.cells[seat, cell - step]
        for cell in range(FRAME + step, FRAME):
            game.cells[seat, cell] = 0
        game.reef[seat] = int(game.reef[seat]) >> -step


@rule
def show(game: State, seat: int) -> None:
    """Let the others see the grid as it lies now."""
    for cell in range(FRAME):
        game.shown[seat, cell] = game.cells[seat, cell]


@rule
def placed(game: State, seat: int) -> int:
    """The seat has placed its card; when all have, the hands move (ECO-6)."""
    if not done(game, seat):
        return HIDDEN
    players = int(game.players)
    for other in range(players):
        show(game, other)
    if players == 1:
        game.phase = GIVE
        game.owing = 1
        return SHOWN
    end_turn(game)
    return TURNED


@rule
def end_turn(game: State) -> None:
    """Hands move; the second round is dealt after ten turns, the whales act after twenty."""
    turn = int(game.turn) + 1
    game.turn = turn
    if turn == TURNS:
        for seat in range(int(game.players)):
            game.chosen[seat] = 0
        begin_flips(game)
        return
    if turn == HAND and int(game.players) > 1:
        deal(game)
    begin_turn(game)


# --- whales -----------------------------------------------------------------------------------


@rule
def owes_any_flip(game: State, seat: int) -> bool:
    """Has the grid a whale that must still act? (ECO-17, ECO-22)"""
    for pair in range(PAIRS):
        if owes_flip(game, seat, pair):
            return True
    return False


@rule
def begin_flips(game: State) -> None:
    """Every seat with a whale that can act owes its flips."""
    game.phase = FLIP
    game.owing = 0
    for seat in range(int(game.players)):
        if owes_any_flip(game, seat):
            game.stage[seat] = OWES
            game.owing |= 1 << seat
    if int(game.owing) == 0:
        end_flips(game)


@rule
def end_flips(game: State) -> None:
    """All flips are in; in the solo game Tim's follow (ECO-36)."""
    if int(game.players) == 1 and int(game.phase) == FLIP and owes_any_flip(game, TIM):
        game.phase = FLIP_TIM
        game.owing = 1
        return
    game.phase = OVER
    game.owing = 0


@rule
def flip(game: State, grid: int, pair: int) -> None:
    """The whale has acted, and the card beside it lies face down (ECO-20)."""
    game.acted[grid] |= 1 << int(NEIGHBOURS[pair, 0])
    game.down[grid] |= 1 << int(NEIGHBOURS[pair, 1])


@rule
def turn_down(game: State, seat: int, action: int) -> int:
    """A whale turns a neighbour face down (ECO-23)."""
    solo = int(game.players) == 1
    grid, pair = seat, action - FLIPS
    if action >= TIM_FLIPS:
        grid, pair = TIM, action - TIM_FLIPS
    flip(game, grid, pair)
    if owes_any_flip(game, grid):
        return SHOWN if solo else HIDDEN
    if not done(game, seat):
        return HIDDEN
    end_flips(game)
    return SHOWN if solo else TURNED


def longest(options: Mapping[str, Any], pack: Pack) -> int:
    """Each seat takes and places twenty cards; but for a seat's first card each octopus is lifted
    with and dropped; each whale turns a card. Alone, Tim is given twenty.
    """
    players = int(options["players"])
    octopuses = min(int(pack.counts[OCTOPUS]), players * (TURNS - 1))
    gifts = TURNS if players == 1 else 0
    return 2 * players * TURNS + 2 * octopuses + int(pack.counts[WHALE]) + gifts


# --- two players: the neutral hand ------------------------------------------------------------


@rule
def chance(game: State, pack: Pack, out: Array) -> int:
    """Draw the neutral seat's card: each card of the hand it holds is equally likely (ECO-32)."""
    hand = hand_of(game, NEUTRAL_SEAT)
    left = 0
    for kind in range(KINDS):
        left += int(game.hands[hand, kind])
    place = below(game.stream, left)
    for kind in range(KINDS):
        place -= int(game.hands[hand, kind])
        if place < 0:
            out[0] = kind
            break
    return 1


@rule
def happen(game: State, pack: Pack, outcome: Array, count: int) -> None:
    """The neutral seat's card goes face up before it; then everyone places (ECO-31)."""
    kind = int(outcome[0])
    game.hands[hand_of(game, NEUTRAL_SEAT), kind] -= 1
    game.neutral[kind] += 1
    begin_placing(game)


# --- solo: Tim --------------------------------------------------------------------------------


@rule
def give(game: State, kind: int) -> int:
    """Tim gets a card; then draw one, or five when Tim has just completed a row.

    Rulings ECO-34, ECO-38.
    """
    game.hands[0, kind] -= 1
    lay(game, TIM, int(BOX[int(game.laid[TIM])]), kind + 1)
    show(game, TIM)
    turn = int(game.turn) + 1
    if turn == TURNS:
        for left in range(KINDS):
            if game.hands[0, left]:
                game.discard = left + 1
                game.hands[0, left] = 0
        end_turn(game)
        return SHOWN
    draw(game, 0, COLUMNS if turn % COLUMNS == 0 else 1)
    end_turn(game)
    return TURNED
