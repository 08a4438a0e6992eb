"""Names out of the log, into a table from which they can be erased."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"

LOG = sa.table("log", *map(sa.column, ("table_id", "number", "entry")))
NAMES = sa.table("names", *map(sa.column, ("table_id", "number", "field", "name")))


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "names",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("field", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    connection = op.get_bind()
    ids = connection.execute(sa.text("SELECT id FROM tables")).scalars().all()
    for table in ids:
        of_table = sa.select(LOG.c.number, LOG.c.entry).where(LOG.c.table_id == table)
        named = sa.or_(LOG.c.entry.like('%"name"%'), LOG.c.entry.like('%"by"%'))
        for number, written in connection.execute(of_table.where(named)).all():
            _move(connection, table, number, written)


def _move(connection: sa.Connection, table: str, number: int, written: str) -> None:
    try:
        entry = json.loads(written)
    except ValueError:  # it breaks its own table only
        return
    if entry.get("do") in ("create", "bot"):
        return
    names = {field: entry[field] for field in ("name", "by") if entry.get(field)}
    if not names:
        return
    without = json.dumps({**entry, **dict.fromkeys(names, "")}, ensure_ascii=False)
    place = (LOG.c.table_id == table, LOG.c.number == number)
    connection.execute(sa.update(LOG).where(*place).values(entry=without))
    rows = [
        {"table_id": table, "number": number, "field": field, "name": name}
        for field, name in names.items()
    ]
    connection.execute(sa.insert(NAMES), rows)
