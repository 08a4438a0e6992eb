"""`pelagos site FOLDER`: the whole of Pelagos as files, for any web host and below any path.

```
index.html  shell.css  shell.js       the shell: a frame with the page, and the worker
404.html                              what hosts show for an address before anybody answers there
service-worker.js                     answers for the host once it is there
worker.js  site.json                  what answers, and what it is told
python.js  snapshot.js                how it gets Python, and what it keeps for the next visit
pyodide/  python.pack                 Python, and all that it runs: bytecode, templates, words
rules/GAME.wasm  rules/GAME.json      the games' rules and bots
static/…                              what pages ask for by these addresses
```
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from jinja2 import ModuleLoader

from pelagos.bots import pocket as modules
from pelagos.engine.game import Game, games
from pelagos.pocket import python
from pelagos.pocket.worker import TEMPLATES
from pelagos.tables.settings import Settings
from pelagos.web import assets, examples, own_table, vendor
from pelagos.web.drawing import templates

LOCK_FILE, STDLIB = "pyodide-lock.json", "python_stdlib.zip"
LIBRARIES = (
    "jinja2",
    "markdown_it",
    "markupsafe",
    "mdurl",
    "multipart",
    "python_multipart",
    "starlette",
)
"""Packages that travel: all are plain Python, or do without their compiled parts."""
LEFT_OUT = (
    "markdown_it/cli/",
    "pelagos/arena/",
    "pelagos/cli/",
    "pelagos/envs/",
    "pelagos/terminal/",
    "pelagos/train/",
    "pelagos/tables/migrations/",
    "pelagos/web/static/",
    "pelagos/pocket/page/",
    "pelagos/bots/wasm/",
    "starlette/testclient.py",
)
"""What nobody asks for there."""
LEFT_OUT_KINDS = (".pyc", ".so", ".pyd", ".typed", ".pyi", ".c", ".mjs", ".wasm", ".npz")
"""Networks (.npz) would take a first visit beyond its 8 MB."""
NAMED_KINDS = (".css", ".js", ".html")
"""Files that Python asks for by name alone: what is in them lies among `static`, or is a template,
and compiled."""
UNUSED = (
    "_pydatetime.py",
    "_pyio.py",
    "_pyrepl/",
    "_sysconfigdata_",
    "argparse.py",
    "asyncio/__main__.py",
    "asyncio/proactor_events.py",
    "asyncio/tools.py",
    "asyncio/windows_",
    "bdb.py",
    "cProfile.py",
    "cmd.py",
    "code.py",
    "compileall.py",
    "configparser.py",
    "ctypes/",
    "difflib.py",
    "doctest.py",
    *(f"encodings/{name}" for name in ("big5", "cp", "euc_", "gb", "hp_", "hz", "iso")),
    *(f"encodings/{name}" for name in ("johab", "koi8", "kz", "mac_", "ptcp", "shift_")),
    "ensurepip/",
    "filecmp.py",
    "fileinput.py",
    "ftplib.py",
    "http/client.py",
    "http/cookiejar.py",
    "http/server.py",
    "imaplib.py",
    "importlib/_bootstrap",
    "logging/config.py",
    "logging/handlers.py",
    "mailbox.py",
    "modulefinder.py",
    "multiprocessing/",
    "optparse.py",
    "pdb.py",
    "pickletools.py",
    "plistlib.py",
    "poplib.py",
    "profile.py",
    "pstats.py",
    "pyclbr.py",
    "pydoc",
    "pyodide/console.py",
    "smtplib.py",
    "socketserver.py",
    "sqlite3/",
    "statistics.py",
    "symtable.py",
    "tarfile.py",
    "timeit.py",
    "trace.py",
    "unittest/",
    "urllib/request.py",
    "venv/",
    "wave.py",
    "webbrowser.py",
    "wsgiref/",
    "xml/",
    "xmlrpc/",
    "zipapp.py",
)
"""Parts of Python's library that nobody here asks for, or that Python has within."""
STANDINS = "pelagos/pocket/standins/"
"""What lies here stands at the top, in place of libraries."""
AHEAD = "made-ahead"
"""What Python has made before, beside `sitecustomize`, which uses it."""
ALONE = {"limits": False, "compile_ahead": False, "thinkers": 1}
"""Settings of a server that has one browser."""
SHELL = ("index.html", "shell.css", "shell.js", "worker.js", "python.js", "snapshot.js")
SOURCE = Path(str(files("pelagos.pocket")))
TEXTS = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".webmanifest", ".wasm")
"""Kinds that web hosts compress."""


