"""What a viewer sees: everybody's showcase, hand and collection, the prompt, choices, facts."""

from __future__ import annotations

from functools import cache
from typing import Any

from pelagos.engine.types import Record
from pelagos.engine.view import Choice, Look, Part, Reads, Text, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.oceanide.actions import ACTIONS
from pelagos.games.oceanide.cards import ids, noun_params
from pelagos.games.oceanide.invariant import hand_size, is_shown
from pelagos.games.oceanide.rules import deck_is_empty, is_asked, named_objects
from pelagos.games.oceanide.state import (
    ACT,
    DRAWN,
    GIFT,
    HAND_TO_DRAW_FROM,
    KING,
    OBJECTS,
    OVER,
    SET,
    STEAL_ASKED,
    TAKE,
    TAKEN,
    THIEF,
)

SHOWCASE = Reads(seat=("shown",), public=True)
COLLECTION = Reads(seat=("sets", "thieves"), public=True)
STACKS = Reads("last", "top", "discards", "phase", "active", public=True)
NOTHING = Reads(public=True).of()


def view(look: Look) -> None:
    """The table: every seat's showcase, hand and collection, the deck, the discard."""
    look.phase = _taking_part(look.game)
    _prompt(look)
    asked_for = tuple(named_objects(look.game)) if is_asked(look.game) else ()
    target = int(look.game.target)
    known = [_known(look.game, seat, look.viewer) for seat in range(look.players)]
    for seat in look.seats:
        marked = asked_for if seat == target else ()
        look.part(_showcase, seat, marked, reads=SHOWCASE.of(seat))
        hidden = hand_size(look.game, seat) - sum(known[seat])
        look.part(_hand, seat, known[seat], hidden, seat == look.viewer, reads=NOTHING)
        if _is_closed(look, seat):
            look.part(_closed_collection, seat, _collected(look.game, seat), reads=NOTHING)
            look.cover(seat, "sets", "thieves")
        else:
            look.part(_collection, seat, reads=COLLECTION.of(seat))
    look.part(_stacks, reads=STACKS.of())
    _facts(look, known)
    _reasons(look)


def _known(game: Record, seat: int, viewer: int) -> tuple[int, ...]:
    """How many cards of each kind in the seat's hand the viewer knows of."""
    if seat != viewer:
        return tuple(game.known[seat, :, viewer + 1].tolist())
    owned = game.own[seat].tolist()
    return (*(max(0, count - 1) for count in owned[:OBJECTS]), *owned[OBJECTS:])


def _taking_part(game: Record) -> list[int]:
    if int(game.phase) in (OVER, DRAWN):
        return []
    return [int(game.target) if is_asked(game) else int(game.active)]


def _prompt(look: Look) -> None:
    game, phase = look.game, int(look.game.phase)
    if look.viewer not in look.phase:
        return
    if phase == ACT:
        look.ask("prompt.act")
    elif phase == TAKE:
        look.ask("prompt.take", player={"seat": int(game.target)})
    else:
        named = named_objects(game)
        taking = "take_two" if len(named) == 2 else "take_one"
        deed = "steal" if phase == STEAL_ASKED else taking
        player = {"seat": int(game.active)}
        look.ask(f"prompt.king_{deed}", player=player, **noun_params(look.pack, named))


# --- places and pieces ----------------------------------------------------------------------------


def _showcase(part: Part, game: Record, seat: int, asked_for: tuple[int, ...]) -> None:
    place = f"showcase{seat}"
    part.place(place, "row", text("place.showcase", player={"seat": seat}), seat=seat)
    shown = int(game.shown[seat])
    for kind, card in enumerate(ids(part.pack)[:OBJECTS]):
        if shown >> kind & 1:
            marks = ["named"] if kind in asked_for else []
            part.piece(f"{place}.{card}", place, card, marks=marks)


def _hand(
    part: Part, game: Record, seat: int, known: tuple[int, ...], hidden: int, own: bool
) -> None:
    """A hand: what the viewer knows of it, and the backs of the rest."""
    place = f"hand{seat}"
    part.place(place, "hand", text("place.hand", player={"seat": seat}), seat=seat)
    marks = [] if own else ["known"]
    for card, count in zip(ids(part.pack), known, strict=True):
        if count:
            part.piece(f"{place}.{card}", place, card, count=count, marks=marks)
    if hidden:
        part.piece(place, place, None, count=hidden)


def _collection(part: Part, game: Record, seat: int) -> None:
    names, place = ids(part.pack), f"collection{seat}"
    part.place(place, "stack", text("place.collection", player={"seat": seat}), seat=seat)
    for kind in range(OBJECTS):
        sets = int(game.sets[seat, kind])
        if sets:
            part.piece(f"{place}.{names[kind]}", place, names[kind], count=SET * sets)
    thieves = int(game.thieves[seat])
    if thieves:
        part.piece(f"{place}.{names[THIEF]}", place, names[THIEF], count=thieves)


