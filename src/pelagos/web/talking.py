"""Talk at a table, as its page shows it: in the reader's language, beside the game."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.tables.message import Message
from pelagos.tables.table import PLAYING, SPECTATOR
from pelagos.tables.talk import LONGEST_TEXT, PHRASES, SIGNS
from pelagos.web.cookies import reader_of
from pelagos.web.drawing import environment, names_of
from pelagos.web.pages import BY_SCRIPT, Pages, first, form_of, number_in
from pelagos.web.reader import Reader, own_words

WORDS = "tables/talk"


class Talking:
    """Where people at a table say something."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        return [Route("/t/{table}/talk", self.pages.page(self.say), methods=["POST"])]

    async def say(self, request: Request) -> Response:
        """Say a sign, a phrase or a text; the streams bring it to everyone."""
        form = await form_of(request)
        table, seat = request.path_params["table"], number_in(form, "seat")
        said = {kind: first(form, kind) for kind in ("sign", "phrase", "text")}
        if seat == SPECTATOR:
            said["name"] = reader_of(request).name
        await self.pages.server.say(request, table, seat, said, first(form, "client"))
        if request.headers.get(BY_SCRIPT):
            return Response(status_code=204)
        return RedirectResponse(f"/t/{table}?seat={seat}", 303)


def talk_of(message: Message, reader: Reader, seats: tuple[int, ...]) -> dict[str, Any]:
    """What the talk's part of a page asks; `seats` are those that the browser holds."""
    about, ui = message.table.data, own_words(reader.language)
    me = None if message.own.data is None else message.own.data["seat"]
    names = names_of(about["seats"], reader.language, ui)
    people = [seat for seat, chair in enumerate(about["seats"]) if not chair["bot"]]
    return {
        "lines": _lines(message, reader, seats),
        "free": bool(about.get("free_talk")),
        "signs": [(sign, ui.text(f"{WORDS}.sign.{sign}")) for sign in SIGNS],
        "phrases": [(phrase, ui.text(f"{WORDS}.phrase.{phrase}")) for phrase in PHRASES],
        "longest": LONGEST_TEXT,
        "others": [(seat, names[seat]) for seat in people if seat != me],
        "anybody": me is None or len(people) > 1,
    }


def lines_of(message: Message, reader: Reader, seats: tuple[int, ...]) -> str:
    """The lines as the page shows them."""
    lines = _lines(message, reader, seats)
    return environment().get_template("talk_lines.html").render({"lines": lines})


def _lines(message: Message, reader: Reader, seats: tuple[int, ...]) -> list[dict[str, Any]]:
    """What was said, the newest last. Who plays hears no spectators, looking on either."""
    ui = own_words(reader.language)
    plays = bool(seats) and message.table.data["state"] == PLAYING
    return [
        {
            **line,
            "name": line["name"] or ui.text("talk.somebody"),
            "said": ui.say(line["say"]) if "say" in line else line["text"],
            "sign": line.get("sign", ""),
            "watching": ui.text("talk.watching") if line["seat"] is None else "",
        }
        for line in message.talk
        if line["seat"] is not None or not plays
    ]
