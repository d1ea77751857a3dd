"""Who may ask the service, how much, how often and under which name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import UsageError
from dpdeid.serve import guard
from dpdeid.serve.app import create_app
from dpdeid.serve.guard import COOKIE, Rates, cookie_of, name_of
from dpdeid.serve.settings import LEAST_TOKEN, VARIABLE, Limits, Settings, token_of
from tests.serve.serving import BEARER, TOKEN

HOST = "http://127.0.0.1:8000"


def ask(method: str, path: str, settings: Settings | None = None, **rest: object) -> httpx.Response:
    """The answer of a service that has no worker to ask."""

    async def asking() -> httpx.Response:
        app = create_app(settings or Settings(TOKEN), lambda line: None)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HOST) as client:
            return await client.request(method, path, **rest)  # type: ignore[arg-type]

    return asyncio.run(asking())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *((path, 401) for path in ("/policies", "/check", "/metrics", "/openapi.json", "/", "/no")),
        *((path, 200) for path in ("/health", "/login", "/static/page.css")),
    ],
)
def test_only_a_few_pages_need_no_token(path: str, status: int) -> None:
    answer = ask("GET", path)
    assert answer.status_code == status
    assert ("www-authenticate" in answer.headers) == (status == 401)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        TOKEN,
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN.upper()}",
        "Bearer é".encode(),
    ],
)
def test_another_token_is_none(header: str | bytes) -> None:
    assert ask("GET", "/policies", headers={"Authorization": header}).status_code == 401
    assert ask("GET", "/policies", headers=BEARER).status_code == 200


def test_static_files_are_all_there_is_of_the_disk() -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"):
        assert ask("GET", path).status_code in (401, 404)


@pytest.mark.parametrize("name", ["Anne", "Dr É. Le Goff", "x" * guard.LONGEST_NAME, "a.b.c", "☃"])
def test_a_cookie_says_who_reads(name: str) -> None:
    cookie = cookie_of(TOKEN, name)
    assert name_of(TOKEN, cookie) == name
    assert name_of(TOKEN + "x", cookie) is None
    assert cookie.isascii()


@given(st.text(max_size=40))
def test_no_other_cookie_says_anything(cookie: str) -> None:
    assert name_of(TOKEN, cookie) is None


@pytest.mark.parametrize(
    ("origin", "status"),
    [(HOST, 303), ("http://evil.example", 403), ("null", 403), (None, 403), (f"{HOST}.x", 403)],
)
def test_a_page_elsewhere_cannot_have_a_browser_act(origin: str | None, status: int) -> None:
    headers = {"Cookie": f"{COOKIE}={cookie_of(TOKEN, 'Anne')}"}
    headers |= {} if origin is None else {"Origin": origin}
    assert ask("POST", "/logout", headers=headers).status_code == status


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8000", "", "localhost.x"])
def test_another_name_is_refused(host: str) -> None:
    assert ask("GET", "/health", headers={"Host": host}).status_code == 421
    own = Settings(TOKEN, hosts=("dpdeid.chu.example",))
    assert ask("GET", "/health", own, headers={"Host": "DPDEID.chu.example"}).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9", "LOCALHOST", "[::1]:8000", "[::1]"])
def test_this_machine_has_several_names(host: str) -> None:
    assert ask("GET", "/health", headers={"Host": host}).status_code == 200


def test_who_has_no_token_gets_the_page_that_asks_for_it() -> None:
    answer = ask("GET", "/review", headers={"Accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"token": TOKEN, "name": "Anne Le Goff"}, 303),
        ({"token": TOKEN, "name": ""}, 422),
        ({"token": TOKEN, "name": "x" * 61}, 422),
        ({"token": TOKEN, "name": "a\x07b"}, 422),
        ({"token": "x", "name": "Anne"}, 401),
        ({}, 401),
        ({str(number): "x" for number in range(50)}, 401),
    ],
)
def test_the_token_lets_in(fields: dict[str, str], status: int) -> None:
    answer = ask("POST", "/login", data=fields)
    assert answer.status_code == status
    cookie = answer.headers.get("set-cookie", "")
    assert (COOKIE in cookie) == (status == 303)
    if cookie:
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert TOKEN not in cookie


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_page_has_the_language_that_is_asked_for(lang: str) -> None:
    by_query = ask("GET", f"/login?lang={lang}", headers={"Accept-Language": "de"})
    by_browser = ask("GET", "/login", headers={"Accept-Language": f"de, {lang}-CH;q=0.8"})
    assert f'<html lang="{lang}">' in by_query.text
    assert f'<html lang="{lang}">' in by_browser.text


def test_every_answer_has_the_headers_that_keep_others_out() -> None:
    for path in ("/health", "/nowhere", "/login", "/static/page.css"):
        headers = ask("GET", path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'self'")


def clock() -> tuple[list[float], Callable[[], float]]:
    now = [0.0]
    return now, lambda: now[0]


def test_a_minute_has_so_many_requests() -> None:
    now, time = clock()
    rates = Rates(60, time)
    assert [rates.wait("a") for _ in range(61)] == [0] * 60 + [1]
    assert rates.wait("b") == 0
    now[0] += 1
    assert [rates.wait("a"), rates.wait("a")] == [0, 1]


@given(st.lists(st.floats(0, 5), max_size=300), st.integers(1, 100))
def test_no_minute_has_more_than_twice_as_many(steps: list[float], most: int) -> None:
    """A bucket that is full when a minute begins empties once and fills up once."""
    now, time = clock()
    rates = Rates(most, time)
    let: list[float] = []
    for step in steps:
        now[0] += step
        if not rates.wait("a"):
            let.append(now[0])
    for start in let:
        assert sum(start <= one < start + 60 for one in let) <= 2 * most


def test_the_addresses_that_are_known_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "READERS", 5)
    rates = Rates(1, lambda: 0.0)
    for address in "abcdefg":
        assert rates.wait(address) == 0
    assert rates.wait("g") > 0
    assert rates.wait("a") == 0


def test_too_many_requests_are_told_when_to_come_back() -> None:
    own = Settings(TOKEN, limits=Limits(per_minute=1))

    async def asking() -> list[httpx.Response]:
        transport = httpx.ASGITransport(create_app(own, lambda line: None))
        async with httpx.AsyncClient(transport=transport, base_url=HOST) as client:
            return [await client.get("/health") for _ in range(2)]

    first, second = asyncio.run(asking())
    assert (first.status_code, second.status_code) == (200, 429)
    assert 1 <= int(second.headers["retry-after"]) <= 61


def test_a_token_comes_from_the_environment_or_is_made() -> None:
    made = {token_of({})[0] for _ in range(5)}
    assert len(made) == 5
    assert all(len(token) >= 40 and token_of({VARIABLE: token}) == (token, False) for token in made)


@pytest.mark.parametrize("token", ["", "x" * (LEAST_TOKEN - 1), "é" * 40, "x y" * 20, "x\n" * 20])
def test_a_token_that_is_no_secret_is_refused(token: str) -> None:
    with pytest.raises(UsageError, match=VARIABLE):
        token_of({VARIABLE: token})
