"""A table drawn without a server, and what must hold of every drawing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from pelagos.engine.match import Match
from pelagos.web import drawing, reader

KEYS = r"\b(table|noun|line|reason|prompt|label|place|mark|event|lately|fact|start|amount)\.[a-z]"
"""What a text looks like that has no words."""


def draw(
    match: Match,
    language: str = "en",
    viewer: int | None = 0,
    *,
    previews: bool = True,
    away: int | None = None,
    past: tuple[tuple[int, ...], ...] = (),
    own: dict[str, Any] | None = None,
    options: dict[str, bool] | None = None,
    plain: bool = False,
    **about: Any,
) -> str:
    """What stands inside `#view`; `own` and `about` are more of what the message tells, `options`
    the table's; `plain` is the table that any game has.
    """
    view = match.view(viewer, previews=previews, follow=True, options=options)
    seats = [
        {
            "name": name,
            "kind": "human",
            "bot": None,
            "taken": True,
            "ready": False,
            **({"away": True} if seat == away else {}),
        }
        for seat, name in enumerate(match.names)
    ]
    mine = {
        "seat": viewer,
        "decision": 1,
        "owes": bool(view["choices"]),
        "undo": False,
        "ahead": [],
        **(own or {}),
    }
    if viewer is not None and mine["ahead"]:
        mine["planned"] = match.planned(viewer, mine["ahead"][0])
    message = {
        "view": view,
        "number": 1,
        "table": {
            "id": "t",
            "game": match.game.id,
            "options": match.options,
            "pack": {"names": {language: match.pack.names(language)}},
            "past": [list(won) for won in past],
            "state": "over" if match.over else "playing",
            "seats": seats,
            "waiting": list(match.pending),
            **about,
        },
        "own": mine if viewer is not None else None,
    }
    made = drawing.Drawing(message, reader.Reader(language, "light", "Mira", plain=plain))
    return str(made.inside({"why": ""}))


class Page(HTMLParser):
    """All tags of a page with their attributes, and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def classes(self, tag: str, *names: str) -> list[dict[str, str]]:
        """The tags of a kind that have all these classes."""
        return [
            attrs
            for kind, attrs in self.tags
            if kind == tag and set(names) <= set(attrs.get("class", "").split())
        ]

    def symbols(self, game: str) -> set[str]:
        """Those of a game's art that it shows."""
        drawn = re.compile(rf"/static/{game}/sprite\.svg\?\w+#([\w-]+)")
        links = (drawn.match(attrs.get("href", "")) for tag, attrs in self.tags if tag == "use")
        return {link[1] for link in links if link is not None}

    @property
    def buttons(self) -> list[dict[str, str]]:
        """The choices on the table; those of the list below it don't count."""
        return [
            attrs
            for attrs in self.classes("button", "choice")
            if "listed" not in attrs["class"].split()
        ]


def check_clean(page: Page) -> None:
    """No script or style in it, every id once, every text in words."""
    for tag, attrs in page.tags:
        assert tag != "script"
        assert "style" not in attrs
        assert not [name for name in attrs if name.startswith("on")]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    seen = " ".join([*page.texts, *(attrs.get("aria-label", "") for _, attrs in page.tags)])
    assert not re.search(KEYS, seen)
    assert not re.search(r"[{}]|&#", seen)
    assert "None" not in seen


def word_keys(table: Any, path: str = "") -> set[str]:
    """The keys of a table of words; the plural forms of a text are one."""
    if not isinstance(table, dict) or {"one", "other"} & table.keys():
        return {path}
    return {key for name in table for key in word_keys(table[name], f"{path}.{name}")}
