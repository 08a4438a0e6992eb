"""What a seat may know: redeal, previews, the view, the story."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pelagos.engine.rule import rule
from pelagos.engine.stream import renew
from pelagos.engine.types import Array, Record
from pelagos.engine.view import Choice, Event, Look, Step, Text, event, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.oceanide import material
from pelagos.games.oceanide.notation import landing
from pelagos.games.oceanide.rules import (
    ALLOW,
    ANSWER_KING,
    COMPLETES,
    END,
    PAIRS,
    STEALS,
    TAKE_HAND,
    TAKE_NONE,
    TAKE_ONES,
    TAKE_PAIRS,
    TRADES,
    allow,
    complete,
    deck_is_empty,
    hand_size,
    has_landed,
    is_asked,
    name_objects,
    steal,
    stop,
    trade,
)
from pelagos.games.oceanide.scoring import sheet
from pelagos.games.oceanide.state import (
    ACT,
    DRAWN,
    KINDS,
    KING,
    OBJECTS,
    OVER,
    SET,
    STEAL_ASKED,
    TAKE,
    THIEF,
    Pack,
    State,
)
from pelagos.games.oceanide.worlds import (
    draw_world,
    is_shown,
    known_in_hand,
    laid_aside,
    unknown_in_hand,
    unseen,
)

# --- redeal ---------------------------------------------------------------------------------------


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Draw one of the worlds that the seat may think possible."""
    draw_world(game, pack, seat, stream)
    forget_what_others_saw(game, seat)
    renew(game.stream, stream)


@rule
def forget_what_others_saw(game: State, seat: int) -> None:
    """Others know of each other's hands what all know: more the seat can't say.

    What they know of the seat's own hand, the seat knows too.
    """
    for owner in range(int(game.players)):
        if owner != seat:
            for other in range(int(game.players)):
                if other != seat:
                    for card in range(KINDS):
                        game.known[owner, card, other + 1] = game.known[owner, card, 0]


# --- previews -------------------------------------------------------------------------------------


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet if this action alone happened: what is named is taken, as no king is played;
    what chance will bring doesn't count.
    """
    if action >= TAKE_ONES:
        name_objects(game, action)
        allow(game)
    elif TAKE_NONE > action >= STEALS:
        steal(game, seat, (action - STEALS) // OBJECTS, (action - STEALS) % OBJECTS)
        allow(game)
    elif STEALS > action >= TRADES:
        trade(game, seat, (action - TRADES) // OBJECTS, (action - TRADES) % OBJECTS)
    elif TRADES > action >= COMPLETES:
        complete(game, seat, action - COMPLETES)
    elif action == ALLOW:
        allow(game)
    elif action == ANSWER_KING:
        stop(game)
    sheet(game, pack, seat, out)


# --- the view -------------------------------------------------------------------------------------


def forced(game: Record, pack: Record, seat: int) -> bool:
    """Everyone knows what may be taken in a trade, and that an empty hand can only end its turn.

    Never who is asked for a king: being asked must tell nothing.
    """
    phase = int(game.phase)
    return phase == TAKE or (phase == ACT and int(hand_size(game, seat)) == 0)


def asked(game: Record, pack: Record, seat: int) -> tuple[int, int] | None:
    """Is the seat asked for a king? Then what counts as its answer if it gives none, and the value
    of what it would lose.
    """
    if not is_asked(game) or int(game.target) != seat:
        return None
    return ALLOW, max(int(pack.values[kind]) for kind in _named(game))


def stakes(pack: Record) -> list[int]:
    """The values of what may be lost, ascending: a standing order names one."""
    return sorted({int(value) for value in pack.values})


def view(look: Look) -> None:
    """The table: every seat's showcase, hand and collection, the deck, the discard."""
    game = look.game
    ids = material.ids(look.pack)
    look.phase = _taking_part(game)
    _prompt(look, ids)
    for seat in look.seats:
        asked = tuple(_named(game)) if is_asked(game) and int(game.target) == seat else ()
        look.part(_showcase, seat, on=(game.shown[seat], asked))
        own, shown = game.own[seat], game.shown[seat]
        known = own if seat == look.viewer else game.known[seat, :, look.viewer + 1]
        look.part(_hand, seat, on=(known, own.sum(), shown, seat == look.viewer))
        look.part(_collection, seat, on=(game.sets[seat], game.thieves[seat]))
    look.place("deck", "stack", text("place.deck"))
    left = int(game.last) - int(game.top)
    if left:
        look.piece("deck", "deck", None, count=left)
    look.place("discard", "stack", text("place.discard"))
    for card in (THIEF, KING):
        count = int(game.discards[card - OBJECTS])
        if count:
            look.piece(f"discard.{ids[card]}", "discard", ids[card], count=count)
    if int(game.phase) == STEAL_ASKED:
        look.place("played", "stack", text("place.played"), seat=int(game.active))
        look.piece("played", "played", ids[THIEF])
    _facts(look, ids)


