"""The coach's page without a browser: asked for once, the same for all, whole without script."""

from __future__ import annotations

import csv
import io
import re
import time
from pathlib import Path
from typing import Any

from httpx import Client

from browser import Site
from pelagos.coach import sums
from web.test_mine import play, visitor


def analysed(person: Client, table: str) -> dict[str, Any]:
    """The whole analysis, once there is nothing more to come."""
    person.post(f"/t/{table}/coach", data={"game": "0"})
    while True:
        progress = person.get(f"/api/v1/tables/{table}/analysis").json()
        assert progress["asked"]
        if progress["done"]:
            return dict(progress["analysis"])
        time.sleep(0.2)


def test_a_game_is_analysed_on_request_and_everyone_sees_the_same(site: Site) -> None:
    with visitor(site) as ada, visitor(site) as stranger:
        laid = ada.post("/play/minnows", data={"name": "Ada"})
        running = str(laid.url).rpartition("/")[2].partition("?")[0]
        assert ada.get(f"/t/{running}/coach").status_code == 404
        assert ada.post(f"/t/{running}/coach", data={"game": "0"}).status_code == 404
        table = play(ada)
        assert stranger.get(f"/t/{table}/coach.json").status_code == 404
        assert "Let the coach look" in ada.get(f"/t/{table}/coach").text
        assert (
            f'href="/t/{table}/coach?game=0&amp;at=3&amp;seat=0"'
            in ada.get(f"/t/{table}/replay?at=3").text
        )
        document = analysed(ada, table)
        assert stranger.get(f"/t/{table}/coach.json").json() == document
        rows = list(csv.reader(io.StringIO(ada.get(f"/t/{table}/coach.decisions.csv").text)))
        assert len(rows) == len(document["decisions"]) + 1
        for step in (0, len(document["positions"]) // 2, len(document["positions"]) - 1):
            page = ada.get(f"/t/{table}/coach?step={step}").text
            equation = re.findall(r'class="equation">([^<]*)<', page)[0].replace("−", "-")
            left, _, right = equation.partition("=")
            assert eval(left) == int(right) == sums(document, 0, step).now
        for number, decision in enumerate(document["decisions"]):
            page = ada.get(f"/t/{table}/coach?d={number}").text
            assert f'name="at" value="{decision["at"]}"' in page
            assert f'name="eyes" value="{decision["seat"]}"' in page
        assert page.count("</td></tr>") >= len(document["decisions"])  # all numbers as a table
        fr = stranger.get(f"/t/{table}/coach", headers={"accept-language": "fr"}).text
        assert "Chances de gagner" in fr
        assert "coach." not in re.sub(r'="[^"]*"', "", fr)  # no key without a text
        played_on = ada.post(f"/t/{table}/replay", data={"game": "0", "at": "4", "eyes": "0"})
        assert played_on.status_code == 200
        share = document["seats"][0]["accuracy"] / 100
        assert f"{round(share)} %" in ada.get("/mine").text


def test_asking_for_many_games_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with (
        Site(tmp_path, LIMITS="on", ANALYSES_AN_HOUR="1") as site,
        visitor(site) as ada,
    ):
        first, second = play(ada), play(ada)
        for _ in range(2):  # what is asked for already costs nothing
            assert ada.post(f"/t/{first}/coach", data={"game": "0"}).status_code == 200
        refused = ada.post(f"/t/{second}/coach", data={"game": "0"})
        assert refused.status_code == 429
        assert "coach was asked for many games" in refused.text
