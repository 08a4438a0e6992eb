"""Who sits where: laying a table, sitting down, bots, leaving, another game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.bots import USUAL
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import make_pack
from pelagos.engine.series import check_length
from pelagos.tables import fairness
from pelagos.tables.acts.checks import (
    clean_bytes,
    clean_client,
    clean_name,
    find_creature,
    hash_client,
    is_holder,
    seat_of,
)
from pelagos.tables.errors import Malformed, NotYours, Refused
from pelagos.tables.table import (
    BOT,
    FREE,
    GATHERING,
    OPEN,
    OVER,
    PACES,
    PERSON,
    PLAYING,
    Entry,
    Seat,
    Table,
)

LARGEST_PACK = 200_000
COLOURS = 6
"""The colours that seats may have, as the first six seats have them."""


def create(
    game: str,
    options: Mapping[str, Any],
    seats: Sequence[Mapping[str, str]] | None,
    *,
    pack: Mapping[str, str] | None = None,
    listed: bool = False,
    previews: bool = True,
    table_options: Mapping[str, Any] | None = None,
    pace: str = FREE,
    deal: str = "",
    free_talk: bool | None = None,
    hints: bool | None = None,
    series: int = 1,
    colours: Sequence[int] = (),
    lesson: bool = False,
) -> list[Entry]:
    """Lay a new table. With `deal`, a public text, the first game's cards follow from it.

    `free_talk`: may people say what they like? If nobody says so, where there are several.
    `hints`: may people ask for them? If nobody says so, where one plays against bots.
    `series`: how many games one has. `colours`: each seat's, by the number of the seat that usually
    has it; none: the usual ones. `lesson`: is the first game the game's lesson?
    """
    installed = find_game(game)
    checked = installed.check_options(options)
    players = int(checked["players"])
    if pace not in PACES:
        raise Malformed(text("tables/refuse.pace", pace=short(pace), known=", ".join(PACES)))
    wishes = [{"kind": OPEN}] * players if seats is None else list(seats)
    if len(wishes) != players:
        raise Malformed(text("tables/refuse.seats", players=players, count=len(wishes)))
    if pack is not None:
        if sum(len(name) + len(text) for name, text in pack.items()) > LARGEST_PACK:
            raise Malformed(text("tables/refuse.pack_large", most=LARGEST_PACK))
        make_pack(installed, pack)
    seated = _number_bots([_seat(wish) for wish in wishes])
    people = sum(seat["kind"] != BOT for seat in seated)
    chosen: Entry = {} if hints is None else {"hints": hints}
    if check_length(series, players) > 1:
        chosen["series"] = series
    if colours and _check_colours(installed, players, colours) != list(range(players)):
        chosen["colours"] = list(colours)
    if lesson:
        chosen["lesson"] = True
    return [
        {
            "do": "create",
            "game": installed.id,
            "rules": installed.rules,
            "options": checked,
            "pack": dict(pack) if pack else None,
            "listed": listed,
            "previews": previews,
            "table_options": _check_table_options(installed, table_options or {}),
            "pace": pace,
            "deal": deal,
            "secret": fairness.public_secret(deal) if deal else fairness.new_secret(),
            "free_talk": people > 1 if free_talk is None else free_talk,
            "seats": seated,
            **chosen,
        }
    ]


def laid_anew(table: Table) -> dict[str, Any]:
    """What is asked of `create` for the same table once more, as far as the installed rules have
    what it was laid with.
    """
    installed, players = table.game, table.players
    try:
        options = installed.check_options(table.options)
    except PelagosError:
        fitting = {"players": players} if players in installed.players else {}
        options = installed.check_options(fitting)
    known = {option.name for option in installed.table_options}
    wishes = [
        {"kind": BOT, "bot": _bot_today(seat.bot)} if seat.kind == BOT else {"kind": OPEN}
        for seat in table.seats
    ]
    return {
        "game": installed.id,
        "options": dict(options),
        "seats": wishes if len(wishes) == options["players"] else None,
        "pack": None if table.pack is None or table.pack.is_default else dict(table.pack.files),
        "listed": table.listed,
        "previews": table.previews,
        "table_options": {
            name: value for name, value in table.table_options.items() if name in known
        },
        "pace": table.pace if table.pace in PACES else FREE,
        "free_talk": table.free_talk,
        "hints": table.hints,
        "series": table.series,
        "colours": list(table.colours),
    }


def _bot_today(bot: str) -> str:
    """A bot's id, whatever it was called before; the usual one in the place of one that is gone."""
    try:
        return find_creature(bot).id
    except PelagosError:
        return USUAL.id


