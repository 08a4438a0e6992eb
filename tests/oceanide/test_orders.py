"""Standing orders: the King's question answered once for all."""

from __future__ import annotations

import pytest

from oceanide.setting import Table
from pelagos.games.oceanide import GAME, orders
from pelagos.games.oceanide.actions import ALLOW, ANSWER_KING


def test_the_game_has_orders_and_asks_unless_told_otherwise() -> None:
    assert GAME.orders
    pack = Table("rum", "sun").pack
    asking = ["ask", "allow", "from-4", "from-5", "from-6", "from-7"]
    sending = ["king-3", "king-4", "king-5", "king-6", "king-7"]
    assert orders.known(pack) == [*asking, *sending]


@pytest.mark.parametrize(
    ("order", "allows"),
    [("ask", False), ("allow", True), ("from-5", False), ("from-6", False), ("from-7", True)],
)
def test_an_order_answers_for_what_is_worth_less(order: str, allows: bool) -> None:
    table = Table("thief", "rum star king")
    table.play("steal rum < 1")
    assert orders.answer(table.game, table.pack, 1, order) == (ALLOW if allows else None)
    assert orders.answer(table.game, table.pack, 0, order) is None


@pytest.mark.parametrize(
    ("order", "cards", "answer"),
    [
        ("king-3", "rum star king", ANSWER_KING),
        ("king-6", "rum star king", ANSWER_KING),
        ("king-7", "rum star king", ALLOW),
        ("king-6", "rum star thief", ALLOW),
    ],
)
def test_an_order_sends_a_king_from_a_value_on_if_there_is_one(
    order: str, cards: str, answer: int
) -> None:
    table = Table("thief", cards)
    table.play("steal rum < 1")
    assert orders.answer(table.game, table.pack, 1, order) == answer
    assert orders.answer(table.game, table.pack, 0, order) is None


def test_of_two_objects_the_dearer_counts() -> None:
    table = Table("star star", "star moon sun")
    table.play("trade star > 1", "take moon,sun")
    assert orders.answer(table.game, table.pack, 1, "from-7") is None
    cheap = Table("star star", "star moon key")
    cheap.play("trade star > 1", "take moon,key")
    assert orders.answer(cheap.game, cheap.pack, 1, "from-5") == ALLOW


def test_an_order_is_the_same_with_a_king_and_without() -> None:
    for card in ("king", "thief"):
        table = Table("thief", f"rum {card}")
        table.play("steal rum < 1")
        assert orders.answer(table.game, table.pack, 1, "from-7") == ALLOW
        assert orders.default(table.game, table.pack, 1) == ALLOW


def test_only_who_is_asked_has_an_answer_when_time_runs_out() -> None:
    table = Table("thief", "rum king")
    assert orders.default(table.game, table.pack, 0) is None
    assert orders.answer(table.game, table.pack, 0, "allow") is None
    table.play("steal rum < 1")
    assert orders.default(table.game, table.pack, 0) is None
