"""On which stream of a GPU a batch works, as CUDA is told; no GPU is needed for that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pelagos.engine import gpu
from pelagos.engine.batch import Batch
from pelagos.engine.dlpack import CUDA
from pelagos.engine.errors import PelagosError

MINE, OTHER = 4096, 8192


class There:
    """An array on a GPU that isn't there."""

    def __init__(self, array: Any, stream: Any) -> None:
        self.array, self.stream = array, stream
        self.shape, self.dtype, self.strides = array.shape, array.dtype, array.strides
        self.__cuda_array_interface__ = {"data": (array.ctypes.data, False)}

    def copy_to_host(self, stream: Any) -> Any:
        assert stream == self.stream
        return self.array.copy()


class Cuda:
    """As much of `numba.cuda` as a batch uses; it notes what it is told."""

    def __init__(self) -> None:
        self.launched: list[Any] = []
        self.uploaded: list[Any] = []
        self.waited: list[Any] = []
        self.ordered: list[Any] = []
        self.local = None

    def external_stream(self, address: int) -> Any:
        return SimpleNamespace(address=address, synchronize=lambda: self.waited.append(address))

    def to_device(self, array: Any, stream: Any) -> There:
        self.uploaded.append(getattr(stream, "address", stream))
        return There(array, stream)

    def device_array(self, shape: Any, kind: Any, stream: Any) -> There:
        return self.to_device(np.zeros(shape, kind), stream)

    def get_current_device(self) -> Any:
        return SimpleNamespace(id=0)

    def event(self, timing: bool) -> Any:
        def note(stream: Any) -> None:
            self.ordered.append(getattr(stream, "address", stream))

        return SimpleNamespace(record=note, wait=note)

    def jit(self, function: Any) -> Any:
        cuda = self

        class Kernel:
            def __getitem__(self, place: Any) -> Any:
                stream = getattr(place[2], "address", place[2])
                return lambda *arguments: cuda.launched.append((function.__name__, stream))

        return Kernel()


@pytest.fixture(name="cuda")
def _cuda(monkeypatch: pytest.MonkeyPatch) -> Cuda:
    cuda = Cuda()
    monkeypatch.setattr(gpu, "_cuda", lambda: cuda)
    monkeypatch.setattr(gpu, "why_not", lambda: "")
    monkeypatch.setattr(gpu, "step_kernels", gpu.step_kernels.__wrapped__)
    monkeypatch.setattr(gpu, "play_out_kernels", gpu.play_out_kernels.__wrapped__)
    return cuda


def batch_on(stream: Any) -> Batch:
    return Batch("ecosystem", 3, players=2, device="gpu", observe="raw", stream=stream)


@pytest.mark.parametrize(
    "stream",
    [
        MINE,
        np.int64(MINE),
        SimpleNamespace(cuda_stream=MINE),
        SimpleNamespace(ptr=MINE),
        SimpleNamespace(__cuda_stream__=lambda: (0, MINE)),
        SimpleNamespace(__cuda_stream__=(0, MINE)),
    ],
)
def test_all_work_is_queued_on_the_callers_stream(cuda: Cuda, stream: Any) -> None:
    batch = batch_on(stream)
    batch.step(np.zeros(3, int))
    assert cuda.launched == [("start", MINE), ("step", MINE)]
    assert set(cuda.uploaded) == {MINE}
    assert not cuda.waited
    batch.masks.copy_to_host()
    assert cuda.waited == [MINE]
    batch.play_out()
    assert cuda.launched[-1] == ("play_out", MINE)
    assert set(cuda.waited) == set(cuda.uploaded) == {MINE}


def test_unless_said_it_is_the_default_one_and_nobody_waits(cuda: Cuda) -> None:
    batch = batch_on(None)
    batch.step(np.zeros(3, int))
    batch.masks.copy_to_host()
    assert cuda.launched == [("start", 0), ("step", 0)]
    assert set(cuda.uploaded) == {0}
    assert not cuda.waited
    assert not cuda.ordered


@pytest.mark.parametrize(
    ("own", "asking", "ordered"),
    [
        (None, None, []),
        (None, 1, []),
        (None, -1, []),
        (None, OTHER, [0, OTHER]),
        (MINE, MINE, []),
        (MINE, -1, []),
        (MINE, OTHER, [MINE, OTHER]),
        (MINE, 1, [MINE, 0]),
        (MINE, None, [MINE, 0]),
    ],
)
def test_who_takes_an_array_on_another_stream_waits_for_what_is_queued(
    cuda: Cuda, own: Any, asking: Any, ordered: list[int]
) -> None:
    masks = batch_on(own).masks
    assert masks.__dlpack_device__() == (CUDA, 0)
    masks.__dlpack__(stream=asking)
    assert cuda.ordered == ordered


def test_what_is_no_stream_is_refused(cuda: Cuda) -> None:
    with pytest.raises(PelagosError, match="a stream is one of torch"):
        batch_on("mine")
