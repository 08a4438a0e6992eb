"""The machine that rules run on here: NumPy's arrays, and numba's compiler.

Compiled code is kept on disk under the rule's identity: a hash of its source, of every rule it
calls, and of every constant it uses. Nothing else decides whether cached code is fresh.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
import os
import pickle
import platform
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_cache_path

INTERPRETED = os.environ.get("PELAGOS_INTERPRETED", "") not in ("", "0")
BOTS = {
    "learned": "pelagos.bots.learned:Learned",
    "planner": "pelagos.bots.planner:Planner",
}
"""Bots that are others than those of the house everywhere, by their names: these need NumPy."""
KEEP_UNUSED_DAYS = 30
WAY_OF_COMPILING = 5
"""Goes up when `compiler` makes other code from the same rules."""

SEAL = 32
"""Bytes of the hash that a kept file begins with: a process that ran torn code would crash."""

uint64 = np.uint64
uint32 = np.uint32
ARRAYS = "pelagos.engine.numpy_arrays"
"""Where states and numbers come from (see `arrays`)."""

if INTERPRETED:
    np.seterr(over="raise")


def constants(values: Any, kind: str) -> Any:
    """A table of numbers that rules look things up in."""
    table = np.array(values, kind)
    table.setflags(write=False)
    return table


def compile_rule(function: Callable[..., Any]) -> Any:
    """Compile a rule (or leave it as it is, when interpreted)."""
    return function if INTERPRETED else _compiled(function)


def compile_hot(function: Callable[..., Any]) -> Any:
    """Compile a rule that is linked with all that it uses, so that it runs faster."""
    return function if INTERPRETED else _compiled(function, whole=True)


def compile_wrapping(function: Callable[..., Any]) -> Any:
    """Compile a rule whose unsigned arithmetic wraps around on purpose (the random stream)."""
    if not INTERPRETED:
        return _compiled(function)

    @functools.wraps(function)
    def wrapped(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return wrapped


def open_doors(doors: Any) -> Any:
    """The doors as they are."""
    return doors


def door(doors: Any, name: str, function: Callable[..., Any]) -> Any:
    """The compiled function `function(states, packs, …)` as it is."""
    return function


def stream_words(digest: bytes) -> Any:
    """A stream's four words."""
    return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


def scratch() -> tuple[Any, Any]:
    """Room for whole and for real numbers, on the stack."""
    if INTERPRETED:
        return (lambda size: np.empty(size, np.int64)), np.empty
    from pelagos.engine.stack import real_numbers, whole_numbers

    return whole_numbers, real_numbers


def _compiled(function: Callable[..., Any], whole: bool = False) -> Any:
    from pelagos.engine.compiler import Rule, WholeRule

    compiled: Any = (WholeRule if whole else Rule)(function)
    compiled._cache = _RuleCache(compiled)
    return compiled


# --- identity ---------------------------------------------------------------------------------


@functools.cache
def identity(compiled: Any) -> str:
    """Hash of all that decides what the compiled rule does."""
    digest = hashlib.sha256()
    for piece in _pieces(getattr(compiled, "py_func", compiled), set()):
        digest.update(piece.encode() + b"\0")
    return digest.hexdigest()


