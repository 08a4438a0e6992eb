"""Content packs: a game's material as files, checked when they are read."""

from __future__ import annotations

import csv
import hashlib
import io
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resource_files
from pathlib import Path
from typing import Any

from pelagos.engine.errors import BadPack
from pelagos.engine.game import Game
from pelagos.engine.types import Array

LARGEST = 1_000_000


@dataclass(frozen=True)
class Pack:
    """Material that a game can be played with."""

    game: Game
    name: str
    provenance: Mapping[str, str]
    files: Mapping[str, str]
    data: Array
    """One record, read-only: what rules are given."""

    @property
    def sha256(self) -> str:
        """Of the files' bytes, concatenated in name order."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            digest.update(self.files[name].encode())
        return digest.hexdigest()

    @property
    def is_default(self) -> bool:
        """Is it the pack that comes with the game?"""
        return self.sha256 == default_pack(self.game).sha256


@cache
def default_pack(game: Game) -> Pack:
    """The pack that comes with the game."""
    folder = resource_files(game.package) / "pack"
    found = {
        file.name: file.read_bytes().decode()
        for file in folder.iterdir()
        if file.name.endswith((".csv", ".toml"))
    }
    return make_pack(game, found)


def load_pack(game: Game, folder: Path | str) -> Pack:
    """A pack from a folder, checked."""
    folder = Path(folder)
    if not folder.is_dir():
        raise BadPack(f"{folder} is no folder; a pack is a folder of files, see `pelagos pack new`.")
    found = {}
    for file in sorted(folder.iterdir()):
        if file.name.startswith(".") or not file.is_file():
            continue
        if file.stat().st_size > LARGEST:
            raise BadPack(f"{file.name}: larger than {LARGEST} bytes; a pack's files are small.")
        try:
            found[file.name] = file.read_bytes().decode()
        except UnicodeDecodeError as error:
            raise BadPack(f"{file.name}: not UTF-8 text (byte {error.start}).") from None
    return make_pack(game, found)


def make_pack(game: Game, found: Mapping[str, str]) -> Pack:
    """A pack from its files' texts, checked."""
    material = game.part("material")
    expected = ("pack.toml", *material.FILES)
    for name in expected:
        if name not in found:
            raise BadPack(f"{name}: missing; a pack of {game.id} has {', '.join(expected)}.")
    for name in found:
        if name not in expected:
            raise BadPack(f"{name}: not a file of {game.id}'s packs, which have {', '.join(expected)}.")
    about = read_toml(found, "pack.toml")
    name = about.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > 80:
        raise BadPack("pack.toml: name must be a text of 1 to 80 characters.")
    provenance = about.get("provenance", {})
    if not isinstance(provenance, dict) or not all(isinstance(v, str) for v in provenance.values()):
        raise BadPack("pack.toml: provenance must be a table of texts.")
    data = material.load(found)
    data.setflags(write=False)
    return Pack(game, name, provenance, dict(found), data)


# --- reading a pack's files -----------------------------------------------------------------------


def read_toml(found: Mapping[str, str], name: str) -> dict[str, Any]:
    """A TOML file of a pack."""
    try:
        return tomllib.loads(found[name])
    except tomllib.TOMLDecodeError as error:
        raise BadPack(f"{name}: {error}.") from None


@dataclass(frozen=True)
class Row:
    """A line of a CSV file, which can say what is wrong with it."""

    file: str
    line: int
    cells: Mapping[str, str]

    def wrong(self, reason: str) -> BadPack:
        """An error that names file and line."""
        return BadPack(f"{self.file}, line {self.line}: {reason}")

    def text(self, column: str) -> str:
        """A cell that must not be empty."""
        value = self.cells[column].strip()
        if not value:
            raise self.wrong(f"{column} is empty.")
        return value

    def number(self, column: str, lowest: int, highest: int) -> int:
        """A whole number within its range."""
        value = self.cells[column].strip()
        if not value.lstrip("-").isascii() or not value.lstrip("-").isdigit():
            raise self.wrong(f"{column} must be a whole number, not {value!r}.")
        number = int(value[:12])
        if not lowest <= number <= highest:
            raise self.wrong(f"{column} must be from {lowest} to {highest}, not {value}.")
        return number


def read_table(found: Mapping[str, str], name: str, columns: tuple[str, ...]) -> list[Row]:
    """The rows of a CSV file that has at least these columns."""
    return list(_rows(found[name], name, columns))


def _rows(text: str, name: str, columns: tuple[str, ...]) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        for column in columns:
            if column not in header:
                raise BadPack(f"{name}, line 1: there is no column {column!r}.")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise BadPack(
                    f"{name}, line {reader.line_num}: {len(cells)} cells "
                    f"where the header has {len(header)}."
                )
            yield Row(name, reader.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise BadPack(f"{name}, line {reader.line_num}: {error}.") from None
