"""The page of a table that was laid under another version of the rules: what can still be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from pelagos.engine.errors import BadPack
from pelagos.engine.series import OFFERED
from pelagos.tables import acts
from pelagos.tables.message import Message, about_seat
from pelagos.tables.own_games import places
from pelagos.tables.table import BOT, GATHERING, PERSON, PLAYING, Seat, Table
from pelagos.web import art
from pelagos.web.drawing import names_of
from pelagos.web.marks import tints
from pelagos.web.packs import code_of
from pelagos.web.reader import Reader, own_words
from pelagos.web.talking import talk_of


def page_of(
    table: Table, message: Message, reader: Reader, own_seats: tuple[int, ...]
) -> dict[str, Any]:
    """What the page asks; `own_seats` are those that the browser holds."""
    about, ui = message.table.data, own_words(reader.language)
    rules = about["other_rules"]
    names = names_of(about["seats"], reader.language, ui)
    return {
        "id": table.id,
        "title": table.game.titles[reader.language],
        "picture": art.title_picture(table.game.id),
        "tints": tints(table.colours),
        "says": rules["says"][reader.language],
        "stops": rules["stops"][reader.language] if "stops" in rules else "",
        "anew": anew_address(table, own_seats),
        "seats": [
            {**seat, "name": names[number], "mine": number in own_seats}
            for number, seat in enumerate(about["seats"])
        ],
        "chosen": _options(table, reader),
        "games": [
            _result(finished.match.seats, finished.scores, finished.winners, reader)
            for finished in table.finished
        ],
        "begun": table.state != GATHERING,
        "runs": table.state == PLAYING,
        "lines": talk_of(message, reader, own_seats)["lines"],
    }


def _options(table: Table, reader: Reader) -> list[str]:
    """The options that the table was laid with, in words where the installed rules have them."""
    about = {option.name: option.about[reader.language] for option in table.game.options}
    ui = own_words(reader.language)
    return [
        about.get(name, name) if value is True else f"{about.get(name, name)}: {value}"
        for name, value in table.options.items()
        if name != "players" and value is not False
    ] + ([ui.text("series.best", {"games": table.series})] if table.series > 1 else [])


def _result(
    seats: Sequence[dict[str, Any]], scores: Sequence[int], winners: Sequence[int], reader: Reader
) -> list[dict[str, Any]]:
    """A finished game's seats, whoever has won first."""
    ui = own_words(reader.language)
    chairs = [
        about_seat(Seat(BOT if "bot" in seat else PERSON, seat["name"], seat.get("bot", "")))
        for seat in seats
    ]
    rows = [
        {
            "seat": number,
            "name": name,
            "points": ui.text("seat.points", {"count": int(scores[number])}),
            "won": number in winners,
            "place": place,
        }
        for number, (name, place) in enumerate(
            zip(names_of(chairs, reader.language, ui), places(scores, winners), strict=True)
        )
    ]
    return sorted(rows, key=lambda row: row["place"])


def anew_address(table: Table, own_seats: Sequence[int]) -> str:
    """The page for a new table, filled in with what this one was laid with."""
    laid = acts.laid_anew(table)
    players = laid["options"]["players"]
    wishes: dict[str, Any] = {"players": players, "client": "anew", "pace": laid["pace"]}
    if code := _pack_code(table):
        wishes["pack"] = code
    people = [seat for seat, chair in enumerate(table.seats) if chair.kind != BOT]
    mine = list(own_seats) or people[:1]
    for seat, wish in enumerate(laid["seats"] or ()):
        kind = "me" if seat in mine[:1] else "here" if seat in mine else "open"
        wishes[f"seat{seat}"] = wish.get("bot") or kind
    for option in table.game.options:
        value = laid["options"].get(option.name)
        if value is not None and value is not False:
            wishes[f"option-{option.name}"] = "on" if value is True else value
    ticks = {f"table-{name}": value for name, value in laid["table_options"].items()}
    ticks |= {"previews": laid["previews"], "talk": laid["free_talk"], "listed": laid["listed"]}
    wishes |= {name: "on" for name, value in ticks.items() if value}
    if laid["series"] in OFFERED:
        wishes["series"] = laid["series"]
    if laid["hints"] is not None:
        wishes["hints"] = "on" if laid["hints"] else "off"
    wishes |= {f"colour{seat}": colour for seat, colour in enumerate(laid["colours"])}
    return f"/new/{table.game.id}?{urlencode(wishes)}"


def _pack_code(table: Table) -> str:
    """The table's pack as letters of a link; empty for the default one, or one too long."""
    try:
        return "" if table.pack is None else code_of(table.pack)
    except BadPack:
        return ""
