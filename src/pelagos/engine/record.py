"""The game record: written, read, replayed and verified.

One JSON file a game, complete: a program that knows the rules but none of our code can replay it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pelagos.engine.errors import BadRecord, IllegalMove, PelagosError, short
from pelagos.engine.game import Game, find_game
from pelagos.engine.letters import fits
from pelagos.engine.match import Entry, Match, difference
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.types import CHANCE, HIDDEN
from pelagos.engine.view import Text, text

if TYPE_CHECKING:
    from pelagos.engine.position import Position

VERSION = 1
SUFFIX = ".pelagos.json"
UNKNOWN = "?"
LARGEST = 5_000_000
CHANCE_SEAT = "*"
MOST_MOVES = 20_000
DEEPEST = 12
LARGEST_NUMBER = 10**15
LONGEST_NAME = 80
SHAPES: dict[type, str] = {str: "shape.text", dict: "shape.object", list: "shape.list"}


# --- writing ----------------------------------------------------------------------------------


def write(match: Match, seat: int | None = None) -> dict[str, Any]:
    """The match's record; for a seat, without what that seat may not know."""
    hidden = seat is not None and not match.over
    pack: dict[str, Any] = {"name": match.pack.name, "sha256": match.pack.sha256}
    if not match.pack.is_default:
        pack["files"] = dict(match.pack.files)
    record: dict[str, Any] = {
        "pelagos": VERSION,
        "game": match.game.id,
        "rules": match.game.rules,
        "options": match.game.recorded_options(match.options),
        "pack": pack,
        "seats": [dict(about) for about in match.seats],
    }
    if match.seed is not None and not hidden:
        record["seed"] = match.seed.hex()
    record["deal"] = _deal(match, seat) if hidden else match.deal
    record["moves"] = _moves(match, seat if hidden else None)
    if match.over:
        record["result"] = result(match.position)
    return record


def _deal(match: Match, seat: int | None) -> dict[str, Any]:
    notation, position = match.game.part("notation"), match.position
    deal: dict[str, Any] = notation.conceal_deal(
        match.deal, position.record, position.pack_record, seat
    )
    return deal


def _moves(match: Match, seat: int | None) -> list[list[Any]]:
    """The moves in words; for a seat, others' unrevealed ones left out."""
    position = match._start.copy()
    secret = set() if seat is None else _unrevealed(match.history, seat)
    moves: list[list[Any]] = []
    for index, entry in enumerate(match.history):
        if index not in secret:
            mover: Any = CHANCE_SEAT if entry.seat < 0 else entry.seat
            moves.append([mover, _words(position, entry, seat)])
        _repeat(position, entry)
    return moves


def _unrevealed(history: list[Entry], seat: int) -> set[int]:
    """Places in the history of others' choices that are still hidden from the seat."""
    places: set[int] = set()
    for index in range(len(history) - 1, -1, -1):
        if history[index].news != HIDDEN:
            break
        if history[index].seat != seat:
            places.add(index)
    return places


def _words(position: Position, entry: Entry, seat: int | None) -> str:
    notation = position.game.part("notation")
    before, pack = position.record, position.pack_record
    words: str
    if entry.seat < 0:
        if seat is not None and hasattr(notation, "conceal_chance"):
            words = notation.conceal_chance(before, pack, entry.outcome, seat)
        else:
            words = notation.write_chance(before, pack, entry.outcome)
    elif seat is not None and entry.seat != seat and hasattr(notation, "conceal_move"):
        words = notation.conceal_move(before, pack, entry.seat, entry.action, seat)
    else:
        words = notation.write(before, pack, entry.seat, entry.action)
    return words


def _repeat(position: Position, entry: Entry) -> None:
    if entry.seat < 0:
        position.happen(entry.outcome)
    else:
        position.play(entry.seat, entry.action)


def result(position: Position) -> dict[str, Any]:
    """Scores, winners and sheets of a finished game."""
    sheets = [
        dict(zip(position.lines, position.points(seat), strict=True))
        for seat in range(position.players)
    ]
    ended: dict[str, Any] = {
        "scores": [sum(sheet.values()) for sheet in sheets],
        "winners": position.winners,
        "sheets": sheets,
    }
    scoring = position.game.part("scoring")
    if hasattr(scoring, "result"):
        ended.update(scoring.result(position.record, position.pack_record))
    return ended


# --- reading ----------------------------------------------------------------------------------


