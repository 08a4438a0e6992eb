"""Packs of one's own, and what is wrong with them."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from typing import Any

import pytest

from conftest import random_walk
from oceanide.setting import VALUES
from pelagos.engine.errors import BadPack
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack, make_pack
from pelagos.games.oceanide import GAME


def files(**changes: Any) -> dict[str, str]:
    """The default pack's files; `card=(column, value)` changes a cell, `card=None` drops a line."""
    usual = dict(default_pack(GAME).files)
    rows = list(csv.DictReader(io.StringIO(usual["cards.csv"])))
    for card, change in changes.items():
        if change is None:
            rows = [row for row in rows if row["id"] != card]
        else:
            row = next(row for row in rows if row["id"] == card)
            row[change[0]] = change[1]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return usual | {"cards.csv": text.getvalue()}


def test_the_default_pack_is_the_printed_list() -> None:
    data = default_pack(GAME).data[0]
    assert data["total"] == 96
    assert data["copies"].tolist() == [6] * 13 + [12, 6]
    assert Counter(data["values"].tolist()) == {3: 2, 4: 3, 5: 3, 6: 3, 7: 2}
    assert VALUES["rum"] == 6


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rum": ("value", "8")}, "line 10: value must be from 3 to 7, not '8'"),
        ({"rum": ("copies", "5")}, "line 10: copies must be 6, not '5'"),
        ({"rum": ("id", "sun")}, "sun stands here a second time"),
        ({"rum": ("id", "hand")}, "can't have the id hand"),
        ({"rum": ("id", "none")}, "can't have the id none"),
        ({"rum": ("id", "a,b")}, "one word"),
        ({"rum": ("id", "a b")}, "one word"),
        ({"rum": ("id", "a<b")}, "one word"),
        ({"rum": ("id", "a>b")}, "one word"),
        ({"rum": ("id", "?")}, "one word"),
        ({"rum": ("id", "x" * 33)}, "longer than 32 bytes"),
        ({"rum": ("id", "")}, "id is empty"),
        ({"rum": ("name_fr", "")}, "name_fr is empty"),
        ({"rum": None}, "12 objects; a pack has 13"),
        ({"king": ("id", "pearl")}, "pearl is one object too many"),
        ({"thief": None}, "thief is missing"),
        ({"king": None}, "king is missing"),
        ({"thief": ("value", "3")}, "value must be 2, not '3'"),
        ({"thief": ("copies", "-1")}, "copies must be from 0 to 50"),
        ({"thief": ("copies", "51")}, "copies must be from 0 to 50"),
        ({"thief": ("copies", "45")}, "51 thieves and kings; at most 50"),
    ],
)
def test_a_wrong_pack_is_refused_with_line_and_reason(change: Any, reason: str) -> None:
    with pytest.raises(BadPack, match=reason.replace("?", r"\?")):
        make_pack(GAME, files(**change))


@pytest.mark.parametrize(("thieves", "kings"), [(0, 0), (44, 6), (0, 50), (3, 1)])
def test_packs_of_other_sizes_play_to_the_end(thieves: int, kings: int) -> None:
    pack = make_pack(GAME, files(thief=("copies", str(thieves)), king=("copies", str(kings))))
    for players in (2, 5):
        match = Match.new("oceanide", players=players, seed=thieves, pack=pack)
        for _ in random_walk(match, random.Random(kings)):
            pass
        assert match.over
        assert Match.replay(match.record()).scores == match.scores


def test_a_pack_may_rename_and_revalue_its_objects() -> None:
    pack = make_pack(GAME, files(rum=("id", "bouée"), sun=("value", "3")))
    match = Match.new("oceanide", players=2, seed=1, pack=pack)
    assert "bouée" in match.deal["deck"]
    for _ in random_walk(match, random.Random(1)):
        pass
    record = match.record()
    assert "bouée" in record["pack"]["files"]["cards.csv"]
    assert Match.replay(record).scores == match.scores
    values = {
        row["params"]["card"]["noun"]: row["params"]["number"]
        for row in match.view()["facts"]["values"]
    }
    assert (values["bouée"], values["sun"]) == (6, 3)
