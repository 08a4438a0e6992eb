"""Link one WebAssembly object of LLVM's into a module: place its data, make memory and stack its
own, and fill in addresses.

The format: github.com/WebAssembly/tool-conventions/blob/main/Linking.md. A module that needs
anything from outside is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

MAGIC = b"\0asm\1\0\0\0"
PAGE = 65536
STACK = 12 * PAGE
"""Bytes for what rules keep while they run; it lies below all data."""
HEAP_ALIGNED = 64
I32, IMMUTABLE, MUTABLE, I32_CONST, END = 0x7F, 0, 1, 0x41, 0x0B


class Section(IntEnum):
    """A section's number."""

    CUSTOM = 0
    TYPES = 1
    IMPORTS = 2
    FUNCTIONS = 3
    TABLES = 4
    MEMORIES = 5
    GLOBALS = 6
    EXPORTS = 7
    ELEMENTS = 9
    CODE = 10
    DATA = 11


class External(IntEnum):
    """What is imported or exported."""

    FUNCTION = 0
    TABLE = 1
    MEMORY = 2
    GLOBAL = 3


class Relocation(IntEnum):
    """What is written over a place in the code or data."""

    FUNCTION_INDEX = 0
    MEMORY_ADDRESS = 3
    MEMORY_ADDRESS_SIGNED = 4
    MEMORY_ADDRESS_I32 = 5
    TYPE_INDEX = 6
    GLOBAL_INDEX = 7


KEPT = (Relocation.FUNCTION_INDEX, Relocation.TYPE_INDEX, Relocation.GLOBAL_INDEX)
"""Nothing is added to the object or taken away, so functions and types keep their numbers; the
stack pointer is global 0 before and after."""
SYMBOL_FUNCTION, SYMBOL_DATA, SYMBOL_SECTION = 0, 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
SEGMENTS, SYMBOLS = 5, 8


class LinkError(Exception):
    """An object that can't be linked."""


