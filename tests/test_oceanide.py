"""Océanide, told in stories: the showcase, sets, trades, thieves, the King, the end, the score.

A seat is told by the cards it owns outside its collection: "rum rum star thief" shows a rum and a
star, and holds the other rum and the thief. A table's pack is made of exactly the cards on it.
"""

from __future__ import annotations

import csv
import io
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from conftest import finished, random_walk
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadPack, BadRecord, IllegalMove
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.stream import words_of
from pelagos.engine.types import CHANCE, SHOWN, TURNED
from pelagos.games.oceanide import GAME, knowledge, material, notation, rules
from pelagos.games.oceanide.state import KING, OBJECTS, OVER, STATE, THIEF

IDS = material.ids(record_of(default_pack(GAME).data))
VALUES = dict(zip(IDS, default_pack(GAME).data["values"][0].tolist(), strict=False))


def sheet(sets: int = 0, showcase: int = 0, hand: int = 0, thieves: int = 0) -> list[int]:
    return [sets, showcase, hand, thieves]


class Table:
    """A game in its middle: what every seat owns, the deck in drawing order, and whose turn it is.

    The turn's cards are drawn already; `dry` says that there were none to draw."""

    def __init__(
        self, *seats: str, deck: str = "", turn: int = 0, dry: bool = False, more: str = ""
    ) -> None:
        cards = [[IDS.index(card) for card in seat.split()] for seat in seats]
        pile = [IDS.index(card) for card in deck.split()]
        data = default_pack(GAME).data.copy()
        data["copies"][0] = 0
        aside = [IDS.index(card) for card in more.split()]
        for card in [*itertools.chain(*cards), *pile, *aside]:
            data["copies"][0, card] += 1
        data["total"] = int(data["copies"].sum())
        pack = replace(default_pack(GAME), data=data)
        self.position = Position(GAME, pack, {"players": len(seats)}, new_states(GAME, 1))
        self.game: Any = self.position.record
        self.game.players = len(seats)
        self.game.active = turn
        self.game.dry = dry
        self.game.last = len(pile)
        for place, card in enumerate(pile):
            self.game.deck[place] = card + 1
        for seat, owned in enumerate(cards):
            for card in owned:
                rules.receive(self.game, seat, card)

    @property
    def pack(self) -> Any:
        return self.position.pack_record

    @property
    def seat(self) -> int:
        """The seat that owes a decision."""
        (seat,) = self.position.pending
        return seat

    def moves(self) -> list[str]:
        return [self.position.write(self.seat, action) for action in self.position.legal(self.seat)]

    def some(self, verb: str) -> list[str]:
        return [move for move in self.moves() if move.startswith(verb)]

    def play(self, *moves: str) -> int:
        """Make moves of whoever is pending; `drawn …` is chance. Returns what the last one gave."""
        news = TURNED
        for move in moves:
            if move.startswith("drawn"):
                assert self.position.mask == CHANCE
                self.position.happen(notation.read_chance(self.game, self.pack, move))
                continue
            assert move in self.moves(), f"{move} isn't legal: {self.moves()}"
            action = notation.read(self.game, self.pack, self.seat, move)
            news = self.position.play(self.seat, action)
        return news

    def showcase(self, seat: int) -> list[str]:
        return [IDS[kind] for kind in range(OBJECTS) if int(self.game.shown[seat]) >> kind & 1]

    def hand(self, seat: int) -> list[str]:
        return hand_of(self.game, seat)

    def sets(self, seat: int) -> list[str]:
        return [IDS[kind] for kind in range(OBJECTS) for _ in range(self.game.sets[seat, kind])]

    def points(self, seat: int) -> list[int]:
        return self.position.points(seat)

    def known(self, viewer: int, owner: int) -> list[str]:
        """The cards in the owner's hand that the viewer (-1: a spectator) knows of."""
        found = self.game.known[owner, :, viewer + 1]
        return [IDS[card] for card in range(len(IDS)) for _ in range(found[card])]


def hand_of(game: Any, seat: int) -> list[str]:
    return [IDS[card] for card in range(len(IDS)) for _ in range(rules.in_hand(game, seat, card))]


# --- set-up ---------------------------------------------------------------------------------------


def dealt(*hands: str, start: int = 0) -> Match:
    """A match dealt so, the rest of the pack in its order, and no seed."""
    deck = [card for hand in hands for card in hand.split()]
    left = Counter(dict.fromkeys(IDS[:OBJECTS], 6) | {"thief": 12, "king": 6})
    left.subtract(deck)
    deck += left.elements()
    record = {
        "pelagos": 1,
        "game": "oceanide",
        "options": {"players": len(hands)},
        "deal": {"deck": deck, "start": start},
        "moves": [],
    }
    return Match.replay(record)


FOUR_KINDS = "tear star sun tear rum thief"


def test_of_six_cards_four_kinds_are_shown_and_a_duplicate_and_a_thief_are_held() -> None:
    match = dealt("rum rum rum rum sun sun", FOUR_KINDS, start=1)
    game = match.position.record
    assert rules.count_objects(int(game.shown[1])) == 4 + 1  # one came with the turn's three cards
    assert match.position.points(0) == sheet(showcase=2, hand=4)
    before = Table("rum rum rum rum sun sun", FOUR_KINDS)
    assert before.showcase(1) == ["star", "rum", "tear", "sun"]
    assert before.hand(1) == ["tear", "thief"]


def test_each_seat_is_dealt_its_whole_hand_in_turn_and_the_first_turn_draws_three() -> None:
    match = dealt("rum star sun moon key tear", "rum rum rum rum king thief")
    game = match.position.record
    assert int(game.top) == 15
    assert match.position.points(0)[2] + match.position.points(0)[1] == 9
    assert hand_of(game, 1) == ["rum", "rum", "rum", "thief", "king"]


def test_the_fullest_showcase_begins() -> None:
    hands = "rum rum rum star star thief", "rum star sun moon key king"
    assert dealt(*hands, start=1).pending == (1,)
    with pytest.raises(BadRecord, match=r"start is 0, who shows 2 objects, but .* shows 5"):
        dealt(*hands, start=0)


