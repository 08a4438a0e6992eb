"""Laws that hold for any game, ours or anybody's, at every number of players and option."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import numpy as np
import pytest

from conftest import SOAK, finished, random_walk
from pelagos.engine.errors import IllegalMove
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.position import Position
from pelagos.engine.stream import words_of
from pelagos.engine.types import CHANCE, HIDDEN
from pelagos.engine.view import Look

GAMES_EACH = 20 if SOAK else 2


def walks(game: Game, options: dict[str, Any], count: int = GAMES_EACH) -> Any:
    for seed in range(count):
        match = Match.new(game, seed=f"law {seed}", **options)
        yield match, random.Random(seed)


def stream(name: object) -> np.ndarray:
    return words_of(str(name).encode())


def raw(position: Position) -> bytes:
    return position.states.tobytes()


def plies(game: Game, options: dict[str, Any], every: int) -> Any:
    """Every n-th position of some random games, the first and the last among them; in the quick
    run fewer, an odd number apart, so that all seats and phases come up.
    """
    every = every if SOAK else 2 * every + 1
    for match, choices in walks(game, options):
        for number, at in enumerate(random_walk(match, choices)):
            if number % every == 0 or at.over:
                yield at, choices


# --- secrecy ----------------------------------------------------------------------------------


def seen(position: Position, match: Match, seat: int) -> Any:
    """All that the seat can tell from a position."""
    other = match.copy()
    other.position = position
    view = other.view(seat)
    view["events"] = []
    raw = position.observe(seat)
    numbers = raw.tolist(), position.expand(raw).tolist()
    legal = position.legal(seat) if position.mask != CHANCE and position.mask >> seat & 1 else []
    return view, numbers, legal, bool(position.mask >> seat & 1)


def test_a_redealt_world_looks_the_same_to_its_seat(game: Game, options: dict[str, Any]) -> None:
    for match, _ in plies(game, options, every=7):
        for seat in range(match.players):
            truth = seen(match.position, match, seat)
            other = match.position.redeal(seat, stream((seat, len(match.history))))
            assert seen(other, match, seat) == truth


def test_a_redealt_world_has_all_the_cards(game: Game, options: dict[str, Any]) -> None:
    census = game.part("knowledge").census
    for match, _ in plies(game, options, every=5):
        truth = census(match.position.record, match.position.pack_record)
        for seat in range(-1, match.players):
            other = match.position.redeal(seat, stream(seat))
            assert census(other.record, other.pack_record) == truth


def test_a_second_redeal_forgets_the_first(game: Game, options: dict[str, Any]) -> None:
    for match, _ in plies(game, options, every=3):
        for seat in range(-1, match.players):
            first = match.position.redeal(seat, stream("a"))
            again = first.redeal(seat, stream("b"))
            assert raw(again) == raw(match.position.redeal(seat, stream("b")))


def test_a_redealt_world_forgets_the_stream(game: Game, options: dict[str, Any]) -> None:
    match = Match.new(game, seed=1, **options)
    true = match.position.states["stream"].tolist()
    assert match.redeal(0, "x").states["stream"].tolist() != true


@pytest.mark.thorough
def test_whatever_another_seat_holds_some_drawn_world_has_it_so(
    game: Game, options: dict[str, Any]
) -> None:
    for match, _ in plies(game, options, every=60):
        for seat in range(match.players):
            truth = take_back(match, seat)
            for other in set(range(match.players)) - {seat}:
                missing = things_seen(truth, other)
                for draw in range(3_000):  # what is rare takes many draws; most takes a few
                    drawn = things_seen(match.redeal(seat, draw), other)
                    missing = missing - drawn
                    if not missing:
                        break
                assert not missing


def things_seen(position: Position, seat: int) -> set[Any]:
    """The pieces of a seat's view, without the keys by which the viewer follows them."""
    look = Look(position, seat, position.over, {}, {})
    position.game.part("view").view(look)
    return {
        (piece["place"], piece["face"], piece["count"], str(piece["at"])) for piece in look.pieces
    }


def take_back(match: Match, seat: int) -> Position:
    """The truth without the others' unrevealed choices."""
    other = match.copy()
    for _ in range(len(other.history)):
        last = other.history[-1]
        if last.news != HIDDEN:
            break
        hidden = [entry.seat for entry in hidden_entries(other) if entry.seat != seat]
        if not hidden:
            break
        other.undo(hidden[-1])
    return other.position


def hidden_entries(match: Match) -> list[Any]:
    """The history's unrevealed end."""
    entries: list[Any] = []
    for entry in reversed(match.history):
        if entry.news != HIDDEN:
            break
        entries.insert(0, entry)
    return entries


