"""Tables fit every window: whoever decides sees all that the decision needs, without scrolling."""

from __future__ import annotations

from typing import Any

import pytest

from browser import SOAK, Party, Person, Site
from fit import WINDOWS, unfit_anywhere
from pelagos.engine.game import games
from pelagos.web.own_table import own_table

LANGUAGES = ("en", "fr")
FITTED = [
    pytest.param(game.id, players, language, id=f"{game.id}-{players}-{language}")
    for game in games().values()
    if (table := own_table(game.id)) and table.fits
    for place, players in enumerate(
        game.players if SOAK else sorted({game.players[0], game.players[-1]})
    )
    for language in (LANGUAGES if SOAK else LANGUAGES[place % 2 :][:1])
]


@pytest.mark.parametrize(("which", "players", "language"), FITTED)
def test_a_whole_game_fits(
    which: str, players: int, language: str, site: Site, browser: Any
) -> None:
    """At each decision through all windows. Where somebody waits, and in the short run everywhere:
    at what shows more than any before, and, in half of the windows, at every tenth early on.
    """
    theme = "dark" if (players % 2 == 0) == (language == "en") else "light"
    mira = Person(browser, site, language=language, color_scheme=theme, settings={"motion": False})
    party = Party(site, which, players, deal=players)
    seen: dict[str, list[set[str]]] = {}
    faults: dict[str, list[str]] = {}
    for step, phase in enumerate(party.phases()):
        prompt, *groups = phase.split()
        more = not any(set(groups) <= before for before in seen.setdefault(prompt, []))
        seen[prompt].append(set(groups))
        if (SOAK and prompt != "wait") or more or (step % 10 == 5 and step < 30):
            party.seat(mira)
            mira.page.locator("html[data-ready]").wait_for()
            unfit = unfit_anywhere(mira.page, WINDOWS if SOAK or more else WINDOWS[step % 2 :: 2])
            mira.rest()
            if unfit:
                faults[f"step {step}, {phase}"] = unfit
    assert faults == {}
    assert mira.wrong == []
    mira.context.close()
