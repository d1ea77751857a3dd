"""One service for all tests that change nothing of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest

from dpdeid.serve.settings import Limits, Settings
from tests.serve.serving import TOKEN, Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LIMITS = Limits(characters=20_000, notes=20, per_minute=0)


@pytest.fixture(scope="session")
def service() -> Iterator[Served]:
    with served(Settings(TOKEN, limits=LIMITS, workers=2)) as own:
        yield own


@pytest.fixture(scope="session")
def client(service: Served) -> Iterator[httpx.Client]:
    with service.client() as own:
        yield own


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser that asks nobody but the service. While it is there, so is its loop of events, and
    no test may run another: it ends with the module.
    """
    playwright = pytest.importorskip("playwright.sync_api")
    parts = ("gpu", "background-networking", "component-update", "sync")
    with playwright.sync_playwright() as own:
        browser = own.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--no-first-run", *(f"--disable-{part}" for part in parts)],
        )
        yield browser
        browser.close()
