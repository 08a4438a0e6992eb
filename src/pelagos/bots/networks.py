"""Trained networks, as they travel in a game's folder: weights, and where they come from.

One file has one network or several, each for some numbers of players. A network serves the pack,
the rules and the features that it was trained with; for anything else there is none.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.bots.outlook import NETWORK_FILE
from pelagos.bots.valuing import has_afterstates
from pelagos.engine.arrays import readable
from pelagos.engine.errors import PelagosError, Text, text
from pelagos.engine.game import Game
from pelagos.engine.network import check_sums, network_type
from pelagos.engine.pack import Pack
from pelagos.engine.types import Array

FORMAT = 1
ABOUT = "about"
"""The entry that says what the others are, in JSON."""


@dataclass(frozen=True)
class Trained:
    """A network, the numbers of players that it is for, and how it was trained."""

    players: tuple[int, ...]
    network: Array
    """One record."""
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Networks:
    """All networks of a file, and what they were trained with."""

    rules: str
    pack: str
    """The pack's SHA-256."""
    features: str
    """The features' version and fingerprint."""
    trained: tuple[Trained, ...]


def features_of(game: Game) -> str:
    """The version and the fingerprint of what a network sees of this game."""
    layout = game.part("afterstate").LAYOUT
    return f"{layout.version} {layout.fingerprint}"


def write(path: Path, game: Game, pack: Pack, trained: Sequence[Trained]) -> None:
    """Write the file."""
    arrays: dict[str, Array] = {}
    for number, entry in enumerate(trained):
        for name in _names(entry.network):
            arrays[f"{number}.{name}"] = entry.network[0][name]
    about = {
        "format": FORMAT,
        "game": game.id,
        "rules": game.rules,
        "pack": pack.sha256,
        "features": features_of(game),
        "networks": [{"players": list(entry.players), **entry.about} for entry in trained],
    }
    arrays[ABOUT] = np.frombuffer(json.dumps(about, indent=1).encode(), np.uint8)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def read(data: bytes, game: Game) -> Networks:
    """The networks of a file; ValueError if they aren't any."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        about = json.loads(arrays[ABOUT].tobytes())
        if about["format"] != FORMAT or about["game"] != game.id:
            raise PelagosError(text("bots/refuse.network", game=game.id))
        trained = []
        for number, entry in enumerate(about["networks"]):
            rows, hidden = arrays[f"{number}.first"].shape
            inner = len(arrays[f"{number}.second_bias"])
            network = np.zeros(1, network_type(rows, hidden, inner).dtype)
            for name in _names(network):
                network[0][name] = arrays[f"{number}.{name}"]
            players = tuple(entry.pop("players"))
            trained.append(Trained(players, readable(network), entry))
    networks = Networks(about["rules"], about["pack"], about["features"], tuple(trained))
    if networks.features == features_of(game):
        for entry in networks.trained:
            check_sums(entry.network, game.part("afterstate").LAYOUT)
    return networks


def _names(network: Array) -> list[str]:
    return [name for name in network.dtype.names or () if name != "padding"]


@cache
def shipped(game: Game) -> Networks | None:
    """The networks in the game's own folder."""
    file = files(game.package) / NETWORK_FILE
    if not file.is_file() or not has_afterstates(game):
        return None
    return read(file.read_bytes(), game)


def network_for(game: Game, pack: Pack, players: int) -> Trained | None:
    """The network that plays this game with this pack and so many players; None: there is none."""
    networks = shipped(game)
    if networks is None or why_not(game, pack, players) is not None:
        return None
    return next(entry for entry in networks.trained if players in entry.players)


def why_not(game: Game, pack: Pack, players: int) -> Text | None:
    """Why no network plays here; None if one does."""
    networks = shipped(game)
    if networks is None:
        return text("bots/network.none", game=game.id)
    if networks.features != features_of(game) or networks.rules != game.rules:
        return text("bots/network.version", game=game.id)
    if networks.pack != pack.sha256:
        return text("bots/network.pack", game=game.id)
    if not any(players in entry.players for entry in networks.trained):
        return text("bots/network.players", game=game.id, players=players)
    return None
