"""A series at a table: who begins, how it stands, when it is over, what the record says of it."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from pelagos.engine.errors import BadOption
from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts, fairness, message
from pelagos.tables.message import Messages
from pelagos.tables.table import OVER, Entry, Table, fold
from pelagos.web import replay
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader

CLIENT = "client-0123456789"


@pytest.fixture(autouse=True)
def _same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count()
    monkeypatch.setattr(fairness, "new_secret", lambda: f"{next(numbers):064x}")


class Played:
    """A table with its log."""

    def __init__(self, game: str, players: int, **more: Any) -> None:
        self.table = Table("T" * 22)
        options = {"players": players, **more.pop("options", {})}
        entries = acts.create(game, options, None, **more)
        self.log: list[Entry] = [self.table.apply(entry) for entry in entries]
        for seat, name in enumerate(["Ada", "Bo", "Théa"][:players]):
            self.log += acts.sit(self.table, seat, name, "", f"{CLIENT}{seat}", False)

    def play(self, seed: int) -> None:
        """Play the game to its end by chance."""
        lots = random.Random(seed)
        while self.table.state != OVER:
            match = self.table.match
            assert match is not None
            seat = lots.choice(match.pending)
            action = lots.choice(match.legal(seat))
            self.log += acts.move(self.table, seat, None, [action], f"{CLIENT}-{len(self.log)}")
            self.log += acts.settle(self.table)

    def again(self) -> None:
        """All want another game."""
        for seat in range(self.table.players):
            self.log += acts.again(self.table, seat, "", f"{CLIENT}-{len(self.log)}-{seat}")

    @property
    def series(self) -> dict[str, Any]:
        return dict(message.about(self.table)["series"])

    def page(self, seat: int = 0, language: str = "en") -> str:
        message = Messages().of(self.table, seat).data
        return str(Drawing(message, Reader(language, "light", "Mira")).inside({"why": ""}))


def a_whole_series(games_in_it: int = 3) -> Played:
    played = Played("ozeanien", 2, series=games_in_it)
    for number in range(games_in_it):
        played.play(number)
        if played.series["over"]:
            break
        played.again()
    return played


def test_the_loser_of_a_game_begins_the_next_and_after_a_draw_the_other_seat() -> None:
    drawn = 0
    for start in (0, 1):
        played = Played("ozeanien", 2, options={"start": start})
        for number in range(25):
            played.play(number)
            last = played.table.match
            assert last is not None
            assert number or last.deal["start"] == start
            played.again()
            now = played.table.match
            assert now is not None
            if len(last.winners) == 1:
                assert now.deal["start"] == 1 - last.winners[0]
            else:
                drawn += 1
                assert now.deal["start"] == 1 - last.deal["start"]
            assert now.record()["options"] == {"players": 2, "start": now.deal["start"]}
        again = fold("T" * 22, json.loads(json.dumps(played.log)))
        assert again.match is not None
        assert again.match.record() == played.table.match.record()
    assert drawn


def test_tables_laid_before_that_go_on_as_they_were() -> None:
    played = Played("ozeanien", 2)
    played.play(0)
    played.again()
    for entry in played.log:
        entry.pop("first", None)
    old = fold("T" * 22, played.log)
    assert old.broken is None
    assert old.match is not None
    assert "start" not in old.match.options


def test_a_series_stands_as_its_games_went_and_the_page_tells_it() -> None:
    played = Played("ozeanien", 2, series=3)
    assert played.series == {
        "games": 3, "number": 1, "points": [0.0, 0.0], "over": False, "winners": [],
    }  # fmt: skip
    points = [0.0, 0.0]
    while True:
        assert played.series["points"] == points
        assert played.table.match is not None
        record = message.record(played.table, 0)
        assert record["series"] == {
            "games": 3, "number": played.series["number"], "points": points,
        }  # fmt: skip
        played.play(played.series["number"])
        for seat in played.table.match.winners:
            points[seat] += 1 / len(played.table.match.winners)
        assert played.series["points"] == points
        if played.series["over"]:
            break
        assert "Next game of the series" in played.page()
        assert "Au meilleur des 3, partie" in played.page(1, "fr")
        played.again()
    assert max(points) > 1.5 or played.series["number"] == 3
    winners = [seat for seat in (0, 1) if points[seat] == max(points)]
    assert played.series["winners"] == winners
    said = "wins the series" if len(winners) == 1 else "The series is shared"
    assert said in played.page()
    assert "A new series" in played.page()
    assert "Nouvelle série" in played.page(1, "fr")


def test_after_its_end_another_series_begins() -> None:
    played = a_whole_series()
    played.again()
    assert played.series["number"] == 1
    assert played.series["points"] == [0.0, 0.0]
    assert not played.series["over"]


def test_the_records_of_a_series_replay_and_verifiers_need_not_know_of_it() -> None:
    played = a_whole_series(5)
    finished = played.table.finished
    assert len(finished) >= 3
    for number, game in enumerate(finished):
        record = json.loads(json.dumps(game.record()))
        assert record["series"]["number"] == number + 1
        assert Match.replay(record).scores == game.scores
        del record["series"], record["seed"], record["options"]["players"]
        record["options"] = {"players": 2}  # a reader that knows nothing of all this
        assert Match.replay(record).scores == game.scores


def test_every_game_of_a_series_can_be_played_on_from_a_move() -> None:
    played = a_whole_series(5)
    for finished in played.table.finished:
        entries = replay.play_on(played.table, finished, 6, 0, "puffin")
        table = fold("U" * 22, entries)
        assert table.broken is None
        assert table.match is not None
        assert table.match.deal == finished.match.deal
        assert [done.action for done in table.match.history][:6] == [
            done.action for done in finished.match.history[:6]
        ]


@pytest.mark.parametrize("which", sorted(games()))
def test_every_game_may_be_played_as_a_series(which: str) -> None:
    played = Played(which, 2, series=3)
    played.play(1)
    played.again()
    assert played.series["number"] == 2
    assert sum(played.series["points"]) == 1
    for language in LANGUAGES:
        assert 'data-series="' in played.page(0, language)


def test_the_host_chooses_who_begins_every_game_where_no_loser_does() -> None:
    played = Played("oceanos", 3, options={"captain": 2})
    for number in range(2):
        assert played.table.match is not None
        assert played.table.match.deal["captain"] == 2
        played.play(number)
        played.again()


@pytest.mark.parametrize(("games_in_it", "players"), [(2, 2), (0, 2), (23, 2), (3, 1)])
def test_a_series_that_cannot_be_is_refused_with_a_sentence(games_in_it: int, players: int) -> None:
    with pytest.raises(BadOption) as refused:
        acts.create("ozeanien", {"players": players}, None, series=games_in_it)
    assert "series" in refused.value.say("en").lower()
    assert "série" in refused.value.say("fr").lower()


def test_a_table_without_a_series_says_nothing_of_one() -> None:
    played = Played("ozeanien", 2)
    assert "series" not in message.about(played.table)
    assert "series" not in message.record(played.table, 0)
    assert "series" not in played.log[0]
    assert "data-series" not in played.page()
