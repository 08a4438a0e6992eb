"""What `bench/coach.py` measures at length, in small: true chances, skill, and its bookkeeping."""

from __future__ import annotations

import random
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "bench" / "coach.py"
spec = spec_from_file_location("bench_coach", SCRIPT)
assert spec
assert spec.loader
bench: Any = module_from_spec(spec)
spec.loader.exec_module(bench)


def test_chances_are_about_true() -> None:
    """Of 50 games: what is expected of the better half comes true, and of the worse half too."""
    rows = [
        (row["chances"][row["seat"]], row["won"])
        for number in range(0, 100, 2)
        for row in bench.calibration("oceanos", number)["predictions"]
    ]
    ordered = sorted(rows)
    for half in (ordered[: len(ordered) // 2], ordered[len(ordered) // 2 :]):
        predicted = sum(row[0] for row in half) / len(half)
        won = sum(row[1] for row in half) / len(half)
        assert abs(predicted - won) < 0.12


def test_flat_loses_less_than_greedy() -> None:
    lost = [bench.skill("oceanos", number) for number in range(4)]
    mean = {
        bot: sum(game["lost"][bot] for game in lost) / sum(game["decisions"][bot] for game in lost)
        for bot in bench.BOTS
    }
    assert mean["flat"] < mean["greedy"]


def made_up(slope: float) -> list[tuple[int, float, float]]:
    """Games of one position each, whose true chances lie from 1/2 so many times as far away."""
    lots = random.Random(3)
    rows = []
    for game in range(8000):
        chance = lots.random()
        won = float(lots.random() < 0.5 + slope * (chance - 0.5))
        rows += [(game, chance, won), (game, 1 - chance, 1 - won)]
    return rows


def test_tenths_pass_true_chances_and_no_others() -> None:
    assert all(tenth.is_true for tenth in bench.tenths(made_up(1.0)))
    assert not all(tenth.is_true for tenth in bench.tenths(made_up(0.7)))


def test_a_campaign_goes_on_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> list[Any]:
        return bench.missing(tmp_path, ["oceanos"], 0.002)

    units = missing()
    assert {unit.task for unit in units} == set(bench.TASKS)
    monkeypatch.setattr(bench, "MATCH_GAMES", 1)
    row: dict[str, Any] = {
        "lost": {"flat": 1, "greedy": 2},
        "decisions": dict.fromkeys(bench.BOTS, 1),
    }
    bench.add(tmp_path, bench.Unit("skill", "oceanos", 0), row)
    with (tmp_path / "skill-oceanos.jsonl").open("a") as file:
        file.write('{"number": 1, "lo')  # it was stopped here
    assert missing() == [unit for unit in units if unit != bench.Unit("skill", "oceanos", 0)]
    assert bench.matches(bench.done(tmp_path, "skill", "oceanos")) == [
        {"greedy": 0.02, "flat": 0.01}
    ]
    page = tmp_path / "page.md"
    page.write_text(f"before\n{bench.START}\nold\n{bench.END}\nafter\n")
    bench.write(page, bench.report(tmp_path, ["oceanos"]))
    assert "| oceanos | 1 | 1 | 0.01 % | 0.02 % |" in page.read_text()
    assert page.read_text().endswith("\nafter\n")
