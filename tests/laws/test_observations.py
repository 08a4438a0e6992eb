"""Observations are what their layouts say, and games are what they say of themselves."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from conftest import SOAK, random_walk
from laws.surveying import Survey, all_shapes, survey
from pelagos.engine.arrays import record_of
from pelagos.engine.game import Game, games
from pelagos.engine.layout import KINDS, Field, Layout, card, category, count, flag
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack

GAMES_EACH = 2_000 if SOAK else 60
MOST_COLUMNS = 1_500
NAMES = sorted(games())

NEVER_VARY = {
    "ecosystem": ("known.0",),  # the hand that one holds
    "oceanide": ("values.",),  # the pack's
    "oceanos": ("hand.10", "hand.11", "dived."),  # rare
    "ozeanien": (
        "board.",  # the pack's
        *("land.", "explorers.", "laid.", "filled.", "island_"),  # no land at the border; rare
        *("unseen.inland", "discards.own.inland", "discards.other.inland"),  # none in the pack
    ),
}
"""Numbers that may be the same in all games with the usual pack, by how their names begin."""

RECORDED = {
    "ecosystem": (1, "87cecacf4081"),
    "minnows": (1, "ac67d2398cfa"),
    "oceanide": (1, "edc62f98970c"),
    "oceanos": (1, "255ceb23f436"),
    "ozeanien": (1, "350e35a07656"),
}
"""Each layout's version, and what it comes to."""


def layout_of(game: Game) -> Layout:
    layout: Layout = game.part("features").LAYOUT
    return layout


@cache
def surveys(name: str) -> list[tuple[dict[str, Any], Survey]]:
    game = games()[name]
    return [(options, survey(game, options, GAMES_EACH)) for options in all_shapes(game)]


# --- the numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_number_stays_within_its_bounds_and_says_something(name: str) -> None:
    layout = layout_of(games()[name])
    low = np.min([seen.low for _, seen in surveys(name)], axis=0)
    high = np.max([seen.high for _, seen in surveys(name)], axis=0)
    names = np.array(layout.names())
    assert not names[(low < layout.low) | (high > layout.high)].tolist()
    same = [str(number) for number in names[low == high]]
    assert not [number for number in same if not number.startswith(NEVER_VARY.get(name, ()))]
    for field in layout.fields:
        if field.kind in ("flag", "category", "card") and not field.shape:
            at = layout.first(field.name)
            assert low[at] == field.low, field.name
            assert high[at] > low[at], field.name


@pytest.mark.parametrize("name", NAMES)
def test_a_layout_names_all_numbers_and_columns_once(name: str) -> None:
    layout = layout_of(games()[name])
    assert games()[name].part("features").SIZE == layout.size == len(layout.low)
    assert len(set(layout.names())) == layout.size
    assert len(set(layout.columns())) == layout.expanded <= MOST_COLUMNS
    assert all(field.about for field in layout.fields)


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_layout_has_a_new_version(name: str) -> None:
    """Whoever changes fields or attributes raises the version, and writes both down here."""
    layout = layout_of(games()[name])
    assert (layout.version, layout.fingerprint) == RECORDED[name]


# --- expanding ------------------------------------------------------------------------------------


def plainly(game: Game, raw: Any) -> Any:
    """The same expansion, in NumPy, field by field."""
    layout, columns = layout_of(game), []
    for field in layout.fields:
        numbers = layout.part(raw, field.name).reshape(-1).astype(np.int64)
        if field.kind == "category":
            columns.append(np.eye(field.high - field.low + 1)[numbers - field.low].reshape(-1))
        elif field.kind == "card":
            columns += cards(game, field, numbers)
        else:
            columns.append(numbers / (field.scale or max(field.high, -field.low)))
    return np.concatenate(columns).astype(np.float32)


def cards(game: Game, field: Field, numbers: Any) -> list[Any]:
    layout, table = layout_of(game), attributes(game)
    each = [layout.attributes.index(name) for name in layout.attributes_of(field)]
    summed = [layout.attributes.index(name) for name in field.summed]
    shape = field.rows, field.size // field.rows, len(summed)
    rows = table[numbers][:, summed].reshape(shape).sum(axis=1)
    return [table[numbers][:, each].reshape(-1), rows.reshape(-1)]


@cache
def attributes(game: Game) -> Any:
    """Every card's attributes; card 0 has none."""
    layout, pack = layout_of(game), record_of(default_pack(game).data)
    most = max(field.high for field in layout.fields if field.kind == "card")
    attribute = game.part("features").attribute
    cards = [
        [attribute(pack, number, which) for which in range(len(layout.attributes))]
        for number in range(1, most + 1)
    ]
    return np.array([[0] * len(layout.attributes), *cards], np.float64)


@pytest.mark.parametrize("name", NAMES)
def test_expanding_is_what_its_description_says(name: str) -> None:
    game = games()[name]
    for seed, options in enumerate(all_shapes(game)):
        match = Match.new(game, seed=seed, **options)
        for number, at in enumerate(random_walk(match, random.Random(seed))):
            if number % 11 == 0 or at.over:
                position = at.position
                for seat in range(match.players):
                    raw = position.observe(seat)
                    columns = position.expand(raw)
                    assert np.allclose(columns, plainly(game, raw))


