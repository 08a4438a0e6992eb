"""Refusals are texts: every part of the house has its own, in both languages, and uses them all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pelagos
from pelagos.arena.plan import Plan
from pelagos.bots import Budget, find_bot, find_creature
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game

SOURCE = Path(pelagos.__file__).parent
PARTS = sorted(folder.parent.name for folder in SOURCE.glob("*/words"))
OWN = ("arena", "bots", "cli", "envs", "terminal")
"""Parts whose refusals always say whose they are."""
USED = re.compile(r'"(\w+)/(refuse\.\w+)"')


def words_of(part: str, language: str) -> dict[str, Any]:
    file = SOURCE / part / "words" / f"{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def slots(table: Any, at: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Every text's key, and what is put into it."""
    if isinstance(table, str):
        yield at, frozenset(re.findall(r"\{(\w+)", table))
        return
    for key, value in table.items():
        if key in ("one", "other"):
            yield at, frozenset(re.findall(r"\{(\w+)", value))
        else:
            yield from slots(value, f"{at}.{key}" if at else key)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_house_says_the_same_in_both_languages(part: str) -> None:
    english, french = (set(slots(words_of(part, language))) for language in ("en", "fr"))
    assert english
    assert english == french


@pytest.mark.parametrize("part", OWN)
def test_every_refusal_has_words_and_all_words_are_used(part: str) -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (SOURCE / part).rglob("*.py"))
    used = {key for owner, key in USED.findall(code) if owner == part}
    written = {f"refuse.{key}" for key in words_of(part, "en")["refuse"]}
    engine = {f"refuse.{key}" for key in words_of("engine", "en")["refuse"]}
    assert used
    assert used <= written
    assert written - used <= engine  # the engine's own reasons, said in this part's words
    assert not re.findall(r'raise (?!TooLateError)\w+\(\s*f?"', code)


@pytest.mark.parametrize(
    ("refused", "english", "french"),
    [
        (lambda: Budget.parse("soon"), "A budget is written 50ms", "Un budget s'écrit 50ms"),
        (lambda: Budget.parse("1.5sims"), "whole simulations", "des simulations entières"),
        (lambda: find_bot("x"), "There is no bot 'x'; installed", "Il n'y a pas de robot 'x'"),
        (lambda: find_creature("x"), "there are: winkle, puffin", "il y a : winkle, puffin"),
        (
            lambda: Plan.make(find_game("ecosystem"), {}, "0", [], Budget(simulations=1)),
            "Name at least one bot.",
            "Nommez au moins un robot.",
        ),
    ],
)
def test_a_refusal_is_said_in_the_readers_language(refused: Any, english: str, french: str) -> None:
    with pytest.raises(PelagosError) as caught:
        refused()
    assert english in str(caught.value)
    assert french in caught.value.say("fr").replace("\u202f", " ")
    assert caught.value.key.partition("/")[2].startswith("refuse.")


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["play", "kraken", "--lang", "fr"], {}),
        (["play", "kraken"], {"PELAGOS_LANG": "fr"}),
        (["simulate", "kraken"], {"LANG": "fr_FR.UTF-8"}),
    ],
)
def test_the_command_line_refuses_in_french(
    arguments: list[str], environment: dict[str, str]
) -> None:
    usual = {name: value for name, value in os.environ.items() if name != "PELAGOS_LANG"}
    done = subprocess.run(
        [sys.executable, "-m", "pelagos.cli", *arguments],
        capture_output=True,
        text=True,
        env={**usual, "LANG": "C.UTF-8", **environment},
    )
    assert done.returncode == 1
    assert "Il n'y a pas de jeu 'kraken'" in done.stderr
