"""Rules as WebAssembly: the same source, typed and lowered by numba as ever, then translated for
a browser.

None of LLVM's passes for the host may run before the target is changed: they would write the
offsets of a 64-bit machine into the code. That is switched off for a whole process, so a module is
built in a process of its own (`bots.pocket`). Nothing in it counts references or makes arrays: a
rule that makes one is refused by the compiler.

A module exports `memory`, `__heap_base`, and functions that take whole numbers (i32), real ones
(f64), and addresses (i32) of records and arrays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys
from numba.np import numpy_support
from numba.np.arrayobj import make_array, populate_array

from pelagos.engine import linking
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.layout import expander
from pelagos.engine.turns import random_chooser, whole_games
from pelagos.engine.types import MOST_SEATS
from pelagos.engine.wasm_link import link

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+sign-ext,+nontrapping-fptoint"
OPTIMISED = 3
HOST_ATTRIBUTES = r'"(target-cpu|target-features|probe-stack|tune-cpu)"="[^"]*"'
I32, F64 = ir.IntType(32), ir.DoubleType()
TRAP = ir.FunctionType(ir.VoidType(), ())


@dataclass(frozen=True)
class Takes:
    """An argument: a number, one record, or an array of numbers or records."""

    name: str
    """As the manifest says it: `i32`, `f64`, `state`, `pack`, `i64[]`, `state[]`, …"""
    kind: np.dtype[Any] | None = None
    """Of what lies at the address; None: a plain number."""
    shape: tuple[int, ...] | None = None
    """The array's; None: a record."""

    @property
    def size(self) -> int:
        """Bytes of what lies at the address."""
        assert self.kind is not None
        return self.kind.itemsize * prod(self.shape or ())

    @property
    def numba_type(self) -> Any:
        """The type that the rule is compiled for."""
        if self.kind is None:
            return types.int64 if self.name == "i32" else types.float64
        kind = numpy_support.from_dtype(self.kind)
        return kind if self.shape is None else types.Array(kind, len(self.shape), "C")


@dataclass(frozen=True)
class Block:
    """An address of several things, one after another, each of them an argument of the rule."""

    name: str
    parts: tuple[Takes, ...]

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(part.size for part in self.parts)


WHOLE = Takes("i32")
REAL = Takes("f64")


def record(name: str, kind: Any) -> Takes:
    """The address of one record."""
    return Takes(name, np.dtype(kind))


def array(kind: Any, *shape: int, name: str = "") -> Takes:
    """The address of an array; one of records needs a name."""
    of = np.dtype(kind)
    return Takes(name or f"{of.kind}{8 * of.itemsize}[]", of, shape)


@dataclass(frozen=True)
class Export:
    """A function of the module: a rule with what it takes."""

    rule: Any
    takes: Sequence[Takes | Block]

    @property
    def rule_takes(self) -> list[Takes]:
        """The arguments of the rule itself."""
        parts: list[Takes] = []
        for argument in self.takes:
            parts += argument.parts if isinstance(argument, Block) else (argument,)
        return parts


class Kinds:
    """What a game's functions take."""

    def __init__(self, game: Game) -> None:
        declared, self.lines = game.part("state"), len(game.lines)
        self.features = int(game.part("features").SIZE)
        self.columns = int(game.part("features").LAYOUT.expanded)
        self.size = max(game.actions + 1, game.outcome, self.lines, MOST_SEATS)
        self.state = record("state", declared.STATE.dtype)
        self.pack = record("pack", declared.PACK.dtype)
        self.room = array(np.int64, self.size)
        self.totals = array(np.int64, MOST_SEATS)
        self.stream = array(np.uint64, 4)

        self.states = array(self.state.kind, 1, name="state")
        self.packs = array(self.pack.kind, 1, name="pack")


def exports_of(game: Game) -> dict[str, Export]:
    """Every door of a game, each on one state, and whole games at random."""
    kinds, opened, whole = Kinds(game), doors(game), whole_games(game)
    rules, random = opened.rules, random_chooser(game)
    both = (kinds.state, kinds.pack)
    raw = array(np.int16, kinds.features)
    rows = array(np.int64, kinds.size, kinds.lines)
    of_seat = (*both, WHOLE)
    chooses = (*of_seat, kinds.stream, kinds.room)
    many = (*of_seat, kinds.room, WHOLE, kinds.states, rows)
    return {
        "shuffle": Export(rules.shuffle, both),
        "begin": Export(rules.begin, both),
        "pending": Export(rules.pending, both),
        "legal": Export(rules.legal, (*of_seat, kinds.room)),
        "play": Export(rules.play, (*of_seat, WHOLE)),
        "attempt": Export(opened.attempt_rule, (*of_seat, WHOLE, kinds.room)),
        "chance": Export(rules.chance, (*both, kinds.room)),
        "happen": Export(rules.happen, (*both, kinds.room, WHOLE)),
        "sheet": Export(rules.sheet, (*of_seat, kinds.room)),
        "winners": Export(rules.winners, (*both, kinds.totals)),
        "redeal": Export(rules.redeal, (*of_seat, kinds.stream)),
        "preview": Export(rules.preview, (*of_seat, WHOLE, kinds.room)),
        "previews": Export(opened.previews_rule, many),
        "observe": Export(rules.observe, (*of_seat, raw)),
        "expand": Export(expander(game), (kinds.pack, raw, array(np.float32, kinds.columns))),
        "settle": Export(whole.settle, (*both, kinds.room)),
        "start": Export(whole.start, (*both, kinds.room)),
        "random": Export(random, chooses),
    }


