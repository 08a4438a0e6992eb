"""What a viewer sees: expeditions, submarines, hands, deck and discards, and what may be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pelagos.engine.bits import count_of
from pelagos.engine.types import SPECTATOR, Array, Record
from pelagos.engine.view import Choice, Look, Part, Reads, Text, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.oceanos.actions import ACTIONS
from pelagos.games.oceanos.cards import (
    being_laid,
    card_of,
    cards_in,
    chests_on,
    crystals_on,
    describe,
    marks_on,
    name_of,
)
from pelagos.games.oceanos.knowledge import remembered, unseen
from pelagos.games.oceanos.rules import (
    AQUARIUM_ROOM,
    PROPELLER_STARS,
    deepest_diver,
    discards_are_open,
    eyes_of,
    has_captain,
    is_laying_now,
    least_upgraded,
    left_of_captain,
    lowest_level,
    may_dive,
    may_upgrade,
    upgrade_limit,
)
from pelagos.games.oceanos.scoring import STANDING, chests_within_reach, standing
from pelagos.games.oceanos.state import (
    AID,
    CAPTAIN_KEEP,
    CAPTAIN_LAY,
    COLUMNS,
    DIVERS,
    FUEL,
    GREEN,
    HAS_BASE,
    KEEP,
    LEVELS,
    OWES_CARD,
    OWES_DIVE,
    OWES_EXTRA,
    OWES_UNDER,
    OWES_UPGRADE,
    PARTS,
    PROPELLER,
    ROUNDS,
    TURNS,
    UNDER,
    YELLOW,
)
from pelagos.games.oceanos.worlds import known_in_hand

KRAKEN_SIZES = ("small", "average", "big")
"""The Kraken tokens, by round."""
LEVEL_NUMBERS = tuple(range(1, LEVELS + 1))
PART_GIVES = {
    "propeller": PROPELLER_STARS[1:],
    "motor": LEVEL_NUMBERS,
    "cockpit": tuple(level + 1 for level in LEVEL_NUMBERS),
    "aquarium": AQUARIUM_ROOM[1:],
    "airlock": LEVEL_NUMBERS,
}
"""What a part gives at each level: stars, fuel, cards dealt, kinds of animals, divers."""
PARTS_FACT = {
    part: text(f"fact.{part}", level1=gives[0], level2=gives[1], level3=gives[2])
    for part, gives in PART_GIVES.items()
}
CRYSTALS = {"green": GREEN, "yellow": YELLOW}
"""Where a submarine keeps the pending crystals of each colour."""
CARD_LABELS = {"keep": "label.keep", "fuel": "label.extra", "under": "label.under"}

ROWS = Reads(
    "depth",
    seat=("rows", "row_size", "dived", "fuelled", "boat", "laying"),
    public=True,
    but_own=True,
)
KEPT = Reads("depth", seat=("rows", "row_size", "kept"))
BOAT = Reads(seat=("boat",), public=True, but_own=True)
DECK = Reads("depth", "left", "aside", public=True)
HAND = Reads("depth", public=True)
LAID = Reads(seat=("rows", "row_size", "dived"), public=True, but_own=True)


class Table(NamedTuple):
    """What everybody sees alike, in numbers."""

    taking_part: list[int]
    eyes: list[int]
    """The Kraken's eyes on each seat's row of this round, as far as others see it."""
    kraken: dict[str, int | Text]
    unseen: list[int]
    """The cards of each round from this one on that nobody need have seen, as sets."""


def view(look: Look) -> None:
    """The whole table."""
    game, table = look.game, look.public(_table)
    look.phase = table.taking_part
    owes = _owed(look, game)
    _prompt(look, game, owes)
    rows = ROUNDS if look.over else int(game.depth) + 1
    for seat in look.seats:
        look.part(_rows, seat, rows, reads=ROWS.of(seat))
        if seat == look.viewer and int(game.kept[seat]):
            look.part(_kept, seat, reads=KEPT.of(seat))
        look.part(_boat, seat, reads=BOAT.of(seat))
    if not look.over:
        _hands(look, game)
        look.part(_deck, reads=DECK.of())
        look.stand(standing, reads=STANDING)
    _facts(look, game, table, owes)
    if look.viewer >= 0 and not look.over:
        _reasons(look, game, owes)


def _table(game: Record, pack: Record) -> Table:
    seats, depth = range(int(game.players)), int(game.depth)
    return Table(
        _taking_part(game),
        [int(eyes_of(game, pack, seat, depth)) for seat in seats],
        _kraken(game),
        [unseen(game, SPECTATOR, at) for at in range(depth, ROUNDS)],
    )


def _owed(look: Look, game: Record) -> int:
    """What the viewer owes; 0: nothing."""
    seat = look.viewer
    if look.over or seat < 0 or not int(game.owing) >> seat & 1:
        return 0
    return int(game.stage[seat])


def _taking_part(game: Record) -> list[int]:
    seats, phase = range(int(game.players)), int(game.phase)
    if phase == KEEP:
        return [seat for seat in seats if is_laying_now(game, seat)]
    if phase in (CAPTAIN_KEEP, CAPTAIN_LAY):
        return [int(game.captain)]
    if phase == UNDER:
        return [seat for seat in seats if int(game.hands[seat])]
    owing, before = int(game.owing), game.boat_before[:, PROPELLER].tolist()
    return [seat for seat in seats if owing >> seat & 1 or before[seat]]


def _prompt(look: Look, game: Record, owes: int) -> None:
    seat, depth = look.viewer, int(game.depth)
    if owes == OWES_CARD:
        key = "prompt.captain" if int(game.phase) == CAPTAIN_KEEP else "prompt.keep"
        spare = min(int(game.boat[seat, FUEL]), int(count_of(int(game.hands[seat]))) - 1)
        turn = int(game.turn) + 1
        look.ask(key, round=depth + 1, turn=turn, turns=TURNS, spare=spare)
    elif owes == OWES_EXTRA:
        look.ask("prompt.extra", count=int(game.boat[seat, FUEL]))
    elif owes == OWES_DIVE:
        _, column = being_laid(game, seat)
        card = describe(look.pack, depth, int(game.rows[seat, depth, column]))
        look.ask("prompt.dive", card=card)
    elif owes == OWES_UNDER:
        look.ask("prompt.under")
    elif owes == OWES_UPGRADE:
        limit = int(upgrade_limit(game, seat))
        place = "aid" if int(game.phase) == AID else "base"
        both = "_third" if int(least_upgraded(game, seat, limit)) > 1 else "_both"
        look.ask(f"prompt.{place}{both}" if limit == LEVELS else f"prompt.{place}")


# --- places and pieces ------------------------------------------------------------------------


def _rows(part: Part, game: Record, seat: int, rows: int) -> None:
    """A seat's cards, and what lies on them."""
    sizes, rows_of_cards = game.row_size[seat].tolist(), game.rows[seat].tolist()
    dived, fuelled, newest = int(game.dived[seat]), int(game.fuelled[seat]), int(game.depth)
    place = f"rows{seat}"
    label = text("place.rows", player={"seat": seat})
    part.place(place, "grid", label, seat=seat, rows=rows, columns=max(*sizes, 1))
    pending = _pending_crystals(game, part.pack, seat)
    number = 0
    for depth, size in enumerate(sizes):
        for column in range(size):
            card = card_of(part.pack, depth, rows_of_cards[depth][column])
            marks = [*card.marks]
            if dived >> (depth * COLUMNS + column) & 1:
                marks.append("diver")
            if depth == newest and fuelled >> column & 1:
                marks.append("fuelled")
            if (depth, column) in pending:
                marks.append("pending")
            number += 1
            part.piece(f"card{seat}.{number}", place, card.name, at=(depth, column), marks=marks)