class Reader:
    """Reads the format's numbers and strings one after another."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        """One byte."""
        self.at += 1
        return self.data[self.at - 1]

    def number(self, signed: bool = False) -> int:
        """A LEB128 number."""
        value = shift = 0
        while True:
            piece = self.byte()
            value |= (piece & 127) << shift
            shift += 7
            if piece < 128:
                return value - (1 << shift) if signed and piece & 64 else value

    def bytes(self) -> bytes:
        """A length and so many bytes."""
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        """A name."""
        return self.bytes().decode()

    @property
    def has_more(self) -> bool:
        """Is anything left?"""
        return self.at < len(self.data)


def number(value: int) -> bytes:
    """A LEB128 number that reads the same signed and unsigned."""
    out = bytearray()
    while value >= 64:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def padded(value: int) -> bytes:
    """The same in the five bytes that an object leaves for an address."""
    return bytes((value >> 7 * place) & 127 | (128 if place < 4 else 0) for place in range(5))


def sized(data: bytes) -> bytes:
    """A length and so many bytes."""
    return number(len(data)) + data


def vector(items: Sequence[bytes]) -> bytes:
    """How many, and one after another."""
    return number(len(items)) + b"".join(items)


def constant(value: int) -> bytes:
    """The expression of a number."""
    return bytes([I32_CONST]) + number(value) + bytes([END])


@dataclass
class Segment:
    """A piece of the data."""

    offset: int
    """Where it lies in the data section."""
    data: bytearray
    address: int = 0
    """Where it comes to lie in the memory."""


@dataclass(frozen=True)
class Symbol:
    """A name for a function or for a place in a segment."""

    kind: int
    name: str
    index: int = 0
    """The function's number, or the segment's."""
    offset: int = 0


class LinkedObject:
    """An object as LLVM emits it, taken apart and linked."""

    def __init__(self, binary: bytes) -> None:
        if binary[: len(MAGIC)] != MAGIC:
            raise LinkError("no WebAssembly object")
        self.sections: dict[int, bytearray] = {}
        self.customs: dict[str, bytes] = {}
        reader = Reader(binary, len(MAGIC))
        while reader.has_more:
            kind, payload = reader.byte(), reader.bytes()
            if kind == Section.CUSTOM:
                inner = Reader(payload)
                name = inner.name()
                self.customs[name] = payload[inner.at :]
            else:
                self.sections[kind] = bytearray(payload)
        self._refuse_imports()
        self.segments = list(self._read_segments())
        alignments: list[int] = []
        self.symbols: list[Symbol] = []
        reader = Reader(self.customs["linking"])
        if reader.number() != 2:
            raise LinkError("another version of the linking section")
        while reader.has_more:
            kind, inner = reader.byte(), Reader(reader.bytes())
            if kind == SEGMENTS:
                for _ in range(inner.number()):
                    inner.bytes()
                    alignments.append(1 << inner.number())
                    inner.number()
            elif kind == SYMBOLS:
                self.symbols = [_read_symbol(inner) for _ in range(inner.number())]
        self.heap = self._place(alignments)
        self._fill_in("reloc.CODE", self.sections[Section.CODE])
        self._fill_in("reloc.DATA", None)

    def _refuse_imports(self) -> None:
        """All that an object of ours may ask for is a memory and a stack pointer."""
        reader = Reader(bytes(self.sections.get(Section.IMPORTS, b"\0")))
        for _ in range(reader.number()):
            reader.bytes()
            name, kind = reader.name(), reader.byte()
            if kind == External.MEMORY:
                reader.number()
                reader.number()
            elif kind == External.GLOBAL and name == "__stack_pointer":
                reader.byte()
                reader.byte()
            else:
                raise LinkError(f"{name} is asked for, and nobody has it")

    def _read_segments(self) -> Iterable[Segment]:
        reader = Reader(bytes(self.sections.get(Section.DATA, b"\0")))
        for _ in range(reader.number()):
            if reader.number() != 0 or reader.byte() != I32_CONST:
                raise LinkError("data that lies nowhere")
            reader.number(signed=True)
            reader.byte()
            data = reader.bytes()
            yield Segment(reader.at - len(data), bytearray(data))

    def _place(self, alignments: list[int]) -> int:
        """Lay the data out above the stack; return where free memory begins."""
        top = STACK
        for segment, alignment in zip(self.segments, alignments, strict=True):
            segment.address = top = _aligned(top, alignment)
            top += len(segment.data)
        return _aligned(top, HEAP_ALIGNED)

    def _fill_in(self, relocations: str, code: bytearray | None) -> None:
        """Write addresses over the places left for them, in the code or in the data."""
        reader = Reader(self.customs.get(relocations, b"\0\0"))
        reader.number()
        for _ in range(reader.number()):
            kind, offset, index = reader.byte(), reader.number(), reader.number()
            if kind in KEPT:
                continue
            addresses = (
                Relocation.MEMORY_ADDRESS,
                Relocation.MEMORY_ADDRESS_SIGNED,
                Relocation.MEMORY_ADDRESS_I32,
            )
            if kind not in addresses:
                raise LinkError(f"relocation {kind} isn't known here")
            symbol = self.symbols[index]
            place = self.segments[symbol.index].address + symbol.offset
            address = place + reader.number(signed=True)
            if kind == Relocation.MEMORY_ADDRESS_I32:
                written = address.to_bytes(4, "little")
            else:
                written = padded(address)
            target, start = (code, 0) if code is not None else self._segment_at(offset)
            target[offset - start : offset - start + len(written)] = written

    def _segment_at(self, offset: int) -> tuple[bytearray, int]:
        """The segment that holds this place of the data section, and where it starts there."""
        for segment in self.segments:
            if segment.offset <= offset < segment.offset + len(segment.data):
                return segment.data, segment.offset
        raise LinkError("an address outside the data")

    def module(self, exports: Sequence[str]) -> bytes:
        """The module, exporting these functions, `memory` and `__heap_base`."""
        functions = {
            symbol.name: symbol.index for symbol in self.symbols if symbol.kind == SYMBOL_FUNCTION
        }
        exported = [
            _export("memory", External.MEMORY, 0),
            _export("__heap_base", External.GLOBAL, 1),
        ]
        exported += [_export(name, External.FUNCTION, functions[name]) for name in exports]
        data = [
            b"\0" + constant(segment.address) + sized(bytes(segment.data))
            for segment in self.segments
            if any(segment.data)
        ]
        parts = {
            Section.TYPES: self.sections[Section.TYPES],
            Section.FUNCTIONS: self.sections[Section.FUNCTIONS],
            Section.MEMORIES: b"\1\0" + number(_aligned(self.heap, PAGE) // PAGE),
            Section.GLOBALS: vector(
                [
                    bytes([I32, MUTABLE]) + constant(STACK),
                    bytes([I32, IMMUTABLE]) + constant(self.heap),
                ]
            ),
            Section.EXPORTS: vector(exported),
            Section.CODE: self.sections[Section.CODE],
            Section.DATA: vector(data),
        }
        return MAGIC + b"".join(bytes([kind]) + sized(bytes(part)) for kind, part in parts.items())


def link(binary: bytes, exports: Sequence[str]) -> bytes:
    """The module made of one object, exporting these functions, `memory` and `__heap_base`."""
    return LinkedObject(binary).module(exports)


def _read_symbol(reader: Reader) -> Symbol:
    kind, flags = reader.byte(), reader.number()
    if kind == SYMBOL_SECTION:
        return Symbol(kind, "", reader.number())
    if kind != SYMBOL_DATA:
        index = reader.number()
        is_named = not flags & UNDEFINED or flags & EXPLICIT_NAME
        return Symbol(kind, reader.name() if is_named else "", index)
    name = reader.name()
    if flags & UNDEFINED:
        raise LinkError(f"{name} is asked for, and nobody has it")
    segment, offset, _ = reader.number(), reader.number(), reader.number()
    return Symbol(kind, name, segment, offset)


def _export(name: str, kind: External, index: int) -> bytes:
    return sized(name.encode()) + bytes([kind]) + number(index)


def _aligned(address: int, alignment: int) -> int:
    return -(-address // alignment) * alignment
