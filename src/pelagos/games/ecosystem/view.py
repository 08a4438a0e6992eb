"""What a viewer sees: reefs, the own hand, the question, the choices, and why not others."""

from __future__ import annotations

from pelagos.engine.types import Array
from pelagos.engine.view import Choice, Look, Part, Reads, Text, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.ecosystem.actions import ACTIONS
from pelagos.games.ecosystem.frame import (
    COLUMNS,
    ROWS,
    cell_name,
    cell_words,
    cells_of,
    row_and_column,
)
from pelagos.games.ecosystem.knowledge import hand_size, happen_alone, is_in_hand
from pelagos.games.ecosystem.points import mask_of, plankton_of, plankton_points
from pelagos.games.ecosystem.rules import (
    NEIGHBOURS,
    PAIRS,
    beside,
    drop_cells,
    hand_of,
    open_cells,
    owes_flip,
    rings,
    room_around,
)
from pelagos.games.ecosystem.scoring import result, score
from pelagos.games.ecosystem.state import (
    FLIP,
    FLIP_TIM,
    GIVE,
    HAND,
    NEUTRAL_SEAT,
    OCTOPUS,
    OVER,
    OWES,
    OWES_LIFT,
    PLACE,
    SPECIES,
    TAKE,
    TIM,
    TURNS,
    WHALE,
    Pack,
    State,
)

GRID = Reads(seat=("cells", "down", "lifted"), public=True, but_own=True)
"""What a seat's reef shows."""


def view(look: Look) -> None:
    """The table: reefs, the own hand, what the neutral seat holds."""
    game: State = look.game
    look.phase = _taking_part(look, game)
    _prompt(look, game)
    for seat in [*look.seats, *([TIM] if look.players == 1 else [])]:
        look.part(_grid, seat, look.memory.get(seat, ()), reads=GRID.of(seat))
    if look.players == 2:
        look.place("neutral", "stack", text("place.neutral"))
        _stacks(look, "neutral", game.neutral)
    if look.viewer >= 0 and int(game.phase) < FLIP:
        look.place("hand", "hand", text("place.hand"), seat=look.viewer)
        hand = game.hands[hand_of(game, look.viewer)]
        chosen = int(game.chosen[look.viewer])
        _stacks(look, "hand", hand, chosen - 1 if int(game.phase) == TAKE else -1)
    chosen_cards = game.chosen.tolist()
    for seat in look.seats:
        if chosen_cards[seat] and is_in_hand(game, seat):
            _taken(look, chosen_cards[seat], seat)
    _facts(look, game)
    if look.viewer >= 0 and not look.over:
        _reasons(look, game)


def _taking_part(look: Look, game: State) -> list[int]:
    if int(game.phase) == OVER:
        return []
    if int(game.phase) == FLIP:
        owing = int(game.owing)
        return [seat for seat in range(look.players) if owing >> seat & 1 or int(game.acted[seat])]
    return list(range(look.players))


# --- the question ---------------------------------------------------------------------------------


def _owes(look: Look, game: State) -> bool:
    """Is the viewer asked something?"""
    return look.viewer >= 0 and bool(int(game.owing) >> look.viewer & 1)


def _prompt(look: Look, game: State) -> None:
    phase, seat = int(game.phase), look.viewer
    if look.over or not _owes(look, game):
        return
    if phase == TAKE:
        look.ask("prompt.take", turn=int(game.turn) + 1, turns=TURNS)
    elif phase == PLACE:
        stage = int(game.stage[seat])
        if stage == OWES:
            look.ask("prompt.place", card=_card(int(game.chosen[seat])))
        elif stage == OWES_LIFT:
            look.ask("prompt.lift")
        else:
            lifted = int(game.cells[seat, int(game.lifted[seat])])
            look.ask("prompt.drop", card=_card(lifted))
    elif phase == GIVE:
        look.ask("prompt.give")
    elif phase == FLIP:
        look.ask("prompt.flip")
    elif phase == FLIP_TIM:
        look.ask("prompt.flip_tim")


def _card(card: int) -> dict[str, str]:
    """A card as a text names it."""
    return {"noun": SPECIES[card - 1]}


# --- places and pieces ----------------------------------------------------------------------------


