"""Oceanos, told in stories: keeping, laying, divers, crystals and bases, the captain, two players,
Troubled Waters, the rounds' ends, the score, and who knows what."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from conftest import finished, random_walk
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadOption, BadPack, BadRecord, BadTableau, IllegalMove
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.types import CHANCE, SHOWN, TURNED
from pelagos.engine.words import words
from pelagos.games.oceanos import knowledge, notation, rules, worlds
from pelagos.games.oceanos.cards import cards_in, names_of, symbols_on
from pelagos.games.oceanos.scoring import evidence, lines_of, reef_of, winners
from pelagos.games.oceanos.state import (
    AID,
    AQUARIUM,
    CARDS,
    COCKPIT,
    COLUMNS,
    DECKS,
    DIVERS,
    FUEL,
    GREEN,
    KEEP,
    LOTS,
    MOTOR,
    OVER,
    PARTS,
    PROPELLER,
    SPECIES,
    TURNS,
    YELLOW,
)

GAME = find_game("oceanos")
PACK = default_pack(GAME)
DATA = record_of(PACK.data)

# Cards of the default pack, by what they carry.
GREENS = ("1-20", "1-21", "1-22", "1-23", "1-24")
YELLOWS = ("1-31", "1-32", "1-33", "1-34", "1-35")
BASES = ("1-07", "1-08", "1-09", "1-10", "1-11", "1-12")
CHEST = "1-38"
CHEST_WITH_BASE = "1-02"
CHEST_WITH_GREEN = "1-16"
PLAIN = "1-40"


def number(card: str) -> int:
    """A card's number in its round."""
    return names_of(DATA, int(card[0]) - 1).index(card)


def named(cards: int, depth: int = 0) -> set[str]:
    """The ids of a set of cards."""
    return {names_of(DATA, depth)[card] for card in cards_in(cards)}


class Story:
    """A game in which one seat gets the cards that the story needs; the others play plainly."""

    def __init__(self, players: int = 3, captain: int = 0, **options: Any) -> None:
        for seed in itertools.count():
            self.match = Match.new(GAME, players=players, seed=seed, **options)
            if players == 2 or self.match.deal["captain"] == captain:
                break

    @property
    def game(self) -> Any:
        return self.match.position.record

    def boat(self, seat: int) -> dict[str, int]:
        """Parts by level, fuel, divers, pending crystals."""
        levels = {part: int(self.game.boat[seat, at]) for at, part in enumerate(PARTS)}
        items = {"fuel": FUEL, "divers": DIVERS, "green": GREEN, "yellow": YELLOW}
        return levels | {name: int(self.game.boat[seat, at]) for name, at in items.items()}

    def hold(self, seat: int, *cards: str) -> None:
        """See to it that the seat holds these cards: each changes places with one of its own."""
        game, first = self.game, int(self.game.depth) * CARDS
        wanted = [number(card) for card in cards]
        for card in wanted:
            if int(game.hands[seat]) >> card & 1:
                continue
            spare = next(one for one in cards_in(int(game.hands[seat])) if one not in wanted)
            places = np.flatnonzero(game.deck[first : first + CARDS] == card)
            if len(places):
                game.deck[first + places[0]] = spare
            else:
                other = next(one for one in range(5) if int(game.hands[one]) >> card & 1)
                game.hands[other] = int(game.hands[other]) & ~(1 << card) | 1 << spare
            game.hands[seat] = int(game.hands[seat]) & ~(1 << spare) | 1 << card
        self.begin_here()

    def begin_here(self) -> None:
        """The table was arranged by hand: what was before has no history."""
        self.match._start = self.match.position.copy()
        self.match.history, self.match._steps, self.match._stories = [], [], {}

    def until(self, seat: int, *verbs: str) -> list[str]:
        """Let the others play on until the seat owes a move with one of these verbs."""
        while True:
            moves = self.match.moves(seat)
            if any(move.split()[0] in verbs for move in moves):
                return moves
            assert not self.match.over
            self.step(without=seat)

    def step(self, without: int = -1) -> None:
        """One plain move: keep the first card, no more; no diver, no upgrade, nothing under."""
        pending = [seat for seat in self.match.pending if seat != without] or [without]
        moves = self.match.moves(pending[0])
        plain = next((move for move in moves if move in ("done", "pass")), moves[0])
        self.match.play(pending[0], plain)

    def turn(self, seat: int, *cards: str, answers: Sequence[str] = ()) -> list[list[str]]:
        """The seat keeps these cards, in this order, and gives these answers; then the turn ends.
        Returns what it was offered while laying."""
        self.until(seat, "keep")
        now = int(self.game.depth), int(self.game.turn)
        self.hold(seat, *cards)
        for place, card in enumerate(cards):
            self.match.play(seat, f"{'fuel' if place else 'keep'} {card}")
        if "done" in self.match.moves(seat):
            self.match.play(seat, "done")
        left = list(answers)
        offers = []
        while not self.match.over and (int(self.game.depth), int(self.game.turn)) == now:
            moves = self.match.moves(seat)
            if "pass" in moves and not any(move.startswith("under") for move in moves):
                offers.append(moves)
                self.match.play(seat, left.pop(0) if left else "pass")
            else:
                self.step()
        assert not left
        return offers

    def finish_round(self) -> None:
        """Play plainly until the next round, or the end."""
        depth = int(self.game.depth)
        while not self.match.over and int(self.game.depth) == depth:
            self.step()


def upgrades(moves: Sequence[str]) -> list[str]:
    return [move.split()[1] for move in moves if move.startswith("upgrade")]


def table(*seats: Sequence[str], divers: Sequence[str] = (), players: int = 0) -> Any:
    """A state with these cards laid: each seat is three rows, cards parted by spaces."""
    game = record_of(new_states(GAME, 1))
    game.players = players or max(len(seats), 2)
    game.boat[:, : len(PARTS)] = 1
    for seat, rows in enumerate(seats):
        for depth, row in enumerate(rows):
            for column, card in enumerate(row.split()):
                game.rows[seat, depth, column] = number(card)
                game.row_size[seat, depth] += 1
                if card in divers:
                    game.dived[seat] |= 1 << (depth * COLUMNS + column)
    return game


def ended(*seats: Sequence[str], divers: Sequence[str] = (), bag: Sequence[int] = ()) -> Any:
    """The same at the game's end, the bag beginning with these tokens."""
    game = table(*seats, divers=divers)
    game.bag[:] = [*bag, *[0] * (30 - len(bag))]
    rules.end_game(game, DATA)
    return game


def sheet(game: Any, seat: int = 0) -> dict[str, int]:
    return lines_of(game, DATA, seat)


# --- worked cases ------------------------------------------------------------------------------


def test_a_base_without_a_crystal_before_it_offers_no_upgrade() -> None:
    assert Story().turn(1, BASES[0]) == []


def test_a_green_crystal_and_then_a_base_offer_every_part_from_one_to_two() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade aquarium"])
    assert sorted(offer) == sorted(["pass", *(f"upgrade {part}" for part in PARTS)])
    assert story.boat(1)["aquarium"] == 2


def test_two_green_crystals_and_two_bases_make_one_upgrade() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    story.turn(1, GREENS[1])
    assert len(story.turn(1, BASES[0], answers=["upgrade propeller"])) == 1
    assert story.turn(1, BASES[1]) == []
    assert story.boat(1)["propeller"] == 2


def test_a_motor_improved_after_its_fuel_was_spent_gives_exactly_one_token() -> None:
    story = Story()
    story.turn(1, GREENS[0], PLAIN)
    assert story.boat(1)["fuel"] == 0
    story.turn(1, BASES[0], answers=["upgrade motor"])
    assert story.boat(1)["fuel"] == 1
    story.until(1, "keep")
    story.match.play(1, story.match.moves(1)[0])
    assert any(move.startswith("fuel") for move in story.match.moves(1))


