"""Run by Pyodide while the site is built (`compile.mjs`): sources to bytecode of its own version.

Browsers compile nothing then, which is most of the work of a start. Docstrings are left out, and
so are columns (by PYTHONNODEBUGRANGES): tracebacks name lines, and the files stay small.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import marshal
import zipfile

UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""A .pyc's flags and hash, of one that is compared with no source."""
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def compile_all(archive: bytes) -> bytes:
    """A zip file of sources, compiled, under the same names."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(archive)) as sources,
        zipfile.ZipFile(out, "w") as compiled,
    ):
        for name in sources.namelist():
            compiled.writestr(name, bytecode(sources.read(name), name))
    return out.getvalue()


def bytecode(source: bytes, name: str) -> bytes:
    """What a .pyc file holds."""
    tree = ast.parse(source, name)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if node.body[1:] else [ast.copy_location(ast.Pass(), node.body[0])]
    code = compile(tree, name, "exec", 0, True, 0)  # without this file's own futures; with asserts
    return importlib.util.MAGIC_NUMBER + UNCHECKED + marshal.dumps(code)