def build(exports: Mapping[str, Export]) -> tuple[bytes, dict[str, Any]]:
    """A module with these functions, and what the manifest says of them."""
    _leave_the_host()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=OPTIMISED, reloc="static"
    )
    with global_compiler_lock:
        results = {name: _compile(export) for name, export in exports.items()}
        libraries = [_wrapped(name, export, results[name]) for name, export in exports.items()]
    module = _linked(libraries, machine)
    for function in module.functions:
        if not function.is_declaration and function.name not in exports:
            function.linkage = llvm.Linkage.internal
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = llvm.Linkage.internal
    module.verify()
    _optimise(module, machine)
    signatures = {
        name: {
            "takes": [argument.name for argument in export.takes],
            "gives": _gives(results[name].signature.return_type),
        }
        for name, export in exports.items()
    }
    return link(machine.emit_object(module), list(exports)), signatures


def _leave_the_host() -> None:
    """From now on this process makes nothing that would run in it."""
    for library in (CPUCodeLibrary, linking.RuleLibrary):
        for name in ("_optimize_functions", "_optimize_final_module"):
            setattr(library, name, lambda *arguments: None)


def _compile(export: Export) -> Any:
    """The rule, typed and lowered for what it takes."""
    return export.rule.compile_for_use(tuple(part.numba_type for part in export.rule_takes))


def _gives(kind: Any) -> str | None:
    """What a function gives, as the manifest says it."""
    if isinstance(kind, types.NoneType):
        return None
    return "f64" if isinstance(kind, types.Float) else "i32"


def _wrapped(name: str, export: Export, result: Any) -> Any:
    """A library with a function of plain numbers, which makes what the rule takes of them."""
    context, gives = result.target_context, result.signature.return_type
    library = linking.UsedLibrary(context.codegen(), name)
    module = library.create_ir_module(name)
    returned = {None: ir.VoidType(), "i32": I32, "f64": F64}[_gives(gives)]
    given = [F64 if argument is REAL else I32 for argument in export.takes]
    function = ir.Function(module, ir.FunctionType(returned, given), name)
    builder = ir.IRBuilder(function.append_basic_block())
    arguments: list[Any] = []
    for argument, value in zip(export.takes, function.args, strict=True):
        for part in argument.parts if isinstance(argument, Block) else (argument,):
            arguments.append(_argument(context, builder, part, value))
            if isinstance(argument, Block):
                value = builder.add(value, I32(part.size))
    descriptor = result.fndesc
    called = context.declare_function(module, descriptor)
    status, value = context.call_conv.call_function(
        builder, called, descriptor.restype, descriptor.argtypes, arguments
    )
    with builder.if_then(status.is_error, likely=False):
        builder.call(module.declare_intrinsic("llvm.trap", fnty=TRAP), ())
        builder.unreachable()
    if isinstance(returned, ir.VoidType):
        builder.ret_void()
    elif returned is F64:
        builder.ret(value)
    elif value.type.width > I32.width:
        builder.ret(builder.trunc(value, I32))
    else:
        builder.ret(builder.zext(value, I32))
    library.add_ir_module(module)
    library.add_linking_library(result.library)
    library.finalize()
    return library


def _argument(context: Any, builder: Any, argument: Takes, given: Any) -> Any:
    """A plain number, or what lies at an address, as a rule takes it."""
    if argument is REAL:
        return given
    if argument is WHOLE:
        return builder.sext(given, ir.IntType(64))
    kind = argument.numba_type
    assert argument.kind is not None
    if argument.shape is None:
        return builder.inttoptr(given, context.get_value_type(kind))
    made = make_array(kind)(context, builder)
    size = argument.kind.itemsize
    steps = [size * prod(argument.shape[axis + 1 :]) for axis in range(len(argument.shape))]
    populate_array(
        made,
        data=builder.inttoptr(given, made.data.type),
        shape=[context.get_constant(types.intp, length) for length in argument.shape],
        strides=[context.get_constant(types.intp, step) for step in steps],
        itemsize=context.get_constant(types.intp, size),
        meminfo=None,
    )
    return made._getvalue()


def _linked(libraries: Sequence[Any], machine: Any) -> Any:
    """All libraries and what they use, as one module for this machine."""
    merged = llvm.parse_assembly("")
    for part in linking.callees_first(libraries):
        if part is not rtsys.library:
            merged.link_in(llvm.parse_assembly(_retargeted(str(part._final_module), machine)))
    return merged


def _retargeted(text: str, machine: Any) -> str:
    """A module's text, saying nothing of the host."""
    layout = f'target datalayout = "{machine.target_data}"'
    text = re.sub(r'^target datalayout = ".*"$', layout, text, flags=re.MULTILINE)
    text = re.sub(
        r'^target triple = ".*"$', f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE
    )
    return re.sub(HOST_ATTRIBUTES, "", text)


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=OPTIMISED)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
