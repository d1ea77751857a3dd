"""One service for all tests that change nothing of it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from dpdeid.serve.settings import Limits, Settings
from tests.serve.serving import TOKEN, Served, served

LIMITS = Limits(characters=20_000, notes=20, per_minute=0)


@pytest.fixture(scope="session")
def service() -> Iterator[Served]:
    with served(Settings(TOKEN, limits=LIMITS, workers=2)) as own:
        yield own


@pytest.fixture(scope="session")
def client(service: Served) -> Iterator[httpx.Client]:
    with service.client() as own:
        yield own