def test_the_cockpit_deals_a_card_more_than_it_has_periscopes() -> None:
    story = Story(players=2)
    assert len(story.match.moves(0)) == 2
    story.turn(0, GREENS[0])
    story.turn(0, BASES[0], answers=["upgrade cockpit"])
    assert len(story.until(0, "keep")) == 3
    story.turn(0, GREENS[1], YELLOWS[0])
    story.turn(0, BASES[1], answers=["upgrade cockpit"])
    assert len(story.until(0, "keep")) == 4


def test_three_joined_coral_cards_and_two_apart_make_a_reef_of_three() -> None:
    game = ended(("1-40 1-07 1-03 1-08 1-29", "2-04 2-20 2-09 2-10 2-11", "3-09"))
    assert sheet(game)["reef"] == 3


def test_a_diver_in_row_three_brings_up_a_chest_above_it_too() -> None:
    game = ended(("1-20", "2-02", "3-02"), divers=["3-02"], bag=[3, 4, 2])
    assert int(game.chests[0]) == 2
    assert sheet(game)["treasure"] == 7


def test_crystal_and_base_kept_in_one_turn_count_in_their_order() -> None:
    assert len(Story().turn(1, GREENS[0], BASES[0])) == 1
    assert Story().turn(1, BASES[0], GREENS[0]) == []


def test_a_second_diver_in_a_column_finds_no_chest_twice() -> None:
    game = ended(("1-02", "2-02", "3-02"), divers=["2-02", "3-02"], bag=[2, 3, 4, 4])
    assert int(game.chests[0]) == 3
    found = evidence(game, DATA, 0)[-1]
    assert [one["points"] for one in found] == [5, 4]
    assert [one["pieces"] for one in found] == [["rows0:0,0", "rows0:1,0"], ["rows0:2,0"]]


def test_both_colours_are_gone_even_for_an_upgrade_from_one_to_two() -> None:
    story = Story()
    story.turn(1, GREENS[0], YELLOWS[0])
    assert (story.boat(1)["green"], story.boat(1)["yellow"]) == (1, 1)
    story.turn(1, BASES[0], answers=["upgrade airlock"])
    assert (story.boat(1)["green"], story.boat(1)["yellow"]) == (0, 0)
    assert story.boat(1)["airlock"] == 2


def test_one_colour_offers_nothing_to_a_submarine_of_level_two_and_stays() -> None:
    story = Story()
    story.game.boat[1, : len(PARTS)] = 2
    story.turn(1, GREENS[0])
    assert story.turn(1, BASES[0]) == []
    assert story.boat(1)["green"] == 1


def test_a_diver_that_came_this_turn_dives_from_the_next_turn_on() -> None:
    story = Story()
    assert story.turn(1, CHEST, answers=["dive"]) == [["pass", "dive"]]
    story.turn(1, GREENS[0])
    story.game.boat[1, FUEL] = 1
    offers = story.turn(1, BASES[0], CHEST_WITH_GREEN, answers=["upgrade airlock"])
    assert len(offers) == 1, "the base; no diver for the treasure after it"
    assert story.turn(1, "1-39") == [["pass", "dive"]]


def test_fuel_that_was_not_spent_is_not_added_to_the_refill() -> None:
    story = Story()
    story.finish_round()
    assert [story.boat(seat)["fuel"] for seat in range(3)] == [1, 1, 1]


# --- set-up ------------------------------------------------------------------------------------


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


# --- a turn with a captain ---------------------------------------------------------------------


def test_the_captain_is_dealt_nothing_and_the_others_their_whole_hands_from_the_left() -> None:
    story = Story(players=4, captain=2)
    deck = story.match.deal["decks"][0]
    assert story.match.pending == (0, 1, 3)
    assert named(int(story.game.hands[2])) == set()
    for place, seat in enumerate((3, 0, 1)):
        assert named(int(story.game.hands[seat])) == set(deck[2 * place : 2 * place + 2])


def test_keeping_is_owed_even_with_one_card() -> None:
    story = Story()
    game = story.game
    spare = cards_in(int(game.hands[1]))[0]
    game.hands[1] &= ~(1 << spare)
    assert len(story.match.moves(1)) == 1
    assert story.match.view(1)["forced"]


def test_no_done_is_owed_without_fuel_or_without_a_card_left() -> None:
    story = Story()
    story.match.play(1, story.match.moves(1)[0])
    extra = [move for move in story.match.moves(1) if move != "done"]
    assert len(extra) == 1
    story.match.play(1, extra[0])
    assert 1 not in story.match.pending
    story.game.boat[2, FUEL] = 0
    story.match.play(2, story.match.moves(2)[0])
    assert int(story.game.phase) != KEEP


def test_the_captain_holds_every_returned_card_even_if_they_are_many() -> None:
    story = Story(players=5, captain=0)
    hands = {seat: named(int(story.game.hands[seat])) for seat in range(1, 5)}
    story.until(0, "keep")
    kept = {names_of(DATA, 0)[int(story.game.rows[seat, 0, 0])] for seat in range(1, 5)}
    returned = set().union(*hands.values()) - kept
    assert named(int(story.game.hands[0])) == returned
    assert len(returned) == 4 > 2


def test_the_captain_is_filled_up_to_periscopes_and_one_from_the_top() -> None:
    story = Story(players=3, captain=0)
    for seat in (1, 2):
        story.match.play(seat, story.match.moves(seat)[0])
        fuel = next(move for move in story.match.moves(seat) if move.startswith("fuel"))
        story.match.play(seat, fuel)
    while story.match.pending != (0,):
        story.match.play(story.match.pending[0], "pass")
    assert named(int(story.game.hands[0])) == set(story.match.deal["decks"][0][4:6])


def test_what_the_captain_leaves_is_discarded_and_captaincy_goes_to_the_left() -> None:
    story = Story(players=4, captain=3)
    story.until(3, "keep")
    pool = named(int(story.game.hands[3]))
    first = story.match.moves(3)[0]
    story.match.play(3, first)
    story.match.play(3, "done")
    while int(story.game.turn) == 0:
        story.match.play(3, "pass")
    assert named(int(story.game.aside[0])) == pool - {first.split()[1]}
    assert int(story.game.captain) == 0


def test_captaincy_goes_on_over_a_rounds_end() -> None:
    story = Story(players=3, captain=1)
    captains = [1]
    for at in random_walk(story.match, random.Random(1)):
        captain = int(at.position.record.captain)
        if captain != captains[-1]:
            captains.append(captain)
    assert captains == [(1 + turn) % 3 for turn in range(15)]
    assert int(story.game.captain) == (1 + 14) % 3


def test_extra_cards_carry_their_fuel_and_take_columns_of_their_own() -> None:
    story = Story()
    story.turn(1, GREENS[0], GREENS[1])
    assert story.game.rows[1, 0, :3].tolist() == [number(GREENS[0]), number(GREENS[1]), 0]
    assert int(story.game.fuelled[1]) == 0b10
    story.finish_round()
    assert int(story.game.fuelled[1]) == 0


def test_cards_are_resolved_one_after_the_other_diver_then_base_then_crystals() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    offers = story.turn(1, "1-01", CHEST_WITH_GREEN, answers=["pass", "pass", "dive"])
    assert [offer[1].split()[0] for offer in offers] == ["dive", "upgrade", "dive"]


def test_a_card_offers_its_base_before_its_own_crystal_counts() -> None:
    files = changed_card("1-10", crystal_green=1, symbols="clownfish base green")
    story = Story(pack=make_pack(GAME, files))
    assert story.turn(1, "1-10") == []
    assert story.boat(1)["green"] == 1


# --- deck, discards, short deals -----------------------------------------------------------------


def empty_deck(story: Story, keep_in_deck: int) -> None:
    """Discard all of the deck but its top cards."""
    game = story.game
    for place in range(keep_in_deck, int(game.left)):
        at = (int(game.top) + place) % CARDS
        game.aside[0] |= 1 << int(game.deck[at])
        game.deck[at] = 0
    game.lots[0] = keep_in_deck
    game.left = keep_in_deck
    story.begin_here()


