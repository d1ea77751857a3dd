"""Who reads: the token once, and a name that stands beside each answer of a review."""

from __future__ import annotations

import hmac
from typing import Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from dpdeid.serve.guard import COOKIE, LONGEST_NAME, cookie_of
from dpdeid.serve.pages.render import shown
from dpdeid.serve.settings import Settings

router = APIRouter(include_in_schema=False)
_FIELDS: Final = 4


@router.get("/login")
def ask(request: Request) -> Response:
    """The page that asks for the token."""
    return shown(request, "login.html", fault="")


@router.post("/login")
async def enter(request: Request) -> Response:
    """Lets in who has the token."""
    own: Settings = request.app.state.settings
    body = (await request.body()).decode("utf-8", "replace")
    try:
        fields = parse_qs(body, max_num_fields=_FIELDS)
    except ValueError:
        fields = {}
    token, name = (fields.get(key, [""])[0].strip() for key in ("token", "name"))
    if not hmac.compare_digest(token.encode(), own.token.encode()):
        return shown(request, "login.html", status=401, fault="login wrong token")
    if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        return shown(request, "login.html", status=422, fault="login no name")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, cookie_of(own.token, name), samesite="strict", httponly=True)
    return answer


@router.post("/logout")
def leave(request: Request) -> Response:
    """Lets the browser forget who reads."""
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, samesite="strict", httponly=True)
    return answer
