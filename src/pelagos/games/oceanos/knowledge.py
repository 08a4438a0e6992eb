"""What a seat may know: previews, the view, the story. Redeals are in `worlds`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pelagos.engine.rule import rule
from pelagos.engine.types import Array, Record
from pelagos.engine.view import Choice, Event, Look, Sheet, Step, Text, event, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.oceanos.cards import cards_in, describe, name_of, symbols_on
from pelagos.games.oceanos.rules import (
    DIVE,
    DONE,
    EXTRAS,
    KEEPS,
    PASS,
    UNDERS,
    UPGRADES,
    count_of,
    discards_are_open,
    dive,
    eyes_of,
    has_captain,
    is_laying_now,
    keep,
    upgrade,
    whole_deck,
)
from pelagos.games.oceanos.scoring import (
    ANIMALS,
    KRAKENS,
    PROPELLERS,
    TREASURE,
    counted,
    lines_of,
    outlook,
    standing,
)
from pelagos.games.oceanos.state import (
    AID,
    CAPTAIN_KEEP,
    CAPTAIN_LAY,
    CARDS,
    COLUMNS,
    DECKS,
    DIVERS,
    FUEL,
    GREEN,
    KEEP,
    OVER,
    OWES_CARD,
    OWES_DIVE,
    OWES_EXTRA,
    OWES_UNDER,
    PARTS,
    ROUNDS,
    TAKE,
    TURNS,
    UNDER,
    UNDER_FIRST,
    UNDER_LAST,
    YELLOW,
    Pack,
    State,
)
from pelagos.games.oceanos.worlds import known_in_hand, last_lot_of, redeal

__all__ = [
    "aftermath",
    "census",
    "choice",
    "forced",
    "narrate",
    "preview",
    "redeal",
    "unseen",
    "view",
]

SIZES = ("small", "average", "big")
"""The Kraken tokens, by round."""

# --- previews ---------------------------------------------------------------------------------


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet as it would stand with this action alone."""
    if EXTRAS < action <= UNDERS:
        keep(game, seat, action - EXTRAS)
    elif KEEPS < action <= EXTRAS:
        keep(game, seat, action - KEEPS)
    elif UPGRADES <= action <= KEEPS:
        upgrade(game, seat, action - UPGRADES)
    elif action == DIVE:
        dive(game, seat)
    outlook(game, pack, seat, out)


# --- what has been seen -----------------------------------------------------------------------


def unseen(game: Record, seat: int, depth: int) -> list[int]:
    """The cards of a round that the seat has not seen yet (-1: that nobody need have seen)."""
    seen = int(game.aside[depth])
    if seat >= 0:
        seen |= int(game.seen[seat, depth])
    for row, size in zip(game.rows[:, depth], game.row_size[:, depth], strict=True):
        for card in row[: int(size)].tolist():
            seen |= 1 << card
    return cards_in(int(whole_deck(depth)) & ~seen)


def remembered(game: Record, seat: int) -> list[int]:
    """The cards that the seat saw go under the deck this round, and has not seen since."""
    if discards_are_open(game) or seat < 0:
        return []
    out_of_sight = 0
    for place in range(int(game.depth) * CARDS, (int(game.depth) + 1) * CARDS):
        out_of_sight |= 1 << int(game.deck[place])
    for other in range(int(game.players)):
        if other != seat:
            hidden = int(game.hands[other]) & ~int(known_in_hand(game, seat, other))
            out_of_sight |= hidden
    return [card for card in cards_in(out_of_sight & ~1) if int(last_lot_of(game, seat, card))]


