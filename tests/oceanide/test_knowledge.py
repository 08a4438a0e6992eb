"""What all know to be forced, what a move would bring, what can be taken back."""

from __future__ import annotations

from oceanide.setting import SISTERS, Table, replayed
from pelagos.engine.match import Match
from pelagos.engine.types import SHOWN, TURNED
from pelagos.games.oceanide import knowledge


def test_an_answer_is_never_forced() -> None:
    for card, answers in (("king", 2), ("thief", 1)):
        table = Table("thief", f"sun {card}")
        table.play("steal sun < 1")
        assert len(table.moves()) == answers
        assert not knowledge.forced(table.game, table.pack, 1)


def test_what_all_know_to_be_the_only_move_is_forced() -> None:
    empty = Table("rum star", "sun")
    assert knowledge.forced(empty.game, empty.pack, 0)
    holding = Table("rum king", "sun")
    assert holding.moves() == ["end"]
    assert not knowledge.forced(holding.game, holding.pack, 0)
    taking = Table("star star", "star king")
    taking.play("trade star > 1")
    assert taking.moves() == ["take none"]
    assert knowledge.forced(taking.game, taking.pack, 0)


def test_a_preview_shows_the_move_as_if_no_king_came() -> None:
    match = replayed(SISTERS, "")
    now = {"sets": 0, "showcase": 5, "hand": 4, "thieves": 0}
    assert match.sheet(0) == now
    assert match.preview(0, "end") == now
    assert match.preview(0, "complete trident") == now | {"sets": 3, "showcase": 4, "hand": 2}
    assert match.preview(0, "steal star < 1") == now | {"showcase": 6, "hand": 3}
    assert match.preview(0, "trade rum > 1") == now | {"showcase": 4, "hand": 3}
    match.play(0, "steal star < 1")
    assert match.preview(1, "king") == {"sets": 0, "showcase": 4, "hand": 1, "thieves": 0}
    assert match.preview(1, "allow") == {"sets": 0, "showcase": 3, "hand": 2, "thieves": 2}


def reason(match: Match) -> str | None:
    """The key of why seat 0 can't take its last move back."""
    why = match.why_no_undo(0)
    return None if why is None else why["key"]


def test_undo_stops_where_something_came_to_light() -> None:
    assert reason(replayed(SISTERS, "complete trident")) is None
    assert reason(replayed(SISTERS, "trade rum > 1")) == "refuse.undo_turned"
    match = replayed(SISTERS, "steal star < 1")
    assert reason(match) is None
    match.play(1, "allow")
    assert reason(match) == "refuse.undo_moved"
    assert Table("rum", "sun").play("end") == SHOWN
    assert Table("rum", "sun", deck="king").play("end") == TURNED
