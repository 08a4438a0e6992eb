"""The command line: `pelagos games · simulate · record · replay · score · pack · doctor`."""

from __future__ import annotations

import json
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pelagos.engine.errors import BadOption, PelagosError, short
from pelagos.engine.game import Game, find_game, games

if TYPE_CHECKING:
    from pelagos.engine.pack import Pack

app = typer.Typer(
    help="Ocean board games, played to the letter: simulate, record, replay and score them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
pack_app = typer.Typer(help="Start and check content packs.", no_args_is_help=True)
app.add_typer(pack_app, name="pack")

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, see `pelagos games`.")]
Players = Annotated[int | None, typer.Option("--players", "-p", help="How many players.")]
Games = Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")]
Seed = Annotated[str, typer.Option("--seed", "-s", help="Any text: the same seed, the same games.")]
PackFolder = Annotated[
    Path | None, typer.Option("--pack", metavar="DIR", help="Play with this pack's material.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="K=V", help="A game option, such as troubled=true."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Language = Annotated[
    str, typer.Option("--lang", "-l", help="en or fr.", envvar="PELAGOS_LANG", show_default=False)
]
DEFAULT_LANGUAGE = "fr" if os.environ.get("LANG", "").startswith("fr") else "en"


def main() -> None:
    """Run the command line; a mistake gets one sentence and exit code 1."""
    try:
        app()
    except PelagosError as error:
        err.print(f"pelagos: {error}", style="red", markup=False)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except UnicodeEncodeError:
        err.print("pelagos: The command line isn't UTF-8 text.", style="red", markup=False)
        sys.exit(1)
    except OSError as error:
        err.print(f"pelagos: {error.filename}: {error.strerror}.", style="red", markup=False)
        sys.exit(1)


def print_json(data: Any) -> None:
    """One JSON value on standard output."""
    print(json.dumps(data, ensure_ascii=False))


def read_options(players: int | None, pairs: list[str] | None) -> dict[str, Any]:
    """Options from `--players` and `--option k=v`."""
    found: dict[str, Any] = {} if players is None else {"players": players}
    for pair in pairs or []:
        name, sign, value = pair.partition("=")
        if not sign:
            raise BadOption(f"--option takes name=value, not {short(pair)}.")
        lowered = value.strip().lower()
        if lowered in ("true", "yes", "on", "false", "no", "off"):
            found[name.strip()] = lowered in ("true", "yes", "on")
        elif re.fullmatch(r"-?[0-9]{1,9}", lowered):
            found[name.strip()] = int(lowered)
        else:
            raise BadOption(
                f"Option {short(name)} takes true, false or a number, not {short(value)}."
            )
    return found


def find_pack(game: Game, folder: Path | None) -> Pack:
    """The pack in a folder, or the default."""
    from pelagos.engine.pack import default_pack, load_pack

    return default_pack(game) if folder is None else load_pack(game, folder)


# --- games ------------------------------------------------------------------------------------


@app.command("games")
def list_games(as_json: AsJson = False, lang: Language = DEFAULT_LANGUAGE) -> None:
    """List the games: players, options, packs and where their material comes from."""
    found = [_describe(game) for game in games().values()]
    if as_json:
        print_json({"games": found})
        return
    for game, about in zip(games().values(), found, strict=True):
        title = game.titles.get(lang, game.titles["en"])
        out.print(f"[bold]{game.id}[/]  {title}, {', '.join(game.authors)}, {game.published}")
        out.print(f"  {game.about.get(lang, game.about['en'])}", markup=False)
        out.print(f"  players: {game.players[0]}–{game.players[-1]}, minutes: {game.minutes}")
        for option in game.options:
            values = "|".join(str(value).lower() for value in option.values)
            text = option.about.get(lang, option.about["en"])
            out.print(f"  option {option.name}={values}: {text}", markup=False)
        out.print(f"  pack {about['pack']['name']}:")
        for part, source in about["pack"]["provenance"].items():
            out.print(f"    {part}: {source}", markup=False)
        out.print()


def _describe(game: Game) -> dict[str, Any]:
    import tomllib
    from importlib.resources import files

    toml = (files(game.package) / "pack" / "pack.toml").read_text(encoding="utf-8")
    pack = tomllib.loads(toml)
    return {
        "id": game.id,
        "titles": dict(game.titles),
        "authors": list(game.authors),
        "published": game.published,
        "players": [game.players[0], game.players[-1]],
        "rules": game.rules,
        "options": [
            {"name": one.name, "default": one.default, "values": list(one.values)}
            for one in game.options
        ],
        "pack": {"name": pack["name"], "provenance": pack.get("provenance", {})},
    }


# --- packs ------------------------------------------------------------------------------------


@pack_app.command("new")
def new_pack(
    game: GameName,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that isn't there yet.")],
) -> None:
    """Start a pack of your own: a copy of the default one, to be changed."""
    found = find_game(game)
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise PelagosError(f"{folder} exists already; name a new folder.")
    pack = find_pack(found, None)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pack.files.items():
        if name == "pack.toml":
            name_line = f"name = {json.dumps(folder.name[:80] or 'mine', ensure_ascii=False)}"
            text = text.replace('name = "default"', name_line, 1)
        (folder / name).write_bytes(text.encode())
    out.print(f"{folder}: {', '.join(sorted(pack.files))}", markup=False)
    out.print(f"Change them, then: pelagos pack check {game} {folder}", markup=False)


@pack_app.command("check")
def check_pack(
    game: GameName,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The pack's folder.")],
    as_json: AsJson = False,
) -> None:
    """Check a pack: a mistake is named by file, line and reason."""
    pack = find_pack(find_game(game), folder)
    if as_json:
        print_json({"name": pack.name, "sha256": pack.sha256, "ok": True})
    else:
        out.print(f"{pack.name}: a good pack for {game} (sha256 {pack.sha256[:16]}…)", markup=False)


# --- simulate ---------------------------------------------------------------------------------


@app.command()
def simulate(
    game: GameName,
    players: Players = None,
    count: Games = 10_000,
    seed: Seed = "0",
    bots: Annotated[str, typer.Option(help="Who plays: random.")] = "random",
    threads: Annotated[int, typer.Option(min=1, max=256, help="How many threads.")] = 1,
    device: Annotated[str, typer.Option(help="cpu or gpu.")] = "cpu",
    pack: PackFolder = None,
    compare: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A second pack, side by side.")
    ] = None,
    option: Options = None,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.csv", help="One row a game.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play many games at random, each legal action equally likely, and count.

    Speed counts dealing, playing and scoring by compiled rules; compiling isn't counted, and
    chance steps are no decisions.
    """
    from pelagos.arena.simulate import CsvFile, run

    found = find_game(game)
    options = found.check_options(read_options(players, option))
    for bot in bots.split(","):
        if bot.strip() != "random":
            raise PelagosError(f"There is no bot {bot.strip()!r} here; there is: random.")
    packs = [find_pack(found, pack)] + ([find_pack(found, compare)] if compare else [])
    file = CsvFile(out_file, int(options["players"]), len(packs) > 1) if out_file else None
    tallies = []
    try:
        with progress(f"{found.id}", count * len(packs)) as advance:
            for one in packs:
                tallies.append(
                    run(found, one, options, count, seed, threads, device, advance, file)
                )
    finally:
        if file:
            file.close()
    if as_json:
        data = tallies[0].as_json()
        if len(tallies) > 1:
            data["compare"] = tallies[1].as_json()
        print_json(data)
        return
    _show_tallies(tallies, options)


def _show_tallies(tallies: list[Any], options: dict[str, Any]) -> None:
    first = tallies[0]
    out.print(
        f"{first.game.titles['en']}: {first.games} games, "
        + ", ".join(f"{name} {str(value).lower()}" for name, value in options.items()),
        markup=False,
    )
    for tally in tallies:
        table = Table(title=escape(f"pack {tally.pack.name}"), title_justify="left")
        for head in ("seat", "mean score", "95 %", "deviation", "lowest", "highest", "wins"):
            table.add_column(head, justify="right")
        for seat in range(tally.players):
            low, high = tally.interval(seat)
            table.add_row(
                str(seat),
                f"{tally.mean(seat):.2f}",
                f"{low:.2f} … {high:.2f}",
                f"{tally.deviation(seat):.1f}",
                str(tally.lowest[seat]),
                str(tally.highest[seat]),
                f"{100 * tally.wins[seat] / tally.games:.1f} %",
            )
        out.print(table)
        out.print(f"length: {tally.decisions / tally.games:.1f} decisions a game")
    out.print(
        f"{first.decisions_per_second:,.0f} decisions and "
        f"{first.games_per_second:,.0f} games a second ({first.seconds:.2f} s)"
    )


class progress:  # noqa: N801 - used as a function
    """A progress bar on standard error that also tells what is being compiled."""

    def __init__(self, title: str, total: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            console=err,
            transient=True,
            disable=not err.is_terminal,
        )
        self._title = title
        self._task = self._bar.add_task(title, total=total)

    def __enter__(self) -> Any:
        from pelagos.engine.rule import watch_compiling

        self._watch = watch_compiling(self._compiling)
        self._watch.__enter__()
        self._bar.__enter__()
        return self._advance

    def __exit__(self, *what: Any) -> None:
        self._bar.__exit__(*what)
        self._watch.__exit__(*what)

    def _compiling(self, name: str) -> None:
        short = name.rpartition(".")[2]
        self._bar.update(self._task, description=f"{self._title}: compiling {short}")

    def _advance(self, steps: int) -> None:
        self._bar.update(self._task, description=self._title, advance=steps)


# --- records ----------------------------------------------------------------------------------


@app.command()
def record(
    game: GameName,
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the files go.")],
    players: Players = None,
    count: Games = 1,
    seed: Seed = "0",
    pack: PackFolder = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Write whole games by random players as `*.pelagos.json`."""
    from pelagos.arena.simulate import random_match
    from pelagos.engine.record import SUFFIX

    found = find_game(game)
    options = found.check_options(read_options(players, option))
    material = find_pack(found, pack)
    folder.mkdir(parents=True, exist_ok=True)
    extras = "".join(f"-{name}" for name, value in options.items() if value is True)
    safe = "".join(letter if letter.isalnum() else "_" for letter in seed)[:40]
    files = []
    with progress(f"{found.id}", count) as advance:
        for index in range(count):
            match = random_match(found, material, options, seed, index)
            path = folder / f"{found.id}-{options['players']}{extras}-{safe}-{index:05d}{SUFFIX}"
            path.write_text(match.to_json() + "\n", encoding="utf-8")
            files.append(str(path))
            advance(1)
    if as_json:
        print_json({"files": files})
    else:
        out.print(f"{count} {'record' if count == 1 else 'records'} in {folder}", markup=False)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game record.")],
    at: Annotated[int | None, typer.Option("--at", min=0, help="Show the table at move N.")] = None,
    positions: Annotated[
        bool, typer.Option("--positions", help="One JSON line for each position, from 0.")
    ] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", help="Look through this seat's eyes.")
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
    as_json: AsJson = False,
) -> None:
    """Verify a record, and show the table as text at move N (the end, if not told)."""
    from pelagos.engine import record as records

    data = records.load(file)
    if positions:
        lines = [json.dumps(one, ensure_ascii=False) for one in records.positions(data)]
        print("\n".join(lines))
        return
    match = records.replay(data) if at is None else records.at(data, at)
    if as_json:
        print_json({"ok": True, "moves": len(data["moves"]), "view": match.view(seat)})
        return
    out.print(match.text(seat, lang), markup=False)
    checked = "deal and chance follow from the seed" if "seed" in data else "no seed"
    number = len(data["moves"]) if at is None else at
    out.print(
        f"move {number} of {len(data['moves'])}; every move is legal; {checked}.", markup=False
    )


# --- score ------------------------------------------------------------------------------------


@app.command()
def score(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A finished tableau as text.")],
    pack: PackFolder = None,
    lang: Language = DEFAULT_LANGUAGE,
    as_json: AsJson = False,
) -> None:
    """The score pad for people with the box: type in the tableau, get the sheet with its reasons.

    The format of each game is in the documentation, under "Score pad".
    """
    from pelagos.engine.errors import BadTableau
    from pelagos.engine.words import pack_words

    found = find_game(game)
    if not find_spec(f"{found.package}.tableau"):
        raise BadTableau(f"{found.id} has no score pad.")
    try:
        if file.stat().st_size > 100_000:
            raise BadTableau(f"{file.name} is larger than 100,000 bytes; a tableau is smaller.")
        text = file.read_bytes().decode()
    except OSError as error:
        raise BadTableau(f"{file} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise BadTableau(f"{file.name} isn't UTF-8 text (byte {error.start}).") from None
    material = find_pack(found, pack)
    pad = found.part("tableau").score(text, material)
    said = pack_words(material, lang)
    notes = [said.say(note, pad.names) for note in pad.notes]
    if as_json:
        print_json({"names": list(pad.names), "sheets": list(pad.sheets), "notes": notes})
        return
    for name, sheet in zip(pad.names, pad.sheets, strict=True):
        title = escape(f"{name}: {sheet['total']}")
        table = Table(title=title, title_justify="left", show_header=False)
        for line in sheet["lines"]:
            reasons = [
                f"{proof['points']:+d} {said.say(proof['reason'], pad.names)}"
                + (f" ({', '.join(_cells(proof['pieces']))})" if proof["pieces"] else "")
                for proof in line["evidence"]
            ]
            label = said.text(f"line.{line['key']}")
            table.add_row(label, str(line["points"]), escape("\n".join(reasons)))
        out.print(table)
    for note in notes:
        out.print(note, markup=False)


def _cells(pieces: list[str]) -> list[str]:
    """Pieces without the name of their place."""
    return [piece.rpartition(":")[2] for piece in pieces]


# --- play -------------------------------------------------------------------------------------


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game's id; without one, you are asked."),
    ] = None,
    players: Players = None,
    people: Annotated[int, typer.Option(min=1, help="People at this keyboard.")] = 1,
    seat: Annotated[int, typer.Option(min=1, help="Where you sit; 1 is first.")] = 1,
    level: Annotated[
        str, typer.Option(help="How strong all bots are: winkle, puffin, otter, dolphin, orca.")
    ] = "",
    bots: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="One bot or creature for each other seat.")
    ] = "",
    budget: Annotated[
        str | None, typer.Option(help="For bots and hints: 50ms, 2s or 1000sims.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", "-s", help="Any text: the same seed, the same deal.")
    ] = None,
    option: Options = None,
    pack: PackFolder = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the game is kept as you play.")
    ] = None,
    resume: Annotated[
        bool | None, typer.Option("--resume/--new", help="Go on with the saved game, or don't ask.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the record goes at the end.")
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    """Play in the terminal, against bots or with several people at one keyboard.

    The game is saved after each of your moves; the same command goes on with it.
    """
    from pelagos.terminal.start import start

    found = find_game(game) if game else None
    start(
        found,
        read_options(players, option),
        people=people,
        seat=seat,
        bots=[name.strip() for name in (bots or level).split(",") if name.strip()],
        budget=budget,
        language=lang,
        seed=seed,
        pack=find_pack(found, pack) if found else None,
        save=save,
        go_on=resume,
        record=record,
    )


# --- arena ------------------------------------------------------------------------------------


@app.command()
def arena(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="Bots or creatures: greedy, search@200ms, dolphin."),
    ],
    players: Players = None,
    count: Games = 100,
    seed: Seed = "0",
    budget: Annotated[str, typer.Option(help="For a decision: 50ms, 2s or 1000sims.")] = "50ms",
    processes: Annotated[
        int, typer.Option("--processes", "--threads", min=1, max=256, help="How many processes.")
    ] = 1,
    cluster: Annotated[bool, typer.Option("--cluster", help="Play on a Ray cluster.")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep every game here, and go on from what is here."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a report with plots.")
    ] = None,
    option: Options = None,
    pack: PackFolder = None,
    times: Annotated[bool, typer.Option(help="Tell times in the JSON, which never repeat.")] = True,
    as_json: AsJson = False,
) -> None:
    """Let bots play against each other: every deal in every seating, with 95 % intervals.

    `--games` is rounded up to whole deals. With a budget of simulations the games are the same to
    the last move on any machine and any number of processes. Alone (`--players 1`) bots are
    compared by their scores on the same deals.
    """
    from pelagos.arena.host import host
    from pelagos.arena.report import write_report
    from pelagos.arena.show import show
    from pelagos.arena.tournament import Plan
    from pelagos.bots import Budget

    found = find_game(game)
    chosen = read_options(players, option)
    material = find_pack(found, pack)
    plan = Plan.make(found, chosen, seed, bots, Budget.parse(budget), material)
    with progress(found.id, len(list(plan.fixtures(count)))) as advance:
        standings, left = host(
            plan, count, workers=processes, on_cluster=cluster, file=resume, advance=advance
        )
    if report:
        write_report(standings, report)
    if as_json:
        print_json(standings.as_json(times))
    else:
        show(standings, out)
    if left:
        again = f"the same command goes on from {resume}" if resume else "--resume FILE keeps them"
        err.print(f"pelagos: interrupted with {left} games to go; {again}.", markup=False)
        sys.exit(130)


