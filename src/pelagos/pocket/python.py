"""Python for browsers: Pyodide, fetched from npm when first needed, and kept in the cache."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from importlib.resources import files
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
COMPILER = Path(str(files("pelagos.pocket"))) / "compile.mjs"
REHEARSAL = COMPILER.with_name("ahead.mjs")
EPOCH = (1980, 1, 1, 0, 0, 0)


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


def compiled(sources: Mapping[str, bytes], tell: Callable[[str], None] = print) -> dict[str, bytes]:
    """The sources' bytecode, by the same names; what was compiled the last time is kept."""
    folder = ensure(tell)
    compiler = COMPILER.read_bytes() + COMPILER.with_name("bytecode.py").read_bytes()
    keys = {
        name: hashlib.sha256(b"\0".join((compiler, name.encode(), source))).hexdigest()
        for name, source in sources.items()
    }
    kept = folder / "compiled.zip"
    known = unzip(kept.read_bytes()) if kept.is_file() else {}
    missing = {name: sources[name] for name, key in keys.items() if key not in known}
    if missing:
        tell(f"compiling {len(missing)} files for Python in browsers")
        known |= {keys[name]: code for name, code in _compile(folder, missing).items()}
        _replace(kept, zipped({key: known[key] for key in sorted(keys.values())}))
    return {name: known[key] for name, key in keys.items()}


def _compile(folder: Path, sources: Mapping[str, bytes]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        asked, answer = Path(place) / "sources.zip", Path(place) / "compiled.zip"
        asked.write_bytes(zipped(sources))
        _run(COMPILER, folder, asked, answer)
        return unzip(answer.read_bytes())


def made_ahead(
    contents: Mapping[str, bytes], settings: str, tell: Callable[[str], None] = print
) -> bytes:
    """What Python makes of texts while it draws its first pages from these files; for the same
    files it is kept.
    """
    folder = ensure(tell)
    whole = hashlib.sha256(REHEARSAL.read_bytes() + settings.encode())
    for name, content in sorted(contents.items()):
        whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    key, kept = whole.hexdigest(), folder / "ahead.zip"
    known = unzip(kept.read_bytes()) if kept.is_file() else {}
    if key not in known:
        tell("letting Python draw its first pages")
        known = {key: _rehearse(folder, contents, settings)}
        _replace(kept, zipped(known))
    return known[key]


def _rehearse(folder: Path, contents: Mapping[str, bytes], settings: str) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        root, answer = Path(place) / "files", Path(place) / "ahead"
        for name, content in contents.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        _run(REHEARSAL, folder, root, settings, answer)
        return answer.read_bytes()


def _run(script: Path, *given: Path | str) -> None:
    """Let Node run a script that runs Python."""
    command = [*vendor.node(), str(script), *map(str, given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise vendor.NoPackages(f"Python for browsers doesn't run: {' '.join(lines[-3:])}")


def _replace(file: Path, content: bytes) -> None:
    """Write a file in one step."""
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as draft:
        draft.write(content)
    Path(draft.name).replace(file)


def zipped(contents: Mapping[str, bytes]) -> bytes:
    """A zip file, the same whenever its contents are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED, 1)
    return out.getvalue()


def unzip(archive: bytes) -> dict[str, bytes]:
    """What a zip file holds."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        names = [name for name in opened.namelist() if not name.endswith("/")]
        return {name: opened.read(name) for name in names}
