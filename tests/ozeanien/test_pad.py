"""The score pad counts a chart that was typed in."""

from __future__ import annotations

from importlib.resources import files

import pytest

from ozeanien.setting import as_mapping, box
from pelagos.engine.errors import BadTableau
from pelagos.engine.pack import default_pack
from pelagos.engine.words import LANGUAGES
from pelagos.games.ozeanien import (
    GAME,
    tableau,
)

PAD = """
# a chart of three columns and two rows
Ada: 1
Bo

e/w2   sw/g1   ~
~      n/g2    .
"""


def test_the_score_pad_counts_a_chart_typed_in():
    pad = tableau.score(PAD, box(3, 2))
    assert list(pad.names) == ["Ada", "Bo"]
    assert [as_mapping(sheet) for sheet in pad.sheets] == [
        {"islands": 0, "discards": -2},
        {"islands": 3, "discards": 0},
    ]
    assert pad.notes[0]["key"] == "score.filled"
    assert pad.notes[0]["params"]["cells"] == "c1"
    assert sum(proof["points"] for proof in pad.sheets[0]["lines"][1]["evidence"]) == -2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chart_of_the_rules_page_is_scored_as_the_page_says(language):
    page = (files(GAME.package) / f"rules.{language}.md").read_text("utf-8")
    chart = page.split("```text\n")[-1].split("```")[0]
    pad = tableau.score(chart, default_pack(GAME))
    assert [sheet["total"] for sheet in pad.sheets] == [19, 13]
    assert as_mapping(pad.sheets[1]) == {"islands": 15, "discards": -2}
    assert [note["key"] for note in pad.notes] == ["score.winner"]
    assert pad.winners == [0]


def test_explorers_are_told_by_the_colours_of_the_seats_or_of_the_box():
    seats = PAD.replace("/w", "/r").replace("/g", "/y")
    french = PAD.replace("/w", "/b").replace("/g", "/j")
    sheets = [tableau.score(text, box(3, 2)).sheets for text in (PAD, seats, french)]
    assert sheets[0] == sheets[1] == sheets[2]


def test_the_score_pad_counts_squares_for_one_player():
    pad = tableau.score("Ada\n\ne  o\n~  ~", box(2, 2))
    assert [as_mapping(sheet) for sheet in pad.sheets] == [{"squares": 4, "unexplored": 0}]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 lines; it takes one or two players and 2 rows of 2 cells"),
        ("Ada\nBo\nCy\n~ ~\n~ ~", "5 lines"),
        ("Ada\n~ ~ ~\n~ ~", "Line 2: 3 cells; a row of this board has 2"),
        ("Ada\n~ x\n~ ~", "Line 2: 'x' is no cell"),
        ("Ada\n~ w\n~ ~", "a2 and b2: land meets sea"),
        ("Ada\nn ~\n~ ~", "a2: land in the north, where the border is sea"),
        ("Ada\ns ~\nn/g1 ~", "there is no second player"),
        ("Ada\ns ~\nn/w1 ~", "1 red explorers of value 1; there are 0"),
        ("Ada\nBo\n~/w1 ~\n~ ~", "no land for an explorer"),
        ("Ada\nBo\n./w1 ~\n~ ~", "nobody is on an unexplored cell"),
        ("Ada\nBo\ns/w3 ~\nn/w3 ~", "2 red explorers of value 3; there are 1"),
        ("Ada\nBo\ns/w1s ~\nn ~", "on a strait, and only there"),
        ("Ada: many\n~ ~\n~ ~", "Line 1: a player is a name"),
        ("Ada: 99\n~ ~\n~ ~", "99 discards; there are 35 tiles"),
    ],
)
def test_a_wrong_score_file_is_refused_by_line_and_reason(text, reason):
    with pytest.raises(BadTableau, match=reason):
        tableau.score(text, box(2, 2))
