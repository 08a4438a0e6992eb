"""Seats and links: a private one seats one person, a lost seat comes back."""

from __future__ import annotations

import html
import re
import time

from httpx import Client

from browser import Site
from web.visiting import begin


def test_a_private_link_seats_one_person_and_is_spent(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="kept")
    link = re.search(r'id="link-1"[^>]*value="([^"]+)"', client.get(path).text)
    assert link
    address = html.unescape(link[1])
    friend = Client(base_url=client.base_url, timeout=None, headers={"accept-language": "en"})
    refused = friend.post(f"{path}/sit", data={"seat": "1", "name": "Eve", "client": "e" * 20})
    assert refused.status_code == 409
    for _ in range(2):
        page = friend.get(address)  # looking takes no seat
        assert "kept for you" in page.text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    form = {key: html.unescape(value) for key, value in form.items() if key in ("key", "client")}
    answer = friend.post(address.partition("?")[0], data={**form, "name": "Bo"})
    assert answer.status_code == 303
    assert 'data-over="0"' in friend.get(answer.headers["location"]).text
    assert friend.get(address).status_code == 403


def test_the_host_brings_back_who_lost_their_seat(forgetful: Site) -> None:
    client = Client(base_url=forgetful.url, timeout=None, headers={"accept-language": "en"})
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    friend = Client(base_url=client.base_url, timeout=None, headers={"accept-language": "en"})
    friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo", "client": "b" * 20})
    assert friend.post(f"{path}/issue", data={"seat": "0", "sure": "1"}).status_code == 403
    while 'seat-state">away' not in client.get(f"{path}/seats").text:
        time.sleep(0.05)
    issued = client.post(f"{path}/issue", data={"seat": "1", "sure": "1"}).text
    assert "made a new link for your seat" in friend.get(f"{path}?seat=1").text  # told once
    assert f'"/t/{path[3:]}/stream?seat=-1"' in friend.get(f"{path}?seat=1").text
    client.post(f"{path}/issue", data={"seat": "0", "sure": "1"})
    assert "stream?seat=0" in client.get(path).text  # the host's own seat stays theirs
    address = html.unescape(re.findall(r'id="link-1"[^>]*value="([^"]+)"', issued)[0])
    phone = Client(base_url=client.base_url, timeout=None, headers={"accept-language": "en"})
    page = phone.get(address).text
    assert "Bo" in page
    key = html.unescape(re.findall(r'name="key" value="([^"]*)"', page)[0])
    answer = phone.post(address.partition("?")[0], data={"key": key})
    assert "stream?seat=1" in phone.get(answer.headers["location"]).text


def test_a_page_whose_seat_was_lost_before_it_listened_is_told_so(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    with Client(base_url=client.base_url, timeout=None) as stranger:
        assert "event: gone" in stranger.get(f"{path}/stream?seat=0").text
        assert stranger.get(f"{path}/stream?seat=7").status_code == 404


def test_a_seat_that_was_left_can_be_taken_in_the_middle_of_a_game(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    people = [
        Client(base_url=client.base_url, timeout=None, headers={"accept-language": "en"})
        for _ in range(2)
    ]
    people[0].post(f"{path}/sit", data={"seat": "1", "name": "Bo", "client": "b" * 20})
    assert people[0].post(f"{path}/leave", data={"seat": "0", "sure": "1"}).status_code == 403
    assert people[0].post(f"{path}/leave", data={"seat": "1", "sure": "1"}).status_code == 303
    page = people[1].get(path).text
    assert "You are watching." in page
    assert f'href="{path}/seats"' in page
    assert 'id="sit"' in people[1].get(f"{path}/seats").text
    people[1].post(f"{path}/sit", data={"seat": "1", "name": "Théa", "client": "t" * 20})
    assert "stream?seat=1" in people[1].get(path).text
