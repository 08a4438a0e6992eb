"""Names say what they hold: words that could stand for anything are no variables of ours."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from places import ROOT

EMPTY = {"told", "one", "found", "thing"}
"""With or without underscores around them."""

FOLDERS = ("src", "tests", "bench", "tools", "examples", "docs")


def is_empty(name: str | None) -> bool:
    return name is not None and name.strip("_").lower() in EMPTY


def named_by(node: ast.AST) -> Iterator[str | None]:
    """What a piece of Python gives or calls by name. Keywords of a call are the other side's."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=name) | ast.alias(asname=name):
            yield name
        case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
            yield name


def empty_names(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a Python file with such names."""
    for node in ast.walk(ast.parse(source)):
        for name in named_by(node):
            if name is not None and is_empty(name):
                yield node.lineno, name


def empty_names_of_template(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a template with such names."""
    for node in Environment().parse(source).find_all((nodes.Name, nodes.Macro)):
        if is_empty(node.name):
            yield node.lineno, node.name


READERS = {".py": empty_names, ".html": empty_names_of_template}


def files() -> Iterator[Path]:
    yield ROOT / "hatch_build.py"
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*.*") if path.suffix in READERS)


def test_no_name_is_empty() -> None:
    empty = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted(files())
        for line, name in READERS[path.suffix](path.read_text(encoding="utf-8"))
    ]
    assert not empty, "say what it is:\n" + "\n".join(empty)


@pytest.mark.parametrize(
    "source",
    [
        "told = 1",
        "def one(): ...",
        "def name(found): ...",
        "def name(*thing): ...",
        "class Told: ...",
        "self._found()",
        "key = lambda one: 0",
        "all(0 for one in ())",
        "import name as thing",
        "try: ...\nexcept Error as found: ...",
        "f'{told}'",
        "match name:\n    case [*one]: ...",
    ],
)
def test_an_empty_name_is_seen(source: str) -> None:
    assert list(empty_names(source))


@pytest.mark.parametrize("source", ["'told'", "name(told=1)", "things = 1", "# one\nname", "none"])
def test_prose_and_others_names_are_not_meant(source: str) -> None:
    assert not list(empty_names(source))


@pytest.mark.parametrize(
    "source",
    ["{{ told }}", "\n{% for one in all %}{% endfor %}", "{% macro name(found) %}{% endmacro %}"],
)
def test_an_empty_name_of_a_template_is_seen(source: str) -> None:
    [(line, _)] = empty_names_of_template(source)
    assert line == 1 + source.count("\n")
    assert not list(empty_names_of_template("<p>Nobody told one thing.</p>{# found #}"))