def test_worlds_differ_as_long_as_something_is_hidden(game: Game, options: dict[str, Any]) -> None:
    match = Match.new(game, seed=2, **options)
    for seat in range(-1, match.players):
        worlds = [match.redeal(seat, draw).states.copy() for draw in range(8)]
        for world in worlds:
            world["stream"] = 0
        assert len({world.tobytes() for world in worlds}) == 8


def test_redealt_worlds_can_be_played_to_the_end(game: Game, options: dict[str, Any]) -> None:
    for match, choices in plies(game, options, every=25):
        for seat in range(match.players):
            world = match.position.redeal(seat, stream("play on"))
            world.settle()
            while not world.over:
                mover = choices.choice(world.pending)
                world.play(mover, choices.choice(world.legal(mover)))
                world.settle()
            assert world.winners or world.players == 1


def test_the_view_shows_the_same_from_every_world(game: Game, options: dict[str, Any]) -> None:
    """A spectator's view, too, is the same from the truth and from any world like it."""
    for match, _ in plies(game, options, every=11):
        truth = match.view()
        truth["events"] = []
        other = match.copy()
        other.position = match.position.redeal(-1, stream("spectator"))
        redealt = other.view()
        redealt["events"] = []
        assert redealt == truth


# --- simultaneous choices ---------------------------------------------------------------------


def test_the_order_of_simultaneous_choices_never_matters(
    game: Game, options: dict[str, Any]
) -> None:
    for match, choices in walks(game, options):
        while not match.over:
            movers = list(match.pending)
            other = match.copy()
            plans = {seat: random.Random(choices.random()) for seat in movers}
            states = {seat: plan.getstate() for seat, plan in plans.items()}
            _play_phase(match, movers, plans)
            for seat, plan in plans.items():
                plan.setstate(states[seat])
            _play_phase(other, movers[::-1], plans)
            assert raw(match.position) == raw(other.position)


def _play_phase(match: Match, order: list[int], plans: dict[int, random.Random]) -> None:
    """Each seat in this order makes moves until they are revealed, or it owes none."""
    for seat in order:
        while seat in match.pending:
            match.play(seat, plans[seat].choice(match.legal(seat)))
            if match.history[-1].news != HIDDEN:
                return


# --- history ----------------------------------------------------------------------------------


def test_undo_then_redo_is_identity(game: Game, options: dict[str, Any]) -> None:
    undone = 0
    for match, choices in walks(game, options):
        while not match.over:
            seat = choices.choice(match.pending)
            before = raw(match.position)
            action = choices.choice(match.legal(seat))
            match.play(seat, action)
            if match.why_no_undo(seat):
                with pytest.raises(IllegalMove):
                    match.undo(seat)
                continue
            after = raw(match.position)
            match.undo(seat)
            assert raw(match.position) == before
            match.play(seat, action)
            assert raw(match.position) == after
            undone += 1
    assert undone


def test_json_and_pickle_round_trips_at_every_ply(game: Game, options: dict[str, Any]) -> None:
    for match, _ in plies(game, options, every=4):
        for again in (Match.from_json(match.to_json()), pickle.loads(pickle.dumps(match))):
            assert raw(again.position) == raw(match.position)
            assert again.record() == match.record()
            assert again.pending == match.pending


def test_a_copy_goes_its_own_way(game: Game, options: dict[str, Any]) -> None:
    match = Match.new(game, seed=3, **options)
    other = match.copy()
    before = raw(match.position)
    other.play(other.pending[0], other.legal(other.pending[0])[0])
    assert raw(match.position) == before
    assert not match.history


def test_no_card_is_lost_or_made(game: Game, options: dict[str, Any]) -> None:
    census = game.part("knowledge").census
    for match, choices in walks(game, options):
        start = census(match.position.record, match.position.pack_record)
        for at in random_walk(match, choices):
            assert census(at.position.record, at.position.pack_record) == start


def test_a_seats_record_of_a_running_game_hides_what_it_cannot_know(
    game: Game, options: dict[str, Any]
) -> None:
    for match, _ in plies(game, options, every=9):
        if match.over:
            continue
        for seat in range(match.players):
            record = match.record(seat)
            assert "seed" not in record
            assert "result" not in record
            assert len(json.dumps(record)) > 0
            with pytest.raises(ValueError, match=r"verified|\?"):
                Match.replay(record)


def told_of(deal: Any, path: tuple[Any, ...] = ()) -> set[tuple[Any, ...]]:
    """The places of a deal that aren't concealed."""
    if isinstance(deal, dict | list):
        inside = deal.items() if isinstance(deal, dict) else enumerate(deal)
        return {place for key, part in inside for place in told_of(part, (*path, key))}
    return set() if deal == "?" else {path}


