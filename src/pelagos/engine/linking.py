"""How compiled rules become machine code.

A rule that other rules use stays as it was typed until something that Python calls needs it. A
small one is then linked with its caller, and optimised as a part of it. A large one is optimised
and translated once, by itself, for all that call it, and kept on disk for other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from llvmlite import binding as llvm
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary

from pelagos.engine.compiled import load_shared, save_shared

INLINING = 100
"""LLVM's threshold. More of it and the highest level take up to twice as long to compile, and rules
get no faster by them. Nor do single rules by vectors; whole loops do, by up to a fifth.
"""
LARGE = 150_000
"""Letters of LLVM's language from which on a rule, with the small ones that it uses, is translated
by itself.
"""
INSIDE = ".inside"
"""Ends the names of functions that were linked: what is loaded last would answer to a name for all
others, whether it is meant for them or not.
"""


class RuleLibrary(JITCodeLibrary):
    """A rule's code, as it was typed."""

    letters = 0
    """The length of its own code."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Take over what was typed."""
        text = normalize_ir_text(str(ir_module))
        self.letters += len(text)
        module = llvm.parse_assembly(text)
        module.name = ir_module.name
        self.add_llvm_module(module)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave it so: it is optimised once, with all that is linked."""
        ll_module.data_layout = self._codegen._data_layout


class UsedLibrary(RuleLibrary):
    """A rule that other rules use: it waits to be linked, or to be translated by itself."""

    def finalize(self) -> None:
        """Nothing is optimised or translated here."""
        self._finalized = True

    @cached_property
    def is_large(self) -> bool:
        """Is it translated by itself?"""
        small, _ = _parts(self._linking_libraries, sharing=True)
        return self.letters + sum(getattr(part, "letters", 0) for part in small) > LARGE


class TranslatedLibrary(RuleLibrary):
    """A rule that becomes machine code. What is linked comes after what calls it, since what nobody
    has asked for is left out.
    """

    shares = True
    """Does it call large rules where they are, and not have them in itself?"""
    has_vectors = False
    """Are its loops done in wide registers, some turns at once?"""
    shared: tuple[str, ...] = ()
    """The large rules that it calls, by their symbols."""

    def finalize(self) -> None:
        """Link, optimise and translate."""
        small, large = _parts(self._linking_libraries, self.shares)
        self._linking_libraries = small
        for rule in large:
            self._dynamic_globals += _translated(rule)._dynamic_globals
        self.shared = tuple(map(_symbol, large))
        super().finalize()

    def _optimize_final_module(self) -> None:
        """What was linked is nobody else's: it may be inlined, or specialised, at will."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
                function.name += INSIDE
        effort = llvm.create_pipeline_tuning_options(speed_level=2)
        effort.inlining_threshold = INLINING
        effort.loop_vectorization = self.has_vectors
        effort.slp_vectorization = effort.loop_interleaving = False
        builder = llvm.create_pass_builder(self._codegen._tm, effort)
        builder.getModulePassManager().run(self._final_module, builder)


class CalledLibrary(TranslatedLibrary):
    """A rule that Python calls."""


class WholeLibrary(CalledLibrary):
    """A rule that Python calls, and in which a process spends its time."""

    shares = False
    has_vectors = True


class SharedLibrary(TranslatedLibrary):
    """A large rule that other rules call."""


_shared: dict[str, SharedLibrary] = {}
"""The large rules whose machine code this process has, by their symbols."""


def load_all(symbols: Iterable[str], codegen: Any) -> bool:
    """Load large rules, and those that they call, from disk; False: one of them isn't there."""
    for symbol in symbols:
        if symbol not in _shared:
            stored = load_shared(symbol, codegen)
            if stored is None or not load_all(stored[0], codegen):
                return False
            library = SharedLibrary(codegen, symbol)
            library.shared = stored[0]
            library.enable_object_caching()
            library._set_compiled_object(stored[1])
            library._finalize_final_module()
            _shared[symbol] = library
    return True


def _translated(rule: UsedLibrary) -> SharedLibrary:
    """A large rule's machine code: this process's, the disk's, or made now."""
    symbol, codegen = _symbol(rule), rule._codegen
    if not load_all([symbol], codegen):
        library = SharedLibrary(codegen, symbol)
        library.enable_object_caching()
        library._final_module = rule._final_module.clone()
        library._linking_libraries = rule._linking_libraries
        library.finalize()
        if not library.has_dynamic_globals:
            save_shared(symbol, codegen, (library.shared, library._get_compiled_object()))
        _shared[symbol] = library
    return _shared[symbol]


def _symbol(rule: UsedLibrary) -> str:
    """The name under which other rules call it."""
    (name,) = (
        function.name for function in rule._final_module.functions if not function.is_declaration
    )
    return str(name)


def _parts(used: Iterable[Any], sharing: bool) -> tuple[list[Any], list[Any]]:
    """What is linked and what is called, of all that these use: callers before those they call."""

    def is_called(library: Any) -> bool:
        return sharing and isinstance(library, UsedLibrary) and library.is_large

    def is_linked(library: Any) -> bool:
        return isinstance(library, UsedLibrary) and not is_called(library)

    walked = list(callees_first(used, is_linked))
    linked = [library for library in reversed(walked) if not is_called(library)]
    return linked, [library for library in walked if is_called(library)]


def is_rule(library: Any) -> bool:
    """Is it one of ours? numba's own bring what they use themselves."""
    return isinstance(library, RuleLibrary)


def callees_first(
    libraries: Iterable[Any], opens: Callable[[Any], bool] = is_rule
) -> Iterator[Any]:
    """These libraries and what those use that it `opens`, each once."""
    seen: set[int] = set()

    def walk(library: Any) -> Iterator[Any]:
        if id(library) in seen:
            return
        seen.add(id(library))
        if opens(library):
            for used in library._linking_libraries:
                yield from walk(used)
        yield library

    for library in libraries:
        yield from walk(library)
