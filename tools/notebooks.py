"""Notebooks of the documentation: run them, and show them as pages.

`python tools/notebooks.py docs/notebooks/learn.ipynb` runs a notebook and writes what it printed
into it. mkdocs (`hooks:` in mkdocs.yml) makes a page of each.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def cells(notebook: Path) -> list[dict[str, Any]]:
    """A notebook's cells, from top to bottom."""
    content: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    return list(content["cells"])


def run(cell: dict[str, Any], names: dict[str, Any]) -> str:
    """Run a cell of code; return what it printed, and its last expression."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def run_all(notebook: Path) -> list[str]:
    """Run a notebook from top to bottom; return what each cell of code printed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [run(cell, names) for cell in cells(notebook) if cell["cell_type"] == "code"]


def fill(notebook: Path) -> None:
    """Run a notebook, and write what it printed into it."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    codes = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    for number, (cell, printed) in enumerate(zip(codes, run_all(notebook), strict=True), 1):
        stream = {"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)}
        cell.update(execution_count=number, outputs=[stream] if printed else [])
    notebook.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def as_page(notebook: Path) -> str:
    """A notebook in Markdown."""
    parts = []
    for cell in cells(notebook):
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            parts.append(f"```text\n{''.join(output['text']).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


# --- mkdocs' hooks --------------------------------------------------------------------------------


def on_files(files: Any, config: Any) -> Any:
    """Make a page of each notebook."""
    from mkdocs.structure.files import File

    for file in list(files):
        if file.src_uri.endswith(".ipynb"):
            page = file.src_uri.removesuffix(".ipynb") + ".md"
            files.append(File.generated(config, page, content=as_page(Path(file.abs_src_path))))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let links to a notebook lead to its page."""
    return markdown.replace(".ipynb)", ".md)")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        fill(Path(name))
