"""The form for a new table: what is offered to whom; what is refused stays as it was filled in."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from httpx import Client

from browser import Site
from pelagos.bots import FIRST
from pelagos.engine.game import games
from pelagos.engine.words import LANGUAGES


def visitor(site: Site, language: str = "en") -> Client:
    return Client(base_url=site.url, timeout=None, headers={"accept-language": language})


def filled(**more: str) -> dict[str, str]:
    form = {"name": "Mira", "client": "c" * 20, "seat0": "me", "seat1": "otter", "pace": "slow"}
    return {"players": "2", **form, **more}


def selected(page: str, name: str) -> str:
    """What is chosen in a list of the form."""
    inside = re.search(rf'<select[^>]*name="{name}".*?</select>', page, re.DOTALL)
    assert inside is not None, name
    (value,) = (
        re.findall(r'value="([^"]*)" selected', inside[0])
        or re.findall(r'value="([^"]*)"', inside[0])[:1]
    )
    return str(value)


def laid(client: Client, game: str, **more: str) -> dict[str, Any]:
    answer = client.post(f"/new/{game}", data=filled(**more))
    assert answer.status_code == 303, answer.text
    table = client.get(f"/api/v1/tables/{answer.headers['location'][3:]}").json()
    return dict(table)


def test_troubled_waters_is_offered_from_three_on_and_recommended_as_the_book_does(
    site: Site,
) -> None:
    with visitor(site) as client, visitor(site, "fr") as jeanne:
        assert "option-troubled" not in client.get("/new/oceanos?players=2").text
        for players in (3, 4, 5):
            page = client.get(f"/new/oceanos?players={players}").text
            assert "option-troubled" in page
            assert "Recommended for experienced players, above all for five." in page
        assert "Recommandé aux joueurs expérimentés" in jeanne.get("/new/oceanos?players=5").text


def test_changing_from_three_to_two_leads_nowhere_one_cannot_leave(site: Site) -> None:
    """A form for three, Troubled Waters ticked, then the button for two."""
    with visitor(site) as client:
        page = client.get("/new/oceanos?players=3&option-troubled=on&client=x&players=2").text
        assert 'name="option-troubled"' not in page
        assert laid(client, "oceanos")["options"]["troubled"] is False


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("which", "wrong"),
    [
        ("oceanos", {"option-troubled": "on"}),
        ("oceanos", {"first": "1"}),
        ("ozeanien", {"first": "5"}),
        ("ozeanien", {"first": "youngest"}),
        ("ozeanien", {"series": "4"}),
        ("ozeanien", {"series": "many"}),
        ("ozeanien", {"pace": "never"}),
        ("ozeanien", {"players": "two"}),
        ("ozeanien", {"name": "x" * 99}),
    ],
)
def test_what_does_not_go_together_is_refused_in_the_form_with_all_that_was_filled_in(
    site: Site, language: str, which: str, wrong: dict[str, str]
) -> None:
    with visitor(site, language) as client:
        form = filled(seat1="here", name1="Bo & co", talk="on", **{"pace": "slow"} | wrong)
        answer = client.post(f"/new/{which}", data=form)
        assert answer.status_code == 422
        page = html.unescape(answer.text)
        sentence = re.search(r'class="refused" role="alert">([^<]+)<', page)
        assert sentence is not None
        assert selected(answer.text, "seat1") == "here"
        assert 'value="Bo & co"' in page
        assert f'value="{form["name"]}"' in page
        if "pace" not in wrong:
            assert selected(answer.text, "pace") == "slow"
        assert not re.search(r"\b(not|must|the|needs)\b", sentence[1]) or language == "en"


def test_a_form_that_was_refused_is_sent_again_with_success(site: Site) -> None:
    with visitor(site) as client:
        assert client.post("/new/ozeanien", data=filled(series="4")).status_code == 422
        assert laid(client, "ozeanien", series="3")["series"]["games"] == 3


def test_the_host_says_who_begins(site: Site) -> None:
    with visitor(site) as client:
        for seat in (0, 1):
            table = laid(client, "ozeanien", first=str(seat), seat1="here", name1="Bo")
            assert table["options"]["start"] == seat
            assert table["waiting"] == [seat]
        assert "start" not in laid(client, "ozeanien", first="-1")["options"]


def test_who_begins_is_asked_where_somebody_does(site: Site) -> None:
    with visitor(site) as client:
        for game in games().values():
            for players in game.players:
                page = client.get(f"/new/{game.id}?players={players}").text
                asks = game.first is not None and players in game.first.players
                assert ('name="first"' in page) == asks
                assert ('name="series"' in page) == (players > 1)


def test_two_neighbours_are_swapped_with_all_that_was_filled_in(site: Site) -> None:
    with visitor(site) as client:
        query = "players=3&client=x&seat0=me&seat1=here&name1=Bo&seat2=otter&first=1&swap=1"
        page = client.get(f"/new/oceanos?{query}").text
        assert [selected(page, f"seat{seat}") for seat in range(3)] == ["me", "otter", "here"]
        assert selected(page, "first") == "2"
        assert re.search(r'name="name2" value="Bo"', page)
        assert re.search(r'name="name1" value=""', page)
        assert 'name="swap" value="1"' in page
        assert "Swap seats 2 and 3" in page
        assert 'name="swap"' not in client.get("/new/ozeanien").text


def test_the_api_refuses_what_does_not_go_together_in_the_askers_language(site: Site) -> None:
    for language, words in (("en", "odd number"), ("fr", "nombre impair")):
        with visitor(site, language) as client:
            body = {"game": "ozeanien", "options": {"players": 2}, "series": 4}
            answer = client.post("/api/v1/tables", json=body)
            assert answer.status_code == 422
            assert words in answer.json()["error"]["message"]
            body = {"game": "oceanos", "options": {"players": 2, "captain": 0}}
            assert client.post("/api/v1/tables", json=body).status_code == 422
            (oceanos,) = [
                game for game in client.get("/api/v1/games").json()["games"]
                if game["id"] == "oceanos"
            ]  # fmt: skip
            assert oceanos["first"]["name"] == "captain"
            assert oceanos["options"][0]["players"] == [3, 4, 5]


def test_a_table_that_gathers_tells_of_its_series_if_it_has_one(site: Site) -> None:
    with visitor(site) as client:
        for series, is_told in (("1", False), ("5", True)):
            table = laid(client, "ozeanien", seat1="open", series=series)
            page = client.get(f"/t/{table['id']}")
            assert page.status_code == 200
            assert ("Best of 5" in page.text) == is_told


HOUSE = [
    ("ecosystem", "turned_whales", "ECO-19"),
    ("oceanos", "all_dives", "OCN-37"),
    ("oceanos", "third_level_first", "OCN-26"),
    ("ozeanien", "play_on", "OZE-29"),
]


@pytest.mark.parametrize(("which", "name", "ruling"), HOUSE)
def test_a_house_reading_is_listed_with_its_ruling_and_chosen_in_the_form(
    site: Site, which: str, name: str, ruling: str
) -> None:
    with visitor(site) as client:
        listed = {game["id"]: game for game in client.get("/api/v1/games").json()["games"]}
        (option,) = [
            listed_option
            for listed_option in listed[which]["options"]
            if listed_option["name"] == name
        ]
        assert (option["default"], option["ruling"]) == (False, ruling)
        assert set(option["about"]) == set(LANGUAGES)
        assert f'name="option-{name}"' in client.get(f"/new/{which}?players=2").text
        assert laid(client, which)["options"][name] is False
        assert laid(client, which, **{f"option-{name}": "on"})["options"][name] is True


@pytest.mark.parametrize("language", LANGUAGES)
def test_playing_on_alone_is_refused_in_the_form_and_by_the_api(site: Site, language: str) -> None:
    sentence = {"en": "for two players", "fr": "se joue à deux"}[language]
    with visitor(site, language) as client:
        form = filled(players="1", **{"option-play_on": "on"})
        answer = client.post("/new/ozeanien", data=form)
        assert answer.status_code == 422
        assert sentence in html.unescape(answer.text)
        body = {"game": "ozeanien", "options": {"players": 1, "play_on": True}}
        refused = client.post("/api/v1/tables", json=body)
        assert refused.status_code == 422
        assert sentence in refused.json()["error"]["message"]


def test_who_is_invited_reads_which_options_were_chosen(site: Site) -> None:
    with visitor(site) as client:
        option = next(
            declared for declared in games()["oceanos"].options if declared.name == "all_dives"
        )
        for chosen in ({}, {"option-all_dives": "on"}):
            answer = client.post("/new/oceanos", data=filled(seat1="open", **chosen))
            for path in ("", "/seats"):
                page = html.unescape(client.get(answer.headers["location"] + path).text)
                assert (option.about["en"] in page) == bool(chosen)


def test_the_host_chooses_the_seats_colours(site: Site) -> None:
    with visitor(site) as client:
        form = filled(players="3", seat2="otter", colour0="3", colour1="0", colour2="1")
        answer = client.post("/new/oceanos", data=form)
        place = answer.headers["location"]
        assert client.get(f"/api/v1/tables/{place[3:]}").json()["colours"] == [3, 0, 1]
        for page in (place, f"{place}/seats"):
            (classes,) = re.findall(r'<body class="([^"]*)"', client.get(page).text)
            assert {"seat-0-is-3", "seat-1-is-0", "seat-2-is-1"} <= set(classes.split())
        assert "colours" not in laid(client, "oceanos", colour0="0", colour1="1")
        assert "colours" not in laid(client, "oceanos")


def test_a_seat_that_comes_later_is_offered_a_free_colour(site: Site) -> None:
    with visitor(site) as client:
        page = client.get("/new/ecosystem?players=4&colour0=2&colour1=0").text
        assert [selected(page, f"colour{seat}") for seat in range(4)] == ["2", "0", "1", "3"]


@pytest.mark.parametrize("colours", [("0", "0"), ("0", "7"), ("red", "1")])
def test_colours_that_cannot_be_are_refused_in_the_form(
    site: Site, colours: tuple[str, str]
) -> None:
    with visitor(site, "fr") as client:
        form = filled(colour0=colours[0], colour1=colours[1])
        answer = client.post("/new/oceanide", data=form)
        assert answer.status_code == 422
        assert "2 couleurs différentes" in html.unescape(answer.text)
        assert 'value="Mira"' in answer.text


def test_where_pieces_have_the_colours_of_their_seats_none_is_offered(site: Site) -> None:
    with visitor(site) as client:
        assert 'name="colour0"' not in client.get("/new/ozeanien?players=2").text
        body = {"game": "ozeanien", "options": {"players": 2}, "colours": [1, 0]}
        answer = client.post("/api/v1/tables", json=body)
        assert answer.status_code == 422
        assert "choose a seat to choose a colour" in answer.json()["error"]["sentence"]


def bots_of(client: Client, location: str) -> list[str]:
    seats = client.get(f"/api/v1/tables/{location[3:]}").json()["seats"]
    return [seat["bot"] for seat in seats if seat["bot"]]


def test_the_first_opponent_is_the_weakest_that_thinks_and_later_the_last_one_chosen(
    site: Site,
) -> None:
    """Of each game its own, in Play, in the form and where a table gathers; the daily deal's
    totals are compared, so that its opponents stay.
    """
    with visitor(site) as client:
        assert selected(client.get("/new/oceanide").text, "seat1") == FIRST.id == "puffin"
        played = client.post("/play/oceanide").headers["location"]
        assert set(bots_of(client, played)) == {"puffin"}
        laid(client, "oceanide", seat1="orca")
        assert selected(client.get("/new/oceanide").text, "seat1") == "orca"
        assert set(bots_of(client, client.post("/play/oceanide").headers["location"])) == {"orca"}
        assert selected(client.get("/new/oceanos").text, "seat1") == "puffin"
        client.cookies.set("pelagos-name", "Mira")
        gathering = client.post("/invite/oceanide").headers["location"]
        assert selected(client.get(gathering).text, "bot") == "orca"
        client.post(f"{gathering}/bot", data={"seat": "1", "bot": "winkle"})
        assert selected(client.get("/new/oceanide").text, "seat1") == "winkle"
        assert set(bots_of(client, client.post("/daily").headers["location"])) == {"otter"}
        client.cookies.set("pelagos-opponent-ozeanien", "<kraken>")
        assert selected(client.get("/new/ozeanien?players=2").text, "seat1") == "puffin"