# --- tables -----------------------------------------------------------------------------------

DataFolder = Annotated[
    Path, typer.Option("--data", metavar="DIR", help="Where the tables are kept (SQLite).")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="A PostgreSQL database instead: postgresql://user@host/name.",
        envvar="PELAGOS_DATABASE",
        show_default=False,
    ),
]
DEFAULT_DATA = Path("pelagos-data")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
    data: DataFolder = DEFAULT_DATA,
    database: Database = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="For everyone on this network: shows a QR code.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--open", help="Make all ready, and open the browser.")
    ] = False,
) -> None:
    """Serve live tables: the pages, the JSON API and its event streams."""
    from pelagos.web.serve import serve as run

    run(host, port, database or data, lan=lan, browser=browser)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A finished game's record.")],
    as_json: AsJson = False,
) -> None:
    """Verify a game that was played at a table: its moves, and that nobody chose the cards."""
    from pelagos.tables.serve import verify as check

    found = check(file)
    if as_json:
        print_json(found)
        return
    out.print(f"{found['moves']} moves, all legal; the result is right.", markup=False)
    out.print("The secret is the one that was committed to before anyone sat down.", markup=False)
    out.print("The seed follows from it and the seats' bytes; the deal follows.", markup=False)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that isn't there yet.")],
    data: DataFolder = DEFAULT_DATA,
    database: Database = None,
) -> None:
    """Copy all tables into one SQLite file, while the server runs."""
    from pelagos.tables.serve import backup as copy

    rows = copy(database or data, file)
    out.print(f"{rows} rows in {file}", markup=False)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the records go.")],
    data: DataFolder = DEFAULT_DATA,
    database: Database = None,
) -> None:
    """Write the record of every finished game as `*.pelagos.json`."""
    from pelagos.tables.serve import export as write

    records, tables = write(database or data, folder)
    out.print(f"{records} records of {tables} tables in {folder}", markup=False)


# --- doctor -----------------------------------------------------------------------------------


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Tell what is installed, compiled and cached, which speeds work here, and what is missing."""
    from pelagos.arena.doctor import examine

    with err.status("examining"):
        found = examine()
    if as_json:
        print_json(found)
        return
    for title, lines in found.items():
        out.print(f"[bold]{title}[/]")
        for name, value in lines.items():
            out.print(f"  {name}: {value}", markup=False)


if __name__ == "__main__":
    main()
