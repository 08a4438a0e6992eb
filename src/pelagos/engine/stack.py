"""Arrays on the stack, for compiled rules (`scratch`)."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


def _on_the_stack(kind: Any, size: Any) -> Any:
    row = types.Array(kind, 1, "C")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = make_array(row)(context, builder)
        length = context.get_constant(types.intp, size.literal_value)
        step = context.get_constant(types.intp, kind.bitwidth // 8)
        memory = cgutils.alloca_once(builder, context.get_data_type(kind), length)
        populate_array(made, memory, (length,), (step,), step, meminfo=None)
        return made._getvalue()

    return row(size), build


@intrinsic(prefer_literal=True)
def whole_numbers(typing: Any, size: Any) -> Any:
    """Room for so many whole numbers."""
    return _on_the_stack(types.int64, size)


@intrinsic(prefer_literal=True)
def real_numbers(typing: Any, size: Any) -> Any:
    """Room for so many real numbers."""
    return _on_the_stack(types.float64, size)