def load(path: Path | str) -> dict[str, Any]:
    """A record from a file, its shape checked."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST:
            raise BadRecord(text("refuse.record_large", file=path.name, most=LARGEST))
        content = path.read_bytes().decode()
    except OSError as error:
        raise BadRecord(
            text("refuse.unreadable", file=str(path), reason=str(error.strerror))
        ) from None
    except UnicodeDecodeError as error:
        raise BadRecord(text("refuse.not_text", file=path.name, byte=error.start)) from None
    return parse(content)


def parse(content: str) -> dict[str, Any]:
    """A record from JSON text, its shape checked."""
    try:
        data = json.loads(content)
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        raise BadRecord(text("refuse.not_json", reason=error.msg, **where)) from None
    except (RecursionError, ValueError):
        raise BadRecord(text("refuse.json_deep")) from None
    check_shape(data)
    return dict(data)


def check_shape(data: Any) -> None:
    """Refuse what isn't a record, naming the place."""
    if not isinstance(data, Mapping):
        raise BadRecord(text("refuse.record_object"))
    _check_plain(data)
    if data.get("pelagos") != VERSION or isinstance(data.get("pelagos"), bool):
        raise BadRecord(text("refuse.record_version", version=VERSION))
    shapes: dict[str, type] = {"game": str, "options": dict, "deal": dict, "moves": list}
    for name, shape in shapes.items():
        if not isinstance(data.get(name), shape):
            raise BadRecord(text("refuse.record_part", name=name, shape=text(SHAPES[shape])))
    if len(data["moves"]) > MOST_MOVES:
        raise BadRecord(text("refuse.record_moves", most=MOST_MOVES))
    for index, move in enumerate(data["moves"]):
        if not (
            isinstance(move, list)
            and len(move) == 2
            and isinstance(move[1], str)
            and (move[0] == CHANCE_SEAT or type(move[0]) is int)
        ):
            raise BadRecord(text("refuse.record_move", number=index))


def _check_plain(data: Mapping[str, Any]) -> None:
    """Refuse what JSON can't hold or a record has no use for: endless nests and numbers, NaN."""
    rest: list[tuple[str, Any, int]] = [(short(name), [name, data[name]], 0) for name in data]
    while rest:
        place, value, depth = rest.pop()
        if depth > DEEPEST:
            raise BadRecord(text("refuse.deep", place=place))
        if isinstance(value, dict):
            value = [*value.values(), "".join(map(str, value))]
        if isinstance(value, list):
            rest += [(place, inner, depth + 1) for inner in value]
        elif isinstance(value, str):
            if any("\ud800" <= letter <= "\udfff" for letter in value):
                raise BadRecord(text("refuse.half_character", place=place))
        elif isinstance(value, int | float):
            if abs(value) > LARGEST_NUMBER or not math.isfinite(value):
                raise BadRecord(text("refuse.no_number", place=place))
        elif value is not None:
            raise BadRecord(text("refuse.no_json", place=place))


