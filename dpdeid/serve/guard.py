"""Who may ask, how much and how often. All of it before a byte of a body is looked at."""

from __future__ import annotations

import hmac
import math
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpdeid.serve.settings import Settings

OPEN: Final = ("/health", "/login", "/static/")
"""What needs no token."""
COOKIE: Final = "dpdeid"
READERS: Final = 10_000
"""Addresses of which the rate is known."""
LONGEST_NAME: Final = 60
_LARGE: Final = "a request has at most {:,} bytes"


class Rates:
    """How often each address asks: a bucket that fills up to a minute's requests."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._now = per_minute, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Seconds that an address has to wait; 0 if it may ask, which is counted."""
        if not self._most:
            return 0
        now = self._now()
        left, when = self._left.pop(address, (float(self._most), now))
        left = min(self._most, left + (now - when) * self._most / 60)
        self._left[address] = (left - (left >= 1), now)
        if len(self._left) > READERS:
            self._left.popitem(last=False)
        return 0 if left >= 1 else math.ceil((1 - left) * 60 / self._most)


def cookie_of(token: str, name: str) -> str:
    """What a browser keeps of a reader who showed the token: the name, and a tag of it."""
    told = urlsafe_b64encode(name.encode()).decode()
    return f"{told}.{_tag(token, told)}"


def name_of(token: str, cookie: str) -> str | None:
    """The reader of a cookie, None if it is none of ours."""
    told, _, tag = cookie.partition(".")
    if not hmac.compare_digest(tag.encode(), _tag(token, told).encode()):
        return None
    return urlsafe_b64decode(told.encode()).decode()


def _tag(token: str, told: str) -> str:
    return hmac.new(token.encode(), f"page {told}".encode(), "sha256").hexdigest()


class Guard:
    """Refuses whom it does not know. Puts the name of a reader into the scope, as `reader`."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._rates = Rates(settings.limits.per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if refused := self._refused(scope):
            await refused(scope, receive, send)
            return
        await self._app(scope, self._limited(receive), send)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _bare(host) not in self._settings.hosts:
            return _error(421, "this service is not asked under that name")
        address = (scope.get("client") or ("unknown", 0))[0]
        if wait := self._rates.wait(address):
            return _error(429, "too many requests", {"Retry-After": str(wait)})
        size = headers.get("content-length", "")
        if size.isdigit() and int(size) > self._settings.limits.bytes:
            return _error(413, _LARGE.format(self._settings.limits.bytes))
        path: str = scope["path"]
        if path in OPEN[:2] or path.startswith(OPEN[2]):
            return None
        if self._bears(headers.get("authorization", "")):
            return None
        scope["reader"] = name = self._reader(headers)
        if name is None:
            if "text/html" in headers.get("accept", ""):
                return RedirectResponse("/login", 303)
            return _error(401, "no token, or another one", {"WWW-Authenticate": "Bearer"})
        origin = urlsplit(headers.get("origin", "")).netloc
        if scope["method"] not in ("GET", "HEAD") and origin != host:
            return _error(403, "a page elsewhere asked")
        return None

    def _bears(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        given, own = token.strip().encode(), self._settings.token.encode()
        return scheme.lower() == "bearer" and hmac.compare_digest(given, own)

    def _reader(self, headers: Headers) -> str | None:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return None
        return None if cookie is None else name_of(self._settings.token, cookie.value)

    def _limited(self, receive: Receive) -> Receive:
        """Counts a body that does not say how long it is."""
        read = 0

        async def receiving() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._settings.limits.bytes:
                raise HTTPException(413, _LARGE.format(self._settings.limits.bytes))
            return message

        return receiving


def _bare(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdigit() else host.lower()


def _error(status: int, told: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": told}, status, headers)