def census(game: Record, pack: Record) -> list[int]:
    """All cards by round and number, then the Kraken tokens and the bag's tokens by value."""
    counts = []
    for depth, size in enumerate(DECKS):
        numbers = game.deck[depth * CARDS : (depth + 1) * CARDS].tolist()
        numbers += game.rows[:, depth].ravel().tolist()
        numbers += cards_in(int(game.aside[depth]))
        if depth == int(game.depth) and int(game.phase) != OVER:
            for hand in game.hands.tolist():
                numbers += cards_in(hand)
        counts += [numbers.count(card) for card in range(1, size + 1)]
    for tokens in (*game.kraken.tolist(), game.bag.tolist()):
        counts += [tokens.count(value) for value in sorted(set(tokens))]
    return counts


# --- the view ---------------------------------------------------------------------------------


def forced(game: Record, pack: Record, seat: int) -> bool:
    """Everyone knows of a last card in hand."""
    return int(game.stage[seat]) == OWES_CARD


def view(look: Look) -> None:
    """The table: expeditions, submarines, hands, deck and discards."""
    game = look.game
    look.phase = _taking_part(game, look)
    _prompt(look, game)
    for seat in look.seats:
        own = look.viewer == seat
        laid = game.rows[seat], game.row_size[seat], game.dived[seat], game.fuelled[seat]
        look.part(_rows, seat, on=(*laid, game.depth, look.over, own, own and game.kept[seat]))
        look.part(_boat, seat, on=(game.boat[seat],))
    for seat in look.seats:
        _hand(look, game, seat)
    if not look.over:
        _deck(look, game)
        look.standing = [_standing(look, game, seat) for seat in range(look.players)]
    _facts(look, game)


def _standing(look: Look, game: Record, seat: int) -> Sheet:
    on = counted(game, seat)
    return look.count("standing", seat, on, lambda: standing(game, look.pack, seat))


def _taking_part(game: Record, look: Look) -> list[int]:
    phase, owing = int(game.phase), int(game.owing)
    if phase == KEEP:
        return [seat for seat in range(look.players) if is_laying_now(game, seat)]
    if phase in (CAPTAIN_KEEP, CAPTAIN_LAY):
        return [int(game.captain)]
    if phase == UNDER:
        return [seat for seat in range(look.players) if int(game.hands[seat])]
    return [
        seat for seat in range(look.players) if owing >> seat & 1 or int(game.boat_before[seat, 0])
    ]


def _laying(game: Record, seat: int) -> tuple[int, int]:
    """Row and column of the card that the seat is laying."""
    depth = int(game.depth)
    return depth, int(game.row_size[seat, depth]) - int(game.laying[seat])


def _prompt(look: Look, game: Record) -> None:
    seat = look.viewer
    if look.over or seat < 0 or not int(game.owing) >> seat & 1:
        return
    stage = int(game.stage[seat])
    depth = int(game.depth)
    if stage == OWES_CARD:
        turn = {"round": depth + 1, "turn": int(game.turn) + 1, "turns": TURNS}
        look.ask("prompt.captain" if int(game.phase) == CAPTAIN_KEEP else "prompt.keep", **turn)
    elif stage == OWES_EXTRA:
        look.ask("prompt.extra", count=int(game.boat[seat, FUEL]))
    elif stage == OWES_DIVE:
        _, column = _laying(game, seat)
        card = describe(look.pack, depth, int(game.rows[seat, depth, column]))
        look.ask("prompt.dive", card=card)
    elif stage == OWES_UNDER:
        look.ask("prompt.under")
    else:
        both = int(game.boat[seat, GREEN]) and int(game.boat[seat, YELLOW])
        place = "aid" if int(game.phase) == AID else "base"
        look.ask(f"prompt.{place}_both" if both else f"prompt.{place}")


def _marks(pack: Record, depth: int, card: int) -> list[str]:
    return [symbol for symbol, count in symbols_on(pack, depth, card).items() for _ in range(count)]


