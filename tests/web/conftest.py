"""What tests of the pages share: one server for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browser import Site


@pytest.fixture(name="site", scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("data")) as site:
        yield site