def _pending_crystals(game: Record, pack: Record, seat: int) -> set[tuple[int, int]]:
    """The cards whose crystals are pending: the newest, for an upgrade uses up all."""
    left = {colour: int(game.boat[seat, item]) for colour, item in CRYSTALS.items()}
    cells: set[tuple[int, int]] = set()
    if not any(left.values()):
        return cells
    sizes, rows = game.row_size[seat].tolist(), game.rows[seat].tolist()
    newest = int(game.depth)
    sizes[newest] -= int(game.laying[seat])
    for depth in range(newest, -1, -1):
        for column in range(sizes[depth] - 1, -1, -1):
            for colour in crystals_on(pack, depth, rows[depth][column]):
                if left[colour]:
                    left[colour] -= 1
                    cells.add((depth, column))
    return cells


def _kept(part: Part, game: Record, seat: int) -> None:
    """What the viewer keeps face down, after the last card of the row."""
    part.place("kept", "row", text("place.kept"), seat=seat)
    depth = int(game.depth)
    first = int(game.row_size[seat, depth])
    for column in range(first, first + int(game.kept[seat])):
        card = int(game.rows[seat, depth, column])
        face = name_of(part.pack, depth, card)
        part.piece(f"kept.{face}", "kept", face, marks=marks_on(part.pack, depth, card))


