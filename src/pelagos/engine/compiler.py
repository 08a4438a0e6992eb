"""How rules are compiled: each is typed once, and only what Python calls becomes machine code.

numba by itself optimises every function, translates it and wraps it for Python, and does all of
this again within each of its callers. Here a rule that another rule calls stays as it was typed;
one that Python calls is linked with all that it uses, optimised as a whole, and translated.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator
from typing import Any, ClassVar

from llvmlite import binding as llvm
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import CPUDispatcher
from numba.core.typing import make_concrete_template

from pelagos.engine.compiled import identity

OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,
    "_nrt": False,  # rules make no arrays, and needn't count who refers to those they are given
}
NAME_LENGTH = 24
INLINING = 100
"""LLVM's threshold. More of it, vectors and the highest level take up to twice as long to compile,
and rules get no faster by them.
"""
NOT_IN_RULES = {
    "with_lifting",
    "make_function_op_code_to_jit_function",
    "inline_inlinables",
    "literal_unroll",
    "find_literally",
    "inline_overloads",
    "annotate_types",
    "dump_parfor_diagnostics",
}
"""Passes that find nothing to do in rules."""


class RuleLibrary(JITCodeLibrary):
    """A rule's code, as it was typed."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave it so: it is optimised once, with all that is linked."""
        ll_module.data_layout = self._codegen._data_layout


class CalledLibrary(RuleLibrary):
    """A rule that Python calls: what it uses is linked with it, those that call before those that
    are called, since what nobody has asked for is left out.
    """

    def finalize(self) -> None:
        """Link, optimise and translate."""
        order = dict.fromkeys(callees_first(self, set()))
        self._linking_libraries = list(reversed(order))[1:]
        super().finalize()

    def _optimize_final_module(self) -> None:
        """What was linked is nobody else's: it may be inlined, or specialised, at will."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
        effort = llvm.create_pipeline_tuning_options(speed_level=2)
        effort.inlining_threshold = INLINING
        effort.loop_vectorization = effort.slp_vectorization = effort.loop_interleaving = False
        builder = llvm.create_pass_builder(self._codegen._tm, effort)
        builder.getModulePassManager().run(self._final_module, builder)


class UsedLibrary(RuleLibrary):
    """A rule that other rules use: it waits to be linked."""

    def finalize(self) -> None:
        """Nothing is optimised or translated here."""
        self._finalized = True


class _Operators:
    """numba's typing, which remembers what an operator makes of numbers: numba itself asks each of
    the dozens of templates for every `+`.
    """

    answers: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature with which a function is called."""
        plain = tuple(map(types.unliteral, args))
        if kws or not (_is_operator(function) and _are_numbers(plain)):
            return self._context.resolve_function_type(function, args, kws)
        key = (function, plain)
        if key not in self.answers:
            self.answers[key] = self._context.resolve_function_type(function, plain, kws)
        return self.answers[key]


def _is_operator(function: Any) -> bool:
    """Is it Python's own: `+`, `<`, `min`, `int`?"""
    named = getattr(function, "typing_key", None)
    return getattr(named, "__module__", None) in ("_operator", "builtins")


def _are_numbers(kinds: tuple[Any, ...]) -> bool:
    return all(isinstance(kind, types.Number | types.Boolean) for kind in kinds)


def _widened(kind: Any) -> Any:
    """The type as which an argument is passed: rules compute with whole numbers of one width, and a
    constant is a number like any other.
    """
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind.signed
    return types.int64 if narrow else kind


def callees_first(library: Any, seen: set[int]) -> Iterator[Any]:
    """A library and all that it uses; numba's own bring what they use themselves."""
    if id(library) in seen:
        return
    seen.add(id(library))
    if isinstance(library, CalledLibrary | UsedLibrary):
        for used in library._linking_libraries:
            yield from callees_first(used, seen)
    yield library


class _Passes(CompilerBase):
    """numba's own passes, into a library of ours, under a name that says what the rule does: code
    from different processes is linked together.
    """

    library_class: type[JITCodeLibrary] = CalledLibrary

    def define_pipelines(self) -> list[Any]:
        """The one way to compile."""
        state, function = self.state, self.state.func_id
        state.typingctx = _Operators(state.typingctx)
        meant = f"{identity(function.func)} {state.args}"  # numba's names leave arrays' shapes out
        function.unique_id = hashlib.sha256(meant.encode()).hexdigest()[:NAME_LENGTH]
        function.unique_name = f"{function.func_qualname}${function.unique_id}"
        state.library = self.library_class(state.targetctx.codegen(), function.func_qualname)
        state.library.enable_object_caching()
        return [_passes(state)]


def _passes(state: Any) -> PassManager:
    """The passes of numba without those for what no rule does."""
    passes = PassManager("rules")
    for build in (
        DefaultPassBuilder.define_untyped_pipeline,
        DefaultPassBuilder.define_typed_pipeline,
        DefaultPassBuilder.define_nopython_lowering_pipeline,
    ):
        passes.passes += [
            (kind, why) for kind, why in build(state).passes if kind._name not in NOT_IN_RULES
        ]
    passes.finalize()
    return passes


class _PassesForUse(_Passes):
    library_class = UsedLibrary


class CompilerForUse(_FunctionCompiler):
    """Makes what is linked: no wrapper, no machine code."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        result = super()._compile_core(args, return_type)
        library = result.library
        result.target_context.insert_user_function(library, result.fndesc, [library])
        return result._replace(entry_point=library)


class _CompilerForPython(_FunctionCompiler):
    """Makes what Python calls; nobody asks for a C function."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cfunc_wrapper = True
        return flags


class _Used(CPUDispatcher):
    """A rule as other rules see it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = CompilerForUse(function, self.targetdescr, options, {}, _PassesForUse)

    def compile(self, sig: Any) -> Any:
        """Keep what was compiled for these types; there is nothing that Python could call."""
        with self._compiling_counter:
            if sig not in self.overloads:
                self.overloads[sig] = self._compiler.compile(sig, None)
        return self.overloads[sig]


class Rule(CPUDispatcher):
    """A compiled rule. Python calls its machine code; other rules are linked with it."""

    def __init__(self, function: Any, locals: Any = None, targetoptions: Any = None) -> None:
        options = {**OPTIONS, **(targetoptions or {})}
        super().__init__(function, targetoptions=options)
        self._compiler = _CompilerForPython(function, self.targetdescr, options, {}, _Passes)
        self._used = _Used(function, options)

    def compile(self, sig: Any) -> Any:
        """What Python calls for these types. The compiler's waste is collected afterwards."""
        collects = gc.isenabled()
        gc.disable()
        try:
            return super().compile(sig)
        finally:
            if collects:
                gc.enable()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How another rule calls this one."""
        folded, args = self._compiler.fold_argument_types(args, kws)
        signature = self.compile_for_use(tuple(map(_widened, args))).signature
        name = self.py_func.__name__
        template = make_concrete_template(name, name, [signature])
        return template, folded, args, {}

    def get_overload(self, sig: Any) -> Any:
        """What another rule is linked with."""
        return self._used.get_overload(sig)

    def compile_for_use(self, kinds: tuple[Any, ...]) -> Any:
        """What other rules are linked with, for arguments of these types."""
        return self._used.compile(kinds)

    @property
    def is_compiling(self) -> Any:
        """Is it being compiled, so that a call is a recursion?"""
        return self._compiling_counter or self._used._compiling_counter
