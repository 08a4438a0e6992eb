"""Played without script: on a plain GET and POST, by nobody but who sits there."""

from __future__ import annotations

import random

from httpx import Client

from pelagos.engine.match import Match
from web.visiting import Elements, begin, fields


def test_looking_takes_no_seat(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    client.cookies.clear()
    for _ in range(3):
        page = client.get(path)
        assert page.status_code == 200
        assert "Sit down" in page.text
    about = client.get(f"/api/v1/tables/{path[3:]}").json()
    assert [seat["taken"] for seat in about["seats"]] == [True, False]


def test_a_game_is_played_without_script(client: Client) -> None:
    """Two people at one device, plain forms and redirects, to the end and the fairness check."""
    path = begin(client, "ozeanien", seat0="me", seat1="here", name1="Bo", bytes="ab" * 32)
    chance = random.Random(4)
    for _ in range(400):
        page = client.get(path).text
        if 'data-over="1"' in page:
            break
        assert 'data-owes="1"' in page
        actions = sorted(Elements(page).actions())
        form = {**fields(page), "action": str(chance.choice(actions))}
        answer = client.post(f"{path}/act", data=form)
        assert answer.status_code == 303, answer.text
    assert 'data-over="1"' in page
    fair = client.get(f"{path}/fair").text
    assert "Yes: nobody" in fair
    record = client.get(f"{path}/record")
    assert "attachment" in record.headers["content-disposition"]
    Match.replay(record.json())


def test_a_stale_answer_brings_a_sentence_and_the_table(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="here")
    page = client.get(path).text
    form = {**fields(page), "action": str(min(Elements(page).actions()))}
    assert client.post(f"{path}/act", data=form).status_code == 303
    again = client.post(f"{path}/act", data=form)
    assert again.status_code == 303  # the same client id: asked twice, done once
    late = client.post(f"{path}/act", data={**form, "client": "another-client-id"})
    assert late.status_code == 409
    assert 'role="alert"' in late.text
    assert 'id="act"' in late.text
    part = client.post(
        f"{path}/act", data={**form, "client": "third-client-id"}, headers={"x-pelagos": "1"}
    )
    assert part.status_code == 409
    assert part.headers["x-pelagos-why"]
    assert "<html" not in part.text


def test_nobody_plays_for_somebody_else(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="here")
    page = client.get(path).text
    form = {**fields(page), "action": str(min(Elements(page).actions()))}
    client.cookies.clear()
    assert client.post(f"{path}/act", data=form).status_code == 403
    assert 'name="action"' not in client.get(path).text
