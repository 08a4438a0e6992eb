"""Nothing slips: what a viewer is sent is the same from every world that it can't tell apart.

At every decision of whole games, the message, the stream's bytes, the seat's record, its log and
its previews are made from the true table and from others: the hidden set-up dealt anew, the others'
unrevealed choices replaced, public moves kept. They must be the same bytes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from conftest import SOAK
from pelagos.engine import match as engine
from pelagos.engine.aid import Explainer
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.engine.types import CHANCE, HIDDEN
from pelagos.tables import acts, fairness, message
from pelagos.tables.hints import question_for
from pelagos.tables.message import Message, Messages
from pelagos.tables.streams import wire
from pelagos.tables.table import BOT, PLAYING, SPECTATOR, Table, fold
from pelagos.tables.talk import Talk, make_line
from worlds import another

WORLDS = 20 if SOAK else 2
SIMULTANEOUS = {game.id for game in games().values() if "simultaneous" in str(game.about)}
EVERY = 1 if SOAK else 11
"""In the quick run every eleventh decision; in the long one all."""


def whole_games() -> list[str]:
    found = []
    for game in games().values():
        try:
            game.part("knowledge")
            game.part("features")
        except ModuleNotFoundError:
            continue
        found.append(game.id)
    return found


def laid(game: str, secret: int = 0, players: int | None = None) -> Table:
    """A table that has just begun, made from its entries as the log has them."""
    found = games()[game]
    players = players or min(3, found.players[-1])
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


# --- other worlds -----------------------------------------------------------------------------


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
    found = {
        "message": sent.json,
        "stream": wire(sent.number, sent.json),
        "page": message.encode(Messages().of(table, viewer, follow=True).data),
        "record": message.encode(message.record(table, viewer)),
        "log": message.encode(match.events(who)),
        "aid": message.encode(explained(table, viewer)),
    }
    if viewer != SPECTATOR:
        previews = [match.preview(viewer, action) for action in match.legal(viewer)]
        found["previews"] = message.encode(previews)
    if viewer in match.pending:
        found["hint"] = message.encode(question_for(match, viewer))
    return found


def check_worlds(table: Table, worlds: int, name: str) -> int:
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


@pytest.mark.parametrize("kind", whole_games())
def test_every_world_is_sent_the_same(kind: str) -> None:
    compared = 0
    for number, table in enumerate(plain_walk(laid(kind), random.Random(kind))):
        assert table.match is not None
        if number % EVERY == 0 and not table.match.over:
            compared += check_worlds(table, WORLDS, f"{kind}{number}")
    assert compared > 20


# --- other deals ------------------------------------------------------------------------------


def shuffled(true: Any, shown: Any, choices: random.Random) -> Any:
    """The deal with all that isn't shown put into another order."""
    if isinstance(true, dict):
        return {name: shuffled(true[name], shown[name], choices) for name in true}
    if isinstance(true, list) and shown:
        if isinstance(true[0], list):
            pairs = zip(true, shown, strict=True)
            return [shuffled(one, other, choices) for one, other in pairs]
        places = [place for place, one in enumerate(shown) if one == "?"]
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
        one = other.position.redeal(viewer, same.copy()).states.tobytes()
        return one != again.position.redeal(viewer, same.copy()).states.tobytes()

    try:
        for entry in match.history:
            if told_apart():
                return None
            for one in (other, again):
                if entry.seat < 0:
                    one._apply_chance(entry.outcome)
                else:
                    one.move(entry.seat, entry.action)
        return None if told_apart() else other
    except (PelagosError, LookupError):
        return None


@pytest.mark.parametrize("kind", whole_games())
def test_every_deal_that_looks_the_same_is_recorded_the_same(kind: str) -> None:
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
                true, found = everything(at, viewer), everything(world, viewer)
                for channel in true:
                    assert found[channel] == true[channel], (channel, viewer, number)
    assert compared > 3


# --- sequences --------------------------------------------------------------------------------


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
    return [told.json for told in sent]


