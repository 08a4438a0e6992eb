"""`pelagos serve`, and what a host does beside it: backup and export."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pelagos.engine.errors import PelagosError, text
from pelagos.tables.settings import Settings, read_settings

KEPT = 75
"""Seconds that a connection without requests is kept."""
STOPPING = 8
"""Seconds that requests which were begun are given when the server stops."""
LEARNING = 30
"""Seconds in which every process knows a new key."""


def serve(host: str, port: int, where: Any, settings: Settings | None = None) -> None:
    """Run one server process until it is stopped."""
    from pelagos.tables import logs
    from pelagos.tables.api import make_app
    from pelagos.tables.compiling import Compiling

    settings = settings or read_settings()
    prepare(where)
    logs.open_log()
    logs.tell("serving", host=host, port=port)
    app = make_app(where, settings, compiling=Compiling())
    app.state.server.migrates = False  # it was done just now
    run(app, host, port, settings)


def run(app: Any, host: str, port: int, settings: Settings) -> None:
    """Listen until stopped."""
    import uvicorn

    from pelagos.tables.protocol import Connection

    class WithMoves(Connection):
        """A connection that answers moves itself."""

        moves = app.state.moves

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=WithMoves,
        log_level="warning",
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(settings.proxies),
        timeout_keep_alive=KEPT,
        timeout_graceful_shutdown=STOPPING,
    )

    class Server(uvicorn.Server):
        """Lets everybody know before it stops."""

        async def shutdown(self, sockets: Any = None) -> None:
            """Drain, finish what was begun, and close."""
            await app.state.server.drain()
            await super().shutdown(sockets)

    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run()


def prepare(where: Any) -> None:
    """Make or migrate the database before anything else is begun: what is wrong with it is told in
    a sentence.
    """

    async def open_and_close() -> None:
        from pelagos.tables.store import Store

        await (await Store.open(where)).close()

    asyncio.run(open_and_close())


@dataclass
class Exported:
    """What an export wrote, and what it couldn't."""

    tables: int = 0
    records: int = 0
    other_rules: int = 0
    """Records among them of games that were played by other rules, and fit the installed ones."""
    stopped: dict[str, PelagosError] = field(default_factory=dict)
    """By table, why its log was not followed to its end."""


def export(where: Any, folder: Path) -> Exported:
    """Write every finished game's record."""
    return asyncio.run(_export(where, folder))


async def _export(where: Any, folder: Path) -> Exported:
    from pelagos.engine.record import SUFFIX
    from pelagos.tables.store import Store
    from pelagos.tables.table import fold

    store = await Store.open(where, make=False)
    folder.mkdir(parents=True, exist_ok=True)
    exported = Exported()
    try:
        for table in await store.table_ids():
            exported.tables += 1
            folded = fold(table, await store.read(table))
            if folded.broken:
                exported.stopped[table] = folded.broken
            for number, finished in enumerate(folded.finished):
                name = f"{folded.game.id}-{table}-{number}{SUFFIX}"
                text = json.dumps(finished.record(), ensure_ascii=False)
                (folder / name).write_text(text + "\n", encoding="utf-8")
                exported.records += 1
                exported.other_rules += bool(finished.rules)
    finally:
        await store.close()
    return exported


def backup(where: Any, file: Path) -> int:
    """Copy the whole database into one new SQLite file, while the server runs; returns rows."""
    if file.exists():
        raise PelagosError(text("tables/refuse.file_exists", file=str(file)))
    return asyncio.run(_backup(where, file))


async def _backup(where: Any, file: Path) -> int:
    import sqlalchemy as sa

    from pelagos.tables.database import keep_private
    from pelagos.tables.schema import metadata
    from pelagos.tables.store import Store

    source = await Store.open(where, make=False)
    rows = 0
    try:
        rows_by_table = await source.all_rows()
    finally:
        await source.close()
    file.parent.mkdir(parents=True, exist_ok=True)
    keep_private(file)
    target = sa.create_engine(f"sqlite:///{file}")
    metadata.create_all(target)
    with target.begin() as connection:
        connection.execute(sa.text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        for name, lines in rows_by_table.items():
            if lines:
                connection.execute(sa.insert(metadata.tables[name]), lines)
                rows += len(lines)
        version = sa.text("INSERT INTO alembic_version VALUES (:version)")
        connection.execute(version, {"version": head_of_steps()})
    target.dispose()
    with contextlib.closing(sqlite3.connect(file)) as check:
        if check.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise PelagosError(text("tables/refuse.bad_copy", file=str(file)))
    return rows


def rotate(where: Any, days: float) -> None:
    """Let a new key sign seats; what the one before it has signed is good for so many days."""

    async def add() -> None:
        from pelagos.tables.store import Store

        store = await Store.open(where, make=False)
        try:
            await store.add_key(time.time() + (LEARNING if days else 0), days * 86_400)
        finally:
            await store.close()

    asyncio.run(add())


def head_of_steps() -> str:
    """The newest step of the migrations."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "pelagos.tables:migrations")
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None
    return head


def verify(file: Path) -> dict[str, Any]:
    """Verify a finished game: every move, the result, and that nobody chose the cards."""
    from pelagos.engine import record as records
    from pelagos.tables import fairness

    data = records.load(file)
    match = records.replay(data, of_any_rules=True)
    proof = fairness.check(data)
    findings = {"ok": True, "moves": len(data["moves"]), "scores": match.scores, **proof}
    played_by = records.other_rules(data)
    if played_by:
        findings["other_rules"] = {"version": played_by, "installed": match.game.rules}
    return findings
