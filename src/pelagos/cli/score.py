"""`pelagos score`: the score pad."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from pelagos.cli.app import app
from pelagos.cli.options import (
    DEFAULT_LANGUAGE,
    AsJson,
    GameName,
    Language,
    PackFolder,
    find_pack,
)
from pelagos.cli.output import out, print_json
from pelagos.engine.errors import BadTableau, text
from pelagos.engine.game import find_game

LARGEST = 100_000
"""Bytes; a tableau is smaller."""


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
    from pelagos.engine.words import pack_words

    installed = find_game(game)
    if not find_spec(f"{installed.package}.tableau"):
        raise BadTableau(text("cli/refuse.no_pad", game=installed.id))
    material = find_pack(installed, pack)
    pad = installed.part("tableau").score(_read(file), material)
    words = pack_words(material, lang)
    notes = [words.say(note, pad.names) for note in pad.notes]
    if as_json:
        print_json(
            {
                "names": list(pad.names),
                "sheets": list(pad.sheets),
                "notes": notes,
                "groups": [
                    {words.say(group.label): group.points for group in groups}
                    for groups in pad.groups
                ],
                "winners": list(pad.winners),
                "tie_break": words.say(pad.tie_break, pad.names) if pad.tie_break else None,
            }
        )
        return
    for seat, (name, sheet) in enumerate(zip(pad.names, pad.sheets, strict=True)):
        title = escape(f"{name}: {sheet['total']}")
        table = Table(title=title, title_justify="left", show_header=False)
        for line in sheet["lines"]:
            reasons = [
                f"{proof['points']:+d} {words.say(proof['reason'], pad.names)}"
                + (f" ({', '.join(_cells(proof['pieces']))})" if proof["pieces"] else "")
                for proof in line["evidence"]
            ]
            label = words.text(f"line.{line['key']}")
            table.add_row(label, str(line["points"]), escape("\n".join(reasons)))
        for place, group in enumerate(pad.groups[seat] if pad.groups else ()):
            if not place:
                table.add_section()
            table.add_row(words.say(group.label), str(group.points), group.note)
        out.print(table)
    for note in notes:
        out.print(note, markup=False)


def _read(file: Path) -> str:
    """A tableau's text; a clear sentence if it can't be one."""
    try:
        if file.stat().st_size > LARGEST:
            raise BadTableau(text("cli/refuse.tableau_large", file=file.name))
        return file.read_bytes().decode()
    except OSError as error:
        reason = str(error.strerror)
        raise BadTableau(text("refuse.unreadable", file=str(file), reason=reason)) from None
    except UnicodeDecodeError as error:
        raise BadTableau(text("refuse.not_text", file=file.name, byte=error.start)) from None


def _cells(pieces: list[str]) -> list[str]:
    """Pieces without the name of their place."""
    return [piece.rpartition(":")[2] for piece in pieces]