def _grid(part: Part, game: State, seat: int, order: tuple[int, ...]) -> None:
    """A reef; `order` tells for each cell as which card of the reef it was laid."""
    tim = part.players == 1 and seat == TIM
    label = text("place.tim") if tim else text("place.grid", player={"seat": seat})
    cards = game.cells[seat].tolist()
    cells = [cell for cell, card in enumerate(cards) if card]
    down, lifted = int(game.down[seat]), int(game.lifted[seat])
    rows = max((row_and_column(cell)[0] + 1 for cell in cells), default=0)
    columns = max((row_and_column(cell)[1] + 1 for cell in cells), default=0)
    part.place(f"grid{seat}", "grid", label, seat=seat, rows=rows, columns=columns)
    for cell in cells:
        marks = ["down"] if down >> cell & 1 else []
        if lifted == cell:
            marks.append("lifted")
        face = SPECIES[cards[cell] - 1]
        key = f"card{seat}.{order[cell] if order else 0}"
        part.piece(key, f"grid{seat}", face, at=row_and_column(cell), marks=marks)


def _stacks(look: Look, place: str, counts: Array, without: int = -1) -> None:
    """Cards by species; `without` one of this one."""
    left = counts.tolist()
    for kind, species in enumerate(SPECIES):
        count = left[kind] - (kind == without)
        if count:
            look.piece(f"{place}.{species}", place, species, count=count)


def _taken(look: Look, card: int, seat: int) -> None:
    """The card that a seat took this turn and has not laid yet."""
    label = text("place.chosen") if seat == look.viewer else text("place.taken", who={"seat": seat})
    look.place(f"chosen{seat}", "stack", label, seat=seat)
    look.piece(f"chosen{seat}", f"chosen{seat}", SPECIES[card - 1])


# --- facts ----------------------------------------------------------------------------------------


def _facts(look: Look, game: State) -> None:
    look.facts["turn"] = min(int(game.turn) + 1, TURNS)
    if int(game.phase) < FLIP and look.players > 1:
        _passing(look, game)
    compared = {str(seat): seat for seat in range(look.players)}
    if look.players == 1:
        compared["tim"] = TIM
        solo = result(game, look.pack)
        look.facts["tim"] = solo["tim"]
        look.facts["margin"] = solo["margin"]
        look.facts["goal"] = int(game.goal)
        if look.over:
            look.facts["level"] = text(f"score.{solo['level']}")
    if look.players == 2:
        compared["neutral"] = NEUTRAL_SEAT
    look.facts["plankton"] = {who: int(plankton_of(game, seat)) for who, seat in compared.items()}
    look.facts["plankton_points"] = {
        who: int(plankton_points(game, seat)) for who, seat in compared.items()
    }


def _passing(look: Look, game: State) -> None:
    """Where the hands go, and from whom the own one came."""
    turn, seat = int(game.turn), max(look.viewer, 0)
    step, key = (1, "fact.left") if turn < HAND else (-1, "fact.right")
    look.facts["direction"] = text(key)
    size = look.facts["hand_size"] = int(hand_size(game, hand_of(game, seat)))
    if look.viewer < 0:
        return
    if size > (int(game.phase) == TAKE):
        look.facts["goes_to"] = _neighbour(look, game, step)
    if turn % HAND:
        look.facts["comes_from"] = _neighbour(look, game, -step)


def _neighbour(look: Look, game: State, step: int) -> dict[str, int | str]:
    """Who sits so many places further in the ring of hands."""
    seat = (look.viewer + step) % int(rings(game))
    return {"seat": seat} if seat < look.players else {"noun": "neutral"}


# --- choices --------------------------------------------------------------------------------------