def test_discards_are_shuffled_in_when_a_card_is_needed_even_in_the_middle_of_a_hand() -> None:
    story = Story(players=3, captain=0)
    story.until(0, "keep")
    empty_deck(story, 1)
    before = int(story.game.aside[0])
    pool = int(story.game.hands[0])
    kept = story.match.moves(0)[0]
    story.match.play(0, kept)
    while int(story.game.turn) == 0:
        story.step()
    mover, told = story.match.record()["moves"][-1]
    verb, *cards = told.split()
    assert (mover, verb) == ("*", "reshuffle")
    assert set(cards) == named(before | pool) - {kept.split()[1]}
    assert int(story.game.phase) == KEEP
    assert int(story.game.aside[0]) == 0
    assert cards[0] in named(int(story.game.hands[2])), "the hand's second card is the new deck's"
    assert cards[1] in named(int(story.game.hands[0]))


def test_discards_stay_as_long_as_no_card_is_needed() -> None:
    story = Story(players=3, captain=0)
    story.until(0, "keep")
    empty_deck(story, 4)
    while int(story.game.turn) == 0:
        story.step()
    assert int(story.game.left) == 0
    assert int(story.game.aside[0]) != 0
    assert int(story.game.phase) == KEEP


def test_a_short_deal_goes_one_card_at_a_time_past_full_hands() -> None:
    story = Story(players=4, captain=0)
    story.until(0, "keep")
    game = story.game
    game.boat[2, COCKPIT] = 3
    game.boat[3, COCKPIT] = 3
    empty_deck(story, 5)
    game.aside[0] = 0
    order = [int(game.deck[int(game.top) + place]) for place in range(5)]
    game.hands[0] = 1 << cards_in(int(game.hands[0]))[0]
    while int(story.game.turn) == 0:
        story.step()
    assert int(game.captain) == 1
    assert cards_in(int(game.hands[2])) == sorted([order[0], order[3]])
    assert cards_in(int(game.hands[3])) == sorted([order[1], order[4]])
    assert cards_in(int(game.hands[0])) == [order[2]]


def test_five_players_go_through_all_of_round_one_with_level_one_cockpits() -> None:
    story = Story(players=5)
    while int(story.game.turn) < TURNS - 1:
        story.step()
    assert int(story.game.left) == 0
    assert all(entry.seat >= 0 for entry in story.match.history)


# --- upgrades ------------------------------------------------------------------------------------


def test_both_colours_offer_parts_of_level_one_and_two_but_not_three() -> None:
    story = Story()
    story.game.boat[1, PROPELLER] = 3
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], YELLOWS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade cockpit"])
    assert upgrades(offer) == ["motor", "cockpit", "aquarium", "airlock"]
    assert story.boat(1)["cockpit"] == 3


def test_one_colour_offers_parts_of_level_one_only_however_many_crystals() -> None:
    story = Story()
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], GREENS[1])
    (offer,) = story.turn(1, BASES[0])
    assert upgrades(offer) == ["propeller", "motor", "aquarium", "airlock"]


def test_declining_keeps_the_crystals_also_over_a_rounds_end() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    assert len(story.turn(1, BASES[0], answers=["pass"])) == 1
    assert story.boat(1)["green"] >= 1
    story.finish_round()
    assert story.boat(1)["green"] >= 1
    assert int(story.game.depth) == 1


def test_crystals_of_a_card_become_pending_after_its_diver() -> None:
    story = Story()
    story.turn(1, CHEST_WITH_GREEN, answers=["dive"])
    assert story.boat(1)["green"] == 1


def test_the_player_aid_is_a_base_for_everyone_with_crystals() -> None:
    story = Story()
    for seat in range(3):
        story.game.boat[seat, GREEN] = int(seat > 0)
    while int(story.game.phase) != AID:
        story.step()
    for seat in range(3):
        boat = story.boat(seat)
        owes = boat["green"] + boat["yellow"] > 0
        assert (seat in story.match.pending) == owes
    seat = story.match.pending[0]
    assert upgrades(story.match.moves(seat)) == list(PARTS)


def test_a_propeller_and_an_aquarium_improved_at_the_aid_count_at_once() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1:, GREEN] = 1
        story.step()
    game = story.game
    for column, card in enumerate(("1-15", "1-26", "1-07", "1-08", "1-10")):
        game.rows[2, 0, column] = number(card)
    game.row_size[2, 0] = 5
    game.rows[2, 0, 5:] = 0
    story.match.play(1, "upgrade propeller")
    story.match.play(2, "upgrade aquarium")
    while int(game.depth) == 0:
        story.step()
    assert story.match.scores
    assert sheet(game, 1)["propeller1"] == 2
    assert sheet(game, 2)["animals1"] == 10, "clownfish, crab, seahorse, jellyfish, shark of six"


def test_the_players_aid_is_never_a_cell_and_offers_no_diver() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1, GREEN] = 1
        story.step()
    assert not any(
        move == "dive" for seat in story.match.pending for move in story.match.moves(seat)
    )


def test_fuel_from_a_motor_improved_at_the_aid_is_there_after_the_refill() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1, GREEN] = 1
        story.step()
    story.match.play(1, "upgrade motor")
    story.finish_round()
    assert story.boat(1)["fuel"] == 2


# --- round's end ---------------------------------------------------------------------------------


def scored(*rows: str, kraken: int = -2, **levels: int) -> Any:
    """Round one scored with a row for each seat; levels are seat 0's."""
    game = table(*([row, "", ""] for row in rows))
    game.kraken[0, 0] = kraken
    for part, level in levels.items():
        game.boat[0, PARTS.index(part)] = level
    rules.score_animals(game, DATA)
    rules.score_kraken(game, DATA)
    return game


def test_animals_score_two_for_each_species_of_the_row_up_to_the_aquarium() -> None:
    row = "1-15 1-26 1-07 1-08 1-20"  # clownfish crab, seahorse jellyfish, shark, whale, manta
    assert [sheet(scored(row, "1-40", aquarium=level))["animals1"] for level in (1, 2, 3)] == [
        6,
        10,
        14,
    ]


def test_a_species_shown_twice_scores_once() -> None:
    assert sheet(scored("1-20 1-40", "1-07"))["animals1"] == 2


def test_the_propeller_gives_nothing_two_and_five() -> None:
    story = Story()
    story.game.boat[1, PROPELLER] = 2
    story.game.boat[2, PROPELLER] = 3
    story.finish_round()
    assert [sheet(story.game, seat)["propeller1"] for seat in range(3)] == [0, 2, 5]


def test_all_who_tie_for_most_eyes_lose_the_token_in_full() -> None:
    game = scored("1-15 1-07", "1-30", "1-14")  # two eyes, two eyes, one
    assert [sheet(game, seat)["kraken1"] for seat in range(3)] == [-2, -2, 0]
    assert int(game.flipped) == 1


def test_without_any_eye_the_token_stays_unseen_and_nobody_loses() -> None:
    game = scored("1-07", "1-08")
    assert [sheet(game, seat)["kraken1"] for seat in range(2)] == [0, 0]
    assert int(game.flipped) == 0


def test_eyes_of_earlier_rounds_do_not_count() -> None:
    game = table(["1-15 1-30", "2-09", ""], ["1-07", "2-01", ""])
    game.depth = 1
    game.kraken[1, 0] = -3
    rules.score_kraken(game, DATA)
    assert [sheet(game, seat)["kraken2"] for seat in range(2)] == [0, -3]


def test_divers_stay_where_they_are_and_are_not_refilled() -> None:
    story = Story()
    story.turn(1, CHEST, answers=["dive"])
    story.finish_round()
    assert story.boat(1)["divers"] == 0
    assert int(story.game.dived[1]) == 1


def test_reef_and_treasure_stand_at_nothing_before_the_end() -> None:
    story = Story()
    story.turn(1, CHEST, answers=["dive"])
    story.turn(1, "1-39")
    found = sheet(story.game, 1)
    assert found["reef"] == found["treasure"] == 0


