"""The score pad: a finished reef typed in from a real table.

One block a player, a blank line between blocks: a line with the name, then four lines of five
cards. A card is its name in English or French or the start of one; brackets mean face down:

    Ada
    krill whale krill krill crab
    ...

`Tim` as the second of two names is the solo game's opponent. With two players, `neutral: 3` says
how much plankton the neutral hand has played.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadTableau, short
from pelagos.engine.pack import Pack
from pelagos.engine.pad import Pad
from pelagos.engine.view import Text, make_sheet, text
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.ecosystem import GAME
from pelagos.games.ecosystem.actions import FLIPS, TIM_FLIPS
from pelagos.games.ecosystem.frame import COLUMNS, REEF_CELLS, ROWS
from pelagos.games.ecosystem.notation import words_of
from pelagos.games.ecosystem.rules import PAIRS, flip, owes_flip
from pelagos.games.ecosystem.scoring import evidence, lines_of, result
from pelagos.games.ecosystem.state import OVER, PLANKTON, SEATS, SPECIES, TIM, TURNS, State

LONGEST_NAME = 40


@dataclass
class Reef:
    """One player's block."""

    name: str
    line: int
    rows: list[list[tuple[int, bool]]]


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the reefs in the text, and the best whale flips."""
    reefs, neutral = _read(source)
    solo = len(reefs) == 2 and _plain(reefs[1].name) == "tim"
    players = 1 if solo else len(reefs)
    if players == 1 and not solo:
        players, game = 3, _lay(reefs, 3, 0)  # a single reef, compared with nobody
    else:
        if neutral and players != 2:
            raise BadTableau(text("ecosystem/refuse.neutral"))
        game = _lay(reefs, players, neutral)
    data = record_of(pack.data)
    seats = [0, TIM] if solo else range(len(reefs))
    notes: list[Text] = []
    for seat in seats:
        notes += _best_flips(game, data, seat, reefs[seat].name, tim=solo and seat == TIM)
    if solo:
        compared = result(game, data)
        level = text(f"score.{compared['level']}")
        notes.append(text("score.tim", margin=compared["margin"], level=level))
    sheets = [
        make_sheet(seat, GAME.lines, points, evidence(game, data, seat, points))
        for seat in seats
        for points in [list(lines_of(game, data, seat).values())]
    ]
    return Pad([reef.name for reef in reefs], sheets, notes)


# --- reading ----------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def _names() -> list[tuple[str, int]]:
    """Every spelling of every species."""
    names = []
    for kind, species in enumerate(SPECIES):
        spellings = {species, "tortue" if species == "turtle" else species}
        spellings |= {words(GAME, language).noun(species) for language in LANGUAGES}
        names += [(_plain(spelling), kind) for spelling in spellings]
    return names


def _species(word: str, line: int) -> int:
    plain = _plain(word)
    names = _names()
    exact = {kind for name, kind in names if name == plain}
    begun = {kind for name, kind in names if plain and name.startswith(plain)}
    kinds = sorted(exact or begun)
    if len(kinds) == 1:
        return kinds[0]
    what = {"line": line, "word": short(word)}
    if kinds:
        meant = _either([SPECIES[kind] for kind in kinds])
        raise BadTableau(text("ecosystem/refuse.ambiguous", **what, species=meant))
    raise BadTableau(text("ecosystem/refuse.unknown", **what, species=", ".join(SPECIES)))


def _either(names: list[str]) -> str | Text:
    """One of these names, as a text."""
    if len(names) == 1:
        return names[0]
    return text("ecosystem/refuse.or", first=names[0], rest=_either(names[1:]))


def _cells(line: str, number: int) -> list[tuple[int, bool]]:
    cells = []
    for word in re.split(r"[\s,;|]+", line.strip(" \t|,;")):
        down = word.startswith(("(", "[")) and word.endswith((")", "]"))
        cells.append((_species(word.strip("()[]"), number), down))
    if len(cells) != COLUMNS:
        numbers = {"line": number, "count": len(cells), "columns": COLUMNS}
        raise BadTableau(text("ecosystem/refuse.row", **numbers))
    return cells


def _read(source: str) -> tuple[list[Reef], int]:
    reefs: list[Reef] = []
    neutral = 0
    for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        counted = re.fullmatch(r"(?:neutral|neutre)\s*:?\s*(\d{1,2})", line, re.IGNORECASE)
        if counted:
            neutral = int(counted[1])
        elif not reefs or len(reefs[-1].rows) == ROWS:
            reefs.append(Reef(_name(line, number), number, []))
        else:
            reefs[-1].rows.append(_cells(line, number))
    if not reefs:
        raise BadTableau(text("ecosystem/refuse.no_reef"))
    if len(reefs) > SEATS:
        raise BadTableau(text("ecosystem/refuse.reefs", count=len(reefs), most=SEATS))
    if len(reefs[-1].rows) < ROWS:
        last = reefs[-1]
        numbers = {"line": last.line, "count": len(last.rows), "rows": ROWS}
        raise BadTableau(text("ecosystem/refuse.rows", name=last.name, **numbers))
    return reefs, neutral


def _name(line: str, number: int) -> str:
    name = line.rstrip(":").strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadTableau(text("ecosystem/refuse.name", line=number, most=LONGEST_NAME))
    return name


def _lay(reefs: list[Reef], players: int, neutral: int) -> State:
    game: Any = record_of(new_states(GAME, 1))
    game.players = players
    game.phase = OVER
    game.turn = TURNS
    game.neutral[PLANKTON] = neutral
    for seat, reef in enumerate(reefs):
        cards = [card for row in reef.rows for card in row]
        for cell, (kind, down) in zip(REEF_CELLS, cards, strict=True):
            game.cells[seat, cell] = kind + 1
            game.reef[seat] |= 1 << cell
            if down:
                game.down[seat] |= 1 << cell
    return game  # type: ignore[no-any-return]


# --- whales -----------------------------------------------------------------------------------


def _best_flips(game: State, pack: Any, seat: int, name: str, *, tim: bool) -> list[Text]:
    """The flips that make the most of a reef whose whales have not acted yet, and make them.

    Alone, the margin counts: Tim's whales are turned against him (ECO-35).
    """
    if int(game.down[seat]):
        return []
    best: tuple[int, list[int]] | None = None
    seen: set[tuple[int, int]] = set()
    stack: list[list[int]] = [[]]
    while stack:
        path = stack.pop()
        game.acted[seat] = game.down[seat] = 0
        for pair in path:
            flip(game, seat, pair)
        key = (int(game.acted[seat]), int(game.down[seat]))
        if key in seen:
            continue
        seen.add(key)
        onward = [pair for pair in range(PAIRS) if owes_flip(game, seat, pair)]
        if onward:
            stack += [[*path, pair] for pair in onward]
            continue
        gain = _gain(game, pack, seat)
        if best is None or gain > best[0]:
            best = gain, path
    game.acted[seat] = game.down[seat] = 0
    if best is None or not best[1]:
        return []
    first = TIM_FLIPS if tim else FLIPS
    moves = ", ".join(words_of(first + pair) for pair in best[1])
    for pair in best[1]:
        flip(game, seat, pair)
    return [text("score.flips", who=name, flips=moves)]


def _gain(game: State, pack: Any, seat: int) -> int:
    """What a player wants as high as it can be: the own total, or alone the margin over Tim."""
    if int(game.players) == 1:
        return int(result(game, pack)["margin"])
    return sum(lines_of(game, pack, seat).values())
