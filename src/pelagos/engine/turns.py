"""Rules over whole games, made from a game's own: dealing, stepping, playing out, counting up.

The CPU's loops and the GPU's kernels run these very rules. A learner's seat is decided for by
whoever steps; the other seats, and all seats of a play-out, by choosers:

    choose(game, pack, seat, stream, room) -> action

`room` is a worker's row of numbers, where actions, outcomes and sheets are written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from pelagos.engine.digest import seed_game, start_players_stream, start_stream
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.rewards import Reward
from pelagos.engine.rule import rule
from pelagos.engine.stream import below
from pelagos.engine.types import CHANCE, Array

Chooser = Callable[[Any, Any, int, Array, Array], int]
Expand = Callable[[Any, Array, Array], None]
GOES_ON, IS_OVER, WAS_ILLEGAL = 0, 1, 2
"""What a step made of a game, in `ended`."""


class Setup(NamedTuple):
    """What is the same for all games."""

    packs: Array
    template: Array
    """One state with the options set and nothing dealt."""
    series: Array
    """The series' name as its games' seeds begin with it."""
    choosers: Array
    """By seat, which chooser decides for it."""
    learners: int
    """Mask of the seats that whoever steps decides for."""
    lines: int
    """How many lines the score sheet has."""
    reset: bool
    """Is the next game of the series dealt where one has ended?"""


class Tables(NamedTuple):
    """The games as they stand."""

    states: Array
    streams: Array
    """Each game's stream for choosers."""
    numbers: Array
    """Each game's number in the series."""
    lengths: Array
    """Decisions made in it."""


class Shown(NamedTuple):
    """What a learner is shown: a row a game."""

    seats: Array
    """Whose decision it is; -1: the game is over."""
    masks: Array
    """Which actions are legal."""
    observations: Array
    """What the seat sees; without columns if nothing is to be observed."""
    rewards: Array
    """What the last step brought each seat."""
    ended: Array
    """Whether the last step ended the game."""
    finals: Array
    """What who made the last move of an ended game saw then; without columns if not wanted."""
    totals: Array
    """Every seat's points in the last game that ended here."""
    won: Array
    """Mask of its winners."""


@cache
def whole_games(game: Game) -> SimpleNamespace:
    """The rules that every kind of play shares."""
    rules = doors(game).rules
    shuffle, begin, pending = rules.shuffle, rules.begin, rules.pending
    chance, happen, sheet, winners = rules.chance, rules.happen, rules.sheet, rules.winners

    @rule
    def settle(game: Any, pack: Any, room: Array) -> Any:
        """Let chance do what it owes; return who owes a decision then."""
        who = pending(game, pack)
        while who == CHANCE:
            count = chance(game, pack, room)
            happen(game, pack, room, count)
            who = pending(game, pack)
        return who

    @rule
    def start(game: Any, pack: Any, room: Array) -> Any:
        """Shuffle, deal, and come to the first decision."""
        shuffle(game, pack)
        begin(game, pack)
        return settle(game, pack, room)

    @rule
    def count_up(game: Any, pack: Any, room: Array, lines: int, totals: Array) -> Any:
        """Write every seat's points; return the winners' mask."""
        for seat in range(int(game.players)):
            sheet(game, pack, seat, room)
            total = 0
            for line in range(lines):
                total += int(room[line])
            totals[seat] = total
        return winners(game, pack, totals)

    return SimpleNamespace(settle=settle, start=start, count_up=count_up, **vars(rules))


@rule
def first_seat(who: int) -> int:
    """The lowest seat that owes a decision."""
    seat = 0
    while not (who >> seat) & 1:
        seat += 1
    return seat


@cache
def random_chooser(game: Game) -> Chooser:
    """Each legal action equally likely."""
    legal = doors(game).rules.legal

    @rule
    def choose(game: Any, pack: Any, seat: int, stream: Array, room: Array) -> int:
        return int(room[below(stream, legal(game, pack, seat, room))])

    return choose


