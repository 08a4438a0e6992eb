"""Records made elsewhere replay, and every position comes out the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pelagos.engine.record import SUFFIX, load, positions
from places import SAMPLES

RECORDS = sorted(SAMPLES.glob(f"*{SUFFIX}"))


def plain(position: dict[str, Any]) -> dict[str, Any]:
    """A position without the order of its lists."""
    return {
        **position,
        "pending": sorted(str(seat) for seat in position["pending"]),
        "legal": {seat: sorted(moves) for seat, moves in position["legal"].items()},
    }


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.removesuffix(SUFFIX))
def test_a_sample_replays_with_the_same_positions(path: Path) -> None:
    written = path.with_name(path.name.removesuffix(SUFFIX) + ".positions.jsonl").read_text()
    expected = [json.loads(line) for line in written.splitlines()]
    assert [plain(position) for position in positions(load(path))] == [
        plain(position) for position in expected
    ]


def test_there_are_samples() -> None:
    assert RECORDS