# --- game's end ----------------------------------------------------------------------------------


def test_rows_one_and_three_never_touch() -> None:
    game = ended(("1-40", "2-09", "3-47"))
    assert sheet(game)["reef"] == 1


def test_a_diagonal_joins_nothing_and_an_empty_place_neither() -> None:
    assert sheet(ended(("1-40 1-07", "2-09 2-04", "3-09")))["reef"] == 1
    assert sheet(ended(("1-07 1-40", "2-09", "3-09 3-47")))["reef"] == 1


def test_a_reef_joins_along_rows_and_columns() -> None:
    game = ended(("1-40 1-03 1-07", "2-09 2-04 2-20", "3-09 3-10 3-47"))
    assert sheet(game)["reef"] == 5
    assert int(reef_of(game, DATA, 0)) == 0b_00000100_00000110_00000011


def test_rows_do_not_wrap_around() -> None:
    row = "1-07 1-08 1-09 1-10 1-11 1-12 1-20 1-40"
    assert sheet(ended((row, "2-04", "3-09")))["reef"] == 1


def test_a_reef_counts_symbols_not_cards() -> None:
    pack = record_of(
        make_pack(GAME, changed_card("1-40", coral=3, symbols="manta coral coral coral")).data
    )
    game = table(("1-40", "2-09", "3-09"))
    game.phase = OVER
    assert lines_of(game, pack, 0)["reef"] == 3


def test_the_reef_with_the_most_symbols_wins_over_the_one_with_more_cards() -> None:
    pack = record_of(
        make_pack(GAME, changed_card("1-40", coral=3, symbols="manta coral coral coral")).data
    )
    game = table(("1-40 1-07 1-03 1-29", "2-09", "3-09"))
    game.phase = OVER
    assert lines_of(game, pack, 0)["reef"] == 3


def test_a_diver_goes_through_empty_places_and_never_below() -> None:
    row = "1-07 1-08 1-09 1-10 1-11 1-02"
    game = ended(
        (row, "2-09 2-10", "3-09 3-10 3-11 3-12 3-13 3-02"), divers=["3-02"], bag=[4, 3, 2]
    )
    assert sheet(game)["treasure"] == 7
    game = ended(("1-02", "2-02", "3-02"), divers=["1-02"], bag=[4, 3, 2])
    assert sheet(game)["treasure"] == 4


def test_treasures_without_a_diver_in_their_column_stay_below() -> None:
    assert sheet(ended(("1-02", "2-02", "3-02"), bag=[4, 4, 4]))["treasure"] == 0


def test_two_treasures_on_a_card_are_two_tokens() -> None:
    files = changed_card("1-02", treasure=2, symbols="treasure treasure base")
    pack = record_of(make_pack(GAME, files).data)
    game = table(("1-02", "2-09", "3-09"), divers=["1-02"])
    assert int(rules.chests_of(game, pack, 0)) == 2


def test_tokens_are_drawn_from_the_last_captain_on_to_the_left() -> None:
    rows = [("1-02", "", ""), ("1-38", "", ""), ("1-39", "", "")]
    game = table(*rows, divers=["1-02", "1-38", "1-39"])
    game.captain = 1
    game.bag[:3] = [2, 3, 4]
    rules.end_game(game, DATA)
    assert [sheet(game, seat)["treasure"] for seat in range(3)] == [4, 2, 3]


def test_two_players_draw_tokens_from_seat_zero_on() -> None:
    game = ended(("1-02", "", ""), ("1-38", "", ""), divers=["1-02", "1-38"], bag=[2, 3])
    assert [sheet(game, seat)["treasure"] for seat in range(2)] == [2, 3]


def test_an_empty_bag_gives_nothing_more() -> None:
    files = changed_card("1-02", treasure=9, symbols="treasure " * 9 + "base")
    files = changed_card("1-38", files, treasure=9, symbols="seahorse coral " + "treasure " * 9)
    files = changed_card("2-02", files, treasure=9, symbols="treasure " * 9 + "base")
    files = changed_card("3-02", files, treasure=9, symbols="treasure " * 9 + "base")
    pack = record_of(make_pack(GAME, files).data)
    game = table(("1-02", "2-02", "3-02"), ("1-38", "", ""), divers=["3-02", "1-38"])
    game.bag[:] = 2
    rules.end_game(game, pack)
    assert game.chests[:2].tolist() == [27, 3]
    assert lines_of(game, pack, 1)["treasure"] == 6
    found = evidence(game, pack, 1)[-1]
    assert sum(one["points"] for one in found) == 6


def test_a_tie_goes_to_the_better_submarine_and_is_shared_beyond_that() -> None:
    game = ended(("1-40", "", ""), ("1-20", "", ""), ("1-07", "", ""))
    totals = np.array([9, 9, 8], np.int64)
    assert int(winners(game, DATA, totals)) == 0b011
    game.boat[1, MOTOR] = 2
    game.boat[2, : len(PARTS)] = 3
    assert int(winners(game, DATA, totals)) == 0b010


def test_a_negative_score_can_win() -> None:
    game = ended(("1-07", "", ""), ("1-08", "", ""))
    assert int(winners(game, DATA, np.array([-4, -9], np.int64))) == 0b01


# --- two players ---------------------------------------------------------------------------------


def test_two_players_keep_at_the_same_time_and_pass_their_hands() -> None:
    story = Story(players=2)
    assert story.match.pending == (0, 1)
    hands = [named(int(story.game.hands[seat])) for seat in range(2)]
    kept = []
    for seat in range(2):
        card = sorted(hands[seat])[0]
        story.hold(seat, card)
        kept.append(card)
        story.match.play(seat, f"keep {card}")
        story.match.play(seat, "done")
    while any(move == "dive" for seat in story.match.pending for move in story.match.moves(seat)):
        seat = next(seat for seat in story.match.pending if "dive" in story.match.moves(seat))
        story.match.play(seat, "pass")
    assert story.match.pending == (0, 1)
    left = [hands[seat] - {kept[seat]} for seat in range(2)]
    for seat in range(2):
        assert set(story.match.moves(seat)) == {"pass", *(f"under {card}" for card in left[seat])}
    story.match.play(1, "pass")
    story.match.play(0, "pass")
    for seat in range(2):
        assert left[1 - seat] < named(int(story.game.hands[seat]))
        assert len(named(int(story.game.hands[seat]))) == 2


def duel_at_under() -> Story:
    """Two players who owe the choice of a card under the deck, with two cards each."""
    story = Story(players=2)
    for seat in range(2):
        story.game.boat[seat, COCKPIT] = 2
    while int(story.game.turn) == 0:
        story.step()
    while not any(move.startswith("under") for move in story.match.moves(0)):
        story.step()
    story.begin_here()
    return story


def test_cards_go_under_when_both_have_chosen_seat_zeros_first() -> None:
    story = duel_at_under()
    game = story.game
    first, second = (story.match.moves(seat)[1] for seat in range(2))
    before = int(game.left)
    story.match.play(1, second)
    assert int(game.left) == before, "nothing moves before both have chosen"
    story.match.play(0, first)
    end = int(game.top) + int(game.left)
    bottom = [int(game.deck[place % CARDS]) for place in (end - 2, end - 1)]
    assert [names_of(DATA, 0)[card] for card in bottom] == [first.split()[1], second.split()[1]]


def test_an_over_full_hand_draws_nothing() -> None:
    story = duel_at_under()
    story.game.boat[0, COCKPIT] = 1
    story.match.play(0, "pass")
    story.match.play(1, "pass")
    assert len(cards_in(int(story.game.hands[0]))) == 2
    assert len(cards_in(int(story.game.hands[1]))) == 3


