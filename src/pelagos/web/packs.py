"""Packs as pages: see a game's material as tables, change it, check it, share it, play with it.

A pack that somebody made is kept nowhere here: its link holds it, compressed with the default pack
as dictionary, so that a pack which changes a few lines has a short link. A host has nothing to
limit but the size of what is sent. A table that is laid with it keeps it in its log.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.engine.errors import BadPack, PelagosError, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.tables.acts.gathering import LARGEST_PACK
from pelagos.web import art
from pelagos.web.cookies import reader_of
from pelagos.web.pages import Pages, first, form_of

LONGEST_CODE = 12_000
"""Letters of a link: what every browser and messenger carries."""
ABOUT = "pack.toml"
MARK = 6
"""Bytes of the SHA-256 that a link ends with: it then is this pack, or none."""


def code_of(pack: Pack) -> str:
    """A pack as letters of a link; empty for the default one."""
    if pack.is_default:
        return ""
    files = json.dumps(dict(sorted(pack.files.items())), ensure_ascii=False).encode()
    press = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=_dictionary(pack.game))
    pressed = press.compress(files) + press.flush() + bytes.fromhex(pack.sha256)[:MARK]
    code = base64.urlsafe_b64encode(pressed).decode().rstrip("=")
    if len(code) > LONGEST_CODE:
        raise BadPack(text("web/packs.long", count=len(code), most=LONGEST_CODE))
    return code


def pack_of(game: Game, code: str) -> Pack:
    """The pack that a link holds; the default one if it holds none."""
    if not code:
        return default_pack(game)
    try:
        pressed = base64.urlsafe_b64decode(code[:LONGEST_CODE] + "=" * (-len(code) % 4))
        opener = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary(game))
        unpacked = opener.decompress(pressed[:-MARK], 2 * LARGEST_PACK)
        files = json.loads(unpacked)
        if not isinstance(files, dict):
            raise TypeError
        pack = make_pack(game, {str(name): str(content) for name, content in files.items()})
    except (ValueError, TypeError, binascii.Error, zlib.error, RecursionError) as error:
        if isinstance(error, PelagosError):
            raise
        raise BadPack(text("web/packs.broken")) from None
    if bytes.fromhex(pack.sha256)[:MARK] != pressed[-MARK:]:
        raise BadPack(text("web/packs.broken"))
    return pack


def own_files(game: Game, code: str) -> Mapping[str, str] | None:
    """The files of the pack that a link holds; None for the default one."""
    pack = pack_of(game, code)
    return None if pack.is_default else pack.files


@cache
def _dictionary(game: Game) -> bytes:
    """What a pack usually says: the default one."""
    return json.dumps(dict(sorted(default_pack(game).files.items())), ensure_ascii=False).encode()


class Packs:
    """The pages."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/packs/{game}", page(self.show)),
            Route("/packs/{game}", page(self.check), methods=["POST"]),
            Route("/packs/{game}/files.zip", page(self.download)),
        ]

    async def show(self, request: Request) -> Response:
        """A pack's files."""
        game = find_game(request.path_params["game"])
        pack = pack_of(game, request.query_params.get("pack", ""))
        return self._drawn(request, game, pack.files, pack)

    async def check(self, request: Request) -> Response:
        """Is what was typed a good pack? Then its link; else what is wrong, and where."""
        game = find_game(request.path_params["game"])
        form = await form_of(request)
        files = {
            name: first(form, f"file-{name}").replace("\r\n", "\n")
            for name in default_pack(game).files
        }
        try:
            if sum(map(len, files.values())) > LARGEST_PACK:
                raise BadPack(text("tables/refuse.pack_large", most=LARGEST_PACK))
            pack = make_pack(game, files)
            query = urlencode({"pack": code_of(pack)})
        except BadPack as error:
            return self._drawn(request, game, files, None, error)
        return RedirectResponse(f"/packs/{game.id}?{query}&good=1", 303)

    async def download(self, request: Request) -> Response:
        """A pack's files in one, for `pelagos pack check` and `--pack`."""
        game = find_game(request.path_params["game"])
        pack = pack_of(game, request.query_params.get("pack", ""))
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in pack.files.items():
                archive.writestr(f"{game.id}-pack/{name}", content)
        headers = {"Content-Disposition": f'attachment; filename="{game.id}-pack.zip"'}
        return Response(held.getvalue(), 200, headers, "application/zip")

    def _drawn(
        self,
        request: Request,
        game: Game,
        files: Mapping[str, str],
        pack: Pack | None,
        error: BadPack | None = None,
    ) -> Response:
        reader = reader_of(request)
        code = "" if pack is None else code_of(pack)
        wrong: Mapping[str, Any] = {}
        if error is not None and isinstance(error.text, Mapping):
            wrong = error.text["params"]
        query = f"?{urlencode({'pack': code})}" if code else ""
        more = {
            "game": game,
            "title": game.titles[reader.language],
            "picture": art.title_picture(game.id),
            "files": dict(sorted(files.items(), key=lambda file: (file[0] != ABOUT, file[0]))),
            "pack": pack,
            "code": code,
            "query": query,
            "link": f"{self.pages.origin(request)}/packs/{game.id}{query}",
            "is_good": pack is not None and "good" in request.query_params,
            "why": "" if error is None else error.say(reader.language),
            "wrong_file": wrong.get("file", ""),
            "wrong_line": wrong.get("line", 0),
            "most": LARGEST_PACK,
        }
        return self.pages.render(request, "packs.html", more, 422 if error else 200)
