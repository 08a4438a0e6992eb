"""How a server is set by its environment and by a file, and what it writes into its log."""

from __future__ import annotations

import io
import json
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pelagos.engine.errors import PelagosError
from pelagos.tables import logs
from pelagos.tables.settings import Settings, all_settings, read_settings
from places import ROOT


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("limits", "off", False),
        ("limits", "on", True),
        ("pause", "0.4,1.6", (0.4, 1.6)),
        ("pause", "0", (0.0, 0.0)),
        ("thinkers", "3", 3),
        ("beat", "2.5", 2.5),
        ("beat", "", Settings().beat),
    ],
)
def test_the_environment_sets_a_server(
    name: str, value: str, meant: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"PELAGOS_{name.upper()}", value)
    assert getattr(read_settings(), name) == meant


@pytest.mark.parametrize(
    ("name", "value"),
    [("BEAT", "soon"), ("STREAMS", "1.5"), ("LIMITS", "perhaps"), ("PAUSE", "1,x"), ("LEASE", "0")],
)
def test_a_wrong_value_gets_a_sentence(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"PELAGOS_{name}", value)
    with pytest.raises(PelagosError, match=f"PELAGOS_{name} can't be '{value}': "):
        read_settings()


def write(folder: Path, text: str) -> Path:
    file = folder / "pelagos.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_sets_what_the_environment_and_the_command_line_don_t(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(
        tmp_path,
        """
        hosts = ["Play.example.org"]
        proxies = ["10.0.0.0/8", "::1"]
        pause = [0.1, 0.2]
        limits = false
        beat = 3
        port = 9000
        database = "postgresql://somewhere/else"
        """,
    )
    monkeypatch.setenv("PELAGOS_BEAT", "7")
    monkeypatch.setenv("PELAGOS_LIMITS", "")
    settings = read_settings(file, port=9001, host=None)
    assert settings.hosts == ("play.example.org",)
    assert settings.proxies == ("10.0.0.0/8", "::1")
    assert settings.pause == (0.1, 0.2)
    assert not settings.limits
    assert settings.beat == 7
    assert (settings.host, settings.port) == ("127.0.0.1", 9001)
    assert settings.where == "postgresql://somewhere/else"
    assert read_settings(file, data=Path("here")).where == Path("here")


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("beats = 3", "sets beats, but there is no such setting; the nearest is beat"),
        ("beat = 'soon'", "beat (FILE) can't be 'soon': "),
        (
            "proxies = ['example.org']",
            "proxies (FILE) can't be ['example.org']: 'example.org' does",
        ),
        ("proxies = ['*']", "proxies (FILE) can't be ['*']: "),
        ("port = 70000", "port (FILE) can't be 70000: "),
        ("[server]\nbeat = 3", "sets server, but there is no such setting"),
        ("beat 3", "FILE can't be read as TOML: "),
        (None, "FILE can't be read as TOML: No such file"),
    ],
)
def test_a_file_that_is_wrong_gets_a_sentence(
    tmp_path: Path, written: str | None, sentence: str
) -> None:
    file = tmp_path / "pelagos.toml"
    if written is not None:
        write(tmp_path, written)
    with pytest.raises(PelagosError) as error:
        read_settings(file)
    assert sentence.replace("FILE", str(file)) in str(error.value)


def test_the_printed_file_sets_every_default(tmp_path: Path) -> None:
    lines = [f"{each.key} = {each.toml}" for each in all_settings()]
    assert read_settings(write(tmp_path, "\n".join(lines))) == Settings()
    assert tomllib.loads("\n".join(lines)).keys() == Settings.model_fields.keys()
    assert all(each.about.endswith((".", "?")) for each in all_settings())


def test_the_documentation_has_every_setting() -> None:
    written = runpy.run_path(str(ROOT / "tools" / "settings_table.py"))
    page = written["PAGE"].read_text(encoding="utf-8")
    assert written["table"]() in page, "python tools/settings_table.py"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    out = io.StringIO()
    logs.open_log(out)
    yield out
    logs.close_log()


def test_a_line_of_the_log_is_json_with_when_and_what(written: io.StringIO) -> None:
    logs.tell("created", table="abc", game="minnows", error=ValueError("é"))
    line = json.loads(written.getvalue())
    assert list(line) == ["at", "what", "table", "game", "error"]
    assert line["what"] == "created"
    assert line["error"] == "é"


def test_a_secret_is_not_written_whoever_passes_it_on(written: io.StringIO) -> None:
    logs.tell("sat", table="abc", token="t0p", secret="s3cret", name="Ada", bytes="00ff")
    assert json.loads(written.getvalue()).keys() == {"at", "what", "table"}


def test_a_closed_log_writes_nothing(written: io.StringIO) -> None:
    logs.close_log()
    logs.tell("created")
    assert written.getvalue() == ""