def _boat(part: Part, game: Record, seat: int) -> None:
    """A submarine: its parts, and what is on board."""
    place = f"boat{seat}"
    part.place(place, "stack", text("place.boat", player={"seat": seat}), seat=seat)
    boat = game.boat[seat].tolist()
    for number, name in enumerate(PARTS):
        part.piece(f"{place}.{name}", place, name, marks=[f"level{boat[number]}"])
    for item, name in ((FUEL, "fuel"), (DIVERS, "diver"), (GREEN, "green"), (YELLOW, "yellow")):
        if boat[item]:
            part.piece(f"{place}.{name}", place, name, count=boat[item])


def _hands(look: Look, game: Record) -> None:
    """The viewer's own hand, and what is known of the others'."""
    hands, viewer = game.hands.tolist(), look.viewer
    for seat in look.seats:
        hand, own = hands[seat], seat == viewer
        if hand or own:
            known = hand if own else int(known_in_hand(game, viewer, seat))
            hidden = (hand & ~known).bit_count()
            look.part(_hand, seat, own, known, hidden, reads=HAND.of())


def _hand(part: Part, game: Record, seat: int, own: bool, known: int, hidden: int) -> None:
    place = "hand" if own else f"hand{seat}"
    label = text("place.hand") if own else text("place.hand_of", player={"seat": seat})
    part.place(place, "hand", label, seat=seat)
    depth = int(game.depth)
    for number in cards_in(known):
        card = card_of(part.pack, depth, number)
        part.piece(f"{place}.{card.name}", place, card.name, marks=card.marks)
    if hidden:
        part.piece(f"{place}.hidden", place, None, count=hidden)


def _deck(part: Part, game: Record) -> None:
    depth = int(game.depth)
    part.place("deck", "stack", text("place.deck", round=depth + 1))
    if int(game.left):
        part.piece("deck", "deck", None, count=int(game.left))
    if int(game.aside[depth]):
        part.place("discards", "stack", text("place.discards"))
        for number in cards_in(int(game.aside[depth])):
            card = card_of(part.pack, depth, number)
            part.piece(f"discards.{card.name}", "discards", card.name, marks=card.marks)


# --- facts ------------------------------------------------------------------------------------


def _facts(look: Look, game: Record, table: Table, owes: int) -> None:
    facts, depth, running = look.facts, int(game.depth), not look.over
    facts["round"] = depth + 1
    if running:
        facts["turn"] = min(int(game.turn) + 1, TURNS)
        facts["turns_left"] = TURNS - facts["turn"]
    if has_captain(game):
        facts["captain"] = {"seat": int(game.captain)}
    if has_captain(game) and running:
        facts["next"] = {"seat": int(left_of_captain(game, 1))}
    if running:
        facts["eyes"] = {str(seat): count for seat, count in enumerate(table.eyes)}
        if look.viewer >= 0:
            own = int(eyes_of(game, look.pack, look.viewer, depth))
            facts["eyes"][str(look.viewer)] = own
    facts["kraken"] = table.kraken
    if running:
        _facts_of_cards(look, game, table, owes)
    facts["parts"] = PARTS_FACT


