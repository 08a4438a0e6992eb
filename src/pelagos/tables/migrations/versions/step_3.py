"""Quotas: what addresses have used of a day, and how much their tables take."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "spent",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("amount", sa.Integer, nullable=False),
    )
    op.add_column("tables", sa.Column("laid_by", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("bytes", sa.BigInteger, nullable=False, server_default="0"))
    op.create_index("tables_by_address", "tables", ["laid_by"])
