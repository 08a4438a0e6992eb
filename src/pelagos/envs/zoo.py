"""PettingZoo's door: `env(game)` asks seat by seat, `parallel_env(game)` all at once.

`reset(seed=n)` deals game 0 of `--seed n`, and each reset after it the next of the series.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game
from pelagos.engine.pack import Pack
from pelagos.engine.rewards import Reward
from pelagos.engine.types import Array
from pelagos.envs.extras import MissingExtra
from pelagos.envs.table import Series, Table, set_up, whole

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

    from pelagos.envs.spaces import MODES, check_mode, masked, masked_space, seen_space
except ModuleNotFoundError as error:
    raise MissingExtra(library="PettingZoo", extra="envs") from error

ILLEGAL = -1.0
"""What an illegal action costs where all choose at once."""

Seen = dict[str, Array]


class _Seats:
    """What both environments share: agents, spaces, deals, drawing."""

    def __init__(
        self,
        game: str | Game,
        waits: bool,
        *,
        pack: Pack | Path | str | None = None,
        rewards: str | Reward = "win",
        observe: str = "raw",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.setup = set_up(game, pack=pack, rewards=rewards, observe=observe, **options)
        self.render_mode = check_mode(render_mode)
        self.metadata = {
            "render_modes": [*MODES],
            "name": f"pelagos_{self.setup.game.id}_v1",
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.setup.players)]
        self.agents: list[str] = []
        self.width = self.setup.actions + waits
        """How many actions there are; the last may be `wait`."""
        self.state_space = seen_space(self.setup, self.setup.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = masked_space(self.setup, self.width)
        self._observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self._action_spaces = {agent: spaces.Discrete(self.width) for agent in self.possible_agents}
        self._series = Series(self.setup)

    @property
    def table(self) -> Table:
        """The game as it stands."""
        return self._series.table

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees: `observation` and `action_mask`."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent does, by number."""
        return self._action_spaces[agent]

    def state(self) -> Array:
        """What all agents see together, a row each: for a central critic."""
        return self.table.all_seen()

    def render(self) -> str | None:
        """The table as text."""
        drawn = self.table.match().text()
        if self.render_mode == "human":
            print(drawn)
        return drawn if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class TurnEnv(_Seats, AECEnv[str, Seen, int]):
    """One agent after another. Where several choose at once, each chooses without seeing what the
    others chose.
    """

    def __init__(self, game: str | Game, **options: Any) -> None:
        AECEnv.__init__(self)
        _Seats.__init__(self, game, False, **options)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Deal the next game; with a seed, the first of that series."""
        self._series.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.first]

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents in the order in which they are asked; refused before the first deal."""
        self._series.check_dealt()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> Any:
        """What the selected agent sees, and what it got; refused before the first deal."""
        self._series.check_dealt()
        return super().last(observe)

    def observe(self, agent: str) -> Seen:
        """What the agent sees; nothing is legal for who isn't asked."""
        seen, mask = self.table.look(self._seats[agent])
        if agent != self.agent_selection:
            mask[:] = 0
        return masked(seen, mask)

    def step(self, action: int | None) -> None:
        """The selected agent's action; an illegal one is refused, and nothing has changed."""
        table, agent = self.table, self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        table.act(self._seats[agent], -1 if action is None else action)
        self._cumulative_rewards[agent] = 0.0
        if not table.over:
            self.agent_selection = self.possible_agents[table.first]
            return
        rewards, infos = table.end()
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.infos = dict(zip(self.agents, infos, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()


class AllEnv(_Seats, ParallelEnv[str, Seen, int]):
    """All agents at once: who owes a decision makes it, the others `wait`, the last action.

    Who does anything else has lost: it gets -1, the game is over, `infos` says `illegal`.
    """

    def __init__(self, game: str | Game, **options: Any) -> None:
        _Seats.__init__(self, game, True, **options)
        self.wait = self.setup.actions

    def reset(
        self, seed: int | None = None, options: Any = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Deal the next game; with a seed, the first of that series."""
        self._series.deal(seed)
        self.agents = self.possible_agents[:]
        return self._seen(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Seen],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Every agent's action."""
        table, agents = self.table, self.agents
        if not agents:
            raise PelagosError(text("envs/refuse.over"))
        missing = [agent for agent in agents if agent not in actions]
        if missing:
            raise PelagosError(text("envs/refuse.missing", agents=", ".join(missing)))
        rewards = dict.fromkeys(agents, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        losers = [agent for agent in agents if not self._is_legal(agent, actions[agent])]
        if not losers:
            for seat in table.pending:
                table.act(seat, actions[self.possible_agents[seat]])
        over = table.over or bool(losers)
        if losers:
            rewards.update(dict.fromkeys(losers, ILLEGAL))
            infos.update({agent: {"illegal": True} for agent in losers})
        elif over:
            at_end, final_infos = table.end()
            rewards = dict(zip(agents, at_end, strict=True))
            infos = dict(zip(agents, final_infos, strict=True))
        if over:
            self.agents = []
        ended, cut = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return self._seen(), rewards, ended, cut, infos

    def _is_legal(self, agent: str, action: int | None) -> bool:
        seat = self._seats[agent]
        action = -1 if action is None else whole(action)
        return action in self.table.legal(seat) if self.table.owes(seat) else action == self.wait

    def _seen(self) -> dict[str, Seen]:
        seen = {}
        for agent, seat in self._seats.items():
            observation, mask = self.table.look(seat, self.width)
            mask[self.wait] = not self.table.owes(seat)
            seen[agent] = masked(observation, mask)
        return seen


def env(game: str | Game, **options: Any) -> TurnEnv:
    """A game whose agents are asked one after another.

    Options are the game's own, and `pack`, `rewards`, `observe`, `render_mode`.
    """
    return TurnEnv(game, **options)


def parallel_env(game: str | Game, **options: Any) -> AllEnv:
    """A game whose agents are asked all at once; the options are those of `env`."""
    return AllEnv(game, **options)


raw_env = env
"""No wrappers are needed: legality is checked here."""