def test_who_watches_is_told_no_more_of_a_deal_than_any_seat(
    game: Game, options: dict[str, Any]
) -> None:
    for match, _ in plies(game, options, every=9):
        if match.over:
            continue
        watched = told_of(match.record(-1)["deal"])
        for seat in range(match.players):
            assert watched <= told_of(match.record(seat)["deal"]), seat


# --- moves and sheets -------------------------------------------------------------------------


def test_legal_actions_and_notations_are_one_to_one(game: Game, options: dict[str, Any]) -> None:
    notation = game.part("notation")
    for match, _ in plies(game, options, every=2):
        position = match.position
        for seat in match.pending:
            legal = match.legal(seat)
            assert legal == sorted(set(legal))
            assert all(0 <= action < game.actions for action in legal)
            words = match.moves(seat)
            assert len(set(words)) == len(words)
            for action, text in zip(legal, words, strict=True):
                assert notation.read(position.record, position.pack_record, seat, text) == action


def test_a_sheets_evidence_adds_up(game: Game, options: dict[str, Any]) -> None:
    for match, _ in plies(game, options, every=9):
        for viewer in (None, 0):
            for sheet in match.view(viewer)["sheets"]:
                assert sheet["total"] == sum(line["points"] for line in sheet["lines"])
                for line in sheet["lines"]:
                    assert sum(proof["points"] for proof in line["evidence"]) == line["points"]


def test_every_text_has_words_in_both_languages(game: Game, options: dict[str, Any]) -> None:
    from pelagos.engine.words import words

    for match, _ in plies(game, options, every=6):
        for viewer in (None, 0):
            view = match.view(viewer)
            keys = {view["prompt"]["key"], *(event["key"] for event in view["events"])}
            keys |= {choice["label"]["key"] for choice in view["choices"]}
            keys |= {place["label"]["key"] for place in view["places"]}
            keys |= {f"line.{line['key']}" for line in view["sheets"][0]["lines"]}
            keys |= {f"fact.{key}" for key in view["facts"]}
            faces = {piece["face"] for piece in view["pieces"] if piece["face"]}
            keys |= {f"noun.{face}" for face in faces if any(map(str.isalpha, face))}
            for sheet in view["sheets"]:
                for line in sheet["lines"]:
                    keys |= {proof["reason"]["key"] for proof in line["evidence"]}
            for language in ("en", "fr"):
                missing = {key for key in keys if not words(game, language).has(key)}
                assert not missing
                assert "{" not in match.text(viewer, language)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_thing_without_a_noun_is_called_by_its_face(game: Game, language: str) -> None:
    from pelagos.engine.words import words

    said = words(game, language)
    assert {said.noun("7-77", form) for form in ("name", "the", "a", "many")} == {"7-77"}
    codes = [face for face in said.table["noun"] if len(face) > 1 and face == face.upper()]
    assert not [code for code in codes if said.table["noun"][code] == code]


def test_pieces_are_named_once_and_choices_point_at_what_is_there(
    game: Game, options: dict[str, Any]
) -> None:
    for match, _ in plies(game, options, every=6):
        for seat in range(match.players):
            view = match.view(seat, previews=False)
            keys = [piece["key"] for piece in view["pieces"]]
            assert len(set(keys)) == len(keys)
            places = {place["key"] for place in view["places"]}
            assert {piece["place"] for piece in view["pieces"]} <= places
            for choice in view["choices"]:
                assert choice["place"] is None or choice["place"] in places
                assert choice["piece"] is None or choice["piece"] in keys
            assert json.loads(json.dumps(view)) == view


def test_a_finished_record_replays_and_refuses_a_wrong_result(
    game: Game, options: dict[str, Any]
) -> None:
    record = finished(game, options, 5).record()
    assert Match.replay(record).over
    record["result"]["scores"][0] += 1
    with pytest.raises(ValueError, match="scores"):
        Match.replay(record)


def test_a_state_is_small_and_its_size_a_multiple_of_eight(game: Game) -> None:
    size = game.part("state").STATE.size
    assert size <= 2048
    assert size % 8 == 0
    assert game.actions <= 256


def fields_of(protocol: type) -> dict[str, bool]:
    """What a class of fields declares: by name, is it a number?"""
    return {name: kind == "int" for name, kind in protocol.__annotations__.items()}


@pytest.mark.parametrize("name", sorted(games()))
def test_a_states_fields_are_those_of_its_class(name: str) -> None:
    state = games()[name].part("state")
    for fields, protocol in ((state.STATE, state.State), (state.PACK, state.Pack)):
        declared = {
            field.name: not field.shape for field in fields.fields if field.name != "padding"
        }
        assert declared == fields_of(protocol)
