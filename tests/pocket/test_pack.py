"""What Python in browsers is given: bytecode without its documentation, all in one piece."""

from __future__ import annotations

import asyncio
import gzip
import importlib.util
import json
import marshal
from pathlib import Path

import pytest
from jinja2 import ModuleLoader

from pelagos.engine.game import games
from pelagos.pocket.build import compiled_templates, pack
from pelagos.pocket.bytecode import bytecode
from pelagos.pocket.worker import TEMPLATES
from pelagos.web.drawing import templates
from pocket.visitor import Visitor

SOURCE = b'''"""About a module."""

from __future__ import annotations


def checked(number: Unknown) -> int:
    """Only this and what follows."""
    assert number > 0, "too small"
    return number


class Empty:
    """Nothing else."""
'''


def test_bytecode_does_what_the_source_did_without_its_documentation() -> None:
    compiled = bytecode(SOURCE, "some/module.py")
    assert compiled.startswith(importlib.util.MAGIC_NUMBER + b"\1\0\0\0")
    code = marshal.loads(compiled[16:])
    assert code.co_filename == "some/module.py"
    module: dict[str, object] = {"__name__": "module"}
    exec(code, module)
    checked, empty = module["checked"], module["Empty"]
    assert callable(checked)
    assert checked(3) == 3
    with pytest.raises(AssertionError, match="too small"):
        checked(0)
    assert [checked.__doc__, empty.__doc__, module.get("__doc__")] == [None, None, None]


def test_a_pack_holds_every_file_whole() -> None:
    contents = {"b/two.txt": b"two", "a.pyc": bytes(range(256)), "b/empty.txt": b""}
    opened = gzip.decompress(pack(contents))
    end = 4 + int.from_bytes(opened[:4], "little")
    unpacked = {}
    for name, size in json.loads(opened[4:end]).items():
        unpacked[name] = opened[end : end + size]
        end += size
    assert unpacked == contents
    assert end == len(opened)
    assert pack(dict(reversed(contents.items()))) == pack(contents)


def test_templates_that_are_compiled_already_draw_the_same_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def pages() -> list[str]:
        visitor = Visitor({})
        await visitor.pocket.open()
        drawn = [(await visitor.ask(address)).text for address in ("/", "/rules/minnows", "/none")]
        await visitor.pocket.close()
        return drawn

    from_sources = asyncio.run(pages())
    (tmp_path / TEMPLATES).mkdir()
    for name, code in compiled_templates(list(games().values())).items():
        (tmp_path / name).write_bytes(code)
    environment = templates.environment()
    with monkeypatch.context() as patched:
        assert environment.cache is not None
        environment.cache.clear()
        patched.setattr(environment, "loader", ModuleLoader(tmp_path / TEMPLATES))
        assert asyncio.run(pages()) == from_sources
        for name in templates.names(games()):
            assert environment.get_template(name).name == name
        environment.cache.clear()
