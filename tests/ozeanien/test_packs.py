"""Boards and tiles of one's own."""

from __future__ import annotations

import pytest

from ozeanien.setting import box, play_at_random
from pelagos.engine.errors import BadPack
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack, make_pack
from pelagos.games.ozeanien import (
    GAME,
)


def test_a_board_of_7_columns_and_5_rows_works_too():
    match = Match.new(GAME, players=2, seed="wide", pack=box(7, 5))
    moves = match.moves(match.pending[0])
    assert len(moves) == 5 + 5 + 7
    assert "ship bottom 7" in moves
    *_, last = play_at_random(match, 1)
    assert last.over
    assert Match.replay(last.record()).scores == last.scores
    assert any(move[1].startswith("ship g") for move in last.record()["moves"])


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("board.toml", "columns = 5", "columns = 8", "columns must be a number from 2 to 7"),
        ("board.toml", "columns = 5", "columns = 6", "6 × 7 cells are more than 35"),
        ("board.toml", "rows = 7", "rows = true", "rows must be a number from 2 to 7"),
        ("board.toml", "rows = 7", "", "rows must be a number"),
        ("board.toml", '"top"', '"north"', "without_circles must be one of top, right"),
        ("board.toml", "rows = 7", "rows = 7\ndepth = 2", "depth is unknown"),
        ("board.toml", "rows = 7", "rows = = 7", "board.toml: "),
        ("tiles.csv", "open,open sea", "reef,open sea", "tiles.csv, line 2: 'reef' isn't one of"),
        ("tiles.csv", "cape,cape,cap", "open,cape,cap", "line 3: open is there twice"),
        ("tiles.csv", "cap,LSSS,9", "cap,LLSS,9", "line 3: the edges of cape are LSSS"),
        ("tiles.csv", "LSSS,9,", "LSSS,8,", "sea_tiles add up to 34; the box has 35"),
        ("tiles.csv", "LSSS,9,5", "LSSS,9,6", "reserve_tiles add up to 26; the box has 25"),
        ("tiles.csv", "LSSS,9,", "LSSS,-9,", "line 3: sea_tiles must be from 0 to 35"),
        (
            "tiles.csv",
            "inland,inland,terres,LLLL,0,6,reported,reconstructed",
            "",
            "no line for inland",
        ),
        ("explorers.csv", "2,2,", "1,2,", "explorers.csv, line 3: value 1 is there twice"),
        ("explorers.csv", "3,1,", "4,1,", "explorers.csv, line 4: value must be from 1 to 3"),
        ("explorers.csv", "3,1,reported", "", "no line for value 3"),
    ],
)
def test_a_wrong_pack_is_refused_by_file_line_and_reason(file, old, new, reason):
    files = dict(default_pack(GAME).files)
    assert old in files[file]
    files[file] = files[file].replace(old, new)
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, files)
