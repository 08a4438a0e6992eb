"""Both databases: backups, exports, lost races."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

import places
from pelagos.cli import app
from pelagos.engine.errors import PelagosError
from pelagos.tables import fairness
from pelagos.tables import store as stores
from pelagos.tables.database import FILE, url_of
from pelagos.tables.keeping import Append
from pelagos.tables.serve import backup, export
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from tabling import Server, all_play, gather


def test_backup_export_and_verify(where: Path | str, tmp_path: Path) -> None:
    with Server(where) as running:
        people = gather(running.url, "minnows", 2)
        all_play(people)
        gather(running.url, "minnows", 2)
        (tmp_path / "copy").mkdir()
        assert backup(where, tmp_path / "copy" / FILE) > 10
    for data, out in ((where, "records"), (tmp_path / "copy", "again")):
        exported = export(data, tmp_path / out)
        assert (exported.records, exported.tables, exported.stopped) == (1, 2, {})
    [file] = (tmp_path / "records").iterdir()
    assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()
    done = CliRunner().invoke(app, ["verify", str(file), "--json"])
    assert json.loads(done.stdout)["ok"] is True
    script = places.ROOT / "docs" / "verify_game.py"
    checked = subprocess.run([sys.executable, str(script), str(file)], check=True, text=True)
    assert checked.returncode == 0
    record = json.loads(file.read_text())
    for place, wrong in (("secret", "0" * 64), ("commitment", "0" * 64), ("bytes", ["", ""])):
        bad = {**record, "fairness": {**record["fairness"], place: wrong}}
        with pytest.raises(PelagosError):
            fairness.check(bad)
        file.write_text(json.dumps(bad))
        failed = subprocess.run([sys.executable, str(script), str(file)], capture_output=True)
        assert failed.returncode != 0
    # A server goes on from the copy: the same key signs the same seats.
    with Server(tmp_path / "copy") as other:
        people[0].urls = [other.url]
        assert people[0].view()["view"]["over"]


def test_a_lost_race_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    async def run() -> list[Any]:
        store = await Store.open(tmp_path)
        first = Append("a", 0, [{"do": "x"}], "g", "s", False)
        await store.append(first)
        together = [
            Append("a", 0, [{"do": "y"}], "g", "s", False),
            Append("b", 0, [{"do": "z"}], "g", "s", False),
        ]
        outcomes = await asyncio.gather(
            *(store.append(written) for written in together), return_exceptions=True
        )
        logs = [await store.read("a"), await store.read("b")]
        await store.close()
        return [*[type(outcome).__name__ for outcome in outcomes], *logs]

    assert asyncio.run(run()) == ["Conflict", "NoneType", [{"do": "x"}], [{"do": "z"}]]


@pytest.mark.parametrize("kind", ["tables", "web"])
def test_a_start_migrates_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    steps, migrate = [], stores._migrate

    def counted(connection: sa.Connection) -> None:
        steps.append(connection.dialect.name)
        migrate(connection)

    def start(app: Any, *_: Any) -> None:
        async def open_and_close() -> None:
            async with app.state.server.opened(app):
                assert await app.state.server.tables.store.is_well()

        asyncio.run(open_and_close())

    monkeypatch.setattr(stores, "_migrate", counted)
    monkeypatch.setattr("pelagos.tables.serve.run", start)
    monkeypatch.setattr("pelagos.tables.logs.open_log", lambda: None)
    serve = import_module(f"pelagos.{kind}.serve").serve
    serve("127.0.0.1", 1, tmp_path, Settings(compile_ahead=False, thinkers=1))
    assert steps == ["sqlite"]


def test_a_database_is_named_by_a_folder_or_a_url() -> None:
    assert url_of("postgres://a@b/c") == "postgresql+asyncpg://a@b/c"
    with pytest.raises(PelagosError):
        url_of("mysql://a@b/c")
