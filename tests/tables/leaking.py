"""What leaves the server for a viewer, from the true table and from others that it can't tell from
it: the hidden set-up dealt anew, the others' unrevealed choices replaced, public moves kept.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from conftest import SOAK
from pelagos.engine.aid import Explainer
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.engine.types import CHANCE, HIDDEN
from pelagos.tables import acts, message
from pelagos.tables.hints import question_for
from pelagos.tables.message import Message, Messages
from pelagos.tables.streams import wire
from pelagos.tables.table import SPECTATOR, Table, fold
from tables.setting import playable
from worlds import another

WORLDS = 20 if SOAK else 2
EVERY = 1 if SOAK else 11
"""In the quick run every eleventh decision; in the long one all."""


def whole_games() -> list[str]:
    return [game.id for game in playable()]


def laid(game: str, secret: int = 0, players: int | None = None) -> Table:
    """A table that has just begun, made from its entries as the log has them."""
    installed = games()[game]
    players = players or min(3, installed.players[-1])
    entries = acts.create(game, {"players": players}, None)
    entries[0]["secret"] = f"{secret:064x}"
    for seat in range(players):
        sits = {"do": "sit", "seat": seat, "name": f"P{seat}", "bytes": "", "holder": "x"}
        entries.append(sits)
    entries.append({"do": "start", "bytes": [""] * players, "next": "ab" * 32})
    return fold("T" * 22, entries)


def move(table: Table, seat: int, action: int) -> None:
    assert table.match is not None
    words = table.match.position.write(seat, action)
    table.apply({"do": "move", "seat": seat, "actions": [words]})


def plain_walk(table: Table, choices: random.Random) -> Iterator[Table]:
    """A table at every decision of a whole random game."""
    match = table.match
    assert match is not None
    while not match.over:
        yield table
        seat = choices.choice(match.pending)
        move(table, seat, choices.choice(match.legal(seat)))
    yield table


def explained(table: Table, viewer: int) -> list[Any]:
    """What the aid tells of some pieces and lines."""
    match = table.match
    assert match is not None
    explainer = Explainer(match, None if viewer == SPECTATOR else viewer)
    pieces = match.view(None if viewer == SPECTATOR else viewer)["pieces"]
    asked = [f"piece:{piece['key']}" for piece in pieces[::7]]
    return [explainer.explain(of) for of in [*asked, f"line:{match.position.lines[-1]}"]]


def everything(table: Table, viewer: int) -> dict[str, bytes]:
    """All that leaves the server for this viewer, fresh and by channel."""
    match = table.match
    assert match is not None
    who = None if viewer == SPECTATOR else viewer
    sent = Messages().of(table, viewer)
    channels = {
        "message": sent.json,
        "stream": wire(sent.number, sent.json),
        "page": message.encode(Messages().of(table, viewer, follow=True).data),
        "record": message.encode(message.record(table, viewer)),
        "log": message.encode(match.events(who)),
        "aid": message.encode(explained(table, viewer)),
    }
    if viewer != SPECTATOR:
        previews = [match.preview(viewer, action) for action in match.legal(viewer)]
        channels["previews"] = message.encode(previews)
    if viewer in match.pending:
        channels["hint"] = message.encode(question_for(match, viewer))
    return channels


def compare_worlds(table: Table, worlds: int, name: str) -> int:
    """Compare the truth with other worlds for everyone who watches; how many were compared?"""
    match = table.match
    assert match is not None
    compared = 0
    for viewer in range(SPECTATOR, table.players):
        true = everything(table, viewer)
        for world in range(worlds):
            other = another(table, viewer, f"{name}/{viewer}/{world}")
            if other is None:
                continue
            compared += 1
            for channel, sent in everything(other, viewer).items():
                assert sent == true[channel], (channel, viewer, len(match.history))
    return compared


def check_worlds(kind: str) -> None:
    """Every world that a viewer can't tell from the true one is sent the same."""
    compared = 0
    for number, table in enumerate(plain_walk(laid(kind), random.Random(kind))):
        assert table.match is not None
        if number % EVERY == 0 and not table.match.over:
            compared += compare_worlds(table, WORLDS, f"{kind}{number}")
    assert compared > 20


def shuffled(true: Any, shown: Any, choices: random.Random) -> Any:
    """The deal with all that isn't shown put into another order."""
    if isinstance(true, dict):
        return {name: shuffled(true[name], shown[name], choices) for name in true}
    if isinstance(true, list) and shown:
        if isinstance(true[0], list):
            pairs = zip(true, shown, strict=True)
            return [shuffled(inner, other, choices) for inner, other in pairs]
        places = [place for place, card in enumerate(shown) if card == "?"]
        cards = [true[place] for place in places]
        choices.shuffle(cards)
        mixed = list(true)
        for place, card in zip(places, cards, strict=True):
            mixed[place] = card
        return mixed
    return true


