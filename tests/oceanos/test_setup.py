"""Set-up: submarines, decks, Kraken tokens, the first captain."""

from __future__ import annotations

import pytest

from oceanos.setting import (
    DATA,
    GAME,
    Story,
)
from pelagos.engine.errors import BadOption
from pelagos.engine.match import Match
from pelagos.engine.words import words
from pelagos.games.oceanos.cards import names_of
from pelagos.games.oceanos.state import (
    DECKS,
    PARTS,
)


def test_all_begin_with_parts_of_level_one_a_fuel_token_and_a_diver() -> None:
    for players in range(2, 6):
        story = Story(players)
        for seat in range(players):
            boat = story.boat(seat)
            assert [boat[part] for part in PARTS] == [1] * 5
            assert (boat["fuel"], boat["divers"], boat["green"], boat["yellow"]) == (1, 1, 0, 0)


def test_the_deal_holds_three_decks_a_kraken_of_each_size_the_bag_and_a_captain() -> None:
    deal = Match.new(GAME, players=4, seed=3).deal
    assert [len(deck) for deck in deal["decks"]] == [40, 45, 50] == list(DECKS)
    for depth, deck in enumerate(deal["decks"]):
        assert sorted(deck) == sorted(names_of(DATA, depth)[1:])
    for size, value in enumerate(deal["kraken"]):
        assert value in DATA.kraken[size]
    assert sorted(deal["bag"]) == [2] * 10 + [3] * 10 + [4] * 10


def test_the_first_captain_is_anyone_and_with_two_players_nobody() -> None:
    captains = {Match.new(GAME, players=5, seed=seed).deal["captain"] for seed in range(40)}
    assert captains == set(range(5))
    assert {Match.new(GAME, players=2, seed=seed).deal["captain"] for seed in range(9)} == {0}


@pytest.mark.parametrize(
    ("players", "chosen", "said"),
    [
        (4, {}, "{captain} is the first captain, by lot."),
        (4, {"captain": 2}, "{captain} is the first captain, as was agreed."),
        (2, {}, None),
    ],
)
def test_the_log_begins_with_the_first_captain(
    players: int, chosen: dict[str, int], said: str | None
) -> None:
    match = Match.new(GAME, players=players, seed=5, **chosen)
    events = [words(GAME, "en").say(event, match.names) for event in match.events(0)]
    captain = match.names[match.deal["captain"]]
    assert events == ([said.format(captain=captain)] if said else [])
    match.play(match.pending[0], match.moves(match.pending[0])[0])
    assert [words(GAME, "en").say(event, match.names) for event in match.events()][:1] == events


def test_every_kraken_token_comes_up_and_the_other_two_leave_the_game() -> None:
    seen: list[set[int]] = [set(), set(), set()]
    for seed in range(40):
        game = Match.new(GAME, players=3, seed=seed).position.record
        for size in range(3):
            seen[size].add(int(game.kraken[size, 0]))
            assert sorted(game.kraken[size].tolist()) == sorted(DATA.kraken[size].tolist())
    assert seen == [{0, -1, -2}, {-1, -2, -3}, {-2, -3, -4}]


def test_troubled_waters_with_two_players_is_an_error() -> None:
    with pytest.raises(BadOption, match="Troubled Waters is for 3 to 5"):
        Match.new(GAME, players=2, troubled=True)
