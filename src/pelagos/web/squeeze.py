"""Answers made small: brotli where a browser takes it, gzip on a club's plain http."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response

LEAST = 1000
"""Bytes below which it isn't worth it."""


def way_for(request: Request) -> str:
    """How the asker likes it: br, gzip or not at all."""
    likes = {coding.partition(";")[0].strip() for coding in _accepted(request).split(",")}
    return next((way for way in ("br", "gzip") if way in likes), "")


def _accepted(request: Request) -> str:
    return request.headers.get("accept-encoding", "")


def squeezed(body: bytes, way: str, *, well: bool = False) -> bytes:
    """A body, small; `well` for what is made once and kept."""
    if way == "br":
        import brotli  # type: ignore[import-untyped]

        small: bytes = brotli.compress(body, quality=9 if well else 4)
        return small
    return gzip.compress(body, 9 if well else 5, mtime=0) if way == "gzip" else body


def squeeze(request: Request, answer: Response) -> None:
    """Make an answer small, if it's a page and the asker likes it."""
    way, body = way_for(request), bytes(getattr(answer, "body", b""))
    if answer.media_type != "text/html" or len(body) < LEAST:
        return
    answer.headers["Vary"] = "Accept-Encoding"
    if way:
        answer.body = squeezed(body, way)
        answer.headers["Content-Encoding"] = way
        answer.headers["Content-Length"] = str(len(answer.body))
