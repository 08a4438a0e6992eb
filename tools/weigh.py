"""How heavy the pages are: `python tools/weigh.py [TREE …]`, a folder or a commit each.

Counts the templates, styles and scripts of `web/` and of every game's own table, without comments
and needless white space, so that a change of layout weighs nothing. Python doesn't count, nor what
comes from npm, nor drawings.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parent.parent
_JINJA = re.compile(r"\{#.*?#\}", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->", re.DOTALL)
_LINE_COMMENT = re.compile(r"(?m)^\s*//.*$|(?<=[;{},)])\s+//.*$")
_SPACE = re.compile(r"\s+")
_AROUND = {
    ".css": re.compile(r" ?([{};:,>]) ?"),
    ".js": re.compile(r" ?([{}()\[\];:,=<>+?&|!*/-]) ?"),
    ".html": re.compile(r" ?(\{%-?|-?%\}|\{\{-?|-?\}\}) ?|(?<=>) (?=<)"),
}


def minified(text: str, kind: str) -> str:
    """A file without what nobody needs."""
    text = _JINJA.sub("", text) if kind == ".html" else text
    text = _COMMENT.sub("", text)
    text = _LINE_COMMENT.sub("", text) if kind == ".js" else text
    text = _SPACE.sub(" ", text)
    return _AROUND[kind].sub(lambda match: match[1] or "", text).replace(";}", "}").strip()


def weigh(tree: Path) -> dict[str, dict[str, int]]:
    """Bytes by place and kind."""
    source = tree / "src" / "pelagos"
    weights: dict[str, dict[str, int]] = {}
    files = [*(source / "web").rglob("*"), *(source / "games").glob("*/table*")]
    files += (source / "games").glob("*/table/**/*")
    for file in sorted(set(files)):
        if file.suffix in _AROUND and file.is_file() and "vendor" not in file.parts:
            place = "/".join(file.relative_to(source).parts[:2])
            place = "web" if place.startswith("web") else place
            size = len(minified(file.read_text(encoding="utf-8"), file.suffix).encode())
            kinds = weights.setdefault(place, dict.fromkeys(_AROUND, 0))
            kinds[file.suffix] += size
    return weights


def checked_out(commit: str, folder: str) -> Path:
    """A commit's files."""
    command = ["git", "archive", commit, "src"]
    packed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder)


def main(trees: list[str]) -> None:
    """Print each tree's weight, and the change from the first to the last."""
    totals = []
    for name in trees or [str(ROOT)]:
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(name)
            weight = weigh(tree if tree.is_dir() else checked_out(name, folder))
        totals.append(sum(sum(kinds.values()) for kinds in weight.values()))
        print(f"{name}: {totals[-1]:,} bytes")
        for place, kinds in weight.items():
            by_kind = ", ".join(f"{kind[1:]} {size:,}" for kind, size in kinds.items())
            print(f"  {place:18} {sum(kinds.values()):8,}  {by_kind}")
    if len(totals) > 1:
        print(f"from the first to the last: {totals[-1] / totals[0] - 1:+.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
