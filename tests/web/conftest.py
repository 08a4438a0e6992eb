"""What tests of the pages share: one server for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from httpx import Client

from browser import Site


@pytest.fixture(name="site", scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("data")) as site:
        yield site


@pytest.fixture(name="forgetful", scope="session")
def _forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server at which everyone without an open stream is away at once."""
    with Site(tmp_path_factory.mktemp("forgetful"), AWAY="0") as site:
        yield site


@pytest.fixture(name="client")
def _client(site: Site) -> Iterator[Client]:
    """A visitor who reads English."""
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as client:
        yield client
