"""What tables refuse: texts in every language, told in the reader's."""

from __future__ import annotations

import re
import string
from importlib.resources import files
from pathlib import Path

import httpx
import pytest

import pelagos.tables
from pelagos.engine.errors import BadRecord, IllegalMove, PelagosError, text
from pelagos.engine.words import LANGUAGES, words_of
from pelagos.tables.errors import Stale
from pelagos.tables.refusals import refusal, wished_language
from tabling import ROOT, Server, client_id, gather, lay

KEY = re.compile(r'"tables/(refuse\.[a-z_]+)"')


def keys_in_code() -> set[str]:
    folder = Path(str(files(pelagos.tables)))
    return {key for file in folder.rglob("*.py") for key in KEY.findall(file.read_text())}


def texts_of(language: str, key: str) -> list[str]:
    """A key's text, or its forms by number."""
    said = words_of("tables", language).table["refuse"][key.removeprefix("refuse.")]
    return [said] if isinstance(said, str) else list(said.values())


def slots(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_refusal_has_words_in_every_language() -> None:
    keys = keys_in_code()
    assert len(keys) > 40
    for key in keys:
        asked = {name for sentence in texts_of("en", key) for name in slots(sentence)}
        for language in LANGUAGES:
            for sentence in texts_of(language, key):
                assert sentence
                assert slots(sentence) == asked, (key, language)


def test_no_words_are_left_over() -> None:
    from pelagos.engine.words import own_words

    for language in LANGUAGES:
        table = words_of("tables", language).table["refuse"]
        engine = own_words(language).table["refuse"]
        own = {f"refuse.{key}" for key in table if table[key] != engine.get(key)}
        assert own == keys_in_code()


def test_no_sentence_stands_in_the_code() -> None:
    """A refusal that is raised names a text: nothing in quotes is raised as it is."""
    raised = re.compile(r"raise [A-Z]\w+\(\s*f?[\"']")
    for file in Path(str(files(pelagos.tables))).rglob("*.py"):
        assert not raised.findall(file.read_text()), file.name


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH, en;q=0.5", "fr"),
        ("de, en;q=0.8, fr;q=0.9", "fr"),
        ("de", "en"),
        ("fr;q=x, en;q=0.1", "en"),
    ],
)
def test_the_first_language_that_we_speak_is_spoken(header: str, language: str) -> None:
    assert wished_language(header) == language


def test_a_refusal_tells_code_reason_and_sentences() -> None:
    error = Stale(text("tables/refuse.stale"))
    assert refusal(error, "fr") == {
        "code": "stale",
        "reason": "tables/refuse.stale",
        "sentence": "You have answered that already; here is how things stand now.",
        "message": "Vous avez déjà répondu\u202f; voici où en est la table.",
    }
    assert refusal(IllegalMove(text("refuse.over")), "en")["code"] == "illegal"
    assert refusal(BadRecord("Some words."), "fr") == {
        "code": "refused",
        "sentence": "Some words.",
        "message": "Some words.",
    }


def test_a_reason_within_a_refusal_is_in_the_same_language() -> None:
    why = text("tables/refuse.other_rules", version="0", installed="1")
    said = PelagosError(text("tables/refuse.broken", reason=why)).say("fr")
    assert said.startswith("Cette table ne peut plus être ouverte")
    assert "la version 0 des règles" in said


def test_the_api_refuses_in_the_readers_language(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        people = gather(server.url, "minnows", 2)
        table = people[0].table
        body = {"name": "A", "client": client_id()}
        taken = {
            language: httpx.post(
                f"{server.url}{ROOT}/tables/{table}/seats/0",
                json=body,
                headers={"Accept-Language": language} if language else {},
            ).json()["error"]
            for language in ("", "en", "fr")
        }
        assert taken[""] == taken["en"]
        assert taken["fr"]["message"] == "Cette place est prise."
        for refusal in taken.values():
            assert refusal["sentence"] == "This seat is taken."
            assert (refusal["code"], refusal["reason"]) == ("refused", "tables/refuse.taken")
        foreign = {"Origin": "https://elsewhere.test", "Accept-Language": "fr"}
        refusal = httpx.post(f"{server.url}{ROOT}/tables", json={}, headers=foreign).json()["error"]
        assert refusal["message"] == "Cette requête vient de la page d'un autre site."
        wrong = httpx.get(f"{server.url}{ROOT}/tables/{'x' * 22}", headers=foreign)
        assert wrong.json()["error"]["reason"] == "tables/refuse.no_table"
        assert lay(server.url, "minnows", 2)