def _options(data: Mapping[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = data["options"]
    for name, value in options.items():
        if len(name) > LONGEST_NAME or not isinstance(value, int):
            raise BadRecord(text("refuse.record_option", name=short(name), value=short(value)))
    return options


def _seed(data: Mapping[str, Any]) -> bytes | None:
    seed = data.get("seed")
    if seed is None:
        return None
    if (
        not isinstance(seed, str)
        or len(seed) != 64
        or not all(digit in "0123456789abcdef" for digit in seed)
    ):
        raise BadRecord(text("refuse.record_seed"))
    return bytes.fromhex(seed)


def _pack(game: Game, data: Mapping[str, Any]) -> Pack:
    given = data.get("pack", {"name": "default"})
    if not isinstance(given, Mapping):
        raise BadRecord(text("refuse.record_pack"))
    if "files" in given:
        texts = given["files"]
        if not isinstance(texts, Mapping) or not all(
            isinstance(name, str) and isinstance(content, str) for name, content in texts.items()
        ):
            raise BadRecord(text("refuse.record_files"))
        pack = make_pack(game, texts)
    else:
        pack = default_pack(game)
    if given.get("name", pack.name) != pack.name:
        raise BadRecord(
            text("refuse.record_pack_name", name=short(given["name"]), own=repr(pack.name))
        )
    if given.get("sha256", pack.sha256) != pack.sha256:
        raise BadRecord(text(f"refuse.record_sha_{'files' if 'files' in given else 'default'}"))
    return pack


def _seats(data: Mapping[str, Any], players: int) -> list[dict[str, Any]] | None:
    seats = data.get("seats")
    if seats is None:
        return None
    if (
        not isinstance(seats, list)
        or len(seats) != players
        or not all(isinstance(about, dict) and _is_name(about.get("name")) for about in seats)
    ):
        raise BadRecord(text("refuse.record_seats", players=players, most=LONGEST_NAME))
    return seats


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and (not name or fits(name, LONGEST_NAME))


def replay(record: Mapping[str, Any] | str, of_any_rules: bool = False) -> Match:
    """A match from its record, everything checked. `of_any_rules`: if it was played by another
    version of the rules, the installed ones must fit it to its end.
    """
    match, error = replay_as_far(record, of_any_rules)
    if error is not None:
        raise error
    return match


def replay_as_far(
    record: Mapping[str, Any] | str, of_any_rules: bool = True
) -> tuple[Match, BadRecord | None]:
    """A match as far as its record can be followed, and why no further, if it can't."""
    following = _follow(record, of_any_rules)
    match = next(following)
    try:
        for _ in following:
            pass
    except BadRecord as error:
        return match, error
    return match, None


def other_rules(record: Mapping[str, Any]) -> str:
    """The version of the rules that a record was played by, if that isn't the installed one."""
    installed = find_game(record["game"]).rules
    played_by = record.get("rules", installed)
    return "" if played_by == installed else str(played_by)[:LONGEST_NAME] or UNKNOWN


def _follow(record: Mapping[str, Any] | str, of_any_rules: bool = False) -> Iterator[Match]:
    """The match at every position of the record; the same object, moved on."""
    if isinstance(record, str):
        record = parse(record)
    else:
        check_shape(record)
    if len(record["game"]) > LONGEST_NAME:
        raise BadRecord(text("refuse.record_game"))
    version = other_rules(record)
    if not version:
        yield from _follow_moves(record)
        return
    installed = find_game(record["game"])
    if not of_any_rules:
        raise BadRecord(text("refuse.record_rules", version=installed.rules, game=installed.id))
    try:
        yield from _follow_moves(record)
    except PelagosError as error:
        why = {"version": version, "installed": installed.rules, "reason": error.text}
        raise BadRecord(text("refuse.record_other_rules", **why)) from None


def _follow_moves(record: Mapping[str, Any]) -> Iterator[Match]:
    game = find_game(record["game"])
    if UNKNOWN in json.dumps([record["deal"], record["moves"]]):
        raise BadRecord(text("refuse.record_hidden"))
    options = game.check_options(_options(record))
    seats = _seats(record, int(options["players"]))
    match = Match(game, _pack(game, record), options, _seed(record), record["deal"], seats)
    yield match
    for index, (seat, words) in enumerate(record["moves"]):
        try:
            _enter(match, seat, words)
        except PelagosError as error:
            raise BadRecord(text("refuse.record_at", number=index, reason=error.text)) from None
        yield match
    _check_result(match, record)


def _enter(match: Match, seat: int | str, words: str) -> None:
    """Make one entry of a record's moves."""
    if seat != CHANCE_SEAT:
        match.move(int(seat), words)
        return
    if match.seed is not None and match.chance_is_due:
        before = match.position
        outcome = before.copy().chance()
        notation = match.game.part("notation")
        drawn = notation.write_chance(before.record, before.pack_record, outcome)
        if drawn != words:
            raise IllegalMove(text("refuse.seed", reason=_other_words(drawn, words)))
    match.happen(words)


def _other_words(drawn: str, words: str) -> Text:
    """Where what is told of chance first differs from what was drawn."""
    true, other = drawn.split(" "), words.split(" ")
    for place, (right, word) in enumerate(zip(true, other, strict=False), 1):
        if right != word:
            return text("refuse.other_word", place=place, words=short(words), word=short(right))
    return text("refuse.word_count", words=short(words), count=len(true), number=len(other))


def _check_result(match: Match, record: Mapping[str, Any]) -> None:
    given = record.get("result")
    if not match.over:
        if given is not None:
            raise BadRecord(text("refuse.result_early"))
        return
    if given is None:
        raise BadRecord(text("refuse.result_missing"))
    wrong = difference(result(match.position), given, "result")
    if wrong:
        raise BadRecord(wrong)


# --- positions --------------------------------------------------------------------------------


def positions(record: Mapping[str, Any] | str) -> Iterator[dict[str, Any]]:
    """Every position of a record: who owes a decision, what is legal, all sheets."""
    for number, match in enumerate(_follow(record)):
        yield describe(match, number)


def describe(match: Match, number: int) -> dict[str, Any]:
    """One position, the whole truth."""
    position = match.position
    chance = position.mask == CHANCE
    pending = position.pending
    return {
        "move": number,
        "pending": [CHANCE_SEAT] if chance else list(pending),
        "legal": {str(seat): match.moves(seat) for seat in pending},
        "sheets": [
            dict(zip(position.lines, position.points(seat), strict=True))
            for seat in range(match.players)
        ],
    }


def at(record: Mapping[str, Any] | str, number: int) -> Match:
    """The match before entry `number` of the record's moves; the whole record is verified."""
    position = None
    total = 0
    for total, match in enumerate(_follow(record)):
        if total == number:
            position = match.copy()
    if position is None:
        raise BadRecord(text("refuse.position", number=number, last=total))
    return position