def _kraken(game: Record) -> dict[str, int | Text]:
    """The Kraken's token of each round, as far as it was turned up."""
    return {
        size: int(tokens[0]) if int(game.flipped) >> at & 1 else _face_down(tokens)
        for at, (size, tokens) in enumerate(zip(KRAKEN_SIZES, game.kraken, strict=True))
    }


def _facts_of_cards(look: Look, game: Record, table: Table, owes: int) -> None:
    """What the viewer has not seen, saw go under the deck, and leaves in the hand."""
    depth, viewer = int(game.depth), look.viewer
    seen = game.seen[viewer].tolist() if viewer >= 0 else [0] * ROUNDS
    look.facts["unseen"] = {
        f"round{at + 1}": (cards & ~seen[at]).bit_count()
        for at, cards in enumerate(table.unseen, start=depth)
    }
    under = [name_of(look.pack, depth, card) for card in remembered(game, viewer)]
    if under:
        look.facts["under"] = under
    if owes in (OWES_CARD, OWES_EXTRA):
        look.facts["rest"] = _where_the_rest_goes(game, viewer)


def _face_down(tokens: Array) -> Text:
    """A token that may have any of its size's values."""
    return text("fact.unseen_token", values=sorted(set(tokens.tolist()), reverse=True))


def _where_the_rest_goes(game: Record, seat: int) -> Text:
    """What becomes of the cards that the seat doesn't keep."""
    if not has_captain(game):
        if int(game.turn) + 1 == TURNS:  # nothing is passed on into the next round (OCN-54)
            return text("fact.goes_away")
        return text("fact.goes_other", who={"seat": 1 - seat})
    captain = {"seat": int(game.captain)}
    if is_laying_now(game, seat):
        return text("fact.goes_captain" if discards_are_open(game) else "fact.taken", who=captain)
    return text("fact.goes_away" if discards_are_open(game) else "fact.goes_under")


# --- why something can't be chosen ------------------------------------------------------------


def _reasons(look: Look, game: Record, owes: int) -> None:
    """Parts, cards of the hand, treasures on the table."""
    seat = look.viewer
    if owes == OWES_UPGRADE:
        _why_no_upgrade(look, game)
    else:
        crystals = int(upgrade_limit(game, seat)) > 1
        look.why(f"boat{seat}", "why.no_base" if crystals else "why.no_crystal")
    if owes not in (OWES_CARD, OWES_EXTRA, OWES_UNDER) and int(game.hands[seat]):
        look.why("hand", f"why.{_why_no_card(game, seat)}")
    _why_no_diver(look, game, owes)


def _why_no_upgrade(look: Look, game: Record) -> None:
    """The parts that the pending crystals can't improve."""
    seat = look.viewer
    limit = int(upgrade_limit(game, seat))
    least = int(least_upgraded(game, seat, limit))
    for part, level in zip(PARTS, game.boat[seat].tolist(), strict=False):
        if level < least:
            look.why(f"boat{seat}.{part}", "why.third_level_first")
        elif level >= limit:
            reason = "why.highest_level" if level == LEVELS else "why.both_colours"
            look.why(f"boat{seat}.{part}", reason)


def _why_no_card(game: Record, seat: int) -> str:
    """Why the seat can't keep a card of its hand."""
    phase = int(game.phase)
    if phase == UNDER:
        return "chosen"
    if not is_laying_now(game, seat) and phase != CAPTAIN_LAY:
        return "captain_last"
    return "no_fuel" if phase == KEEP and not int(game.boat[seat, FUEL]) else "kept"


def _why_no_diver(look: Look, game: Record, owes: int) -> None:
    """The laid treasures that no diver brings up."""
    seat = look.viewer
    lost = look.compute(_lost_treasures, seat, reads=LAID.of(seat))
    asked = being_laid(game, seat) if owes == OWES_DIVE else None
    reason = "why.diver_late" if lost and may_dive(game, seat) else "why.no_diver"
    for cell in lost:
        if cell != asked:
            look.why(look.names[f"rows{seat}:{cell[0]},{cell[1]}"], reason)