@dataclass(frozen=True)
class Weight:
    """How much a first visit takes."""

    files: int
    size: int
    compressed: int
    """Bytes over the line, from a host that compresses with gzip."""


def build(folder: Path, tell: Callable[[str], None] = print, owner: str = "") -> Weight:
    """Write the site; what an earlier one left in the folder's own names is replaced. `owner` is
    the package whose games it carries, instead of all that are installed.
    """
    vendor.ensure(tell)
    chosen = [game for game in games().values() if owner in ("", owner_of(game))]
    site = dict(_static(chosen))
    for name in SHELL:
        site[name] = (SOURCE / "page" / name).read_bytes()
    site["static/app/source.js"] = (SOURCE / "page" / "source.js").read_bytes()
    tell("packing what Python needs")
    settings = {**Settings().model_dump(mode="json"), **ALONE}
    sources = _python_files(chosen) | compiled_templates(chosen) | _library(tell)
    contents = _compiled(sources, tell)
    contents[AHEAD] = python.made_ahead(contents, json.dumps(settings), tell)
    site["python.pack"] = pack(contents)
    for game in chosen:
        tell(f"the rules of {game.id}")
        module = modules.module(game)
        site[f"rules/{game.id}.wasm"] = module.wasm
        site[f"rules/{game.id}.json"] = json.dumps(module.manifest).encode()
    site |= _python(tell)
    about = {"games": [game.id for game in chosen], "settings": settings, "python": digest(site)}
    site["site.json"] = json.dumps(about).encode()
    site["service-worker.js"] = service_worker(site)
    site["404.html"] = not_found()
    for name, content in site.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return weight(site)


def owner_of(game: Game) -> str:
    """The package that a game comes with."""
    return game.package.partition(".")[0]


def _static(chosen: Sequence[Game]) -> Iterator[tuple[str, bytes]]:
    """The files that pages ask for."""
    for path in sorted(assets.STATIC.rglob("*")):
        name = path.relative_to(assets.STATIC).as_posix()
        if path.suffix in assets.KINDS and path.name not in vendor.TESTS:
            yield f"static/app/{name}", path.read_bytes()
    for game in chosen:
        for name in (*own_table.SERVED, "sprite.svg", examples.STYLE, assets.PAD_STYLE):
            content = assets.find(game.id, name)
            if content is not None:
                yield f"static/{game.id}/{name}", content


def pack(contents: dict[str, bytes]) -> bytes:
    """Many files in one: the length of a list of names and sizes, the list, and what they hold.

    In one piece because it is smaller so, and quicker to unpack. Browsers take the gzip off.
    """
    ordered = sorted(contents, key=lambda name: (Path(name).suffix, name))
    names = json.dumps({name: len(contents[name]) for name in ordered}).encode()
    parts = [len(names).to_bytes(4, "little"), names, *(contents[name] for name in ordered)]
    return gzip.compress(b"".join(parts), 9, mtime=0)


def _compiled(contents: dict[str, bytes], tell: Callable[[str], None]) -> dict[str, bytes]:
    """With bytecode in the place of Python's sources."""
    sources = {name: content for name, content in contents.items() if name.endswith(".py")}
    codes = {f"{name}c": code for name, code in python.compiled(sources, tell).items()}
    return {name: content for name, content in contents.items() if name not in sources} | codes


