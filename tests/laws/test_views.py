"""Views: what is kept is what would be made, what may be taken back, what happened lately."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pelagos.engine.actions import Actions, Verb
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.types import HIDDEN
from pelagos.engine.view import Event, Eyes, Part, Reads, text

GAMES = sorted(games())


def whole_game(game: Game, players: int, seed: str) -> Iterator[Match]:
    """A match before every move of a game that is played at random."""
    match = Match.new(game, players=players, seed=seed)
    choices = random.Random(seed)
    while not match.over:
        yield match
        seat = choices.choice(match.pending)
        match.play(seat, choices.choice(match.legal(seat)))
    yield match


def as_bytes(match: Match, viewer: int | None, cached: bool) -> bytes:
    return json.dumps(match.view(viewer, cached=cached), sort_keys=True).encode()


def check_cache(game: Game, players: int) -> None:
    for match in whole_game(game, players, f"{game.id} with {players}"):
        for viewer in (None, *range(players)):
            assert as_bytes(match, viewer, True) == as_bytes(match, viewer, False)


@pytest.mark.parametrize("name", GAMES)
def test_a_cached_view_is_the_view_made_without_the_cache(name: str) -> None:
    game = games()[name]
    for players in sorted({game.players[0], min(4, game.players[-1])}):
        check_cache(game, players)


@pytest.mark.parametrize("name", GAMES)
def test_a_field_that_is_read_but_not_declared_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games()[name]
    module = game.part("view")
    declared = {key: value for key, value in vars(module).items() if isinstance(value, Reads)}
    assert declared
    for key, reads in declared.items():
        reading = reads.of()
        left = Reads(*reading.whole, seat=reading.by_seat[1:])
        if not reading.by_seat:
            left = Reads(*reading.whole[1:])
        monkeypatch.setattr(module, key, left)
        with pytest.raises(AssertionError):
            check_cache(game, min(4, game.players[-1]))
        monkeypatch.undo()


@pytest.mark.parametrize(("name", "reads"), [("ecosystem", "GRID"), ("oceanos", "ROWS")])
def test_a_field_that_is_called_public_but_is_not_is_found(
    name: str, reads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games()[name]
    reading = getattr(game.part("view"), reads).of()
    public = Reads(*reading.whole, seat=reading.by_seat, public=True)
    monkeypatch.setattr(game.part("view"), reads, public)
    with pytest.raises(AssertionError):
        check_cache(game, min(4, game.players[-1]))


def test_points_that_compare_seats_are_each_viewers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a viewer has laid in secret counts for the others' ranks, in its eyes alone."""
    game = games()["ecosystem"]
    reading = game.part("scoring").READS.of()
    alike = Reads(*reading.whole, seat=reading.by_seat, public=True, but_own=True)
    monkeypatch.setattr(game.part("scoring"), "READS", alike)
    with pytest.raises(AssertionError):
        check_cache(game, 4)


@pytest.mark.parametrize(("name", "field"), [("oceanide", "left"), ("oceanos", "eyes")])
def test_what_one_seat_alone_knows_is_found_in_what_is_made_for_all(
    name: str, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games()[name]
    module, hidden = game.part("view"), {"oceanide": "own", "oceanos": "hands"}[name]
    honest = module._table

    def leaky(record: Any, pack: Any) -> Any:
        made = honest(record, pack)
        secrets = getattr(record, hidden)[:1].reshape(-1).tolist()
        leak = [secrets[place % len(secrets)] for place in range(len(getattr(made, field)))]
        return made._replace(**{field: leak})

    monkeypatch.setattr(module, "_table", leaky)
    with pytest.raises(AssertionError):
        check_cache(game, 4)


@pytest.mark.parametrize("name", GAMES)
def test_what_viewers_share_of_another_position_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Eyes, "state", b"")
    with pytest.raises((AssertionError, KeyError)):
        check_cache(games()[name], min(4, games()[name].players[-1]))


def test_a_part_is_the_same_before_and_after_it_is_encoded() -> None:
    part = Part(None, 2)
    part.place("reef", "grid", text("place.reef", player={"seat": 1}), seat=1, rows=2, columns=3)
    part.piece("fish", "reef", "fish", at=(0, 1), marks=("down",))
    part.piece("back", "reef", None, count=3)
    places, pieces = part.places, part.pieces
    encoded = part.encoded(lambda data: json.dumps(data).encode())
    assert (part.places, part.pieces) == (places, pieces)
    assert encoded == part.encoded(lambda data: b"nothing")


def whole_story(game: Game, players: int) -> list[list[Event]]:
    """What every viewer was told of a game, the spectator first."""
    *_, match = whole_game(game, players, f"{game.id} told to {players}")
    return [match.events(viewer) for viewer in (None, *range(players))]


