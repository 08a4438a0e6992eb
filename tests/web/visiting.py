"""Pages as tests read them, and tables to visit."""

from __future__ import annotations

import html
import re
from collections import Counter
from html.parser import HTMLParser

from httpx import Client, Response

from pelagos.engine.game import games
from pelagos.tables import acts
from pelagos.tables.table import Table

GAMES = tuple(games())
"""A foreign one among them."""


class Elements(HTMLParser):
    """Every element's attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def ids(self) -> Counter[str]:
        return Counter(str(attrs["id"]) for _, attrs in self.all if "id" in attrs)

    def actions(self) -> set[int]:
        actions: set[int] = set()
        for tag, attrs in self.all:
            if tag == "button" and attrs.get("name") == "action":
                actions.add(int(str(attrs["value"])))
        return actions


def table_of(game: str, players: int) -> Table:
    """A table of people at which the game has begun."""
    table = Table("x" * 22)
    for entry in acts.create(game, {"players": players}, None):
        table.apply(entry)
    for seat in range(players):
        name = ["Mira", "Bo", "Théa", "Ewan", "Noor", "Zélie"][seat]
        acts.sit(table, seat, name, "", f"client-{seat}-0123456789", False)
    return table


def begin(client: Client, game: str, **seats: str) -> str:
    """Lay a table by its form; returns its path."""
    players = sum(name.startswith("seat") for name in seats)
    form = {"players": str(players), "name": "Mira", "previews": "on", **seats}
    answer = client.post(f"/new/{game}", data=form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def fields(text: str) -> dict[str, str]:
    """The hidden fields of the form that makes moves."""
    form = text[text.index('<form id="act"') :]
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)[:3]
    return dict(hidden)


def refusal(answer: Response) -> str:
    """The sentence with which a page refuses something; empty: none."""
    refused = re.search(r'class="refused" role="alert">(.*?)</p>', answer.text, re.DOTALL)
    return html.unescape(refused[1]) if refused else ""
