"""The tables of the database, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, Table, Text

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the whole place has one of, such as the key that signs seats."""

log = Table(
    "log",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("entry", Text, nullable=False),
)
"""The truth: every entry of every table. Rows are added, never changed."""

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("tables_by_change", "listed", "changed"),
)
"""One row a table, to find and list it: follows from the log."""

due = Table(
    "due",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("decision", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("lead", Float, nullable=False),
    Column("lease", Float, nullable=False),
    Column("tries", BigInteger, nullable=False),
    Index("due_by_time", "at"),
)
"""Work that is owed: a bot's answer, when it is due, how long before to begin, until when somebody
is at it."""
