"""What a built package carries: pages, their packages, art, words and rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from pelagos.engine.game import games
from pelagos.engine.words import LANGUAGES
from pelagos.web import vendor
from places import ROOT


@pytest.fixture(name="carried", scope="module")
def _carried() -> set[str]:
    """The wheel's paths, as its configuration makes them."""
    wheel = pytest.importorskip("hatchling.builders.wheel")
    try:
        vendor.ensure(print)
    except vendor.NoPackages as error:
        pytest.skip(str(error))
    builder = wheel.WheelBuilder(str(ROOT))
    files = [
        *builder.recurse_included_files(),
        *builder.recurse_forced_files(builder.config.get_force_include()),
    ]
    return {file.distribution_path for file in files}


def test_the_pages_packages_are_carried_and_the_tests_are_not(carried: set[str]) -> None:
    at = "pelagos/web/static/vendor"
    assert {f"{at}/{name}" for name in (*vendor.FILES, "versions.json")} <= carried
    assert not {f"{at}/{name}" for name in vendor.TESTS} & carried


def test_everything_a_page_reads_is_carried(carried: set[str]) -> None:
    for folder in ("web/templates", "web/static", "web/words"):
        for file in (ROOT / "src" / "pelagos" / folder).glob("*.*"):
            assert f"pelagos/{folder}/{file.name}" in carried
    for game in games().values():
        if not game.package.startswith("pelagos."):
            continue
        folder = ROOT / "src" / Path(*game.package.split("."))
        for file in [*folder.glob("*.*"), *folder.glob("art/*.svg"), *folder.glob("words/*")]:
            assert f"pelagos/games/{game.id}/{file.relative_to(folder)}" in carried
        for language in LANGUAGES:
            assert f"pelagos/games/{game.id}/rules.{language}.md" in carried
        assert f"pelagos/games/{game.id}/rulings.md" in carried