@cache
def one_of(choosers: tuple[Chooser, ...]) -> Callable[..., int]:
    """One rule for several choosers, the first argument saying which of them is meant."""
    first, *others = choosers
    if not others:

        @rule
        def choose_alone(
            which: int, game: Any, pack: Any, seat: int, stream: Array, room: Array
        ) -> int:
            return first(game, pack, seat, stream, room)

        return choose_alone
    rest = one_of(tuple(others))

    @rule
    def choose(which: int, game: Any, pack: Any, seat: int, stream: Array, room: Array) -> int:
        if which == 0:
            return first(game, pack, seat, stream, room)
        return rest(which - 1, game, pack, seat, stream, room)

    return choose


@cache
def play_outs(game: Game, choosers: tuple[Chooser, ...]) -> SimpleNamespace:
    """Whole games in which choosers decide for every seat."""
    whole = whole_games(game)
    start_rule, settle, play, count_up = whole.start, whole.settle, whole.play, whole.count_up
    legal, choose = whole.legal, one_of(choosers)

    @rule
    def deal(
        states: Array, place: int, setup: Setup, number: int, stream: Array, room: Array
    ) -> Any:
        """Deal game `number` of the series; return who owes the first decision."""
        states[place] = setup.template[0]
        seed_game(setup.series, number, stream)
        start_stream(stream, states[place].stream)
        start_players_stream(stream, stream)
        return start_rule(states[place], setup.packs[0], room)

    if choosers == (random_chooser(game),):  # the same without two calls, which take half its time

        @rule
        def play_out(game: Any, pack: Any, which: Array, stream: Array, room: Array) -> int:
            """Play to the end at random; return how many decisions it took."""
            decisions = 0
            who = settle(game, pack, room)
            while who:
                seat = first_seat(who)
                count = legal(game, pack, seat, room)
                play(game, pack, seat, room[below(stream, count)])
                decisions += 1
                who = settle(game, pack, room)
            return decisions

    else:

        @rule
        def play_out(game: Any, pack: Any, which: Array, stream: Array, room: Array) -> int:
            """Play to the end; return how many decisions it took. `which`: by seat, its chooser."""
            decisions = 0
            who = settle(game, pack, room)
            while who:
                seat = first_seat(who)
                action = choose(int(which[seat]), game, pack, seat, stream, room)
                play(game, pack, seat, action)
                decisions += 1
                who = settle(game, pack, room)
            return decisions

    @rule
    def finish(game: Any, setup: Setup, stream: Array, room: Array, totals: Array) -> Any:
        """Play to the end and write the points; return the decisions made and who has won."""
        pack = setup.packs[0]
        decisions = play_out(game, pack, setup.choosers, stream, room)
        return decisions, count_up(game, pack, room, setup.lines, totals)

    return SimpleNamespace(
        start=start_rule, deal=deal, play_out=play_out, finish=finish, choose=choose
    )


