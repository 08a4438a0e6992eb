"""On a machine with a GPU (`make gpu`): a network chooses the same moves there."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bots.test_learned import any_network
from conftest import random_walk
from pelagos.bots.networks import network_for
from pelagos.bots.valuing import Scratch, has_afterstates, scratch, valuing
from pelagos.engine.arrays import readable
from pelagos.engine.game import games
from pelagos.engine.gpu import _cuda, why_not
from pelagos.engine.match import Match

NAMES = sorted(name for name, game in games().items() if has_afterstates(game))


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a GPU")
@pytest.mark.parametrize("name", NAMES)
def test_the_same_position_gives_the_same_move_on_a_gpu(name: str) -> None:
    game, cuda = games()[name], _cuda()
    decide = valuing(game).decide

    @cuda.jit
    def decide_there(
        states: Any, packs: Any, seat: int, networks: Any, room: Any, out: Any
    ) -> None:
        out[0] = decide(states, packs, seat, networks, room)

    match = Match.new(game, seed=11)
    trained = network_for(game, match.pack, match.players)
    network = any_network(game) if trained is None else trained.network
    packs, room = readable(match.pack.data), scratch(game, network)
    there = [cuda.to_device(array.copy()) for array in (packs, network)]
    room_there = Scratch(*(cuda.to_device(array) for array in room))
    out = cuda.to_device(np.zeros(1, np.int64))
    for at in random_walk(match, random.Random(11)):
        if at.over:
            break
        seat = at.pending[0]
        states = at.position.states
        chosen = int(decide(states, packs, seat, network, room))
        where = (cuda.to_device(states.copy()), there[0], seat, there[1], room_there, out)
        decide_there[1, 1](*where)
        assert int(out.copy_to_host()[0]) == chosen
