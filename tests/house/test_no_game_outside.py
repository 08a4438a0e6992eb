"""No module knows a game: titles, people and material stay in the game's folder."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache

from pelagos.engine.game import Game, games
from pelagos.engine.pack import default_pack
from pelagos.engine.words import LANGUAGES, words
from places import SOURCE

KINDS = {".py", ".html", ".css", ".js", ".toml", ".svg", ".mako", ".webmanifest"}
SHORTEST = 3
"""Letters that a name must have: Ozeanien's columns a to g are everywhere."""

ALLOWED = {
    "average": ("*", "a mean"),
    "big": ("*", "a byte order"),
    "button": ("*", "of a page"),
    "dont": ("*fr.toml", "French for of which"),
    "est": ("*fr.toml", "French for is"),
    "grand": ("*fr.toml", "French for large"),
    "green": ("*", "a colour"),
    "key": ("*", "of a table, or of a keyboard"),
    "of which": ("*", "a pronoun"),
    "open": ("*", "a file, a table, a seat"),
    "petit": ("*fr.toml", "French for small"),
    "points": ("*", "of any game"),
    "score": ("*", "of any game"),
    "sheet": ("*", "a score sheet"),
    "small": ("*", "a size"),
    "yellow": ("*", "a colour"),
    "coral": ("*.css", "a colour"),
    "crab": ("bots/ladder.py", "what a bot of the ladder was called before"),
    "turtle": ("bots/ladder.py", "what a bot of the ladder was called before"),
    "sea turtle": ("bots/ladder.py", "what a bot of the ladder was called before"),
    "sun": ("web/*", "a colour"),
}
"""Names that mean something else elsewhere: in which files, and what."""


def names(game: Game) -> Iterator[str]:
    """What belongs to a game: its id, titles and authors, its material's ids, its nouns."""
    yield game.id
    yield from game.titles.values()
    yield from game.authors
    for name, text in default_pack(game).files.items():
        if name.endswith(".csv"):
            for row in csv.DictReader(text.splitlines()):
                yield from (row[column] for column in ("id", "card_id") if column in row)
    for language in LANGUAGES:
        for face, noun in words(game, language).table["noun"].items():
            yield face
            yield noun if isinstance(noun, str) else noun["name"]


@cache
def pattern() -> re.Pattern[str]:
    """Any game's name, standing by itself or between underscores."""
    every = {name.lower() for game in games().values() for name in names(game)}
    long = {name for name in every if sum(map(str.isalpha, name)) >= SHORTEST}
    either = "|".join(re.escape(name) for name in sorted(long, key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])", re.IGNORECASE)


def leaks(path: str, text: str) -> Iterator[str]:
    """The games' names in a file that don't mean something else there."""
    for name in pattern().finditer(text):
        where, _ = ALLOWED.get(name[0].lower(), ("", ""))
        if not fnmatch(path, where):
            line = text.count("\n", 0, name.start()) + 1
            yield f"{path}, line {line}: {name[0]}"


def sources() -> Iterator[tuple[str, str]]:
    for file in sorted(SOURCE.rglob("*")):
        path = file.relative_to(SOURCE)
        ours = path.parts[0] != "games" and "vendor" not in path.parts
        if ours and file.suffix in KINDS and file.is_file():
            yield path.as_posix(), file.read_text("utf-8")


def test_no_file_outside_games_names_a_game_or_its_material() -> None:
    texts = list(sources())
    assert len(texts) > 100
    assert [leak for path, text in texts for leak in leaks(path, text)] == []


def test_every_name_that_is_allowed_is_still_there() -> None:
    needed = {
        name.lower()
        for path, text in sources()
        for name in pattern().findall(text)
        if fnmatch(path, ALLOWED.get(name.lower(), ("", ""))[0])
    }
    assert set(ALLOWED) - needed == set()


def test_a_planted_name_is_found() -> None:
    for planted in (
        'if game.id == "oceanos":',
        "GAMES = {'Minnows': 2}",
        "def octopus_moves(view): ...",
        "Antoine Bauza",
        ".whale-count { top: 0 }",
        "Écosystème\u202f: Océan",
        "brochet",
    ):
        assert len(list(leaks("web/front.py", f"a = 1\n{planted}"))) == 1, planted


def test_every_game_gives_names_to_look_for() -> None:
    for game in games().values():
        assert len(set(names(game))) > 10, game.id
