"""Ecosystem's aid: what cards, groups and lines of the sheet are worth, and what would help."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial

from pelagos.engine.aid import Group, Help, Inquiry, Named, Worth, by_evidence, help_by, worth
from pelagos.engine.types import Record
from pelagos.engine.view import Text, text
from pelagos.games.ecosystem.frame import (
    DOWN,
    FIRST_COLUMN,
    RIGHT,
    TOP_ROW,
    cell_at,
    cell_name,
    cells_of,
)
from pelagos.games.ecosystem.points import (
    SCORED_TOGETHER,
    krill_points,
    plankton_points,
    turtle_points,
)
from pelagos.games.ecosystem.points import worth as points_of_card
from pelagos.games.ecosystem.rules import hand_of, lay, open_cells
from pelagos.games.ecosystem.scoring import GROUP_LINES, group_totals, lines_of, score
from pelagos.games.ecosystem.state import (
    FLIP,
    GROUPS,
    KRILL,
    PLACE,
    PLANKTON,
    SPECIES,
    TAKE,
    TIM,
    TURTLE,
    State,
)
from pelagos.games.ecosystem.table.cards import RULE_NUMBERS
from pelagos.games.ecosystem.why import why_not_in_reef

CHAIN = tuple(GROUP_LINES)
"""The three groups of the food chain."""
NOUN_OF_GROUP = dict(zip(("producer", "prey", "predator"), CHAIN, strict=True))
_TOGETHER = {KRILL: krill_points, PLANKTON: plankton_points, TURTLE: turtle_points}

Measure = Callable[[State, int], int]
"""What a try is judged by: points in a state, with the step by which the reef was shifted."""


def things(pack: Record) -> list[Group]:
    """The sheet of all."""
    return [
        {"name": text("aid.species"), "things": list(SPECIES)},
        {"name": text("aid.chain"), "things": [*CHAIN, "bonus"]},
    ]


def kind(inquiry: Inquiry) -> Named | None:
    """The part of the food chain that a species belongs to."""
    face = inquiry.face or inquiry.line
    group = GROUPS[SPECIES.index(face)] if face in SPECIES else ""
    if group:
        return text(f"table.{NOUN_OF_GROUP[group]}")
    return text("aid.alone") if face in SPECIES else None


def rule(inquiry: Inquiry) -> Text | None:
    """A species' rule, the food chain's, or where cards may be laid."""
    face = inquiry.face or inquiry.line
    if face in SPECIES:
        return text(f"table.rule.{face}", **RULE_NUMBERS[face])
    if face == "bonus" or face in CHAIN:
        return text("aid.bonus" if face == "bonus" else "aid.group")
    if inquiry.at is not None or inquiry.place is not None:
        return text("aid.lay")
    return None


def now(inquiry: Inquiry) -> list[Worth] | None:
    """The groups' totals and the food chain; all else by the evidence."""
    face = inquiry.face or inquiry.line
    seat = _reef_of(inquiry)
    if seat is None:
        return []
    totals = group_totals(lines_of(inquiry.game, inquiry.pack, seat))
    if face in CHAIN:
        return [worth(totals[face], text("aid.group_now"), face, seat)]
    if face == "bonus":
        smallest = min(totals, key=totals.__getitem__)
        reason = text("reason.bonus", group={"noun": smallest})
        return [worth(totals[smallest], reason, "bonus", seat)]
    if inquiry.piece is not None and "down" in inquiry.piece["marks"]:
        return [worth(0, text("aid.down"), face, seat)]
    if inquiry.line or (inquiry.piece is not None and inquiry.at is not None):
        return by_evidence(inquiry) or [worth(0, text("aid.nothing"), face, seat)]
    return []


def more(inquiry: Inquiry) -> list[Help] | None:
    """By trying: every card on every open cell of the reef, and what it would change."""
    game: State = inquiry.game
    seat = _reef_of(inquiry)
    if seat is None or int(game.phase) >= FLIP or (int(game.players) == 1 and seat == TIM):
        return []
    face = inquiry.face or inquiry.line
    if _is_in_hand(inquiry):
        return _best_cells(inquiry, seat, face)
    if inquiry.piece is not None and inquiry.at is None:
        return []
    if inquiry.piece is not None and inquiry.at is not None:
        measure = _measure_of_card(game, seat, cell_at(*inquiry.at))
    elif face in inquiry.seen.lines:
        measure = partial(_measure_of_line, inquiry, seat, face)
    elif face in CHAIN:
        measure = partial(_measure_of_group, inquiry, seat, face)
    else:
        return _best_of_cell(inquiry, seat) if inquiry.at is not None else []
    return _helps(inquiry, seat, measure)


def why(inquiry: Inquiry) -> Text | None:
    """Which condition fails."""
    game: State = inquiry.game
    place = inquiry.place
    if not inquiry.asked or place is None:
        return None
    if inquiry.at is not None:
        grid = int(place["key"].removeprefix("grid"))
        return why_not_in_reef(game, inquiry.viewer, grid, *inquiry.at)
    if place["key"] == "neutral":
        return text("why.neutral")
    if place["key"].startswith("chosen"):
        own = place["seat"] == inquiry.viewer
        return text("why.chosen" if own else "why.other_card")
    return None


# --- trying ---------------------------------------------------------------------------------------


