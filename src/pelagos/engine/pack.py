"""Content packs: a game's material as files, checked when they are read."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files as resource_files
from pathlib import Path
from typing import Any

from pelagos.engine.errors import BadPack, Text, short, text
from pelagos.engine.game import Game
from pelagos.engine.types import Array

LARGEST = 1_000_000
LONGEST_REASON = 200
LONGEST_NUMBER = 12


@dataclass(frozen=True)
class Pack:
    """Material that a game can be played with."""

    game: Game
    name: str
    provenance: Mapping[str, str]
    files: Mapping[str, str]
    data: Array
    """One record, read-only: what rules are given."""

    @cached_property
    def sha256(self) -> str:
        """Of the files' bytes, concatenated in name order."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            digest.update(self.files[name].encode())
        return digest.hexdigest()

    def names(self, language: str) -> dict[str, str]:
        """The things that this pack names otherwise than the default one, by id."""
        usual = default_pack(self.game)._names(language)
        own = self._names(language)
        return {key: name for key, name in own.items() if usual.get(key) != name}

    def _names(self, language: str) -> dict[str, str]:
        column = f"name_{language}"
        names: dict[str, str] = {}
        for file, content in self.files.items():
            header = content.removeprefix("\ufeff").partition("\n")[0]
            if file.endswith(".csv") and {"id", column} <= {
                cell.strip() for cell in header.split(",")
            }:
                rows = read_table(self.files, file, ("id", column))
                names.update((row.text("id"), row.text(column)) for row in rows)
        return names

    @property
    def is_default(self) -> bool:
        """Is it the pack that comes with the game?"""
        return self.sha256 == default_pack(self.game).sha256


@cache
def default_pack(game: Game) -> Pack:
    """The pack that comes with the game."""
    folder = resource_files(game.package) / "pack"
    texts = {
        file.name: file.read_bytes().decode()
        for file in folder.iterdir()
        if file.name.endswith((".csv", ".toml"))
    }
    return make_pack(game, texts)


def load_pack(game: Game, folder: Path | str) -> Pack:
    """A pack from a folder, checked."""
    folder = Path(folder)
    if not folder.is_dir():
        raise BadPack(text("refuse.pack_folder", folder=str(folder)))
    texts = {}
    try:
        for file in sorted(folder.iterdir()):
            if not file.name.startswith(".") and file.is_file():
                texts[file.name] = _read(file)
    except OSError as error:
        raise BadPack(
            text("refuse.unreadable", file=str(folder), reason=str(error.strerror))
        ) from None
    return make_pack(game, texts)


def _read(file: Path) -> str:
    if file.stat().st_size > LARGEST:
        raise BadPack(text("refuse.pack_large", file=file.name, most=LARGEST))
    try:
        return file.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise BadPack(text("refuse.pack_not_text", file=file.name, byte=error.start)) from None


def make_pack(game: Game, texts: Mapping[str, str]) -> Pack:
    """A pack from its files' texts, checked."""
    material = game.part("material")
    expected = ("pack.toml", *material.FILES)
    for name in expected:
        if name not in texts:
            raise BadPack(
                text("refuse.pack_missing", file=name, game=game.id, files=", ".join(expected))
            )
    for name in texts:
        if name not in expected:
            raise BadPack(
                text("refuse.pack_file", file=short(name), game=game.id, files=", ".join(expected))
            )
    about = read_toml(texts, "pack.toml")
    name = about.get("name")
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= 80 or not name.isprintable():
        raise BadPack(text("refuse.pack_name"))
    provenance = about.get("provenance", {})
    if not isinstance(provenance, dict) or not all(isinstance(v, str) for v in provenance.values()):
        raise BadPack(text("refuse.pack_provenance"))
    data = material.load(texts)
    data.setflags(write=False)
    return Pack(game, name, provenance, dict(texts), data)


# --- reading a pack's files -------------------------------------------------------------------


def read_toml(texts: Mapping[str, str], name: str) -> dict[str, Any]:
    """A TOML file of a pack."""
    try:
        return tomllib.loads(texts[name].removeprefix("\ufeff"))
    except RecursionError:
        raise BadPack(text("refuse.pack_deep", file=name)) from None
    except ValueError as error:  # TOMLDecodeError is one; so is a number without end
        reason = str(error)
        if len(reason) > LONGEST_REASON:
            reason = f"{reason[:LONGEST_REASON]}…"
        raise BadPack(text("refuse.pack_toml", file=name, reason=reason)) from None


@dataclass(frozen=True)
class Row:
    """A line of a CSV file, which can say what is wrong with it."""

    file: str
    line: int
    cells: Mapping[str, str]

    def wrong(self, reason: Text | str) -> BadPack:
        """An error that names file and line."""
        return BadPack(text("refuse.pack_line", file=self.file, line=self.line, reason=reason))

    def text(self, column: str) -> str:
        """A cell that must not be empty."""
        value = self.cells[column].strip()
        if not value:
            raise self.wrong(text("refuse.empty", column=column))
        return value

    def number(self, column: str, lowest: int, highest: int) -> int:
        """A whole number within its range."""
        value = self.cells[column].strip()
        if not re.fullmatch(r"-?[0-9]+", value):
            raise self.wrong(text("refuse.whole", column=column, value=short(value)))
        if len(value) > LONGEST_NUMBER or not lowest <= int(value) <= highest:
            limits = {"first": str(lowest), "last": str(highest)}
            raise self.wrong(text("refuse.range", column=column, value=short(value), **limits))
        return int(value)


def read_table(texts: Mapping[str, str], name: str, columns: tuple[str, ...]) -> list[Row]:
    """The rows of a CSV file that has at least these columns."""
    return list(_rows(texts[name], name, columns))


def _rows(content: str, name: str, columns: tuple[str, ...]) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(content.removeprefix("\ufeff")), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        for column in columns:
            if header.count(column) != 1:
                fault = "several" if column in header else "no"
                raise BadPack(text(f"refuse.{fault}_column", file=name, column=repr(column)))
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise BadPack(
                    text(
                        "refuse.cells",
                        file=name,
                        line=reader.line_num,
                        count=len(cells),
                        columns=len(header),
                    )
                )
            yield Row(name, reader.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise BadPack(
            text("refuse.pack_csv", file=name, line=reader.line_num, reason=str(error))
        ) from None
