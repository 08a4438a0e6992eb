"""The score pads as pages, without a browser: every tap is an address."""

from __future__ import annotations

import random
import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from browser import Site
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.pack import default_pack
from pelagos.web.pads import has_pad
from web.visiting import refusal

PADS = [game for game in games().values() if has_pad(game)]
NAMES = [game.id for game in PADS]
CLOSED = "Ada\n" + "krill krill krill krill krill\n" * 4


def page_of(site: Site, game: str, *taps: str, **params: str | list[str]) -> httpx.Response:
    query = {**params, "tap": list(taps)}
    answer = httpx.get(f"{site.url}/pad/{game}", params=query, follow_redirects=True, timeout=None)
    assert answer.status_code == 200, answer.text
    return answer


def table_of(answer: httpx.Response) -> str:
    return parse_qs(urlsplit(str(answer.url)).query)["t"][0]


def buttons(answer: httpx.Response) -> list[str]:
    return [unescape(value) for value in re.findall(r'name="tap" value="([^"]+)"', answer.text)]


def test_our_four_games_have_a_pad_and_a_foreign_one_needs_none(site: Site) -> None:
    assert NAMES == ["ecosystem", "oceanide", "oceanos", "ozeanien"]
    assert httpx.get(f"{site.url}/pad/minnows", timeout=None).status_code == 404
    front = httpx.get(f"{site.url}/", timeout=None).text
    for game in NAMES:
        assert f'href="/pad/{game}"' in front
        assert f'href="/pad/{game}"' in httpx.get(f"{site.url}/rules/{game}", timeout=None).text
    assert 'href="/pad/minnows"' not in front


@pytest.mark.parametrize("pad", PADS, ids=NAMES)
def test_whatever_is_tapped_is_counted_kept_or_refused(site: Site, pad: Game) -> None:
    chance = random.Random(pad.id)
    answer = page_of(site, pad.id)
    tableau = pad.part("tableau")
    for _ in range(60):
        tap = chance.choice(buttons(answer))
        before = str(answer.url)
        again = httpx.get(
            before + ("&" if "?" in before else "?") + urlencode({"tap": tap}),
            follow_redirects=True,
            timeout=None,
        )
        assert again.status_code == 200, (before, tap)
        if refusal(again):
            continue
        answer = again
        source = table_of(answer)
        counted = tableau.score(source, default_pack(pad))
        for sheet in counted.sheets:
            assert f"<b>{str(sheet['total']).replace('-', '−')}</b>" in answer.text
        spots = answer.text.count("pad-spot")
        seat = parse_qs(urlsplit(str(answer.url)).query).get("seat", ["0"])
        assert page_of(site, pad.id, t=source, seat=seat).text.count("pad-spot") == spots


def test_a_reef_is_tapped_in_card_by_card(site: Site) -> None:
    answer = page_of(site, "ecosystem", "on:krill", "on:krill", "on:coral", name=["Ada", "Bo"])
    assert table_of(answer).splitlines()[:2] == ["Ada", "krill krill coral - -"]
    assert "What lies in row 1, column 4?" in answer.text


def test_what_cant_be_is_refused_and_nothing_is_lost(site: Site) -> None:
    answer = page_of(site, "ecosystem", "on:0,0", "on:turn", t=CLOSED)
    assert refusal(answer) == "Ada: no whale lies beside the card that is face down."
    assert CLOSED.strip() in unescape(answer.text)
    seventh = page_of(site, "ecosystem", *["on:whale"] * 7)
    assert refusal(seventh) == "7 × whale; the box has 6."
    assert unescape(seventh.text).count("whale ") >= 6


def test_a_text_that_cant_be_read_is_told_so(site: Site) -> None:
    answer = page_of(site, "oceanide", t="Ada\nsets: pearl")
    assert "'pearl' is no object" in refusal(answer)


def test_the_winner_and_what_broke_the_tie_are_told(site: Site) -> None:
    rows = "turtle turtle turtle turtle turtle\n" * 3
    answer = page_of(site, "oceanos", t=f"Ada\n{rows}Bo\n{rows}parts: 8\n")
    assert "Bo wins." in answer.text
    assert "The tie is broken by the levels of the parts: 8 : 5." in answer.text


def test_a_single_player_may_play_against_a_partner(site: Site) -> None:
    answer = page_of(site, "ecosystem", "remove:")
    assert "add:Tim" in buttons(answer)
    assert "Tim" in table_of(page_of(site, "ecosystem", "remove:", "add:Tim"))


def test_names_are_kept_clean(site: Site) -> None:
    answer = page_of(site, "ozeanien", name=["  A#d:a\n ", ""])
    assert table_of(answer).splitlines()[:2] == ["A d a: 0", "Yellow: 0"]


def test_the_page_speaks_french_and_names_colours(site: Site) -> None:
    french = httpx.get(
        f"{site.url}/pad/oceanos", headers={"Accept-Language": "fr"}, timeout=None
    ).text
    assert "Carnet de score" in french
    assert "Rouge" in french
    assert find_game("oceanos").titles["fr"] in french
