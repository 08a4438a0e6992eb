"""Where cards may be laid, and what an octopus may move or swap."""

from __future__ import annotations

import random

import pytest

from conftest import random_walk
from ecosystem.reefs import GAME, cells, first_octopus, octopus_seat, reef
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.match import Match
from pelagos.games.ecosystem import actions, rules
from pelagos.games.ecosystem.frame import cell_at
from pelagos.games.ecosystem.state import SPECIES


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
    return cells(int(rules.drop_cells(int(reef(grid).reef[0]), cell_at(*lifted))))


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


def test_equal_positions_are_equal_bytes_wherever_the_grid_wandered() -> None:
    """Two krill side by side are the same, whether the second went left or right."""

    def lay(*places: str) -> bytes:
        game = new_states(GAME, 1)
        record = record_of(game)
        record.players = 3
        for place in places:
            action = GAME.part("notation").read(None, None, 0, place)
            rules.lay(record, 0, action - actions.PLACES, SPECIES.index("krill") + 1)
        return game.tobytes()

    assert lay("place 0,0", "place 0,-1") == lay("place 0,0", "place 0,1")
    assert lay("place 0,0", "place -1,0") == lay("place 0,0", "place 1,0")
