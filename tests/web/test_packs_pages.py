"""Packs as pages: seen, changed, checked, shared by a link, played with."""

from __future__ import annotations

import io
import zipfile
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from browser import Site
from pelagos.engine.errors import BadPack
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import default_pack, make_pack
from pelagos.tables.acts.gathering import LARGEST_PACK
from pelagos.web.packs import LONGEST_CODE, code_of, pack_of
from web.visiting import refusal

REEF = find_game("ecosystem")


def files_of(game: Game, **changed: tuple[str, str]) -> dict[str, str]:
    """The default pack's files, with a name of their own and something replaced."""
    files = dict(default_pack(game).files)
    files["pack.toml"] = files["pack.toml"].replace('"default"', '"mine"')
    for name, (old, new) in changed.items():
        name = name.replace("_", ".")
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)
    return files


def post(site: Site, files: dict[str, str], game: str = "ecosystem") -> httpx.Response:
    form = {f"file-{name}": content for name, content in files.items()}
    return httpx.post(f"{site.url}/packs/{game}", data=form, timeout=None)


def test_a_link_holds_a_whole_pack_of_any_game(game: Game) -> None:
    pack = make_pack(game, files_of(game))
    code = code_of(pack)
    assert len(code) < 150
    assert pack_of(game, code).files == pack.files
    assert code_of(default_pack(game)) == ""
    assert pack_of(game, "") is default_pack(game)
    with pytest.raises(BadPack):
        pack_of(game, code[:-3] + "AAA")
    with pytest.raises(BadPack):
        pack_of(game, "A" + code)


def test_a_link_unpacks_no_more_than_a_pack_may_have() -> None:
    bomb = make_pack(REEF, files_of(REEF))
    bomb.files["cards.csv"] += " " * (3 * LARGEST_PACK)
    with pytest.raises(BadPack):
        pack_of(REEF, code_of(bomb))
    noise = make_pack(REEF, files_of(REEF))
    noise.files["cards.csv"] += "".join(chr(0x4E00 + n * n % 20_000) for n in range(LONGEST_CODE))
    with pytest.raises(BadPack, match="are the most"):
        code_of(noise)


def test_a_good_pack_gets_a_link_and_a_table_is_laid_with_it(site: Site) -> None:
    files = files_of(REEF, cards_csv=("krill,20,", "krill,26,"))
    answer = post(site, files)
    assert answer.status_code == 303
    there = answer.headers["location"]
    page = httpx.get(site.url + there, timeout=None)
    assert "A good pack." in page.text
    pack = make_pack(REEF, files)
    assert pack.sha256 in page.text
    code = parse_qs(urlsplit(there).query)["pack"][0]
    new = httpx.get(f"{site.url}/new/ecosystem", params={"pack": code}, timeout=None)
    assert f'<option value="{code}" selected>mine</option>' in new.text
    form = {"players": "2", "seat0": "me", "seat1": "winkle", "pack": code, "bytes": "7a" * 32}
    laid = httpx.post(f"{site.url}/new/ecosystem", data=form, timeout=None)
    table = laid.headers["location"].removeprefix("/t/")
    message = httpx.get(f"{site.url}/api/v1/tables/{table}/view", timeout=None).json()
    own = message["table"]["pack"]
    assert (own["name"], own["sha256"]) == ("mine", pack.sha256)


def test_a_wrong_pack_is_told_by_file_and_line_and_nothing_typed_is_lost(site: Site) -> None:
    answer = post(site, files_of(REEF, cards_csv=("krill,20,", "krill,twenty,")))
    assert answer.status_code == 422
    assert refusal(answer) == "cards.csv, line 3: count must be a whole number, not 'twenty'."
    assert "krill,twenty," in answer.text
    assert 'data-file="cards.csv" data-wrong="3"' in answer.text
    large = post(site, files_of(REEF) | {"cards.csv": "x" * LARGEST_PACK})
    assert "200000" in refusal(large)


def test_a_packs_files_can_be_downloaded(site: Site) -> None:
    code = code_of(make_pack(REEF, files_of(REEF)))
    answer = httpx.get(f"{site.url}/packs/ecosystem/files.zip", params={"pack": code}, timeout=None)
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert sorted(archive.namelist()) == ["ecosystem-pack/cards.csv", "ecosystem-pack/pack.toml"]
    assert b'"mine"' in archive.read("ecosystem-pack/pack.toml")


def test_a_broken_link_gets_a_sentence(site: Site) -> None:
    answer = httpx.get(f"{site.url}/packs/ecosystem?pack=nonsense", timeout=None)
    assert answer.status_code == 422
    assert "This link holds no pack" in answer.text