def _rows(look: Look, seat: int) -> None:
    game = look.game
    sizes = game.row_size[seat].tolist()
    place = f"rows{seat}"
    label = text("place.rows", player={"seat": seat})
    rows = ROUNDS if look.over else int(game.depth) + 1
    columns = max(max(sizes), 1)
    look.place(place, "grid", label, seat=seat, rows=rows, columns=columns)
    for depth, size in enumerate(sizes):
        for column in range(size):
            card = int(game.rows[seat, depth, column])
            marks = _marks(look.pack, depth, card)
            if int(game.dived[seat]) >> (depth * COLUMNS + column) & 1:
                marks.append("diver")
            if depth == int(game.depth) and int(game.fuelled[seat]) >> column & 1:
                marks.append("fuelled")
            key = f"card{seat}.{sum(sizes[:depth]) + column + 1}"
            face = name_of(look.pack, depth, card)
            look.piece(key, place, face, at=(depth, column), marks=marks)
    kept = int(game.kept[seat])
    if seat == look.viewer and kept:
        look.place("kept", "row", text("place.kept"), seat=seat)
        depth = int(game.depth)
        for column in range(sizes[depth], sizes[depth] + kept):
            card = int(game.rows[seat, depth, column])
            face = name_of(look.pack, depth, card)
            look.piece(f"kept.{face}", "kept", face, marks=_marks(look.pack, depth, card))


def _boat(look: Look, seat: int) -> None:
    game = look.game
    place = f"boat{seat}"
    look.place(place, "stack", text("place.boat", player={"seat": seat}), seat=seat)
    boat = game.boat[seat].tolist()
    for part, name in enumerate(PARTS):
        look.piece(f"{place}.{name}", place, name, marks=[f"level{boat[part]}"])
    for item, name in ((FUEL, "fuel"), (DIVERS, "diver"), (GREEN, "green"), (YELLOW, "yellow")):
        if boat[item]:
            look.piece(f"{place}.{name}", place, name, count=boat[item])


def _hand(look: Look, game: Record, seat: int) -> None:
    hand = int(game.hands[seat])
    own = seat == look.viewer
    if not hand and not own:
        return
    if look.over:
        return
    place = "hand" if own else f"hand{seat}"
    label = text("place.hand") if own else text("place.hand_of", player={"seat": seat})
    look.place(place, "hand", label, seat=seat)
    known = hand if own else int(known_in_hand(game, look.viewer, seat))
    depth = int(game.depth)
    for card in cards_in(known):
        face = name_of(look.pack, depth, card)
        look.piece(f"{place}.{face}", place, face, marks=_marks(look.pack, depth, card))
    hidden = int(count_of(hand & ~known))
    if hidden:
        look.piece(f"{place}.hidden", place, None, count=hidden)


def _deck(look: Look, game: Record) -> None:
    depth = int(game.depth)
    look.place("deck", "stack", text("place.deck", round=depth + 1))
    if int(game.left):
        look.piece("deck", "deck", None, count=int(game.left))
    if int(game.aside[depth]):
        look.place("discards", "stack", text("place.discards"))
        for card in cards_in(int(game.aside[depth])):
            face = name_of(look.pack, depth, card)
            marks = _marks(look.pack, depth, card)
            look.piece(f"discards.{face}", "discards", face, marks=marks)


def _facts(look: Look, game: Record) -> None:
    depth, seats = int(game.depth), range(look.players)
    look.facts["round"] = depth + 1
    look.facts["turn"] = min(int(game.turn) + 1, TURNS)
    if has_captain(game):
        look.facts["captain"] = {"seat": int(game.captain)}
    look.facts["eyes"] = {str(seat): int(eyes_of(game, look.pack, seat, depth)) for seat in seats}
    look.facts["kraken"] = {
        size: int(tokens[0]) if int(game.flipped) >> at & 1 else _face_down(tokens)
        for at, (size, tokens) in enumerate(zip(SIZES, game.kraken, strict=True))
    }
    look.facts["unseen"] = {
        f"round{at + 1}": len(unseen(game, look.viewer, at)) for at in range(depth, ROUNDS)
    }
    under = [name_of(look.pack, depth, card) for card in remembered(game, look.viewer)]
    if under and not look.over:
        look.facts["under"] = under
    if look.over:
        del look.facts["turn"], look.facts["unseen"], look.facts["eyes"]