@pytest.mark.parametrize("name", GAMES)
def test_a_story_that_is_shared_is_the_story_told_apart(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games()[name]
    for players in sorted({game.players[0], min(4, game.players[-1])}):
        shared = whole_story(game, players)
        with monkeypatch.context() as alone:
            alone.setattr(game.part("story"), "is_told_apart", lambda step, viewer: True)
            assert whole_story(game, players) == shared


@pytest.mark.parametrize("name", ["ecosystem", "oceanide", "oceanos"])
def test_somebody_who_should_be_told_apart_and_is_not_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, players = games()[name], 4
    right = whole_story(game, players)
    monkeypatch.setattr(game.part("story"), "is_told_apart", lambda step, viewer: False)
    assert whole_story(game, players) != right


@pytest.mark.parametrize("name", GAMES)
def test_gain_and_receipt_tell_the_same_change(name: str) -> None:
    for match in whole_game(games()[name], games()[name].default_players, f"gain {name}"):
        for seat in match.pending:
            view = match.view(seat)
            now = view.get("standing", view["sheets"])[seat]
            for choice in view["choices"]:
                assert choice["gain"] == sum(choice["preview"].values()) - now["total"]
                assert choice["gain"] == sum(line["points"] for line in choice["receipt"])
                assert all(line["points"] for line in choice["receipt"])


@pytest.mark.parametrize("name", GAMES)
def test_what_may_be_taken_back_is_told_and_can_be(name: str) -> None:
    taken_back = 0
    for match in whole_game(games()[name], games()[name].default_players, f"undo {name}"):
        for seat in range(match.players):
            moves = match.view(seat, previews=False)["undo"]
            assert len(moves) <= len(match.undoable(seat)[0])
            if moves and match.why_no_undo(seat) is None and not match.over:
                before = match.copy()
                before.undo(seat)
                assert len(before.history) == len(match.history) - 1
                # what isn't told of (a card lifted, not laid yet) can be taken back all the same
                assert before.view(seat, previews=False)["undo"] in (moves, moves[:-1])
                taken_back += 1
    assert taken_back


@pytest.mark.parametrize("name", GAMES)
def test_lately_begins_after_the_viewers_own_newest_move(name: str) -> None:
    game = games()[name]
    lately: dict[int, int] = {}
    for match in whole_game(game, game.default_players, f"lately {name}"):
        if match.history and match.history[-1].seat >= 0:
            mover, hidden = match.history[-1].seat, match.history[-1].news == HIDDEN
            for seat in range(match.players):
                view = match.view(seat, previews=False)
                if seat != mover:
                    assert view["lately"] == lately.get(seat, 0)
                elif hidden:
                    assert view["lately"] == view["seen"]
        for seat in range(match.players):
            lately[seat] = match.view(seat, previews=False)["lately"]


@pytest.mark.parametrize("name", GAMES)
def test_a_match_at_any_entry_is_the_match_as_it_was(name: str) -> None:
    game = games()[name]
    states, views = [], []
    match = None
    for match in whole_game(game, game.default_players, f"at {name}"):
        while len(states) <= len(match.history):
            states.append(match.position.states.tobytes())
            views.append(as_bytes(match, 0, True))
        states[len(match.history)] = match.position.states.tobytes()
        views[len(match.history)] = as_bytes(match, 0, True)
    assert match is not None
    for number in range(0, len(match.history) + 1, 7):
        past = match.at(number)
        if past.pending or past.over:
            assert past.position.states.tobytes() == states[number]
            assert as_bytes(past, 0, True) == views[number]


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_goes_on_by_itself(name: str) -> None:
    game = games()[name]
    for match in whole_game(game, game.default_players, f"copy {name}"):
        if match.over or len(match.history) % 5:
            continue
        before = as_bytes(match, 0, True)
        other = match.copy()
        seat = other.pending[-1]
        words = other.play(seat, other.legal(seat)[-1])
        assert words in match.moves(seat)
        assert as_bytes(match, 0, True) == before
        assert as_bytes(other, 0, True) == as_bytes(other, 0, False)


@pytest.mark.parametrize("name", GAMES)
def test_follow_is_legal_and_of_the_declared_group(name: str) -> None:
    game = games()[name]
    for match in whole_game(game, game.default_players, f"follow {name}"):
        for seat in match.pending:
            for choice in match.view(seat, follow=True)["choices"]:
                for sequel in choice.get("follow", ()):
                    assert sequel["group"] == game.follow[choice["group"]]
                    assert sequel["gain"] is not None


def test_actions_are_numbered_as_they_are_declared() -> None:
    actions = Actions(
        Verb("pass"),
        Verb("keep", skip=1, card=range(1, 4)),
        Verb("trade", seat=2, thing=("key", "rum")),
    )
    assert actions.size == 9
    assert actions.firsts("pass", "keep", "trade") == (0, 2, 5)
    assert actions.decode(3) == ("keep", (2,), 1)
    assert actions.decode(8) == ("trade", (1, "rum"), 3)
    assert actions.encode("trade", 1, "key") == 7
    assert actions.encode("trade", 1, "moon") == actions.encode("fly") == -1
    assert [
        actions.encode(*actions.decode(number)[:1], *actions.decode(number)[1])
        for number in (0, 2, 3, 4, 5, 6, 7, 8)
    ] == [0, 2, 3, 4, 5, 6, 7, 8]
    with pytest.raises(ValueError, match="number 1"):
        actions.decode(1)
    assert actions.table()[1] == (2, 4, "keep", ("card",))