def _check_table_options(game: Game, given: Mapping[str, Any]) -> dict[str, bool]:
    """The table's options with their defaults."""
    defaults = {option.name: option.default for option in game.table_options}
    for name, value in given.items():
        if name not in defaults:
            key = "tables/refuse.no_table_option" if defaults else "tables/refuse.no_table_options"
            raise Malformed(text(key, game=game.id, name=short(name), known=", ".join(defaults)))
        if not isinstance(value, bool):
            raise Malformed(text("tables/refuse.table_option", name=name, value=short(value)))
    return {**defaults, **given}


def _check_colours(game: Game, players: int, colours: Sequence[int]) -> list[int]:
    """Each seat's colour: as many as there are seats, no two alike."""
    if game.fixed_colours:
        raise Malformed(text("tables/refuse.colours_fixed"))
    valid = [colour for colour in colours if type(colour) is int and 0 <= colour < COLOURS]
    if len(colours) != players or len(set(valid)) != players:
        raise Malformed(text("tables/refuse.colours", players=players, last=COLOURS - 1))
    return valid


def _seat(wish: Mapping[str, str]) -> dict[str, str]:
    kind = wish.get("kind", OPEN)
    if kind == BOT:
        bot = wish.get("bot", "")
        return {"kind": BOT, "bot": bot, "name": find_creature(bot).names["en"]}
    if kind not in (OPEN, PERSON):
        raise Malformed(text("tables/refuse.seat_kind", kind=short(kind)))
    return {"kind": kind, "bot": "", "name": ""}


def _number_bots(seats: list[dict[str, str]]) -> list[dict[str, str]]:
    """Number bots of one kind."""
    names = [seat["name"] for seat in seats]
    for number, seat in enumerate(seats):
        before = names[:number].count(seat["name"])
        if seat["bot"] and before:
            seat["name"] = f"{seat['name']} {before + 1}"
    return seats


def sit(
    table: Table,
    seat: int,
    name: str,
    digits: str,
    client: str,
    invited: bool,
    device: str = "",
) -> list[Entry]:
    """Take a seat. Asked again by the same client, it is theirs already."""
    chair = seat_of(table, seat)
    name, digits, client = clean_name(name), clean_bytes(digits), clean_client(client)
    if chair.taken and is_holder(chair, client):
        return []
    if chair.taken:
        raise Refused(text("tables/refuse.taken"))
    if seat in table.for_bots and table.state == PLAYING:
        raise Refused(text("tables/refuse.for_bots"))
    if chair.kind == PERSON and not invited:
        raise Refused(text("tables/refuse.kept"))
    entry = {
        "do": "sit",
        "seat": seat,
        "name": name,
        "bytes": digits,
        "holder": hash_client(client),
    }
    if device:
        entry["device"] = device
    return [table.apply(entry), *_start_if_ready(table)]


def put_bot(table: Table, seat: int, bot: str) -> list[Entry]:
    """Let a bot have a seat that nobody sits in."""
    chair, creature = seat_of(table, seat), find_creature(bot)
    if chair.taken:
        raise Refused(text("tables/refuse.taken"))
    count = sum(bool(other.bot) and find_creature(other.bot) is creature for other in table.seats)
    name = creature.names["en"] + (f" {count + 1}" if count else "")
    entry = {"do": "bot", "seat": seat, "bot": bot, "name": name}
    return [table.apply(entry), *_start_if_ready(table)]


def start(table: Table) -> list[Entry]:
    """Begin now, if everyone is here (a table of bots alone)."""
    if table.state != GATHERING:
        return []
    started = _start_if_ready(table)
    if not started and not table.waits_for_beacon:
        raise Refused(text("tables/refuse.empty_seats"))
    return started