def test_after_turn_five_nothing_goes_under_and_the_rest_is_discarded() -> None:
    story = Story(players=2)
    while int(story.game.turn) < TURNS - 1:
        story.step()
    while int(story.game.turn) == TURNS - 1:
        assert not any(
            move.startswith("under")
            for seat in story.match.pending
            for move in story.match.moves(seat)
        )
        story.step()
    if int(story.game.phase) == AID:
        assert story.game.hands.tolist() == [0] * 5
        assert int(story.game.aside[0]) != 0
        story.finish_round()
    deck = story.match.deal["decks"][1]
    assert [named(int(story.game.hands[seat]), 1) for seat in range(2)] == [
        set(deck[:2]),
        set(deck[2:4]),
    ]


def test_a_seat_without_a_card_is_not_asked_for_one_under() -> None:
    story = Story(players=2)
    cards = sorted(named(int(story.game.hands[0])))
    story.match.play(0, f"keep {cards[0]}")
    story.match.play(0, f"fuel {cards[1]}")
    story.match.play(1, story.match.moves(1)[0])
    story.match.play(1, "done")
    while not any(move.startswith("under") for move in story.match.moves(1)):
        story.match.play(story.match.pending[0], "pass")
    assert story.match.pending == (1,)


# --- Troubled Waters -----------------------------------------------------------------------------


def troubled(captain: int = 0, players: int = 4) -> Story:
    return Story(players, captain, troubled=True)


def test_the_captain_takes_one_card_of_each_seat_with_cards_left_from_the_left_on() -> None:
    story = troubled(captain=1)
    hands = {seat: set(named(int(story.game.hands[seat]))) for seat in (2, 3, 0)}
    for seat in (3, 0):
        story.match.play(seat, story.match.moves(seat)[0])
        story.match.play(seat, "done")
    for _ in range(2):
        story.match.play(2, story.match.moves(2)[-1])  # keeps both
    takes = [words for mover, words in story.match.record()["moves"] if mover == "*"]
    assert [take.split()[-1] for take in takes] == ["3", "0"]
    for take in takes:
        assert take.split()[2] in hands[int(take.split()[-1])]
    story.until(1, "keep")
    assert len(cards_in(int(story.game.hands[1]))) == 2


def test_everything_not_kept_is_shuffled_under_the_deck_in_turn_five_too() -> None:
    story = troubled()
    unders = 0
    while int(story.game.depth) == 0:
        story.step()
    for mover, told in story.match.record()["moves"]:
        unders += mover == "*" and told.startswith("under")
    assert unders == TURNS
    assert not any(told.startswith("reshuffle") for _, told in story.match.record()["moves"])


def test_what_was_not_kept_lies_at_the_bottom_and_nothing_is_discarded() -> None:
    story = troubled()
    while int(story.game.turn) == 0:
        story.step()
    game = story.game
    moves = story.match.record()["moves"]
    (under,) = (told.split()[1:] for mover, told in moves if mover == "*" and "under" in told)
    end = int(game.top) + int(game.left)
    bottom = [int(game.deck[place % CARDS]) for place in range(end - len(under), end)]
    assert [names_of(DATA, 0)[card] for card in bottom] == under
    assert int(game.aside[0]) == 0


def test_with_a_short_deck_the_others_leftovers_go_under_before_the_fill_up() -> None:
    story = troubled()
    game = story.game
    game.boat[0, COCKPIT] = 3
    game.boat[2, COCKPIT] = 2
    game.hands[2] |= 1 << int(game.deck[int(game.top)])
    game.deck[int(game.top)] = 0
    game.top += 1
    game.left -= 1
    game.lots[0] -= 1
    for place in range(int(game.top), DECKS[0]):  # the rest of the deck is gone
        game.deck[place] = 0
    game.left = 0
    game.lots[0] = 0
    seen = []
    while int(game.turn) == 0:
        before = len(story.match.history)
        story.step()
        seen += [entry.outcome for entry in story.match.history[before:] if entry.seat < 0]
    takes, rest = seen[:3], seen[3:]
    assert all(len(take) == 2 for take in takes)
    first, last = rest
    assert len(first) == 1, "seat 2 had three cards: one kept, one taken, one goes under"
    assert set(first).isdisjoint(card for _, card in takes)
    assert len(last) == 3, "the captain held three taken cards and the one from below, kept one"
    assert set(first) <= set(last) | {int(game.rows[0, 0, 0])}


def test_takes_are_seen_by_the_two_and_hidden_from_the_rest() -> None:
    story = troubled(captain=1)
    while not story.match.record()["moves"] or story.match.record()["moves"][-1][0] != "*":
        story.step()
    (first, *_) = (told for mover, told in story.match.record()["moves"] if mover == "*")
    seat = int(first.split()[-1])
    told = {one: story.match.record(one)["moves"] for one in range(4)}
    for viewer in range(4):
        found = next(words for mover, words in told[viewer] if mover == "*")
        assert (found == first) == (viewer in (seat, 1))
        assert found == first or found == f"captain takes ? from {seat}"


# --- who knows what ------------------------------------------------------------------------------


def drawn_worlds(match: Match, seat: int, count: int = 200) -> Iterator[Any]:
    for draw in range(count):
        yield match.redeal(seat, draw).record


def test_a_hand_and_what_was_kept_of_it_stay_the_seats_own() -> None:
    story = Story(players=4, captain=0)
    card = story.match.moves(1)[0].split()[1]
    truth = int(story.game.hands[1])
    story.match.play(1, f"keep {card}")
    others = set()
    for world in drawn_worlds(story.match, 2, 50):
        assert int(world.kept[1]) == 0, "an unrevealed choice is taken back"
        assert int(world.owing) >> 1 & 1
        others.add(int(world.hands[1]))
    assert len(others) > 10
    own = next(drawn_worlds(story.match, 1, 1))
    assert int(own.kept[1]) == 1
    assert int(own.hands[1]) | 1 << number(card) == truth


def test_how_much_fuel_was_spent_stays_hidden_until_the_reveal() -> None:
    story = Story(players=4, captain=0)
    story.match.play(1, story.match.moves(1)[0])
    story.match.play(1, story.match.moves(1)[-1])
    assert int(story.game.boat[1, FUEL]) == 0
    view = story.match.view(2)
    assert any(piece["key"] == "boat1.fuel" for piece in view["pieces"])
    assert not any(piece["key"] == "boat1.fuel" for piece in story.match.view(1)["pieces"])


def test_what_a_seat_returned_is_known_to_it_in_the_captains_hand() -> None:
    story = Story(players=4, captain=0)
    story.until(0, "keep")
    given = int(story.game.given[1])
    assert given
    kinds = set()
    for world in drawn_worlds(story.match, 1):
        assert given & ~int(world.hands[0]) == 0
        kinds.add(int(world.hands[0]) & ~given)
    assert len(kinds) > 20, "the rest of the captain's pool is unknown"
    keys = {piece["key"] for piece in story.match.view(1)["pieces"]}
    for card in named(given):
        assert f"hand0.{card}" in keys


def test_the_captain_knows_the_whole_pool_and_who_gave_what() -> None:
    story = Story(players=4, captain=0)
    story.until(0, "keep")
    for world in drawn_worlds(story.match, 0, 20):
        assert world.hands.tolist() == story.game.hands.tolist()
        assert world.given.tolist() == story.game.given.tolist()


def test_dive_and_upgrade_choices_stay_hidden_until_all_have_laid() -> None:
    story = Story(players=4, captain=0)
    for seat, card in ((1, CHEST), (2, "1-39")):
        story.hold(seat, card)
        story.match.play(seat, f"keep {card}")
        story.match.play(seat, "done")
    while 3 in story.match.pending:
        story.match.play(3, story.match.moves(3)[0])
    story.match.play(1, "dive")
    assert int(story.game.dived[1]) == 1
    assert [
        piece["marks"].count("diver")
        for piece in story.match.view(2)["pieces"]
        if piece["place"] == "rows1"
    ] == [0]
    assert 1 in story.match.view(2)["phase"]
    story.match.play(2, "pass")
    assert [
        piece["marks"].count("diver")
        for piece in story.match.view(2)["pieces"]
        if piece["place"] == "rows1"
    ] == [1]