def _python_files(chosen: Sequence[Game]) -> dict[str, bytes]:
    """Pelagos, the games and the libraries that they need."""
    return {name.removeprefix(STANDINS): content for name, content in _packages(chosen)}


def _packages(chosen: Sequence[Game]) -> Iterator[tuple[str, bytes]]:
    owners = {owner_of(game) for game in chosen}
    for package in {"pelagos", *owners, *LIBRARIES}:
        spec = find_spec(package)
        if spec is None or spec.origin is None:  # a library does without it
            continue
        origin = Path(spec.origin)
        is_package = spec.submodule_search_locations is not None
        root = origin.parent.parent if is_package else origin.parent
        for path in origin.parent.rglob("*") if is_package else (origin,):
            name = path.relative_to(root).as_posix()
            if not path.is_file() or name.startswith(LEFT_OUT) or path.suffix in LEFT_OUT_KINDS:
                continue
            yield name, b"" if path.suffix in NAMED_KINDS else path.read_bytes()
    for owner in {"pelagos", *owners}:
        folder = f"{owner}-{version(owner)}.dist-info"
        yield f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {owner}\n".encode()
        entries = distribution(owner).read_text("entry_points.txt") or ""
        yield f"{folder}/entry_points.txt", entries.encode()


def compiled_templates(chosen: Sequence[Game]) -> dict[str, bytes]:
    """The templates, as the Python that Jinja makes of them, where its `ModuleLoader` looks."""
    environment = templates.environment()
    assert environment.loader is not None
    made = {}
    for name in templates.names([game.id for game in chosen]):
        source, file, _ = environment.loader.get_source(environment, name)
        code = environment.compile(
            source, name, file and Path(file).name, raw=True, defer_init=True
        )
        made[f"{TEMPLATES}/{ModuleLoader.get_module_filename(name)}"] = code.encode()
    return made


def _library(tell: Callable[[str], None]) -> dict[str, bytes]:
    """Python's own library."""
    library = python.unzip((python.ensure(tell) / STDLIB).read_bytes())
    return {name: content for name, content in library.items() if not name.startswith(UNUSED)}


def _python(tell: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """Pyodide's files, without the packages that we don't load, and its library in the pack."""
    folder = python.ensure(tell)
    for name in python.HASHES:
        content = (folder / name).read_bytes()
        if name == LOCK_FILE:
            content = json.dumps({**json.loads(content), "packages": {}}).encode()
        elif name == STDLIB:
            content = python.zipped({})
        yield f"pyodide/{name}", content


def not_found() -> bytes:
    """The page for addresses without a file; it lies anywhere, so its script is within."""
    page = (SOURCE / "page" / "404.html").read_bytes()
    script = page.partition(b"<script>")[2].partition(b"</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script).digest())
    return page.replace(b"SCRIPT_HASH", b"'sha256-" + digest + b"'")


def service_worker(site: dict[str, bytes]) -> bytes:
    """The service worker, which names every file: so a change of any file is a new version."""
    script = (SOURCE / "page" / "service-worker.js").read_bytes()
    known = {
        "version": digest({**site, "": script}),
        "files": {name: len(content) for name, content in site.items()},
    }
    return b"self.FILES = " + json.dumps(known).encode() + b";\n" + script


def digest(site: dict[str, bytes]) -> str:
    """Another one as soon as any file is another."""
    whole = hashlib.sha256()
    for name, content in sorted(site.items()):
        whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return whole.hexdigest()[:16]


def weight(site: dict[str, bytes]) -> Weight:
    """What a first visit takes."""
    compressed = sum(
        len(gzip.compress(content, 9)) if name.endswith(TEXTS) else len(content)
        for name, content in site.items()
    )
    return Weight(len(site), sum(map(len, site.values())), compressed)
