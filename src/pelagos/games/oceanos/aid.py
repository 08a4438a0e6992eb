"""Oceanos' aid: what cards, their symbols, parts and tokens are worth, and what would help."""

from __future__ import annotations

from collections import defaultdict

from pelagos.engine.aid import Group, Help, Inquiry, Named, Part, Worth, by_evidence, help_by
from pelagos.engine.types import Record
from pelagos.engine.view import Choice, Text, text
from pelagos.games.oceanos.cards import names_of, symbols_on
from pelagos.games.oceanos.rules import ANIMAL_STARS
from pelagos.games.oceanos.scoring import standing
from pelagos.games.oceanos.state import LEVELS, PARTS, ROUNDS, SPECIES
from pelagos.games.oceanos.view import KRAKEN_SIZES, PART_GIVES
from pelagos.games.oceanos.why import why_not

SYMBOLS = ("coral", "treasure", "base", "green", "yellow", "eye")
TOKENS = ("fuel", "diver", *KRAKEN_SIZES)
ANIMALS = "animals"
"""Under this name all species have one rule."""


def things(pack: Record) -> list[Group]:
    """The sheet of all; cards are made of symbols."""
    return [
        {"name": text("aid.animals"), "things": list(SPECIES)},
        {"name": text("aid.symbols"), "things": list(SYMBOLS)},
        {"name": text("aid.parts"), "things": list(PARTS)},
        {"name": text("aid.tokens"), "things": list(TOKENS)},
    ]


def cards(pack: Record) -> list[str]:
    """What is explained too, and isn't on the sheet: the cards themselves."""
    return [card for depth in range(ROUNDS) for card in names_of(pack, depth)[1:]]


def _printed(inquiry: Inquiry) -> dict[str, int]:
    """The symbols on a card."""
    for depth in range(ROUNDS):
        names = names_of(inquiry.pack, depth)
        if inquiry.face and inquiry.face in names:
            return dict(symbols_on(inquiry.pack, depth, names.index(inquiry.face)))
    return {}


def _is_card(inquiry: Inquiry) -> bool:
    return inquiry.face[:1].isdigit()


def name(inquiry: Inquiry) -> Named | None:
    """A card by its id, a token by its size."""
    if _is_card(inquiry):
        return text("aid.card", id=inquiry.face)
    if inquiry.face in KRAKEN_SIZES:
        return text("aid.kraken_token", size={"noun": inquiry.face})
    return text(f"many.{inquiry.face}", count=1) if inquiry.face in SYMBOLS else None


def kind(inquiry: Inquiry) -> Named | None:
    """A part's level; what else it is."""
    face = inquiry.face
    if face in PARTS and inquiry.owner is not None and inquiry.place is not None:
        level = int(inquiry.game.boat[inquiry.owner, PARTS.index(face)])
        return text(f"mark.level{level}")
    if face in SPECIES:
        return text("aid.animal")
    return None


def rule(inquiry: Inquiry) -> Text | None:
    """What a symbol, part, token or line is for; a card by its symbols."""
    if inquiry.line:
        return text(f"aid.sheet.{inquiry.line.rstrip('123')}", points=ANIMAL_STARS)
    if _is_card(inquiry):
        return text("aid.rule.card")
    if inquiry.face in PARTS:
        levels = dict(zip(("level1", "level2", "level3"), PART_GIVES[inquiry.face], strict=True))
        return text(f"aid.rule.{inquiry.face}", **levels)
    if inquiry.face in KRAKEN_SIZES:
        values = sorted(
            {int(token) for token in inquiry.game.kraken[KRAKEN_SIZES.index(inquiry.face)]},
            reverse=True,
        )
        return text(
            "aid.rule.kraken", round=KRAKEN_SIZES.index(inquiry.face) + 1, values=_listed(values)
        )
    if inquiry.face:
        return text(f"aid.rule.{_rule_name(inquiry.face)}", points=ANIMAL_STARS)
    place = "" if inquiry.place is None else inquiry.place["key"].rstrip("0123456789")
    return text(f"aid.place.{place}") if place else None


def _listed(values: list[int]) -> str:
    return ", ".join(str(value).replace("-", "−") for value in values)


