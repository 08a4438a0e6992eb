"""How rules are compiled: each is typed once, and only what Python calls becomes machine code.

numba by itself optimises every function, translates it and wraps it for Python, and does all of
this again within each of its callers. Here a rule that another rule calls stays as it was typed;
`linking` makes machine code of those that Python calls.
"""

from __future__ import annotations

import gc
import hashlib
import operator
from typing import Any, ClassVar

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.datamodel import models, register_default
from numba.core.dispatcher import _FunctionCompiler
from numba.core.errors import new_error_context
from numba.core.funcdesc import default_mangler
from numba.core.registry import CPUDispatcher
from numba.core.typing import make_concrete_template

from pelagos.engine.compiled import identity
from pelagos.engine.linking import CalledLibrary, UsedLibrary, WholeLibrary

OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,
    "_nrt": False,  # rules make no arrays, and needn't count who refers to those they are given
}
NAME_LENGTH = 24
NOT_IN_RULES = {
    "with_lifting",
    "make_function_op_code_to_jit_function",
    "inline_closure_likes",
    "inline_inlinables",
    "literal_unroll",
    "find_literally",
    "inline_overloads",
    "nopython_rewrites",
    "annotate_types",
    "dump_parfor_diagnostics",
}
"""Passes that find nothing to do in rules."""
NUMBER = types.Number | types.Boolean


class _Operator(types.Function):
    """An operator, which remembers what it makes of its operands: numba itself asks each of its
    dozens of templates for every `+`, while typing and while lowering.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function.templates)
        self._answers: dict[Any, Any] = {}

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature with which it is called."""
        if kws:
            return super().get_call_type(context, args, kws)
        args = _without_literals(args)
        if args not in self._answers:
            self._answers[args] = super().get_call_type(context.plain, args, kws)
        return self._answers[args]


register_default(_Operator)(models.OpaqueModel)


class _Typing:
    """numba's typing, with operators that remember."""

    operators: ClassVar[dict[Any, _Operator]] = {}

    def __init__(self, plain: Any) -> None:
        self.plain = plain

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)

    def resolve_value_type(self, value: Any) -> Any:
        """The type of a constant; an operator is one, too."""
        return self._operator(value) or self.plain.resolve_value_type(value)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature with which a function is called."""
        operator = self._operator(getattr(function, "typing_key", function))
        if operator:
            return operator.get_call_type(self, tuple(args), kws)
        return self.plain.resolve_function_type(function, args, kws)

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """The signature with which an element is set."""
        return self.resolve_function_type(operator.setitem, (target, index, value), {})

    def _operator(self, value: Any) -> _Operator | None:
        """One of Python's own: `+`, `<`, `min`, `int`, `[…]`."""
        if getattr(value, "__module__", None) not in ("_operator", "builtins"):
            return None
        function = self.plain._lookup_global(value)
        if not isinstance(function, types.Function):
            return None
        if function not in self.operators:
            self.operators[function] = _Operator(function)
        return self.operators[function]


def _without_literals(kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """These types, where numbers are operands, or places in an array: which ones doesn't matter."""
    plain = tuple(map(types.unliteral, kinds))
    _, *places = plain if isinstance(plain[0], types.Array) else (None, *plain)
    return plain if all(isinstance(kind, NUMBER) for kind in places) else kinds


def _widened(kind: Any) -> Any:
    """The type as which an argument is passed: rules compute with whole numbers of one width, and a
    constant is a number like any other.
    """
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind.signed
    return types.int64 if narrow else kind


def _symbol(name: str, kinds: Any, *, abi_tags: Any = (), uid: str = "") -> str:
    """The name of a function in machine code. numba's own has the types, which it numbers anew in
    every process; here they are part of the hash.
    """
    named: str = default_mangler(name, (), abi_tags=abi_tags, uid=uid)
    return named


class _Passes(CompilerBase):
    """numba's own passes, into a library of ours, under a name that says what the rule does: code
    from different processes is linked together.
    """

    library_class: type[JITCodeLibrary] = CalledLibrary

    def define_pipelines(self) -> list[Any]:
        """The one way to compile."""
        state, function = self.state, self.state.func_id
        state.typingctx = state.targetctx.typing_context = _Typing(state.typingctx)
        state.targetctx.mangler = _symbol
        meant = f"{identity(function.func)} {state.args} {self.library_class.__name__}"
        function.unique_id = hashlib.sha256(meant.encode()).hexdigest()[:NAME_LENGTH]
        function.unique_name = f"{function.func_qualname}${function.unique_id}"
        state.library = self.library_class(state.targetctx.codegen(), function.func_qualname)
        state.library.enable_object_caching()
        return [_passes(state)]


class _PassManager(PassManager):
    """Runs passes, and neither measures nor checks them."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802 (numba's name)
        step.analysis = self._analysis
        with new_error_context("Pass {name}", name=step.name()):
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)


def _passes(state: Any) -> PassManager:
    """The passes of numba without those for what no rule does."""
    passes = _PassManager("rules")
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


class _PassesForWhole(_Passes):
    library_class = WholeLibrary


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

    passes = _Passes

    def __init__(self, function: Any, locals: Any = None, targetoptions: Any = None) -> None:
        options = {**OPTIONS, **(targetoptions or {})}
        super().__init__(function, targetoptions=options)
        self._compiler = _CompilerForPython(function, self.targetdescr, options, {}, self.passes)
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


class WholeRule(Rule):
    """One whose machine code has all that it uses in it."""

    passes = _PassesForWhole