def _taking_part(game: Record) -> list[int]:
    if int(game.phase) in (OVER, DRAWN):
        return []
    return [int(game.target) if is_asked(game) else int(game.active)]


def _named(game: Record) -> list[int]:
    return [int(kind) - 1 for kind in game.named if int(kind)]


def _nouns(kinds: list[int], ids: tuple[str, ...]) -> dict[str, Any]:
    """One or two cards as parameters of a text."""
    return {name: {"noun": ids[kind]} for name, kind in zip(("card", "other"), kinds, strict=False)}


def _number(kinds: list[int]) -> str:
    """The part of a text's key that says how many cards it speaks of."""
    return "two" if len(kinds) == 2 else "one"


def _prompt(look: Look, ids: tuple[str, ...]) -> None:
    game, phase = look.game, int(look.game.phase)
    if look.viewer not in look.phase:
        return
    if phase == ACT:
        look.ask("prompt.act")
    elif phase == TAKE:
        look.ask("prompt.take", player={"seat": int(game.target)})
    else:
        named = _named(game)
        key = "steal" if phase == STEAL_ASKED else f"take_{_number(named)}"
        look.ask(f"prompt.king_{key}", player={"seat": int(game.active)}, **_nouns(named, ids))


def _showcase(look: Look, seat: int) -> None:
    game, ids, place = look.game, material.ids(look.pack), f"showcase{seat}"
    look.place(place, "row", text("place.showcase", player={"seat": seat}), seat=seat)
    named = _named(game) if is_asked(game) and int(game.target) == seat else []
    for kind in range(OBJECTS):
        if is_shown(game, seat, kind):
            marks = ["named"] if kind in named else []
            look.piece(f"{place}.{ids[kind]}", place, ids[kind], marks=marks)


def _hand(look: Look, seat: int) -> None:
    """A hand: what the viewer knows of it, and the backs of the rest."""
    game, ids, place = look.game, material.ids(look.pack), f"hand{seat}"
    look.place(place, "hand", text("place.hand", player={"seat": seat}), seat=seat)
    marks = [] if seat == look.viewer else ["known"]
    for card in range(KINDS):
        count = int(known_in_hand(game, seat, look.viewer, card))
        if count:
            look.piece(f"{place}.{ids[card]}", place, ids[card], count=count, marks=marks)
    hidden = int(unknown_in_hand(game, seat, look.viewer))
    if hidden:
        look.piece(place, place, None, count=hidden)


def _collection(look: Look, seat: int) -> None:
    game, ids, place = look.game, material.ids(look.pack), f"collection{seat}"
    look.place(place, "stack", text("place.collection", player={"seat": seat}), seat=seat)
    counts = [SET * int(sets) for sets in game.sets[seat]] + [int(game.thieves[seat])]
    for card, count in enumerate(counts):
        if count:
            look.piece(f"{place}.{ids[card]}", place, ids[card], count=count)


