"""One game by numbers: what every door for learners stands on.

A `Table` is a game being played: bytes, quick to copy and to pickle, and a function of its setup,
its seed and the actions. A `Setup` is what all tables of one kind share.
"""

from __future__ import annotations

import operator
import secrets
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from pelagos.bots.question import PackFiles, own_files, pack_of
from pelagos.engine.arrays import copy_of, new_states, readable, record_of
from pelagos.engine.doors import doors
from pelagos.engine.errors import IllegalMove, PelagosError, short, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.layout import LEAST, MOST, Field, Layout
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, load_pack
from pelagos.engine.position import Position, lines_of
from pelagos.engine.rewards import Reward, find_reward
from pelagos.engine.rule import constants, rule
from pelagos.engine.stream import seed_of, words_of
from pelagos.engine.turns import play_outs, random_chooser, whole_games
from pelagos.engine.types import MOST_SEATS, NOT_LEGAL, Array

Options = tuple[tuple[str, bool | int], ...]

KINDS: dict[str, Any] = {"raw": np.int16, "float32": np.float32}
"""How what is seen can be written, and in which numbers."""


ALL_ALIKE = constants([0] * MOST_SEATS, "uint8")
"""Every seat has the same chooser."""


@cache
def _rules(game: Game) -> SimpleNamespace:
    """The compiled calls of a table, each from one decision to the next."""
    contract = doors(game).rules
    whole = whole_games(game)
    legal, play, observe, redeal_rule = (
        contract.legal,
        contract.play,
        contract.observe,
        contract.redeal,
    )
    settle, start, count_up_rule = whole.settle, whole.start, whole.count_up
    play_out_rule = play_outs(game, (random_chooser(game),)).play_out

    @rule
    def deal(states: Array, packs: Array, room: Array) -> Any:
        """Deal; return who owes a decision."""
        return start(states[0], packs[0], room)

    @rule
    def act(states: Array, packs: Array, seat: int, action: int, room: Array) -> Any:
        """Make the move of a seat that owes one; return who owes a decision then, or NOT_LEGAL."""
        count = legal(states[0], packs[0], seat, room)
        for place in range(count):
            if room[place] == action:
                play(states[0], packs[0], seat, action)
                return settle(states[0], packs[0], room)
        return NOT_LEGAL

    @rule
    def look(
        states: Array, packs: Array, seat: int, asked: bool, room: Array, out: Array, mask: Array
    ) -> None:
        """Write what the seat sees and, if it is asked, what it may do."""
        observe(states[0], packs[0], seat, out)
        if asked:
            for place in range(legal(states[0], packs[0], seat, room)):
                mask[room[place]] = 1

    @rule
    def count_up(states: Array, packs: Array, room: Array, lines: int, totals: Array) -> Any:
        """Write every seat's points; return the winners' mask."""
        return count_up_rule(states[0], packs[0], room, lines, totals)

    @rule
    def redeal(states: Array, packs: Array, seat: int, stream: Array, room: Array) -> Any:
        """Deal anew all that the seat can't know; return who owes a decision then."""
        redeal_rule(states[0], packs[0], seat, stream)
        return settle(states[0], packs[0], room)

    @rule
    def play_out(states: Array, packs: Array, stream: Array, room: Array) -> None:
        """Play to the end, each legal action equally likely."""
        play_out_rule(states[0], packs[0], ALL_ALIKE, stream, room)

    return SimpleNamespace(
        deal=deal, act=act, look=look, count_up=count_up, redeal=redeal, play_out=play_out
    )


class Setup:
    """A game with its material, its options and what its end is worth."""

    def __init__(
        self,
        game: Game,
        files: PackFiles | None,
        options: Options,
        rewards: str | Reward,
        observe: str,
    ) -> None:
        """Use `set_up`."""
        self._key = (game.id, files, options, rewards, observe)
        self.game = game
        self.options: dict[str, Any] = dict(options)
        self.players = int(self.options["players"])
        self.actions = game.actions
        self.layout: Layout = game.part("features").LAYOUT
        self.expands = observe == "float32"
        self.kind = KINDS[observe]
        self.size = self.layout.expanded if self.expands else self.layout.size
        """How many numbers an observation has."""
        self.reward = find_reward(rewards)
        self.lines = len(lines_of(game, self.options))
        self.room = max(game.actions + 1, game.outcome, self.lines, MOST_SEATS)
        self.pack = pack_of(game.id, files)
        self.points = game.points(self.options, self.pack)
        """The fewest and the most that a seat can end with."""
        self.longest = game.longest(self.options, self.pack)
        """No game has more decisions."""
        self.packs = readable(self.pack.data)
        self.rules = _rules(game)
        self.empty = new_states(game, 1)
        game.part("rules").configure(record_of(self.empty), self.options)

    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest value of each number of an observation."""
        if not self.expands:
            return self.layout.low, self.layout.high
        columns = [
            _expanded(field)
            for field in self.layout.fields
            for _ in range(self.layout.columns_of(field))
        ]
        low, high = np.array(columns, self.kind).T
        return low, high

    def __reduce__(self) -> Any:
        return _setup, self._key

    def __deepcopy__(self, memo: Any) -> Setup:
        return self


def _expanded(field: Field) -> tuple[float, float]:
    """The bounds of a field's columns; a card's attributes are the pack's."""
    if field.kind == "card":
        return LEAST, MOST
    if field.kind == "count":
        scale = 1 / (field.scale or max(field.high, -field.low))
        return field.low * scale, field.high * scale
    return 0, 1