def test_aid_choices_stay_hidden_until_all_have_chosen() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1:, GREEN] = 1
        story.step()
    story.match.play(1, "upgrade cockpit")
    world = next(drawn_worlds(story.match, 2, 1))
    assert int(world.boat[1, COCKPIT]) == 1
    assert int(world.boat[1, GREEN]) > 0
    assert int(world.owing) >> 1 & 1


def test_two_players_know_what_they_passed_and_what_went_under() -> None:
    story = duel_at_under()
    passed = int(story.game.hands[0])
    story.match.play(0, "pass")
    story.match.play(1, "pass")
    kinds = set()
    for world in drawn_worlds(story.match, 0, 60):
        assert passed & ~int(world.hands[1]) == 0
        kinds.add(int(world.hands[1]))
    assert len(kinds) > 5
    for seat in (0, 1):
        story.match.play(seat, next(m for m in story.match.moves(seat) if m.startswith("keep")))
        if "done" in story.match.moves(seat):
            story.match.play(seat, "done")
    while not story.match.moves(1) or not story.match.moves(1)[-1].startswith("under"):
        story.step()
    mine = list(cards_in(passed & int(story.game.hands[1])))
    fresh = list(cards_in(int(story.game.hands[1]) & ~passed))
    for card, known in ((mine[0] if mine else 0, True), (fresh[0] if fresh else 0, False)):
        if not card:
            continue
        other = story.match.copy()
        other.play(1, f"under {names_of(DATA, 0)[card]}")
        if 0 in other.pending:
            other.play(0, "pass")
        game = other.position.record
        end = (int(game.top) + int(game.left) - 1) % CARDS
        assert int(game.deck[end]) == card
        bottoms = {int(world.deck[int(world.left) - 1]) for world in drawn_worlds(other, 0, 40)}
        assert (bottoms == {card}) == known
        owner = {int(world.deck[int(world.left) - 1]) for world in drawn_worlds(other, 1, 20)}
        assert owner == {card}
        told = [words for _, words in other.record(0)["moves"] if words.startswith("under")]
        assert told[-1] == (f"under {names_of(DATA, 0)[card]}" if known else "under ?")


def test_a_reshuffled_deck_is_known_as_a_set_and_hands_dealt_before_it_are_not_from_it() -> None:
    story = Story(players=5, captain=0)
    story.until(0, "keep")
    empty_deck(story, 3)
    while int(story.game.turn) == 0:
        story.step()
    game = story.game
    assert int(game.last_lot) == 1
    new = {card for card in range(1, 41) if int(game.lot_of[0, card])}
    old = cards_in(int(game.hands[2]))
    assert set(old).isdisjoint(new)
    straddling = cards_in(int(game.hands[3]))
    assert len(set(straddling) & new) == 1
    for viewer in (-1, 0, 1, 4):
        for world in drawn_worlds(story.match, viewer, 40):
            assert set(cards_in(int(world.hands[2]))).isdisjoint(new)
            assert len(set(cards_in(int(world.hands[3]))) & new) == 1
            deck = {int(card) for card in world.deck[: int(world.left)]}
            assert deck <= new


def test_in_troubled_waters_a_seat_knows_which_of_its_cards_went_under_and_when() -> None:
    story = troubled(players=5)
    while int(story.game.turn) == 0:
        story.step()
    game = story.game
    first = int(game.lots[0])
    remembered = 0
    for seat in range(5):
        own = [card for card in range(1, 41) if int(game.lot_of[seat, card])]
        remembered += len(own)
        for world in drawn_worlds(story.match, seat, 25):
            bottom = {int(card) for card in world.deck[first : int(world.left)]}
            assert set(own) <= bottom
            for other in range(5):
                assert set(own).isdisjoint(cards_in(int(world.hands[other])))
    assert remembered >= int(game.lots[1]), "each card under the deck was somebody's"


def test_flipped_kraken_tokens_stay_and_the_others_vary() -> None:
    story = Story()
    story.finish_round()
    if not int(story.game.flipped):
        pytest.skip("no eye in this round")
    seen: list[set[int]] = [set(), set(), set()]
    for world in drawn_worlds(story.match, 0, 40):
        for size in range(3):
            seen[size].add(int(world.kraken[size, 0]))
    assert seen[0] == {int(story.game.kraken[0, 0])}
    assert [len(values) for values in seen[1:]] == [3, 3]


def test_the_bag_varies_until_tokens_are_drawn() -> None:
    match = finished(GAME, {"players": 4, "troubled": False}, 3)
    game = match.position.record
    drawn = int(game.chests.sum())
    bags = {tuple(world.bag.tolist()) for world in drawn_worlds(match, 0, 10)}
    assert len(bags) == 10
    assert {bag[:drawn] for bag in bags} == {tuple(game.bag[:drawn].tolist())}


def test_cards_not_seen_yet_are_counted_by_round() -> None:
    story = Story(players=3, captain=0)
    facts = story.match.view(1)["facts"]
    assert facts["unseen"] == {"round1": 38, "round2": 45, "round3": 50}
    assert story.match.view(0)["facts"]["unseen"]["round1"] == 40
    assert story.match.view()["facts"]["unseen"]["round1"] == 40
    while int(story.game.turn) == 0:
        story.step()
    game = story.game
    seen = int(game.aside[0]) | int(game.seen[1, 0])
    for seat in range(3):
        for card in game.rows[seat, 0].tolist():
            seen |= 1 << card
    assert story.match.view(1)["facts"]["unseen"]["round1"] == 40 - len(cards_in(seen & ~1))


def consistent(game: Any, world: Any, seat: int) -> bool:
    """Does the world hold every card once, and what the seat sees?"""
    truth = knowledge.census(game, DATA)
    return knowledge.census(world, DATA) == truth and int(world.hands[seat]) == int(
        game.hands[seat]
    )


@pytest.mark.parametrize(("players", "waters"), [(2, False), (4, False), (5, False), (5, True)])
def test_worlds_are_consistent_with_all_lots_at_every_ply(players: int, waters: bool) -> None:
    match = Match.new(GAME, players=players, troubled=waters, seed=11)
    choices = random.Random(5)
    while not match.over:
        for seat in range(players):
            world = match.redeal(seat, len(match.history)).record
            game = match.position.record
            assert consistent(worlds_truth(match, seat), world, seat)
            assert int(world.left) == int(game.left)
            assert world.lots.tolist() == game.lots.tolist()
            assert not world.room.any()
            assert not world.crowd.any()
            assert not world.reach.any()
        seat = choices.choice(match.pending)
        moves = match.moves(seat)
        eager = [m for m in moves if m in ("upgrade cockpit", "upgrade motor") or m[:4] == "fuel"]
        match.play(seat, choices.choice(eager or moves))


def worlds_truth(match: Match, seat: int) -> Any:
    """The truth with the others' unrevealed choices taken back."""
    position = match.position.copy()
    worlds.take_back(position.record, position.pack_record, seat)
    return position.record


# --- moves, undo, news ------------------------------------------------------------------------


def test_the_captains_own_choices_can_be_undone_until_a_card_is_drawn() -> None:
    story = Story(players=3, captain=0)
    story.until(0, "keep")
    story.hold(0, CHEST)
    story.match.play(0, f"keep {CHEST}")
    story.match.play(0, "done")
    assert story.match.history[-1].news == SHOWN
    assert not story.match.why_no_undo(0)
    story.match.play(0, "dive")
    assert story.match.history[-1].news == TURNED
    assert story.match.why_no_undo(0)


def test_revealing_can_not_be_undone() -> None:
    story = Story(players=3, captain=0)
    while int(story.game.phase) == KEEP:
        story.step()
    assert story.match.history[-1].news == TURNED


