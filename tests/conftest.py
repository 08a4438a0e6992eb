"""What all tests share: every installed game in every shape, and random games of it."""

from __future__ import annotations

import functools
import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from httpx._transports import default as transports

from pelagos.engine.game import Game, games
from pelagos.engine.match import Match

SOAK = os.environ.get("PELAGOS_SOAK", "") not in ("", "0")
# Each client reads all certificates, for 40 ms; ours talk to themselves.
transports.create_ssl_context = functools.cache(transports.create_ssl_context)


def shapes(game: Game) -> Iterator[dict[str, Any]]:
    """Every number of players with every setting of the options that goes with it; and with all
    house readings at once.
    """
    variants = [option for option in game.options if not (option.ruling or option.is_goal)]
    readings = {
        option.name: next(value for value in option.values if value != option.default)
        for option in game.options
        if option.ruling
    }
    names = [option.name for option in variants]
    settings = [
        dict(zip(names, chosen, strict=True))
        for chosen in itertools.product(*(option.values for option in variants))
    ]
    for players in game.players:
        for chosen in [*settings, *([readings] if readings else [])]:
            try:
                yield dict(game.check_options({"players": players, **chosen}))
            except ValueError:
                continue


def every_shape() -> list[Any]:
    all_shapes = []
    for game in games().values():
        for options in shapes(game):
            extras = "".join(f"-{name}" for name, value in options.items() if value is True)
            all_shapes.append(
                pytest.param(game, options, id=f"{game.id}-{options['players']}{extras}")
            )
    return all_shapes


def random_walk(match: Match, choices: random.Random) -> Iterator[Match]:
    """The match at every ply of a random game, simultaneous seats in a random order."""
    yield match
    while not match.over:
        seat = choices.choice(match.pending)
        match.play(seat, choices.choice(match.legal(seat)))
        yield match


def finished(game: Game | str, options: dict[str, Any], seed: int) -> Match:
    """A whole random game."""
    match = Match.new(game, seed=seed, **options)
    for _ in random_walk(match, random.Random(seed)):
        pass
    return match


@pytest.fixture(name="site", scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One server for all tests in Chromium."""
    from browser import Site, compile_all, need_browser

    need_browser()
    compile_all()
    site = Site(tmp_path_factory.mktemp("data")).start().wait()
    yield site
    site.stop()


@pytest.fixture(name="browser", scope="session")
def _browser(site: Any) -> Iterator[Any]:
    """One browser for them."""
    from browser import chromium

    with chromium() as browser:
        yield browser


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"game", "options"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("game", "options"), every_shape())
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", list(games().values()), ids=lambda game: game.id)
