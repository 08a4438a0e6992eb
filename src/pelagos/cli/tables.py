"""`pelagos serve`, `settings`, `verify`, `backup`, `rotate` and `export`: live tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pelagos.cli.app import app
from pelagos.cli.options import AsJson
from pelagos.cli.output import out, print_json
from pelagos.engine.errors import PelagosError, text

DataFolder = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where the tables are kept (SQLite): pelagos-data."),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="A PostgreSQL database instead: postgresql://user@host/name.",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Settings in a TOML file; `pelagos settings` lists them.",
        envvar="PELAGOS_CONFIG",
        show_default=False,
    ),
]


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen at: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port: 8000.")] = None,
    data: DataFolder = None,
    database: Database = None,
    config: ConfigFile = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="For everyone on this network: shows a QR code.")
    ] = False,
    browser: Annotated[bool, typer.Option("--open", help="Open the browser.")] = False,
) -> None:
    """Serve live tables: the pages, the JSON API and its event streams."""
    from pelagos.tables.settings import read_settings
    from pelagos.web.serve import serve as run

    settings = read_settings(config, host=host, port=port, data=data, database=database)
    run(settings.host, settings.port, settings.where, settings, lan=lan, browser=browser)


@app.command()
def settings(as_json: AsJson = False) -> None:
    """Print what a server can be set to: a TOML file with every default in it, commented out."""
    from pelagos.tables.settings import all_settings

    if as_json:
        print_json([each.as_json() for each in all_settings()])
        return
    for each in all_settings():
        out.print(f"# {each.about} ({each.variable})", markup=False)
        out.print(f"#{each.key} = {each.toml}\n", markup=False)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A finished game's record.")],
    as_json: AsJson = False,
) -> None:
    """Verify a game that was played at a table: its moves, and that nobody chose the cards."""
    from pelagos.tables.serve import verify as check

    findings = check(file)
    if as_json:
        print_json(findings)
        return
    if "other_rules" in findings:
        versions = "Played by version {version} of the rules; checked by version {installed}."
        out.print(versions.format(**findings["other_rules"]), markup=False)
    out.print(f"{findings['moves']} moves, all legal; the result is right.", markup=False)
    out.print("The secret is the one that was committed to before anyone sat down.", markup=False)
    beacon = findings.get("beacon")
    mixed = f", and round {beacon['round']} of a public beacon" if beacon else ""
    out.print(
        f"The seed follows from it and the seats' bytes{mixed}; the deal follows.", markup=False
    )
    if beacon:
        address = f"{beacon['address']}/public/{beacon['round']}"
        out.print(f"The beacon's signature wasn't checked: compare it with {address}", markup=False)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that isn't there yet.")],
    data: DataFolder = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Copy all tables into one SQLite file, while the server runs."""
    from pelagos.tables.serve import backup as copy
    from pelagos.tables.settings import read_settings

    rows = copy(read_settings(config, data=data, database=database).where, file)
    out.print(f"{rows} rows in {file}", markup=False)


@app.command()
def rotate(
    days: Annotated[
        float, typer.Option("--keep", metavar="DAYS", min=0, help="The old key is good so long.")
    ] = 30,
    data: DataFolder = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Let a new key sign seats, while the server runs; what the old one signed is good for a while.

    Browsers get the new signature when they next open their table. With `--keep 0` everybody
    loses their seats at once: for a key that was stolen.
    """
    from pelagos.tables.serve import rotate as replace
    from pelagos.tables.settings import read_settings

    replace(read_settings(config, data=data, database=database).where, days)
    out.print(f"A new key signs seats; the old one is good for {days:g} more days.", markup=False)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the records go.")],
    data: DataFolder = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Write the record of every finished game as `*.pelagos.json`."""
    from pelagos.tables.serve import export as write
    from pelagos.tables.settings import read_settings

    done = write(read_settings(config, data=data, database=database).where, folder)
    for table, why in done.stopped.items():
        out.print(f"Table {table}: {why}", markup=False)
    if not done.records:
        raise PelagosError(text("cli/refuse.nothing_exported", tables=done.tables))
    out.print(f"{done.records} records of {done.tables} tables in {folder}", markup=False)
    if done.other_rules:
        out.print(
            f"{done.other_rules} of them were played by other versions of the rules; the installed "
            "ones fit them to their end.",
            markup=False,
        )
