"""French words that lose or join their vowels before names, titles and things."""

from __future__ import annotations

import pytest

from pelagos.engine.game import games
from pelagos.engine.words import Words, contracted, words
from pelagos.web.reader import own_words

ELIDED = [
    "Ada",
    "Élodie",
    "Îlot",
    "Œdipe",
    "Ægir",
    "Ursule",
    "Ówen",
    "Yves",
    "Ysé",
    "Hélène",
    "Henri",
    "Hector",
    "Hugues",
    "herbe",
    "heure",
    "huître",
    "Écosystème",
    "Océanide",
    "Oceanos",
    "Ozeanien",
    "algue",
    "Åsa",
    "Ilse",
]
WHOLE = [
    "Bo",
    "Zélie",
    "Théa",
    "Çelik",
    "Ñuria",
    "Hans",
    "Harry",
    "Heidi",
    "héron",
    "hérons",
    "hareng",
    "homard",
    "hibou",
    "hiboux",
    "Hollande",
    "onze",
    "oui",
    "ouistiti",
    "Yann",
    "Yoko",
    "Yasmine",
    "yaourt",
    "8",
    "11",
    "1",
    "8½",
    "🐙",
    "_Ada",
    "«Ada»",
]


@pytest.mark.parametrize("name", ELIDED)
def test_de_is_elided_before_vowels_and_mute_h(name: str) -> None:
    assert contracted("Règles de ", name) == f"Règles d'{name}"
    assert contracted("plus que ", name) == f"plus qu'{name}"
    assert contracted("De ", name) == f"D'{name}"


@pytest.mark.parametrize("name", WHOLE)
def test_de_stays_before_consonants_aspirated_h_digits_and_signs(name: str) -> None:
    assert contracted("Règles de ", name) == f"Règles de {name}"


def test_only_the_word_itself_is_elided() -> None:
    assert contracted("Passez à ", "Ada") == "Passez à Ada"
    assert contracted("monde ", "Ada") == "monde Ada"
    assert contracted("Prenez-le de ", "O'Neill") == "Prenez-le d'O'Neill"
    assert contracted("", "Ada") == "Ada"


@pytest.mark.parametrize(
    ("before", "after", "both"),
    [
        ("loin de ", "le krill", "loin du krill"),
        ("loin de ", "les krills", "loin des krills"),
        ("loin de ", "la pieuvre", "loin de la pieuvre"),
        ("loin de ", "l'algue", "loin de l'algue"),
        ("va à ", "le mérou", "va au mérou"),
        ("va à ", "les mérous", "va aux mérous"),
    ],
)
def test_du_des_au_aux_before_an_article(before: str, after: str, both: str) -> None:
    assert contracted(before, after, article=True) == both


def test_a_family_name_keeps_its_article() -> None:
    assert contracted("Main de ", "Le Goff") == "Main de Le Goff"
    assert contracted("Main de ", "Les Sables") == "Main de Les Sables"


def test_all_texts_are_put_together_so() -> None:
    table = {
        "thief": "La voleuse de {who} échange {card:the}.",
        "near": "Près de {card:the}, loin de {other:the}.",
        "noun": {"krill": {"name": "krill", "the": "le krill"}, "orca": {"name": "orque"}},
    }
    french, english = Words("fr", table), Words("en", table)
    krill, seat = {"noun": "krill"}, {"seat": 0}
    said = {"who": seat, "card": krill, "other": {"noun": "orca"}}
    assert french.text("thief", said, ["Ada"]) == "La voleuse d'Ada échange le krill."
    assert french.text("thief", said, ["Bo"]) == "La voleuse de Bo échange le krill."
    assert french.text("near", said) == "Près du krill, loin d'orque."
    assert english.text("thief", said, ["Ada"]).startswith("La voleuse de Ada")


def test_titles_are_elided_on_pages() -> None:
    for game in games().values():
        title = game.titles["fr"].replace(" :", "\u202f:")
        of = f"d'{title}" if title[0] in "AEÉIOU" else f"de {title}"
        assert own_words("fr").text("help.rules", {"game": title}) == f"Règles {of}"
    label = words(games()["oceanide"], "fr").text("place.hand", {"player": {"seat": 0}}, ["Ada"])
    assert label == "Main d'Ada"
