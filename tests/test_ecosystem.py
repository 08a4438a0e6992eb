"""Ecosystem: every sentence of its rules, told as stories of the game."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from conftest import finished, random_walk
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadPack, BadTableau, IllegalMove
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack, make_pack
from pelagos.games.ecosystem import rules
from pelagos.games.ecosystem.scoring import (
    krill_points,
    lines_of,
    plankton_points,
    score,
    turtle_points,
    worth,
)
from pelagos.games.ecosystem.state import SPECIES, STATE

GAME = find_game("ecosystem")
PACK = default_pack(GAME)
LETTERS = dict(zip("ckpgfambwto", SPECIES, strict=True))
"""coral krill plankton grouper clownFish crAb Moray→m, shark→b, whale turtle octopus."""
LETTERS.update(c="coral", f="clownfish", a="crab", m="moray", b="shark")


def reef(*grids: str, players: int = 3, neutral: int = 0) -> Any:
    """A state with these grids; rows are separated by spaces, a dot is an empty cell."""
    game = record_of(new_states(GAME, 1))
    game.players = players
    game.neutral[SPECIES.index("plankton")] = neutral
    for seat, grid in enumerate(grids):
        for row, line in enumerate(grid.split()):
            for column, letter in enumerate(line):
                if letter != ".":
                    cell = (row + 1) * 7 + column + 1
                    game.cells[seat, cell] = SPECIES.index(LETTERS[letter]) + 1
                    game.reef[seat] |= 1 << cell
                    game.laid[seat] += 1
    return game


def sheet(game: Any, seat: int = 0) -> dict[str, int]:
    return lines_of(game, record_of(PACK.data), seat)


def cell(row: int, column: int) -> int:
    return (row + 1) * 7 + column + 1


# --- the rulebook's example, by its lines ----------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ((3, 3, 12, 9, 10, 2, 12, 16, 0, 8, 3), 96),
        ((3, 4, 12, 0, 10, 14, 4, 10, 0, 10, 6), 87),
        ((6, 14, 4, 15, 0, 2, 0, 4, 24, 4, 3), 93),
    ],
    ids=["Elsa", "Willow", "Eden"],
)
def test_the_example_adds_up(lines: tuple[int, ...], total: int) -> None:
    groups = [sum(lines[first : first + 3]) for first in (0, 3, 6)]
    assert sum(lines) + min(groups) == total


def test_edens_whales_score_two_for_each_of_six_krill() -> None:
    game = reef("kwk.. kwk.. kk...")
    assert sheet(game)["whale"] == 24


def test_the_best_grid_known_makes_178() -> None:
    game = reef("wkwkk kwkgk kkgkg kgkkp")
    for flip in ("flip 0,2 0,1", "flip 1,1 1,0"):
        action = GAME.part("notation").read(game, None, 0, flip)
        assert rules.owes_flip(game, 0, action - rules.FLIPS)
        rules.flip(game, 0, action - rules.FLIPS)
    assert not rules.owes_any_flip(game, 0), "the corner whale has no face-up neighbour left"
    found = sheet(game)
    assert {name: value for name, value in found.items() if value} == {
        "krill": 28,
        "plankton": 12,
        "grouper": 39,
        "whale": 60,
        "bonus": 39,
    }
    assert sum(found.values()) == 178 == score(game, 0)


# --- each species ----------------------------------------------------------------------------


def test_coral_scores_in_the_bottom_row_only() -> None:
    assert sheet(reef("c.... c.c.."))["coral"] == 6
    assert sheet(reef("c.... k...."))["coral"] == 0


def test_coral_in_a_row_above_still_serves_clownfish_and_morays() -> None:
    assert sheet(reef("cf... k...."))["clownfish"] == 2
    assert sheet(reef("cmg.. k...."))["moray"] == 4


def test_krill_groups_of_two_and_three_make_13_and_9_when_joined() -> None:
    assert krill_points(reef("kk.k. ...kk"), 0) == 13
    assert krill_points(reef("kkkk. ...kk"), 0) == 9


def test_a_single_krill_scores_one_and_diagonals_never_join() -> None:
    assert krill_points(reef("k.... .k..."), 0) == 2


def test_a_grouper_with_two_krill_scores_six() -> None:
    assert sheet(reef("kgk.."))["grouper"] == 6


def test_a_clownfish_counts_plankton_and_coral_beside_it() -> None:
    assert sheet(reef(".p... cfc.. .k..."))["clownfish"] == 6


def test_a_crab_counts_plankton_in_its_row_not_in_its_column() -> None:
    assert sheet(reef("p.a.p ..p.."))["crab"] == 4


def test_several_crabs_share_the_same_plankton() -> None:
    assert sheet(reef("apa.."))["crab"] == 4


def test_a_moray_with_three_prey_and_a_coral_scores_twelve_and_without_coral_nothing() -> None:
    assert sheet(reef(".g... fma.. .c..."))["moray"] == 12
    assert sheet(reef(".g... fma.. .k..."))["moray"] == 0


def test_a_second_coral_adds_nothing_to_a_moray() -> None:
    assert sheet(reef(".c... cmg.."))["moray"] == 4


def test_a_shark_counts_prey_in_its_row_and_its_column() -> None:
    assert sheet(reef("g.b.f ..... ..a.. ..k.."))["shark"] == 6


def test_several_predators_hunt_the_same_prey() -> None:
    assert sheet(reef("bgb.."))["shark"] == 4


def test_turtles_in_two_columns_and_three_rows_score_ten() -> None:
    assert turtle_points(reef("t.... .t... .t..."), 0) == 10


def test_two_turtles_in_a_row_count_the_row_once() -> None:
    assert turtle_points(reef("t.t.."), 0) == 6


def test_an_octopus_scores_three() -> None:
    assert sheet(reef("oo..."))["octopus"] == 6


def test_the_smallest_group_counts_once_more_and_turtles_are_outside() -> None:
    found = sheet(reef("kgb.. tto.."))
    groups = (1 + 0 + 0, 3, 2)
    assert (found["krill"], found["grouper"], found["shark"]) == groups
    assert found["bonus"] == 1


def test_no_bonus_without_all_three_groups() -> None:
    assert sheet(reef("kgk.."))["bonus"] == 0


# --- plankton --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((3, 2, 1), (12, 8, 4)),
        ((2, 2, 1), (12, 12, 4)),
        ((2, 2, 2, 1), (12, 12, 12, 0)),
        ((3, 2, 2, 1), (12, 8, 8, 0)),
        ((1, 0, 0), (12, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((4, 3, 2, 1), (12, 8, 4, 0)),
    ],
)
def test_plankton_ranks(counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    grids = ["p" * count + "k" for count in counts]
    game = reef(*grids, players=len(counts))
    assert tuple(plankton_points(game, seat) for seat in range(len(counts))) == points


def test_the_neutral_seat_takes_a_rank_with_two_players() -> None:
    game = reef("pp", "p", players=2, neutral=3)
    assert [plankton_points(game, seat) for seat in (0, 1)] == [8, 4]


def test_tim_compares_his_plankton_with_the_only_player() -> None:
    game = reef("p", "pp", players=1)
    assert [plankton_points(game, seat) for seat in (0, 1)] == [8, 12]
    assert plankton_points(reef("pp", "pp", players=1), 0) == 12


# --- whales ----------------------------------------------------------------------------------


def turned(game: Any, *flips: str) -> Any:
    for flip in flips:
        pair = GAME.part("notation").read(game, None, 0, flip) - rules.FLIPS
        assert rules.owes_flip(game, 0, pair), flip
        rules.flip(game, 0, pair)
    return game


def owed(game: Any) -> list[str]:
    out = np.zeros(252, np.int64)
    count = rules.flips(game, 0, rules.FLIPS, out)
    return [GAME.part("notation").write(game, None, 0, action) for action in out[:count]]


FULL = "kwkkk kkwkk gggkk pppcc"


def test_a_face_down_card_is_no_card_for_any_rule() -> None:
    game = turned(reef("kkk.. .w..."), "flip 1,1 0,1")
    assert krill_points(game, 0) == 2, "the group is broken"
    assert worth(game, 0, cell(1, 1)) == 4, "the whale counts two krill"
    game = turned(reef("pw..."), "flip 0,1 0,0")
    assert plankton_points(game, 0) == 0


def test_a_face_down_card_keeps_its_cell_so_the_bottom_row_stays() -> None:
    game = turned(reef("c.... w.... g...."), "flip 1,0 2,0")
    assert sheet(game)["coral"] == 0


def test_a_whale_turned_down_before_it_acted_does_not_act() -> None:
    game = turned(reef("kww.."), "flip 0,1 0,2")
    assert owed(game) == []


def test_a_whale_that_acted_may_be_turned_down_and_its_flip_stands() -> None:
    game = turned(reef("kww.."), "flip 0,1 0,0", "flip 0,2 0,1")
    assert owed(game) == []
    assert sheet(game)["whale"] == 0
    assert krill_points(game, 0) == 0


def test_a_whale_without_a_face_up_neighbour_owes_nothing_and_scores() -> None:
    game = turned(reef("wkw.k"), "flip 0,2 0,1")
    assert owed(game) == []
    assert sheet(game)["whale"] == 4


def test_a_whale_may_turn_any_face_up_neighbour_and_cannot_pass() -> None:
    assert owed(reef(".k... gwc.. .p...")) == [
        "flip 1,1 0,1",
        "flip 1,1 1,0",
        "flip 1,1 1,2",
        "flip 1,1 2,1",
    ]


# --- placing and the octopus -----------------------------------------------------------------


def cells(mask: int) -> set[tuple[int, int]]:
    return {(c // 7 - 1, c % 7 - 1) for c in range(42) if mask >> c & 1}


def connected(cards: set[tuple[int, int]]) -> bool:
    seen, todo = set(), [next(iter(cards))]
    while todo:
        row, column = todo.pop()
        if (row, column) in cards and (row, column) not in seen:
            seen.add((row, column))
            todo += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return seen == cards


def fits(cards: set[tuple[int, int]]) -> bool:
    rows = [row for row, _ in cards]
    columns = [column for _, column in cards]
    return max(rows) - min(rows) < 4 and max(columns) - min(columns) < 5


def everywhere() -> list[tuple[int, int]]:
    return [(row, column) for row in range(-3, 8) for column in range(-3, 9)]


def test_the_first_card_goes_to_the_only_cell_there_is() -> None:
    match = Match.new("ecosystem", players=3, seed=1)
    for seat in range(3):
        match.play(seat, match.legal(seat)[0])
    assert match.moves(0) == ["place 0,0"]


def test_where_cards_may_go_by_brute_force() -> None:
    """Placing, lifting and dropping in whole random games, against the rules taken literally."""
    lifted = placed = 0
    for seed in range(40):
        match = Match.new("ecosystem", players=2, seed=seed)
        for at in random_walk(match, random.Random(seed)):
            for seat in at.pending:
                moves = set(at.moves(seat))
                cards = cells(int(at.position.record.reef[seat]))
                if any(move.startswith("place") for move in moves) and cards:
                    spots = [s for s in everywhere() if s not in cards]
                    legal = {s for s in spots if connected(cards | {s}) and fits(cards | {s})}
                    assert moves == {f"place {row},{column}" for row, column in legal}
                    placed += 1
                elif "pass" in moves:
                    assert moves == {"pass"} | {f"lift {row},{column}" for row, column in cards}
                elif any(move.startswith("drop") for move in moves):
                    from_cell = next(iter(cells(1 << int(at.position.record.lifted[seat]))))
                    rest = cards - {from_cell}
                    legal = {
                        spot
                        for spot in everywhere()
                        if spot not in cards and connected(rest | {spot}) and fits(rest | {spot})
                    } | rest
                    assert moves == {f"drop {row},{column}" for row, column in legal}
                    lifted += 1
    assert placed > 500
    assert lifted > 50


def drops(grid: str, lifted: tuple[int, int]) -> set[tuple[int, int]]:
    return cells(int(rules.drop_cells(int(reef(grid).reef[0]), cell(*lifted))))


def test_lifting_may_split_the_shape_if_the_new_cell_joins_it_again() -> None:
    assert (0, 1) not in drops("ooo .k.", (0, 1)), "the cell it was lifted from is no drop"
    assert drops("kok", (0, 1)) == {(0, 0), (0, 2)}, "no cell joins both ends: swaps only"
    assert (2, 1) in drops("kok k.k", (0, 1)) or (1, 1) in drops("kok k.k", (0, 1))


def test_the_box_may_shift_by_a_move() -> None:
    assert (4, 0) in drops("o k k k", (0, 0)), "four high without the lifted card's row"
    assert (4, 0) not in cells(int(rules.open_cells(int(reef("o k k k").reef[0]))))


def test_with_a_full_grid_only_swaps_are_possible() -> None:
    assert drops("kkkkk kkkkk kkkkk kkkko", (3, 4)) == cells(
        int(reef("kkkkk kkkkk kkkkk kkkko").reef[0])
    ) - {(3, 4)}


def test_an_octopus_as_first_card_has_no_decision() -> None:
    for seed in range(200):
        match = Match.new("ecosystem", players=1, seed=seed)
        if "take octopus" in match.moves(0):
            match.play(0, "take octopus")
            match.play(0, "place 0,0")
            assert all(move.startswith("give") for move in match.moves(0))
            return
    pytest.fail("no octopus in 200 hands")


def test_a_lift_is_final() -> None:
    match = first_octopus()
    seat = octopus_seat(match)
    match.play(seat, "lift 0,0")
    assert "pass" not in match.moves(seat)
    assert "drop 0,0" not in match.moves(seat)


def first_octopus() -> Match:
    """A match in which somebody owes the octopus' decision."""
    for seed in range(50):
        match = Match.new("ecosystem", players=3, seed=seed)
        for at in random_walk(match, random.Random(seed)):
            if any("pass" in at.moves(seat) for seat in at.pending):
                return at
    raise AssertionError


