"""Who begins: drawn by lot, or a seat that was chosen; a record says so, and replays."""

from __future__ import annotations

import json
import random

import pytest

from pelagos.engine.errors import BadOption, BadRecord
from pelagos.engine.game import BY_LOT, games
from pelagos.engine.match import Match

BEGUN = [game for game in games().values() if game.first is not None]
SEATS = [
    pytest.param(game, players, seat, id=f"{game.id}-{players}-{seat}")
    for game in BEGUN
    for players in game.first.players
    for seat in range(players)
]


def played_out(match: Match, seed: str = "lots") -> Match:
    lots = random.Random(seed)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, lots.choice(match.legal(seat)))
    return match


def test_three_games_have_somebody_who_begins() -> None:
    assert {game.id: game.first.name for game in BEGUN} == {
        "oceanide": "start",
        "oceanos": "captain",
        "ozeanien": "start",
    }


@pytest.mark.parametrize(("begun", "players", "seat"), SEATS)
def test_a_seat_may_be_told_to_begin_and_nothing_else_of_the_deal_changes(
    begun, players, seat
) -> None:
    name = begun.first.name
    for number in range(12):
        by_lot = Match.new(begun, players=players, seed=f"deal {number}")
        chosen = Match.new(begun, players=players, seed=f"deal {number}", **{name: seat})
        assert {**chosen.deal, name: 0} == {**by_lot.deal, name: 0}
        if begun.id != "oceanide":
            assert chosen.deal[name] == seat
        assert name not in by_lot.record()["options"]
        assert chosen.record()["options"][name] == seat


@pytest.mark.parametrize(("begun", "players", "seat"), SEATS[::3])
def test_a_game_with_a_chosen_seat_replays_with_and_without_its_seed(begun, players, seat) -> None:
    match = played_out(Match.new(begun, players=players, seed="again", **{begun.first.name: seat}))
    record = json.loads(json.dumps(match.record()))
    assert Match.replay(record).scores == match.scores
    del record["seed"]
    assert Match.replay(record).scores == match.scores
    unsaid = {**record, "options": {"players": players}}  # what a reader of the deal alone does
    assert Match.replay(unsaid).scores == match.scores


def test_among_equals_the_chosen_sister_begins_and_nobody_else_by_it() -> None:
    game = games()["oceanide"]
    became = set()
    for number in range(40):
        lots = {
            Match.new(game, players=3, seed=f"tie {number}", start=seat).deal["start"]
            for seat in range(3)
        }
        plain = Match.new(game, players=3, seed=f"tie {number}").deal["start"]
        assert plain in lots  # told to somebody who isn't among them: the lot decides
        became.add(len(lots))
    assert became == {1, 2, 3}


def test_a_deal_in_which_another_begins_than_was_chosen_is_refused() -> None:
    for game in (games()["ozeanien"], games()["oceanos"]):
        name, players = game.first.name, game.first.players[-1]
        record = Match.new(game, players=players, seed=1, **{name: 1}).record()
        del record["seed"]
        record["deal"][name] = 0
        with pytest.raises(BadRecord, match="seat 1 was chosen to begin, not seat 0"):
            Match.replay(record)


def test_a_lot_is_what_happens_anyway_and_is_written_nowhere() -> None:
    game = games()["ozeanien"]
    assert game.check_options({"players": 2, "start": BY_LOT}) == game.check_options({"players": 2})


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_seat_that_there_is_not_is_refused_in_a_sentence(language) -> None:
    every = games()
    for game, options, words in (
        ("ozeanien", {"players": 2, "start": 2}, {"en": "0 to 1", "fr": "0 à 1"}),
        ("ozeanien", {"players": 2, "start": True}, {"en": "not True", "fr": "pas True"}),
        ("ozeanien", {"players": 1, "start": 0}, {"en": "nobody", "fr": "personne"}),
        ("oceanos", {"players": 2, "captain": 0}, {"en": "nobody", "fr": "personne"}),
        ("ecosystem", {"players": 3, "start": 0}, {"en": "no option", "fr": "pas d'option"}),
    ):
        with pytest.raises(BadOption) as refused:
            every[game].check_options(options)
        assert words[language] in refused.value.say(language)
