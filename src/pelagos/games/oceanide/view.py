"""What a viewer sees: everybody's showcase, hand and collection, the prompt, choices, facts."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

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


class Table(NamedTuple):
    """What everybody sees alike, in numbers."""

    taking_part: list[int]
    asked_for: tuple[int, ...]
    """The objects that the target is asked about."""
    hand_sizes: list[int]
    collected: list[tuple[int, ...]]
    """The cards of each kind in each seat's collection; how many there are is told in any case."""
    left: list[int]
    """Cards of each kind that lie neither in a showcase nor in the discard."""


def view(look: Look) -> None:
    """The table: every seat's showcase, hand and collection, the deck, the discard."""
    game, table = look.game, look.public(_table)
    look.phase = table.taking_part
    _prompt(look)
    target = int(game.target)
    known = _known(game, look.players, look.viewer)
    is_closed = look.options.get("closed", True) and not look.over
    """Are others' collections closed? Unless the table opens them (OCD-33)."""
    for seat in look.seats:
        marked = table.asked_for if seat == target else ()
        look.part(_showcase, seat, marked, reads=SHOWCASE.of(seat))
        hidden = table.hand_sizes[seat] - sum(known[seat])
        look.part(_hand, seat, known[seat], hidden, seat == look.viewer, reads=NOTHING)
        if is_closed and seat != look.viewer:
            look.part(_closed_collection, seat, sum(table.collected[seat]), reads=NOTHING)
            look.cover(seat, "sets", "thieves")
        else:
            look.part(_collection, seat, reads=COLLECTION.of(seat))
    look.part(_stacks, reads=STACKS.of())
    _facts(look, table, known)
    _reasons(look)


def _table(game: Record, pack: Record) -> Table:
    seats = range(int(game.players))
    sets, thieves, discards = game.sets.tolist(), game.thieves.tolist(), game.discards.tolist()
    shown = [_objects_of(objects) for objects in game.shown.tolist()[: len(seats)]]
    out = [sum(counts) for counts in zip(*shown, strict=True)]
    out[THIEF] += discards[0] + (int(game.phase) == STEAL_ASKED)
    out[KING] += discards[KING - THIEF]
    return Table(
        _taking_part(game),
        tuple(named_objects(game)) if is_asked(game) else (),
        [hand_size(game, seat) for seat in seats],
        [(*(SET * laid for laid in sets[seat]), thieves[seat], 0) for seat in seats],
        [copies - seen for copies, seen in zip(pack.copies.tolist(), out, strict=True)],
    )


def _known(game: Record, players: int, viewer: int) -> list[tuple[int, ...]]:
    """How many cards of each kind in each seat's hand the viewer knows of."""
    known = [tuple(counts) for counts in game.known[:players, :, viewer + 1].tolist()]
    if viewer >= 0:
        owned = game.own[viewer].tolist()
        objects = [count - 1 if count else 0 for count in owned[:OBJECTS]]
        known[viewer] = (*objects, *owned[OBJECTS:])
    return known


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


def _facts(look: Look, table: Table, known: list[tuple[int, ...]]) -> None:
    game, facts = look.game, look.facts
    if not look.over:
        facts["turn"] = {"seat": int(game.active)}
    facts["deck"] = int(game.last) - int(game.top)
    if deck_is_empty(game):
        facts["idle"] = int(game.idle)
    facts["values"] = look.public(_values)
    closed = look.covered
    """The seats whose collections the viewer can't look into."""
    open_sets = [cards for seat, cards in enumerate(table.collected) if seat not in closed]
    seen = [sum(counts) for counts in zip(*known, *open_sets, strict=True)]
    counts = [left - in_sight for left, in_sight in zip(table.left, seen, strict=True)]
    facts["out_of_sight" if closed else "unseen"] = _by_card(look.pack, counts)


@cache
def _objects_of(shown: int) -> tuple[int, ...]:
    """How many cards of each kind a showcase has, by the mask of its objects."""
    return (*(shown >> kind & 1 for kind in range(OBJECTS)), 0, 0)


def _values(game: Record, pack: Record) -> list[Text]:
    return _by_card(pack, pack.values.tolist())


def _by_card(pack: Record, numbers: list[int]) -> list[Text]:
    """A number for each card, zeros left out."""
    return [
        _card_fact(card, number) for card, number in zip(ids(pack), numbers, strict=False) if number
    ]


@lru_cache(maxsize=1024)
def _card_fact(card: str, number: int) -> Text:
    return text("fact.card", card={"noun": card}, number=number)


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
