"""Modules are made once, whoever asks for them, and by nobody who isn't asked any more; a package
brings them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from conftest import SOAK
from pelagos.bots import pocket
from pelagos.engine.game import find_game, games
from places import ROOT

GAME = "minnows"
ONE_OF_TWO = """
from pelagos.bots import pocket

exports, build = pocket.exports, pocket.build
pocket.exports = lambda game: {"pending": exports(game)["pending"]}


def build_and_tell(game):
    print("made")
    return build(game)


pocket.build = build_and_tell
pocket.main("minnows")
"""
SERVER = """
import asyncio
from pelagos.tables.modules import Modules


async def serve():
    modules = Modules()
    while modules.find("minnows") is None:
        await asyncio.sleep(0.01)


asyncio.run(serve())
"""


def begin(code: str, cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PELAGOS_CACHE": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )


def test_two_processes_make_a_module_once(tmp_path: Path) -> None:
    both = [begin(ONE_OF_TWO, tmp_path) for _ in range(2)]
    printed = [process.communicate()[0].split() for process in both]
    assert sorted(map(len, printed)) == [1, 2], "one made it, the other waited"
    assert len({lines[-1] for lines in printed}) == 1
    place = Path(printed[0][-1])
    assert pocket.Module.read(place.parent, place.name).manifest["game"] == GAME


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't tell a child")
def test_a_killed_server_leaves_nobody_who_makes_modules(tmp_path: Path) -> None:
    server = begin(SERVER, tmp_path)
    while not (builders := children(server.pid)):
        assert server.poll() is None
    server.kill()
    server.wait()
    for builder in builders:
        while is_alive(builder):
            pass
    assert not list(tmp_path.rglob("*.wasm")), "it ended because it was done"


def children(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(number) for number in listed.split()]


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


class App:
    """Hatch's screen."""

    def __init__(self) -> None:
        self.warned: list[str] = []

    def display_info(self, message: str) -> None:
        """Nobody reads it."""

    def display_warning(self, message: str) -> None:
        self.warned.append(message)


def hook() -> Any:
    sys.path.insert(0, str(ROOT))
    try:
        from hatch_build import CustomBuildHook
    finally:
        sys.path.remove(str(ROOT))
    return CustomBuildHook(str(ROOT), {}, None, None, "", "wheel", App())


def test_a_package_says_which_module_it_could_not_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numba isn't there, the module is made when it is first asked for."""
    bare = str(getattr(sys, "_base_executable", sys.executable))
    code = [bare, "-c", "import numba"]
    if subprocess.run(code, capture_output=True, check=False).returncode == 0:
        pytest.skip("this Python has numba by itself")
    monkeypatch.setattr(sys, "executable", bare)
    building = hook()
    building.compile_game("pelagos.games.ecosystem:GAME")
    [warned] = building.app.warned
    assert warned.startswith("pelagos.games.ecosystem:GAME isn't in the package: ")
    assert "No module named" in warned


@pytest.mark.skipif(not SOAK, reason="makes every game's module anew")
def test_a_wheel_brings_the_modules_of_its_games(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    own = [name for name, game in games().items() if game.package.startswith("pelagos.")]
    for name in own:
        assert pocket.find(find_game(name), tmp_path / "installed/pelagos/bots/wasm") is not None
