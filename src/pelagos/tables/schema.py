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

names = Table(
    "names",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("field", Text, primary_key=True),
    Column("name", Text, nullable=False),
)
"""The names that people typed, by the log's entry that they belong to: these rows can be erased."""

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
    Column("laid_by", Text, nullable=False, server_default=""),
    Column("bytes", BigInteger, nullable=False, server_default="0"),
    Index("tables_by_change", "listed", "changed"),
    Index("tables_by_address", "laid_by"),
)
"""One row a table, to find and list it: follows from the log, but for the hash of the address that
it was laid from (`quotas`); `bytes` is how long its entries are together."""

spent = Table(
    "spent",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("who", Text, primary_key=True),
    Column("amount", Integer, nullable=False),
)
"""How much of something the hash of an address has used on a day, counted from 1970 on."""

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

holdings = Table(
    "holdings",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("issue", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Index("holdings_by_table", "table_id"),
)
"""Who has held a seat: the hash of a browser's own key, and the issue of the seat's secret that it
held; `number` is how much of the table's log its results were taken from."""

results = Table(
    "results",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("game_number", Integer, primary_key=True, autoincrement=False),
    Column("ended", Float, nullable=False),
    Column("result", Text, nullable=False),
)
"""What finished games came to, of tables that somebody keeps among their own: follows from the
log."""

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("game_number", Integer, primary_key=True, autoincrement=False),
    Column("asked", Float, nullable=False),
    Column("lease", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("summary", Text, nullable=False),
    Column("analysis", Text, nullable=False),
    Index("analyses_by_time", "done", "asked"),
)
"""What the coach says of a finished game, as far as it has come: when it was asked for, until when
somebody is at it, each seat's accuracy, and the whole of it."""
