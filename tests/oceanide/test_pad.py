"""Océanide's score pad: finished collections typed in from a table."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from pelagos.engine.arrays import record_of
from pelagos.engine.errors import BadTableau
from pelagos.engine.pack import default_pack
from pelagos.engine.pad import Pad
from pelagos.engine.words import words
from pelagos.games.oceanide import GAME, cards, tableau


def pad(text: str) -> Pad:
    return tableau.score(text, default_pack(GAME))


def sheets(counted: Pad) -> list[dict[str, int]]:
    return [{line["key"]: line["points"] for line in sheet["lines"]} for sheet in counted.sheets]


def reasons(counted: Pad, seat: int, line: int, language: str = "en") -> list[str]:
    said = words(GAME, language)
    return [said.say(proof["reason"]) for proof in counted.sheets[seat]["lines"][line]["evidence"]]


def notes(counted: Pad) -> list[str]:
    return [words(GAME, "en").say(note, counted.names) for note in counted.notes]


def test_the_rulebooks_example_by_values() -> None:
    counted = pad("Ada\nsets: 5, 6, 7, 5, 5\nshowcase: 5\nhand: 2\nthieves: 3\n")
    assert sheets(counted) == [{"sets": 28, "showcase": 5, "hand": 2, "thieves": 6}]
    assert counted.sheets[0]["total"] == 41
    assert reasons(counted, 0, 0) == [
        "3 sets of three worth 5",
        "a set of three worth 6",
        "a set of three worth 7",
    ]
    assert counted.notes == []


def test_objects_by_id_by_name_in_both_languages_or_by_their_start() -> None:
    for sets in (
        "rum star heart rum",
        "bottle of rum, captive star, heart of the wreck, rum",
        "Bouteille de rhum; Étoile captive; CŒUR D'ÉPAVE; bouteille",
        "ru st hea ru",
    ):
        counted = pad(f"Ada\nsets: {sets}")
        assert sheets(counted)[0]["sets"] == 24
        assert reasons(counted, 0, 0, "fr") == [
            "une série de trois\u202f: étoile captive",
            "2 séries de trois\u202f: bouteille de rhum",
            "une série de trois\u202f: cœur d'épave",
        ]


def test_a_name_of_several_words_alone_needs_no_comma() -> None:
    assert sheets(pad("Ada\nsets: bottle of rum"))[0]["sets"] == 6


def test_french_lines_remarks_and_empty_lines() -> None:
    counted = pad(
        "\ufeffAda:\n\nSéries : bouteille, 7   # deux\nvitrine: lune, clé\nMain : 3\nvoleuses: 1\n"
    )
    assert counted.names == ["Ada"]
    assert sheets(counted) == [{"sets": 13, "showcase": 2, "hand": 3, "thieves": 2}]
    assert counted.sheets[0]["lines"][1]["evidence"][0]["pieces"] == ["moon", "key"]


def test_evidence_adds_up() -> None:
    counted = pad("Ada\nsets: rum, 6, sun\nshowcase: star rum\nhand: 4\nthieves: 2\n\nBo\nhand: 1")
    for sheet in counted.sheets:
        for line in sheet["lines"]:
            assert sum(proof["points"] for proof in line["evidence"]) == line["points"]


@pytest.mark.parametrize(
    ("ada", "bo", "note"),
    [
        ("hand: 2", "hand: 1", ["Ada wins."]),
        (
            "sets: 4, 3",
            "sets: sun",
            [
                "Bo wins.",
                "The tie is broken by the most precious set: the drowned sun, value 7.",
            ],
        ),
        ("sets: sun", "sets: heart", ["The best share the win."]),
    ],
)
def test_who_wins_and_what_broke_a_tie(ada: str, bo: str, note: list[str]) -> None:
    assert notes(pad(f"Ada\n{ada}\nBo\n{bo}\n")) == note


def test_a_tie_is_broken_where_two_collections_first_differ() -> None:
    counted = pad("Ada\nsets: sun, 5, 3\nBo\nsets: heart, key, key\n")
    assert counted.winners == [0]
    assert counted.tie_break is not None
    assert counted.tie_break["params"]["value"] == 5
    assert pad("Ada\nsets: sun\nBo\nhand: 1\n").tie_break is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no player"),
        ("hand: 2", "Line 1: a player's name comes first"),
        ("Ada\npurse: 2", "Line 2: 'purse' should be sets, showcase, hand, thieves"),
        ("Ada\nhand: two", "Line 2: a number from 0 to 83 is needed, not 'two'"),
        ("Ada\nhand: 84", "a number from 0 to 83"),
        ("Ada\nhand: 00000000000001", "a number from 0 to 83"),
        ("Ada\nthieves: 13", "a number from 0 to 12"),
        ("Ada\nshowcase: 14", "a number from 0 to 13"),
        ("Ada\nshowcase: rum, rum", "one card of each object"),
        ("Ada\nhand: 1\nhand: 2", "Line 3: Ada has a line hand already"),
        ("Ada\nsets: pearl", "Line 2: 'pearl' is no object; they are trident, "),
        ("Ada\nsets: s", "'s' could be smoker or star or scales or sun"),
        ("Ada\nsets: thief", "'thief' is no object"),
        ("Ada\nsets: 8", "no object is worth 8"),
        ("Ada\nsets: rum, rum\nBo\nsets: rum", "Line 4: a set of rum too many; its 6 cards make 2"),
        ("Ada\nsets: 3 3 3 3 3", "Line 2: a set of value 3 too many"),
        ("Ada\nthieves: 7\nBo\nthieves: 6", "13 thieves; the pack has 12"),
        ("\n".join(f"P{seat}\nhand: 1" for seat in range(6)), "6 players; there are at most 5"),
        ("x" * 41, "a player's name has 1 to 40 letters"),
    ],
)
def test_a_mistake_gets_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(BadTableau, match=reason.replace("(", r"\(")):
        pad(text)


def test_a_pack_of_ones_own_brings_its_own_names() -> None:
    from pelagos.engine.pack import make_pack

    files: dict[str, Any] = dict(default_pack(GAME).files)
    files["cards.csv"] = files["cards.csv"].replace("rum,bottle of rum", "buoy,red buoy")
    counted = tableau.score("Ada\nsets: red buoy", make_pack(GAME, files))
    assert sheets(counted)[0]["sets"] == 6


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_pages_example_is_read(language: str) -> None:
    page = Path(str(files(GAME.package))) / f"rules.{language}.md"
    (example,) = re.findall(r"^```text\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert sheets(pad(example)) == [
        {"sets": 23, "showcase": 5, "hand": 2, "thieves": 6},
        {"sets": 18, "showcase": 3, "hand": 0, "thieves": 0},
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_pages_table_of_values_is_the_packs(language: str) -> None:
    page = Path(str(files(GAME.package))) / f"rules.{language}.md"
    values = {
        name: int(row[1])
        for row in re.finditer(r"^\| (\d) \| (.*) \|$", page.read_text(), re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row[2])
    }
    data = record_of(default_pack(GAME).data)
    assert values == dict(zip(cards.ids(data), data.values.tolist(), strict=False))
