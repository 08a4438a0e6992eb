"""What `hear.mjs` hears of many games, on the CPU: one compiled loop that asks every rule at every
decision, and mixes all answers into two numbers a game."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pelagos.bots.playing import playing
from pelagos.engine.arrays import new_states
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.layout import expander
from pelagos.engine.pack import default_pack
from pelagos.engine.rule import rule, uint64
from pelagos.engine.turns import first_seat, random_chooser
from pelagos.engine.types import CHANCE, MOST_SEATS


class Desk(NamedTuple):
    """Where rules write, each array with the same memory as words of 32 bits."""

    state: Any
    state_words: Any
    other: Any
    other_words: Any
    room: Any
    room_words: Any
    legal: Any
    legal_words: Any
    rows: Any
    rows_words: Any
    features: Any
    features_words: Any
    columns: Any
    columns_words: Any
    totals: Any
    totals_words: Any
    stream: Any
    draws: Any
    draws_words: Any
    heard: Any
    """The two numbers."""


MASK = uint64(0xFFFFFFFF)
FIRST, SECOND = uint64(0x9E3779B1), uint64(0x85EBCA6B)
_13, _15 = uint64(13), uint64(15)


@rule
def hear_number(heard: Any, number: int) -> None:
    """Mix a number in, as 32 bits."""
    word = uint64(number) & MASK
    first = ((heard[0] ^ word) * FIRST) & MASK
    heard[0] = first ^ (first >> _15)
    second = ((heard[1] ^ word) * SECOND) & MASK
    heard[1] = second ^ (second >> _13)


@rule
def hear(heard: Any, words: Any, count: int) -> None:
    """Mix in words of 32 bits."""
    for place in range(count):
        hear_number(heard, int(words[place]))


def words_in(size: int) -> int:
    """How many words of 32 bits so many bytes take."""
    return (size + 3) // 4


def room_for(kind: Any, count: int, columns: int = 0) -> tuple[Any, Any]:
    """An array, and the same memory as words, with zeros up to the last one's end."""
    shape = (count, columns) if columns else (count,)
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    words = np.zeros(words_in(size), np.uint32)
    array = np.ndarray(shape, kind, words.data)
    return array, words


@cache
def loop(game: Game) -> Any:
    """The loop over games of one kind."""
    rules, opened, bots = doors(game).rules, doors(game), playing(game)
    shuffle, begin, pending, legal = rules.shuffle, rules.begin, rules.pending, rules.legal
    play, chance, happen, sheet = rules.play, rules.chance, rules.happen, rules.sheet
    winners, redeal, preview = rules.winners, rules.redeal, rules.preview
    observe, expand = rules.observe, expander(game)
    attempt, previews = opened.attempt_rule, opened.previews_rule
    rate, best, count_up, draw = bots.rate_rule, bots.best, bots.count_up, random_chooser(game)
    lines, state_words = len(game.lines), words_in(new_states(game, 1).itemsize)
    features = words_in(2 * game.part("features").SIZE)
    columns = words_in(4 * game.part("features").LAYOUT.expanded)

    @rule
    def ask(desk: Any, pack: Any, seat: int) -> int:
        state, other, room, heard = desk.state, desk.other, desk.room, desk.heard
        count = legal(state[0], pack, seat, desk.legal)
        hear(heard, desk.legal_words, 2 * count)
        observe(state[0], pack, seat, desk.features)
        hear(heard, desk.features_words, features)
        expand(pack, desk.features, desk.columns)
        hear(heard, desk.columns_words, columns)
        sheet(state[0], pack, seat, room)
        hear(heard, desk.room_words, 2 * lines)
        previews(state[0], pack, seat, desk.legal, count, other, desk.rows)
        hear(heard, desk.rows_words, 2 * count * lines)
        other[0] = state[0]
        preview(other[0], pack, seat, int(desk.legal[count - 1]), room)
        hear(heard, desk.room_words, 2 * lines)
        for place in range(count):
            hear_number(heard, int(rate(state[0], pack, seat, int(desk.legal[place]))))
        for place in range(4):
            desk.draws[place] = desk.stream[place]
        hear_number(heard, int(best(state[0], pack, seat, desk.draws, room)))
        other[0] = state[0]
        redeal(other[0], pack, seat, desk.draws)
        hear(heard, desk.other_words, state_words)
        hear(heard, desk.draws_words, 8)
        hear_number(heard, int(attempt(state[0], pack, seat, -1, room)))
        return int(draw(state[0], pack, seat, desk.stream, room))

    @rule
    def play_through(desk: Any, pack: Any) -> int:
        state, room, heard = desk.state, desk.room, desk.heard
        shuffle(state[0], pack)
        begin(state[0], pack)
        decisions = 0
        who = pending(state[0], pack)
        while who:
            if who == CHANCE:
                count = chance(state[0], pack, room)
                hear(heard, desk.room_words, 2 * count)
                happen(state[0], pack, room, count)
            else:
                seat = first_seat(who)
                action = ask(desk, pack, seat)
                if decisions % 2:
                    hear_number(heard, int(attempt(state[0], pack, seat, action, room)))
                else:
                    hear_number(heard, int(play(state[0], pack, seat, action)))
                decisions += 1
            who = pending(state[0], pack)
        return decisions

    @rule
    def hear_all(given: Any, streams: Any, packs: Any, desk: Any, out: Any) -> None:
        state, heard = desk.state, desk.heard
        for index in range(len(given)):
            state[0] = given[index]
            for place in range(4):
                desk.stream[place] = streams[index, place]
            heard[0] = uint64(0)
            heard[1] = uint64(0)
            out[index, 0] = play_through(desk, packs[0])
            hear_number(heard, int(count_up(state[0], packs[0], desk.room, desk.totals)))
            hear_number(heard, int(winners(state[0], packs[0], desk.totals)))
            hear(heard, desk.totals_words, 2 * int(state[0].players))
            hear(heard, desk.state_words, state_words)
            out[index, 1] = heard[0]
            out[index, 2] = heard[1]

    return hear_all


def hear_games(game: Game, given: Any, streams: Any) -> Any:
    """Each game's decisions and its two numbers, a row a game."""
    size, layout = len(playing(game).actions), game.part("features")
    draws, draws_words = room_for(np.uint64, 4)
    desk = Desk(
        *room_for(given.dtype, 1),
        *room_for(given.dtype, 1),
        *room_for(np.int64, size),
        *room_for(np.int64, size),
        *room_for(np.int64, size, len(game.lines)),
        *room_for(np.int16, layout.SIZE),
        *room_for(np.float32, layout.LAYOUT.expanded),
        *room_for(np.int64, MOST_SEATS),
        np.zeros(4, np.uint64),
        draws,
        draws_words,
        np.zeros(2, np.uint64),
    )
    out = np.zeros((len(given), 3), np.uint32)
    loop(game)(given, streams, default_pack(game).data, desk, out)
    return out
