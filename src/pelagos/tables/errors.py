"""What a table refuses, always with one sentence for the person who asked."""

from __future__ import annotations

from typing import Any

from pelagos.engine.errors import PelagosError


class Refused(PelagosError):
    """Something that can't be done at this table now; nothing is changed."""

    status = 409
    code = "refused"


class Stale(Refused):
    """An answer to a question that has been answered already."""

    code = "stale"


class Malformed(Refused):
    """Something that no table could make sense of."""

    status = 422
    code = "malformed"


class NotFound(Refused):
    """There is no such thing."""

    status = 404
    code = "not_found"


class NotYours(Refused):
    """The seat's secret is missing or wrong."""

    status = 403
    code = "not_yours"


class TooMuch(Refused):
    """More than the limits allow."""

    status = 429
    code = "too_much"

    def __init__(self, *args: Any, retry_after: int = 1) -> None:
        """`retry_after`: seconds until it may be tried again."""
        super().__init__(*args)
        self.retry_after = retry_after


class UsedUp(TooMuch):
    """An address has used all that it may have for now."""

    code = "used_up"


class Broken(Refused):
    """A table whose log doesn't replay under these rules any more: it can be read, not played."""

    status = 410
    code = "broken"


class OtherRules(Broken):
    """A table that was laid under another version of its game's rules: nobody goes on there."""

    code = "other_rules"


class Unavailable(Refused):
    """The database doesn't answer."""

    status = 503
    code = "unavailable"
    retry_after = 1


class Conflict(Exception):
    """Somebody else has written this place of the log: read it and try again."""
