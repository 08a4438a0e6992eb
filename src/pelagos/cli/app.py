"""The command line's own commands, to which each module adds its own."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="Ocean board games, played to the letter: simulate, record, replay and score them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
pack_app = typer.Typer(help="Start and check content packs.", no_args_is_help=True)
app.add_typer(pack_app, name="pack")
