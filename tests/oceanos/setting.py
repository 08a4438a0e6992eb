"""Tables for the stories: a seat gets the cards that a story needs, or rows are laid by hand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.games.oceanos import rules
from pelagos.games.oceanos.cards import cards_in, names_of
from pelagos.games.oceanos.scoring import lines_of
from pelagos.games.oceanos.state import (
    AIRLOCK,
    CARDS,
    COCKPIT,
    COLUMNS,
    DIVERS,
    FUEL,
    GREEN,
    PARTS,
    YELLOW,
)

GAME = find_game("oceanos")
PACK = default_pack(GAME)
DATA = record_of(PACK.data)

# Cards of the default pack, by what they carry.
GREENS = ("1-20", "1-21", "1-22", "1-23", "1-24")
YELLOWS = ("1-31", "1-32", "1-33", "1-34", "1-35")
BASES = ("1-07", "1-08", "1-09", "1-10", "1-11", "1-12")
CHEST = "1-38"
CHEST_WITH_BASE = "1-02"
CHEST_WITH_GREEN = "1-16"
PLAIN = "1-40"


def number(card: str) -> int:
    """A card's number in its round."""
    return names_of(DATA, int(card[0]) - 1).index(card)


def named(cards: int, depth: int = 0) -> set[str]:
    """The ids of a set of cards."""
    return {names_of(DATA, depth)[card] for card in cards_in(cards)}


class Story:
    """A game in which one seat gets the cards that the story needs; the others play plainly."""

    def __init__(self, players: int = 3, captain: int = 0, **options: Any) -> None:
        for seed in itertools.count():
            self.match = Match.new(GAME, players=players, seed=seed, **options)
            if players == 2 or self.match.deal["captain"] == captain:
                break

    @property
    def game(self) -> Any:
        return self.match.position.record

    def boat(self, seat: int) -> dict[str, int]:
        """Parts by level, fuel, divers, pending crystals."""
        levels = {part: int(self.game.boat[seat, at]) for at, part in enumerate(PARTS)}
        items = {"fuel": FUEL, "divers": DIVERS, "green": GREEN, "yellow": YELLOW}
        return levels | {name: int(self.game.boat[seat, at]) for name, at in items.items()}

    def hold(self, seat: int, *cards: str) -> None:
        """See to it that the seat holds these cards: each changes places with one of its own."""
        game, first = self.game, int(self.game.depth) * CARDS
        wanted = [number(card) for card in cards]
        for card in wanted:
            if int(game.hands[seat]) >> card & 1:
                continue
            spare = next(held for held in cards_in(int(game.hands[seat])) if held not in wanted)
            places = np.flatnonzero(game.deck[first : first + CARDS] == card)
            if len(places):
                game.deck[first + places[0]] = spare
            else:
                other = next(holder for holder in range(5) if int(game.hands[holder]) >> card & 1)
                game.hands[other] = int(game.hands[other]) & ~(1 << card) | 1 << spare
            game.hands[seat] = int(game.hands[seat]) & ~(1 << spare) | 1 << card
        self.begin_here()

    def begin_here(self) -> None:
        """The table was arranged by hand: what was before has no history."""
        self.match._start = self.match.position.copy()
        self.match.history, self.match._steps, self.match._stories = [], [], {}

    def until(self, seat: int, *verbs: str) -> list[str]:
        """Let the others play on until the seat owes a move with one of these verbs."""
        while True:
            moves = self.match.moves(seat)
            if any(move.split()[0] in verbs for move in moves):
                return moves
            assert not self.match.over
            self.step(without=seat)

    def step(self, without: int = -1) -> None:
        """One plain move: keep the first card, no more; no diver, no upgrade, nothing under."""
        pending = [seat for seat in self.match.pending if seat != without] or [without]
        moves = self.match.moves(pending[0])
        plain = next((move for move in moves if move in ("done", "pass")), moves[0])
        self.match.play(pending[0], plain)

    def turn(self, seat: int, *cards: str, answers: Sequence[str] = ()) -> list[list[str]]:
        """The seat keeps these cards, in this order, and gives these answers; then the turn ends.
        Returns what it was offered while laying."""
        self.until(seat, "keep")
        now = int(self.game.depth), int(self.game.turn)
        self.hold(seat, *cards)
        for place, card in enumerate(cards):
            self.match.play(seat, f"{'fuel' if place else 'keep'} {card}")
        if "done" in self.match.moves(seat):
            self.match.play(seat, "done")
        left = list(answers)
        offers = []
        while not self.match.over and (int(self.game.depth), int(self.game.turn)) == now:
            moves = self.match.moves(seat)
            if "pass" in moves and not any(move.startswith("under") for move in moves):
                offers.append(moves)
                self.match.play(seat, left.pop(0) if left else "pass")
            else:
                self.step()
        assert not left
        return offers

    def finish_round(self) -> None:
        """Play plainly until the next round, or the end."""
        depth = int(self.game.depth)
        while not self.match.over and int(self.game.depth) == depth:
            self.step()


