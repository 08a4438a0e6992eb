"""Memory lent to other libraries without copying, by the DLPack protocol.

A `Lent` array can be taken by `torch.from_dlpack`, `jax.dlpack.from_dlpack`, `cupy.from_dlpack` and
`numpy.from_dlpack`; on a GPU also by whoever reads `__cuda_array_interface__`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

CPU, CUDA = 1, 2
"""DLPack's numbers of devices."""
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
_NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))


_kept: dict[int, tuple[Any, ...]] = {}
"""What a lent tensor needs, by its address, until whoever has it lets it go."""


def _let_go(address: int) -> None:
    _kept.pop(address, None)


_deleter = _Deleter(_let_go)


_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, _Destructor)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p)


def _forget(capsule: int) -> None:
    """A capsule that nobody has taken takes its tensor along."""
    if _is_valid(capsule, _NAME):
        _let_go(_pointer(capsule, _NAME))


_destructor = _Destructor(_forget)


class Lent:
    """An array of a device, as other libraries can take it."""

    def __init__(
        self,
        array: Any,
        address: int,
        device: tuple[int, int],
        let_follow: Callable[[Any], None] | None = None,
        home: Callable[[Any], Any] | None = None,
    ) -> None:
        """The array that owns the memory, where that begins, and on which device it is.

        On a GPU, `let_follow` lets another stream wait for what is queued on the array's own, and
        `home` brings a copy home.
        """
        self._let_follow, self._home = let_follow, home
        self.array = array
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype = np.dtype(array.dtype)
        self._address, self._device = address, device

    def __repr__(self) -> str:
        return f"Lent({self.dtype}, {self.shape})"

    @property
    def __cuda_array_interface__(self) -> Any:
        return self.array.__cuda_array_interface__

    def copy_to_host(self) -> Any:
        """A copy as NumPy's array."""
        return self.array.copy_to_host() if self._home is None else self._home(self.array)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        if self._let_follow is not None:
            self._let_follow(stream)
        count = len(self.shape)
        shape = (ctypes.c_int64 * count)(*self.shape)
        size = self.dtype.itemsize
        strides = (ctypes.c_int64 * count)(*(step // size for step in self.array.strides))
        tensor = _Tensor(
            self._address,
            *self._device,
            count,
            _CODES[self.dtype.kind],
            8 * size,
            1,
            shape,
            strides,
        )
        managed = _Managed(tensor, None, _deleter)
        address = ctypes.addressof(managed)
        _kept[address] = (managed, shape, strides, self.array)
        return _new(address, _NAME, _destructor)
