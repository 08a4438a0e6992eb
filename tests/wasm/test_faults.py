"""What the comparison with the CPU would find: a wrong address, or another rule."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.bots import pocket
from pelagos.bots.pocket import Module
from pelagos.engine.game import find_game
from wasm.test_equality import NodeFailed, hear_both, heard, in_node, write_deals, write_module

BUILD = """
import sys
from pelagos.bots import pocket
from pelagos.engine import wasm, wasm_link
from pelagos.engine.game import find_game

{fault}
exports = pocket.exports
unasked = ("play_out", "flat_", "search_", "race_", "coach_")
pocket.exports = lambda game: {{
    name: export for name, export in exports(game).items() if not name.startswith(unasked)
}}
pocket.main("minnows", sys.argv[1])
"""
FAULTS = {
    "nothing": "",
    "an address": "right = wasm_link.padded; wasm_link.padded = lambda to: right(to + 8)",
    "a rule": "import minnows.scoring; minnows.scoring.KIND_POINTS += 1",
}


@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, tmp_path: Path) -> None:
    code = BUILD.format(fault=FAULTS[fault])
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    game = find_game("minnows")
    write_module(Module.read(tmp_path, game.id), tmp_path)
    states, streams = write_deals(tmp_path, game, 2, 1)
    try:
        in_node("play.mjs", tmp_path)
        differs = hear_both(game, tmp_path, states, streams).all()
    except NodeFailed:  # it may lead out of all memory
        assert fault == "an address"
        return
    answers = (tmp_path / "answers.txt").read_text().splitlines()
    assert (answers == [heard(game, states, streams[0])]) == (fault == "nothing")
    assert differs == (fault != "nothing")


def test_another_source_is_another_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A module made from other rules is never taken for this one."""
    game = find_game("minnows")
    manifest = {"game": game.id, "source": pocket.source(game)}
    Module(b"", manifest).write(tmp_path)
    assert pocket.find(game, tmp_path) is not None
    Module(b"", {**manifest, "source": "another"}).write(tmp_path)
    assert pocket.find(game, tmp_path) is None
