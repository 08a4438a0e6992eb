"""What a seat may know: redeal, previews, the view, the story."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pelagos.engine.rule import rule
from pelagos.engine.stream import renew, shuffle
from pelagos.engine.types import Array
from pelagos.engine.view import Choice, Event, Look, Step, event, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.ecosystem.rules import (
    BOX,
    DROPS,
    FLIPS,
    GIVES,
    LIFTS,
    NEIGHBOURS,
    PASS,
    PLACES,
    TAKES,
    TIM_FLIPS,
    draw,
    drop,
    everyone,
    flip,
    hand_of,
    lay,
    owes_any_flip,
    rings,
)
from pelagos.games.ecosystem.scoring import plankton_of, result, sheet
from pelagos.games.ecosystem.state import (
    DONE,
    FLIP,
    FLIP_TIM,
    FRAME,
    FRAME_COLUMNS,
    GIVE,
    HAND,
    KINDS,
    NEUTRAL,
    NEUTRAL_SEAT,
    OVER,
    OWES,
    OWES_LIFT,
    PLACE,
    SPECIES,
    TAKE,
    TIM,
    TURNS,
    Pack,
    State,
)

# --- redeal ------------------------------------------------------------------------------------


@rule
def has_held(game: State, seat: int, hand: int) -> bool:
    """Has the seat held this hand in this round, so that it knows it to the last card?

    Every card taken from a hand is shown, so whoever has seen a hand once knows it for good.

    Ruling ECO-40.
    """
    if seat < 0:
        return False
    ring = rings(game)
    turn = int(game.turn)
    if turn < HAND:
        return (seat - hand + ring) % ring <= turn
    return (hand - seat + ring) % ring <= turn - HAND


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Deal anew what the seat can't know: hands it has not held, and the deck.

    Those hands go back on top of the deck; it is sorted, so that nothing hangs on how it lay,
    shuffled, and they are drawn from it again (ECO-41).
    """
    take_back(game, seat)
    first = int(game.top)
    for hand in range(rings(game)):
        if not has_held(game, seat, hand):
            first = put_back(game, hand, first)
    sort_cards(game, first, int(pack.total))
    shuffle(stream, game.deck, first, int(pack.total))
    game.top = first
    for hand in range(rings(game)):
        if not has_held(game, seat, hand):
            count = hand_size(game, hand)
            for kind in range(KINDS):
                game.hands[hand, kind] = 0
            draw(game, hand, count)
    renew(game.stream, stream)


@rule
def hand_size(game: State, hand: int) -> int:
    """How many cards a hand holds."""
    count = 0
    for kind in range(KINDS):
        count += int(game.hands[hand, kind])
    return count


@rule
def put_back(game: State, hand: int, top: int) -> int:
    """Lay a hand's cards on top of the deck; return the new top."""
    for kind in range(KINDS):
        for _ in range(int(game.hands[hand, kind])):
            top -= 1
            game.deck[top] = kind + 1
    return top


@rule
def sort_cards(game: State, first: int, last: int) -> None:
    """Sort part of the deck by species."""
    place = first
    for kind in range(KINDS):
        for other in range(place, last):
            if int(game.deck[other]) == kind + 1:
                game.deck[other] = game.deck[place]
                game.deck[place] = kind + 1
                place += 1


@rule
def is_in_hand(game: State, seat: int) -> bool:
    """Is the card that the seat took not laid yet?"""
    return int(game.laid[seat]) == int(game.turn)


@rule
def take_back(game: State, seat: int) -> None:
    """Take back the choices of all other seats that are not revealed yet."""
    phase = int(game.phase)
    if int(game.players) == 1 or phase == NEUTRAL or phase == OVER:
        return
    own = int(game.owing)
    for other in range(int(game.players)):
        if other != seat:
            if phase == TAKE:
                game.chosen[other] = 0
            if phase == PLACE:
                unplace(game, other)
            if phase == FLIP:
                game.acted[other] = 0
                game.down[other] = 0
    if phase == FLIP:
        owing = 0
        for other in range(int(game.players)):
            game.stage[other] = DONE
            if owes_any_flip(game, other):
                game.stage[other] = OWES
                owing |= 1 << other
        game.owing = owing
        return
    others = everyone(game)
    if seat >= 0:
        others &= ~(1 << seat)
    for other in range(int(game.players)):
        if other != seat:
            game.stage[other] = OWES
    game.owing = others | (own & ~others)