def dealt_otherwise(match: Match, viewer: int, choices: random.Random) -> Match | None:
    """The same public game from another deal, if the viewer couldn't tell at any moment."""
    record = match.record(viewer)
    deal = shuffled(match.deal, record["deal"], choices)
    if deal == match.deal:
        return None
    try:
        other = Match(match.game, match.pack, match.options, None, deal, match.seats)
    except PelagosError:
        return None
    other.tells_opening = match.tells_opening
    again = Match(match.game, match.pack, match.options, match.seed, None, match.seats)
    same = words_of(b"the same")

    def told_apart() -> bool:
        seen = other.position.redeal(viewer, same.copy()).states.tobytes()
        return seen != again.position.redeal(viewer, same.copy()).states.tobytes()

    try:
        for entry in match.history:
            if told_apart():
                return None
            for replayed in (other, again):
                if entry.seat < 0:
                    replayed._apply_chance(entry.outcome)
                else:
                    replayed.move(entry.seat, entry.action)
        return None if told_apart() else other
    except (PelagosError, LookupError):
        return None


def check_deals(kind: str) -> None:
    """Record and log of a seat don't hang on cards that it can't know: whole other deals."""
    choices = random.Random(kind)
    compared = 0
    for deal in range(40 if SOAK else 8):
        table = laid(kind, deal)
        for number, at in enumerate(plain_walk(table, choices)):
            match = at.match
            assert match is not None
            if match.over or number > (60 if SOAK else 8):
                break
            if match.position.mask == CHANCE:
                continue
            viewers = list(range(SPECTATOR, at.players)) * 5
            for viewer in viewers:
                other = dealt_otherwise(match, viewer, choices)
                if other is None:
                    continue
                compared += 1
                world = at.copy()
                world.match = other
                true, otherwise = everything(at, viewer), everything(world, viewer)
                for channel in true:
                    assert otherwise[channel] == true[channel], (channel, viewer, number)
    assert compared > 3


def sequence(table: Table, viewer: int, moves: list[tuple[int, list[int]]]) -> list[bytes]:
    """What goes over the viewer's stream while these moves come in, one by one."""
    messages = Messages()
    sent: list[Message] = []

    def send() -> None:
        newest = messages.of(table, viewer)
        if not sent or not newest.says_the_same(sent[-1]):
            sent.append(newest)

    send()
    for seat, actions in moves:
        for action in actions:
            move(table, seat, action)
            send()
    return [message.json for message in sent]


def hidden_moves(
    table: Table, order: list[int], choices: random.Random, fixed: dict[int, list[int]]
) -> list[tuple[int, list[int]]]:
    """For each seat in order, moves until it owes none; nothing revealed. Tried on a copy."""
    tried = table.copy()
    match = tried.match
    assert match is not None
    moves = []
    for seat in order:
        actions: list[int] = []
        while seat in match.pending:
            planned = fixed.get(seat, [])
            action = (
                planned[len(actions)]
                if len(actions) < len(planned)
                else choices.choice(match.legal(seat))
            )
            match.play(seat, action)
            actions.append(action)
            assert match.history[-1].news == HIDDEN
        moves.append((seat, actions))
    return moves


def check_sequences(kind: str) -> None:
    """While others choose in secret, how they choose changes neither a message nor its number."""
    choices = random.Random(kind)
    table = laid(kind)
    compared, together = 0, False
    while True:
        match = table.match
        assert match is not None
        if match.over or compared > (1000 if SOAK else 200):
            break
        order = list(match.pending)
        together = together or len(order) > 1
        choices.shuffle(order)
        try:
            true = hidden_moves(table, order[:-1], choices, {})
        except AssertionError:
            true = []
        if true:
            compared += compare_sequences(table, order, true, choices)
        for seat in order:
            while seat in match.pending:
                news = len(match.history)
                move(table, seat, choices.choice(match.legal(seat)))
                if any(entry.news != HIDDEN for entry in match.history[news:]):
                    break
    assert compared or not together


def compare_sequences(
    table: Table,
    order: list[int],
    true: list[tuple[int, list[int]]],
    choices: random.Random,
) -> int:
    compared = 0
    for viewer in range(SPECTATOR, table.players):
        fixed = {seat: actions for seat, actions in true if seat == viewer}
        expected = sequence(table.copy(), viewer, true)
        for world in range(WORLDS):
            other = table.copy()
            assert other.match is not None
            assert table.match is not None
            name = f"{viewer}/{world}/{len(table.match.history)}"
            other.match.position = table.match.position.redeal(viewer, words_of(name.encode()))
            try:
                moves = hidden_moves(other, order[:-1], choices, fixed)
            except AssertionError:
                continue
            assert sequence(other, viewer, moves) == expected
            compared += 1
    return compared
