"""The aid at a table, as its options allow it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pelagos.engine.aid import Aid, Explainer, all_things, explain
from pelagos.engine.errors import text
from pelagos.tables.errors import NotFound
from pelagos.tables.table import SPECTATOR, Table

LONGEST_QUESTION = 200
"""Letters that name what is asked about."""


def aid_of(table: Table, viewer: int, of: str) -> Aid | None:
    """What a viewer may be told of a thing; a table without previews doesn't tell what would
    bring more.
    """
    if table.match is None:
        return None
    who = None if viewer == SPECTATOR else viewer
    return explain(table.match, who, of, table.shown_options, table.previews)


def explained_things(table: Table, viewer: int, faces: Iterable[str]) -> list[Aid]:
    """Cards, symbols and parts as such, for the sheet of all."""
    if table.match is None:
        return []
    who = None if viewer == SPECTATOR else viewer
    explainer = Explainer(table.match, who, table.shown_options, previews=False)
    aids = [explainer.explain(f"thing:{face}") for face in faces]
    return [aid for aid in aids if aid is not None]


def answer(table: Table, viewer: int, of: str) -> dict[str, Any]:
    """As JSON: an explanation, or without a question all that can be asked about."""
    if table.match is None:
        raise NotFound(text("tables/refuse.not_begun"))
    if not of:
        groups = [
            {"name": group["name"], "things": explained_things(table, viewer, group["things"])}
            for group in all_things(table.match)
        ]
        return {"groups": groups, "lines": list(table.match.position.lines)}
    return {"aid": aid_of(table, viewer, of)}