def _face_down(tokens: Array) -> Text:
    """A token that may have any of its size's values."""
    return text("fact.unseen_token", values=sorted(set(tokens.tolist()), reverse=True))


def choice(game: Record, pack: Record, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    stage = int(game.stage[seat])
    if action > KEEPS:
        return _with_card(game, pack, action)
    if action == DONE:
        return make_choice(text("label.done"), group="keep")
    if stage == OWES_UNDER:
        return make_choice(text("label.keep_all"), group="under")
    if stage == OWES_DIVE:
        depth, column = _laying(game, seat)
        place = f"rows{seat}"
        return make_choice(
            text("label.dive" if action == DIVE else "label.no_dive"),
            group="dive",
            piece=f"{place}:{depth},{column}" if action == DIVE else None,
            place=place if action == DIVE else None,
            at=(depth, column) if action == DIVE else None,
        )
    if action == PASS:
        return make_choice(text("label.no_upgrade"), group="upgrade")
    part = action - UPGRADES
    level = int(game.boat[seat, part]) + 1
    place = f"boat{seat}"
    return make_choice(
        text("label.upgrade", part={"noun": PARTS[part]}, level=level),
        group="upgrade",
        piece=f"{place}.{PARTS[part]}",
        place=place,
        variant=PARTS[part],
    )


def _with_card(game: Record, pack: Record, action: int) -> Choice:
    verb, first = _verb(action)
    depth = int(game.depth)
    card = describe(pack, depth, action - first)
    piece = f"hand.{name_of(pack, depth, action - first)}"
    group = "under" if verb == "under" else "keep"
    return make_choice(text(f"label.{verb}", card=card), group=group, piece=piece, place="hand")


def _verb(action: int) -> tuple[str, int]:
    if action > UNDERS:
        return "under", UNDERS
    return ("extra", EXTRAS) if action > EXTRAS else ("keep", KEEPS)


# --- the story --------------------------------------------------------------------------------


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, once the viewer may know it."""
    if step.seat < 0:
        yield from _narrate_chance(step, viewer)
        return
    game, seat, action = step.before, step.seat, step.action
    who = {"seat": seat}
    if action > KEEPS:
        yield _narrate_card(step, viewer)
    elif UPGRADES <= action <= KEEPS:
        part = action - UPGRADES
        level = int(game.boat[seat, part]) + 1
        piece = f"boat{seat}.{PARTS[part]}"
        noun = {"noun": PARTS[part]}
        yield event("event.upgrade", who=who, part=noun, level=level, piece=piece)
    elif action == DIVE:
        depth, column = _laying(game, seat)
        card = describe(step.pack, depth, int(game.rows[seat, depth, column]))
        target = f"rows{seat}:{depth},{column}"
        yield event("event.dive", who=who, card=card, source=f"boat{seat}", target=target)


def _narrate_card(step: Step, viewer: int) -> Event:
    game, seat = step.before, step.seat
    verb, first = _verb(step.action)
    depth, number = int(game.depth), step.action - first
    card = describe(step.pack, depth, number)
    source = "hand" if seat == viewer else f"hand{seat}"
    if verb == "under":
        known = seat == viewer or int(known_in_hand(game, viewer, seat)) >> number & 1
        if not known:
            return event("event.under_hidden", who={"seat": seat}, source=source, target="deck")
        return event("event.under", who={"seat": seat}, card=card, source=source, target="deck")
    column = int(game.row_size[seat, depth]) + int(game.kept[seat])
    return event(
        f"event.{verb}",
        who={"seat": seat},
        card=card,
        source=source,
        target=f"rows{seat}:{depth},{column}",
    )


def _narrate_chance(step: Step, viewer: int) -> Iterator[Event]:
    game, phase = step.before, int(step.before.phase)
    if phase == TAKE:
        seat, card = step.outcome
        captain = int(game.captain)
        key = "event.take" if viewer in (seat, captain) else "event.take_hidden"
        told: dict[str, Any] = {"who": {"seat": captain}, "player": {"seat": seat}}
        if key == "event.take":
            told["card"] = describe(step.pack, int(game.depth), card)
        yield event(key, source=_hand_key(seat, viewer), target=_hand_key(captain, viewer), **told)
    elif phase in (UNDER_FIRST, UNDER_LAST):
        yield event("event.sink", count=len(step.outcome), target="deck")
    else:
        yield event("event.reshuffle", count=len(step.outcome), source="discards", target="deck")


def _hand_key(seat: int, viewer: int) -> str:
    return "hand" if seat == viewer else f"hand{seat}"


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a phase's last move."""
    before, after = step.before, step.after
    depth = int(before.depth)
    over = int(after.phase) == OVER
    if int(before.phase) == KEEP and discards_are_open(before):
        yield event("event.return", who={"seat": int(before.captain)})
    if int(before.phase) in (CAPTAIN_KEEP, CAPTAIN_LAY) and discards_are_open(before):
        yield from _discarded(step)
    if int(before.phase) == UNDER:
        yield event("event.swap")
    if int(after.depth) != depth or over:
        yield from _round_scored(step, depth)
        yield from _game_scored(step) if over else ()
    elif int(after.phase) == AID and int(before.phase) != AID:
        yield event("event.aid")
    if (int(after.depth), int(after.turn)) != (depth, int(before.turn)) and not over:
        yield from _new_turn(after)


def _discarded(step: Step) -> Iterator[Event]:
    """The captain's leftovers, once the turn is over."""
    before, after = step.before, step.after
    depth, captain = int(before.depth), int(before.captain)
    if (int(before.depth), int(before.turn)) == (int(after.depth), int(after.turn)):
        return
    left = int(before.hands[captain])
    if int(before.phase) == CAPTAIN_KEEP and step.action > KEEPS:
        left &= ~(1 << step.action - _verb(step.action)[1])
    for card in cards_in(left):
        told = describe(step.pack, depth, card)
        source = f"hand{captain}"
        yield event(
            "event.discard", who={"seat": captain}, card=told, source=source, target="discards"
        )


def _new_turn(after: Record) -> Iterator[Event]:
    if int(after.phase) == AID:
        return
    if int(after.turn) == 0:
        yield event("event.round", round=int(after.depth) + 1)
    if has_captain(after):
        yield event("event.captain", who={"seat": int(after.captain)})


def _round_scored(step: Step, depth: int) -> Iterator[Event]:
    after = step.after
    for seat in range(int(after.players)):
        lines = list(lines_of(after, step.pack, seat).values())
        stars = lines[ANIMALS + depth] + lines[PROPELLERS + depth]
        yield event("event.scored", who={"seat": seat}, round=depth + 1, stars=stars)
    if not int(after.flipped) >> depth & 1:
        yield event("event.asleep")
        return
    value = int(after.kraken[depth, 0])
    yield event("event.kraken", value=value)
    eyes = [int(eyes_of(after, step.pack, seat, depth)) for seat in range(int(after.players))]
    for seat, count in enumerate(eyes):
        if count == max(eyes):
            lost = int(after.lines[seat, KRAKENS + depth])
            yield event("event.watched", who={"seat": seat}, count=count, stars=-lost)


def _game_scored(step: Step) -> Iterator[Event]:
    after = step.after
    for seat in range(int(after.players)):
        if int(after.chests[seat]):
            stars = list(lines_of(after, step.pack, seat).values())[TREASURE]
            yield event(
                "event.treasure", who={"seat": seat}, count=int(after.chests[seat]), stars=stars
            )
    yield event("event.over")
