"""Damaged records: each is refused, its fault named, or says the same."""

from __future__ import annotations

import copy
import json
import random
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.fuzzing import (
    CHANCE,
    DEEP,
    JUNK,
    assert_clear,
    assert_names,
    fuzz,
    records,
    spoiled,
)
from pelagos.engine.errors import BadRecord, PelagosError
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.record import CHANCE_SEAT

pytestmark = pytest.mark.thorough


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything in a record."""
    if not isinstance(data, dict | list):
        return [path]
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    return [path, *(way for key, value in inner for way in places(value, (*path, key)))]


def damaged(chance: random.Random, record: Any, junk: Any) -> Any:
    """A record with one thing dropped, doubled, swapped, altered, or replaced by junk."""
    top = chance.choice(list(record))
    *path, last = chance.choice(places(record[top], (top,)))
    holder = record
    for key in path:
        holder = holder[key]
    value = holder[last]
    kind = chance.randrange(6)
    if kind == 0:
        del holder[last]
    elif kind == 1:
        holder[last] = junk
    elif kind == 2:
        holder[last] = _altered(chance, value)
    elif kind == 3 and isinstance(holder, list):
        holder.insert(last, copy.deepcopy(value))
    elif kind == 4 and isinstance(holder, list):
        other = chance.randrange(len(holder))
        holder[last], holder[other] = holder[other], holder[last]
    elif isinstance(holder, dict):
        holder[spoiled(chance, str(last))[:100_000]] = value
    return record


def _altered(chance: random.Random, value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, float(value), str(value), bool(value), -value])
    if isinstance(value, str):
        return spoiled(chance, value)
    if isinstance(value, list):
        return chance.choice([[value], value[::-1], value[1:], value + value, {"0": value}])
    if isinstance(value, dict):
        return chance.choice([[value], {}, list(value)])
    return [value]


PARTS = (
    *("JSON", "record", "pelagos", "game", "rules", "options", "players", "option"),
    *("pack", "seats", "seed", "deal", "moves", "result", ".csv", ".toml"),
)


def assert_same_or_refused(text: str) -> None:
    """A record is refused with a sentence, or what it tells is what happened."""
    try:
        match = Match.replay(text)
    except PelagosError as error:
        assert_clear(error)
        assert_names(error, PARTS)
        return
    damaged_record, true = json.loads(text), match.record()
    for name in ("deal", "moves", "result"):
        assert json.dumps(damaged_record.get(name), sort_keys=True) == json.dumps(
            true.get(name), sort_keys=True
        )
    assert damaged_record.get("seed") == true.get("seed")
    assert match.text()


@fuzz
@given(junk=JUNK, chance=CHANCE, times=st.integers(1, 2))
def test_a_damaged_record_is_refused_or_says_the_same(
    game: Game, junk: Any, chance: random.Random, times: int
) -> None:
    record = json.loads(chance.choice(records(game)))
    for _ in range(times):
        if record:
            record = damaged(chance, record, copy.deepcopy(junk))
    assert_same_or_refused(json.dumps(record))


@fuzz
@given(chance=CHANCE)
def test_damaged_json_is_refused(game: Game, chance: random.Random) -> None:
    text = chance.choice(records(game))
    place = chance.randrange(len(text))
    letter = chance.choice(string.printable)
    assert_same_or_refused(
        chance.choice([text[:place], text[:place] + letter + text[place + 1 :], text[place:]])
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "1",
        '"x"',
        "NaN",
        "[" * DEEP,
        '{"pelagos": ' * DEEP,
        '{"pelagos": ' + "9" * 5000 + "}",
        '{"pelagos": true}',
        '{"pelagos": 1.0}',
        '{"pelagos": 1, "game": "nothing", "options": {}, "deal": {}, "moves": []}',
        '{"pelagos": 1, "game": "' + "x" * 9999 + '", "options": {}, "deal": {}, "moves": []}',
        '{"pelagos": 1, "game": "\\ud800", "options": {}, "deal": {}, "moves": []}',
    ],
    ids=lambda text: text[:24],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(PelagosError) as caught:
        Match.replay(text)
    assert_clear(caught.value)


def wrong(game: Game, place: str, value: Any) -> str:
    """What is said of a good record with this value at this top-level place."""
    record = json.loads(records(game)[-2])
    record[place] = value
    with pytest.raises(PelagosError) as caught:
        Match.replay(json.dumps(record))
    assert_clear(caught.value)
    return str(caught.value)


def test_each_wrong_part_of_a_record_is_named(game: Game) -> None:
    good = json.loads(records(game)[-2])
    seed, moves, result = good["seed"], good["moves"], good["result"]
    assert "seed" in wrong(game, "seed", "g" + seed[1:])
    assert "deal" in wrong(game, "seed", ("0" if seed[0] != "0" else "1") + seed[1:])
    assert "rules" in wrong(game, "rules", "0")
    assert "pack" in wrong(game, "pack", {"name": "default", "sha256": "0" * 64})
    assert "pack" in wrong(game, "pack", {"name": "default", "files": {"pack.toml": 3}})
    assert "pack.toml" in wrong(game, "pack", {"name": "default", "files": {}})
    assert "seats" in wrong(game, "seats", good["seats"][1:])
    assert "players" in wrong(game, "options", {**good["options"], "players": True})
    assert "players" in wrong(game, "options", {**good["options"], "players": 99})
    assert "'colour'" in wrong(game, "options", {**good["options"], "colour": 1})
    assert "moves[0]" in wrong(game, "moves", [[True, moves[0][1]], *moves[1:]])
    assert "moves[0]" in wrong(game, "moves", [[-1, moves[0][1]], *moves[1:]])
    assert "moves[0]" in wrong(game, "moves", [[0, "jump"], *moves[1:]])
    assert "moves[0]" in wrong(game, "moves", [[CHANCE_SEAT, "rain"], *moves[1:]])
    assert f"moves[{len(moves)}]" in wrong(game, "moves", [*moves, moves[-1]])
    assert "result" in wrong(game, "moves", moves[:-1])
    assert "result" in wrong(game, "result", None)
    assert "'luck'" in wrong(game, "result", {**result, "luck": 1})
    assert "result.winners" in wrong(game, "result", {**result, "winners": [5]})
    sheets = copy.deepcopy(result["sheets"])
    sheets[0][next(iter(sheets[0]))] += 1
    assert "result.sheets" in wrong(game, "result", {**result, "sheets": sheets})
    assert "result.scores" in wrong(
        game, "result", {**result, "scores": [float(score) for score in result["scores"]]}
    )


def test_a_chance_step_that_the_seed_does_not_give_is_named(game: Game) -> None:
    record = json.loads(records(game)[0])
    steps = [index for index, move in enumerate(record["moves"]) if move[0] == CHANCE_SEAT]
    if not steps:
        pytest.skip("nothing random after the deal")
    record["moves"][steps[0]][1] += " x"
    with pytest.raises(BadRecord, match=rf"moves\[{steps[0]}\]") as caught:
        Match.replay(record)
    assert_clear(caught.value)
