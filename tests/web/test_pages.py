"""The pages without a browser: whole on a plain GET, playable without script, never a leak."""

from __future__ import annotations

import asyncio
import html
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Client

from browser import SOAK, Site
from pelagos.engine import record as records
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts
from pelagos.tables.message import Messages
from pelagos.tables.refusals import wished_language
from pelagos.tables.settings import Settings
from pelagos.tables.table import Table
from pelagos.web import daily
from pelagos.web.drawing import Drawing, piece_id
from pelagos.web.reader import Reader, own_words
from pelagos.web.site import make_site
from web.days import whole_game

GAMES = tuple(games())
"""A foreign one among them."""


class Elements(HTMLParser):
    """Every element's attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def ids(self) -> Counter[str]:
        return Counter(str(one["id"]) for _, one in self.all if "id" in one)

    def actions(self) -> set[int]:
        found: set[int] = set()
        for tag, one in self.all:
            if tag == "button" and one.get("name") == "action":
                found.add(int(str(one["value"])))
        return found


@pytest.fixture(name="client")
def _client(site: Site) -> Iterator[Client]:
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as client:
        yield client


def table_of(game: str, players: int) -> Table:
    """A table of people at which the game has begun."""
    table = Table("x" * 22)
    for entry in acts.create(game, {"players": players}, None):
        table.apply(entry)
    for seat in range(players):
        name = ["Mira", "Bo", "Théa", "Ewan", "Noor", "Zélie"][seat]
        acts.sit(table, seat, name, "", f"client-{seat}-0123456789", False)
    return table


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
            kind = (view["prompt"]["key"], *sorted({one["group"] for one in view["choices"]}))
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
    assert not [tag for tag, one in page.all if "style" in one or tag in ("script", "style")]
    assert not [one for _, one in page.all if any(name.startswith("on") for name in one)]
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


def begin(client: Client, game: str, **seats: str) -> str:
    """Lay a table by its form; returns its path."""
    players = sum(name.startswith("seat") for name in seats)
    form = {"players": str(players), "name": "Mira", "previews": "on", **seats}
    answer = client.post(f"/new/{game}", data=form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def fields(text: str) -> dict[str, str]:
    """The hidden fields of the form that makes moves."""
    form = text[text.index('<form id="act"') :]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)[:3]
    return dict(found)


def test_looking_takes_no_seat(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    client.cookies.clear()
    for _ in range(3):
        page = client.get(path)
        assert page.status_code == 200
        assert "Sit down" in page.text
    told = client.get(f"/api/v1/tables/{path[3:]}").json()
    assert [seat["taken"] for seat in told["seats"]] == [True, False]


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
        found = re.findall(r'href="(/t/[^"]+)"', other.get("/").text)
    assert found == [path]


def test_long_finished_tables_are_forgotten(site: Site, client: Client) -> None:
    client.cookies.set(f"pelagos-{'x' * 22}-0", "nothing")
    path = begin(client, "ozeanien", seat0="me", seat1="open")
    deleted = client.get("/").headers.get_list("set-cookie")
    assert [one.partition("=")[0] for one in deleted] == [f"pelagos-{'x' * 22}-0"]
    assert path in client.get("/").text


def test_whoever_invites_is_asked_for_a_name_once(client: Client) -> None:
    asked = client.post("/invite/oceanos").headers["location"]
    page = client.get(asked).text
    assert "autofocus" in page
    assert re.search(r'id="seat1".*?<option value="open" selected', page, re.DOTALL)
    client.post("/settings", data={"name": "Mira"})
    path = client.post("/invite/oceanos").headers["location"]
    assert path.startswith("/t/")
    told = client.get(f"/api/v1{path.replace('/t/', '/tables/')}").json()
    assert [seat["name"] for seat in told["seats"]] == ["Mira", ""]


# --- seats and links ------------------------------------------------------------------------------


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


# --- the deal of the day --------------------------------------------------------------------------


def test_the_deal_of_the_day_is_the_same_for_everyone(site: Site) -> None:
    hands = []
    for _ in range(2):
        with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as one:
            path = one.post("/daily", data={"bytes": "a" * 64}).headers["location"]
            assert one.post("/daily").headers["location"] == path  # once a day
            told = one.get(f"/api/v1/tables/{path[3:]}").json()
            assert told["deal"].startswith("pelagos daily ")
            view = one.get(f"/api/v1{path.replace('/t/', '/tables/')}/seats/0/view").json()["view"]
            hands.append([piece for piece in view["pieces"] if piece["place"] != "log"])
            assert "Go on" in one.get("/").text
    assert hands[0] == hands[1]


def test_the_days_totals_are_compared(tmp_path: Path) -> None:
    """Two have played the deal to its end, each at a table of their own; both see both totals."""
    deal = daily.of(daily.today())
    app = make_site(tmp_path, Settings(limits=False))

    async def scenario() -> None:
        async with app.router.lifespan_context(app):
            tables = app.state.server.tables
            laid = [(await tables.create(whole_game(deal, seed))).table for seed in range(2)]
            totals = [table.match.scores[0] for table in laid]
            for table in laid:
                cookie = {daily.COOKIE: f"{deal.day.isoformat()}.{table.id}"}
                transport = ASGITransport(app)
                async with AsyncClient(
                    transport=transport, base_url="http://localhost", cookies=cookie
                ) as one:
                    front = (await one.get("/")).text
                shown = re.search(r'class="totals">(.*?)</p>', front, re.DOTALL)
                assert shown
                numbers = re.findall(r"-?\d+", re.sub(r"<[^>]+>", "", shown[1]))
                assert [int(number) for number in numbers] == sorted(totals, reverse=True)

    asyncio.run(scenario())


# --- a finished game again ------------------------------------------------------------------------


@pytest.fixture(name="finished", scope="module")
def _finished(site: Site) -> str:
    """The path of a table at which bots have played a whole game."""
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as client:
        path = begin(client, "oceanide", seat0="hermit", seat1="hermit")
        while client.get(f"/api/v1{path.replace('/t/', '/tables/')}").json()["state"] != "over":
            time.sleep(0.05)
    return path


def test_a_finished_game_is_seen_again_through_any_eyes(client: Client, finished: str) -> None:
    record = client.get(f"{finished}/record").json()
    match = records.at(record, 20)
    for eyes in ("0", "1", "open"):
        page = client.get(f"{finished}/replay?at=20&eyes={eyes}")
        assert page.status_code == 200
        assert f"<b>20</b> / {len(record['moves'])}" in page.text
        assert 'name="action"' not in page.text
    client.cookies.set("pelagos-plain", "1")
    ids = {
        eyes: Elements(client.get(f"{finished}/replay?at=20&eyes={eyes}").text).ids()
        for eyes in ("0", "1")
    }
    for seat in (0, 1):
        hand = {
            piece_id(piece["key"])
            for piece in match.view(seat)["pieces"]
            if piece["place"] == f"hand{seat}"
        }
        assert hand
        assert hand <= ids[str(seat)].keys()
        assert not hand <= ids[str(1 - seat)].keys()


def test_a_game_is_played_on_from_a_position(client: Client, finished: str) -> None:
    record = client.get(f"{finished}/record").json()
    answer = client.post(f"{finished}/replay", data={"game": "0", "at": "20", "eyes": "1"})
    path = answer.headers["location"].replace("/t/", "/tables/")
    view = client.get(f"/api/v1{path}/seats/1/view").json()["view"]
    assert view["seen"] >= len(records.at(record, 20).events(1))
    assert client.get(answer.headers["location"]).status_code == 200


def test_a_running_game_is_not_shown_again(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="here")
    assert client.get(f"{path}/replay").status_code == 404


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
