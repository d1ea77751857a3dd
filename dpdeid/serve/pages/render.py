"""Templates, and the language of a page: what the reader chose, else what the browser asks for."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dpdeid.evaluate.report.charts import template
from dpdeid.evaluate.report.page import LANGS, Words, texts_in
from dpdeid.serve.settings import Settings

CHOSEN: Final = "lang"
"""Of the query and of the cookie."""


@cache
def words(lang: str) -> Words:
    """The words of the pages in a language."""
    return Words(lang, texts_in("dpdeid.serve.pages", lang))


def language(request: Request) -> str:
    """The language of the page that a request gets."""
    own: Settings = request.app.state.settings
    for asked in (request.query_params.get(CHOSEN), request.cookies.get(CHOSEN)):
        if asked in LANGS:
            return asked
    accepted = request.headers.get("accept-language", "").lower()
    for part in accepted.split(","):
        if part.strip()[:2] in LANGS:
            return part.strip()[:2]
    return own.lang


def shown(request: Request, name: str, *, status: int = 200, **given: Any) -> Response:
    """A page, or a part of one, from the template of that name."""
    own: Settings = request.app.state.settings
    lang = language(request)
    html = template(name, "serve/pages/templates").render(
        say=words(lang),
        others=[other for other in LANGS if other != lang],
        here=request.url.path,
        reader=request.scope.get("reader"),
        has_review=own.reviewing is not None,
        has_reports=own.reports is not None,
        **given,
    )
    answer = HTMLResponse(html.encode("utf-8", "replace"), status)  # a note may have half a pair
    if request.query_params.get(CHOSEN) in LANGS:
        answer.set_cookie(CHOSEN, lang, samesite="strict", httponly=True)
    return answer