def _closed_collection(part: Part, game: Record, seat: int, count: int) -> None:
    """A collection that nobody may open: how many cards it has."""
    place = f"collection{seat}"
    part.place(place, "stack", text("place.collection", player={"seat": seat}), seat=seat)
    if count:
        part.piece(place, place, None, count=count)


def _is_closed(look: Look, seat: int) -> bool:
    """Is the seat's collection closed to the viewer? Unless the table opens them (OCD-33)."""
    return look.options.get("closed", True) and not look.over and seat != look.viewer


def _collected(game: Record, seat: int) -> int:
    """How many cards the seat's collection has: that is public."""
    sets: list[int] = game.sets[seat].tolist()
    return SET * sum(sets) + int(game.thieves[seat])


def _stacks(part: Part, game: Record) -> None:
    names = ids(part.pack)
    part.place("deck", "stack", text("place.deck"))
    left = int(game.last) - int(game.top)
    if left:
        part.piece("deck", "deck", None, count=left)
    part.place("discard", "stack", text("place.discard"))
    for card in (THIEF, KING):
        count = int(game.discards[card - THIEF])
        if count:
            part.piece(f"discard.{names[card]}", "discard", names[card], count=count)
    if int(game.phase) == STEAL_ASKED:
        part.place("played", "stack", text("place.played"), seat=int(game.active))
        part.piece("played", "played", names[THIEF])


# --- facts ----------------------------------------------------------------------------------------


def _facts(look: Look, known: list[tuple[int, ...]]) -> None:
    game, pack = look.game, look.pack
    if not look.over:
        look.facts["turn"] = {"seat": int(game.active)}
    look.facts["deck"] = int(game.last) - int(game.top)
    if deck_is_empty(game):
        look.facts["idle"] = int(game.idle)
    look.facts["values"] = look.compute(_values, reads=NOTHING)
    closed = [seat for seat in look.seats if _is_closed(look, seat)]
    name = "out_of_sight" if closed else "unseen"
    look.facts[name] = _by_card(pack, _unseen(game, pack, known, closed))


def _unseen(
    game: Record, pack: Record, known: list[tuple[int, ...]], closed: list[int]
) -> list[int]:
    """How many cards of each kind the viewer doesn't know the place of, as `unseen` tells; with
    what lies in closed collections, how many are out of sight.
    """
    shown, sets, thieves = game.shown.tolist(), game.sets.tolist(), game.thieves.tolist()
    in_sight = [*known, *map(_objects_of, shown[: len(known)])]
    for seat in range(len(known)):
        if seat not in closed:
            in_sight.append((*(SET * laid for laid in sets[seat]), thieves[seat], 0))
    seen = map(sum, zip(*in_sight, strict=True))
    counts = [copies - out for copies, out in zip(pack.copies.tolist(), seen, strict=True)]
    for card in (THIEF, KING):
        counts[card] -= int(game.discards[card - THIEF])
    counts[THIEF] -= int(game.phase) == STEAL_ASKED
    return counts


@cache
def _objects_of(shown: int) -> tuple[int, ...]:
    """How many cards of each kind a showcase has, by the mask of its objects."""
    return (*(shown >> kind & 1 for kind in range(OBJECTS)), 0, 0)


def _values(game: Record, pack: Record) -> list[Text]:
    return _by_card(pack, [int(value) for value in pack.values])


def _by_card(pack: Record, numbers: list[int]) -> list[Text]:
    """A number for each card, zeros left out."""
    return [
        text("fact.card", card={"noun": card}, number=number)
        for card, number in zip(ids(pack), numbers, strict=False)
        if number
    ]


# --- choices --------------------------------------------------------------------------------------