def parts(inquiry: Inquiry) -> list[Part]:
    """The symbols of a card; all its animals have one rule."""
    if not _is_card(inquiry):
        return []
    printed = _printed(inquiry)
    animals = [symbol for symbol in printed if symbol in SPECIES][:1]
    rest = [symbol for symbol in printed if symbol not in SPECIES]
    return [
        {"face": symbol, "rule": text(f"aid.on_card.{_rule_name(symbol)}", points=ANIMAL_STARS)}
        for symbol in [*animals, *rest]
    ]


def _rule_name(symbol: str) -> str:
    return ANIMALS if symbol in SPECIES else symbol


def now(inquiry: Inquiry) -> list[Worth] | None:
    """By the evidence as if the game ended now; a reef's points are of all its cards."""
    worths = by_evidence(inquiry)
    if inquiry.line:
        return worths
    return [{**worth, "own": True} for worth in worths]


def more(inquiry: Inquiry) -> list[Help] | None:
    """By trying: the next level of a part; the cards of the hand that would bring more."""
    if inquiry.view["over"]:
        return []
    if inquiry.face in PARTS:
        return _next_level(inquiry)
    if inquiry.line:
        lines = list(inquiry.lines) if inquiry.owner == inquiry.viewer else []
        return _by_keeping(inquiry, lines)
    if inquiry.place is not None and inquiry.place["key"] == "hand":
        return [
            help_by(choice["gain"] or 0, text("aid.if_kept"))
            for choice in inquiry.choices()
            if (choice["gain"] or 0) > 0
        ][:1]
    if inquiry.piece is not None and inquiry.at is not None and inquiry.owner == inquiry.viewer:
        return _by_keeping(inquiry, _lines_of(inquiry))
    return []


def why(inquiry: Inquiry) -> Text | None:
    """Which condition fails; many reasons come with the view."""
    place, reasons = inquiry.place, inquiry.view["why"]
    if not inquiry.asked or place is None or any(key in reasons for key in inquiry.reason_keys()):
        return None
    return why_not(inquiry.game, inquiry.viewer, place["key"], place["seat"], inquiry.face)


def _lines_of(inquiry: Inquiry) -> list[str]:
    """The lines of the sheet that a laid card's symbols count on."""
    printed = _printed(inquiry)
    depth = 0 if inquiry.at is None else inquiry.at[0]
    lines = ["reef"] if "coral" in printed else []
    lines += ["treasure"] if "treasure" in printed else []
    if depth == int(inquiry.game.depth) and any(symbol in SPECIES for symbol in printed):
        lines.append(f"animals{depth + 1}")
    return lines


def _by_keeping(inquiry: Inquiry, lines: list[str]) -> list[Help]:
    """The choices that would raise these lines, those that bring the same together."""
    raised: dict[tuple[int, str], list[Choice]] = defaultdict(list)
    for choice in inquiry.view["choices"]:
        for change in choice["receipt"]:
            if change["key"] in lines and change["points"] > 0:
                raised[change["points"], change["key"]].append(choice)
    return [
        help_by(
            points,
            text("aid.by_keeping", count=len(choices), line=text(f"line.{line}")),
            pieces=[choice["piece"] for choice in choices if choice["piece"]],
        )
        for (points, line), choices in raised.items()
    ]


def _next_level(inquiry: Inquiry) -> list[Help]:
    """What a part gives one level higher, and what that would bring as things stand."""
    seat, part = inquiry.owner, PARTS.index(inquiry.face)
    if seat is None or inquiry.place is None:
        return []
    level = int(inquiry.game.boat[seat, part])
    if level >= LEVELS:
        return []
    tried = inquiry.seen.copy()
    tried.record.boat[seat, part] = level + 1
    before = standing(inquiry.game, inquiry.pack, seat)["total"]
    after = standing(tried.record, tried.pack_record, seat)["total"]
    gives = PART_GIVES[inquiry.face][level]
    reason = text(
        "aid.next_level", level=level + 1, gives=text(f"table.gives_{inquiry.face}", count=gives)
    )
    return [help_by(after - before, reason)]
