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
from pelagos.engine.words import words
from pelagos.games.ecosystem import GAME
from pelagos.games.ecosystem.notation import write
from pelagos.games.ecosystem.rules import BOX, FLIPS, PAIRS, TIM_FLIPS, flip, owes_flip
from pelagos.games.ecosystem.scoring import evidence, lines_of, result
from pelagos.games.ecosystem.state import (
    COLUMNS,
    OVER,
    PLANKTON,
    ROWS,
    SEATS,
    SPECIES,
    TIM,
    TURNS,
    State,
)

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
            raise BadTableau("`neutral` is for two players only.")
        game = _lay(reefs, players, neutral)
    data = record_of(pack.data)
    seats = [0, TIM] if solo else range(len(reefs))
    notes: list[Text] = []
    for seat in seats:
        notes += _best_flips(game, data, seat, reefs[seat].name, tim=solo and seat == TIM)
    if solo:
        told = result(game, data)
        level = {"key": f"score.{told['level']}", "params": {}}
        notes.append(text("score.tim", margin=told["margin"], level=level))
    sheets = [
        make_sheet(
            seat, GAME.lines, list(lines_of(game, data, seat).values()), evidence(game, data, seat)
        )
        for seat in seats
    ]
    return Pad([reef.name for reef in reefs], sheets, notes)


# --- reading ----------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def _names() -> list[tuple[str, int]]:
    found = []
    for kind, species in enumerate(SPECIES):
        spellings = {species, "tortue" if species == "turtle" else species}
        spellings |= {words(GAME, language).noun(species) for language in ("en", "fr")}
        found += [(_plain(spelling), kind) for spelling in spellings]
    return found


def _species(word: str, line: int) -> int:
    plain = _plain(word)
    names = _names()
    exact = {kind for name, kind in names if name == plain}
    begun = {kind for name, kind in names if plain and name.startswith(plain)}
    found = exact or begun
    if len(found) == 1:
        return found.pop()
    if found:
        choices = " or ".join(SPECIES[kind] for kind in sorted(found))
        raise BadTableau(f"Line {line}: {short(word)} could be {choices}; write a letter more.")
    raise BadTableau(f"Line {line}: {short(word)} is no species; they are {', '.join(SPECIES)}.")


def _cells(line: str, number: int) -> list[tuple[int, bool]]:
    cells = []
    for word in re.split(r"[\s,;|]+", line.strip(" \t|,;")):
        down = word.startswith(("(", "[")) and word.endswith((")", "]"))
        cells.append((_species(word.strip("()[]"), number), down))
    if len(cells) != COLUMNS:
        raise BadTableau(f"Line {number}: {len(cells)} cards; a row has {COLUMNS}.")
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
        raise BadTableau("The file has no reef; a reef is a name and four lines of five cards.")
    if len(reefs) > SEATS:
        raise BadTableau(f"{len(reefs)} reefs; there are at most {SEATS} players.")
    if len(reefs[-1].rows) < ROWS:
        last = reefs[-1]
        raise BadTableau(
            f"{last.name} (line {last.line}) has {len(last.rows)} rows; a reef has {ROWS}."
        )
    return reefs, neutral


def _name(line: str, number: int) -> str:
    name = line.rstrip(":").strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadTableau(f"Line {number}: a player's name has 1 to {LONGEST_NAME} letters.")
    return name


def _lay(reefs: list[Reef], players: int, neutral: int) -> State:
    game: Any = record_of(new_states(GAME, 1))
    game.players = players
    game.phase = OVER
    game.turn = TURNS
    game.neutral[PLANKTON] = neutral
    for seat, reef in enumerate(reefs):
        cards = [card for row in reef.rows for card in row]
        for cell, (kind, down) in zip(BOX.tolist(), cards, strict=True):
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
    moves = ", ".join(write(game, pack, seat, first + pair) for pair in best[1])
    for pair in best[1]:
        flip(game, seat, pair)
    return [text("score.flips", who=name, flips=moves)]


def _gain(game: State, pack: Any, seat: int) -> int:
    """What a player wants as high as it can be: the own total, or alone the margin over Tim."""
    if int(game.players) == 1:
        return int(result(game, pack)["margin"])
    return sum(lines_of(game, pack, seat).values())
