"""Python for browsers: Pyodide, fetched from npm when first needed, and kept in the cache."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path

from pelagos.web import vendor

VERSION = "314.0.7"
HASHES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""SHA-256 of the files that are used."""


def ensure(tell: Callable[[str], None] = print) -> Path:
    """The folder with Pyodide's files, every one checked."""
    folder = user_cache_path("pelagos", appauthor=False) / f"pyodide-{VERSION}"
    if not _is_whole(folder):
        tell("fetching Python for browsers (pyodide) from npm")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as place:
            vendor.install({"pyodide": VERSION}, Path(place))
            for name in HASHES:
                draft = Path(place) / "node_modules" / "pyodide" / name
                if _hash(draft) != HASHES[name]:
                    raise vendor.NoPackages(f"pyodide {VERSION} from npm isn't as expected: {name}")
                shutil.copyfile(draft, folder / f"{name}.part")
                (folder / f"{name}.part").replace(folder / name)
    return folder


def _is_whole(folder: Path) -> bool:
    return all(_hash(folder / name) == expected for name, expected in HASHES.items())


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
