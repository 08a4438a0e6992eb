"""One server and one browser for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser import Site, chromium, need_browser


@pytest.fixture(name="site", scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    need_browser()
    site = Site(tmp_path_factory.mktemp("data")).start().wait()
    yield site
    site.stop()


@pytest.fixture(name="browser", scope="session")
def _browser(site: Site) -> Iterator[Any]:
    with chromium() as browser:
        yield browser
