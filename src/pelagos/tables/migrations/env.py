"""Alembic's door: migrates the connection that `store` hands over."""

from __future__ import annotations

from alembic import context

from pelagos.tables.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
