"""Games that repeat, and tournaments that survive an interrupt."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.setting import as_text, make_plan, pelagos
from pelagos.arena import workers
from pelagos.arena.host import TooEarlyError, host
from pelagos.arena.matches import Played
from pelagos.arena.plan import Fixture, Plan
from pelagos.arena.results import Results
from pelagos.arena.tournament import Tournament
from pelagos.bots import Budget
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game


def test_with_simulations_two_processes_play_the_same_to_the_byte() -> None:
    plan = make_plan("greedy", "flat", seed="twice")
    alone, _ = host(plan, 6)
    together, _ = host(plan, 6, workers=2)
    assert as_text(alone) == as_text(together)
    assert alone.as_json()["digest"] == together.digest
    other, _ = host(make_plan("greedy", "flat", seed="else"), 6)
    assert other.digest != alone.digest


def interrupted_after(count: int) -> Any:
    def work(plan: Plan, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        for number, game in enumerate(workers.here(plan, fixtures)):
            if number == count:
                raise KeyboardInterrupt
            yield game

    return work


def test_an_interrupted_tournament_goes_on_without_loss(tmp_path: Path) -> None:
    plan = make_plan("random", "greedy")
    path = tmp_path / "games.jsonl"
    with Results(plan, path) as results, pytest.raises(KeyboardInterrupt):
        Tournament(plan, results).run(10, interrupted_after(5))
    kept = path.read_text().splitlines()
    assert len(kept) == 1 + 5
    path.write_text("\n".join(kept) + '\n{"deal": 2, "sea')  # the power failed in mid-line
    seen: list[int] = []
    standings, left = host(plan, 10, file=path, advance=seen.append)
    assert seen[0] == 5
    assert left == 0
    assert as_text(standings) == as_text(host(plan, 10)[0])
    assert len(path.read_text().splitlines()) == 1 + 10
    again, _ = host(plan, 10, file=path)
    assert as_text(again) == as_text(standings)


def test_only_whole_deals_count_after_an_interrupt(tmp_path: Path) -> None:
    plan = make_plan("random", "greedy")
    with Results(plan) as results:
        tournament = Tournament(plan, results)
        with pytest.raises(KeyboardInterrupt):
            tournament.run(10, interrupted_after(5))
        assert len(tournament.finished) == 4


def test_another_tournaments_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    host(make_plan("random", "greedy"), 2, file=path)
    with pytest.raises(PelagosError, match="holds another tournament: its seed is 0, not 1"):
        Results(make_plan("random", "greedy", seed="1"), path)
    path.write_text("not a tournament\n")
    with pytest.raises(PelagosError, match="isn't a tournament's file"):
        Results(make_plan("random", "greedy"), path)


def test_nothing_played_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pelagos.arena.host.get_ready", stop)
    with pytest.raises(TooEarlyError, match="nothing to show"):
        host(make_plan("random"), 2)


def heed_control_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_control_c_stops_in_time_and_the_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    command = pelagos(
        *f"arena ecosystem random greedy --players 2 --games 200000 --resume {path}".split(),
        *("--budget", "1sims", "--processes", "2", "--json"),
    )
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_control_c,  # a shell's background jobs ignore it
    )
    start = time.monotonic()
    while not path.exists() or path.read_text().count("\n") < 8:
        assert time.monotonic() - start < 300
        assert running.poll() is None
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    data = json.loads(out)
    assert 2 <= data["games"] < 200_000
    assert b"goes on from" in err
    played_already = path.read_text().count("\n") - 1
    names = ["random", "greedy"]
    plan = Plan.make(find_game("ecosystem"), {"players": 2}, "0", names, Budget(simulations=1))
    standings, _ = host(plan, played_already + 4, file=path)
    assert len(standings.games) >= played_already + 4