@rule
def unplace(game: State, seat: int) -> None:
    """Take a seat's grid back to what the others see."""
    reef = 0
    for cell in range(FRAME):
        game.cells[seat, cell] = game.shown[seat, cell]
        if int(game.shown[seat, cell]):
            reef |= 1 << cell
    game.reef[seat] = reef
    game.laid[seat] = game.turn
    game.lifted[seat] = 0


# --- previews ---------------------------------------------------------------------------------


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet if this action alone happened."""
    if action >= TIM_FLIPS:
        flip(game, TIM, action - TIM_FLIPS)
    elif action >= FLIPS:
        flip(game, seat, action - FLIPS)
    elif LIFTS > action >= DROPS:
        drop(game, seat, action - DROPS)
    elif DROPS > action >= PLACES:
        lay(game, seat, action - PLACES, int(game.chosen[seat]))
    elif PLACES > action >= GIVES:
        lay(game, TIM, int(BOX[int(game.laid[TIM])]), action - GIVES + 1)
    sheet(game, pack, seat, out)


# --- the view ---------------------------------------------------------------------------------


def forced(game: State, pack: Pack, seat: int) -> bool:
    """Everyone knows of a last card, a first cell, and a last gap."""
    if int(game.phase) == TAKE:
        return int(hand_size(game, hand_of(game, seat))) == 1
    return int(game.phase) == PLACE and int(game.stage[seat]) == OWES


def view(look: Look) -> None:
    """The table: grids, the own hand, what the neutral seat holds."""
    game: State = look.game
    look.phase = _taking_part(game, look)
    _prompt(look, game)
    for seat in [*look.seats, *([TIM] if look.players == 1 else [])]:
        order = tuple(look.memory.get(seat, ()))
        look.part(_grid, seat, on=(game.cells[seat], game.down[seat], game.lifted[seat], order))
    if look.players == 2:
        look.place("neutral", "stack", text("place.neutral"))
        _stacks(look, "neutral", game.neutral)
    if look.viewer >= 0 and int(game.phase) < FLIP:
        look.place("hand", "hand", text("place.hand"), seat=look.viewer)
        hand = game.hands[hand_of(game, look.viewer)]
        chosen = int(game.chosen[look.viewer])
        _stacks(look, "hand", hand, chosen - 1 if int(game.phase) == TAKE else -1)
    for seat in look.seats:
        _taken(look, game, seat)
    _facts(look, game)


def _taken(look: Look, game: State, seat: int) -> None:
    """The card that a seat took this turn and has not laid yet."""
    if not int(game.chosen[seat]) or not is_in_hand(game, seat):
        return
    label = text("place.chosen") if seat == look.viewer else text("place.taken", who={"seat": seat})
    look.place(f"chosen{seat}", "stack", label, seat=seat)
    look.piece(f"chosen{seat}", f"chosen{seat}", SPECIES[int(game.chosen[seat]) - 1])


def _taking_part(game: State, look: Look) -> list[int]:
    if int(game.phase) == OVER:
        return []
    if int(game.phase) == FLIP:
        owing = int(game.owing)
        return [seat for seat in range(look.players) if owing >> seat & 1 or int(game.acted[seat])]
    return list(range(look.players))


def _prompt(look: Look, game: State) -> None:
    phase, seat = int(game.phase), look.viewer
    if look.over or seat < 0 or not int(game.owing) >> seat & 1:
        return
    card = {"noun": SPECIES[int(game.chosen[seat]) - 1]}
    if phase == TAKE:
        look.ask("prompt.take", turn=int(game.turn) + 1, turns=TURNS)
    elif phase == PLACE:
        stage = int(game.stage[seat])
        if stage == OWES:
            look.ask("prompt.place", card=card)
        elif stage == OWES_LIFT:
            look.ask("prompt.lift")
        else:
            lifted = int(game.cells[seat, int(game.lifted[seat])]) - 1
            look.ask("prompt.drop", card={"noun": SPECIES[lifted]})
    elif phase == GIVE:
        look.ask("prompt.give")
    elif phase == FLIP:
        look.ask("prompt.flip")
    elif phase == FLIP_TIM:
        look.ask("prompt.flip_tim")


def _grid(look: Look, seat: int) -> None:
    game: State = look.game
    tim = look.players == 1 and seat == TIM
    label = text("place.tim") if tim else text("place.grid", player={"seat": seat})
    cells = [cell for cell in range(FRAME) if int(game.cells[seat, cell])]
    rows = max((cell // FRAME_COLUMNS for cell in cells), default=0)
    columns = max((cell % FRAME_COLUMNS for cell in cells), default=0)
    look.place(f"grid{seat}", "grid", label, seat=seat, rows=rows, columns=columns)
    order = look.memory.get(seat, [0] * FRAME)
    for cell in cells:
        down = int(game.down[seat]) >> cell & 1
        marks = ["down"] if down else []
        if int(game.lifted[seat]) == cell:
            marks.append("lifted")
        at = (cell // FRAME_COLUMNS - 1, cell % FRAME_COLUMNS - 1)
        face = SPECIES[int(game.cells[seat, cell]) - 1]
        look.piece(f"card{seat}.{order[cell]}", f"grid{seat}", face, at=at, marks=marks)


def _stacks(look: Look, place: str, counts: Array, without: int = -1) -> None:
    for kind, species in enumerate(SPECIES):
        count = int(counts[kind]) - (kind == without)
        if count:
            look.piece(f"{place}.{species}", place, species, count=count)


def _facts(look: Look, game: State) -> None:
    look.facts["turn"] = min(int(game.turn) + 1, TURNS)
    if int(game.phase) < FLIP and look.players > 1:
        look.facts["direction"] = text("fact.left" if int(game.turn) < HAND else "fact.right")
        look.facts["hand_size"] = int(hand_size(game, hand_of(game, max(look.viewer, 0))))
    plankton = {str(seat): int(plankton_of(game, seat)) for seat in range(look.players)}
    if look.players == 1:
        plankton["tim"] = int(plankton_of(game, TIM))
        told = result(game, look.pack)
        look.facts["tim"] = told["tim"]
        look.facts["margin"] = told["margin"]
        if look.over:
            look.facts["level"] = text(f"score.{told['level']}")
    if look.players == 2:
        plankton["neutral"] = int(plankton_of(game, NEUTRAL_SEAT))
    look.facts["plankton"] = plankton


def choice(game: State, pack: Pack, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    if action == PASS:
        return make_choice(text("label.pass"), group="octopus")
    if action < GIVES:
        return _from_hand("take", action - TAKES)
    if action < PLACES:
        return _from_hand("give", action - GIVES)
    if action < DROPS:
        return _on_cell("place", seat, action - PLACES, "place")
    if action < LIFTS:
        return _on_cell("drop", seat, action - DROPS, "octopus")
    if action < FLIPS:
        return _on_cell("lift", seat, int(BOX[action - LIFTS]), "octopus")
    grid, pair = (seat, action - FLIPS) if action < TIM_FLIPS else (TIM, action - TIM_FLIPS)
    whale, other = NEIGHBOURS[pair].tolist()
    found = _on_cell("flip", grid, other, "flip")
    found["piece"] = f"grid{grid}:{_name(whale)}"
    found["label"] = text(
        "label.flip", card={"noun": SPECIES[int(game.cells[grid, other]) - 1]}, cell=_name(other)
    )
    return found


def _name(cell: int) -> str:
    return f"{cell // FRAME_COLUMNS - 1},{cell % FRAME_COLUMNS - 1}"


def _from_hand(verb: str, kind: int) -> Choice:
    card = {"noun": SPECIES[kind]}
    piece = f"hand.{SPECIES[kind]}"
    return make_choice(text(f"label.{verb}", card=card), group=verb, piece=piece, place="hand")


def _on_cell(verb: str, seat: int, cell: int, group: str) -> Choice:
    at = (cell // FRAME_COLUMNS - 1, cell % FRAME_COLUMNS - 1)
    return make_choice(
        text(f"label.{verb}", cell=_name(cell)), group=group, place=f"grid{seat}", at=at
    )


# --- the story --------------------------------------------------------------------------------


def track(memory: dict[Any, Any], step: Step) -> None:
    """Remember in which order each grid's cards were laid, wherever they wander."""
    before, action = step.before, step.action
    if step.seat < 0 or not (GIVES <= action < LIFTS):
        return
    grid = TIM if action < PLACES else step.seat
    order = list(memory.get(grid, [0] * FRAME))
    if action < PLACES:
        order[int(BOX[int(before.laid[TIM])])] = int(before.laid[TIM]) + 1
    elif action < DROPS:
        order[action - PLACES] = int(before.laid[grid]) + 1
    else:
        lifted, cell = int(before.lifted[grid]), action - DROPS
        order[lifted], order[cell] = order[cell], order[lifted]
    memory[grid] = _settled(order)


