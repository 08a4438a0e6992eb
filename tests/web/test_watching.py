"""Who watches is told what happens, and chooses whose board is near."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from httpx import Client

from browser import Site
from drawn import Page, check_clean
from pelagos.engine.game import find_game, games
from pelagos.tables.message import Messages
from pelagos.tables.table import SPECTATOR, Table
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader
from web.visiting import begin, table_of


@cache
def begun(which: str) -> Table:
    return table_of(which, min(find_game(which).players[-1], 3))


def watched(which: str, near: int, language: str = "en", plain: bool = False) -> Drawing:
    table = begun(which)
    message = {**Messages().of(table, SPECTATOR, follow=True).data, "near": near}
    return Drawing(message, Reader(language, plain=plain))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("which", sorted(games()))
def test_the_prompt_says_who_chooses(which: str, plain: bool) -> None:
    drawing = watched(which, 0, plain=plain)
    due = [drawing.names[seat] for seat in drawing.about["waiting"]]
    page = Page(drawing.inside({"why": ""}))
    check_clean(page)
    texts = " ".join(" ".join(page.texts).split())
    if len(due) == 1:
        assert f"{due[0]} chooses." in texts
    else:
        assert f"{', '.join(due[:-1])} and {due[-1]} choose." in texts
    assert "aiting for the others" not in texts


@pytest.mark.parametrize("which", sorted(games()))
def test_any_seats_board_is_near_and_has_its_name(which: str) -> None:
    drawings = [watched(which, near) for near in range(2)]
    pages = [Page(drawing.inside({"why": ""})) for drawing in drawings]
    for near, (drawing, page) in enumerate(zip(drawings, pages, strict=True)):
        assert drawing.own_first[0] == near
        assert f"The board of {drawing.names[near]}" in " ".join(page.texts)
        links = [attrs["href"] for tag, attrs in page.tags if "near=" in attrs.get("href", "")]
        assert links == [f"/t/{'x' * 22}?seat=-1&near={seat}" for seat in range(len(drawing.names))]
        assert not page.buttons
    assert drawings[0].view == drawings[1].view  # nothing more is seen


def test_nobody_is_named_to_whom_plays() -> None:
    table = begun("ecosystem")
    page = Page(Drawing(Messages().of(table, 1).data, Reader("en")).inside({"why": ""}))
    assert not page.classes("nav", "watch")


def test_the_stream_keeps_who_is_near(tmp_path: Path) -> None:
    with Site(tmp_path) as site, Client(base_url=site.url, timeout=None) as client:
        path = begin(client, "ozeanien", seat0="me", seat1="here")
        assert "/stream?seat=-1&amp;near=1" in client.get(f"{path}?seat=-1&near=1").text
        for wrong in ("7", "x", "-1", "²"):
            page = client.get(path, params={"seat": "-1", "near": wrong}).text
            assert '/stream?seat=-1"' in page
