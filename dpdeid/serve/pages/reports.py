"""What evaluations and the watch of each day found, as pages; read anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dpdeid.errors import UsageError
from dpdeid.evaluate.report.inputs import read
from dpdeid.evaluate.report.page import Section, words, written
from dpdeid.evaluate.report.sections import sections
from dpdeid.evaluate.report.watched import Watched, drift
from dpdeid.serve.pages.render import language, shown
from dpdeid.serve.settings import Settings
from dpdeid.serve.work import Workers

router = APIRouter(include_in_schema=False)


def told(folder: Path, lang: str) -> tuple[Sequence[Section], Sequence[str]]:
    """The sections of the files of a folder, and the names of files that are of no kind or are
    called as another.
    """
    said = words(lang)
    days: list[Watched] = []
    files: list[Path] = []
    other: list[str] = []
    for path in sorted(folder.glob("*.json")):
        try:
            if (day := Watched.of(path)) is not None:
                days.append(day)
            else:
                read([*files, path])
                files.append(path)
        except UsageError:
            other.append(path.name)
    watched = drift(days, said)
    return [*([watched] if watched else []), *sections(read(files), (), said)], other


@router.get("/reports")
async def reports(request: Request) -> Response:
    """All of them on one page."""
    own: Settings = request.app.state.settings
    working: Workers = request.app.state.workers
    if own.reports is None:
        raise HTTPException(404)
    lang = language(request)
    parts, other = await working.ask(told, own.reports, lang)
    return shown(
        request, "reports.html", sections=parts, other=other, words=words(lang), written=written
    )
