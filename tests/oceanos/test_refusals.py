"""Refusals: one sentence each, in both languages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from oceanos.setting import GAME, PACK
from pelagos.engine.errors import PelagosError
from pelagos.engine.match import Match
from pelagos.games.oceanos import tableau

FOLDER = Path(tableau.__file__).parent


def slots(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


def test_every_refusal_is_used_and_says_the_same_in_both_languages() -> None:
    english, french = (
        tomllib.loads((FOLDER / "words" / f"{language}.toml").read_text(encoding="utf-8"))["refuse"]
        for language in ("en", "fr")
    )
    files = ("rules.py", "notation.py", "material.py", "tableau.py")
    source = "".join((FOLDER / file).read_text(encoding="utf-8") for file in files)
    used = set(re.findall(r'oceanos/refuse\.(\w+)"', source))
    used |= set(re.findall(r'(?:_wrong|\.wrong|_bad_card)\(\s*"(\w+)"', source))
    used |= {"captain", "no_captain"}
    assert used == english.keys() == french.keys()
    for key in used:
        assert slots(english[key]) == slots(french[key])
        assert english[key] != french[key]


def test_a_refusal_is_told_in_the_readers_language() -> None:
    with pytest.raises(PelagosError) as refused:
        Match.new(GAME, players=2, troubled=True)
    assert "with two there is no captain" in refused.value.say("en")
    assert "à deux, il n'y a pas de capitaine" in refused.value.say("fr")
    with pytest.raises(PelagosError) as refused:
        tableau.score("Ada\n1-01 1-02 1-03 1-04 2-05\n", PACK)
    assert str(refused.value) == "Line 2: '2-05' is no card of round 1."
    assert refused.value.say("fr") == "Ligne 2\u202f: '2-05' n'est pas une carte de la manche 1."