def _pieces(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    if id(function) in seen:
        yield f"again {function.__module__}.{function.__qualname__}"
        return
    seen.add(id(function))
    yield f"{function.__module__}.{function.__qualname__}"
    yield _source(function)
    for name, value in _used(function):
        yield name
        if hasattr(value, "py_func"):
            yield from _pieces(value.py_func, seen)
        elif hasattr(value, "_defn"):  # code that numba writes itself
            yield _source(value._defn)
        else:
            yield _constant(function, name, value)


@functools.cache
def _source(function: types.FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except OSError:  # typed in at a prompt
        return f"{function.__code__.co_code.hex()} {function.__code__.co_consts!r}"


@functools.cache
def _globals_of(code: types.CodeType) -> frozenset[str]:
    return frozenset(
        str(step.argval) for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"
    )


def _used(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Every global and closed-over value that the function reads, by name."""
    for name in sorted(_globals_of(function.__code__) & function.__globals__.keys()):
        yield name, function.__globals__[name]
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        yield name, cell.cell_contents


def _constant(function: types.FunctionType, name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, bool | int | float | str | bytes | tuple | np.generic | np.dtype):
        return repr(value)
    if isinstance(value, types.ModuleType | type):
        return value.__name__
    if callable(value) and getattr(value, "__module__", "").startswith("numba"):
        return f"{value.__module__}.{getattr(value, '__qualname__', value)}"
    raise TypeError(
        f"rule {function.__qualname__} uses {name}, a {type(value).__name__}: "
        "a rule may use other rules and constants only"
    )


# --- the cache on disk ------------------------------------------------------------------------


@functools.cache
def cache_folder() -> Path:
    """Where compiled rules are kept: one folder for each set of compiler versions."""
    import llvmlite
    import numba

    root = os.environ.get("PELAGOS_CACHE")
    base = Path(root) if root else user_cache_path("pelagos", appauthor=False)
    packages = f"{numba.__version__} {llvmlite.__version__} {np.__version__}"
    versions = f"{platform.python_version()} {packages} {WAY_OF_COMPILING}"
    return base / "rules" / hashlib.sha256(versions.encode()).hexdigest()[:16]


compiled_now: list[str] = []
"""The rules that this process had to compile, in order."""

_listeners: list[Callable[[str], None]] = []


@contextmanager
def watch_compiling(listener: Callable[[str], None]) -> Iterator[None]:
    """Tell the listener the name of every rule as its compiling starts."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class _RuleCache:
    """numba's cache protocol over one file for each identity, signature and processor."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._identity = ""

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, signature: Any, target: Any) -> Any:
        from numba.core.compiler import CompileResult

        from pelagos.engine.linking import load_all

        target.refresh()
        codegen = target.codegen()
        stored = _load(self._path(signature, codegen))
        if stored is None or not load_all(stored[0], codegen):
            name = self._name()
            compiled_now.append(name)
            for listener in _listeners:
                listener(name)
            return None
        return CompileResult._rebuild(target, *stored[1])

    def save_overload(self, signature: Any, result: Any) -> None:
        from numba.core.serialize import dumps

        if result.objectmode or result.lifted or result.library.has_dynamic_globals:
            return
        payload = dumps((result.library.shared, result._reduce()))
        _save(self._path(signature, result.codegen), payload)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _name(self) -> str:
        function = self._dispatcher.py_func
        return f"{function.__module__}.{function.__qualname__}"

    def _path(self, signature: Any, codegen: Any) -> Path:
        if not self._identity:
            self._identity = identity(self._dispatcher)
            with suppress(AssertionError):  # it has one already
                self._dispatcher._set_uuid(self._identity)
        key = repr((self._identity, str(signature), codegen.magic_tuple()))
        short = self._name().removeprefix("pelagos.").replace("<locals>.", "")
        return cache_folder() / f"{short}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.rule"


def load_shared(symbol: str, codegen: Any) -> Any:
    """The machine code of a rule that others call, and what it calls itself; None: not kept."""
    return _load(_shared_path(symbol, codegen))


def save_shared(symbol: str, codegen: Any, content: tuple[tuple[str, ...], bytes]) -> None:
    """Keep it for other processes."""
    _save(_shared_path(symbol, codegen), pickle.dumps(content))


def _shared_path(symbol: str, codegen: Any) -> Path:
    key = repr((symbol, codegen.magic_tuple()))
    return cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.shared"


def _load(path: Path) -> Any:
    """What is kept there; from now on it counts as used. None: nothing that can be used, so that it
    is compiled anew.
    """
    try:
        sealed = path.read_bytes()
        if hashlib.sha256(sealed[SEAL:]).digest() != sealed[:SEAL]:
            return None
        content = pickle.loads(sealed[SEAL:])
    except (OSError, AttributeError, ImportError):  # a type that it names has moved
        return None
    with suppress(OSError):
        os.utime(path)
    return content


def _save(path: Path, content: bytes) -> None:
    draft = path.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(hashlib.sha256(content).digest() + content)
        draft.replace(path)
        _forget_unused(path.parent.parent)


@functools.cache
def _forget_unused(root: Path) -> None:
    """Remove compiled rules that nobody has loaded for a month."""
    oldest = time.time() - KEEP_UNUSED_DAYS * 86_400
    for file in root.glob("*/*"):
        with suppress(OSError):
            if file.stat().st_mtime < oldest:
                file.unlink()
    for folder in root.iterdir():
        with suppress(OSError):
            folder.rmdir()
