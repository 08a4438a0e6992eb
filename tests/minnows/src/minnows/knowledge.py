"""What a seat may know: redeal, previews, the view, the story."""

from __future__ import annotations

from collections.abc import Iterator

from minnows.rules import (
    ALLOW,
    BIDS,
    HIDE,
    PASS,
    ROBS,
    best,
    draw,
    everyone,
    hand_size,
)
from minnows.scoring import sheet
from minnows.state import BID, CARDS, KINDS, OVER, RESHUFFLE, ROB, ROUNDS, Pack, State
from pelagos.engine.rule import rule
from pelagos.engine.stream import renew, shuffle
from pelagos.engine.types import Array
from pelagos.engine.view import Choice, Event, Look, Step, event, text
from pelagos.engine.view import choice as make_choice

# --- redeal ---------------------------------------------------------------------------------------


@rule
def sees(game: State, seat: int, other: int) -> bool:
    """Does the seat see the other's hand? At the end all are shown."""
    return seat == other or int(game.phase) == OVER


@rule
def known(game: State, seat: int, kind: int) -> int:
    """How many cards of a kind the seat knows the place of."""
    count = int(game.discards[kind]) + int(int(game.offer) == kind + 1)
    for other in range(int(game.players)):
        count += int(game.catches[other, kind])
        if sees(game, seat, other):
            count += int(game.hands[other, kind])
    return count


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Take back the others' bids, and deal their hands and the deck anew."""
    if int(game.phase) == BID:
        for other in range(int(game.players)):
            if other != seat:
                game.bids[other] = 0
        own = 1 << seat if seat >= 0 else 0
        game.owing = (everyone(game) & ~own) | (int(game.owing) & own)
    count = 0
    for kind in range(KINDS):
        for _ in range(int(pack.counts[kind]) - known(game, seat, kind)):
            game.deck[count] = kind + 1
            count += 1
    shuffle(stream, game.deck, 0, count)
    game.left = count
    for other in range(int(game.players)):
        if not sees(game, seat, other):
            cards = hand_size(game, other)
            for kind in range(KINDS):
                game.hands[other, kind] = 0
            for _ in range(cards):
                game.hands[other, draw(game) - 1] += 1
    renew(game.stream, stream)


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet if this action alone happened: only who allows a theft loses by it."""
    if action == ALLOW:
        game.catches[seat, best(game, pack, seat)] -= 1
    sheet(game, pack, seat, out)


# --- the view -------------------------------------------------------------------------------------


def forced(game: State, pack: Pack, seat: int) -> bool:
    """Nobody knows that a hand is all of a kind, or holds no reed (MIN-4)."""
    return False


def view(look: Look) -> None:
    """The fish in the middle, discards and deck, catches and hands."""
    game: State = look.game
    phase, viewer = int(game.phase), look.viewer
    taking = everyone(game) if phase == BID else int(game.owing)
    look.phase = [seat for seat in range(look.players) if taking >> seat & 1]
    if viewer >= 0 and int(game.owing) >> viewer & 1:
        _prompt(look, game)
    look.place("middle", "stack", text("place.middle"))
    if int(game.offer):
        look.piece("offer", "middle", CARDS[int(game.offer) - 1])
    for seat in [(max(viewer, 0) + step) % look.players for step in range(look.players)]:
        player = {"seat": seat}
        look.place(f"catch{seat}", "stack", text("place.catch", player=player), seat=seat)
        _stacks(look, f"catch{seat}", game.catches[seat])
        look.place(f"hand{seat}", "hand", text("place.hand", player=player), seat=seat)
        if sees(game, viewer, seat):
            _stacks(look, f"hand{seat}", game.hands[seat], int(game.bids[seat]) - 1)
        elif hand_size(game, seat):
            look.piece(f"hand{seat}", f"hand{seat}", None, count=int(hand_size(game, seat)))
    look.place("discards", "stack", text("place.discards"))
    _stacks(look, "discards", game.discards)
    look.facts["round"] = min(int(game.turn) + 1, ROUNDS)
    look.facts["deck"] = int(game.left)


def _prompt(look: Look, game: State) -> None:
    if int(game.phase) == BID:
        look.ask("prompt.bid", card={"noun": CARDS[int(game.offer) - 1]})
    elif int(game.phase) == ROB:
        look.ask("prompt.rob")
    else:
        look.ask("prompt.answer", who={"seat": int(game.robber)})


def _stacks(look: Look, place: str, counts: Array, bid: int = -1) -> None:
    for kind, card in enumerate(CARDS):
        if counts[kind]:
            marks = ["bid"] if kind == bid else []
            look.piece(f"{place}.{card}", place, card, count=int(counts[kind]), marks=marks)


def choice(game: State, pack: Pack, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    if action >= ROBS:
        place = f"catch{action - ROBS}"
        label = text("label.rob", who={"seat": action - ROBS})
        return make_choice(label, group="rob", place=place)
    if action >= BIDS:
        card = CARDS[action - BIDS]
        label = text("label.bid", card={"noun": card})
        return make_choice(label, group="bid", piece=f"hand{seat}.{card}", place=f"hand{seat}")
    if action == HIDE:
        return make_choice(text("label.hide"), group="answer", piece=f"hand{seat}.reed")
    if action == ALLOW:
        return make_choice(text("label.allow"), group="answer")
    return make_choice(text("label.pass"), group="rob")


# --- the story ------------------------------------------------------------------------------------


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, once the viewer may know it."""
    game, action, who = step.before, step.action, {"seat": step.seat}
    if step.seat < 0:
        yield event("event.shuffle", source="discards")
    elif action >= ROBS:
        yield event("event.rob", who=who, victim={"seat": action - ROBS})
    elif action >= BIDS:
        card = CARDS[action - BIDS]
        source = f"hand{step.seat}"
        yield event("event.bid", who=who, card={"noun": card}, source=source, target="discards")
    elif action == HIDE:
        yield event("event.hide", who=who, source=f"hand{step.seat}", target="discards")
    elif action == ALLOW:
        card = CARDS[best(game, step.pack, step.seat)]
        source, target = f"catch{step.seat}", f"catch{int(game.robber)}"
        yield event("event.allow", who=who, card={"noun": card}, source=source, target=target)
    elif action == PASS:
        yield event("event.pass", who=who)


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a round's last bid, and of the refill."""
    before, after = step.before, step.after
    if int(before.phase) == BID:
        card = {"noun": CARDS[int(before.offer) - 1]}
        gained = (after.catches != before.catches).any(axis=1).nonzero()[0].tolist()
        for seat in gained:
            yield event("event.catch", who={"seat": seat}, card=card, target=f"catch{seat}")
        if not gained:
            yield event("event.tie", card=card, source="middle", target="discards")
    turned = int(after.turn) > int(before.turn) or int(before.phase) == RESHUFFLE
    if turned and int(after.offer):
        yield event("event.offer", card={"noun": CARDS[int(after.offer) - 1]}, target="middle")
    if int(after.phase) == OVER:
        yield event("event.over")


def census(game: State, pack: Pack) -> list[int]:
    """All cards by kind, wherever they are."""
    counts = game.discards + game.hands.sum(axis=0) + game.catches.sum(axis=0)
    cards = [*game.deck.tolist(), int(game.offer)]
    return [int(counts[kind]) + cards.count(kind + 1) for kind in range(KINDS)]
