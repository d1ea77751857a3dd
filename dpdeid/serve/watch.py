"""What a service tells of itself: one line of JSON a request, and counts. Never a text, a query, an
id or the path as it was asked: only the name of the route.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; form-action 'self'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
"""Of every answer: nothing is kept by a browser, nothing comes from elsewhere."""


def to_stderr(line: str) -> None:
    """Writes a line of the log."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - the log of a service


class Metrics:
    """Counts by route, in the text form of Prometheus."""

    def __init__(self, pending: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        names, registry = ("method", "route"), self._registry
        self._requests = Counter(
            "dpdeid_requests", "Requests answered.", (*names, "status"), registry=registry
        )
        self._seconds = Histogram(
            "dpdeid_seconds", "Seconds a request took.", names, buckets=SECONDS, registry=registry
        )
        gauge = Gauge("dpdeid_pending", "Requests that wait for a worker.", registry=registry)
        gauge.set_function(pending)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)


class Watch:
    """Around all else: logs and counts each request, and gives every answer `HEADERS`."""

    def __init__(self, app: ASGIApp, metrics: Metrics, log: Callable[[str], None]) -> None:
        self._app, self._metrics, self._log = app, metrics, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = {name for name, _ in HEADERS}
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in own]
                message["headers"] = [*kept, *HEADERS]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._tell(scope, status, time.perf_counter() - start)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None) or "none"
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
        self._metrics.count(method, route, status, seconds)
        told: dict[str, Any] = {
            "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "method": method,
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 1),
        }
        self._log(json.dumps(told))
