"""A service that answers over a real socket, as long as a block lasts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx
import uvicorn

from dpdeid.serve.app import create_app
from dpdeid.serve.settings import LOOPBACK, Settings

TOKEN = "a token of twenty and more letters".replace(" ", "-")
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@dataclass(frozen=True, slots=True)
class Served:
    """A service under way: where it is, and the lines of its log."""

    url: str
    log: list[str] = field(default_factory=list)

    def client(self, **headers: str) -> httpx.Client:
        """What asks it, with the token."""
        return httpx.Client(base_url=self.url, headers={**BEARER, **headers}, timeout=120)


@contextmanager
def served(settings: Settings) -> Iterator[Served]:
    """A service on a free port."""
    log: list[str] = []
    config = uvicorn.Config(
        create_app(settings, log.append), port=0, log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the service did not start"
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Served(f"http://{LOOPBACK[0]}:{port}", log)
    finally:
        server.should_exit = True
        thread.join()
