"""Words: keys with parameters, put into the reader's language.

A game's words are TOML files, one a language. A text holds `{name}` for a parameter, `{name:the}`
or `{name:a}` for a noun with its article; a table `one`/`other` is chosen by the parameter
`count`. Nouns are data: name, the (with its definite article), a (with its indefinite one), many.
A text as a parameter may have forms too: `{card:short}` is `short.card.3` of a text `card.3`.

Where a parameter is the reader's own seat, the text is `you.<key>.<parameter>`, if there is one:
of `event.take = "{who} takes {card:a}."` it is `you.event.take.who = "You take {card:a}."`. Else
`you.name` stands for the seat, which is right where it is an object: "takes it from you".

A key may say whose word it is: `chess/refuse.deck` stands in the words of the game `chess`,
`tables/refuse.taken` in those of `pelagos.tables`; without a prefix it is the reader's own.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pelagos.engine.game import Game, games
from pelagos.engine.pack import Pack
from pelagos.engine.view import Text

ENGINE = "pelagos.engine"
LANGUAGES = ("en", "fr")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_ELIDED = re.compile(r"(?:^|[^\w'’-])(?:de|que|jusque|lorsque|puisque) $", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_VOWELS = frozenset("aeiou")
_WITH_ARTICLE = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}
_TYPE_SPACE = re.compile(r" ([;:!?»])")


@dataclass(frozen=True)
class Words:
    """One game's words in one language."""

    language: str
    table: Mapping[str, Any]

    def say(self, text: Text, names: Sequence[str] = (), you: int | None = None) -> str:
        """A text for a reader, whose own seat is `you`."""
        return self.text(text["key"], text["params"], names, you)

    def text(
        self,
        key: str,
        params: Mapping[str, Any] | None = None,
        names: Sequence[str] = (),
        you: int | None = None,
    ) -> str:
        """A key's text with its parameters filled in; an unknown key is shown as it is."""
        params = params or {}
        owner, slash, rest = key.partition("/")
        if slash:
            return words_of(owner, self.language).text(rest, params, names, you)
        entry = self._find(key) if you is None else self._addressed(key, params, you)
        if isinstance(entry, dict):
            entry = entry.get(self._plural(params.get("count", 1)), entry.get("other"))
        if not isinstance(entry, str):
            return key

        french = self.language == "fr"
        filled = ""
        for piece in _pieces(entry):
            if isinstance(piece, str):
                filled += piece
                continue
            value = self.value(params.get(piece[1], piece[0]), piece[2], names, you)
            filled = contracted(filled, value, piece[2] == "the") if french else filled + value
        return _TYPE_SPACE.sub("\u202f\\1", filled) if french else filled

    def _addressed(self, key: str, params: Mapping[str, Any], you: int) -> Any:
        """The entry that speaks to the reader, if the text is about their seat."""
        for name, value in params.items():
            if isinstance(value, dict) and value.get("seat") == you:
                entry = self._find(f"you.{key}.{name}")
                if entry is not None:
                    return entry
        return self._find(key)

    def noun(self, face: str, form: str = "name") -> str:
        """A thing's name, alone or with its article."""
        entry = self._find(f"noun.{face}")
        if isinstance(entry, str):
            return entry
        if isinstance(entry, dict):
            return str(entry.get(form, entry["name"]))
        return face

    def symbol(self, face: str) -> str:
        """A thing in a few characters, for a text table."""
        entry = self._find(f"symbol.{face}")
        return entry if isinstance(entry, str) else face

    def has(self, key: str) -> bool:
        """Is there a text for this key?"""
        return self._find(key) is not None

    def _find(self, key: str) -> Any:
        entry: Any = self.table
        for part in key.split("."):
            if not isinstance(entry, dict) or part not in entry:
                return None
            entry = entry[part]
        return entry

    def value(
        self,
        value: Any,
        form: str = "name",
        names: Sequence[str] = (),
        you: int | None = None,
    ) -> str:
        """A parameter for a reader: a noun in some form, a player, a text, a number."""
        if isinstance(value, dict):
            if "noun" in value:
                return self.noun(str(value["noun"]), form)
            if "seat" in value:
                seat = int(value["seat"])
                if seat == you:
                    return self.text("you.name")
                return names[seat] if seat < len(names) else str(seat)
            if "key" in value:
                key, formed = value["key"], f"{form}.{value['key']}"
                key = formed if form != "name" and self.has(formed) else key
                return self.text(key, value.get("params"), names, you)
        if isinstance(value, int) and not isinstance(value, bool):
            signed = f"{value:+d}" if form == "signed" else str(value)
            return signed.replace("-", "\u2212")
        return str(value)

    def _plural(self, count: Any) -> str:
        form: str = _plural_form(self.language)(count)
        return form