def choice(game: Record, pack: Record, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    verb, values, _ = ACTIONS.decode(action)
    target = int(game.target)
    if verb == "end":
        return make_choice(text("label.end"), group="turn")
    if verb == "king":
        hand = f"hand{seat}"
        return make_choice(text("label.king"), group="king", piece=f"{hand}.king", place=hand)
    if verb == "allow":
        return make_choice(text("label.allow"), group="king")
    if verb == "complete":
        return _on_showcase(pack, verb, seat, *values)
    if verb in ("trade", "steal"):
        return _on_showcase(pack, verb, *values)
    if verb == "take_none":
        return make_choice(text("label.take_none"), group="trade")
    if verb == "take_hand":
        label = text("label.take_hand", player={"seat": target})
        return make_choice(label, group="trade", place=f"hand{target}")
    if verb == "take_one":
        return _on_showcase(pack, verb, target, *values)
    ((first, second),) = values
    pair = _on_showcase(pack, verb, target, first)
    pair["label"] = text("label.take_two", **noun_params(pack, (first, second)))
    pair["variant"] = ids(pack)[second]
    return pair


def _on_showcase(pack: Record, verb: str, seat: int, kind: int) -> Choice:
    """A choice that points at an object of a seat's showcase."""
    card, place = ids(pack)[kind], f"showcase{seat}"
    label = text(f"label.{verb}", card={"noun": card}, player={"seat": seat})
    group = "trade" if verb.startswith("take") else verb
    return make_choice(label, group=group, piece=f"{place}.{card}", place=place, variant=verb)


def asks(game: Record, pack: Record, seat: int, action: int) -> list[Text]:
    """What a choice will ask next: the taker what to take, the target for a king."""
    verb, values, _ = ACTIONS.decode(action)
    if verb == "trade":
        return [text("ask.take", player={"seat": values[0]}), *_offers(game, pack, seat, *values)]
    if verb == "steal":
        return [text("ask.king", player={"seat": values[0]})]
    if verb in ("take_one", "take_two"):
        return [text("ask.king", player={"seat": int(game.target)})]
    return []


def _offers(game: Record, pack: Record, seat: int, target: int, kind: int) -> list[Text]:
    """What a trade partner will have to offer after the gift, as far as the giver can tell: a
    further copy may come up from her hand, which then has one card less.
    """
    known = game.known[target, :, seat + 1].tolist()
    size = hand_size(game, target)
    others = int(game.shown[target]).bit_count() - 1
    in_sight = int(game.own[seat, kind]) + sum(
        (int(game.shown[other]) >> kind & 1) + int(game.known[other, kind, seat + 1])
        for other in range(int(game.players))
        if other != seat
    )
    comes_up = known[kind] > 0
    may_come_up = comes_up or (size > sum(known) and in_sight < int(pack.copies[kind]))
    params: dict[str, Any] = {"card": {"noun": ids(pack)[kind]}, "player": {"seat": target}}
    least, most = others + comes_up, others + may_come_up
    objects = f"objects_{min(least, TAKEN)}_{min(most, TAKEN)}"
    smallest, largest = size - may_come_up, size - comes_up
    cards = "cards" if smallest >= HAND_TO_DRAW_FROM else "cards_maybe"
    offers = [] if most == 0 else [text(f"ask.{objects}", **params)]
    offers += [] if largest < HAND_TO_DRAW_FROM else [text(f"ask.{cards}", **params)]
    return offers or [text("ask.nothing", **params)]


# --- why something can't be chosen ----------------------------------------------------------------


def _reasons(look: Look) -> None:
    """Why what a person might tap can't be chosen now."""
    if look.viewer not in look.phase:
        return
    if int(look.game.phase) == ACT:
        _why_not_act(look)
    elif int(look.game.phase) == TAKE:
        _why_not_take(look)


def _why_not_act(look: Look) -> None:
    """Own objects that are no set, and others' that neither a pair nor a thief can reach."""
    game, own, names = look.game, look.viewer, ids(look.pack)
    owned, shown = game.own[own].tolist(), game.shown.tolist()
    has_thief = owned[THIEF] > 0
    for kind, card in enumerate(names[:OBJECTS]):
        copies = owned[kind]
        params: dict[str, Any] = {"card": {"noun": card}, "count": copies}
        if 0 < copies < SET:
            look.why(f"showcase{own}.{card}", "why.no_set", need=SET, **params)
        for other in look.seats[1:]:
            if shown[other] >> kind & 1:
                if copies < GIFT and not has_thief:
                    look.why(f"showcase{other}.{card}", "why.out_of_reach", need=GIFT, **params)
            elif copies >= GIFT:
                player = {"seat": other}
                look.why(f"showcase{other}.{card}", "why.not_shown", player=player, **params)
    if has_thief:
        look.why(f"hand{own}.{names[THIEF]}", "why.thief")
    if owned[KING]:
        look.why(f"hand{own}.{names[KING]}", "why.king")


def _why_not_take(look: Look) -> None:
    """Others' showcases, and a hand that is too small to draw from."""
    game, names, target = look.game, ids(look.pack), int(look.game.target)
    player = {"seat": target}
    size = hand_size(game, target)
    if size < HAND_TO_DRAW_FROM:
        look.why(
            f"hand{target}", "why.small_hand", player=player, count=size, need=HAND_TO_DRAW_FROM
        )
    for seat in look.seats[1:]:
        if seat != target:
            for kind, card in enumerate(names[:OBJECTS]):
                if is_shown(game, seat, kind):
                    look.why(f"showcase{seat}.{card}", "why.other_showcase", player=player)