def test_in_a_tie_for_the_fullest_showcase_either_may_begin() -> None:
    hands = "rum star thief thief thief thief", "sun moon king king king king"
    for start in (0, 1):
        assert dealt(*hands, start=start).pending == (start,)


def test_lots_are_drawn_among_the_fullest_showcases() -> None:
    begun = Counter()
    for seed in range(300):
        match = Match.new("oceanide", players=3, seed=seed)
        deck = match.deal["deck"]
        shown = [len(set(deck[seat * 6 : seat * 6 + 6]) - {"thief", "king"}) for seat in range(3)]
        tied = tuple(seat for seat in range(3) if shown[seat] == max(shown))
        assert match.deal["start"] in tied
        begun[tied, match.deal["start"]] += 1
    for tied in ((0, 1), (0, 2), (1, 2), (0, 1, 2)):
        assert all(begun[tied, seat] for seat in tied)


def test_a_start_that_is_no_seat_is_refused() -> None:
    for start in (2, -1, True, "0", None):
        with pytest.raises(BadRecord, match="start must be a seat"):
            dealt("rum", "rum", start=start)  # type: ignore[arg-type]


# --- a turn ---------------------------------------------------------------------------------------


def test_a_turn_draws_three_and_new_objects_are_shown_at_once() -> None:
    table = Table("rum", "star", deck="star rum rum king")
    table.play("end")
    assert table.seat == 1
    assert table.showcase(1) == ["star", "rum"]
    assert table.hand(1) == ["star", "rum"]


def test_a_short_deck_gives_what_it_has_and_an_empty_one_nothing() -> None:
    table = Table("rum", "star", deck="sun king")
    table.play("end")
    assert table.showcase(1) == ["star", "sun"]
    assert table.hand(1) == ["king"]
    table.play("end")
    assert table.points(0) == sheet(showcase=1)


def test_play_goes_to_the_left() -> None:
    table = Table("rum", "star", "sun", turn=2, deck="moon")
    table.play("end")
    assert table.seat == 0


def test_a_seat_that_can_do_nothing_can_end_its_turn() -> None:
    assert Table("rum star", "sun").moves() == ["end"]


# --- complete -------------------------------------------------------------------------------------


def test_three_of_a_kind_go_to_the_collection() -> None:
    table = Table("rum rum rum star", "sun")
    table.play("complete rum")
    assert table.sets(0) == ["rum"]
    assert table.showcase(0) == ["star"]
    assert table.points(0) == sheet(sets=6, showcase=1)
    assert table.seat == 0


def test_two_of_a_kind_are_no_set() -> None:
    assert Table("rum rum", "sun").some("complete") == []


def test_of_four_one_stays_in_the_showcase() -> None:
    table = Table("rum rum rum rum", "sun")
    table.play("complete rum")
    assert table.showcase(0) == ["rum"]
    assert table.hand(0) == []
    assert table.some("complete") == []


def test_a_second_set_of_the_same_kind_is_allowed() -> None:
    table = Table("rum rum rum rum rum rum", "sun")
    table.play("complete rum", "complete rum")
    assert table.sets(0) == ["rum", "rum"]
    assert table.points(0) == sheet(sets=12)


def test_a_collection_is_safe_for_good() -> None:
    table = Table("rum rum rum", "rum rum thief")
    table.play("complete rum", "end")
    assert table.moves() == ["end"]


# --- trade ----------------------------------------------------------------------------------------


def test_a_trade_needs_two_of_what_the_other_shows() -> None:
    table = Table("rum star star sun sun", "rum star", "sun")
    assert table.some("trade") == ["trade star > 1", "trade sun > 2"]


def test_the_gift_is_a_set_of_the_others_collection_and_cannot_be_refused() -> None:
    table = Table("star star", "star sun king")
    table.play("trade star > 1")
    assert table.sets(1) == ["star"]
    assert table.showcase(0) == []
    assert table.showcase(1) == ["sun"]
    assert table.seat == 0


def test_the_givers_third_copy_is_shown() -> None:
    table = Table("star star star", "star sun")
    table.play("trade star > 1")
    assert table.showcase(0) == ["star"]
    assert table.hand(0) == []


def test_another_copy_in_hand_is_shown_before_the_taking() -> None:
    table = Table("star star", "star star sun")
    table.play("trade star > 1")
    assert table.showcase(1) == ["star", "sun"]
    assert "take star,sun" in table.moves()


def test_two_different_objects_are_taken() -> None:
    table = Table("star star", "star moon moon sun rum king")
    table.play("trade star > 1")
    assert table.moves() == ["take none", "take moon,rum", "take moon,sun", "take rum,sun"]
    table.play("take moon,sun", "allow")
    assert table.showcase(0) == ["moon", "sun"]
    assert table.showcase(1) == ["moon", "rum"]
    assert table.hand(1) == ["king"]
    assert table.seat == 0


def test_a_copy_that_would_come_up_is_not_available() -> None:
    table = Table("star star", "star moon moon")
    table.play("trade star > 1")
    assert table.moves() == ["take none", "take moon"]


def test_the_only_object_shown_is_taken_alone() -> None:
    table = Table("star star", "star moon king thief")
    table.play("trade star > 1")
    assert table.some("take") == ["take none", "take moon"]
    table.play("take moon", "allow")
    assert table.showcase(0) == ["moon"]


def test_nothing_is_left_to_take() -> None:
    table = Table("star star", "star king")
    table.play("trade star > 1")
    assert table.moves() == ["take none"]


def test_a_hand_of_three_may_be_drawn_from_and_a_hand_of_two_may_not() -> None:
    for hand, may in (("king king", False), ("king king king", True)):
        table = Table("star star", f"star {hand}")
        table.play("trade star > 1")
        assert ("take hand" in table.moves()) == may


def test_the_hand_counts_after_its_copy_has_come_up() -> None:
    table = Table("star star", "star star king king")
    table.play("trade star > 1")
    assert table.hand(1) == ["king", "king"]
    assert "take hand" not in table.moves()


def test_a_hand_can_be_drawn_from_where_nothing_is_shown() -> None:
    table = Table("star star", "star thief king king")
    table.play("trade star > 1")
    assert table.moves() == ["take none", "take hand"]