def hidden_moves(
    table: Table, order: list[int], choices: random.Random, fixed: dict[int, list[int]]
) -> list[tuple[int, list[int]]]:
    """For each seat in order, moves until it owes none; nothing revealed. Tried on a copy."""
    tried = table.copy()
    match = tried.match
    assert match is not None
    found = []
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
        found.append((seat, actions))
    return found


@pytest.mark.parametrize("kind", whole_games())
def test_the_sequence_of_messages_is_the_same(kind: str) -> None:
    """While others choose in secret, how they choose changes neither a message nor its number."""
    choices = random.Random(kind)
    table = laid(kind)
    compared = 0
    while True:
        match = table.match
        assert match is not None
        if match.over or compared > (1000 if SOAK else 200):
            break
        order = list(match.pending)
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
    assert compared or kind not in SIMULTANEOUS


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


# --- planted leaks ----------------------------------------------------------------------------


def all_of(test: Callable[[str], None]) -> None:
    for kind in whole_games():
        test(kind)


def truth(match: Match) -> str:
    return str(hash(match.position.states.tobytes()))


def plant_in_view(patch: pytest.MonkeyPatch) -> None:
    honest = Match.view

    def leaky(self: Match, *args: Any, **more: Any) -> Any:
        view = honest(self, *args, **more)
        view["facts"]["leak"] = truth(self)
        return view

    patch.setattr(Match, "view", leaky)


def plant_in_table(patch: pytest.MonkeyPatch) -> None:
    honest = message.about

    def leaky(table: Table) -> dict[str, Any]:
        assert table.match is not None
        return {**honest(table), "moves": truth(table.match)}

    patch.setattr(message, "about", leaky)


def plant_in_stream(patch: pytest.MonkeyPatch) -> None:
    honest = Messages.of

    def leaky(self: Messages, table: Table, viewer: int, follow: bool = False) -> Message:
        assert table.match is not None
        sent = honest(self, table, viewer, follow)
        number = sent.number + int(truth(table.match))
        return Message(number, sent.table, sent.own, sent.view)

    patch.setattr(Messages, "of", leaky)


def plant_in_record(patch: pytest.MonkeyPatch) -> None:
    honest = Match.record

    def leaky(self: Match, seat: int | None = None) -> dict[str, Any]:
        return {**honest(self, seat), "next": truth(self)}

    patch.setattr(Match, "record", leaky)


def plant_in_previews(patch: pytest.MonkeyPatch) -> None:
    honest = Match.preview

    def leaky(self: Match, seat: int, action: int | str) -> dict[str, int]:
        return {**honest(self, seat, action), "leak": int(truth(self))}

    patch.setattr(Match, "preview", leaky)


def plant_in_log(patch: pytest.MonkeyPatch) -> None:
    honest = engine.Match.events

    def leaky(self: Match, viewer: int | None = None) -> Any:
        return [*honest(self, viewer), {"key": truth(self), "params": {}}]

    patch.setattr(Match, "events", leaky)