def octopus_seat(match: Match) -> int:
    return next(seat for seat in match.pending if "pass" in match.moves(seat))


def test_equal_positions_are_equal_bytes_wherever_the_grid_wandered() -> None:
    """Two krill side by side are the same, whether the second went left or right."""

    def lay(*places: str) -> bytes:
        game = new_states(GAME, 1)
        record = record_of(game)
        record.players = 3
        for place in places:
            action = GAME.part("notation").read(None, None, 0, place)
            rules.lay(record, 0, action - rules.PLACES, SPECIES.index("krill") + 1)
        return game.tobytes()

    assert lay("place 0,0", "place 0,-1") == lay("place 0,0", "place 0,1")
    assert lay("place 0,0", "place -1,0") == lay("place 0,0", "place 1,0")


# --- the draft -------------------------------------------------------------------------------


def held(match: Match, seat: int) -> list[int]:
    record = match.position.record
    counts: list[int] = record.hands[int(rules.hand_of(record, seat))].tolist()
    return counts


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_hands_go_left_in_the_first_round_and_right_in_the_second(players: int) -> None:
    match = Match.new("ecosystem", players=players, seed=9)
    choices = random.Random(9)
    while not match.over:
        record = match.position.record
        turn, before = int(record.turn), [held(match, seat) for seat in range(players)]
        if int(record.phase) != 0 or turn >= 20:
            break
        taken = []
        for seat in range(players):
            action = choices.choice(match.legal(seat))
            taken.append(action - rules.TAKES)
            match.play(seat, action)
        while int(match.position.record.turn) == turn:
            seat = match.pending[0]
            match.play(seat, choices.choice(match.legal(seat)))
        if turn in (9, 19):
            continue
        for seat in range(players):
            rest = list(before[seat])
            rest[taken[seat]] -= 1
            step = 1 if turn < 10 else -1
            assert held(match, (seat + step) % players) == rest