def again(table: Table, seat: int, digits: str, client: str) -> list[Entry]:
    """Say that this seat plays another game; it starts when all have."""
    chair = seat_of(table, seat)
    client, digits = clean_client(client), clean_bytes(digits)
    if (seat, client) in table.clients or chair.ready:
        return []
    if table.state != OVER:
        raise Refused(text("tables/refuse.not_over"))
    entry = {"do": "again", "seat": seat, "bytes": digits, "client": client}
    return [table.apply(entry), *_start_if_ready(table)]


def _start_if_ready(table: Table) -> list[Entry]:
    """Start when the last seat is taken, or has said that it plays again; where a beacon's round is
    mixed in, ask for that.
    """
    if table.state == PLAYING or not all(chair.ready for chair in table.seats):
        return []
    if table.round_to_deal is None:
        return [_start(table, {})]
    return [] if table.waits_for_beacon else [table.apply({"do": "beacon"})]


def deal_by_beacon(table: Table, number: int, drawn: Mapping[str, str]) -> list[Entry]:
    """Deal with what a round has brought, if it is the one that the table waits for."""
    named = table.round_to_deal
    if not table.waits_for_beacon or named is None or named["round"] != number:
        return []
    return [_start(table, {"beacon": {**named, **drawn}})]


def note_beacon_trouble(table: Table, kind: str) -> list[Entry]:
    """Tell everyone at the table why the deal waits."""
    if not table.waits_for_beacon or table.beacon_trouble == kind:
        return []
    return [table.apply({"do": "beacon", "trouble": kind})]


def _start(table: Table, more: Entry) -> Entry:
    parts = ["" if table.deals_openly else chair.bytes for chair in table.seats]
    entry: Entry = {"do": "start", "bytes": parts, "next": fairness.new_secret(), "opening": True}
    if table.next_first is not None:
        entry["first"] = table.next_first
    return table.apply({**entry, **more})


def arrange(table: Table, order: Sequence[int]) -> list[Entry]:
    """Before the first deal: seat `number` is taken by whoever sat at `order[number]`."""
    table.check_open()
    if table.state != GATHERING:
        raise Refused(text("tables/refuse.arrange_late"))
    if any(type(seat) is not int for seat in order) or sorted(order) != list(range(table.players)):
        raise Malformed(text("tables/refuse.arrange", last=table.players - 1))
    if list(order) == sorted(order):
        return []
    return [table.apply({"do": "arrange", "order": list(order)})]


def leave(table: Table, seat: int, dismissal: Mapping[str, str] | None = None) -> list[Entry]:
    """Give a seat up; somebody else may have it, in the middle of a game too.

    `dismissal` is what its holder is told, if it is another who does it: `by` whom, and `why`.
    Whoever is here when they are thrown out of a game leaves the seat to bots alone, so that
    nobody looks into their cards.
    """
    chair = seat_of(table, seat)
    entry: Entry = {"do": "leave", "seat": seat, **(dismissal or {})}
    if dismissal is not None and _is_here(chair) and table.state == PLAYING:
        entry["for_bots"] = True
    return [table.apply(entry)]


def _is_here(chair: Seat) -> bool:
    """Does a person sit here who isn't away?"""
    return chair.taken and chair.kind != BOT and not chair.away


def issue(
    table: Table,
    seat: int,
    device: str = "",
    dismissal: Mapping[str, str] | None = None,
    held: int | None = None,
) -> list[Entry]:
    """Make a new secret for a seat, for somebody at this device: the old one is good no more.

    `dismissal` is as for `leave`: nobody but a seat's holder passes it on while they are here,
    and all see it. `held` is the issue of the secret that is exchanged for the new one, once.
    """
    chair = seat_of(table, seat)
    if chair.kind == BOT:
        raise Refused(text("tables/refuse.bot_sits"))
    if held is not None and chair.issue != held:
        raise NotYours(text("tables/refuse.link_used"))
    entry: Entry = {"do": "issue", "seat": seat, **(dismissal or {})}
    if dismissal is not None and chair.taken:
        if _is_here(chair):
            raise Refused(text("tables/refuse.seat_here", name=chair.name))
        entry["told"] = True
    return [table.apply({**entry, "device": device} if device else entry)]


def presence(table: Table, seat: int, away: bool) -> list[Entry]:
    """A person comes, or has been gone for a while."""
    chair = table.seats[seat]
    if table.is_closed or not chair.taken or chair.kind == BOT or chair.away == away:
        return []
    return [table.apply({"do": "presence", "seat": seat, "away": away})]
