"""A story's log: it grows, and its copies don't see how others grow."""

from __future__ import annotations

from pelagos.engine.story import Log


def test_copies_grow_apart() -> None:
    log: Log[str] = Log()
    log.append("a")
    draft, other = log.copy(), log.copy()
    draft.append("b")
    other.append("c")
    log.append("d")
    assert [each.since() for each in (log, draft, other)] == [["a", "d"], ["a", "b"], ["a", "c"]]
    assert len(log) == 2


def test_since_counts_from_either_end() -> None:
    log: Log[int] = Log()
    for number in range(5):
        log.append(number)
    longer = log.copy()
    longer.append(5)
    assert log.since(3) == [3, 4]
    assert log.since(-2) == [3, 4]
    assert log.since(-9) == [0, 1, 2, 3, 4]
    assert longer.since(-2) == [4, 5]
