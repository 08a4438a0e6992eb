"""Whatever is thrown at a game, a person gets one clear sentence, and nothing is changed.

Junk comes as moves, records, packs, score files and command lines, for every installed game.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import random
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import SOAK, finished, random_walk, shapes
from pelagos.engine.batch import Batch
from pelagos.engine.errors import BadPack, BadRecord, BadTableau, IllegalMove, PelagosError
from pelagos.engine.game import Game, find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, load_pack
from pelagos.engine.record import CHANCE_SEAT
from places import SAMPLES

pytestmark = pytest.mark.thorough
LONGEST = 400
DEEP = 100_000

fuzz = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=1500 if SOAK else 100,
    suppress_health_check=list(HealthCheck),
)


def assert_clear(error: PelagosError) -> None:
    """One sentence, printable, on one line, and short."""
    said = str(error)
    assert 0 < len(said) < LONGEST, said
    assert said.isprintable(), repr(said)
    assert said.endswith("."), said


def assert_names(error: PelagosError, names: Iterable[str]) -> None:
    """The sentence names the place."""
    assert any(name in str(error) for name in names), error


# --- junk -----------------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.integers(-3, 300),
    st.sampled_from([-1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**4000]),
    st.sampled_from([0.5, 1.0, -0.0, 1e308, float("nan"), float("inf")]),
)
STRANGE = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "\x00",
        "\x1b[31m",
        "\r\n\t",
        "\u2028",
        "\u202e",
        "\ud800",
        "²",
        "٣",
        "-",
        "--5",
        "+5",
        "1_0",
        "1e3",
        "0x10",
        "9" * 5000,
        "[/red]",
        "[bold]",
        "{0}",
        "%s",
        "../../x",
        "?",
        "x" * 100_000,
    ]
)
TEXTS = st.one_of(STRANGE, st.text(max_size=30), st.text(string.printable, max_size=300))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


class Chance(random.Random):
    """Where junk is put; it shows its seed, so that a failure can be made again."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __repr__(self) -> str:
        return f"Chance({self.number})"


CHANCE = st.integers(0, 2**32).map(Chance)


def spoiled(chance: random.Random, text: str) -> str:
    """A text with a small change: something dropped, doubled, swapped, put in, or spelt anew."""
    place = chance.randrange(len(text) + 1)
    letter = chance.choice([*string.printable, "é", "\ufeff", "\x00", "²"])
    changed: list[str] = [
        text[:place] + text[place + 1 :],
        text[:place] + letter + text[place:],
        text[:place] + letter + text[place + 1 :],
        text[:place] + text[place : place + 1] * 2 + text[place + 1 :],
        text[:place],
        text[place:] + text[:place],
        text.upper(),
        text + " ",
        "\t" + text,
        text.replace(" ", "  "),
        text.replace("1", "01"),
        text.replace("1", "١"),
        text * 2,
        text * 200,
    ]
    return chance.choice(changed)


# --- moves ----------------------------------------------------------------------------------------


@cache
def stations(game: Game) -> list[Match]:
    """Matches at many places of a random game, with the fewest and the most players."""
    found = []
    every = list(shapes(game))
    for options in (every[0], every[-1]):
        match = Match.new(game, seed="stations", **options)
        plies = [at.copy() for at in random_walk(match, random.Random(1)) if not at.over]
        found += plies[:: max(1, len(plies) // 12)]
    return found


@fuzz
@given(junk=SCALARS, chance=CHANCE, number=st.integers(0, 1000))
def test_what_is_no_legal_move_is_refused_and_changes_nothing(
    game: Game, junk: Any, chance: random.Random, number: int
) -> None:
    match = stations(game)[number % len(stations(game))].copy()
    seat = chance.choice(match.pending)
    legal = match.moves(seat)
    move = chance.choice([junk, spoiled(chance, chance.choice(legal))])
    before = match.position.states.tobytes()
    try:
        match.play(seat, move)
    except IllegalMove as error:
        assert_clear(error)
        assert move not in legal
        assert match.position.states.tobytes() == before
        assert match.history == stations(game)[number % len(stations(game))].history
    else:
        assert move in legal or move in stations(game)[number % len(stations(game))].legal(seat)


@fuzz
@given(seat=SCALARS)
def test_who_has_no_turn_is_told_so(game: Game, seat: Any) -> None:
    match = stations(game)[-1].copy()
    if type(seat) in (int, bool) and seat in match.pending:
        return
    before = match.position.states.tobytes()
    with pytest.raises(IllegalMove) as caught:
        match.play(seat, 0)
    assert_clear(caught.value)
    assert match.position.states.tobytes() == before


@fuzz
@given(words=TEXTS)
def test_what_chance_cannot_have_brought_is_refused(game: Game, words: str) -> None:
    match = stations(game)[0].copy()
    before = match.position.states.tobytes()
    with pytest.raises(PelagosError) as caught:
        match.happen(words)
    assert_clear(caught.value)
    assert match.position.states.tobytes() == before


# --- records --------------------------------------------------------------------------------------


@cache
def records(game: Game) -> list[str]:
    """Whole games as JSON, with the fewest and the most players, with and without their seed."""
    every = list(shapes(game))
    found = [finished(game, options, 11).record() for options in (every[0], every[-1])]
    return [json.dumps(record) for one in found for record in (one, {**one, "seed": None})]


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
    told, true = json.loads(text), match.record()
    for name in ("deal", "moves", "result"):
        assert json.dumps(told.get(name), sort_keys=True) == json.dumps(
            true.get(name), sort_keys=True
        )
    assert told.get("seed") == true.get("seed")
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
        game, "result", {**result, "scores": [float(one) for one in result["scores"]]}
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


# --- packs ----------------------------------------------------------------------------------------


def damaged_files(chance: random.Random, game: Game, junk: str) -> dict[str, bytes]:
    """The default pack's files with one of them spoilt."""
    texts = dict(default_pack(game).files)
    name = chance.choice(sorted(texts))
    files = {one: text.encode() for one, text in texts.items()}
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
    files = {name: one.encode() for name, one in default_pack(game).files.items()}
    with pytest.raises(BadPack, match=r"pack\.toml") as caught:
        open_pack(game, {**files, "pack.toml": text.encode()})
    assert_clear(caught.value)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(game: Game) -> None:
    files = {
        name: b"\xef\xbb\xbf" + text.encode().replace(b"\n", b"\r\n")
        for name, text in default_pack(game).files.items()
    }
    assert open_pack(game, files).data.tobytes() == default_pack(game).data.tobytes()


# --- score files ----------------------------------------------------------------------------------


def tableau(game: Game) -> Any:
    try:
        return game.part("tableau")
    except ModuleNotFoundError:
        pytest.skip("no score pad")


@cache
def tableau_samples(game: Game) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob(f"{game.id}*.txt"))]