def test_each_seat_gets_its_whole_hand_in_turn_and_round_two_goes_on_from_there() -> None:
    match = finished("ecosystem", {"players": 3}, 11)
    deck = match.deal["deck"]
    again = Match.new("ecosystem", players=3, seed=11)
    for seat in range(3):
        hand = deck[10 * seat : 10 * seat + 10]
        assert held(again, seat) == [hand.count(species) for species in SPECIES]
    assert len(deck) == 130
    laid = [int(card) for grid in match.position.record.cells for card in grid if card]
    dealt = [SPECIES.index(card) + 1 for card in deck[:60]]
    assert sorted(laid) == sorted(dealt)


def test_a_seat_that_placed_an_octopus_goes_on_without_waiting() -> None:
    match = first_octopus()
    seat = octopus_seat(match)
    assert seat in match.pending
    assert "pass" in match.moves(seat)


def test_with_two_players_the_neutral_hand_plays_after_both_chose_and_before_any_places() -> None:
    match = finished("ecosystem", {"players": 2}, 3)
    moves = match.record()["moves"]
    chance = [index for index, (seat, _) in enumerate(moves) if seat == "*"]
    assert len(chance) == 20
    for index in chance:
        assert all(words.startswith("take") for _, words in moves[index - 2 : index])
        assert moves[index + 1][1].startswith("place")
    assert sum(match.position.record.neutral.tolist()) == 20


