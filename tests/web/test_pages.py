"""The pages without a browser: whole on a plain GET, in both languages, never a leak."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest
from httpx import Client

from browser import SOAK, Site
from pelagos.engine.game import find_game, games
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts
from pelagos.tables.message import Messages
from pelagos.tables.refusals import wished_language
from pelagos.web.drawing import Drawing, piece_id
from pelagos.web.reader import Reader, own_words
from web.visiting import GAMES, Elements, begin, table_of


@pytest.mark.parametrize("which", GAMES)
def test_every_page_of_a_game_is_whole_in_both_languages(which: str) -> None:
    """Ids once a page, every piece and choice drawn, no inline style, no key left untranslated.

    At the first decision of each kind, at every fifth (here; else at each) and at the end.
    """
    chance = random.Random(which)
    players = find_game(which).default_players
    table = table_of(which, players)
    kinds: set[tuple[str, ...]] = set()
    step = 0
    while True:
        match = table.match
        assert match is not None
        viewers = [step % players, *([-1] if step % 4 == 0 or match.over else [])]
        for viewer in viewers:
            message = Messages().of(table, viewer, follow=True).data
            view = message["view"]
            kind = (view["prompt"]["key"], *sorted({choice["group"] for choice in view["choices"]}))
            if SOAK or match.over or step % 5 == 0 or kind not in kinds:
                kinds.add(kind)
                check_page(message, LANGUAGES[step % 2])
        if match.over:
            break
        seat = chance.choice(match.pending)
        move = chance.choice(match.legal(seat))
        acts.move(table, seat, None, [move], f"move-{step:08d}")
        step += 1


def check_page(message: dict[str, Any], language: str) -> None:
    more = {"host": False, "address": "http://club.test/t/x", "why": ""}
    for plain in (False, True):
        text = Drawing(message, Reader(language, plain=plain)).inside(more)
        check_text(text, message["view"], plain)


def check_text(text: str, view: dict[str, Any], plain: bool) -> None:
    page = Elements(text)
    twice = {name: count for name, count in page.ids().items() if count > 1}
    assert not twice
    assert not [tag for tag, attrs in page.all if "style" in attrs or tag in ("script", "style")]
    assert not [attrs for _, attrs in page.all if any(name.startswith("on") for name in attrs)]
    assert page.actions() >= {choice["action"] for choice in view["choices"]}
    if view["viewer"] is not None and plain:
        missing = {piece_id(piece["key"]) for piece in view["pieces"]} - page.ids().keys()
        assert not missing
    words = " ".join(page.text)
    keys = re.findall(r"\b(?:line|prompt|label|event|fact|place|reason|mark|ui)\.[a-z_0-9]+", words)
    assert not keys


def test_words_of_both_languages_have_the_same_keys() -> None:
    def keys(table: Any, prefix: str = "") -> set[str]:
        if not isinstance(table, dict) or "other" in table:
            return {prefix}
        return set().union(*(keys(value, f"{prefix}.{key}") for key, value in table.items()))

    assert keys(own_words("en").table) == keys(own_words("fr").table)


def test_the_browsers_language_is_spoken() -> None:
    assert wished_language("fr-CA,fr;q=0.9,en;q=0.8") == "fr"
    assert wished_language("de, en;q=0.5, fr;q=0.7") == "fr"
    assert wished_language("de") == "en"
    assert wished_language("") == "en"


def test_the_front_page_shows_every_installed_game(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    for game in games().values():
        assert f"<h3>{game.titles['en']}</h3>" in page.text
        for way in ("/play/", "/invite/", "/new/", "/rules/"):
            assert f'"{way}{game.id}"' in page.text
    french = client.get("/", headers={"accept-language": "fr"}).text
    assert 'lang="fr"' in french
    assert "Jouer" in french


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_table_offers_the_options_that_the_game_declares(
    client: Client, language: str
) -> None:
    for game in games().values():
        for players in game.players:
            address = f"/new/{game.id}?players={players}"
            page = client.get(address, headers={"accept-language": language}).text
            offered = set(re.findall(r'name="(?:option|table)-(\w+)"', page))
            declared = [option for option in game.options if option.is_for(players)]
            assert offered == {option.name for option in (*declared, *game.table_options)}
            for option in (*declared, *game.table_options):
                assert html.escape(option.about[language]).replace("&#x27;", "&#39;") in page


def test_every_page_carries_the_policy(client: Client) -> None:
    for path in ("/", "/new/oceanos", "/rules/ecosystem", "/nowhere", "/t/" + "a" * 22):
        policy = client.get(path).headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy
        assert "unsafe" not in policy


def test_pages_and_files_come_small_on_plain_http_too(client: Client) -> None:
    for path in ("/", "/static/app/base.css"):
        sizes = {}
        for way in ("br", "gzip", "identity"):
            answer = client.get(path, headers={"accept-encoding": way})
            assert answer.headers.get("content-encoding", "identity") == way
            sizes[way] = int(answer.headers["content-length"])
            assert "vary" in answer.headers
        assert sizes["br"] < sizes["gzip"] < sizes["identity"] / 2


def test_another_sites_page_can_send_nothing(client: Client) -> None:
    answer = client.post("/play/ozeanien", headers={"origin": "http://elsewhere.test"})
    assert answer.status_code == 403


def test_settings_lead_back_here_and_nowhere_else(client: Client) -> None:
    answer = client.post("/settings", data={"language": "fr", "back": "//elsewhere.test/"})
    assert answer.headers["location"] == "/"
    assert 'lang="fr"' in client.get("/").text


def test_files_are_ours_alone(client: Client) -> None:
    assert client.get("/static/app/base.css").status_code == 200
    for path in (
        "/static/app/../site.py",
        "/static/app/%2e%2e/site.py",
        "/static/ecosystem/rules.py",
        "/static/ecosystem/art/../rules.py",
        "/static/nobody/table.css",
    ):
        assert client.get(path).status_code == 404


def test_my_tables_wait_for_me_first(client: Client) -> None:
    begin(client, "ozeanien", seat0="me", seat1="open")
    begin(client, "ozeanien", seat0="me", seat1="here")
    page = client.get("/").text
    states = re.findall(r"<em[^>]*>([^<]*)</em>", page)
    assert states == ["your move", "gathering"]


def test_a_table_for_everyone_is_found_on_the_front_page(site: Site, client: Client) -> None:
    begin(client, "ozeanien", seat0="me", seat1="open")
    path = begin(client, "ozeanien", seat0="me", seat1="open", listed="on")
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as other:
        links = re.findall(r'href="(/t/[^"]+)"', other.get("/").text)
    assert links == [path]


def test_long_finished_tables_are_forgotten(site: Site, client: Client) -> None:
    client.cookies.set(f"pelagos-{'x' * 22}-0", "nothing")
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    deleted = client.get("/").headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in deleted] == [f"pelagos-{'x' * 22}-0"]
    assert path in client.get("/").text


def test_whoever_invites_is_asked_for_a_name_once(client: Client) -> None:
    asked = client.post("/invite/oceanos").headers["location"]
    page = client.get(asked).text
    assert "autofocus" in page
    assert re.search(r'id="seat1".*?<option value="open" selected', page, re.DOTALL)
    client.post("/settings", data={"name": "Mira"})
    path = client.post("/invite/oceanos").headers["location"]
    assert path.startswith("/t/")
    about = client.get(f"/api/v1{path.replace('/t/', '/tables/')}").json()
    assert [seat["name"] for seat in about["seats"]] == ["Mira", ""]


def test_the_help_at_a_table_and_the_rules_page_tell_what_people_argue_about(site: Site) -> None:
    for language, heading in (("en", "Where people argue"), ("fr", "Là où l&#39;on discute")):
        wish = {"Accept-Language": language}
        with Client(base_url=site.url, headers=wish, timeout=None) as client:
            rules = client.get("/rules/oceanos").text
            assert heading in rules
            assert 'id="argued-ocn-37"' in rules
            assert 'href="#argued-ocn-37"' in rules
            laid = client.post("/play/oceanos", data={"bytes": "a" * 64})
            table = client.get(laid.headers["location"]).text
        help_text = table.partition('<dialog id="help"')[2].partition("</dialog>")[0]
        assert heading in help_text
        assert "/rules/oceanos#argued-ocn-37" in help_text