def _lost_treasures(game: Record, pack: Record, seat: int) -> list[tuple[int, int]]:
    """Row and column of each laid treasure below the deepest diver of its column."""
    return [
        (depth, column)
        for depth, row in enumerate(game.rows[seat].tolist())
        for column, card in enumerate(row[: int(game.row_size[seat, depth])])
        if chests_on(pack, depth, card) and depth > int(deepest_diver(game, seat, column))
    ]


# --- choices ----------------------------------------------------------------------------------


def choice(game: Record, pack: Record, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    verb, values, _ = ACTIONS.decode(action)
    if verb in CARD_LABELS:
        depth, card = int(game.depth), values[0]
        return make_choice(
            text(CARD_LABELS[verb], card=describe(pack, depth, card)),
            group="under" if verb == "under" else "keep",
            piece=f"hand.{name_of(pack, depth, card)}",
            place="hand",
        )
    if verb == "upgrade":
        return _upgrade(game, seat, values[0])
    if verb == "dive":
        return _dive(game, pack, seat)
    if verb == "done":
        return make_choice(text("label.done"), group="keep")
    passed, group = {
        OWES_DIVE: ("label.no_dive", "dive"),
        OWES_UPGRADE: ("label.no_upgrade", "upgrade"),
        OWES_UNDER: ("label.keep_all", "under"),
    }[int(game.stage[seat])]
    return make_choice(text(passed), group=group)


def _upgrade(game: Record, seat: int, part: str) -> Choice:
    place = f"boat{seat}"
    level = int(game.boat[seat, PARTS.index(part)]) + 1
    return make_choice(
        text("label.upgrade", part={"noun": part}, level=level),
        group="upgrade",
        piece=f"{place}.{part}",
        place=place,
        variant=part,
    )


def _dive(game: Record, pack: Record, seat: int) -> Choice:
    place, cell = f"rows{seat}", being_laid(game, seat)
    chests = chests_within_reach(game, pack, seat, *cell)
    return make_choice(
        text("label.dive", count=sum(chests.values())),
        group="dive",
        piece=f"{place}:{cell[0]},{cell[1]}",
        place=place,
        at=cell,
    )


def asks(game: Record, pack: Record, seat: int, action: int) -> list[Text]:
    """What a choice will ask next, when its card is laid."""
    verb, values, _ = ACTIONS.decode(action)
    if verb in ("keep", "fuel"):
        return [*_asks_diver(game, pack, seat, values[0]), *_asks_base(game, pack, seat, values[0])]
    if int(game.stage[seat]) == OWES_DIVE:
        depth, column = being_laid(game, seat)
        stops = int(pack.stops[depth, int(game.rows[seat, depth, column])])
        return [text("ask.base")] if stops & HAS_BASE and may_upgrade(game, seat) else []
    return []


def _asks_diver(game: Record, pack: Record, seat: int, card: int) -> Iterator[Text]:
    """A diver for the treasure of a card of the hand, once it is the next of its row."""
    depth = int(game.depth)
    treasure = chests_on(pack, depth, card)
    if treasure and may_dive(game, seat):
        column = int(game.row_size[seat, depth]) + int(game.kept[seat])
        chests = chests_within_reach(game, pack, seat, depth, column)
        rows_up = depth - min(chests, default=depth)
        yield text("ask.diver", count=treasure + sum(chests.values()), rows_up=rows_up)


def _asks_base(game: Record, pack: Record, seat: int, card: int) -> Iterator[Text]:
    """An upgrade at the base of a card of the hand; crystals of cards kept before it count."""
    depth = int(game.depth)
    if not int(pack.stops[depth, card]) & HAS_BASE:
        return
    colours = {colour for colour, item in CRYSTALS.items() if int(game.boat[seat, item])}
    first = int(game.row_size[seat, depth])
    for column in range(first, first + int(game.kept[seat])):
        colours.update(crystals_on(pack, depth, int(game.rows[seat, depth, column])))
    if not colours:
        yield text("ask.no_crystal")
    elif int(lowest_level(game, seat)) < 1 + len(colours):
        yield text("ask.base")
