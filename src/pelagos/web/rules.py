"""A game's rules and rulings as pages.

Both are Markdown in the game's own package, `rules.<language>.md` and `rulings.md`; the game's
symbols stand where a table names them. `<!-- example: shells -->` in the rules is where that
example of the game's goes; `examples` puts it there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from pelagos.engine.game import Game, find_game
from pelagos.engine.words import words
from pelagos.web import art
from pelagos.web.own_table import own_table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)([^)]*)\)")
_OTHER_LANGUAGE = re.compile(r"\*\[[^\]]*\]\(rules\.[a-z]{2}\.md\) · ")
_BY_ID = re.compile(r"^### ([A-Z]+-\d+)\n\n(.*?)(?=\n##|\Z)", re.MULTILINE | re.DOTALL)
_RULING = re.compile(r"[A-Z]+-\d+")
_TITLE = re.compile(r"^# .*\n", re.MULTILINE)
_ALIGN = re.compile(r' style="text-align:(\w+)"')
_HEADING = re.compile(r"<h([23])>(.*?)</h\1>")
_CELL = re.compile(r"<td([^>]*)>(.*?)</td>", re.DOTALL)
_DIAGRAM = re.compile(r'<pre><code class="language-text">(.*?)</code></pre>', re.DOTALL)
_CODE = re.compile(r"(<code>.*?</code>)")
_ID = re.compile(r"\s*\(?<code>([a-z]+)</code>\)?")
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_HEAD = re.compile(r"<th[^>]*>(.*?)</th>", re.DOTALL)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_PART = re.compile(r"^(?=## )", re.MULTILINE)
_TYPED = re.compile(r"^## Notation$|`pelagos [a-z]+ |`--option ", re.MULTILINE)
"""What is typed into a terminal: of no use to somebody in a browser."""
_EXAMPLE = re.compile(r"^<!-- example: ([\w-]+) -->$", re.MULTILINE)
_EXAMPLE_PLACE = re.compile(r"<p>example-stands-here ([\w-]+)</p>")
_SENTENCE = re.compile(r"[^.\n]*`--option [^.]*\.\s*")


@dataclass(frozen=True)
class Argued:
    """A ruling that people argue about, in one language."""

    id: str
    text: Markup
    confidence: str
    """high, medium or low."""

    @property
    def anchor(self) -> str:
        """Where it stands on the rules page."""
        return f"argued-{self.id.lower()}"


@dataclass(frozen=True)
class Rules:
    """The rules or rulings of a game in one language."""

    text: Markup
    parts: tuple[tuple[str, str], ...]
    """Each part's anchor and heading."""


def read_page(game: Game, *names: str) -> str | None:
    """The first of these Markdown files that the game's package has."""
    for name in names:
        file = files(game.package) / f"{name}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None


@cache
def rules_of(game: str, language: str) -> Rules | None:
    """The page of a game's rules, in English where the language is missing; None if it has none."""
    return _page(find_game(game), language, f"rules.{language}", "rules.en")


@cache
def rulings_of(game: str, language: str) -> Rules | None:
    """The page of a game's rulings; None if it has none."""
    return _page(find_game(game), language, f"rulings.{language}", "rulings")


@cache
def argued_of(game_id: str, language: str) -> tuple[Argued, ...]:
    """The rulings that people argue about, from `argued.<language>.md` of the game's folder; of
    each the question and the answer. None where the game names none.
    """
    game = find_game(game_id)
    text = read_page(game, f"argued.{language}", "argued.en") or ""
    rulings = dict(_BY_ID.findall(read_page(game, "rulings") or ""))
    drawn = _markdown()
    return tuple(
        Argued(name, Markup(drawn.render(said)), _confidence(rulings.get(name, "")))
        for name, said in _BY_ID.findall(text)
    )


def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt  # most pages do without it, and it is slow to load

    return MarkdownIt("commonmark", {"html": False})


def _confidence(ruling: str) -> str:
    confidence = re.search(r"\*Confidence:\* (high|medium|low)", ruling)
    return confidence[1] if confidence else ""