def _facts(look: Look, ids: tuple[str, ...]) -> None:
    game, pack = look.game, look.pack
    if not look.over:
        look.facts["turn"] = {"seat": int(game.active)}
    look.facts["deck"] = int(game.last) - int(game.top)
    if deck_is_empty(game):
        look.facts["idle"] = int(game.idle)
    values = [int(value) for value in pack.values]
    look.facts["values"] = _by_card(values, ids)
    unknown = [int(unseen(game, pack, look.viewer, card)) for card in range(KINDS)]
    look.facts["unseen"] = _by_card(unknown, ids)


def _by_card(numbers: list[int], ids: tuple[str, ...]) -> list[Text]:
    """A number for each card, zeros left out."""
    return [
        text("fact.card", card={"noun": ids[card]}, number=number)
        for card, number in enumerate(numbers)
        if number
    ]


def choice(game: Record, pack: Record, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    ids = material.ids(pack)
    target = int(game.target)
    if action == END:
        return make_choice(text("label.end"), group="turn")
    if action == ANSWER_KING:
        place = f"hand{seat}"
        return make_choice(text("label.king"), group="king", piece=f"{place}.king", place=place)
    if action == ALLOW:
        return make_choice(text("label.allow"), group="king")
    if action < TRADES:
        return _on_showcase("complete", seat, action - COMPLETES, ids, "complete")
    if action < STEALS:
        return _on_showcase("trade", *divmod(action - TRADES, OBJECTS), ids, "trade")
    if action < TAKE_NONE:
        return _on_showcase("steal", *divmod(action - STEALS, OBJECTS), ids, "steal")
    if action == TAKE_NONE:
        return make_choice(text("label.take_none"), group="trade")
    if action == TAKE_HAND:
        place = f"hand{target}"
        label = text("label.take_hand", player={"seat": target})
        return make_choice(label, group="trade", place=place)
    if action < TAKE_PAIRS:
        return _on_showcase("take_one", target, action - TAKE_ONES, ids, "trade")
    first, second = PAIRS[action - TAKE_PAIRS].tolist()
    found = _on_showcase("take_two", target, first, ids, "trade")
    found["label"] = text("label.take_two", **_nouns([first, second], ids))
    found["variant"] = ids[second]
    return found


def _on_showcase(verb: str, seat: int, kind: int, ids: tuple[str, ...], group: str) -> Choice:
    place = f"showcase{seat}"
    label = text(f"label.{verb}", card={"noun": ids[kind]}, player={"seat": seat})
    piece = f"{place}.{ids[kind]}"
    return make_choice(label, group=group, piece=piece, place=place, variant=verb)


# --- the story ------------------------------------------------------------------------------------


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, as the viewer may know it."""
    game, action = step.before, step.action
    ids = material.ids(step.pack)
    who = {"seat": int(game.active)}
    player = {"seat": int(game.target)}
    if step.seat < 0:
        yield from _draw_from_hand(step, viewer, ids)
    elif action == END:
        yield event("event.end", who=who)
    elif action == ALLOW:
        yield from _let_go(step, ids)
    elif action == ANSWER_KING:
        yield event("event.king", who=player, source=f"hand{step.seat}", target="discard")
    elif action < TRADES:
        kind = action - COMPLETES
        yield _to_collection("event.complete", step.seat, kind, ids, who=who)
        yield from _comes_up(step, step.seat, kind, ids)
    elif action < STEALS:
        target, kind = divmod(action - TRADES, OBJECTS)
        yield _to_collection("event.trade", target, kind, ids, who=who, player={"seat": target})
        yield from _comes_up(step, target, kind, ids)
    elif action < TAKE_NONE:
        target, kind = divmod(action - STEALS, OBJECTS)
        card = {"noun": ids[kind]}
        moved = {"source": f"hand{step.seat}", "target": "played"}
        yield event("event.steal", who=who, player={"seat": target}, card=card, **moved)
    elif action == TAKE_NONE:
        yield event("event.take_none", who=who)
    elif action == TAKE_HAND:
        yield event("event.take_hand", who=who, player=player)
    else:
        named = _named(step.after)
        yield event(f"event.take_{_number(named)}", who=who, player=player, **_nouns(named, ids))


def _to_collection(key: str, seat: int, kind: int, ids: tuple[str, ...], **params: Any) -> Event:
    return event(
        key,
        piece=f"collection{seat}.{ids[kind]}",
        source=f"showcase{seat}",
        target=f"collection{seat}",
        card={"noun": ids[kind]},
        **params,
    )


def _comes_up(step: Step, seat: int, kind: int, ids: tuple[str, ...]) -> Iterator[Event]:
    """A copy left the showcase, and another takes its place."""
    if is_shown(step.after, seat, kind):
        yield event(
            "event.comes_up",
            who={"seat": seat},
            card={"noun": ids[kind]},
            piece=f"showcase{seat}.{ids[kind]}",
            source=f"hand{seat}",
            target=f"showcase{seat}",
        )


def _let_go(step: Step, ids: tuple[str, ...]) -> Iterator[Event]:
    """The target plays no king: what was named changes hands, and a thief is its pay."""
    taker, target = int(step.before.active), int(step.before.target)
    who, player = {"seat": taker}, {"seat": target}
    for kind in _named(step.before):
        new = not is_shown(step.before, taker, kind)
        yield event(
            "event.taken",
            who=who,
            player=player,
            card={"noun": ids[kind]},
            source=f"showcase{target}",
            target=f"showcase{taker}" if new else f"hand{taker}",
        )
        yield from _comes_up(step, target, kind, ids)
    if int(step.before.phase) == STEAL_ASKED:
        yield event("event.pay", who=player, source="played", target=f"collection{target}")


def _draw_from_hand(step: Step, viewer: int, ids: tuple[str, ...]) -> Iterator[Event]:
    """Two cards of a hand: those concerned see both, all see what lands in a showcase."""
    taker, target = int(step.before.active), int(step.before.target)
    who, player = {"seat": taker}, {"seat": target}
    source = f"hand{target}"
    landed = landing(step.before, step.outcome)
    hidden = list(step.outcome)
    for kind in landed:
        hidden.remove(kind)
        card = {"noun": ids[kind]}
        place = f"showcase{taker}"
        yield event("event.drawn", who=who, player=player, card=card, source=source, target=place)
    if viewer in (taker, target):
        for kind in hidden:
            card = {"noun": ids[kind]}
            place = f"hand{taker}"
            yield event(
                "event.drawn", who=who, player=player, card=card, source=source, target=place
            )
    elif hidden:
        place = f"hand{taker}"
        count = len(hidden)
        yield event(
            "event.drawn_hidden", who=who, player=player, count=count, source=source, target=place
        )


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a turn's end: the next seat's draw, or the end of the game."""
    before, after = step.before, step.after
    if int(after.phase) == OVER:
        yield event("event.over")
        return
    ids = material.ids(step.pack)
    seat = int(after.active)
    hidden = 0
    for place in range(int(before.top), int(after.top)):
        landed = has_landed(after, place)
        if landed or seat == viewer:
            card = {"noun": ids[int(before.deck[place]) - 1]}
            target = f"showcase{seat}" if landed else f"hand{seat}"
            yield event("event.draw", who={"seat": seat}, card=card, source="deck", target=target)
        else:
            hidden += 1
    if hidden:
        target = f"hand{seat}"
        yield event(
            "event.draw_hidden", who={"seat": seat}, count=hidden, source="deck", target=target
        )


def census(game: Record, pack: Record) -> list[int]:
    """All cards by kind, wherever they are."""
    counts = [int(laid_aside(game, card)) + int(game.own[:, card].sum()) for card in range(KINDS)]
    for card in game.deck:
        if int(card):
            counts[int(card) - 1] += 1
    return counts