def test_what_is_drawn_from_a_hand_obeys_the_showcase() -> None:
    table = Table("star star rum", "star moon moon rum rum king")
    table.play("trade star > 1", "take hand", "drawn moon rum")
    assert table.showcase(0) == ["moon", "rum"]
    assert table.hand(0) == ["rum"]
    assert table.showcase(1) == ["moon", "rum"]
    assert table.hand(1) == ["king"]


def test_two_of_a_kind_may_be_drawn() -> None:
    table = Table("star star", "star moon moon moon king")
    table.play("trade star > 1", "take hand", "drawn moon moon")
    assert table.showcase(0) == ["moon"]
    assert table.hand(0) == ["moon"]


def test_a_thief_from_a_hand_may_be_played_this_very_turn() -> None:
    table = Table("star star", "star moon thief king king")
    table.play("trade star > 1", "take hand", "drawn thief king")
    assert table.hand(0) == ["thief", "king"]
    table.play("steal moon < 1", "allow")
    assert table.showcase(0) == ["moon"]


def test_no_king_is_asked_about_a_draw_from_the_hand_or_the_gift() -> None:
    table = Table("star star", "star moon king king king")
    table.play("trade star > 1")
    assert table.seat == 0
    table.play("take hand")
    assert table.position.mask == CHANCE


def test_every_pair_of_cards_of_a_hand_is_equally_likely() -> None:
    table = Table("star star", "star moon moon moon rum rum king")
    table.play("trade star > 1", "take hand")
    assert table.hand(1) == ["moon", "moon", "rum", "king"]
    seen = Counter()
    draws = 6000
    for seed in range(draws):
        table.position.states["stream"][0] = words_of(str(seed).encode())
        seen[notation.write_chance(table.game, table.pack, table.position.chance())] += 1
    pairs = {"moon moon": 1, "moon rum": 2, "moon king": 2, "rum king": 1}
    assert set(seen) == {f"drawn {pair}" for pair in pairs}
    for pair, ways in pairs.items():
        assert seen[f"drawn {pair}"] == pytest.approx(draws * ways / 6, rel=0.1)


def test_one_may_take_nothing_and_it_is_an_action_all_the_same() -> None:
    table = Table("star star", "star moon", dry=True)
    table.play("trade star > 1", "take none", "end", "end", "end")
    assert table.position.over
    idle = Table("star star", "star moon", dry=True)
    idle.play("end", "end")
    assert idle.position.over


def test_what_was_taken_may_complete_a_set() -> None:
    table = Table("star star rum rum", "star rum moon")
    table.play("trade star > 1", "take moon,rum", "allow", "complete rum")
    assert table.sets(0) == ["rum"]


# --- steal ----------------------------------------------------------------------------------------


def test_a_thief_takes_one_object_of_a_showcase_and_stays_with_the_victim() -> None:
    table = Table("thief", "sun moon king", "rum")
    assert table.some("steal") == ["steal moon < 1", "steal sun < 1", "steal rum < 2"]
    table.play("steal sun < 1", "allow")
    assert table.showcase(0) == ["sun"]
    assert table.hand(0) == []
    assert table.showcase(1) == ["moon"]
    assert table.points(1) == sheet(showcase=1, hand=1, thieves=2)


def test_no_thief_no_theft() -> None:
    assert Table("rum", "sun").some("steal") == []


def test_the_second_copy_is_shown_at_once_and_can_be_stolen_too() -> None:
    table = Table("thief thief", "sun sun")
    table.play("steal sun < 1", "allow")
    assert table.showcase(1) == ["sun"]
    assert table.hand(1) == []
    table.play("steal sun < 1", "allow")
    assert table.showcase(1) == []
    assert (table.showcase(0), table.hand(0)) == (["sun"], ["sun"])
    assert table.points(1) == sheet(thieves=4)


def test_a_thief_is_in_nobodys_hand_while_the_target_is_asked() -> None:
    table = Table("thief rum", "sun")
    table.play("steal sun < 1")
    assert table.points(0) == sheet(showcase=1)
    assert table.points(1) == sheet(showcase=1)


def test_a_received_thief_cannot_be_played() -> None:
    table = Table("thief", "sun rum")
    table.play("steal sun < 1", "allow", "end")
    assert table.moves() == ["end"]


# --- the King -------------------------------------------------------------------------------------


def test_the_target_is_asked_with_or_without_a_king() -> None:
    for king, answers in (("king", ["king", "allow"]), ("", ["allow"])):
        table = Table("thief", f"sun {king}")
        table.play("steal sun < 1")
        assert table.seat == 1
        assert table.moves() == answers
        table = Table("star star", f"star sun {king}")
        table.play("trade star > 1", "take sun")
        assert table.seat == 1
        assert table.moves() == answers


def test_a_king_stops_a_thief_and_both_are_discarded() -> None:
    table = Table("thief rum", "sun king")
    table.play("steal sun < 1", "king")
    assert table.showcase(1) == ["sun"]
    assert table.points(0) == sheet(showcase=1)
    assert table.points(1) == sheet(showcase=1)
    assert table.game.discards.tolist() == [1, 1]
    assert table.seat == 0


def test_a_king_stops_a_choice_and_the_set_stays() -> None:
    table = Table("star star", "star moon sun king king king")
    table.play("trade star > 1", "take moon,sun", "king")
    assert table.sets(1) == ["star"]
    assert table.showcase(1) == ["moon", "sun"]
    assert table.showcase(0) == []
    assert table.game.discards.tolist() == [0, 1]


def test_after_a_king_the_giver_cannot_turn_to_the_hand() -> None:
    table = Table("star star", "star moon sun king king king king")
    table.play("trade star > 1")
    assert "take hand" in table.moves()
    table.play("take moon,sun", "king")
    assert table.seat == 0
    assert table.moves() == ["end"]


def test_a_king_is_played_once() -> None:
    table = Table("thief thief", "sun king")
    table.play("steal sun < 1", "king", "steal sun < 1")
    assert table.moves() == ["allow"]


def test_nothing_counters_a_king() -> None:
    table = Table("thief king king", "sun king")
    table.play("steal sun < 1", "king")
    assert table.moves() == ["end"]