def upgrades(moves: Sequence[str]) -> list[str]:
    return [move.split()[1] for move in moves if move.startswith("upgrade")]


def table(*seats: Sequence[str], divers: Sequence[str] = (), players: int = 0) -> Any:
    """A state with these cards laid: each seat is three rows, cards parted by spaces."""
    game = record_of(new_states(GAME, 1))
    game.players = players or max(len(seats), 2)
    game.boat[:, : len(PARTS)] = 1
    for seat, rows in enumerate(seats):
        for depth, row in enumerate(rows):
            for column, card in enumerate(row.split()):
                game.rows[seat, depth, column] = number(card)
                game.row_size[seat, depth] += 1
                if card in divers:
                    game.dived[seat] |= 1 << (depth * COLUMNS + column)
    return game


def ended(*seats: Sequence[str], divers: Sequence[str] = (), bag: Sequence[int] = ()) -> Any:
    """The same at the game's end, the bag beginning with these tokens."""
    game = table(*seats, divers=divers)
    game.bag[:] = [*bag, *[0] * (30 - len(bag))]
    rules.end_game(game, DATA)
    return game


def sheet(game: Any, seat: int = 0) -> dict[str, int]:
    return lines_of(game, DATA, seat)


def empty_deck(story: Story, keep_in_deck: int) -> None:
    """Discard all of the deck but its top cards."""
    for place in range(keep_in_deck, int(story.game.left)):
        at = (int(story.game.top) + place) % CARDS
        story.game.aside[0] |= 1 << int(story.game.deck[at])
        story.game.deck[at] = 0
    story.game.lots[0] = keep_in_deck
    story.game.left = keep_in_deck
    story.begin_here()


def scored(*rows: str, kraken: int = -2, **levels: int) -> Any:
    """Round one scored with a row for each seat; levels are seat 0's."""
    game = table(*([row, "", ""] for row in rows))
    game.kraken[0, 0] = kraken
    for part, level in levels.items():
        game.boat[0, PARTS.index(part)] = level
    rules.score_animals(game, DATA)
    rules.score_kraken(game, DATA)
    return game


def duel_at_under() -> Story:
    """Two players who owe the choice of a card under the deck, with two cards each."""
    story = Story(players=2)
    for seat in range(2):
        story.game.boat[seat, COCKPIT] = 2
    while int(story.game.turn) == 0:
        story.step()
    while not any(move.startswith("under") for move in story.match.moves(0)):
        story.step()
    story.begin_here()
    return story


def troubled(captain: int = 0, players: int = 4) -> Story:
    return Story(players, captain, troubled=True)


def changed_card(card: str, files: Any = None, **cells: Any) -> dict[str, str]:
    """The default pack's files with one card changed."""
    texts = dict(files or PACK.files)
    header, *lines = texts["cards.csv"].splitlines()
    columns = header.split(",")
    for at, line in enumerate(lines):
        row = dict(zip(columns, line.split(","), strict=True))
        if row["card_id"] == card:
            row.update({name: str(value) for name, value in cells.items()})
            lines[at] = ",".join(row.values())
    texts["cards.csv"] = "\n".join([header, *lines]) + "\n"
    return texts


def second_chest_below_a_diver() -> Story:
    """Seat 1 has a diver on its first card, a chest, and keeps a chest for the place below it."""
    story = Story()
    story.turn(1, CHEST, answers=["dive"])
    story.game.boat[1, AIRLOCK] = 2
    story.game.boat[1, DIVERS] = 1
    story.finish_round()
    story.until(1, "keep")
    story.hold(1, "2-42")
    return story
