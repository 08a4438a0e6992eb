"""Hints on pages: what the strongest bot would do, asked for by a button or a key."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from pelagos.tables.hints import ADVISER, Hint
from pelagos.tables.message import Message
from pelagos.tables.service import OpenTable
from pelagos.web.cookies import reader_of
from pelagos.web.drawing import Drawing, environment
from pelagos.web.pages import BY_SCRIPT, Pages, first, form_of, number_in
from pelagos.web.playing import Playing
from pelagos.web.reader import Reader

SURE, FAIRLY_SURE = 0.95, 0.8
"""From here on a hint says so; below it is a close call."""


class HintPages:
    """The card that tells a hint."""

    def __init__(self, pages: Pages, playing: Playing) -> None:
        self.pages = pages
        self.playing = playing

    def routes(self) -> list[Route]:
        """Where it is."""
        page = self.pages.page
        return [
            Route("/t/{table}/hint", page(self.ask), methods=["POST"]),
            Route("/t/{table}/hint/told", page(self.take), methods=["POST"]),
        ]

    async def ask(self, request: Request) -> Response:
        """A hint for what the seat has to decide; without script, on the page.

        A browser that can think by itself (`here`) gets what it needs for that, if it is there.
        """
        form = await form_of(request)
        seat, table = number_in(form, "seat"), request.path_params["table"]
        client, more = first(form, "client"), bool(first(form, "more"))
        decision = number_in(form, "decision") if first(form, "decision") else None
        server = self.pages.server
        if first(form, "here") and decision is not None:
            question = await server.hint_question(request, table, seat, decision, client)
            if question is not None:
                return JSONResponse(question)
        live, hint = await server.hint(request, table, seat, decision, client, more)
        card = draw_hint(live.message(seat, drawn=True), hint, reader_of(request))
        if request.headers.get(BY_SCRIPT):
            return HTMLResponse(card)
        return self._whole_page(request, live, seat, card)

    async def take(self, request: Request) -> Response:
        """The card for what the seat's own browser has thought out."""
        form = await form_of(request)
        seat, step = number_in(form, "seat"), number_in(form, "step")
        try:
            thoughts = json.loads(first(form, "thoughts"))
        except ValueError:
            thoughts = None
        live, hint = await self.pages.server.hint_told(
            request, request.path_params["table"], seat, number_in(form, "decision"), step, thoughts
        )
        return HTMLResponse(draw_hint(live.message(seat, drawn=True), hint, reader_of(request)))

    def _whole_page(self, request: Request, live: OpenTable, seat: int, card: str) -> Response:
        visitor = self.playing.visitor(request, live, seat, look=live.table.number)
        return self.playing.show(request, live, visitor, hint=Markup(card))


def draw_hint(message: Message, hint: Hint, reader: Reader) -> str:
    """The inside of the card."""
    drawing = Drawing(message.data, reader)
    context = {**drawing.context(), "hint": hint, **told_of(drawing, hint)}
    return environment().get_template("parts/hint.html").render(context)


def told_of(drawing: Drawing, hint: Hint) -> dict[str, Any]:
    """What the card says: the first two choices, what is expected of each, how sure it is."""
    choices = {choice["action"]: choice for choice in drawing.view["choices"]}
    alone = len(drawing.names) == 1
    lines: list[dict[str, Any]] = []
    for thought in hint.thoughts[:2]:
        if thought.action not in choices:
            continue
        expected = []
        if thought.visits and not alone:
            expected.append(expect(drawing, "win", percent=round(100 * thought.value)))
        if thought.visits:
            expected.append(expect(drawing, "points", count=round(thought.points)))
        label = drawing.told_apart(choices[thought.action])
        lines.append({"action": thought.action, "label": label, "expected": expected})
    sure = "sure" if hint.sure >= SURE else "fairly" if hint.sure >= FAIRLY_SURE else "close"
    bot = ADVISER.names[drawing.reader.language]
    said = [
        f"{line['label']} ({', '.join(expectation['full'] for expectation in line['expected'])})"
        for line in lines
    ]
    key = "hint.only" if len(lines) == 1 else "hint.said"
    named = {"first": said[0], "second": said[-1]} if said else {}
    return {
        "lines": lines,
        "bot": bot,
        "sure": sure,
        "said": drawing.tell(key, bot=bot, sure=drawing.tell(f"hint.{sure}"), **named),
    }


def expect(drawing: Drawing, key: str, **params: int) -> dict[str, str]:
    """What is expected of a choice, in full and for a small window."""
    return {
        "full": drawing.tell(f"hint.{key}", **params),
        "brief": drawing.tell(f"hint.{key}_brief", **params),
    }
