"""Who is asked, and who isn't: a standing order shows no window."""

from __future__ import annotations

from pathlib import Path

import pytest

from pelagos.tables import acts
from pelagos.tables.service import OpenTable
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader
from tables.place import Place, at_a_place, match_of
from tables.test_orders import who_is_asked
from tabling import client_id


@pytest.mark.parametrize("plain", [False, True])
def test_a_standing_order_shows_no_window(tmp_path: Path, plain: bool) -> None:
    def drawn(live: OpenTable, seat: int) -> str:
        message = live.message(seat, drawn=True).data
        return str(Drawing(message, Reader("en", "light", "", plain)).inside({"why": ""}))

    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, True)
        assert 'name="action"' in drawn(live, seat)
        await place.do(live, acts.give_order, seat, "allow", client_id())
        assert seat in match_of(live).pending
        page = drawn(live, seat)
        assert 'name="action"' not in page
        assert 'data-owes="0"' in page
        assert "window now" not in page

    at_a_place(tmp_path, test)
