"""The honest cache: an edited callee takes effect, a second process compiles nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from pelagos.engine.compiled import identity
from pelagos.engine.fields import TAKEN, state_type
from pelagos.engine.rule import rule

CALLEE = """
from pelagos.engine.rule import rule

FACTOR = {factor}

@rule
def inner(x: int) -> int:
    return x {sign} FACTOR
"""

CALLER = """
import multiprocessing
import numpy as np
from callee import inner
from pelagos.engine.rule import compiled_now, rule

@rule
def outer(x: int) -> int:
    return inner(x) * 10

def factory(step):
    @rule
    def made(x: int) -> int:
        return outer(x) + step(x)
    return made

made = factory(inner)

def work(x):
    return made(x), len(compiled_now)

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(work, (1,))
    print(outer(1), made(1), len(compiled_now), *there)
"""


def run(folder: Path, **settings: str) -> list[int]:
    environment = {**os.environ, "PELAGOS_CACHE": str(folder / "cache"), **settings}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), *sys.path])
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, str(folder / "caller.py")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(number) for number in done.stdout.split()]


def write(folder: Path, factor: int, sign: str) -> None:
    (folder / "callee.py").write_text(CALLEE.format(factor=factor, sign=sign))
    (folder / "caller.py").write_text(textwrap.dedent(CALLER))


def test_a_second_process_compiles_nothing_factories_and_workers_included(tmp_path: Path) -> None:
    write(tmp_path, 2, "+")
    first = run(tmp_path)
    assert first[:2] == [30, 33]
    assert first[4] > 0 or first[2] > 0
    assert run(tmp_path) == [30, 33, 0, 33, 0]


def test_an_edited_callee_takes_effect(tmp_path: Path) -> None:
    write(tmp_path, 2, "+")
    assert run(tmp_path)[:2] == [30, 33]
    write(tmp_path, 2, "-")
    assert run(tmp_path)[:2] == [-10, -11]


def test_an_edited_constant_takes_effect(tmp_path: Path) -> None:
    write(tmp_path, 2, "+")
    run(tmp_path)
    write(tmp_path, 3, "+")
    assert run(tmp_path)[:2] == [40, 44]


def write_large(folder: Path, factor: int) -> None:
    """As if every rule were so large that it is translated by itself."""
    write(folder, factor, "+")
    small = (folder / "callee.py").read_text()
    large = "from pelagos.engine import linking\nlinking.LARGE = 0\n"
    (folder / "callee.py").write_text(large + small)


def test_large_rules_are_translated_once_and_kept_for_other_processes(tmp_path: Path) -> None:
    write_large(tmp_path, 2)
    assert run(tmp_path)[:2] == [30, 33]
    kept = list(tmp_path.glob("cache/rules/*/*.shared"))
    assert len(kept) == 3, "inner, and outer by the names of its module in two processes"
    assert run(tmp_path) == [30, 33, 0, 33, 0]
    kept[0].unlink()
    kept[1].write_bytes(b"torn")
    assert run(tmp_path)[:2] == [30, 33]
    assert run(tmp_path) == [30, 33, 0, 33, 0]


def test_an_edited_large_rule_takes_effect(tmp_path: Path) -> None:
    write_large(tmp_path, 2)
    run(tmp_path)
    write_large(tmp_path, 3)
    assert run(tmp_path)[:2] == [40, 44]


def test_a_torn_file_of_the_cache_is_compiled_anew(tmp_path: Path) -> None:
    write_large(tmp_path, 2)
    run(tmp_path)
    for number, kept in enumerate(tmp_path.glob("cache/rules/*/*")):
        code = bytearray(kept.read_bytes())
        if number % 2:
            code[len(code) // 2] ^= 255
        else:
            code[-64:] = bytes(64)
        kept.write_bytes(code)
    again = run(tmp_path)
    assert again[:2] == [30, 33]
    assert again[2] + again[4], "none of it was believed"
    assert run(tmp_path) == [30, 33, 0, 33, 0]


HOT = """
import numpy as np
from pelagos.engine import linking
linking.LARGE = 0
from pelagos.engine.rule import compiled_now, hot_rule, rule

@rule
def inner(unused, x, numbers):
    total = 0
    for index in range(x):
        for other in range(index):
            if numbers[0] % 3 == other % 2:
                numbers[0] += other + x * 5 // (index + 1)
            elif numbers[0] % 5 == index % 3:
                numbers[0] += index * index % 11
            else:
                numbers[0] -= total // 7 + other * x % 13
            total += numbers[0] % 17 + index // (other + 2)
    return total

@rule
def before(numbers, x):
    return inner(x, x, numbers)

@hot_rule
def hot(numbers):
    return inner(5, 20, numbers) + inner(5, 30, numbers) + inner(5, 40, numbers)

@rule
def after(numbers, x):
    return inner(x, x + 1, numbers)

row = np.zeros(1, np.int64)
print(before(row, 7), hot(row), after(row, 9), row[0], len(compiled_now))
"""


def test_a_hot_rule_has_large_ones_in_itself_and_lends_them_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(HOT)
    interpreted = run(tmp_path, PELAGOS_INTERPRETED="1")[:4]
    assert run(tmp_path) == [*interpreted, 3]
    assert len(list(tmp_path.glob("cache/rules/*/*.shared"))) == 1
    assert run(tmp_path) == [*interpreted, 0]


def test_a_rule_that_uses_something_else_is_refused() -> None:
    table = {1: 2}

    @rule
    def looks_up(x: int) -> int:
        return table[x]

    with pytest.raises(TypeError, match="looks_up uses table, a dict"):
        identity(looks_up)


def test_a_state_refuses_names_that_records_use_up() -> None:
    with pytest.raises(ValueError, match="named take"):
        state_type([("take", "int8")])
    assert {name for name in dir(np.record) if not name.startswith("_")} == TAKEN


def test_a_states_size_is_padded_to_a_multiple_of_eight() -> None:
    assert state_type([("a", "int8"), ("b", "int16")]).size == 8


def test_a_state_has_no_holes_whose_bytes_a_copy_would_lose() -> None:
    fields = state_type([("a", "int8", 3), ("b", "uint64"), ("c", "int16", 5)])
    kind = fields.dtype
    assert sum(kind[name].itemsize for name in kind.names or ()) == kind.itemsize == 24
    assert fields.size == 24
