"""Games played on, compiled: from a position as a spectator knows it, and from a decision as its
seat knew it, every choice in the same redealt worlds.

Only whole numbers are summed up, so that sums can be stored, and don't depend on who made them: a
share of the win is counted in sixtieths.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from pelagos.bots.playing import playing
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.rule import machine, rule
from pelagos.engine.stream import below, renew
from pelagos.engine.types import Array

WHOLE_WIN = 60
"""A win in parts that up to six winners can share."""
WORLDS, WIN_SQUARES, POINT_SQUARES, BY_SEAT = 0, 1, 2, 3
"""A choice's sums: worlds, squares of the seat's own shares and points; then, from `BY_SEAT` on,
each seat's shares, each seat's points, and the lines of the seat's own final sheet.
"""


MOST_CHOICES = 16
"""So many at most are tried for a decision."""


@cache
def playouts(game: Game) -> SimpleNamespace:
    """The loops for a game."""
    rules = playing(game)
    legal, play, redeal = rules.legal, rules.play, rules.redeal
    play_out, count_up = rules.play_out, rules.count_up
    sheet = doors(game).rules.sheet

    @rule
    def share(players: int, won: int, seat: int) -> int:
        """A seat's share of the win, in sixtieths."""
        if not (won >> seat) & 1:
            return 0
        sharing = 0
        for other in range(players):
            sharing += (won >> other) & 1
        return WHOLE_WIN // sharing

    @rule
    def finish(
        game: Any, pack: Any, seat: int, lines: int, stream: Array, room: Array, out: Array
    ) -> None:
        """Play to the end; write shares, points, and the seat's lines (-1: nobody's)."""
        players = int(game.players)
        play_out(game, pack, stream, room)
        points = out[players : 2 * players]
        won = count_up(game, pack, room, points)
        for other in range(players):
            out[other] = share(players, won, other)
        if seat >= 0:
            sheet(game, pack, seat, room)
            for line in range(lines):
                out[2 * players + line] = room[line]

    @rule
    def is_legal(game: Any, pack: Any, seat: int, action: int, room: Array) -> bool:
        count = legal(game, pack, seat, room)
        for place in range(count):
            if room[place] == action:
                return True
        return False

    @rule
    def reveal(game: Any, pack: Any, chosen: Array, count: int, stream: Array, room: Array) -> None:
        """In a drawn order, some of the seats that chose at the same time are first: they make the
        choices they made, where this world allows them. At least one of `count` is.
        """
        wanted = 1 + below(stream, count)
        left = count
        for other in range(int(game.players)):
            action = int(chosen[other])
            if action >= 0:
                if below(stream, left) < wanted:
                    wanted -= 1
                    if is_legal(game, pack, other, action, room):
                        play(game, pack, other, action)
                left -= 1

    @rule
    def position(
        states: Array, packs: Array, worlds: int, streams: Array, room: Array, out: Array, sums: Any
    ) -> None:
        """Sums: worlds; then by seat shares, points, and the squares of both."""
        for _ in range(worlds):
            states[2] = states[0]
            redeal(states[2], packs[0], -1, streams[0])
            finish(states[2], packs[0], -1, 0, streams[0], room, out)
            sums[0] += 1
            both = 2 * int(states[0].players)
            for place in range(both):
                sums[1 + place] += out[place]
                sums[1 + both + place] += out[place] * out[place]

    @rule
    def decision(
        states: Array,
        packs: Array,
        seat: int,
        worlds: int,
        choices: Array,
        racing: Array,
        count_racing: int,
        lines: int,
        chosen: Array,
        count: int,
        streams: Array,
        room: Array,
        out: Array,
        sums: Array,
    ) -> None:
        """Choice 0 is the one that was made. Its sums are its own; those of the others are
        differences from it, world by world. They lie in one row, choice after choice.
        """
        pack = packs[0]
        players = int(states[0].players)
        width = 2 * players + lines
        row = BY_SEAT + width
        for _ in range(worlds):
            states[1] = states[0]
            redeal(states[1], pack, seat, streams[0])
            renew(streams[1], streams[0])
            if count:
                reveal(states[1], pack, chosen, count, streams[0], room)
            for place in range(count_racing):
                choice = int(racing[place])
                states[2] = states[1]
                for word in range(4):
                    streams[2, word] = streams[1, word]
                play(states[2], pack, seat, int(choices[choice]))
                first = width * min(place, 1)
                end = out[first : first + width]
                finish(states[2], pack, seat, lines, streams[2], room, end)
                at = choice * row
                for number in range(width):
                    more = end[number]
                    if place:
                        more -= out[number]
                    sums[at + BY_SEAT + number] += more
                    if number == seat:
                        sums[at + WIN_SQUARES] += more * more
                    if number == players + seat:
                        sums[at + POINT_SQUARES] += more * more
                sums[at + WORLDS] += 1

    return SimpleNamespace(position=position, decision=decision)


@cache
def playout_doors(game: Game) -> SimpleNamespace:
    """The same, wherever they are compiled."""
    rules, opened = playouts(game), doors(game)
    return SimpleNamespace(
        position=machine.door(opened, "coach_position", rules.position),
        decision=machine.door(opened, "coach_decision", rules.decision),
    )