@pytest.mark.parametrize(
    "plant",
    [
        plant_in_view,
        plant_in_table,
        plant_in_stream,
        plant_in_record,
        plant_in_previews,
        plant_in_log,
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        test_every_world_is_sent_the_same("minnows")


def test_a_leak_in_the_numbers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting every entry would tell how many cards somebody has kept."""
    honest = Table._count

    def leaky(self: Table, changed: str, seat: int, waiting_changed: bool) -> None:
        honest(self, changed, seat, True)

    monkeypatch.setattr(Table, "_count", leaky)
    with pytest.raises(AssertionError):
        all_of(test_the_sequence_of_messages_is_the_same)


def test_a_leak_in_a_deal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Match.record

    def leaky(self: Match, seat: int | None = None) -> dict[str, Any]:
        return {**honest(self, seat), "whole": json.dumps(self.deal)}

    monkeypatch.setattr(Match, "record", leaky)
    with pytest.raises(AssertionError):
        all_of(test_every_deal_that_looks_the_same_is_recorded_the_same)


# --- the time of an answer --------------------------------------------------------------------


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("kind", whole_games())
def test_a_bots_answer_comes_at_a_time_that_tells_nothing(kind: str) -> None:
    """With the clock in hand: due times are the same in worlds where its hand is another."""
    from pelagos.tables.service import Tables
    from pelagos.tables.settings import Settings

    clock = Clock()
    tables = Tables(None, b"key", Settings(), clock)  # type: ignore[arg-type]
    table = laid(kind, 5)
    table.seats = [replace(chair, kind=BOT, bot="dolphin") for chair in table.seats]
    asked = later = 0
    for at in plain_walk(table, random.Random(3)):
        match = at.match
        assert match is not None
        clock.now += 1.0
        for seat in match.pending:
            work = tables.work(at, match, seat, clock())
            asked += 1
            later += work.at > clock.now
            if not acts.is_open(match, seat):
                assert work.at > clock.now
            for viewer in range(at.players):
                if viewer == seat or acts.is_choosing(match, seat):
                    continue
                other = at.copy()
                assert other.match is not None
                name = f"{viewer}{seat}{len(match.history)}"
                other.match.position = match.position.redeal(viewer, words_of(name.encode()))
                if seat in other.match.pending:
                    assert tables.work(other, other.match, seat, clock()) == work
    assert asked


def test_a_hidden_choice_of_several_actions_ends_at_one_drawn_time() -> None:
    """Else the time would tell how many actions there were."""
    from pelagos.tables.service import Tables
    from pelagos.tables.settings import Settings

    clock, choices, seen = Clock(), random.Random(1), 0
    tables = Tables(None, b"key", Settings(), clock)  # type: ignore[arg-type]
    for kind in whole_games():
        table = laid(kind, 5)
        table.seats = [replace(chair, kind=BOT, bot="dolphin") for chair in table.seats]
        match = table.match
        assert match is not None
        drawn: dict[int, float] = {}
        while not match.over:
            clock.now += 0.01
            seat = choices.choice(match.pending)
            work = tables.work(table, match, seat, clock())
            if acts.is_choosing(match, seat):
                assert work.at == drawn[seat]
                seen += 1
            drawn[seat] = work.at
            action = choices.choice(match.legal(seat))
            acts.bot_move(table, seat, work.decision, action, work.at)
    assert seen > 5


def test_a_drawn_time_is_spread_evenly() -> None:
    draws = [fairness.lot("7" * 64, f"answer/1/{number}") for number in range(4000)]
    assert abs(sum(draws) / len(draws) - 0.5) < 0.02
    assert min(draws) < 0.01
    assert max(draws) > 0.99


# --- talk -----------------------------------------------------------------------------------------


def test_what_spectators_say_changes_nothing_that_players_are_sent() -> None:
    """Neither messages nor numbers; and what a player says changes nothing but the talk."""
    table, kept, talk = laid("minnows"), Messages(), Talk()
    sent: dict[int, bytes] = {}
    for number, now in enumerate(plain_walk(table, random.Random(3))):
        line = {"text": f"seat {number} holds what nobody knows"}
        sent = {seat: kept.of(now, seat, talk=talk).json for seat in range(now.players)}
        before = Messages().of(now, SPECTATOR, talk=talk)
        talk.add(make_line(now, SPECTATOR, line, f"watcher-{number}", "Eve"))
        if now.state == PLAYING:
            for seat in range(now.players):
                message = kept.of(now, seat, talk=talk)
                assert message.json == sent[seat] == Messages().of(now, seat).json
                assert wire(message.number, message.json) == wire(now.views[seat], sent[seat])
        after = Messages().of(now, SPECTATOR, talk=talk)
        assert not after.says_the_same(before)
        assert after.shows_the_same(before)
        assert after.number == before.number
    assert b"what nobody knows" in kept.of(table, 0, talk=talk).json


def test_a_leak_of_spectators_talk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Talk.heard_by
    monkeypatch.setattr(Talk, "heard_by", lambda self, table, _: heard(self, table, SPECTATOR))
    with pytest.raises(AssertionError):
        test_what_spectators_say_changes_nothing_that_players_are_sent()


def test_whole_games_are_here() -> None:
    assert isinstance(games()["minnows"], Game)
    assert "minnows" in whole_games()