def test_notation_is_what_the_rules_page_says() -> None:
    story = Story()
    assert notation.write(story.game, DATA, 1, rules.KEEPS + 1) == "keep 1-01"
    assert notation.write(story.game, DATA, 1, rules.EXTRAS + 40) == "fuel 1-40"
    assert notation.write(story.game, DATA, 1, rules.UNDERS + 3) == "under 1-03"
    assert [notation.write(story.game, DATA, 1, action) for action in range(8)] == [
        "pass",
        "done",
        "dive",
        *(f"upgrade {part}" for part in PARTS),
    ]
    for junk in ("keep", "keep ", "keep 2-01", "keep 1-1", "fuel 1-41", "Keep 1-01", "upgrade", ""):
        assert notation.read(story.game, DATA, 1, junk) == -1
    with pytest.raises(IllegalMove, match="can't 'jump'"):
        story.match.play(1, "jump")


def test_every_action_has_words_and_they_lead_back() -> None:
    game = new_states(GAME, 1)
    for depth, size in enumerate(DECKS):
        record = record_of(game)
        record.depth = depth
        for action in range(GAME.actions):
            card = (action - rules.KEEPS - 1) % CARDS + 1
            if action > rules.KEEPS and card > size:
                continue
            told = notation.write(record, DATA, 0, action)
            assert notation.read(record, DATA, 0, told) == action


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("decks", [], "three lists"),
        ("kraken", [1, -1, -2], r"kraken\[0\]"),
        ("kraken", [0, -1], "three numbers"),
        ("bag", [2] * 30, "10"),
        ("captain", 3, "0 to 2"),
        ("captain", None, "0 to 2"),
        ("captain", True, "0 to 2"),
    ],
)
def test_a_wrong_deal_is_named(place: str, value: Any, reason: str) -> None:
    record = Match.new(GAME, players=3, seed=1).record()
    del record["seed"]
    record["deal"][place] = value
    with pytest.raises(BadRecord, match=reason):
        Match.replay(record)


def test_a_deck_with_a_card_twice_or_from_another_round_is_named() -> None:
    record = Match.new(GAME, players=3, seed=1).record()
    del record["seed"]
    deck = record["deal"]["decks"][1]
    record["deal"]["decks"][1] = [deck[1], *deck[1:]]
    with pytest.raises(BadRecord, match=r"decks\[1\]\[1\].*there already"):
        Match.replay(record)
    record["deal"]["decks"][1] = ["1-01", *deck[1:]]
    with pytest.raises(BadRecord, match=r"decks\[1\]\[0\] is '1-01'"):
        Match.replay(record)


def test_chance_that_could_not_have_happened_is_refused() -> None:
    match = finished(GAME, {"players": 4, "troubled": True}, 2)
    record = match.record()
    del record["seed"]
    steps = {
        told.split()[0]: at for at, (mover, told) in enumerate(record["moves"]) if mover == "*"
    }
    for verb, wrong in (("captain", "captain takes 1-01 from 9"), ("under", "under 1-01 1-01")):
        broken = json.loads(json.dumps(record))
        broken["moves"][steps[verb]][1] = wrong
        with pytest.raises(BadRecord, match=rf"moves\[{steps[verb]}\]"):
            Match.replay(broken)


def test_a_running_games_record_hides_decks_tokens_and_the_bag() -> None:
    story = Story(players=3, captain=0)
    record = story.match.record(1)
    deck = record["deal"]["decks"][0]
    assert {card for card in deck if card != "?"} == named(int(story.game.hands[1]))
    assert set(record["deal"]["bag"]) == {"?"} == set(record["deal"]["kraken"])
    assert record["deal"]["captain"] == 0
    assert set(story.match.record(0)["deal"]["decks"][0]) == {"?"}


# --- views, words, evidence -------------------------------------------------------------------


def test_the_view_shows_symbols_of_any_packs_cards() -> None:
    story = Story()
    view = story.match.view(1)
    for piece in view["pieces"]:
        if piece["place"] == "hand":
            card = number(piece["face"])
            assert piece["marks"] == [
                symbol for symbol, count in symbols_on(DATA, 0, card).items() for _ in range(count)
            ]


def test_evidence_names_the_animals_in_the_tank_and_those_without_room() -> None:
    game = scored("1-15 1-26 1-07 1-08 1-20", "1-40")
    game.depth = 1
    told = evidence(game, DATA, 0)[0]
    assert [one["points"] for one in told] == [2, 2, 2, 0, 0, 0, 0]
    first = words(GAME, "en").say(told[0]["reason"])
    assert first == "clownfish, in the aquarium"
    assert told[0]["pieces"] == ["rows0:0,0"]
    assert words(GAME, "fr").say(told[-1]["reason"]).startswith("raie manta")


def test_evidence_names_the_cards_of_the_reef() -> None:
    game = ended(("1-40 1-03 1-07", "2-09 2-04 2-10", "3-09"))
    (one,) = evidence(game, DATA, 0)[9]
    assert one["points"] == 3
    assert one["pieces"] == ["rows0:0,0", "rows0:0,1", "rows0:1,1"]


def test_a_preview_shows_what_a_card_would_add() -> None:
    story = Story(players=3, captain=0)
    story.hold(1, "1-15", PLAIN)
    assert story.match.preview(1, "keep 1-15")["animals1"] == 4
    assert story.match.preview(1, f"keep {PLAIN}")["reef"] == 1
    story.hold(1, CHEST, PLAIN)
    story.match.play(1, f"keep {CHEST}")
    story.match.play(1, "done")
    story.until(1, "dive")
    assert story.match.preview(1, "dive")["treasure"] == 3
    assert story.match.preview(1, "pass")["treasure"] == 0


def test_the_log_tells_of_rounds_the_kraken_and_treasure() -> None:
    match = finished(GAME, {"players": 3, "troubled": False}, 4)
    for language in ("en", "fr"):
        said = words(GAME, language)
        lines = [said.text(one["key"], one["params"], match.names) for one in match.events(0)]
        assert not any("{" in line for line in lines)
        assert all(said.has(one["key"]) for one in match.events(0))
    assert any("Kraken" in line for line in lines)


def test_every_default_card_has_a_name_in_both_languages() -> None:
    for depth in range(3):
        for card in names_of(DATA, depth)[1:]:
            for language in ("en", "fr"):
                assert words(GAME, language).noun(card) == card


# --- packs ---------------------------------------------------------------------------------------


def changed_card(card: str, files: Any = None, **cells: Any) -> dict[str, str]:
    """The default pack's files with one card changed."""
    texts = dict(files or PACK.files)
    header, *lines = texts["cards.csv"].splitlines()
    columns = header.split(",")
    for at, line in enumerate(lines):
        row = dict(zip(columns, line.split(","), strict=True))
        if row["card_id"] == card:
            row.update({name: str(value) for name, value in cells.items()})
            lines[at] = ",".join(row.values())
    texts["cards.csv"] = "\n".join([header, *lines]) + "\n"
    return texts


def test_the_default_pack_says_where_it_comes_from() -> None:
    assert "Reconstructed" in PACK.provenance["cards"]
    assert len(PACK.files["cards.csv"].splitlines()) == 1 + 135
    assert all(line.endswith("reconstruction") for line in PACK.files["cards.csv"].splitlines()[1:])


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"card_id": "1-02"}, "line 3: card 1-02 stands in line 2 already"),
        ({"card_id": "a b"}, "must be letters"),
        ({"card_id": "123456789"}, "8 at most"),
        ({"round": 2}, "round 2 has 45 cards"),
        ({"round": 4}, "round must be from 1 to 3"),
        ({"coral": 10}, "coral must be from 0 to 9"),
        ({"base": 2}, "base must be from 0 to 1"),
        ({"symbols": "coral treasure base eel"}, "no symbol 'eel'"),
        ({"symbols": "coral treasure base"}, "says 0 × eye, but the numbers say 1"),
        ({"small_1": 1, "small_2": 1, "small_3": 1, "small_4": 1}, "4 animals"),
        ({"kraken_eyes": "many"}, "whole number"),
    ],
)
def test_a_wrong_card_is_named_by_line_and_reason(cells: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, changed_card("1-01", **cells))


