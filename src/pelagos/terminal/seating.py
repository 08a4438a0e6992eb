"""Who sits where: people at the keyboard, and bots in the other seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.arena.plan import Entrant
from pelagos.bots import Budget, UnknownBot, find_creature
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack
from pelagos.terminal.reader import own_words

USUAL_BUDGET = Budget(milliseconds=50)
"""For a bot that was named without one."""


def lay_table(
    game: Game,
    options: Mapping[str, Any],
    *,
    people: int,
    seat: int,
    bots: Sequence[str],
    budget: Budget | None,
    language: str,
    seed: str | None,
    pack: Pack | None,
) -> Match:
    """A new match with people and bots in its seats; `seat` is the first person's, from 1."""
    checked: dict[str, Any] = dict(game.check_options(options))
    players = int(checked["players"])
    if not 1 <= people <= players:
        raise PelagosError(text("terminal/refuse.people", players=players, people=people))
    if not 1 <= seat <= players:
        raise PelagosError(text("terminal/refuse.no_seat", seat=seat, players=players))
    own = [(seat - 1 + step) % players for step in range(people)]
    others = [number for number in range(players) if number not in own]
    if len(bots) > max(len(others), 1):
        raise PelagosError(text("terminal/refuse.bots", room=len(others), bots=len(bots)))
    match = Match.new(game, seed=seed, pack=pack, **checked)
    _seat_people(match, own, language)
    _seat_bots(match, others, bots, budget, language)
    return match


def _seat_people(match: Match, seats: Sequence[int], language: str) -> None:
    words = own_words(language)
    key = "name.person" if len(seats) == 1 else "name.people"
    for number, seat in enumerate(seats, 1):
        match.seats[seat] = {"name": words.text(key, {"number": number})}


def _seat_bots(
    match: Match, seats: Sequence[int], bots: Sequence[str], budget: Budget | None, language: str
) -> None:
    """Let bots take turns on the seats; of several with one name, number all but the first."""
    named: Counter[str] = Counter()
    for number, seat in enumerate(seats):
        entrant = Entrant.parse(bots[number % len(bots)], budget or USUAL_BUDGET)
        name = bot_name(entrant.name, language)
        named[name] += 1
        if named[name] > 1:
            params = {"name": name, "number": named[name]}
            name = own_words(language).text("name.again", params)
        spent = budget or entrant.budget
        match.seats[seat] = {"name": name, "bot": entrant.bot, "budget": str(spent)}


def bot_name(bot: str, language: str) -> str:
    """A creature's name in the reader's language, or the bot's own."""
    try:
        return find_creature(bot).names[language]
    except UnknownBot:
        return bot.capitalize()