def test_a_strided_row_is_filled_like_any_other() -> None:
    """As in an array whose columns lie side by side."""
    for game in games().values():
        position = Match.new(game, seed=1).position
        layout = layout_of(game)
        numbers, columns = np.zeros((2, layout.size, 3), np.int16), layout.expanded
        wide = np.zeros((columns, 5), np.float32)
        position._doors.observe(position.states, position._packs, 0, 0, numbers[1, :, 2])
        raw = position.observe(0)
        assert (numbers[1, :, 2] == raw).all()
        assert numbers.sum() == raw.sum()
        position._doors.expand(position._packs, numbers[1, :, 2], wide[:, 4])
        assert (wide[:, 4] == position.expand(raw)).all()
        assert (wide[:, :4] == 0).all()


def test_columns_are_named_by_what_they_stand_for() -> None:
    layout = Layout(
        3,
        flag("open", "Is it open?"),
        category("wind", "Where it blows from", ("north", "south")),
        category("players", "How many", range(2, 4)),
        count("fish", "Fish caught", 9, seat=2),
        card("row", "Cards laid", 7, ("red",), ("eyes",), seat=2, column=("left", "right")),
        attributes=("red", "eyes"),
    )
    assert layout.names() == [
        *("open", "wind", "players", "fish.0", "fish.1"),
        *("row.0.left", "row.0.right", "row.1.left", "row.1.right"),
    ]
    assert layout.columns() == [
        *("open", "wind=north", "wind=south", "players=2", "players=3", "fish.0", "fish.1"),
        *("row.0.left=red", "row.0.right=red", "row.1.left=red", "row.1.right=red"),
        *("row.0=eyes", "row.1=eyes"),
    ]
    assert (layout.size, layout.expanded) == (9, 13)
    assert layout.low.tolist() == [0, 0, 2, 0, 0, 0, 0, 0, 0]
    assert layout.high.tolist() == [1, 1, 3, 9, 9, 7, 7, 7, 7]
    assert layout.first("fish") == 3
    raw = np.arange(18, dtype=np.int16).reshape(2, 9)
    assert layout.part(raw, "row").tolist() == [[[5, 6], [7, 8]], [[14, 15], [16, 17]]]


@pytest.mark.parametrize(
    ("fault", "field"),
    [
        ("one of flag, count", ("x", (), 0, 1, "mask")),
        ("no number lies", ("x", (), 3, 3, "count")),
        ("no number lies", ("x", (), 0, 40_000, "count")),
        ("a flag is 0 or 1", ("x", (), 0, 2, "flag")),
        ("0 is no card", ("x", (), 1, 2, "card")),
        ("has a name", ("x", (), 0, 2, "category", "", (), ("a", "b"))),
    ],
)
def test_a_field_that_cannot_be_is_refused(fault: str, field: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=fault):
        Field(*field)


def test_a_layout_refuses_a_name_twice_and_unknown_attributes() -> None:
    with pytest.raises(ValueError, match="declared once"):
        Layout(1, flag("a", ""), flag("a", ""))
    with pytest.raises(ValueError, match="no such attribute"):
        Layout(1, card("a", "", 3, ("red",)), attributes=("blue",))
    assert set(KINDS) == {
        field.kind for game in games().values() for field in layout_of(game).fields
    }


# --- what a game says of itself -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_no_game_is_longer_and_nobody_scores_more_than_its_facts_say(name: str) -> None:
    game = games()[name]
    for options, seen in surveys(name):
        least, most = game.points(options)
        assert least <= seen.least <= seen.most <= most, options
        assert seen.longest <= game.longest(options) <= 2.5 * seen.longest, options


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_simultaneous_if_seats_ever_choose_at_once(name: str) -> None:
    game = games()[name]
    for options, seen in surveys(name):
        several = game.simultaneous and options["players"] > 1
        assert seen.together == (options["players"] if several else 1), options


@pytest.mark.parametrize(
    ("name", "options", "longest", "points"),
    [
        # 240 cards taken and placed, 8 octopuses lift and drop, 6 whales turn a card: all at once
        # in one game, now and then.
        ("ecosystem", {"players": 6}, 262, (0, 280)),
        ("ecosystem", {"players": 1}, 82, (0, 280)),
        ("oceanide", {"players": 2}, 208, (0, 160)),
        ("oceanos", {"players": 5}, 282, (-9, 123)),
        ("ozeanien", {"players": 1}, 96, (-700, 2450)),
        ("ozeanien", {"players": 2}, 160, (-40, 70)),
        ("ozeanien", {"players": 2, "play_on": True}, 194, (-40, 70)),
        ("minnows", {"players": 4}, 48, (0, 46)),
    ],
)
def test_the_facts_come_from_rules_and_pack(
    name: str, options: dict[str, Any], longest: int, points: tuple[int, int]
) -> None:
    game = games()[name]
    assert game.longest(options) == longest
    assert game.points(options) == points
