"""What happened, as each viewer may know it: the events of a move, and what came of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pelagos.engine.game import BY_LOT
from pelagos.engine.types import Record
from pelagos.engine.view import Event, Step, event, text
from pelagos.games.oceanide.actions import ACTIONS
from pelagos.games.oceanide.cards import ids, noun_params
from pelagos.games.oceanide.invariant import is_shown
from pelagos.games.oceanide.notation import landing
from pelagos.games.oceanide.rules import has_landed, named_objects
from pelagos.games.oceanide.state import DEAL, OVER, STEAL_ASKED


def opening(game: Record, pack: Record, viewer: int, options: Mapping[str, Any]) -> Iterator[Event]:
    """Who begins, and why: the fullest showcase of those dealt; among equals whoever was chosen
    for that, or a lot (OCD-37).
    """
    dealt = [
        sum(has_landed(game, place) for place in range(seat * DEAL, (seat + 1) * DEAL))
        for seat in range(int(game.players))
    ]
    count, who = max(dealt), {"seat": int(game.start)}
    equal = [seat for seat, objects in enumerate(dealt) if objects == count]
    if len(equal) == 1:
        yield event("event.begins", who=who, count=count)
        return
    *others, last = equal
    names: Any = {"seat": last}
    for seat in reversed(others):
        names = text("fact.equals", first={"seat": seat}, rest=names)
    chosen = options.get("start", BY_LOT) == who["seat"]
    key = "event.begins_chosen" if chosen else "event.begins_lot"
    yield event(key, who=who, count=count, equals=names)


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, as the viewer may know it."""
    if step.seat < 0:
        yield from _draw_from_hand(step, viewer)
        return
    verb, values, _ = ACTIONS.decode(step.action)
    who = {"seat": int(step.before.active)}
    player = {"seat": int(step.before.target)}
    if verb == "allow":
        yield from _let_go(step)
    elif verb == "king":
        yield event("event.king", who=player, source=f"hand{step.seat}", target="discard")
    elif verb == "complete":
        yield from _collect(step, "event.complete", step.seat, *values, who=who)
    elif verb == "trade":
        target, kind = values
        yield from _collect(step, "event.trade", target, kind, who=who, player={"seat": target})
    elif verb == "steal":
        target, kind = values
        cards = noun_params(step.pack, [kind])
        params: dict[str, Any] = {**cards, "source": f"hand{step.seat}", "target": "played"}
        yield event("event.steal", who=who, player={"seat": target}, **params)
    elif verb in ("take_one", "take_two"):
        cards = noun_params(step.pack, named_objects(step.after))
        yield event(f"event.{verb}", who=who, player=player, **cards)
    elif verb == "take_hand":
        yield event("event.take_hand", who=who, player=player)
    else:
        yield event(f"event.{verb}", who=who)


def is_told_apart(step: Step, viewer: int) -> bool:
    """Those between whom cards change hands unseen, and whoever draws next."""
    if step.seat < 0 and viewer in (int(step.before.active), int(step.before.target)):
        return True
    return viewer == int(step.after.active)


def _collect(step: Step, key: str, seat: int, kind: int, **params: Any) -> Iterator[Event]:
    """A set goes to a collection; another copy may come up."""
    card = ids(step.pack)[kind]
    yield event(
        key,
        piece=f"collection{seat}.{card}",
        source=f"showcase{seat}",
        target=f"collection{seat}",
        gain=int(step.pack.values[kind]) if seat == step.seat else 0,
        card={"noun": card},
        **params,
    )
    yield from _come_up(step, seat, kind)


def _come_up(step: Step, seat: int, kind: int) -> Iterator[Event]:
    """A copy left the showcase, and another takes its place."""
    if is_shown(step.after, seat, kind):
        card = ids(step.pack)[kind]
        yield event(
            "event.comes_up",
            who={"seat": seat},
            card={"noun": card},
            piece=f"showcase{seat}.{card}",
            source=f"hand{seat}",
            target=f"showcase{seat}",
        )


def _let_go(step: Step) -> Iterator[Event]:
    """The target plays no king: what was named changes hands, and a thief is its pay."""
    taker, target = int(step.before.active), int(step.before.target)
    player = {"seat": target}
    for kind in named_objects(step.before):
        is_new = not is_shown(step.before, taker, kind)
        yield event(
            "event.taken",
            who={"seat": taker},
            player=player,
            card={"noun": ids(step.pack)[kind]},
            source=f"showcase{target}",
            target=f"showcase{taker}" if is_new else f"hand{taker}",
        )
        yield from _come_up(step, target, kind)
    if int(step.before.phase) == STEAL_ASKED:
        yield event("event.pay", who=player, source="played", target=f"collection{target}")


def _draw_from_hand(step: Step, viewer: int) -> Iterator[Event]:
    """Two cards of a hand: those concerned see both, all see what lands in a showcase."""
    names = ids(step.pack)
    taker, target = int(step.before.active), int(step.before.target)
    common: dict[str, Any] = {
        "who": {"seat": taker},
        "player": {"seat": target},
        "source": f"hand{target}",
    }
    landed = landing(step.before, step.outcome)
    hidden = list(step.outcome)
    for kind in landed:
        hidden.remove(kind)
        card = {"noun": names[kind]}
        yield event("event.drawn", card=card, target=f"showcase{taker}", **common)
    if viewer in (taker, target):
        for kind in hidden:
            card = {"noun": names[kind]}
            yield event("event.drawn", card=card, target=f"hand{taker}", **common)
    elif hidden:
        yield event("event.drawn_hidden", count=len(hidden), target=f"hand{taker}", **common)


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a turn's end: the next seat's draw, or the end of the game."""
    before, after = step.before, step.after
    if int(after.phase) == OVER:
        yield event("event.over")
        return
    names = ids(step.pack)
    seat = int(after.active)
    who = {"seat": seat}
    hidden = 0
    for place in range(int(before.top), int(after.top)):
        landed = has_landed(after, place)
        if landed or seat == viewer:
            card = {"noun": names[int(before.deck[place]) - 1]}
            target = f"showcase{seat}" if landed else f"hand{seat}"
            yield event("event.draw", who=who, card=card, source="deck", target=target)
        else:
            hidden += 1
    if hidden:
        yield event("event.draw_hidden", who=who, count=hidden, source="deck", target=f"hand{seat}")
