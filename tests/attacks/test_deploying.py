"""What lies in `hosting`: the unit and the image start a server as written, alerts ask for numbers
that there are.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from configparser import RawConfigParser
from pathlib import Path

import httpx
import pytest
import yaml

import debian
from pelagos.tables.database import FILE
from places import ROOT
from tabling import Server, free_port

HOSTING = ROOT / "hosting"
NAME = re.compile(r"\b(?:pelagos|process)_[a-z_]+\b")
OF_PROMETHEUS = re.compile(r"_(bucket|sum|count)$")
USUAL = {"PELAGOS_COMPILE_AHEAD": "off", "PELAGOS_THINKERS": "1"}


def run_until_well(
    words: Sequence[str], settings: Mapping[str, str], port: int, check: Sequence[str] = ()
) -> None:
    """Start a server, wait until it is well, ask how it is by `check`, and stop it by SIGTERM."""
    settings = {**os.environ, **USUAL, **settings}
    with subprocess.Popen(words, env=settings, stderr=subprocess.PIPE, text=True) as process:
        try:
            while True:
                assert process.poll() is None, process.stderr and process.stderr.read()
                try:
                    if httpx.get(f"http://127.0.0.1:{port}/health", timeout=None).is_success:
                        break
                except httpx.TransportError:
                    time.sleep(0.05)
            if check:
                subprocess.run(check, env=settings, check=True)
        finally:
            process.terminate()
            process.communicate()
    assert process.returncode in (0, -15)


def install(file: Path) -> None:
    """`pelagos`, where a virtual environment or an image has it."""
    file.parent.mkdir(parents=True)
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pelagos.cli "$@"\n')
    file.chmod(0o755)


def unit() -> RawConfigParser:
    parser = RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(HOSTING / "pelagos.service")
    return parser


def test_the_unit_starts_a_server_as_written(tmp_path: Path) -> None:
    service, port = unit()["Service"], free_port()
    root = str(tmp_path / "root")
    words = [re.sub(r"^/", f"{root}/", word) for word in shlex.split(service["ExecStart"])]
    install(Path(words[0]))
    config = Path(words[words.index("--config") + 1])
    config.parent.mkdir(parents=True)
    config.write_text(f"port = {port}\n")
    state, cache = tmp_path / "state", os.environ.get("PELAGOS_CACHE", "")
    state.mkdir()
    environment = (
        service["Environment"].replace("%S", str(state)).replace("%C", str(tmp_path / "cache"))
    )
    settings = dict(word.split("=", 1) for word in shlex.split(environment))
    assert settings["PELAGOS_CACHE"].startswith(str(tmp_path))
    run_until_well(words, {**settings, "PELAGOS_CACHE": cache}, port)
    assert (state / service["StateDirectory"] / FILE).stat().st_mode & 0o077 == 0


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        debian.install("systemd", "the test of its unit")
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd isn't here; apt-get install systemd brings it")
    executable = tmp_path / "pelagos"
    executable.write_text("#!/bin/sh\n")
    executable.chmod(0o755)
    command = unit()["Service"]["ExecStart"].split()[0]
    there = (HOSTING / "pelagos.service").read_text().replace(command, str(executable))
    file = tmp_path / "pelagos.service"
    file.write_text(there)
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "pelagos.service" not in verified.stderr, verified.stderr


def instructions() -> list[tuple[str, str]]:
    lines = (HOSTING / "Containerfile").read_text().splitlines()
    written = [line for line in lines if line and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in written]


def test_the_image_s_last_words_start_a_server(tmp_path: Path) -> None:
    """Its files come from a registry, which isn't here; what it runs does."""
    said: dict[str, str] = {}
    environment: dict[str, str] = {}
    for word, rest in instructions():
        if word == "ENV":
            name, _, value = rest.partition("=")
            environment[name] = value
        said[word] = rest
    assert said["USER"] == "10001"
    volume = said["VOLUME"]
    inside = {name for name, value in environment.items() if value.startswith(volume)}
    assert inside == {"PELAGOS_DATA", "PELAGOS_CACHE"}
    assert environment["PELAGOS_PORT"] == said["EXPOSE"]
    port = free_port()
    environment |= {"PELAGOS_PORT": str(port), "PELAGOS_HOST": "127.0.0.1"}
    environment["PELAGOS_DATA"] = environment["PELAGOS_DATA"].replace(volume, str(tmp_path))
    environment["PELAGOS_CACHE"] = os.environ.get("PELAGOS_CACHE", "")
    binaries = tmp_path / "bin"
    install(binaries / "pelagos")
    environment["PATH"] = f"{binaries}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    words = json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"])
    words[0] = str(binaries / words[0])
    check = json.loads(said["HEALTHCHECK"].removeprefix("CMD "))
    run_until_well(words, environment, port, [sys.executable, *check[1:]])
    assert (tmp_path / "tables" / FILE).exists()


def test_alerts_and_dashboard_ask_for_numbers_that_there_are(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        measured = set(re.findall(r"^# TYPE (\S+)", server.metrics(), re.M))
        assert "pelagos_disk_free_bytes{" in server.metrics()
    rules = yaml.safe_load((HOSTING / "alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((HOSTING / "grafana.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]
    for expression in asked:
        names = set(NAME.findall(expression)) - {"process_name"}
        for name in names:
            assert name in measured or OF_PROMETHEUS.sub("", name) in measured, expression
        assert names or "up{" in expression
    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert all(rule["for"] and rule["annotations"]["summary"] for rule in rules)
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert not [
        name
        for name in measured
        if name.startswith("pelagos_") and name not in page and not name.endswith("_created")
    ]
