"""Each sentence of the rulebooks with its rule, its place on the table, its test and its ruling:
all that the pages name is there.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from house.test_architecture import resolve
from pelagos.engine.game import find_game
from pelagos.engine.words import LANGUAGES, words, words_of
from places import ROOT, SOURCE

FOLDER = ROOT / "docs" / "fidelity"
GAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
TEMPLATES = SOURCE / "web" / "templates"


def _load_tool() -> Any:
    spec = importlib.util.spec_from_file_location("fidelity", ROOT / "tools" / "fidelity.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _load_tool()


def sentences(game: str) -> list[dict[str, str]]:
    _, chapters = TOOL.read(FOLDER / f"{game}.toml")
    return [row for rows in chapters.values() for row in rows]


# --- what a cell names ----------------------------------------------------------------------------


def rule_is_there(game: str, name: str) -> bool:
    """A function or constant of the game, or of the house by its room."""
    for whole in (f"{find_game(game).package}.{name}", f"pelagos.{name}"):
        try:
            resolve(whole)
        except (LookupError, AttributeError):
            continue
        return True
    return False


def sign_is_there(game: str, name: str) -> bool:
    """What a player sees: a part of the page, or a word in both languages."""
    if name.endswith(".html"):
        parts = Path(str(resolve(find_game(game).package).__file__)).parent / "table" / "parts"
        return (parts / name).is_file() or (TEMPLATES / name).is_file()
    owner, slash, key = name.rpartition("/")
    said = (
        words_of(owner, language) if slash else words(find_game(game), language)
        for language in LANGUAGES
    )
    return all(language.has(key) for language in said)


def headings(game: str) -> set[str]:
    page = ROOT / "docs" / "games" / game / "rules.en.md"
    return set(re.findall(r"^##+ (.*)$", page.read_text("utf-8"), re.MULTILINE))


def rulings(game: str) -> set[str]:
    page = ROOT / "docs" / "games" / game / "rulings.md"
    return set(re.findall(r"^### (.*)$", page.read_text("utf-8"), re.MULTILINE))


def address(game: str, name: str) -> str:
    """A test as pytest calls it; without a folder it is one of the game's."""
    return name if "/" in name.partition("::")[0] else f"{game}/{name}"


@cache
def collected() -> frozenset[str]:
    """The tests that pytest finds in the files that the pages name, without their parameters."""
    named = {
        Path("tests", address(game, test).partition("::")[0])
        for game in GAMES
        for row in sentences(game)
        for test in TOOL.split(row.get("test", ""))
    }
    paths = sorted(str(path) for path in named if (ROOT / path).is_file())
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", *paths]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(re.findall(r"^tests/(\S+?::\w+)", listed.stdout, re.MULTILINE))


def wrong(game: str, rows: list[dict[str, str]]) -> Iterator[str]:
    """Each empty cell, and each name that stands for nothing, with its sentence."""
    there = {"rule": rule_is_there, "seen": sign_is_there}
    for row in rows:
        for column in TOOL.COLUMNS:
            cell = row.get(column, "").strip()
            if not cell.strip("– "):
                yield f"{row.get('says')}: nothing under {column}"
        names = {
            "rule": TOOL.split(row.get("rule", "")),
            "seen": re.findall(r"`([^`]+)`", row.get("seen", "")),
        }
        for column, check in there.items():
            yield from (f"{row['says']}: {name}" for name in names[column] if not check(game, name))
        for name in TOOL.split(row.get("test", "")):
            if address(game, name) not in collected():
                yield f"{row['says']}: {name}"
        for name in re.findall(r"\*([^*]+)\*", row.get("seen", "")):
            if name not in headings(game):
                yield f"{row['says']}: the rules page has no chapter {name}"
        for name in TOOL.split(row.get("ruling", "")):
            if name != TOOL.NO_ROOM and name not in rulings(game):
                yield f"{row['says']}: {name}"


# --- the pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", GAMES)
def test_all_that_a_sentence_names_is_there(book: str) -> None:
    assert list(wrong(book, sentences(book))) == []


@pytest.mark.parametrize("book", GAMES)
def test_a_page_is_what_its_file_says(book: str) -> None:
    page = (FOLDER / f"{book}.md").read_text("utf-8")
    assert page == TOOL.build(FOLDER / f"{book}.toml"), "run python tools/fidelity.py"


@pytest.mark.parametrize("book", GAMES)
def test_no_sentence_stands_twice_in_a_chapter(book: str) -> None:
    _, chapters = TOOL.read(FOLDER / f"{book}.toml")
    for chapter, rows in chapters.items():
        said = [row["says"] for row in rows]
        assert len(set(said)) == len(said), chapter


@pytest.mark.parametrize(
    ("column", "planted"),
    [
        ("rule", "rules.no_such_rule"),
        ("seen", "The prompt, `prompt.no_such_word`."),
        ("seen", "A part of the page, `no_such_part.html`."),
        ("seen", "Rules page, *No such chapter*."),
        ("seen", "– "),
        ("test", "test_packs.py::test_no_such_test"),
        ("test", "test_no_such_file.py::test_anything"),
        ("ruling", "OCN-999"),
        ("ruling", ""),
        ("says", " "),
    ],
)
def test_a_planted_wrong_name_is_found(column: str, planted: str) -> None:
    row = next(sentence for sentence in sentences("oceanos") if "test_packs.py" in sentence["test"])
    assert list(wrong("oceanos", [row])) == []
    assert list(wrong("oceanos", [{**row, column: planted}]))
