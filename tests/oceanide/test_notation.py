"""Moves, chance and deals in words."""

from __future__ import annotations

import pytest

from conftest import finished
from oceanide.setting import SISTERS, Table, replayed
from pelagos.engine.errors import BadRecord, IllegalMove
from pelagos.engine.match import Match
from pelagos.games.oceanide import GAME, actions, notation
from pelagos.games.oceanide.state import THIEF


def test_moves_are_written_as_the_page_has_them() -> None:
    table = Table("rum rum rum thief", "rum star sun", "moon")
    assert table.moves() == [
        "end",
        "complete rum",
        "trade rum > 1",
        "steal star < 1",
        "steal rum < 1",
        "steal sun < 1",
        "steal moon < 2",
    ]
    table.play("trade rum > 1")
    assert table.moves() == ["take none", "take star,sun"]


def test_every_action_has_words_of_its_own() -> None:
    table = Table("rum", "sun")
    moves = [notation.write(table.game, table.pack, 0, action) for action in range(GAME.actions)]
    assert len(set(moves)) == GAME.actions == actions.ACTIONS.size
    for action, move in enumerate(moves):
        assert notation.read(table.game, table.pack, 0, move) == action
    for words in ("", "trade rum > 5", "take sun,rum", "take rum,rum", "steal thief < 1", "End"):
        assert notation.read(table.game, table.pack, 0, words) == -1


def test_chance_is_read_strictly() -> None:
    table = Table("star star", "star moon moon rum rum thief")
    table.play("trade star > 1", "take hand")
    for words, reason in {
        "drawn": "two cards",
        "drawn moon": "two cards",
        "drew moon rum": "two cards",
        "drawn moon pearl": "two cards",
        "drawn rum moon": "order",
        "drawn moon moon": "doesn't hold",
        "drawn moon king": "doesn't hold",
    }.items():
        with pytest.raises(BadRecord, match=reason):
            notation.read_chance(table.game, table.pack, words)
    assert notation.read_chance(table.game, table.pack, "drawn rum thief") == [8, THIEF]


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (["rum"], "list of 96"),
        (["pearl"] + ["rum"] * 95, "no card of the pack"),
        (["rum"] * 96, r"0 trident; the pack has 6"),
    ],
)
def test_a_deck_that_is_not_the_packs_is_refused(deck: list[str], reason: str) -> None:
    record = finished("oceanide", {"players": 2}, 1).record()
    del record["seed"]
    record["deal"]["deck"] = deck
    with pytest.raises(BadRecord, match=reason):
        Match.replay(record)


def test_an_illegal_move_gets_a_sentence() -> None:
    match = replayed(SISTERS, "")
    with pytest.raises(IllegalMove, match="can't 'complete rum' now; legal are: end"):
        match.play(0, "complete rum")


def test_a_seats_record_has_what_it_drew_and_what_all_saw() -> None:
    match = replayed(SISTERS, "end")
    deck = match.record(1)["deal"]["deck"]
    assert deck[:6] == ["?", "rum", "?", "sun", "key", "moon"]
    assert deck[6:12] == SISTERS[1].split()
    assert deck[12:18] == ["heart", "?", "?", "star", "?", "key"]
    assert deck[18:21] == ["trident", "?", "?"]
    assert deck[21:24] == ["trident", "trident", "trident"]
    assert set(deck[24:]) == {"?"}


def test_a_seats_record_hides_the_cards_drawn_from_anothers_hand() -> None:
    hands = ("star star key moon rum fang", "star sun sun rum rum thief", "heart " * 6)
    match = replayed(hands, "trade star > 1, take hand")
    match.happen("drawn rum sun")
    assert match.record(0)["moves"][-1] == ["*", "drawn rum sun"]
    assert match.record(1)["moves"][-1] == ["*", "drawn rum sun"]
    assert match.record(2)["moves"][-1] == ["*", "drawn ? sun"]
    hidden = replayed(hands, "trade star > 1, take hand")
    hidden.happen("drawn rum thief")
    assert hidden.record(2)["moves"][-1] == ["*", "drawn ? ?"]
