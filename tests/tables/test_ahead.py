"""Hidden choices, and what is sent ahead: taken back, changed, played when it is due."""

from __future__ import annotations

import pytest

from pelagos.engine.errors import PelagosError
from pelagos.tables import acts
from tables.setting import _begun, _do, first_choice, owing
from tabling import Server, client_id, gather


def test_a_hidden_choice_can_be_taken_back_until_the_reveal(server: Server) -> None:
    people = gather(server.url, "minnows", 3)
    mover = owing(people)[0]
    words, decision = first_choice(mover)
    mover.act([words], decision)
    assert mover.seat not in mover.view()["table"]["waiting"]
    got = mover.ask("POST", f"{mover.path}/take-back", {"client": client_id()})
    assert got.status_code == 200
    assert mover.seat in got.json()["table"]["waiting"]
    for person in people:
        person.act(*_listed(first_choice(person)))
    late = mover.ask("POST", f"{mover.path}/take-back", {"client": client_id()})
    assert late.status_code == 409


def _listed(choice: tuple[str, int]) -> tuple[list[str], int]:
    return [choice[0]], choice[1]


def test_who_has_chosen_is_told_and_what_is_not(server: Server) -> None:
    people = gather(server.url, "minnows", 3)
    before = people[1].view()
    words, decision = first_choice(people[0])
    people[0].act([words], decision)
    after = people[1].view()
    assert after["view"] == before["view"]
    assert set(before["table"]["waiting"]) - set(after["table"]["waiting"]) == {0}
    assert after["number"] == before["number"] + 1


def test_a_choice_sent_ahead_is_played_when_it_is_due(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    card, decision = first_choice(people[0])
    assert people[0].act([card], decision).status_code == 200
    body = {"actions": ["place 0,0"], "client": client_id()}
    got = people[0].ask("POST", f"{people[0].path}/ahead", body)
    assert got.json()["own"]["ahead"] == ["place 0,0"]
    assert people[1].view()["own"]["ahead"] == []
    people[1].act(*_listed(first_choice(people[1])))
    own = people[0].view()
    assert own["own"]["ahead"] == []
    assert own["own"]["decision"] == 2


def test_a_card_is_taken_and_its_place_sent_ahead_in_one_move(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    card, decision = first_choice(people[0])
    got = people[0].act([card, "place 0,0"], decision)
    assert got.status_code == 200
    own = got.json()["own"]
    assert (own["ahead"], own["decision"], own["owes"]) == (["place 0,0"], 1, False)
    assert "place 0,0" not in str(people[1].view())
    people[1].act(*_listed(first_choice(people[1])))
    own = people[0].view()["own"]
    assert (own["ahead"], own["decision"]) == ([], 2)


def test_whoever_chooses_last_may_send_its_place_along(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    people[1].act(*_listed(first_choice(people[1])))
    card, decision = first_choice(people[0])
    assert people[0].act([card, "place 0,0"], decision).json()["own"]["decision"] == 2


def test_what_is_sent_ahead_can_be_changed_and_goes_with_an_undo() -> None:
    table = _begun("ecosystem", 3)
    match = table.match
    assert match is not None
    while len(match.history) < 8 or not match.moves(0)[0].startswith("take"):
        for seat in range(3):
            _do(table, acts.move, seat, None, [match.moves(seat)[0]], client_id())
    cells = match.copy()
    for seat in range(3):
        cells.play(seat, cells.legal(seat)[0])
    first, second = cells.legal(0)[:2]
    _do(table, acts.move, 0, None, [match.legal(0)[0], first], client_id())
    assert table.ahead[0] == (cells.position.write(0, first),)
    views = list(table.views)
    _do(table, acts.move, 0, table.decisions[0], [second], client_id())
    assert table.ahead[0] == (cells.position.write(0, second),)
    assert [after - before for before, after in zip(views, table.views, strict=True)] == [
        1,
        0,
        0,
        0,
    ]
    _do(table, acts.undo, 0, None, client_id())
    assert table.ahead[0] == ()
    assert 0 in match.pending


def test_what_may_not_be_legal_when_it_is_due_is_not_sent_ahead(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    card, decision = first_choice(people[0])
    for later in ("place 3,3", "nonsense", 200):
        refused = people[0].act([card, later], decision)
        assert refused.status_code == 409
        assert "sent ahead" in refused.json()["error"]["sentence"]
    body = {"actions": ["nonsense"], "client": client_id()}
    assert people[0].ask("POST", f"{people[0].path}/ahead", body).status_code == 409
    own = people[0].view()["own"]
    assert (own["ahead"], own["decision"]) == ([], 0)


@pytest.mark.parametrize("kind", ["minnows", "oceanos", "ecosystem"])
def test_a_refusal_tells_nothing_of_what_would_come_to_light(kind: str) -> None:
    """Whoever chooses last and adds a wrong action must not be told the next hand."""
    table = _begun(kind, 3)
    match = table.match
    assert match is not None
    for seat in match.pending[:-1]:
        while seat in match.pending:
            _do(table, acts.move, seat, None, [match.moves(seat)[0]], client_id())
    [last] = match.pending
    sentences = set()
    for world in range(7):
        other = table.copy()
        assert other.match is not None
        if world:
            other.match.position = match.redeal(last, f"{world}".encode())
        with pytest.raises(PelagosError) as refused:
            acts.move(other, last, None, [match.moves(last)[0], "nonsense"], client_id())
        sentences.add(str(refused.value))
    assert len(sentences) == 1
