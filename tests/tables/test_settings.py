"""How a server is set by its environment, and what it writes into its log."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest

from pelagos.engine.errors import PelagosError
from pelagos.tables import logs
from pelagos.tables.settings import Settings, read_settings


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
