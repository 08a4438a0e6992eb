"""`pelagos doctor`: what works here."""

from __future__ import annotations

from pelagos.cli.app import app
from pelagos.cli.options import AsJson
from pelagos.cli.output import err, out, print_json


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Tell what is installed, compiled and cached, which speeds work here, and what is missing."""
    from pelagos.arena.doctor import examine

    with err.status("examining"):
        findings = examine()
    if as_json:
        print_json(findings)
        return
    for title, lines in findings.items():
        out.print(f"[bold]{title}[/]")
        for name, value in lines.items():
            out.print(f"  {name}: {value}", markup=False)
