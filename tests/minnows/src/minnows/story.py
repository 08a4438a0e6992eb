"""What happened, as a viewer may know it."""

from __future__ import annotations

from collections.abc import Iterator

from minnows.actions import ACTIONS
from minnows.rules import best
from minnows.state import BID, CARDS, OVER, RESHUFFLE
from pelagos.engine.view import Event, Step, event


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, once the viewer may know it."""
    if step.seat < 0:
        yield event("event.shuffle", source="discards")
        return
    game, who, hand = step.before, {"seat": step.seat}, f"hand{step.seat}"
    verb, values, _ = ACTIONS.decode(step.action)
    if verb == "rob":
        yield event("event.rob", who=who, victim={"seat": values[0]})
    elif verb == "bid":
        yield event("event.bid", who=who, card={"noun": values[0]}, source=hand, target="discards")
    elif verb == "hide":
        yield event("event.hide", who=who, source=hand, target="discards")
    elif verb == "allow":
        card = CARDS[best(game, step.pack, step.seat)]
        source, target = f"catch{step.seat}", f"catch{int(game.robber)}"
        yield event("event.allow", who=who, card={"noun": card}, source=source, target=target)
    else:
        yield event("event.pass", who=who)


def is_told_apart(step: Step, viewer: int) -> bool:
    """Nobody is: what is told at all, all may know."""
    return False


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a round's last bid, and of the refill."""
    before, after = step.before, step.after
    if int(before.phase) == BID:
        card = {"noun": CARDS[int(before.offer) - 1]}
        pairs = zip(before.catches.tolist(), after.catches.tolist(), strict=True)
        gained = [seat for seat, (had, has) in enumerate(pairs) if had != has]
        for seat in gained:
            yield event("event.catch", who={"seat": seat}, card=card, target=f"catch{seat}")
        if not gained:
            yield event("event.tie", card=card, source="middle", target="discards")
    turned = int(after.turn) > int(before.turn) or int(before.phase) == RESHUFFLE
    if turned and int(after.offer):
        yield event("event.offer", card={"noun": CARDS[int(after.offer) - 1]}, target="middle")
    if int(after.phase) == OVER:
        yield event("event.over")
