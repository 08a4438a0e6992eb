"""A leak that somebody plants is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pelagos.engine import match as engine
from pelagos.engine.match import Match
from pelagos.tables import message
from pelagos.tables.message import Message, Messages
from pelagos.tables.table import Table
from tables.leaking import (
    check_deals,
    check_sequences,
    check_worlds,
    whole_games,
)


def all_of(check: Callable[[str], None]) -> None:
    for kind in whole_games():
        check(kind)


def truth(match: Match) -> str:
    return str(hash(match.position.states.tobytes()))


def plant_in_view(patch: pytest.MonkeyPatch) -> None:
    honest = Match.view_in_parts

    def leaky(self: Match, *args: Any, **more: Any) -> Any:
        view, parts = honest(self, *args, **more)
        view["facts"]["leak"] = truth(self)
        return view, parts

    patch.setattr(Match, "view_in_parts", leaky)


def plant_in_table(patch: pytest.MonkeyPatch) -> None:
    honest = message.about

    def leaky(table: Table) -> dict[str, Any]:
        assert table.match is not None
        return {**honest(table), "moves": truth(table.match)}

    patch.setattr(message, "about", leaky)


def plant_in_stream(patch: pytest.MonkeyPatch) -> None:
    honest = Messages.of

    def leaky(self: Messages, table: Table, viewer: int, follow: bool = False) -> Message:
        assert table.match is not None
        sent = honest(self, table, viewer, follow)
        number = sent.number + int(truth(table.match))
        return Message(number, sent.table, sent.own, sent.view)

    patch.setattr(Messages, "of", leaky)


def plant_in_record(patch: pytest.MonkeyPatch) -> None:
    honest = Match.record

    def leaky(self: Match, seat: int | None = None) -> dict[str, Any]:
        return {**honest(self, seat), "next": truth(self)}

    patch.setattr(Match, "record", leaky)


def plant_in_previews(patch: pytest.MonkeyPatch) -> None:
    honest = Match.preview

    def leaky(self: Match, seat: int, action: int | str) -> dict[str, int]:
        return {**honest(self, seat, action), "leak": int(truth(self))}

    patch.setattr(Match, "preview", leaky)


def plant_in_log(patch: pytest.MonkeyPatch) -> None:
    honest = engine.Match.events

    def leaky(self: Match, viewer: int | None = None) -> Any:
        return [*honest(self, viewer), {"key": truth(self), "params": {}}]

    patch.setattr(Match, "events", leaky)


@pytest.mark.parametrize(
    "plant",
    [
        plant_in_view,
        plant_in_table,
        plant_in_stream,
        plant_in_record,
        plant_in_previews,
        plant_in_log,
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check_worlds("minnows")


def test_a_leak_in_the_numbers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting every entry would tell how many cards somebody has kept."""
    honest = Table._count

    def leaky(self: Table, changed: str, seat: int, waiting_changed: bool) -> None:
        honest(self, changed, seat, True)

    monkeypatch.setattr(Table, "_count", leaky)
    with pytest.raises(AssertionError):
        all_of(check_sequences)


def test_a_leak_in_a_deal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Match.record

    def leaky(self: Match, seat: int | None = None) -> dict[str, Any]:
        return {**honest(self, seat), "whole": json.dumps(self.deal)}

    monkeypatch.setattr(Match, "record", leaky)
    with pytest.raises(AssertionError):
        all_of(check_deals)
