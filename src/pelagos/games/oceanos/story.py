"""What happened, in events: moves once the viewer may know them, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pelagos.engine.game import BY_LOT
from pelagos.engine.types import Record
from pelagos.engine.view import Event, Step, event
from pelagos.games.oceanos.actions import ACTIONS
from pelagos.games.oceanos.cards import being_laid, cards_in, describe, hand_of
from pelagos.games.oceanos.rules import discards_are_open, eyes_of, has_captain, left_of_captain
from pelagos.games.oceanos.scoring import ANIMALS, KRAKENS, PROPELLERS, lines_of
from pelagos.games.oceanos.state import (
    AID,
    CAPTAIN_KEEP,
    CAPTAIN_LAY,
    KEEP,
    OVER,
    PARTS,
    TAKE,
    UNDER,
    UNDER_FIRST,
    UNDER_LAST,
)
from pelagos.games.oceanos.worlds import known_in_hand

# --- before the first move --------------------------------------------------------------------


def opening(game: Record, pack: Record, viewer: int, options: Mapping[str, Any]) -> Iterator[Event]:
    """Who is the first captain, and why (OCN-11)."""
    if has_captain(game):
        chosen = options.get("captain", BY_LOT) != BY_LOT
        key = "event.first_captain_chosen" if chosen else "event.first_captain"
        yield event(key, who={"seat": int(game.captain)})


# --- moves ------------------------------------------------------------------------------------


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, once the viewer may know it."""
    if step.seat < 0:
        yield _chance(step, viewer)
        return
    verb, values, _ = ACTIONS.decode(step.action)
    if verb in ("keep", "fuel"):
        yield _keep(step, viewer, verb, values[0])
    elif verb == "under":
        yield _under(step, viewer, values[0])
    elif verb == "upgrade":
        yield _upgrade(step, values[0])
    elif verb == "dive":
        yield _dive(step)


def is_told_apart(step: Step, viewer: int) -> bool:
    """Whoever moves, or takes a card, or loses it; and all whose cards go under the deck."""
    if step.seat >= 0:
        return viewer == step.seat or int(step.before.phase) == UNDER
    taken = int(step.before.phase) == TAKE
    return taken and viewer in (int(step.before.captain), step.outcome[0])


def _keep(step: Step, viewer: int, verb: str, card: int) -> Event:
    game, seat, depth = step.before, step.seat, int(step.before.depth)
    column = int(game.row_size[seat, depth]) + int(game.kept[seat])
    return event(
        "event.keep" if verb == "keep" else "event.extra",
        who={"seat": seat},
        card=describe(step.pack, depth, card),
        source=hand_of(seat, viewer),
        target=f"rows{seat}:{depth},{column}",
    )


def _under(step: Step, viewer: int, card: int) -> Event:
    """A card under the deck is known to its owner, and to the one who passed it on."""
    game, seat = step.before, step.seat
    who, source = {"seat": seat}, hand_of(seat, viewer)
    if seat == viewer or int(known_in_hand(game, viewer, seat)) >> card & 1:
        shown = describe(step.pack, int(game.depth), card)
        return event("event.under", who=who, card=shown, source=source, target="deck")
    return event("event.under_hidden", who=who, source=source, target="deck")


def _upgrade(step: Step, part: str) -> Event:
    seat = step.seat
    level = int(step.before.boat[seat, PARTS.index(part)]) + 1
    piece = f"boat{seat}.{part}"
    return event("event.upgrade", who={"seat": seat}, part={"noun": part}, level=level, piece=piece)


def _dive(step: Step) -> Event:
    game, seat = step.before, step.seat
    depth, column = being_laid(game, seat)
    return event(
        "event.dive",
        who={"seat": seat},
        card=describe(step.pack, depth, int(game.rows[seat, depth, column])),
        source=f"boat{seat}",
        target=f"rows{seat}:{depth},{column}",
    )


def _chance(step: Step, viewer: int) -> Event:
    phase, count = int(step.before.phase), len(step.outcome)
    if phase == TAKE:
        return _take(step, viewer)
    if phase in (UNDER_FIRST, UNDER_LAST):
        return event("event.sink", count=count, target="deck")
    return event("event.reshuffle", count=count, source="discards", target="deck")


def _take(step: Step, viewer: int) -> Event:
    """The captain takes a card; the two see which."""
    seat, card = step.outcome
    captain = int(step.before.captain)
    about: dict[str, Any] = {
        "who": {"seat": captain},
        "player": {"seat": seat},
        "source": hand_of(seat, viewer),
        "target": hand_of(captain, viewer),
    }
    if viewer not in (seat, captain):
        return event("event.take_hidden", **about)
    return event("event.take", card=describe(step.pack, int(step.before.depth), card), **about)


# --- what came of them ------------------------------------------------------------------------


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a phase's last move."""
    before, after = step.before, step.after
    phase, depth = int(before.phase), int(before.depth)
    over = int(after.phase) == OVER
    next_turn = (int(after.depth), int(after.turn)) != (depth, int(before.turn))
    if phase == KEEP and discards_are_open(before):
        yield event("event.return", who={"seat": int(before.captain)})
    if phase in (CAPTAIN_KEEP, CAPTAIN_LAY) and discards_are_open(before) and next_turn:
        yield from _discarded(step)
    if phase == UNDER:
        yield event("event.swap")
    if int(after.depth) != depth or over:
        yield from _round_scored(step, depth)
        yield from _game_scored(step) if over else ()
    elif int(after.phase) == AID and phase != AID:
        yield event("event.aid")
    if next_turn and not over:
        yield from _new_turn(after)


def _discarded(step: Step) -> Iterator[Event]:
    """The captain's leftovers, once the turn is over."""
    before = step.before
    captain = int(before.captain)
    verb, values, _ = ACTIONS.decode(step.action)
    for card in cards_in(int(before.hands[captain])):
        if verb in ("keep", "fuel") and card == values[0]:
            continue
        yield event(
            "event.discard",
            who={"seat": captain},
            card=describe(step.pack, int(before.depth), card),
            source=f"hand{captain}",
            target="discards",
        )


def _new_turn(after: Record) -> Iterator[Event]:
    if int(after.phase) == AID:
        return
    if int(after.turn) == 0:
        yield event("event.round", round=int(after.depth) + 1)
    if has_captain(after):
        yield event("event.captain", who={"seat": int(after.captain)})


def _round_scored(step: Step, depth: int) -> Iterator[Event]:
    after, seats = step.after, range(int(step.after.players))
    for seat in seats:
        stars = int(after.lines[seat, ANIMALS + depth]) + int(after.lines[seat, PROPELLERS + depth])
        yield event("event.scored", who={"seat": seat}, round=depth + 1, stars=stars)
    if not int(after.flipped) >> depth & 1:
        yield event("event.asleep")
        return
    yield event("event.kraken", value=int(after.kraken[depth, 0]))
    eyes = [int(eyes_of(after, step.pack, seat, depth)) for seat in seats]
    for seat, count in enumerate(eyes):
        if count == max(eyes):
            lost = int(after.lines[seat, KRAKENS + depth])
            yield event("event.watched", who={"seat": seat}, count=count, stars=-lost)


def _game_scored(step: Step) -> Iterator[Event]:
    """Who draws which treasures, from the last captain on (OCN-47)."""
    after = step.after
    for steps in range(int(after.players)):
        seat = int(left_of_captain(after, steps))
        count = int(after.chests[seat])
        if count:
            stars = lines_of(after, step.pack, seat)["treasure"]
            yield event("event.treasure", who={"seat": seat}, count=count, stars=stars)
    yield event("event.over")
