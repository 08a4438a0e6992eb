"""Damaged packs: each is refused by its file, or can be played."""

from __future__ import annotations

import csv
import io
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from conftest import shapes
from laws.fuzzing import (
    CHANCE,
    DEEP,
    TEXTS,
    assert_clear,
    assert_names,
    fuzz,
    spoiled,
)
from pelagos.engine.batch import Batch
from pelagos.engine.errors import BadPack
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, load_pack

pytestmark = pytest.mark.thorough


def damaged_files(chance: random.Random, game: Game, junk: str) -> dict[str, bytes]:
    """The default pack's files with one of them spoilt."""
    texts = dict(default_pack(game).files)
    name = chance.choice(sorted(texts))
    files = {file: text.encode() for file, text in texts.items()}
    data = files[name]
    place = chance.randrange(len(data) + 1)
    kind = chance.randrange(12)
    if kind == 0:
        del files[name]
    elif kind == 1:
        files[chance.choice(["notes.txt", "cards", "x" * 200 + ".csv", "a\nb.csv"])] = b"1"
    elif kind == 2:
        nothing = [b"", b"\n", b"\x00", b"\xef\xbb\xbf", junk.encode(errors="replace")]
        files[name] = chance.choice(nothing)
    elif kind == 3:
        files[name] = b"\xef\xbb\xbf" + data
    elif kind == 4:
        files[name] = data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\n"]))
    elif kind == 5:
        files[name] = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    elif kind == 6:
        files[name] = data[:place]
    elif name.endswith(".csv"):
        files[name] = _spoiled_table(chance, texts[name], junk).encode(errors="replace")
    else:
        files[name] = spoiled(chance, texts[name]).encode(errors="replace")[:900_000]
    return files


def _spoiled_table(chance: random.Random, text: str, junk: str) -> str:
    rows = list(csv.reader(io.StringIO(text)))
    row, column = chance.randrange(len(rows)), chance.randrange(len(rows[0]))
    kind = chance.randrange(7)
    if kind == 0:
        rows = [cells[:column] + cells[column + 1 :] for cells in rows]
    elif kind == 1:
        rows.insert(row, list(rows[row]))
    elif kind == 2:
        del rows[row]
    elif kind == 3:
        rows[row][column] = junk
    elif kind == 4:
        rows = [[*cells, cells[column]] for cells in rows]
    else:
        rows[row][column] = chance.choice(
            ["", "-1", "--5", "0", "00000000000000000001", "9" * 5000, "1.5", "²", "999", "x y"]
        )
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def open_pack(game: Game, files: dict[str, bytes]) -> Pack:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        return load_pack(game, folder)


@fuzz
@given(junk=TEXTS, chance=CHANCE)
def test_a_damaged_pack_is_refused_by_file_or_can_be_played(
    game: Game, junk: str, chance: random.Random
) -> None:
    files = damaged_files(chance, game, junk)
    try:
        pack = open_pack(game, files)
    except BadPack as error:
        assert_clear(error)
        assert_names(error, ("pack.toml", *game.part("material").FILES))
        return
    for options in list(shapes(game))[::2]:
        batch = Batch(game, 3, pack=pack, seed="fuzz", **options)
        batch.play_out()
        assert (batch.lengths > 0).all()
    match = Match.new(game, pack=pack, seed="fuzz")
    assert Match.from_json(match.to_json()).pack.sha256 == pack.sha256


@pytest.mark.parametrize(
    "text",
    [
        "name = ",
        "name = 3",
        'name = ""',
        'name = "a\\nb"',
        'name = "x"\nprovenance = 3',
        'name = "x"\nname = "y"',
        'name = "x"\nmuch = ' + "9" * 5000,
        'name = "x"\ndeep = ' + "[" * DEEP,
        'name = "x"\n' + "k" * 5000 + " = 1\n" + "k" * 5000 + " = 1\n",
        "\x1b[31m",
    ],
    ids=lambda text: text[:24],
)
def test_a_wrong_pack_toml_is_named(game: Game, text: str) -> None:
    files = {name: content.encode() for name, content in default_pack(game).files.items()}
    with pytest.raises(BadPack, match=r"pack\.toml") as caught:
        open_pack(game, {**files, "pack.toml": text.encode()})
    assert_clear(caught.value)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(game: Game) -> None:
    files = {
        name: b"\xef\xbb\xbf" + text.encode().replace(b"\n", b"\r\n")
        for name, text in default_pack(game).files.items()
    }
    assert open_pack(game, files).data.tobytes() == default_pack(game).data.tobytes()
