"""Lines of text side by side and in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rich.text import Text

GAP = "   "

Block: TypeAlias = list[Text]
"""Lines that belong together."""


def flow(blocks: Sequence[Block], width: int) -> Iterator[Text]:
    """Blocks side by side as far as the width goes, then the next ones below."""
    row: list[Block] = []
    used = 0
    for block in blocks:
        wide = max(line.cell_len for line in block)
        if row and used + len(GAP) + wide > width:
            yield from _beside(row)
            row, used = [], 0
        used += wide + (len(GAP) if row else 0)
        row.append(block)
    yield from _beside(row)


def _beside(blocks: Sequence[Block]) -> Iterator[Text]:
    widths = [max(line.cell_len for line in block) for block in blocks]
    for index in range(max((len(block) for block in blocks), default=0)):
        whole = Text()
        for block, width in zip(blocks, widths, strict=True):
            line = block[index] if index < len(block) else Text()
            whole.append_text(line)
            whole.append(" " * (width - line.cell_len) + GAP)
        whole.rstrip()
        yield whole


def columns(items: Sequence[Text], width: int) -> Iterator[Text]:
    """Items in as many columns as fit, read downwards."""
    wide = max(item.cell_len for item in items) + len(GAP)
    count = max(1, min(width // wide, len(items)))
    height = -(-len(items) // count)
    for row in range(height):
        line = Text()
        for item in items[row::height]:
            line.append_text(item)
            line.append(" " * (wide - item.cell_len))
        line.rstrip()
        yield line


def signed(number: int, plus: bool = False) -> str:
    """A number with a true minus sign, and a plus sign if wanted."""
    return (f"{number:+d}" if plus else str(number)).replace("-", "−")