def test_too_few_cards_are_named() -> None:
    texts = dict(PACK.files)
    texts["cards.csv"] = "\n".join(texts["cards.csv"].splitlines()[:-1]) + "\n"
    with pytest.raises(BadPack, match="round 3 has 49 cards, not 50"):
        make_pack(GAME, texts)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("small,0,1", "small,0,2", "4 small tokens, not 3"),
        ("big,-4,1", "big,4,1", "value must be from -99 to 0"),
        ("treasure,2,10", "treasure,2,9", "29 treasure tokens, not 30"),
        ("treasure,2,10", "pearl,2,10", "no kind 'pearl'"),
        ("treasure,2,10", "treasure,-2,10", "value must be from 0 to 99"),
    ],
)
def test_wrong_tokens_are_named(old: str, new: str, reason: str) -> None:
    texts = dict(PACK.files)
    texts["tokens.csv"] = texts["tokens.csv"].replace(old, new)
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, texts)


def test_a_pack_with_other_ids_tokens_and_symbols_is_played_and_recorded() -> None:
    files = changed_card(
        "1-01", card_id="Wreck.1", coral=2, symbols="coral coral treasure base eye"
    )
    files["tokens.csv"] = (
        files["tokens.csv"].replace("big,-4", "big,-9").replace("treasure,4,10", "treasure,7,10")
    )
    pack: Pack = make_pack(GAME, files)
    match = Match.new(GAME, players=5, seed=2, pack=pack)
    for _ in random_walk(match, random.Random(2)):
        pass
    record = match.record()
    assert "Wreck.1" in record["deal"]["decks"][0]
    assert 7 in record["deal"]["bag"]
    assert Match.replay(record).scores == match.scores


# --- the score pad -------------------------------------------------------------------------------

ADA = """Ada
1-38 1-39! 1-31 1-20 1-35 1-29
2-34 2-09 2-41 2-07 2-28 2-25
3-22 3-43 3-07 3-12 3-11 3-27 3-36
"""


def pad(text: str) -> Any:
    return GAME.part("tableau").score(text, PACK)


def test_a_finished_game_typed_in_scores_the_same() -> None:
    for seed in range(6):
        match = finished(GAME, {"players": 3, "troubled": False}, seed)
        game = match.position.record
        if int(game.captain) != 0:
            continue
        pad_text = typed(match, game)
        found = pad(pad_text)
        assert [one["total"] for one in found.sheets] == match.scores
        for seat, one in enumerate(found.sheets):
            assert {line["key"]: line["points"] for line in one["lines"]} == match.sheet(seat, seat)


def typed(match: Match, game: Any) -> str:
    """A finished game as a person would type it in."""
    blocks = ["kraken: " + " ".join(str(int(one[0])) for one in game.kraken)]
    levels = levels_at_rounds_ends(match)
    for seat in range(match.players):
        lines = [f"Seat {seat}"]
        for depth in range(3):
            row = []
            for column in range(int(game.row_size[seat, depth])):
                card = names_of(DATA, depth)[int(game.rows[seat, depth, column])]
                dived = int(game.dived[seat]) >> (depth * COLUMNS + column) & 1
                row.append(card + "!" * dived)
            lines.append(" ".join(row))
        first = sum(int(game.chests[other]) for other in range(seat))
        tokens = game.bag[first : first + int(game.chests[seat])].tolist()
        lines.append("tokens: " + " ".join(map(str, tokens)))
        for part in (AQUARIUM, PROPELLER):
            told = " ".join(str(at[seat][part]) for at in levels)
            lines.append(f"{PARTS[part]}: {told}")
        lines.append(f"parts: {sum(game.boat[seat, :5].tolist())}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def levels_at_rounds_ends(match: Match) -> list[list[list[int]]]:
    """Each seat's parts when each round was scored."""
    found = []
    again = Match.replay(json.dumps({**match.record(), "moves": [], "result": None}))
    depth = 0
    for entry in match.history:
        if entry.seat >= 0:
            again.play(entry.seat, entry.action)
        game = again.position.record
        if int(game.depth) != depth or again.over:
            depth = int(game.depth)
            found.append(game.boat[:, :5].tolist())
    return found[:3]


def test_the_pad_tells_how_many_tokens_to_draw() -> None:
    found = pad(ADA)
    assert found.sheets[0]["total"] > 0
    assert [words(GAME, "en").say(note) for note in found.notes] == [
        "Ada has 1 treasure token to draw."
    ]


def test_the_pads_evidence_names_the_cards() -> None:
    lines = {line["key"]: line["evidence"] for line in pad(ADA + "tokens: 4").sheets[0]["lines"]}
    assert [one["pieces"] for one in lines["reef"]] == [["1-38", "1-39"]]
    assert [one["pieces"] for one in lines["treasure"]] == [["1-39"]]


def test_french_names_are_read_too() -> None:
    told = ADA + "propulseur: 1 1 2\njetons: 4\npièces: 6\n"
    lines = {line["key"]: line["points"] for line in pad(told).sheets[0]["lines"]}
    assert (lines["propeller3"], lines["treasure"]) == (2, 4)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no player"),
        ("Ada\n1-01", "1 cards; a row has 5"),
        ("Ada\n1-01 1-02 1-03 1-04 1-05\n", r"Ada \(line 1\) has 1 rows"),
        ("Ada\n1-01 1-02 1-03 1-04 2-05\n", "'2-05' is no card of round 1"),
        ("Ada\n1-01 1-02 1-03 1-04 1-01\n", "1-01 lies in line 2 already"),
        ("Ada\n1-01 1-02 1-03! 1-04 1-05\n", "1-03 has no treasure"),
        ("aquarium: 1 1 1", "a player's name comes first"),
        (ADA + "tokens: 2 3", "has 2 tokens; the divers bring up 1"),
        (ADA + "aquarium: 2 1 1", "never falls"),
        (ADA + "aquarium: 1 1", "2 numbers where 3 belong"),
        (ADA + "aquarium: 1 1 4", "4 should be from 1 to 3"),
        (ADA + "parts: 16", "16 should be from 5 to 15"),
        (ADA + "propeller: 3 3 3\nparts: 5", "parts can't be 5"),
        (ADA + "colour: 3", "'colour' should be"),
        (ADA + "tokens: x", "should be a number"),
        ("kraken: -1 -1 -1\nkraken: 0 0 0\n" + ADA, "a line kraken already"),
    ],
)
def test_a_wrong_score_file_is_refused_by_line(text: str, reason: str) -> None:
    with pytest.raises(BadTableau, match=reason):
        pad(text)


# --- the laws of numbers ----------------------------------------------------------------------


def test_sets_of_cards_are_counted_and_listed() -> None:
    chance = random.Random(3)
    for _ in range(300):
        cards = sorted(chance.sample(range(1, 51), chance.randrange(1, 20)))
        mask = sum(1 << card for card in cards)
        assert int(rules.count_of(mask)) == len(cards)
        assert int(rules.first_of(mask)) == cards[0]
        assert cards_in(mask) == cards


def test_chance_is_pending_alone() -> None:
    match = Match.new(GAME, players=5, troubled=True, seed=1)
    position: Position = match.position.copy()
    choices = random.Random(1)
    steps = 0
    while not position.over:
        if position.mask == CHANCE:
            assert position.pending == ()
            position.happen(position.chance())
            steps += 1
        else:
            seat = choices.choice(position.pending)
            position.play(seat, choices.choice(position.legal(seat)))
    assert steps > 30


def test_species_are_eight_four_of_them_small() -> None:
    assert len(SPECIES) == 8
    counts = [0] * 8
    for depth, size in enumerate(DECKS):
        for card in range(1, size + 1):
            for kind in range(8):
                counts[kind] += int(DATA.animals[depth, card]) >> kind & 1
    assert min(counts[:4]) > max(counts[4:])


def test_lots_never_run_over() -> None:
    """At most two lots are put under a deck each turn, and the first is there already."""
    assert 1 + 2 * TURNS <= LOTS