@lru_cache(maxsize=256)
def _setup(
    game_id: str,
    files: PackFiles | None,
    options: Options,
    rewards: str | Reward,
    observe: str,
) -> Setup:
    return Setup(find_game(game_id), files, options, rewards, observe)


def set_up(
    game: str | Game,
    *,
    pack: Pack | Path | str | None = None,
    rewards: str | Reward = "win",
    observe: str = "raw",
    **options: Any,
) -> Setup:
    """A game as a door is told it; refused with a sentence if it can't be."""
    if isinstance(game, str):
        game = find_game(game)
    if not isinstance(pack, Pack):
        pack = default_pack(game) if pack is None else load_pack(game, pack)
    checked = tuple(game.check_options(options).items())
    find_reward(rewards)
    if observe not in KINDS:
        known = ", ".join(KINDS)
        raise PelagosError(text("envs/refuse.observe", known=known, value=short(observe)))
    return _setup(game.id, own_files(pack), checked, rewards, observe)


def whole(action: Any) -> int:
    """An action's number; anything else is refused, and never rounded."""
    try:
        return operator.index(action)
    except TypeError:
        raise PelagosError(text("envs/refuse.action", value=short(action))) from None


class Table:
    """One game, from its deal to its end."""

    __slots__ = ("_room", "log", "seed", "setup", "states", "who")

    def __init__(self, setup: Setup, seed: bytes) -> None:
        """Deal the game of this seed."""
        self.setup = setup
        self.seed: bytes | None = seed
        self.log: list[tuple[int, int]] = []
        """Every decision so far: seat and action."""
        self.states = copy_of(setup.empty)
        self.states["stream"][0] = words_of(seed)
        self._room = np.empty(setup.room, np.int64)
        self.who = int(setup.rules.deal(self.states, setup.packs, self._room))
        """Mask of the seats that owe a decision; 0: it is over."""

    # --- copies -----------------------------------------------------------------------------------

    def copy(self) -> Table:
        """An independent copy."""
        other = object.__new__(Table)
        other.setup, other.seed, other.who = self.setup, self.seed, self.who
        other.log = self.log.copy()
        other.states = copy_of(self.states)
        other._room = np.empty(len(self._room), np.int64)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Table:
        return self.copy()

    def __getstate__(self) -> Any:
        return self.setup, self.seed, self.who, self.log, self.states.tobytes()

    def __setstate__(self, pickled: Any) -> None:
        self.setup, self.seed, self.who, self.log, state = pickled
        self.states = readable(np.frombuffer(bytearray(state), self.setup.empty.dtype))
        self._room = np.empty(self.setup.room, np.int64)

    # --- whose decision, and what is legal --------------------------------------------------------

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.who == 0

    def owes(self, seat: int) -> bool:
        """Does the seat owe a decision?"""
        return bool(self.who >> seat & 1)

    @property
    def pending(self) -> list[int]:
        """The seats that owe a decision."""
        return [seat for seat in range(self.setup.players) if self.who >> seat & 1]

    @property
    def first(self) -> int:
        """The lowest seat that owes a decision. What it sees tells nothing of choices that others
        have made in the same phase, so that seats can be asked one after another.
        """
        return (self.who & -self.who).bit_length() - 1

    def legal(self, seat: int) -> list[int]:
        """The seat's legal actions, ascending; none if it owes no decision."""
        if not self.owes(seat):
            return []
        setup = self.setup
        count = doors(setup.game).legal(self.states, setup.packs, 0, seat, self._room)
        actions: list[int] = self._room[:count].tolist()
        return actions

    def decisions(self, seat: int) -> int:
        """How many decisions the seat has made: the number of its next one."""
        return sum(decider == seat for decider, _ in self.log)

    # --- what is seen -----------------------------------------------------------------------------

    def look(self, seat: int, width: int | None = None) -> tuple[Array, Array]:
        """What the seat sees, and the mask of what it may do, `width` numbers wide."""
        setup = self.setup
        seen = np.empty(setup.layout.size, np.int16)
        mask = np.zeros(width or setup.actions, np.int8)
        setup.rules.look(self.states, setup.packs, seat, self.owes(seat), self._room, seen, mask)
        if setup.expands:
            columns = np.empty(setup.size, np.float32)
            doors(setup.game).expand(setup.packs, seen, columns)
            return columns, mask
        return seen, mask

    def see(self, seat: int) -> Array:
        """What the seat sees, as plain numbers whatever the setup says."""
        setup = self.setup
        seen = np.empty(setup.layout.size, np.int16)
        doors(setup.game).observe(self.states, setup.packs, 0, seat, seen)
        return seen

    def all_seen(self) -> Array:
        """What all seats see together, a row a seat: for a critic in training."""
        return np.stack([self.look(seat)[0] for seat in range(self.setup.players)])

    # --- moves ------------------------------------------------------------------------------------

    def act(self, seat: int, action: int) -> None:
        """Make a legal move; anything else is refused, and nothing has changed."""
        if not self.attempt(seat, action):
            raise self._illegal(seat, action)

    def check(self, seat: int, action: int) -> None:
        """Refuse an action that isn't legal."""
        if whole(action) not in self.legal(seat):
            raise self._illegal(seat, action)

    def _illegal(self, seat: int, action: int) -> IllegalMove:
        listed = ", ".join(map(str, self.legal(seat))) or "—"
        return IllegalMove(
            text("envs/refuse.not_legal", action=short(action), seat=seat, legal=listed)
        )

    def attempt(self, seat: int, action: int) -> bool:
        """Make a move if it is legal; was it?"""
        setup, action = self.setup, whole(action)
        if not self.owes(seat):
            return False
        who = int(setup.rules.act(self.states, setup.packs, seat, action, self._room))
        if who == NOT_LEGAL:
            return False
        self.who = who
        self.log.append((seat, action))
        return True

    def play_out(self, stream: Array) -> None:
        """Play to the end, each legal action equally likely."""
        setup = self.setup
        setup.rules.play_out(self.states, setup.packs, stream, self._room)
        self.who = 0

    # --- what it is worth -------------------------------------------------------------------------

    def standing(self) -> tuple[list[int], list[int]]:
        """Every seat's points, and the winners' seats, if the game ended now."""
        totals, won = self._count_up()
        return totals.tolist(), [seat for seat in range(self.setup.players) if won >> seat & 1]

    def returns(self) -> list[float]:
        """What the end is worth to every seat."""
        totals, won = self._count_up()
        reward, players = self.setup.reward, self.setup.players
        return [float(reward(totals, won, players, seat)) for seat in range(players)]

    def end(self) -> tuple[list[float], list[dict[str, Any]]]:
        """What the end is worth to every seat, and what else each is told of it."""
        points, winners = self.standing()
        infos = [{"points": own, "won": seat in winners} for seat, own in enumerate(points)]
        return self.returns(), infos

    def _count_up(self) -> tuple[Array, int]:
        setup = self.setup
        totals = np.zeros(setup.players, np.int64)
        won = setup.rules.count_up(self.states, setup.packs, self._room, setup.lines, totals)
        return totals, int(won)

    # --- other worlds -----------------------------------------------------------------------------

    def redeal(self, seat: int, stream: Array) -> Table:
        """A world that looks the same to the seat: all that it can't know is dealt anew, and
        others' hidden choices are taken back. It has no past that would tell the true one.
        """
        other, setup = self.copy(), self.setup
        other.seed, other.log = None, []
        other.who = int(setup.rules.redeal(other.states, setup.packs, seat, stream, other._room))
        return other

    # --- as the rest of the house knows it --------------------------------------------------------

    def position(self) -> Position:
        """The state with its rules, sharing this table's memory."""
        setup = self.setup
        return Position(setup.game, setup.pack, setup.options, self.states)

    def match(self) -> Match:
        """The same game with its history: it explains, draws and records itself."""
        if self.seed is None:
            raise PelagosError(text("envs/refuse.redealt"))
        setup = self.setup
        match = Match.new(setup.game, seed=self.seed, pack=setup.pack, **setup.options)
        for seat, action in self.log:
            match.play(seat, action)
        return match


class Series:
    """Games one after another, numbered as the command line numbers those of `--seed`."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.seed = secrets.randbits(63)
        self.next = 0
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """The game that was dealt last, as it stands; refused before the first."""
        self.check_dealt()
        assert self._table is not None
        return self._table

    def check_dealt(self) -> None:
        """Refuse what needs a game before there is any."""
        if self._table is None:
            raise PelagosError(text("envs/refuse.not_dealt"))

    def deal(self, seed: int | None = None) -> Table:
        """The next game; with a seed, the first of that series."""
        if seed is not None:
            self.seed, self.next = seed, 0
        table = self._table = Table(self.setup, seed_of(str(self.seed), self.next))
        self.next += 1
        return table
