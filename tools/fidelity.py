"""Build docs/fidelity/*.md: what each rulebook says, sentence by sentence, and what answers it.

Each game has a TOML file there: a heading for each chapter, below it a table for each sentence.
Run it after changing one of them: python tools/fidelity.py
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "fidelity"
COLUMNS = ("says", "rule", "seen", "test", "ruling")
HEADS = ("the book says", "the rule", "a player sees it", "the test", "ruling")
NO_ROOM = "plain"
"""A ruling's cell: the book leaves nothing open."""

Sentences = dict[str, list[dict[str, str]]]


def read(path: Path) -> tuple[dict[str, str], Sentences]:
    """A game's title and books, and its sentences by chapter."""
    data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return data.pop("book"), data


def split(cell: str) -> list[str]:
    """The names in a cell; none where it gives a reason instead, which begins with a dash."""
    return [] if is_reason(cell) else cell.split(", ")


def is_reason(cell: str) -> bool:
    """Does the cell say why there is nothing to name?"""
    return cell.startswith("– ")


def build(path: Path) -> str:
    """The page of a game's file."""
    book, chapters = read(path)
    count = sum(len(rows) for rows in chapters.values())
    page = [
        "---\nhide: [toc]\n---",
        f"# Fidelity: {book['title']}",
        f"{count} sentences. {book['books']} What the columns mean: [Fidelity](../fidelity.md).",
    ]
    for chapter, rows in chapters.items():
        table = [HEADS, ("---",) * len(HEADS), *(_cells(path.stem, row) for row in rows)]
        page += [f"## {chapter}", "\n".join(f"| {' | '.join(cells)} |" for cells in table)]
    return "\n\n".join(page) + "\n"


def _cells(game: str, row: dict[str, str]) -> tuple[str, ...]:
    rules = ", ".join(f"`{name}`" for name in split(row["rule"])) or row["rule"]
    tests = "; ".join(_test(name) for name in split(row["test"])) or row["test"]
    page = f"../games/{game}/rulings.md"
    rulings = ", ".join(
        name if name == NO_ROOM else f"[{name}]({page}#{name.lower()})"
        for name in split(row["ruling"])
    )
    return row["says"], rules, row["seen"], tests, rulings or row["ruling"]


def _test(name: str) -> str:
    """A test's name is a sentence: `test_turn`: the captain is dealt nothing …"""
    file, _, function = name.partition(".py::")
    return f"`{file}`: {re.sub('^test_', '', function).replace('_', ' ')}"


if __name__ == "__main__":
    for toml in sorted(FOLDER.glob("*.toml")):
        toml.with_suffix(".md").write_text(build(toml), "utf-8")