def _reef_of(inquiry: Inquiry) -> int | None:
    """The seat whose reef it is about: the owner's, or the asker's."""
    if inquiry.place is not None and inquiry.place["key"].startswith("grid"):
        return int(inquiry.place["key"].removeprefix("grid"))
    if inquiry.line:
        return inquiry.owner
    return inquiry.viewer if inquiry.viewer >= 0 else None


def _is_in_hand(inquiry: Inquiry) -> bool:
    place = inquiry.place
    held = place is not None and place["key"] in ("hand", f"chosen{inquiry.viewer}")
    return held and bool(inquiry.face)


def _held(inquiry: Inquiry) -> list[int]:
    """The species that the asker may still lay this turn."""
    game, seat = inquiry.game, inquiry.viewer
    if seat < 0:
        return []
    if int(game.phase) == PLACE or int(game.chosen[seat]):
        return [int(game.chosen[seat]) - 1] if int(game.chosen[seat]) else []
    if int(game.phase) != TAKE:
        return []
    hand = game.hands[hand_of(game, seat)]
    return [kind for kind in range(len(SPECIES)) if int(hand[kind])]


def _after_laying(game: State, seat: int, cell: int, kind: int) -> tuple[State, int]:
    """The state with a card more in a reef, and by how far all its cells were shifted."""
    after: State = game.copy()  # type: ignore[attr-defined]
    lay(after, seat, cell, kind + 1)
    shift = (DOWN if TOP_ROW >> cell & 1 else 0) + (RIGHT if FIRST_COLUMN >> cell & 1 else 0)
    return after, shift


def _measure_of_card(game: State, seat: int, cell: int) -> Measure:
    """What the card on a cell makes, with its group if it scores with others."""
    kind = int(game.cells[seat, cell]) - 1
    if kind in SCORED_TOGETHER:
        together = _TOGETHER[kind]
        return lambda tried, shift: int(together(tried, seat))
    return lambda tried, shift: int(points_of_card(tried, seat, cell + shift))


def _measure_of_line(inquiry: Inquiry, seat: int, line: str, tried: State, shift: int) -> int:
    lines = lines_of(tried, inquiry.pack, seat)
    return min(group_totals(lines).values()) if line == "bonus" else lines[line]


def _measure_of_group(inquiry: Inquiry, seat: int, group: str, tried: State, shift: int) -> int:
    return group_totals(lines_of(tried, inquiry.pack, seat))[group]


def _helps(inquiry: Inquiry, seat: int, measure: Measure) -> list[Help]:
    """Which cards would bring how much more, and where."""
    game, held = inquiry.game, _held(inquiry) if seat == inquiry.viewer else []
    before = measure(game, 0)
    where: dict[tuple[int, int], list[int]] = {}
    for kind in range(len(SPECIES)):
        gains: dict[int, list[int]] = defaultdict(list)
        for cell in cells_of(int(open_cells(int(game.reef[seat])))):
            tried, shift = _after_laying(game, seat, cell, kind)
            gains[measure(tried, shift) - before].append(cell)
        best = max(gains, default=0)
        if best > 0:
            where[best, kind] = gains[best]
    return _grouped(seat, where, held)


def _grouped(seat: int, where: dict[tuple[int, int], list[int]], held: Iterable[int]) -> list[Help]:
    """Cards that bring the same on the same cells together."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for (gain, kind), cells in where.items():
        alike[gain, tuple(cells)].append(kind)
    return [
        help_by(
            gain,
            text("aid.on_cells", count=len(cells)),
            faces=[SPECIES[kind] for kind in kinds],
            held=[SPECIES[kind] for kind in kinds if kind in held],
            pieces=[f"hand.{SPECIES[kind]}" for kind in kinds if kind in held],
            cells=[f"grid{seat}:{cell_name(cell)}" for cell in cells],
        )
        for (gain, cells), kinds in alike.items()
    ]


def _best_cells(inquiry: Inquiry, seat: int, face: str) -> list[Help]:
    """Where a card of the hand would bring most."""
    game = inquiry.game
    before, gains = int(score(game, seat)), defaultdict[int, list[int]](list)
    for cell in cells_of(int(open_cells(int(game.reef[seat])))):
        tried, _ = _after_laying(game, seat, cell, SPECIES.index(face))
        gains[int(score(tried, seat)) - before].append(cell)
    best = max(gains, default=0)
    if best <= 0:
        return []
    cells = [f"grid{seat}:{cell_name(cell)}" for cell in gains[best]]
    return [help_by(best, text("aid.laid_there", count=len(cells)), cells=cells)]


def _best_of_cell(inquiry: Inquiry, seat: int) -> list[Help]:
    """Which held card would bring most on an empty cell."""
    game, at = inquiry.game, inquiry.at
    if at is None or seat != inquiry.viewer:
        return []
    cell = cell_at(*at) if -1 <= at[0] <= 4 and -1 <= at[1] <= 5 else -1
    if cell not in cells_of(int(open_cells(int(game.reef[seat])))):
        return []
    before, gains = int(score(game, seat)), defaultdict[int, list[str]](list)
    for kind in _held(inquiry):
        tried, _ = _after_laying(game, seat, cell, kind)
        gains[int(score(tried, seat)) - before].append(SPECIES[kind])
    best = max(gains, default=0)
    if best <= 0:
        return []
    hand = [f"hand.{face}" for face in gains[best]]
    return [help_by(best, text("aid.this_cell"), faces=gains[best], pieces=hand)]
