"""What a viewer sees: the card in the middle, catches and hands, discards and deck."""

from __future__ import annotations

from minnows.actions import ACTIONS
from minnows.knowledge import sees
from minnows.rules import everyone, hand_size, victims
from minnows.state import BID, CARDS, ROB, ROUNDS, Pack, State
from pelagos.engine.types import Array
from pelagos.engine.view import Choice, Look, Part, Reads, text
from pelagos.engine.view import choice as make_choice

CATCH = Reads(seat=("catches",), public=True)
DISCARDS = Reads("discards", public=True)


def view(look: Look) -> None:
    """The whole table."""
    game: State = look.game
    phase, viewer = int(game.phase), look.viewer
    taking_part = everyone(game) if phase == BID else int(game.owing)
    look.phase = [seat for seat in range(look.players) if taking_part >> seat & 1]
    if viewer >= 0 and int(game.owing) >> viewer & 1:
        _prompt(look, game)
    look.place("middle", "stack", text("place.middle"))
    if int(game.offer):
        look.piece("offer", "middle", CARDS[int(game.offer) - 1])
    for seat in look.seats:
        look.part(_catch, seat, reads=CATCH.of(seat))
        _hand(look, game, seat)
    look.part(_discards, look.options.get("murky", False), reads=DISCARDS.of())
    look.facts["round"] = min(int(game.turn) + 1, ROUNDS)
    look.facts["deck"] = int(game.left)


def _prompt(look: Look, game: State) -> None:
    if int(game.phase) == BID:
        look.ask("prompt.bid", card={"noun": CARDS[int(game.offer) - 1]})
    elif int(game.phase) == ROB:
        look.ask("prompt.rob")
        for seat in range(look.players):
            if seat != look.viewer and not int(victims(game, look.viewer)) >> seat & 1:
                look.why(f"catch{seat}", "why.no_catch", who={"seat": seat})
    else:
        look.ask("prompt.answer", who={"seat": int(game.robber)})


def _catch(part: Part, game: State, seat: int) -> None:
    part.place(f"catch{seat}", "stack", text("place.catch", player={"seat": seat}), seat=seat)
    _stacks(part, f"catch{seat}", game.catches[seat])


def _hand(look: Look, game: State, seat: int) -> None:
    place, count = f"hand{seat}", int(hand_size(game, seat))
    look.place(place, "hand", text("place.hand", player={"seat": seat}), seat=seat)
    if sees(game, look.viewer, seat):
        _stacks(look, place, game.hands[seat], int(game.bids[seat]) - 1)
    elif count:
        look.piece(place, place, None, count=count)


def _discards(part: Part, game: State, murky: bool) -> None:
    """What was discarded; in murky water only how much."""
    part.place("discards", "stack", text("place.discards"))
    count = int(game.discards.sum())
    if not murky:
        _stacks(part, "discards", game.discards)
    elif count:
        part.piece("discards", "discards", None, count=count)


def _stacks(part: Part, place: str, counts: Array, bid: int = -1) -> None:
    for kind, card in enumerate(CARDS):
        if counts[kind]:
            marks = ["bid"] if kind == bid else []
            part.piece(f"{place}.{card}", place, card, count=int(counts[kind]), marks=marks)


def choice(game: State, pack: Pack, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    verb, values, _ = ACTIONS.decode(action)
    if verb == "rob":
        label = text("label.rob", who={"seat": values[0]})
        return make_choice(label, group="rob", place=f"catch{values[0]}")
    if verb == "bid":
        label = text("label.bid", card={"noun": values[0]})
        piece = f"hand{seat}.{values[0]}"
        return make_choice(label, group="bid", piece=piece, place=f"hand{seat}")
    if verb == "hide":
        return make_choice(text("label.hide"), group="answer", piece=f"hand{seat}.reed")
    return make_choice(text(f"label.{verb}"), group="answer" if verb == "allow" else "rob")
