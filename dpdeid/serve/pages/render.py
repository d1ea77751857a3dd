"""Templates, and the language of a page: what the reader chose, else what the browser asks for."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dpdeid.evaluate.report.page import LANGS, Words
from dpdeid.serve.settings import Settings

CHOSEN: Final = "lang"
"""Of the query and of the cookie."""


@cache
def templates() -> Environment:
    """The templates of the pages and of parts of the report; what they are given is escaped."""
    return Environment(
        loader=ChoiceLoader(
            [PackageLoader("dpdeid.serve.pages"), PackageLoader("dpdeid.evaluate", "report")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def words(lang: str) -> Words:
    """The words of the pages in a language."""
    return Words(lang, {key: text[lang] for key, text in every_text().items()})


@cache
def every_text() -> dict[str, dict[str, str]]:
    """Key → language → text."""
    text = (files("dpdeid.serve.pages") / "words.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


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
    html = (
        templates()
        .get_template(name)
        .render(
            say=words(lang),
            others=[other for other in LANGS if other != lang],
            here=request.url.path,
            reader=request.scope.get("reader"),
            has_review=own.reviewing is not None,
            has_reports=own.reports is not None,
            **given,
        )
    )
    answer = HTMLResponse(html.encode(errors="replace"), status)
    if request.query_params.get(CHOSEN) in LANGS:
        answer.set_cookie(CHOSEN, lang, samesite="strict", httponly=True)
    return answer