@fuzz
@given(junk=TEXTS, chance=CHANCE, times=st.integers(1, 3))
def test_a_damaged_score_file_is_refused_or_adds_up(
    game: Game, junk: str, chance: random.Random, times: int
) -> None:
    score = tableau(game).score
    text = junk
    good = tableau_samples(game)
    if good and chance.randrange(4):
        text = chance.choice(good)
        for _ in range(times):
            text = _spoiled_lines(chance, text, junk)
    try:
        pad = score(text, default_pack(game))
    except BadTableau as error:
        assert_clear(error)
        return
    assert len(pad.names) == len(pad.sheets)
    for sheet in pad.sheets:
        assert sheet["total"] == sum(line["points"] for line in sheet["lines"])
        for line in sheet["lines"]:
            assert line["points"] == sum(proof["points"] for proof in line["evidence"])
    json.dumps([pad.names, pad.sheets, pad.notes])


def _spoiled_lines(chance: random.Random, text: str, junk: str) -> str:
    lines = text.splitlines()
    line = chance.randrange(len(lines)) if lines else 0
    words = lines[line].split() if lines else []
    kind = chance.randrange(6)
    if not words or kind == 0:
        return spoiled(chance, text)[:90_000]
    if kind == 1:
        del lines[line]
    elif kind == 2:
        lines.insert(line, lines[line])
    else:
        word = chance.randrange(len(words))
        if kind == 3:
            words[word] = junk
        elif kind == 4:
            words[word] = spoiled(chance, words[word])[:5000]
        else:
            words[word] = chance.choice(chance.choice(lines).split() or [""])
        lines[line] = " ".join(words)
    return "\n".join(lines) + "\n"


def test_good_score_files_are_counted(game: Game) -> None:
    score = tableau(game).score
    good = tableau_samples(game)
    assert good, f"tests/samples has no score file of {game.id}"
    for text in good:
        assert score(text, default_pack(game)).sheets


# --- the command line -----------------------------------------------------------------------------


def pelagos(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pelagos.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def assert_refused(*words: str | Path) -> str:
    done = pelagos(*words)
    assert done.returncode == 1, done
    assert done.stderr.startswith("pelagos: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_the_command_line_refuses_records_with_one_sentence(tmp_path: Path) -> None:
    record = json.loads(records(find_game("minnows"))[0])
    file = tmp_path / "game.pelagos.json"
    record["moves"][3][1] = "bid \x1b[31m" + "x" * 9000
    file.write_text(json.dumps(record))
    assert "moves[3]" in assert_refused("replay", file)
    file.write_bytes(b"\xff\xfe{}")
    assert "UTF-8" in assert_refused("replay", file, "--positions")
    assert "can't be read" in assert_refused("replay", tmp_path)


def test_the_command_line_refuses_packs_and_options_with_one_sentence(tmp_path: Path) -> None:
    for name, text in default_pack(find_game("minnows")).files.items():
        (tmp_path / name).write_text(text.replace("pike,5,2", "pike,--5,2"))
    assert "cards.csv, line 7" in assert_refused("pack", "check", "minnows", tmp_path)
    assert "pike" not in assert_refused("simulate", "minnows", "--pack", tmp_path / "none")
    assert "luck" in assert_refused("simulate", "minnows", "--option", "luck=²")
    assert "--5" in assert_refused("simulate", "minnows", "--option", "luck=--5")
    assert "nothing" in assert_refused("simulate", "nothing")
    assert "UTF-8" in assert_refused("simulate", "minnows", "-n", "1", "--seed", "\udcff")


def test_the_command_line_refuses_what_it_cannot_write(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "file" in assert_refused("record", "minnows", "--out", file)
    assert "file" in assert_refused("simulate", "minnows", "-n", "1", "--out", file / "x.csv")
    assert "file" in assert_refused("pack", "new", "minnows", file / "pack")


def test_the_command_line_refuses_a_score_file_with_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.txt"
    file.write_text("Ada: pike whale\n")
    assert "Line 1" in assert_refused("score", "minnows", file)


def test_names_are_shown_as_they_are_written(tmp_path: Path) -> None:
    """Square brackets are markup to the library that draws tables."""
    file = tmp_path / "table.txt"
    file.write_text("Ada [/red] [bold]: pike\n")
    assert "Ada [/red] [bold]" in pelagos("score", "minnows", file).stdout
    folder = tmp_path / "[bold] 🐟"
    assert pelagos("pack", "new", "minnows", folder).returncode == 0
    assert pelagos("pack", "check", "minnows", folder).returncode == 0
    assert "[bold] 🐟" in pelagos("simulate", "minnows", "-n", "1", "--pack", folder).stdout