def choice(game: State, pack: Pack, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    match ACTIONS.decode(action):
        case ("take" | "give" as verb, (species,), _):
            label = text(f"label.{verb}", card={"noun": species})
            return make_choice(label, group=verb, piece=f"hand.{species}", place="hand")
        case ("place", (cell,), _):
            return _on_cell("place", seat, cell, group="place")
        case ("lift" | "drop" as verb, (cell,), _):
            return _on_cell(verb, seat, cell, group="octopus")
        case ("flip" | "tim" as verb, ((whale, other),), _):
            grid = TIM if verb == "tim" else seat
            card = _card(int(game.cells[grid, other]))
            label = text(
                "label.flip",
                card=card,
                cell=cell_name(other),
                where=cell_words(*row_and_column(other)),
            )
            piece, place = f"grid{grid}:{cell_name(whale)}", f"grid{grid}"
            return make_choice(
                label, group="flip", piece=piece, place=place, at=row_and_column(other)
            )
    return make_choice(text("label.pass"), group="octopus")


def elsewhere(game: State, pack: Pack, seat: int, action: int) -> list[Text]:
    """Alone: what an action would bring Tim, and how far ahead of him it would take the player."""
    if int(game.players) > 1:
        return []
    own, tims = (int(score(game, player)) for player in (seat, TIM))
    after: State = game.copy()  # type: ignore[attr-defined]
    happen_alone(after, seat, action)
    change = int(score(after, TIM)) - tims
    if not change:
        return []
    margin = int(score(after, seat)) - own - change
    return [text("elsewhere.tim", change=change), text("elsewhere.margin", change=margin)]


def _on_cell(verb: str, seat: int, cell: int, group: str) -> Choice:
    label = text(f"label.{verb}", cell=cell_name(cell), where=cell_words(*row_and_column(cell)))
    return make_choice(label, group=group, place=f"grid{seat}", at=row_and_column(cell))


def asks(game: State, pack: Pack, seat: int, action: int) -> list[Text]:
    """What a choice will ask next."""
    verb, values, _ = ACTIONS.decode(action)
    if verb == "take":
        acts = values == (SPECIES[OCTOPUS],) and int(game.laid[seat]) > 0
        return [text("ask.place"), *([text("ask.lift")] if acts else [])]
    if verb == "place" and int(game.chosen[seat]) == OCTOPUS + 1 and int(game.laid[seat]) > 0:
        return [text("ask.lift")]
    if verb == "lift":
        return [text("ask.drop")]
    if verb in ("place", "drop", "pass") and int(game.players) == 1:
        return [text("ask.give")]
    return []


# --- why not --------------------------------------------------------------------------------------


def _reasons(look: Look, game: State) -> None:
    """Why cards and cells that a person might tap can't be chosen now: one reason for a place, and
    another one for some of what lies there.
    """
    phase, own = int(game.phase), f"grid{look.viewer}"
    if not _owes(look, game):
        look.why(own, "why.wait")
        if phase < FLIP:
            look.why("hand", "why.wait")
    elif phase == TAKE:
        look.why(own, "why.take_first")
    elif phase == PLACE:
        _reasons_of_placing(look, game)
    elif phase == GIVE:
        look.why(own, "why.give_first")
    else:
        _reasons_of_whales(look, game, TIM if phase == FLIP_TIM else look.viewer)


def _reasons_of_placing(look: Look, game: State) -> None:
    seat = look.viewer
    own, reef = f"grid{seat}", int(game.reef[seat])
    stage, lifted = int(game.stage[seat]), int(game.lifted[seat])
    if stage == OWES_LIFT:
        look.why("hand", "why.octopus_first")
        look.why(own, "why.lift_first")
    elif stage == OWES:
        look.why("hand", "why.place_first", card=_card(int(game.chosen[seat])))
        look.why(own, "why.not_beside" if reef else "why.first_card")
        _reasons_of_room(look, reef, int(open_cells(reef)))
    else:
        look.why("hand", "why.octopus_first")
        look.why(own, "why.apart")
        look.why(_piece(look, seat, lifted), "why.lifted_here")
        _reasons_of_room(look, reef & ~(1 << lifted), int(drop_cells(reef, lifted)))


def _reasons_of_room(look: Look, cards: int, legal: int) -> None:
    """Cells beside these cards where the reef would get too high or too wide."""
    room = int(room_around(cards))
    for cell in cells_of(int(beside(cards)) & ~cards & ~room & ~legal):
        rows = [row_and_column(other)[0] for other in [*cells_of(cards), cell]]
        high = max(rows) - min(rows) >= ROWS
        key, size = f"grid{look.viewer}:{cell_name(cell)}", ROWS if high else COLUMNS
        look.why(key, "why.too_high" if high else "why.too_wide", size=size)


def _reasons_of_whales(look: Look, game: State, grid: int) -> None:
    reef, down, acted = int(game.reef[grid]), int(game.down[grid]), int(game.acted[grid])
    whales = int(mask_of(game, grid, WHALE))
    acting = [int(NEIGHBOURS[pair, 0]) for pair in range(PAIRS) if owes_flip(game, grid, pair)]
    chosen = int(beside(sum(1 << cell for cell in set(acting)))) & reef & ~down
    look.why(f"grid{grid}", "why.no_whale")
    for cell in cells_of((down | whales) & ~chosen):
        if cell in acting:
            continue
        if down >> cell & 1:
            look.why(_piece(look, grid, cell), "why.face_down")
        elif acted >> cell & 1:
            look.why(_piece(look, grid, cell), "why.acted")
        elif not int(beside(1 << cell)) & reef & ~down:
            look.why(_piece(look, grid, cell), "why.no_neighbour")


def _piece(look: Look, grid: int, cell: int) -> str:
    """The key of the card on a cell."""
    return look.names[f"grid{grid}:{cell_name(cell)}"]