@cache
def steps(
    game: Game, choosers: tuple[Chooser, ...], reward: Reward, expand: Expand | None = None
) -> SimpleNamespace:
    """Games in which somebody else decides for the learners, one decision at a time.

    `raw` is a worker's row for an observation's numbers before they are expanded.
    """
    whole, outs = whole_games(game), play_outs(game, choosers)
    settle, play, legal, count_up = whole.settle, whole.play, whole.legal, whole.count_up
    observe_raw, deal, choose = whole.observe, outs.deal, outs.choose

    if expand is None:

        @rule
        def observe(game: Any, pack: Any, seat: int, raw: Array, out: Array) -> None:
            observe_raw(game, pack, seat, out)

    else:

        @rule
        def observe(game: Any, pack: Any, seat: int, raw: Array, out: Array) -> None:
            observe_raw(game, pack, seat, raw)
            expand(pack, raw, out)

    @rule
    def come_to_learner(
        game: Any, setup: Setup, who: int, tables: Tables, index: int, room: Array
    ) -> int:
        """Let choosers decide until a learner is asked; return which are, 0 at the end."""
        pack = setup.packs[0]
        while who and not who & setup.learners:
            seat = first_seat(who)
            which = int(setup.choosers[seat])
            play(game, pack, seat, choose(which, game, pack, seat, tables.streams[index], room))
            tables.lengths[index] += 1
            who = settle(game, pack, room)
        return who & setup.learners

    @rule
    def begin(
        states: Array, place: int, setup: Setup, tables: Tables, index: int, room: Array
    ) -> int:
        """Deal the slot's game, up to the first decision of a learner."""
        number = int(tables.numbers[index])
        tables.lengths[index] = 0
        who = deal(states, place, setup, number, tables.streams[index], room)
        return come_to_learner(states[place], setup, who, tables, index, room)

    @rule
    def show(
        game: Any, pack: Any, who: int, shown: Shown, index: int, room: Array, raw: Array
    ) -> None:
        """Write whose decision it is, what it may do and what it sees."""
        masks = shown.masks
        for action in range(masks.shape[1]):
            masks[index, action] = False
        if not who:
            shown.seats[index] = -1
            return
        seat = first_seat(who)
        shown.seats[index] = seat
        count = legal(game, pack, seat, room)
        for choice in range(count):
            masks[index, room[choice]] = True
        if shown.observations.shape[1]:
            observe(game, pack, seat, raw, shown.observations[index])

    @rule
    def open_game(
        states: Array,
        place: int,
        setup: Setup,
        tables: Tables,
        shown: Shown,
        index: int,
        room: Array,
        raw: Array,
    ) -> None:
        """Deal the slot's game and show its first decision."""
        who = begin(states, place, setup, tables, index, room)
        show(states[place], setup.packs[0], who, shown, index, room, raw)

    @rule
    def reward_all(game: Any, setup: Setup, shown: Shown, index: int, room: Array) -> None:
        """Write what the end has brought."""
        players = int(game.players)
        totals = shown.totals[index]
        won = int(count_up(game, setup.packs[0], room, setup.lines, totals))
        shown.won[index] = won
        for seat in range(players):
            shown.rewards[index, seat] = reward(totals, won, players, seat)

    @rule
    def step(
        states: Array,
        place: int,
        setup: Setup,
        tables: Tables,
        shown: Shown,
        index: int,
        action: int,
        room: Array,
        raw: Array,
    ) -> None:
        """Make the slot's decision, and go on to its next; deal anew where the game has ended.

        An action that isn't legal loses at once.
        """
        game, pack = states[place], setup.packs[0]
        seat = int(shown.seats[index])
        for other in range(shown.rewards.shape[1]):
            shown.rewards[index, other] = 0
        shown.ended[index] = GOES_ON
        if seat < 0:
            return
        who = 0
        if action < 0 or action >= shown.masks.shape[1] or not shown.masks[index, action]:
            shown.rewards[index, seat] = -1
            shown.ended[index] = WAS_ILLEGAL
        else:
            play(game, pack, seat, action)
            tables.lengths[index] += 1
            who = settle(game, pack, room)
            who = come_to_learner(game, setup, who, tables, index, room)
            if not who:
                reward_all(game, setup, shown, index, room)
                shown.ended[index] = IS_OVER
        if not who:
            if shown.finals.shape[1]:
                observe(game, pack, seat, raw, shown.finals[index])
            if setup.reset:
                tables.numbers[index] += tables.numbers.shape[0]
                who = begin(states, place, setup, tables, index, room)
        show(states[place], pack, who, shown, index, room, raw)

    return SimpleNamespace(open_game=open_game, step=step)


@rule
def first_illegal(seats: Array, masks: Array, actions: Array) -> int:
    """The first game whose action isn't legal; -1: none."""
    for index in range(seats.shape[0]):
        action = int(actions[index])
        inside = 0 <= action < masks.shape[1]
        if seats[index] >= 0 and not (inside and masks[index, action]):
            return index
    return -1
