"""What stands in for libraries in the browser says the same as they do."""

from __future__ import annotations

import asyncio
import builtins
import collections
import dataclasses
import http.client
import random
import re
from datetime import date, timedelta
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import babel
import babel.dates
import babel.numbers
import orjson
import pytest

import pelagos.pocket

FOLDER = Path(pelagos.pocket.__file__).parent / "standins"


def standin(file: str) -> Any:
    spec = spec_from_file_location(f"standin_{Path(file).stem}", FOLDER / file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_languages() -> None:
    plurals, dates = standin("babel/__init__.py"), standin("babel/dates.py")
    numbers = standin("babel/numbers.py")
    draw = random.Random(1)
    counts = [*range(-3, 120), 1_000_000, 1_500_000, 0.5, 1.0, 1.5]
    values = [draw.randint(-(10**7), 10**7) / draw.choice((1, 8, 10, 1000)) for _ in range(500)]
    days = [date(2026, 1, 1) + timedelta(number) for number in range(400)]
    for language in ("en", "fr"):
        ours, theirs = (library.Locale(language).plural_form for library in (plurals, babel))
        assert [ours(count) for count in counts] == [theirs(count) for count in counts]
        for pattern in ("#,##0", "#,##0.0", "#,##0.###"):
            for value in values:
                theirs = babel.numbers.format_decimal(value, pattern, locale=language)
                ours = numbers.format_decimal(value, pattern, locale=language)
                assert ours == theirs, (value, pattern)
        for pattern in ("d MMMM", "d MMM", "d MMM y", "EEEEE"):
            for day in days:
                theirs = babel.dates.format_date(day, pattern, locale=language)
                assert dates.format_date(day, pattern, locale=language) == theirs


def test_json() -> None:
    data = {"a": [1, -2.5, None, True, 'é\n\t\x1f\x7f\u2028"\\/'], "b": {"c": (), "d": {}}}
    ours = standin("orjson.py")
    assert ours.dumps(data) == orjson.dumps(data)
    assert ours.loads(orjson.dumps(data)) == orjson.loads(orjson.dumps(data))
    inside = {"e": ours.Fragment(orjson.dumps(data))}
    assert ours.dumps(inside) == orjson.dumps({"e": orjson.Fragment(orjson.dumps(data))})


def test_answers_of_a_library_that_has_no_threads_there() -> None:
    assert standin("http/client.py").responses == http.client.responses
    run_sync = standin("anyio/to_thread.py").run_sync
    assert asyncio.run(run_sync(divmod, 7, 2)) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_sync(divmod, 7, 0))


def made_by(ahead: Any, patched: pytest.MonkeyPatch) -> list[Any]:
    """A data class, a named tuple and patterns, while the library asks there for what it needs."""
    translator: Any = re._compiler  # type: ignore[attr-defined]
    for module, name in ((translator, "compile"), (translator, "_sre")):
        patched.setattr(module, name, getattr(module, name))  # and so they come back
    for module, name in ((dataclasses, "exec"), (collections, "eval")):
        patched.setattr(module, name, getattr(builtins, name), raising=False)
    ahead.use()
    re.purge()

    @dataclasses.dataclass(frozen=True, order=True)
    class Card:
        rank: int
        suit: str = "red"

    pair = collections.namedtuple("Pair", ["left", "right"])
    word = re.compile(r"(?P<word>[a-zé]+)\s(\d{2,4})(?!x)", re.IGNORECASE)
    match = word.search("À l'ÉTÉ 2026")
    assert match
    return [
        repr(Card(3)),
        Card(1) < Card(2, "blue"),
        hash(Card(1)) == hash(Card(1, "red")),
        pair(1, right=2)._asdict(),
        match.groupdict(),
        match.span(2),
        word.flags,
        word.groups,
        re.findall(rb"[^\x00-\x20]+", b"one two"),
    ]


def test_what_was_made_ahead_is_what_python_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    module = standin("sitecustomize.py")
    with monkeypatch.context() as patched:
        first = module.Ahead()
        expected = made_by(first, patched)
        kept = first.kept()
    with monkeypatch.context() as patched:
        again = module.Ahead(kept)
        patched.setattr(again, "_translate", None)  # whoever made anything anew would fail
        patched.setattr(module, "compile", None, raising=False)
        assert made_by(again, patched) == expected
        with pytest.raises(TypeError):
            re.compile("a pattern that nobody knows")
    re.purge()
    assert re.compile("a pattern that nobody knows").match("a pattern") is None
    assert not hasattr(dataclasses, "exec")
