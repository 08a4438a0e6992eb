"""A game's rules and rulings: in its own package, shown as they are, and followed by name."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from pelagos.engine.game import Game, Option, games
from pelagos.engine.words import LANGUAGES, words
from pelagos.web.art import art_names
from pelagos.web.rules import rules_of, rulings_of
from places import ROOT

PAGES = (*(f"rules.{language}.md" for language in LANGUAGES), "rulings.md")
ID = re.compile(r"\b[A-Z]{3}-\d+\b")
RULING = re.compile(
    r"^### (?P<id>\S+)\n\n\*\*(?P<question>.+?)\*\* (?P<decision>\S.*)\n\n"
    r"\*Reason:\* (?P<reason>\S.*) \*Confidence:\* (?P<confidence>\w+)\.$",
    re.MULTILINE,
)


def folder(game: Game) -> Path:
    return Path(str(files(game.package)))


def page(game: Game, name: str) -> str:
    return (folder(game) / name).read_text("utf-8")


def decided(game: Game) -> list[str]:
    """The ids of a game's rulings, as its page heads them."""
    return re.findall(r"^### (.*)$", page(game, "rulings.md"), re.MULTILINE)


def followed(text: str, prefix: str) -> set[str]:
    """The ids with this prefix that a text names."""
    return {name for name in ID.findall(text) if name.partition("-")[0] == prefix}


def prefix_of(game: Game) -> str:
    (prefix,) = {name.partition("-")[0] for name in decided(game)}
    return prefix


def python_of(game: Game) -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted(folder(game).rglob("*.py")))


# --- rulings --------------------------------------------------------------------------------------


def test_every_ruling_has_question_decision_reason_and_confidence(game: Game) -> None:
    whole = [ruling["id"] for ruling in RULING.finditer(page(game, "rulings.md"))]
    assert whole == decided(game)
    assert {ruling["confidence"] for ruling in RULING.finditer(page(game, "rulings.md"))} <= {
        "high",
        "medium",
        "low",
    }


def test_a_ruling_has_an_id_of_its_own(game: Game) -> None:
    ids = decided(game)
    assert ids
    assert all(ID.fullmatch(name) for name in ids)
    assert max(Counter(ids).values()) == 1


def test_no_two_games_share_a_prefix() -> None:
    prefixes = [prefix_of(game) for game in games().values()]
    assert len(set(prefixes)) == len(prefixes)


def test_every_ruling_is_followed_by_a_rule_that_names_it(game: Game) -> None:
    assert set(decided(game)) - followed(python_of(game), prefix_of(game)) == set()


def test_every_ruling_that_a_rule_names_is_written_down(game: Game) -> None:
    assert followed(python_of(game), prefix_of(game)) - set(decided(game)) == set()


def test_a_name_in_a_comment_is_found_and_another_games_is_not() -> None:
    text = 'seats = 2  # OCN-12: said twice\n"""OCN-3 and OCD-4."""\nXOCN-5, OCN-6x'
    assert followed(text, "OCN") == {"OCN-12", "OCN-3"}


# --- house readings -------------------------------------------------------------------------------


READINGS = [
    pytest.param(game, option, id=f"{game.id}-{option.name}")
    for game in games().values()
    for option in game.options
    if option.ruling
]


@pytest.mark.parametrize(("own", "option"), READINGS)
def test_a_house_reading_is_written_where_its_rule_is_and_in_a_ruling_that_isnt_sure(
    own: Game, option: Option
) -> None:
    rulings = {ruling["id"]: ruling for ruling in RULING.finditer(page(own, "rulings.md"))}
    assert f"`{option.name}`" in rulings[option.ruling]["decision"]
    assert rulings[option.ruling]["confidence"] in ("medium", "low")
    for language in LANGUAGES:
        text = page(own, f"rules.{language}.md")
        assert f"`--option {option.name}=" in text
        assert f"(rulings.md#{option.ruling.lower()})" in text
        assert option.about[language]


def test_the_games_have_house_readings() -> None:
    assert {own.values[1].ruling for own in READINGS} >= {"OCN-26", "OCN-37", "ECO-19", "OZE-29"}


# --- pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_shows_a_games_rules_in_the_readers_language(game: Game, language: str) -> None:
    shown = rules_of(game.id, language)
    assert shown is not None
    parts = re.split(r"^## ", page(game, f"rules.{language}.md"), flags=re.MULTILINE)[1:]
    typed = {part for part in parts if part.startswith("Notation\n") or "`pelagos " in part}
    headings = [part.partition("\n")[0] for part in parts if part not in typed]
    assert [name for _, name in shown.parts] == headings
    assert f'href="/rulings/{game.id}"' in shown.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_in_a_browser_read_no_ids_and_nothing_to_type(game: Game, language: str) -> None:
    shown = rules_of(game.id, language)
    assert shown is not None
    assert "pelagos " not in shown.text
    assert "--option" not in shown.text
    said = words(game, language)
    cells = re.findall(r"<td.*?</td>", str(shown.text), re.DOTALL)
    ids = {name for cell in cells for name in re.findall(r"<code>([a-z]+)</code>", cell)}
    assert not {name for name in ids if said.has(f"noun.{name}")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_symbols_stand_before_the_things_that_tables_name(game: Game, language: str) -> None:
    shown = rules_of(game.id, language)
    assert shown is not None
    drawn = set(re.findall(r'#([\w-]+)"></use>', str(shown.text)))
    if game.id == "oceanos":
        assert {"coral", "treasure", "base", "eye", "shark", "green"} <= drawn
    else:
        assert drawn or not art_names(game.id)


def test_the_cells_of_wide_tables_name_their_columns(game: Game) -> None:
    shown = rules_of(game.id, "en")
    assert shown is not None
    for table in re.findall(r"<table.*?</table>", str(shown.text), re.DOTALL):
        columns = len(re.findall(r"<th[ >]", table))
        assert ("data-label" in table) == (columns > 2)


def test_the_browser_shows_every_ruling_at_its_own_address(game: Game) -> None:
    for language in LANGUAGES:
        shown = rulings_of(game.id, language)
        assert shown is not None
        assert re.findall(r'<h3 id="([^"]+)"', shown.text) == [
            name.lower() for name in decided(game)
        ]
        assert f'href="/rules/{game.id}"' in shown.text


def test_a_games_pages_link_to_each_other_and_nowhere_else(game: Game) -> None:
    for name in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page(game, name)):
            assert target in PAGES, f"{game.id}: {name} links {target}"


def test_the_documentation_shows_the_very_files() -> None:
    ours = [game for game in games().values() if folder(game).is_relative_to(ROOT / "src")]
    assert ours
    for game in ours:
        for name in PAGES:
            shown = ROOT / "docs" / "games" / game.id / name
            assert shown.resolve() == (folder(game) / name).resolve()