def _page(game: Game, language: str, *names: str) -> Rules | None:
    text = read_page(game, *names)
    if text is None:
        return None
    text = _OTHER_LANGUAGE.sub("*", _TITLE.sub("", text, count=1))
    if names[0].startswith("rules"):
        text = _SENTENCE.sub(lambda sentence: _without_option(sentence[0]), text)
        text = "".join(part for part in _PART.split(text) if not _TYPED.search(part))
    argued = {}
    if names[0].startswith("rules"):
        argued = {ruling.id: ruling.anchor for ruling in argued_of(game.id, language)}
    text = _EXAMPLE.sub(r"example-stands-here \1", text)
    text = _LINK.sub(lambda link: _linked(game, link[1], link[2], argued), text)
    drawn = _markdown().enable("table").render(text)
    drawn = _EXAMPLE_PLACE.sub(r"<!--example \1-->", drawn)
    drawn = _TABLE.sub(lambda table: _labelled(table[0]), drawn)
    drawn = re.sub("<table[^>]*>", r'<div class="scrolls" tabindex="0">\g<0>', drawn)
    drawn = drawn.replace("</table>", "</table></div>")
    drawn = _ALIGN.sub(r' class="\1"', drawn)
    pictured = _pictured(game, language)
    said = words(game, language)

    def cell(match: re.Match[str]) -> str:
        own = _ID.sub(lambda name: "" if said.has(f"noun.{name[1]}") else name[0], match[2])
        return f"<td{match[1]}>{pictured(own)}</td>"

    drawn = _CELL.sub(cell, drawn)
    drawn = _DIAGRAM.sub(lambda diagram: _diagram(game, language, diagram[1]), drawn)
    parts: list[tuple[str, str]] = []

    def heading(match: re.Match[str]) -> str:
        anchor = f"part-{len(parts) + 1}"
        if match[1] == "2":
            parts.append((anchor, re.sub(r"<[^>]+>", "", match[2])))
            return f'<h2 id="{anchor}">{pictured(match[2])}</h2>'
        if _RULING.fullmatch(match[2]):
            return f'<h3 id="{match[2].lower()}">{match[2]}</h3>'
        return f"<h3>{pictured(match[2])}</h3>"

    drawn = _HEADING.sub(heading, drawn)
    return Rules(Markup(drawn), tuple(parts))


def _without_option(sentence: str) -> str:
    """`Three players: `--option x`.` without what is typed."""
    return re.sub(r"\s*:?\s*`--option [^`]*`", "", sentence)


def _labelled(table: str) -> str:
    """A table whose cells know their column's name: on a phone they stand below each other."""
    heads = [re.sub(r"<[^>]+>", "", head) for head in _HEAD.findall(table)]
    if len(heads) < 3:
        return table

    def row(match: re.Match[str]) -> str:
        names = iter(heads)
        return re.sub(r"<td", lambda _: f'<td data-label="{next(names, "")}"', match[0])

    return _ROW.sub(row, table).replace("<table>", '<table class="stacks">')


def _linked(game: Game, label: str, target: str, argued: Mapping[str, str]) -> str:
    """A link from one of the game's pages to another; what leads elsewhere is left as text. A
    ruling that stands on the page itself is looked up there.
    """
    page, _, anchor = target.partition("#")
    if anchor.upper() in argued:
        return f"[{label}](#{argued[anchor.upper()]})"
    if not re.fullmatch(r"(rules|rulings)(\.[a-z]{2})?\.md", page):
        return label
    anchor = f"#{anchor}" if _RULING.fullmatch(anchor.upper()) else ""
    return f"[{label}](/{page.partition('.')[0]}/{game.id}{anchor})"


def _icon(game: str, name: str, kind: str) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 64 64" aria-hidden="true" focusable="false">'
        f'<use href="{art.sprite_address(game)}#{escape(name)}"></use></svg>'
    )


def _pictured(game: Game, language: str) -> Callable[[str], str]:
    """Puts a symbol before each thing that a text names."""
    said = words(game, language)
    table, symbols = own_table(game.id), art.art_names(game.id)
    called: dict[str, str] = {}
    for name in (*said.table.get("mark", ()), *said.table.get("noun", ())):
        symbol = name if name in symbols else table and table.symbol and table.symbol(name)
        if symbol in symbols:
            own = [said.noun(name, form) for form in ("name", "many")]
            marks = [said.text(f"mark.{name}")] if said.has(f"mark.{name}") else []
            called |= {spelling.lower(): str(symbol) for spelling in [*own, *marks]}
    if not called:
        return lambda text: text
    longest = sorted(called, key=len, reverse=True)
    pattern = re.compile(
        rf"\b({'|'.join(re.escape(spelling) for spelling in longest)})\b", re.IGNORECASE
    )

    def put(match: re.Match[str]) -> str:
        icon = _icon(game.id, called[match[0].lower()], "in-text")
        return f'<span class="named">{icon}{match[0]}</span>'

    def pictured(text: str) -> str:
        pieces = _CODE.split(text)
        return "".join(
            piece if piece.startswith("<code>") else pattern.sub(put, piece) for piece in pieces
        )

    return pictured


def _diagram(game: Game, language: str, text: str) -> str:
    """A drawing in letters, its abbreviations as symbols."""
    said = words(game, language)
    short = {
        said.symbol(name): name
        for name in art.art_names(game.id)
        if said.has(f"symbol.{name}")
        and len(said.symbol(name)) == 3
        and said.symbol(name).isalpha()
    }
    if not short:
        return f'<pre tabindex="0">{text}</pre>'
    pattern = re.compile(rf"(?<![\w/])({'|'.join(short)})(?![\w/])")

    def put(match: re.Match[str]) -> str:
        icon = _icon(game.id, short[match[0]], "in-drawing")
        return f'<span class="tile">{icon}<span class="unseen">{match[0]}</span></span>'

    drawn, count = pattern.subn(put, text)
    return f'<pre tabindex="0"{" class=drawn" if count else ""}>{drawn}</pre>'
