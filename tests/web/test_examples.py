"""The moving examples of all rules pages: played by the engine, drawn of what the seat is told."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from pelagos.engine import match as engine_match
from pelagos.engine.examples import Example, examples_about, examples_of, sheets_of
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words
from pelagos.web import assets, examples
from pelagos.web.drawing import shown, signed
from pelagos.web.rules import read_page, rules_of
from pelagos.web.timeline import Timeline

ILLUSTRATED = [game for game in games() if examples_of(game)]
ALL = [
    pytest.param(example, language, id=f"{example.game}-{example.id}-{language}")
    for game in games()
    for example in examples_of(game)
    for language in LANGUAGES
]
OURS = [game.id for game in games().values() if game.package.startswith("pelagos.")]
LARGEST = 24_000
LARGEST_SENT = 4_000
"""Bytes of a figure, and of the same compressed."""


def figure_of(example: Example, language: str) -> ElementTree.Element:
    html = str(examples.moving(example, language).figure)
    return ElementTree.fromstring(html.replace('type="checkbox">', 'type="checkbox"/>'))


def kinds(element: ElementTree.Element) -> list[str]:
    return element.get("class", "").split()


def frames_of(parents: list[ElementTree.Element], count: int) -> list[bool]:
    """In which moments something with these elements around it is seen."""
    seen = [True] * count
    for parent in parents:
        for kind in kinds(parent):
            timed = re.fullmatch(r"ex-(?:then|here)-([01]+)", kind)
            if timed:
                seen = [was and bit == "1" for was, bit in zip(seen, timed[1], strict=True)]
    return seen


def numbers_in(figure: ElementTree.Element, kind: str, count: int) -> list[list[str]]:
    """What the picture says at each moment in texts of a class."""
    said: list[list[str]] = [[] for _ in range(count)]

    def walk(element: ElementTree.Element, parents: list[ElementTree.Element]) -> None:
        if kind in kinds(element):
            for moment, seen in enumerate(frames_of(parents, count)):
                if seen:
                    said[moment].append(element.text or "")
        for child in element:
            walk(child, [*parents, element])

    walk(figure, [])
    return said


def played(example: Example) -> list[Match]:
    """The match at each moment, played here once more."""
    match = Match.new(example.game, seed=example.seed, **example.options)
    moments = []
    for moves in (example.before, *(step.moves for step in example.steps)):
        for move in moves:
            example._make(match, move)
        moments.append(match.copy())
    return moments


@pytest.mark.parametrize("illustrated", ILLUSTRATED)
def test_each_example_stands_where_the_rules_page_names_it(illustrated: str) -> None:
    game = illustrated
    names = [example.id for example in examples_of(game)]
    assert 3 <= len(names) <= 6 or game not in OURS
    for language in LANGUAGES:
        text = read_page(games()[game], f"rules.{language}")
        assert text is not None
        assert sorted(re.findall(r"^<!-- example: (.*) -->$", text, re.MULTILINE)) == sorted(names)
        page = examples.rules_with_examples(game, language)
        assert page is not None
        for name in names:
            assert page.text.count(f'data-example="{name}"') == 1
        assert "example-stands-here" not in page.text


@pytest.mark.parametrize(("example", "language"), ALL)
def test_its_numbers_are_those_that_the_engine_counts(example: Example, language: str) -> None:
    views = [match.view(example.seat) for match in played(example)]
    rows = [[row.points(sheets_of(view)) for row in example.rows] for view in views]
    figure = figure_of(example, language)
    assert numbers_in(figure, "ex-points", len(views)) == [
        [shown(points) for points in moment] for moment in rows
    ]
    changes = [[]] + [
        [signed(now - was) for now, was in zip(*pair, strict=True) if now != was]
        for pair in zip(rows[1:], rows, strict=False)
    ]
    gains, losses = (numbers_in(figure, kind, len(views)) for kind in ("ex-gain", "ex-loss"))
    assert [sorted(a + b) for a, b in zip(gains, losses, strict=True)] == list(map(sorted, changes))
    for match, view in zip(played(example), views, strict=True):
        if "standing" not in view:
            seen = [match.sheet(seat, example.seat) for seat in range(match.players)]
            counted = [{line["key"]: line["points"] for line in s["lines"]} for s in view["sheets"]]
            covered = [
                {line["key"] for line in s["lines"] if line.get("covered")} for s in view["sheets"]
            ]
            for ours, theirs, hidden in zip(counted, seen, covered, strict=True):
                assert {k: v for k, v in ours.items() if k not in hidden} == {
                    k: v for k, v in theirs.items() if k not in hidden
                }


@pytest.mark.parametrize(("example", "language"), ALL)
def test_its_texts_are_whole_and_hold_no_number_of_their_own(
    example: Example, language: str
) -> None:
    said = words(games()[example.game], language)
    keys = ["title", "caption", "start", *map(str, range(1, len(example.steps) + 1))]
    written = said.table["example"][example.id]
    assert list(written) == keys
    for text in written.values():
        assert not re.search(r"\d", re.sub(r"\{.*?\}", "", text)), text
    story = examples.moving(example, language).story
    assert "{" not in story
    figure = figure_of(example, language)
    (picture,) = (each for each in figure.iter() if each.get("role") == "img")
    assert picture.get("aria-label") == story
    steps = ["".join(line.itertext())[1:].strip() for line in figure.iter("li")]
    assert len(steps) == len(example.steps)
    assert all(step in story for step in steps)
    for row in example.rows:
        assert not row.label or said.has(row.label)


@pytest.mark.parametrize(("example", "language"), ALL)
def test_it_is_small_well_formed_and_within_the_policy(example: Example, language: str) -> None:
    drawn = examples.moving(example, language)
    assert len(drawn.figure.encode()) < LARGEST
    assert len(gzip.compress(drawn.figure.encode())) < LARGEST_SENT
    sheet = examples.style(example.game)
    symbols = assets.find(example.game, "sprite.svg") or b""
    for element in figure_of(example, language).iter():
        assert "id" not in element.attrib
        assert "style" not in element.attrib
        for kind in kinds(element):
            if re.match(rf"ex-(then|here)-|ex-{example.id}-", kind):
                assert f"@keyframes {kind}{{" in sheet
        if element.tag == "use":
            name = element.attrib["href"].partition("#")[2]
            assert f'id="{name}"'.encode() in symbols, name
    assert sheet.count("{") == sheet.count("}")
    assert 4 <= Timeline(len(example.steps)).length <= 8


@pytest.mark.parametrize(("example", "language"), ALL)
def test_nothing_is_drawn_that_the_seat_cant_know(
    example: Example, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another world that looks the same to the seat the picture is the same."""
    drawn = examples.moving(example, language)
    monkeypatch.setattr(engine_match, "_VIEW", b"another world")
    assert examples.moving.__wrapped__(example, language).figure == drawn.figure


def test_every_game_of_ours_has_examples() -> None:
    assert [game for game in OURS if not examples_of(game)] == []


def test_an_example_is_found_by_what_it_is_about(game: Game) -> None:
    for example in examples_of(game.id):
        assert example.about
        for name in example.about:
            assert example in examples_about(game.id, name)
    assert examples_about(game.id, "nothing") == ()


def test_a_game_from_elsewhere_brings_its_own_and_one_without_is_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = examples.rules_with_examples("minnows", "fr")
    assert page is not None
    assert 'data-example="kinds"' in page.text
    assert examples.style_address("minnows").startswith("/static/minnows/examples.css?")
    assert assets.find("minnows", "examples.css") == examples.style("minnows").encode()

    monkeypatch.setattr(examples, "examples_of", lambda game: ())
    bare: Any = examples.rules_with_examples.__wrapped__("minnows", "fr")
    ruled = rules_of("minnows", "fr")
    assert ruled is not None
    assert bare.text == re.sub(r"<!--example \w+-->", "", ruled.text)
    assert examples.style.__wrapped__("minnows") == ""
    assert assets.find("nobody", "examples.css") is None
