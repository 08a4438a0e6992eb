"""Write the table of settings into docs/hosting.md, from the settings themselves."""

from __future__ import annotations

from pathlib import Path

from pelagos.tables.settings import all_settings

PAGE = Path(__file__).parents[1] / "docs" / "hosting.md"
HEAD = "| in a file | in the environment | default | sets |\n|---|---|---|---|\n"


def table() -> str:
    """The settings as a Markdown table."""
    return HEAD + "".join(
        f"| `{each.key}` | `{each.variable}` | {each.shown} | {each.about} |\n"
        for each in all_settings()
    )


def main() -> None:
    """Put the table where the old one is."""
    before, head, rest = PAGE.read_text(encoding="utf-8").partition(HEAD)
    assert head
    after = rest[rest.index("\n\n") + 1 :]
    PAGE.write_text(before + table() + after, encoding="utf-8")


if __name__ == "__main__":
    main()
