"""A game's rules and rulings as pages.

Both are Markdown in the game's own package, `rules.<language>.md` and `rulings.md`; the game's
symbols stand where a table names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from pelagos.engine.game import Game, find_game
from pelagos.engine.words import words
from pelagos.web import art

_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)([^)]*)\)")
_OTHER_LANGUAGE = re.compile(r"\*\[[^\]]*\]\(rules\.[a-z]{2}\.md\) · ")
_RULING = re.compile(r"[A-Z]+-\d+")
_TITLE = re.compile(r"^# .*\n", re.MULTILINE)
_ALIGN = re.compile(r' style="text-align:(\w+)"')
_HEADING = re.compile(r"<h([23])>(.*?)</h\1>")
_CELL = re.compile(r"<td([^>]*)>(.*?)</td>", re.DOTALL)
_DIAGRAM = re.compile(r'<pre><code class="language-text">(.*?)</code></pre>', re.DOTALL)
_CODE = re.compile(r"(<code>.*?</code>)")


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


def _page(game: Game, language: str, *names: str) -> Rules | None:
    text = read_page(game, *names)
    if text is None:
        return None
    text = _OTHER_LANGUAGE.sub("*", _TITLE.sub("", text, count=1))
    text = _LINK.sub(lambda link: _linked(game, link[1], link[2]), text)
    drawn = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    drawn = drawn.replace("<table>", '<div class="scrolls" tabindex="0"><table>')
    drawn = drawn.replace("</table>", "</table></div>")
    drawn = _ALIGN.sub(r' class="\1"', drawn)
    pictured = _pictured(game, language)
    drawn = _CELL.sub(lambda cell: f"<td{cell[1]}>{pictured(cell[2])}</td>", drawn)
    drawn = _DIAGRAM.sub(lambda one: _diagram(game, language, one[1]), drawn)
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


def _linked(game: Game, label: str, target: str) -> str:
    """A link from one of the game's pages to another; what leads elsewhere is left as text."""
    page, _, anchor = target.partition("#")
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
    called = {
        said.noun(name, form).lower(): name
        for name in art.art_names(game.id)
        if said.has(f"noun.{name}")
        for form in ("name", "many")
    }
    if not called:
        return lambda text: text
    longest = sorted(called, key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(re.escape(one) for one in longest)})\b", re.IGNORECASE)

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
