"""`pelagos play`: a new table or a saved one, and its record at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pelagos.bots import FIRST, LADDER, Budget, told_against
from pelagos.engine.errors import BadOption, PelagosError, text
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack
from pelagos.engine.series import Series, check_length
from pelagos.engine.words import LANGUAGES, Words
from pelagos.terminal.numbers import NUMBER
from pelagos.terminal.reader import own_words
from pelagos.terminal.saves import begin_series, default_path, resume
from pelagos.terminal.saves import save as save_series
from pelagos.terminal.seating import lay_table
from pelagos.terminal.table import Table


def start(
    game: Game | None,
    options: Mapping[str, Any],
    *,
    people: int = 1,
    seat: int = 1,
    bots: Sequence[str] = (),
    budget: str | None = None,
    language: str = "en",
    seed: str | None = None,
    pack: Pack | None = None,
    save: Path | None = None,
    go_on: bool | None = None,
    record: Path | None = None,
    console: Console | None = None,
    first: int | None = None,
    length: int = 1,
    hints: bool | None = None,
) -> bool:
    """Play in the terminal; True if the game, or the series of `length` games, came to its end.
    Without a game, ask for one. `first` is the seat that begins, from 1. `hints` is as for `Table`.
    """
    language = language if language in LANGUAGES else "en"
    console = console or Console(highlight=False)
    if game is None:
        game, options, bots = choose(console, language, options, bots)
    options, shown = part_options(game, options)
    spent = Budget.parse(budget) if budget else None
    path = save or default_path(game.id)
    series = _saved(game, path, language, go_on, ask=save is None)
    if series is None:
        options = {**options, **_first(game, first)}
        check_length(length, int(game.check_options(options)["players"]))
        match = lay_table(
            game,
            options,
            people=people,
            seat=seat,
            bots=list(bots) or [FIRST.id],
            budget=spent,
            language=language,
            seed=seed,
            pack=pack,
        )
        series = begin_series(match, length)
    else:
        resumed = own_words(language).text("save.resumed", {"path": str(path)})
        console.print(resumed, markup=False)
    while True:
        if series.matches[-1].over:
            _deal_next(series)
        table = Table(series.matches[-1], console, language, path, spent, series, shown, hints)
        if not table.play():
            return False
        table.keep_record(record)
        if series.over:
            if not _wants_another(console, language):
                return True
            series = _another(series)
            continue
        save_series(series, path)
        if not _goes_on(console, language):
            console.print(own_words(language).text("save.saved", {"path": str(path)}), markup=False)
            return False


def _first(game: Game, seat: int | None) -> dict[str, int]:
    """The option that names who begins, if somebody was named."""
    if seat is None:
        return {}
    if game.first is None:
        raise BadOption(text("terminal/refuse.nobody_first", game=game.id))
    return {game.first.name: seat - 1}


def _deal_next(series: Series) -> None:
    """The next game of a series, for those who sit there; it follows from the first one's seed."""
    last, seed = series.matches[-1], series.matches[0].seed
    assert seed is not None
    series.deal(seed.hex(), pack=last.pack).seats = [dict(chair) for chair in last.seats]


def _another(series: Series) -> Series:
    """Another game, or series, for those who sit there, with cards of its own."""
    last = series.matches[-1]
    options: dict[str, Any] = dict(series.options)
    match = Match.new(last.game, pack=last.pack, **options)
    match.seats = [
        {key: value for key, value in chair.items() if key != "hints"} for chair in last.seats
    ]
    return begin_series(match, series.length)


def _wants_another(console: Console, language: str) -> bool:
    """Does a person want another game? What comes from a pipe never does."""
    if not (sys.stdin.isatty() and console.is_terminal):
        return False
    words = own_words(language)
    try:
        answer = input(words.text("end.another")).strip().lower()
    except (EOFError, KeyboardInterrupt):
        return False
    return answer.startswith(words.text("end.yes"))


def _goes_on(console: Console, language: str) -> bool:
    """Does a person want the next game now? What comes from a pipe always does."""
    if not (sys.stdin.isatty() and console.is_terminal):
        return True
    try:
        return not input(own_words(language).text("series.ask")).strip().lower().startswith("q")
    except (EOFError, KeyboardInterrupt):
        return False


def part_options(game: Game, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, bool]]:
    """The options of the rules, and those that say how the table shows the game."""
    own = {option.name for option in game.table_options}
    shown = {name: bool(value) for name, value in options.items() if name in own}
    return {name: value for name, value in options.items() if name not in own}, shown


def choose(
    console: Console, language: str, options: Mapping[str, Any], bots: Sequence[str]
) -> tuple[Game, Mapping[str, Any], Sequence[str]]:
    """Ask a person which game to play, with how many, and against whom."""
    installed = list(games().values())
    if not sys.stdin.isatty():
        names = ", ".join(game.id for game in installed)
        raise PelagosError(text("terminal/refuse.name_a_game", games=names))
    words = own_words(language)
    console.print(_list((_of(game.titles, language), _about(game, language)) for game in installed))
    game = installed[_number(words.text("menu.game"), 1, len(installed), 1, words) - 1]
    if "players" not in options:
        low, high, usual = game.players[0], game.players[-1], game.default_players
        question = words.text("menu.players", {"low": low, "high": high, "usual": usual})
        options = {**options, "players": _number(question, low, high, usual, words)}
    if not bots and options["players"] > 1:
        pairs = (
            (
                _of(bot.names, language),
                f"{_of(bot.about, language)} {told_against(game, bot, language)}",
            )
            for bot in LADDER
        )
        console.print(_list(pairs))
        usual = LADDER.index(FIRST) + 1
        question = words.text("menu.level", {"usual": usual})
        bots = [LADDER[_number(question, 1, len(LADDER), usual, words) - 1].id]
    return game, options, bots


def _list(pairs: Iterable[tuple[str, str]]) -> Grid:
    """Names to choose from by number, each with what it is."""
    table = Grid.grid(padding=(0, 1))
    for number, (name, about) in enumerate(pairs, 1):
        table.add_row(Text(str(number), style=NUMBER), Text(name, style="bold"), Text(about))
    return table


def _about(game: Game, language: str) -> str:
    low, high = game.players[0], game.players[-1]
    return f"{_of(game.about, language)} ({low}–{high}, {game.minutes} min)"


def _of(texts: Mapping[str, str], language: str) -> str:
    return texts.get(language, texts["en"])


def _number(question: str, low: int, high: int, usual: int, words: Words) -> int:
    """A number that a person typed; Enter for the usual one."""
    while True:
        typed = input(question).strip()
        if not typed:
            return usual
        if typed.isdigit() and low <= int(typed) <= high:
            return int(typed)
        print(words.text("menu.wrong", {"low": low, "high": high}))


def _saved(game: Game, path: Path, language: str, go_on: bool | None, ask: bool) -> Series | None:
    """The saved game or series, if there is one and it is wanted."""
    if go_on is False or not path.exists():
        return None
    if go_on is None and ask:
        if not sys.stdin.isatty():
            return None
        words = own_words(language)
        answer = input(words.text("save.ask")).strip().lower()
        if answer.startswith(words.text("save.no")):
            return None
    return resume(game.id, path)
