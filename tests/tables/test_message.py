"""A message's parts: data, JSON, and either from the other."""

from __future__ import annotations

from pelagos.tables.message import Part


def test_a_part_is_the_same_before_and_after_it_is_encoded() -> None:
    part, again = Part({"seats": [1, 2]}), Part({"seats": [1, 2]})
    assert part.says_the_same(again)
    assert part.json == b'{"seats":[1,2]}'
    assert part.data == {"seats": [1, 2]}
    assert part.says_the_same(again)
    assert again.says_the_same(part)


def test_parts_that_differ_are_told_apart_however_they_are_kept() -> None:
    for encoded in (False, True):
        mine, theirs = Part({"seats": [1]}), Part({"seats": [2]})
        if encoded:
            assert theirs.json
        assert not mine.says_the_same(theirs)


def test_nothing_stays_nothing() -> None:
    part: Part[None] = Part(None)
    assert part.json == b"null"
    assert part.data is None
