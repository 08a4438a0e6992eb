"""Views, sheets, words, the text table, the story and observations agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ozeanien.setting import Table, as_mapping, play_at_random
from pelagos.engine.arrays import record_of
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.ozeanien import (
    GAME,
    features,
    knowledge,
    scoring,
)
from pelagos.games.ozeanien.state import NORTH


@pytest.mark.parametrize("players", [1, 2])
def test_sheets_evidence_census_and_views_agree_at_every_position(players):
    pack = record_of(default_pack(GAME).data)
    said = [words(GAME, language) for language in LANGUAGES]
    for match in play_at_random(Match.new(GAME, players=players, seed=players), players):
        game = match.position.record
        assert knowledge.census(game, pack) == [4, 9, 10, 5, 7, 0]
        view = match.view(match.pending[0] if match.pending else 0)
        for sheet in view["sheets"]:
            assert as_mapping(sheet) == match.sheet(sheet["seat"])
            for line in sheet["lines"]:
                assert sum(proof["points"] for proof in line["evidence"]) == line["points"]
        keys = {piece["key"] for piece in view["pieces"]}
        assert len(keys) == len(view["pieces"])
        for sheet in view["sheets"]:
            for line in sheet["lines"]:
                assert {key for proof in line["evidence"] for key in proof["pieces"]} <= keys
        for choice in view["choices"]:
            assert choice["piece"] is None or choice["piece"] in keys
        for language in said:
            _has_words(language, view)


def _has_words(said: Any, view: Any) -> None:
    texts = [view["prompt"], *(place["label"] for place in view["places"])]
    texts += [choice["label"] for choice in view["choices"]] + view["facts"]["islands"]
    texts += [{"key": event["key"], "params": event["params"]} for event in view["events"]]
    texts += [
        proof["reason"]
        for sheet in view["sheets"]
        for line in sheet["lines"]
        for proof in line["evidence"]
    ]
    for text in texts:
        assert said.has(text["key"]), text
        assert "{" not in said.say(text, ["Ada", "Bo"]), text
    for piece in view["pieces"]:
        face = piece["face"]
        assert face is None or len(face) == 1 or said.has(f"noun.{face}"), face
        assert all(said.has(f"mark.{mark}") for mark in piece["marks"])


def test_the_text_table_draws_coasts_circles_explorers_and_the_ship():
    table = Table(
        "es/w2  ew/g1w  w",
        "n      ~       .",
    )
    table.play("ship b1")
    look = Match.new(GAME, players=2, seed="text", pack=table.pack)
    look.position.states[:] = table.position.states
    drawn = look.text(0).splitlines()
    chart = [line for line in drawn if line.strip().startswith(("2", "1"))][:2]
    assert chart[0].split() == ["2", "┏━②", "━", "━❶←", "━╸", "2"]
    assert chart[1].split() == ["1", "╹", "~", "▲", "░░░", "1○"]


def test_the_story_tells_fills_completed_islands_and_the_end():
    match = Match.new(GAME, players=1, seed="story")
    *_, last = play_at_random(match, 5)
    keys = [event["key"] for event in last.view(0)["events"]]
    assert keys[:2] == ["event.ship", keys[1]]
    assert keys[1] in ("event.draw", "event.discard")
    assert keys[-1].startswith("event.over_")
    assert keys.count("event.fill") == bin(int(last.position.record.filled)).count("1")


def test_an_observation_has_the_board_and_what_lies_beside_it():
    table = Table("e/w2 sw", "~ n/g1")
    own, other = table.position.observe(0), table.position.observe(1)
    assert len(own) == features.SIZE
    seen = {name: features.LAYOUT.part(own, name) for name in features.LAYOUT.by_name}
    assert seen["board"].sum() == seen["explored"].sum() == 4
    assert seen["land"][NORTH].tolist()[:4] == [0, 1, 0, 0]
    assert seen["explorers"][0, 0, 2] == 2
    assert seen["island_size"][0, [1, 2, 3]].tolist() == [3, 3, 3]
    swapped = features.LAYOUT.part(other, "explorers")
    assert swapped[1, 0, 2] == 2
    assert swapped[0, 0, 1] == 1
    assert seen["pile"] == 2


@pytest.mark.parametrize("players", [1, 2])
def test_an_observations_islands_are_those_of_the_score_sheet(players):
    names = ("island_size", "island_open", "island_own", "island_other")
    for seed in range(6):
        for match in play_at_random(Match.new(GAME, players=players, seed=seed), seed):
            position = match.position
            for seat in range(players):
                raw = position.observe(seat)
                seen = np.array([features.LAYOUT.part(raw, name) for name in names])
                for island in scoring.islands(position.record, position.pack_record):
                    sums = [island.sums[seat], island.sums[1 - seat] if players == 2 else 0]
                    for part, cells in enumerate((island.near, island.far)):
                        for cell in scoring.cells_of(cells):
                            seen_here = seen[:, part, cell].tolist()
                            assert seen_here == [island.size, island.coasts, *sums]
                            seen[:, part, cell] = 0
                assert not seen.any()


def test_the_two_shores_of_a_strait_have_names_of_their_own():
    """In facts, on the sheet, in what laying does, and in the log."""
    for seed in range(100):
        match = Match.new(GAME, players=2, seed=seed, names=["Ada", "Bo"])
        seat = match.pending[0]
        for move in ("ship left 3", "draw"):
            match.play(seat, move)
        if match.view(seat)["prompt"]["params"].get("tile") == {"noun": "strait"}:
            break
    laid = next(
        choice for choice in match.view(seat)["choices"] if choice["notation"] == "lay a3 0"
    )
    assert [island["shore"] for island in laid["label"]["params"]["islands"]] == ["north", "south"]
    match.play(seat, "lay a3 0")
    match.play(seat, "explorer 1 south")
    for language, names in (("en", ["a3 north", "a3 south"]), ("fr", ["a3 nord", "a3 sud"])):
        said = words(GAME, language)
        facts = match.view(0)["facts"]["islands"]
        assert [said.say(fact).split(":")[0].strip() for fact in facts] == names
    log = [words(GAME, "en").say(event, ["Ada", "Bo"]) for event in match.events(0)]
    who = ["Ada", "Bo"][seat]
    assert log[-1] == f"{who} puts an explorer of value 1 at a3, on the south shore."


@pytest.mark.parametrize("players", [1, 2])
def test_no_two_islands_have_one_name(players):
    said = words(GAME, "en")
    for seed in range(4):
        for match in play_at_random(Match.new(GAME, players=players, seed=seed), seed):
            facts = match.view(0)["facts"]["islands"]
            names = [said.say(fact).split(":")[0] for fact in facts]
            assert len(set(names)) == len(names), names