def test_a_king_drawn_from_a_hand_protects_its_new_owner() -> None:
    table = Table("star star sun", "star king king thief rum rum")
    table.play("trade star > 1", "take hand", "drawn rum king", "end", "steal sun < 0")
    assert table.seat == 0
    assert table.moves() == ["king", "allow"]


# --- the end --------------------------------------------------------------------------------------


def test_the_game_ends_when_all_in_a_row_had_nothing_to_draw_and_did_nothing() -> None:
    table = Table("rum", "star", "sun", dry=True)
    table.play("end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over
    assert table.position.mask == 0


def test_a_turn_that_drew_the_last_cards_does_not_count() -> None:
    table = Table("rum", "star", deck="king")
    table.play("end", "end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over


def test_any_action_starts_the_count_again() -> None:
    table = Table("star", "rum rum rum", dry=True)
    table.play("end", "complete rum", "end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over


def test_a_stopped_action_starts_the_count_again() -> None:
    table = Table("star king", "thief", dry=True)
    table.play("end", "steal star < 0", "king", "end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over


def test_an_action_in_a_turn_with_cards_to_draw_does_not_matter_to_the_count() -> None:
    table = Table("rum rum rum", "star")
    table.play("complete rum", "end", "end", "end")
    assert table.position.over


def test_every_action_takes_cards_out_of_play_so_that_the_game_ends() -> None:
    for seed in range(40):
        match = Match.new("oceanide", players=2 + seed % 4, seed=seed)
        left, moves = None, 0
        for at in random_walk(match, random.Random(seed)):
            game = at.position.record
            if int(game.phase) == 0:
                owned = int(game.own.sum()) + int(game.last) - int(game.top)
                acted = bool(at.history) and left is not None and owned < left
                ended = not at.history or at.history[-1].action == rules.END
                assert acted or ended or owned == left
                left = owned
            moves += 1
        assert match.over
        assert moves < 400


# --- the score ------------------------------------------------------------------------------------


def scored(*seats: tuple[str, int, int, int]) -> Table:
    """A finished game: each seat's sets, showcase, cards in hand, thieves received."""
    table = Table(*["" for _ in seats], more="thief")
    table.game.phase = OVER
    for seat, (sets, shown, hand, thieves) in enumerate(seats):
        for name in sets.split():
            table.game.sets[seat, IDS.index(name)] += 1
        for kind in range(shown):
            rules.receive(table.game, seat, kind)
        for _ in range(hand):
            rules.receive(table.game, seat, KING)
        table.game.thieves[seat] = thieves
    return table


def test_the_rulebooks_example_adds_up_to_41() -> None:
    table = scored(("star rum sun fareye scales", 5, 2, 3), ("", 0, 0, 0))
    assert [VALUES[name] for name in ["star", "rum", "sun", "fareye", "scales"]] == [5, 6, 7, 5, 5]
    assert table.points(0) == sheet(sets=28, showcase=5, hand=2, thieves=6)
    assert table.position.scores[0] == 41


def test_a_set_scores_its_value_once() -> None:
    assert scored(("rum", 0, 0, 0), ("", 0, 0, 0)).points(0) == sheet(sets=6)


def test_thieves_and_kings_in_hand_score_one_each() -> None:
    assert Table("thief king king rum", "sun").points(0) == sheet(showcase=1, hand=3)


@pytest.mark.parametrize(
    ("one", "other", "winners"),
    [
        (("rum", 0, 0, 0), ("", 5, 0, 0), [0]),
        (("sun", 0, 0, 0), ("trident button", 1, 0, 0), [0]),
        (("trident moon", 0, 0, 0), ("sun", 0, 0, 0), [1]),
        (("sun star", 0, 0, 0), ("sun moon", 1, 0, 0), [0]),
        (("sun trident", 0, 0, 0), ("sun", 3, 0, 0), [0]),
        (("", 2, 0, 0), ("", 0, 0, 1), [0, 1]),
        (("sun rum", 0, 0, 0), ("heart fang", 0, 0, 0), [0, 1]),
        (("rum rum", 0, 0, 0), ("heart star", 0, 0, 0), [1]),
    ],
    ids=[
        "more points",
        "the most precious set",
        "not the number of sets",
        "then the second set",
        "a missing set loses to any",
        "no sets: shared",
        "equal values: shared",
        "one set of 7 before two of 6",
    ],
)
def test_a_tie_is_broken_by_the_most_precious_sets(
    one: Any, other: Any, winners: list[int]
) -> None:
    assert scored(one, other).position.winners == winners


def test_the_win_is_shared_by_those_tied_alone() -> None:
    table = scored(("sun", 0, 0, 0), ("rum", 1, 0, 0), ("heart", 0, 0, 0))
    assert table.position.scores == [7, 7, 7]
    assert table.position.winners == [0, 2]


# --- the invariant --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_copy_is_shown_and_the_others_are_held_after_every_step(players: int) -> None:
    for seed in range(15):
        match = Match.new("oceanide", players=players, seed=f"shown {seed}")
        for at in random_walk(match, random.Random(seed)):
            game = at.position.record
            for seat in range(players):
                own = game.own[seat].tolist()
                assert min(own) >= 0
                shown = sum(1 << kind for kind in range(OBJECTS) if own[kind])
                assert int(game.shown[seat]) == shown
                points = at.position.points(seat)
                assert points[1] + points[2] == sum(own)


# --- what is known --------------------------------------------------------------------------------


def test_all_know_a_stolen_object_in_the_hand_it_went_to() -> None:
    table = Table("thief sun", "sun", "rum")
    table.play("steal sun < 1", "allow")
    assert [table.known(viewer, 0) for viewer in (-1, 1, 2)] == [["sun"]] * 3


def test_an_object_that_lands_in_a_showcase_is_not_in_hand() -> None:
    table = Table("thief", "sun", "rum")
    table.play("steal sun < 1", "allow")
    assert table.known(1, 0) == []


def test_a_known_copy_that_comes_up_is_known_in_hand_no_more() -> None:
    table = Table("thief sun", "sun thief", "rum")
    table.play("steal sun < 1", "allow", "end", "steal sun < 0", "allow")
    assert table.known(2, 0) == []
    assert table.showcase(0) == ["sun"]


def test_completing_a_set_uses_up_what_was_known() -> None:
    table = Table("thief sun sun", "sun", "rum")
    table.play("steal sun < 1", "allow")
    assert table.known(2, 0) == ["sun"]
    table.play("complete sun")
    assert table.known(2, 0) == []


def test_a_gift_uses_up_what_was_known() -> None:
    table = Table("thief sun sun", "sun", "sun")
    table.play("steal sun < 1", "allow", "trade sun > 2")
    assert table.showcase(0) == ["sun"]
    assert table.known(2, 0) == []


def test_both_who_are_concerned_know_what_was_drawn_from_a_hand() -> None:
    table = Table("star star rum", "star rum rum king thief", "moon")
    table.play("trade star > 1", "take hand", "drawn rum king")
    assert table.known(1, 0) == ["rum", "king"]
    assert table.known(2, 0) == []
    assert table.known(-1, 0) == []


def test_a_third_seat_knows_no_longer_what_the_unseen_cards_may_have_taken() -> None:
    table = Table("star star sun sun", "star sun sun rum rum rum thief", "sun rum", turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    assert table.known(2, 1) == ["sun"]
    table.play("trade star > 1", "take hand", "drawn rum rum")
    assert table.known(2, 1) == []
    assert table.known(0, 1) == ["sun"]


def test_what_the_taker_would_have_shown_was_not_taken() -> None:
    table = Table("star star rum", "star sun sun rum rum thief", "sun rum", turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    table.play("trade star > 1", "take hand", "drawn rum sun")
    assert table.showcase(0) == ["rum", "sun"]
    assert table.known(2, 1) == []
    table = Table("star star rum", "star sun sun rum rum rum thief", "sun rum", turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    table.play("trade star > 1", "take hand", "drawn rum rum")
    assert table.showcase(0) == ["rum"]
    assert table.known(2, 1) == ["sun"]


def test_a_card_that_lands_is_seen_and_leaves_one_unseen() -> None:
    sisters = "star star rum", "star sun sun sun rum rum thief thief", "sun sun rum"
    table = Table(*sisters, turn=1)
    table.play("steal sun < 2", "allow", "steal sun < 2", "allow", "end", "end")
    assert table.known(2, 1) == ["sun", "sun"]
    table.play("trade star > 1", "take hand", "drawn rum sun")
    assert table.known(2, 1) == []
    table = Table(*sisters, turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    table.play("trade star > 1", "take hand", "drawn sun thief")
    assert table.known(2, 1) == []
    assert table.known(0, 1) == []
    assert table.known(1, 0) == ["thief"]


def test_three_known_twins_leave_one_known_after_two_unseen_cards() -> None:
    table = Table(
        "star star sun", "star sun thief thief thief king king king", "sun sun sun", turn=1
    )
    table.play(*["steal sun < 2", "allow"] * 3, "end", "end")
    assert table.known(2, 1) == ["sun", "sun", "sun"]
    table.play("trade star > 1", "take hand", "drawn king king")
    assert table.known(2, 1) == ["sun"]
    assert table.known(0, 1) == ["sun", "sun", "sun"]


def test_a_known_king_is_forgotten_when_it_is_played() -> None:
    table = Table("star star rum", "star king king king rum thief", "moon")
    table.play("trade star > 1", "take hand", "drawn king king")
    assert table.known(1, 0) == ["king", "king"]
    table.play("end", "steal rum < 0", "king")
    assert table.known(1, 0) == ["king"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nobody_knows_more_than_the_truth_nor_less_than_all(players: int) -> None:
    for seed in range(15):
        match = Match.new("oceanide", players=players, seed=f"known {seed}")
        for at in random_walk(match, random.Random(seed)):
            game = at.position.record
            for owner in range(players):
                for card in range(len(IDS)):
                    held = rules.in_hand(game, owner, card)
                    known = game.known[owner, card, : players + 1].tolist()
                    assert min(known) == known[0]
                    assert max(known) <= held


# --- worlds ---------------------------------------------------------------------------------------

World = tuple[tuple[str, ...], ...]
"""Every hand, and the deck, each sorted."""


def world_of(game: Any) -> World:
    hands = [tuple(hand_of(game, seat)) for seat in range(int(game.players))]
    deck = sorted(int(card) - 1 for card in game.deck if card)
    return (*hands, tuple(IDS[card] for card in deck))


def all_worlds(table: Table, viewer: int) -> Counter[World]:
    """Every world that the viewer may think possible, by brute force: all ways to lay the cards of
    unknown place, each told from its twins, into the hands and the deck."""
    game, players = table.game, int(table.game.players)
    known = [
        table.hand(seat) if seat == viewer else table.known(viewer, seat) for seat in range(players)
    ]
    room = [len(table.hand(seat)) - len(known[seat]) for seat in range(players)]
    pool = Counter(card for part in world_of(game) for card in part)
    for cards in known:
        pool.subtract(cards)
    cards = sorted(pool.elements(), key=IDS.index)
    fits = [
        [
            seat
            for seat in range(players)
            if card in ("thief", "king") or card in table.showcase(seat)
        ]
        for card in cards
    ]
    worlds: Counter[World] = Counter()

    def lay(place: int, hands: list[list[str]], deck: list[str]) -> None:
        if place == len(cards):
            if all(len(hand) == room[seat] for seat, hand in enumerate(hands)):
                full = [sorted(known[s] + hands[s], key=IDS.index) for s in range(players)]
                worlds[(*map(tuple, full), tuple(deck))] += 1
            return
        lay(place + 1, hands, [*deck, cards[place]])
        for seat in fits[place]:
            if len(hands[seat]) < room[seat]:
                more = [*hands]
                more[seat] = [*hands[seat], cards[place]]
                lay(place + 1, more, deck)

    lay(0, [[] for _ in range(players)], [])
    return worlds


SMALL = {
    "two sisters and a deck": Table(
        "star rum rum thief", "star star rum king", deck="star rum rum thief king moon"
    ),
    "an empty deck": Table("star star rum rum thief king", "star star rum rum rum thief"),
    "three sisters": Table(
        "star rum thief", "star star rum rum", "sun sun rum king", deck="rum sun"
    ),
    "a hand of unlike kinds": Table(
        "star moon moon rum", "star moon rum rum king thief", deck="moon"
    ),
}


def small_tables() -> Iterator[Any]:
    for name, table in SMALL.items():
        for viewer in range(-1, int(table.game.players)):
            yield pytest.param(table, viewer, id=f"{name}, seat {viewer}")
    told = Table("thief rum moon", "rum star star", "moon moon king", deck="rum star thief")
    told.play("steal rum < 1", "allow", "end")
    for viewer in (-1, 1, 2):
        yield pytest.param(told, viewer, id=f"after a theft, seat {viewer}")
    drawn = Table("star star rum", "star rum rum king thief moon", "moon rum", deck="rum moon")
    drawn.play("trade star > 1", "take hand", "drawn rum king", "end")
    for viewer in (-1, 0, 1, 2):
        yield pytest.param(drawn, viewer, id=f"after a draw from a hand, seat {viewer}")
    asked = Table("thief thief rum", "rum star star king", deck="rum thief king")
    asked.play("steal star < 1")
    for viewer in (-1, 0, 1):
        yield pytest.param(asked, viewer, id=f"while a target is asked, seat {viewer}")


@pytest.mark.parametrize(("table", "viewer"), list(small_tables()))
def test_redeal_draws_all_possible_worlds_and_no_others_without_bias(
    table: Table, viewer: int
) -> None:
    ways = all_worlds(table, viewer)
    total = sum(ways.values())
    draws = max(2000, 12 * len(ways))
    stream = words_of(b"worlds")
    seen = Counter(world_of(table.position.redeal(viewer, stream).record) for _ in range(draws))
    assert world_of(table.game) in ways
    assert set(seen) <= set(ways)
    surprise = 0.0
    for world, number in ways.items():
        expected = draws * number / total
        surprise += (seen[world] - expected) ** 2 / expected
    freedom = len(ways) - 1
    assert surprise < freedom + 5 * (2 * max(freedom, 1)) ** 0.5


def test_every_order_of_the_deck_comes_up() -> None:
    table = Table("star", "rum", deck="moon sun key")
    stream = words_of(b"orders")
    orders = Counter(
        tuple(table.position.redeal(0, stream).record.deck[:3].tolist()) for _ in range(1200)
    )
    assert len(orders) == 6
    assert min(orders.values()) > 140


def test_what_others_saw_between_them_is_forgotten_in_a_redealt_world() -> None:
    table = Table("star star rum", "star rum rum king thief", "moon", deck="rum king")
    table.play("trade star > 1", "take hand", "drawn rum king")
    third = table.position.redeal(2, words_of(b"x")).record
    assert not third.known[0].any()
    giver = table.position.redeal(1, words_of(b"x")).record
    assert hand_of(giver, 0) == ["rum", "king"]
    assert giver.known[0, :, 2].tolist() == table.game.known[0, :, 2].tolist()


def test_large_hands_are_redealt_too() -> None:
    """Nobody acts, so that all cards are in hands and showcases when the deck is empty."""
    match = Match.new("oceanide", players=5, seed="hoard")
    while not match.over:
        match.play(match.pending[0], "end")
    for viewer in range(-1, 5):
        world = match.position.redeal(viewer, words_of(b"hoard"))
        assert knowledge.census(world.record, world.pack_record) == [6] * OBJECTS + [12, 6]
        for seat in range(5):
            assert world.points(seat) == match.position.points(seat)
            own = world.record.own[seat]
            assert (
                sum(1 << kind for kind in range(OBJECTS) if own[kind]) == world.record.shown[seat]
            )


# --- what is seen ---------------------------------------------------------------------------------


def pieces(match: Match, viewer: int | None, place: str) -> dict[str | None, int]:
    return {
        piece["face"]: piece["count"]
        for piece in match.view(viewer)["pieces"]
        if piece["place"] == place
    }


def replayed(hands: Sequence[str], moves: str, start: int = 0) -> Match:
    match = dealt(*hands, start=start)
    for move in moves.split(", ") if moves else []:
        match.play(match.pending[0], move)
    return match


SISTERS = (
    "thief rum rum sun key moon",
    "rum star king king scales tear",
    "heart thief thief star star key",
)


def test_a_hand_is_its_owners_and_others_see_its_size() -> None:
    match = replayed(SISTERS, "")
    assert pieces(match, 0, "hand0") == {"rum": 1, "trident": 2, "thief": 1}
    assert pieces(match, 1, "hand0") == {None: 4}
    assert pieces(match, None, "hand0") == {None: 4}


def test_a_card_that_was_seen_going_to_a_hand_is_marked() -> None:
    match = replayed(SISTERS, "steal rum < 1, allow")
    view = match.view(2)
    (rum,) = [piece for piece in view["pieces"] if piece["key"] == "hand0.rum"]
    assert (rum["count"], rum["marks"]) == (1, ["known"])
    assert pieces(match, 2, "hand0") == {"rum": 1, None: 3}


def test_being_asked_tells_nothing() -> None:
    """With a king in the target's hand or without, all others see the same table."""
    views = []
    for card in ("king", "thief"):
        hands = (SISTERS[0], f"star scales tear fang thief {card}", "heart heart star star key key")
        match = replayed(hands, "steal star < 1")
        assert match.pending == (1,)
        views.append([match.view(viewer) for viewer in (0, 2, None)])
    assert views[0] == views[1]


def test_an_answer_is_never_forced() -> None:
    for card, answers in (("king", 2), ("thief", 1)):
        table = Table("thief", f"sun {card}")
        table.play("steal sun < 1")
        assert len(table.moves()) == answers
        assert not knowledge.forced(table.game, table.pack, 1)


def test_what_all_know_to_be_the_only_move_is_forced() -> None:
    empty = Table("rum star", "sun")
    assert knowledge.forced(empty.game, empty.pack, 0)
    holding = Table("rum king", "sun")
    assert holding.moves() == ["end"]
    assert not knowledge.forced(holding.game, holding.pack, 0)
    taking = Table("star star", "star king")
    taking.play("trade star > 1")
    assert taking.moves() == ["take none"]
    assert knowledge.forced(taking.game, taking.pack, 0)


def test_the_target_is_told_who_wants_what() -> None:
    match = replayed(SISTERS, "steal star < 1")
    prompt = match.view(1)["prompt"]
    assert prompt["key"] == "prompt.king_steal"
    assert prompt["params"] == {"player": {"seat": 0}, "card": {"noun": "star"}}
    (star,) = [piece for piece in match.view(2)["pieces"] if piece["key"] == "showcase1.star"]
    assert star["marks"] == ["named"]
    assert pieces(match, 2, "played") == {"thief": 1}


def test_collections_are_shown() -> None:
    match = replayed(SISTERS, "complete trident, trade rum > 1, take none")
    assert pieces(match, 2, "collection0") == {"trident": 3}
    assert pieces(match, None, "collection1") == {"rum": 3}


def events(match: Match, viewer: int | None) -> list[str]:
    from pelagos.engine.words import words

    said = words(GAME, "en")
    return [
        said.text(one["key"], one["params"], ["Ada", "Bo", "Cy"]) for one in match.events(viewer)
    ]


def test_a_theft_is_told() -> None:
    match = replayed(SISTERS, "steal star < 1, allow")
    assert events(match, None) == [
        "Ada sends a thief for Bo's captive star.",
        "Ada takes the captive star from Bo.",
        "The thief joins Bo's collection.",
    ]
    stopped = replayed(SISTERS, "steal star < 1, king")
    assert events(stopped, None)[1:] == ["Bo calls King Ocean: nothing is taken."]


def test_a_draw_is_told_to_each_as_they_see_it() -> None:
    match = replayed(SISTERS, "end")
    trident, button = "a pocket trident", "an admiral's button"
    assert events(match, 1)[1:] == [f"Bo draws {trident}.", *[f"Bo draws {trident}."] * 2]
    assert events(match, 0)[1:] == [f"Bo draws {trident}.", "Bo draws 2 cards."]
    match.play(1, "end")
    assert events(match, 0)[-2:] == [f"Cy draws {button}.", "Cy draws 2 cards."]


def test_cards_drawn_from_a_hand_are_told_to_the_two_concerned() -> None:
    hands = ("star star key moon rum fang", "star sun sun rum rum thief", "heart " * 6)
    match = replayed(hands, "trade star > 1, take hand")
    match.happen("drawn rum sun")
    assert events(match, 1)[-2:] == [
        "Ada draws a drowned sun from Bo's hand.",
        "Ada draws a bottle of rum from Bo's hand.",
    ]
    assert events(match, 2)[-2:] == [
        "Ada draws a drowned sun from Bo's hand.",
        "Ada draws an unseen card from Bo's hand.",
    ]


def test_a_copy_that_comes_up_is_told() -> None:
    hands = ("star star key moon rum fang", "star star sun rum rum thief", "heart " * 6)
    match = replayed(hands, "trade star > 1")
    assert events(match, 2) == [
        "Ada gives Bo two to complete a set: captive star.",
        "Another copy of the captive star comes up in Bo's showcase.",
    ]


def test_a_preview_shows_the_move_as_if_no_king_came() -> None:
    match = replayed(SISTERS, "")
    now = {"sets": 0, "showcase": 5, "hand": 4, "thieves": 0}
    assert match.sheet(0) == now
    assert match.preview(0, "end") == now
    assert match.preview(0, "complete trident") == now | {"sets": 3, "showcase": 4, "hand": 2}
    assert match.preview(0, "steal star < 1") == now | {"showcase": 6, "hand": 3}
    assert match.preview(0, "trade rum > 1") == now | {"showcase": 4, "hand": 3}
    match.play(0, "steal star < 1")
    assert match.preview(1, "king") == {"sets": 0, "showcase": 4, "hand": 1, "thieves": 0}
    assert match.preview(1, "allow") == {"sets": 0, "showcase": 3, "hand": 2, "thieves": 2}


def test_undo_stops_where_something_came_to_light() -> None:
    match = replayed(SISTERS, "complete trident")
    assert match.why_no_undo(0) == ""
    match = replayed(SISTERS, "trade rum > 1")
    assert "light" in match.why_no_undo(0)
    match = replayed(SISTERS, "steal star < 1")
    assert match.why_no_undo(0) == ""
    match.play(1, "allow")
    assert "moved" in match.why_no_undo(0)
    assert Table("rum", "sun").play("end") == SHOWN
    assert Table("rum", "sun", deck="king").play("end") == TURNED


# --- notation and records -------------------------------------------------------------------------


def test_moves_are_written_as_the_page_has_them() -> None:
    table = Table("rum rum rum thief", "rum star sun", "moon")
    assert table.moves() == [
        "end",
        "complete rum",
        "trade rum > 1",
        "steal star < 1",
        "steal rum < 1",
        "steal sun < 1",
        "steal moon < 2",
    ]
    table.play("trade rum > 1")
    assert table.moves() == ["take none", "take star,sun"]


def test_every_action_has_words_of_its_own() -> None:
    table = Table("rum", "sun")
    moves = [notation.write(table.game, table.pack, 0, action) for action in range(GAME.actions)]
    assert len(set(moves)) == GAME.actions == rules.ACTIONS
    for action, move in enumerate(moves):
        assert notation.read(table.game, table.pack, 0, move) == action
    for words in ("", "trade rum > 5", "take sun,rum", "take rum,rum", "steal thief < 1", "End"):
        assert notation.read(table.game, table.pack, 0, words) == -1


def test_chance_is_read_strictly() -> None:
    table = Table("star star", "star moon moon rum rum thief")
    table.play("trade star > 1", "take hand")
    for words, reason in {
        "drawn": "two cards",
        "drawn moon": "two cards",
        "drew moon rum": "two cards",
        "drawn moon pearl": "two cards",
        "drawn rum moon": "order",
        "drawn moon moon": "doesn't hold",
        "drawn moon king": "doesn't hold",
    }.items():
        with pytest.raises(BadRecord, match=reason):
            notation.read_chance(table.game, table.pack, words)
    assert notation.read_chance(table.game, table.pack, "drawn rum thief") == [8, THIEF]


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (["rum"], "list of 96"),
        (["pearl"] + ["rum"] * 95, "no card of the pack"),
        (["rum"] * 96, r"0 trident; the pack has 6"),
    ],
)
def test_a_deck_that_is_not_the_packs_is_refused(deck: list[str], reason: str) -> None:
    record = finished("oceanide", {"players": 2}, 1).record()
    del record["seed"]
    record["deal"]["deck"] = deck
    with pytest.raises(BadRecord, match=reason):
        Match.replay(record)


def test_an_illegal_move_gets_a_sentence() -> None:
    match = replayed(SISTERS, "")
    with pytest.raises(IllegalMove, match="can't 'complete rum' now; legal are: end"):
        match.play(0, "complete rum")


def test_a_seats_record_has_what_it_drew_and_what_all_saw() -> None:
    match = replayed(SISTERS, "end")
    deck = match.record(1)["deal"]["deck"]
    assert deck[:6] == ["?", "rum", "?", "sun", "key", "moon"]
    assert deck[6:12] == SISTERS[1].split()
    assert deck[12:18] == ["heart", "?", "?", "star", "?", "key"]
    assert deck[18:21] == ["trident", "?", "?"]
    assert deck[21:24] == ["trident", "trident", "trident"]
    assert set(deck[24:]) == {"?"}


def test_a_seats_record_hides_the_cards_drawn_from_anothers_hand() -> None:
    hands = ("star star key moon rum fang", "star sun sun rum rum thief", "heart " * 6)
    match = replayed(hands, "trade star > 1, take hand")
    match.happen("drawn rum sun")
    assert match.record(0)["moves"][-1] == ["*", "drawn rum sun"]
    assert match.record(1)["moves"][-1] == ["*", "drawn rum sun"]
    assert match.record(2)["moves"][-1] == ["*", "drawn ? sun"]
    hidden = replayed(hands, "trade star > 1, take hand")
    hidden.happen("drawn rum thief")
    assert hidden.record(2)["moves"][-1] == ["*", "drawn ? ?"]


# --- packs ----------------------------------------------------------------------------------------


def files(**changes: Any) -> dict[str, str]:
    """The default pack's files; `card=(column, value)` changes a cell, `card=None` drops a line."""
    found = dict(default_pack(GAME).files)
    rows = list(csv.DictReader(io.StringIO(found["cards.csv"])))
    for card, change in changes.items():
        if change is None:
            rows = [row for row in rows if row["id"] != card]
        else:
            row = next(row for row in rows if row["id"] == card)
            row[change[0]] = change[1]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return found | {"cards.csv": text.getvalue()}


def test_the_default_pack_is_the_printed_list() -> None:
    data = default_pack(GAME).data[0]
    assert data["total"] == 96
    assert data["copies"].tolist() == [6] * 13 + [12, 6]
    assert Counter(data["values"].tolist()) == {3: 2, 4: 3, 5: 3, 6: 3, 7: 2}
    assert VALUES["rum"] == 6


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rum": ("value", "8")}, "line 10: value must be from 3 to 7, not '8'"),
        ({"rum": ("copies", "5")}, "line 10: copies must be 6, not '5'"),
        ({"rum": ("id", "sun")}, "sun stands here a second time"),
        ({"rum": ("id", "hand")}, "can't have the id hand"),
        ({"rum": ("id", "none")}, "can't have the id none"),
        ({"rum": ("id", "a,b")}, "one word"),
        ({"rum": ("id", "a b")}, "one word"),
        ({"rum": ("id", "a<b")}, "one word"),
        ({"rum": ("id", "a>b")}, "one word"),
        ({"rum": ("id", "?")}, "one word"),
        ({"rum": ("id", "x" * 33)}, "longer than 32 bytes"),
        ({"rum": ("id", "")}, "id is empty"),
        ({"rum": ("name_fr", "")}, "name_fr is empty"),
        ({"rum": None}, "12 objects; a pack has 13"),
        ({"king": ("id", "pearl")}, "pearl is one object too many"),
        ({"thief": None}, "thief is missing"),
        ({"king": None}, "king is missing"),
        ({"thief": ("value", "3")}, "value must be 2, not '3'"),
        ({"thief": ("copies", "-1")}, "copies must be from 0 to 50"),
        ({"thief": ("copies", "51")}, "copies must be from 0 to 50"),
        ({"thief": ("copies", "45")}, "51 thieves and kings; at most 50"),
    ],
)
def test_a_wrong_pack_is_refused_with_line_and_reason(change: Any, reason: str) -> None:
    with pytest.raises(BadPack, match=reason.replace("?", r"\?")):
        make_pack(GAME, files(**change))


@pytest.mark.parametrize(("thieves", "kings"), [(0, 0), (44, 6), (0, 50), (3, 1)])
def test_packs_of_other_sizes_play_to_the_end(thieves: int, kings: int) -> None:
    pack = make_pack(GAME, files(thief=("copies", str(thieves)), king=("copies", str(kings))))
    for players in (2, 5):
        match = Match.new("oceanide", players=players, seed=thieves, pack=pack)
        for _ in random_walk(match, random.Random(kings)):
            pass
        assert match.over
        assert Match.replay(match.record()).scores == match.scores


def test_a_pack_may_rename_and_revalue_its_objects() -> None:
    pack = make_pack(GAME, files(rum=("id", "bouée"), sun=("value", "3")))
    match = Match.new("oceanide", players=2, seed=1, pack=pack)
    assert "bouée" in match.deal["deck"]
    for _ in random_walk(match, random.Random(1)):
        pass
    record = match.record()
    assert "bouée" in record["pack"]["files"]["cards.csv"]
    assert Match.replay(record).scores == match.scores
    values = {
        row["params"]["card"]["noun"]: row["params"]["number"]
        for row in match.view()["facts"]["values"]
    }
    assert (values["bouée"], values["sun"]) == (6, 3)


def test_a_state_is_at_most_a_kibibyte() -> None:
    assert STATE.size <= 1024