def contracted(before: str, after: str, article: bool = False) -> str:
    """French words put together: `de` and `Ada` are `d'Ada`, `que` and `Ada` `qu'Ada`; if `after`
    begins with an article, `de` and `le vent` are `du vent`, `à` and `les` are `aux`.
    """
    if article and before.endswith(("de ", "à ")):
        for small, joined in _WITH_ARTICLE.items():
            end, begin = small.split()
            if _ends_with(before, f"{end} ") and after.startswith(f"{begin} "):
                return before[: -len(end) - 1] + joined + after[len(begin) :]
    if _ELIDED.search(before) and elides(after):
        return f"{before[:-2]}'{after}"
    return before + after


def elides(words: str) -> bool:
    """Does a French word before these lose its last vowel? A list names those that look so but
    are said otherwise: aspirated h, `onze`, `yaourt`.
    """
    word = _FIRST_WORD.match(words.casefold())
    if word is None:
        return False
    plain = unicodedata.normalize("NFD", word[0].replace("œ", "o").replace("æ", "a"))
    spellings = {word[0], word[0].rstrip("sx")}
    if spellings & _not_elided():
        return False
    if plain[0] == "y":  # Yves and Ys, but not Yann and Yoko
        return len(plain) > 1 and plain[1] not in _VOWELS
    return plain[0] in _VOWELS or plain[0] == "h"


@cache
def _not_elided() -> frozenset[str]:
    listed = files(ENGINE) / "words" / "aspirated.fr.txt"
    return frozenset(listed.read_text(encoding="utf-8").split())


def _ends_with(text: str, word: str) -> bool:
    return bool(re.search(rf"(?:^|\W){word}$", text))


@cache
def _pieces(entry: str) -> list[str | tuple[str, str, str]]:
    """A text as what stands in it and its slots: how each is written, its name, its form."""
    pieces: list[str | tuple[str, str, str]] = []
    end = 0
    for slot in _SLOT.finditer(entry):
        pieces += [entry[end : slot.start()], (slot[0], slot[1], slot[2] or "name")]
        end = slot.end()
    return [*pieces, entry[end:]]


@cache
def _plural_form(language: str) -> Any:
    from babel import Locale

    return Locale(language).plural_form


def pack_words(pack: Pack, language: str) -> Words:
    """A game's words, with the names of a pack's own things."""
    usual = words(pack.game, language)
    return named_words(pack.game, usual.language, pack.names(usual.language))


def named_words(game: Game, language: str, names: Mapping[str, str]) -> Words:
    """A game's words, with other names for some things."""
    usual = words(game, language)
    if not names:
        return usual
    nouns = {**usual.table.get("noun", {}), **names}
    symbols = {key: name[:3] for key, name in names.items()}
    symbols = {**usual.table.get("symbol", {}), **symbols}
    return Words(usual.language, {**usual.table, "noun": nouns, "symbol": symbols})


def words(game: Game, language: str) -> Words:
    """A game's words in a language, the engine's own beneath them."""
    return package_words(game.package, language)


def own_words(language: str) -> Words:
    """The engine's own words."""
    return package_words(ENGINE, language)


def words_of(owner: str, language: str) -> Words:
    """The words behind a key's prefix: a game's id, or a part of Pelagos."""
    installed = games()
    return package_words(
        installed[owner].package if owner in installed else f"pelagos.{owner}", language
    )


@cache
def package_words(package: str, language: str) -> Words:
    """A package's `words/<language>.toml`, the engine's own beneath them."""
    if language not in LANGUAGES:
        language = "en"
    table: dict[str, Any] = {}
    for source in dict.fromkeys((ENGINE, package)):
        file = files(source) / "words" / f"{language}.toml"
        if file.is_file():
            _merge(table, tomllib.loads(file.read_text(encoding="utf-8")))
    return Words(language, table)


def _merge(table: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(table.get(key), dict):
            _merge(table[key], value)
        else:
            table[key] = dict(value) if isinstance(value, Mapping) else value