def _settled(order: list[int]) -> list[int]:
    """The order's frame with its box back at the corner."""
    cells = [cell for cell in range(FRAME) if order[cell]]
    up = min(cell // FRAME_COLUMNS for cell in cells) - 1
    left = min(cell % FRAME_COLUMNS for cell in cells) - 1
    moved = [0] * FRAME
    for cell in cells:
        moved[cell - up * FRAME_COLUMNS - left] = order[cell]
    return moved


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, once the viewer may know it."""
    game, action = step.before, step.action
    if step.seat < 0:
        yield event("event.neutral", card={"noun": SPECIES[step.outcome[0]]}, target="neutral")
        return
    who, grid = {"seat": step.seat}, f"grid{step.seat}"
    if action == PASS:
        yield event("event.pass", who=who)
    elif action < GIVES:
        kind = SPECIES[action - TAKES]
        source = "hand" if step.seat == viewer else None
        yield event(
            "event.take", who=who, card={"noun": kind}, source=source, target=f"chosen{step.seat}"
        )
    elif action < PLACES:
        yield event(
            "event.give", card={"noun": SPECIES[action - GIVES]}, source="hand", target="grid1"
        )
    elif action < DROPS:
        cell = action - PLACES
        card = {"noun": SPECIES[int(game.chosen[step.seat]) - 1]}
        piece = f"card{step.seat}.{int(game.laid[step.seat]) + 1}"
        target = f"{grid}:{_name(cell)}"
        yield event("event.place", who=who, card=card, piece=piece, target=target)
    elif action < LIFTS:
        cell, lifted = action - DROPS, int(game.lifted[step.seat])
        card = {"noun": SPECIES[int(game.cells[step.seat, lifted]) - 1]}
        source, target = f"{grid}:{_name(lifted)}", f"{grid}:{_name(cell)}"
        other = int(game.cells[step.seat, cell])
        if other:
            swapped = {"noun": SPECIES[other - 1]}
            yield event(
                "event.swap", who=who, card=card, other=swapped, source=source, target=target
            )
        else:
            yield event("event.move", who=who, card=card, source=source, target=target)
    elif action >= FLIPS:
        tim = action >= TIM_FLIPS
        pair = action - (TIM_FLIPS if tim else FLIPS)
        place = TIM if tim else step.seat
        other = int(NEIGHBOURS[pair, 1])
        card = {"noun": SPECIES[int(game.cells[place, other]) - 1]}
        key = "event.flip_tim" if tim else "event.flip"
        yield event(key, who=who, card=card, target=f"grid{place}:{_name(other)}")


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a phase's last move."""
    before, after = step.before, step.after
    if int(after.turn) != int(before.turn) and int(after.turn) == HAND and int(after.players) > 1:
        yield event("event.round")
    if int(after.phase) == FLIP and int(before.phase) != FLIP:
        yield event("event.whales")
    if int(after.phase) == OVER and int(before.phase) != OVER:
        yield event("event.over")


def census(game: State, pack: Pack) -> list[int]:
    """All cards by species, wherever they are."""
    counts = [0] * KINDS
    cards = [int(card) for card in game.deck] + [int(game.discard)]
    cards += [int(card) for grid in game.cells for card in grid]
    if int(game.phase) in (NEUTRAL, PLACE):
        cards += [
            int(game.chosen[seat]) for seat in range(int(game.players)) if is_in_hand(game, seat)
        ]
    for card in cards:
        if card:
            counts[card - 1] += 1
    for kind in range(KINDS):
        counts[kind] += int(game.neutral[kind]) + int(sum(game.hands[:, kind].tolist()))
    return counts