# --- alone, against Tim ----------------------------------------------------------------------


def test_a_solo_turn_is_take_place_give_and_41_cards_are_seen() -> None:
    match = finished("ecosystem", {"players": 1}, 4)
    record = match.position.record
    assert int(record.top) == 41
    assert int(record.discard) > 0
    assert sum(map(sum, record.hands.tolist())) == 0
    verbs = [words.split()[0] for _, words in match.record()["moves"]]
    assert verbs.count("take") == verbs.count("place") == verbs.count("give") == 20


def test_tim_fills_his_grid_from_the_top_left_and_five_cards_come_when_a_row_is_full() -> None:
    match = Match.new("ecosystem", players=1, seed=5)
    choices = random.Random(5)
    sizes = []
    given = []
    while int(match.position.record.turn) < 20 and not match.over:
        action = choices.choice(match.legal(0))
        words = match.position.write(0, action)
        match.play(0, action)
        if words.startswith("give"):
            given.append(words.split()[1])
            sizes.append(sum(held(match, 0)) if not match.over else 0)
    assert sizes[:6] == [9, 8, 7, 6, 9, 8]
    tim = match.position.record.cells[1]
    assert [SPECIES[int(tim[cell(i // 5, i % 5)]) - 1] for i in range(20)] == given


def test_the_players_own_flips_come_before_tims() -> None:
    seen = 0
    for seed in range(60):
        match = finished("ecosystem", {"players": 1}, seed)
        verbs = [words.split()[0] for _, words in match.record()["moves"]]
        if "flip" in verbs and "tim" in verbs:
            last_flip = max(index for index, verb in enumerate(verbs) if verb == "flip")
            assert last_flip < verbs.index("tim")
            seen += 1
    assert seen


@pytest.mark.parametrize(
    ("margin", "level", "winners"),
    [(54, "loss", []), (55, "easy", [0]), (70, "normal", [0]), (80, "hard", [0]), (-3, "loss", [])],
)
def test_the_margin_over_tim_decides(
    margin: int, level: str, winners: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pelagos.games.ecosystem import scoring

    monkeypatch.setattr(
        scoring, "lines_of", lambda game, pack, seat: {"x": margin + 40 if seat == 0 else 40}
    )
    found = scoring.result(reef("k", "k", players=1), None)
    assert (found["margin"], found["level"]) == (margin, level)
    totals = np.array([scoring.score(reef("k", "k", players=1), 1) + margin])
    mask = scoring.winners(reef("k", "k", players=1), record_of(PACK.data), totals)
    assert [seat for seat in range(1) if mask >> seat & 1] == winners


def test_ties_are_shared() -> None:
    from pelagos.games.ecosystem.scoring import winners

    assert winners(reef("k"), record_of(PACK.data), np.array([5, 7, 7])) == 0b110


# --- what is hidden --------------------------------------------------------------------------


def test_a_seat_knows_every_hand_it_has_held() -> None:
    match = Match.new("ecosystem", players=4, seed=2)
    choices = random.Random(2)
    while int(match.position.record.turn) < 2:
        seat = match.pending[0]
        match.play(seat, choices.choice(match.legal(seat)))
    true = match.position.record.hands
    for seat in range(4):
        worlds = [match.redeal(seat, draw).record.hands for draw in range(30)]
        for hand in range(4):
            same = all((world[hand] == true[hand]).all() for world in worlds)
            assert same == ((seat - hand) % 4 <= 2)


def test_others_placements_are_hidden_until_all_have_placed() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    for seat in range(3):
        match.play(seat, match.legal(seat)[0])
    match.play(1, "place 0,0")
    assert not [piece for piece in match.view(0)["pieces"] if piece["place"] == "grid1"]
    assert [piece for piece in match.view(1)["pieces"] if piece["place"] == "grid1"]


def test_an_undo_is_refused_after_the_reveal() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    match.play(0, match.legal(0)[0])
    match.play(1, match.legal(1)[0])
    match.undo(0)
    assert match.pending == (0, 2)
    match.play(0, match.legal(0)[1])
    match.play(2, match.legal(2)[0])
    with pytest.raises(IllegalMove, match="came to light"):
        match.undo(0)


def test_everyone_knows_of_a_last_card() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    choices = random.Random(1)
    while int(match.position.record.turn) < 9:
        seat = match.pending[0]
        match.play(seat, choices.choice(match.legal(seat)))
    assert match.view(0)["forced"]


# --- typical totals, state, packs, score pad -------------------------------------------------


def test_random_play_makes_about_46_with_three_players() -> None:
    from pelagos.engine.batch import Batch

    assert 45 < Batch("ecosystem", 4000, players=3).play_out().mean() < 47.5


def test_the_state_is_under_two_kibibytes() -> None:
    assert STATE.size <= 2048


def changed(**counts: int) -> dict[str, str]:
    files = dict(PACK.files)
    for species, count in counts.items():
        lines = files["cards.csv"].splitlines()
        row = next(i for i, line in enumerate(lines) if line.startswith(species + ","))
        parts = lines[row].split(",")
        parts[4] = str(count)
        lines[row] = ",".join(parts)
        files["cards.csv"] = "\n".join(lines) + "\n"
    return files


def test_two_packs_in_one_process_each_give_their_own_results() -> None:
    from pelagos.engine.batch import Batch

    rich = make_pack(GAME, changed(plankton=0, krill=60, shark=0))
    plain = Batch("ecosystem", 300, players=3, seed="p")
    other = Batch("ecosystem", 300, players=3, seed="p", pack=rich)
    first = plain.play_out().copy()
    assert (other.play_out() != first).any()
    assert (other.states["cells"] != SPECIES.index("plankton") + 1).all()
    assert (Batch("ecosystem", 300, players=3, seed="p").play_out() == first).all()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (changed(krill=5), "115 cards in all; it takes 120 to 192"),
        (changed(krill=61), "line 3: count must be from 0 to 60"),
        ({**PACK.files, "cards.csv": "id,count\n"}, "no column"),
        (
            {**PACK.files, "cards.csv": PACK.files["cards.csv"].replace("krill,p", "squid,p")},
            "line 3: there is no species 'squid'",
        ),
        (
            {**PACK.files, "cards.csv": PACK.files["cards.csv"].replace("moray,p", "coral,p")},
            "line 8: coral stands here a second time",
        ),
    ],
)
def test_a_wrong_pack_is_refused_with_line_and_reason(files: dict[str, str], reason: str) -> None:
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, files)


REEF = """
Ada
kri whale krill krill krill
krill baleine krill mérou krill
krill krill gro krill grouper
krill grouper krill krill plancton
"""


def pad(text: str) -> Any:
    return GAME.part("tableau").score(text, PACK)


def test_the_score_pad_reads_french_english_and_short_names() -> None:
    found = pad(REEF)
    assert found.names == ["Ada"]
    assert found.sheets[0]["total"] > 100
    assert "flip" in found.notes[0]["params"]["flips"]


def test_the_score_pad_finds_the_best_flips() -> None:
    found = pad("Best\nw k w k k\nk w k g k\nk k g k g\nk g k k pl\n")
    assert found.sheets[0]["total"] >= 178


def test_the_score_pad_takes_flips_that_were_made() -> None:
    found = pad("Best\nw (k) w k k\n[k] w k g k\nk k g k g\nk g k k pl\n")
    assert found.sheets[0]["total"] == 178
    assert not found.notes


def test_the_score_pad_knows_tim_and_the_neutral_hand() -> None:
    grid = "k k k k k\n" * 4
    assert pad(f"Ada\n{grid}\nTim\n{grid}").notes[-1]["params"]["margin"] == 0
    one_plankton = "pla k k k k\n" + "k k k k k\n" * 3
    two = pad(f"A\n{one_plankton}\nB\n{grid}neutral: 2")
    assert two.sheets[0]["lines"][2]["points"] == 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no reef"),
        ("Ada\nk k k k\n", "Line 2: 4 cards; a row has 5"),
        ("Ada\nk k k k k\n", "has 1 rows; a reef has 4"),
        ("Ada\nk k k k squid\n", "Line 2: 'squid' is no species"),
        ("Ada\nk k k k c\n", "could be coral or"),
    ],
)
def test_a_wrong_score_file_gets_a_clear_sentence(text: str, reason: str) -> None:
    with pytest.raises(BadTableau, match=reason):
        pad(text)


def test_a_packs_own_names_are_on_the_table() -> None:
    files = {
        **PACK.files,
        "cards.csv": PACK.files["cards.csv"].replace("coral,corail", "kelp,varech"),
    }
    match = Match.new("ecosystem", players=1, seed=0, pack=make_pack(GAME, files))
    while "take coral" not in match.moves(0):
        match = Match.new("ecosystem", players=1, pack=make_pack(GAME, files))
    assert "kelp" in match.text(0)
    assert "varech" in match.text(0, "fr")
