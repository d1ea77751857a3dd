"""The service as an ASGI application: routes, errors, and who stands before them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

import dpdeid
from dpdeid.errors import DpdeidError, UsageError
from dpdeid.evaluate.report.charts import chart_style
from dpdeid.serve import work
from dpdeid.serve.guard import Guard
from dpdeid.serve.pages import login, playground, reports, review
from dpdeid.serve.rest import TooLongError, router
from dpdeid.serve.reviews import Reviews
from dpdeid.serve.settings import Settings
from dpdeid.serve.watch import Metrics, Watch, to_stderr
from dpdeid.serve.work import BusyError, GoneError, Workers

_KEY: Final = re.compile("[a-z_]{1,24}")
_SCHEMES: Final = {"token": {"type": "http", "scheme": "bearer"}}


def create_app(settings: Settings, log: Callable[[str], None] = to_stderr) -> FastAPI:
    """The service. Its workers start with it and end with it.

    Args:
        log: gets a line of JSON a request.

    Raises:
        UsageError: the notes or the answers of a review are refused.
    """
    reviews = settings.reviewing and Reviews(settings.reviewing)
    working = Workers(settings.workers, settings.limits.waiting)

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        own: list[asyncio.Task[Any]] = [
            asyncio.create_task(working.ask(work.released, [work.WARM], "dp"))
        ]
        if reviews:
            own.append(asyncio.create_task(reviews.prepare(working)))
        yield
        for task in own:
            task.cancel()
        working.end()

    app = FastAPI(
        title="dpdeid",
        version=dpdeid.__version__,
        description="De-identifies French clinical notes. Every note is released for itself.",
        docs_url=None,  # its pages come from elsewhere
        redoc_url=None,
        lifespan=living,
    )
    app.state.settings, app.state.workers = settings, working
    app.state.reviews = reviews
    app.state.metrics = metrics = Metrics(lambda: working.pending)
    for routes in (router, login.router, playground.router, reports.router, review.router):
        app.include_router(routes)
    app.add_route("/static/charts.css", lambda _: Response(chart_style(), media_type="text/css"))
    static = StaticFiles(packages=[("dpdeid.serve.pages", "static")])
    app.mount("/static", static, "static")
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]
    for error, told in ERRORS.items():
        app.add_exception_handler(error, told)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(Watch, metrics=metrics, log=log)
    return app


def _described(app: FastAPI) -> dict[str, Any]:
    """The description of the API, with what a client shows."""
    if not app.openapi_schema:
        described = FastAPI.openapi(app)
        described["components"]["securitySchemes"] = _SCHEMES
        described["security"] = [{"token": []}]
        described["paths"]["/health"]["get"]["security"] = []
    return app.openapi_schema or {}


def _invalid(_: Request, error: Exception) -> Response:
    """What is wrong with a request, by the keys that it may have, and nothing that it has."""
    assert isinstance(error, RequestValidationError)
    told = {_fault(one["type"], one["loc"]): None for one in error.errors()}
    return JSONResponse({"error": "; ".join(told)}, 422)


def _fault(kind: str, place: tuple[str | int, ...]) -> str:
    if kind.startswith("json"):
        return "the body is not JSON"
    if kind == "model_attributes_type":
        return "the body is no object of JSON (Content-Type: application/json)"
    where = ".".join(str(part) for part in place[1:] if _is_told(part)) or "the body"
    if kind == "extra_forbidden":
        extra = " (a patient is never named to a service: see `dpdeid run`)"
        return f"{where}: no such key{extra if 'patient_id' in place else ''}"
    return f"{where}: {kind.replace('_', ' ')}"


def _is_told(part: str | int) -> bool:
    return isinstance(part, int) or _KEY.fullmatch(part) is not None


def _too_long(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 413)


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 500 if isinstance(error, UsageError) else 422)


def _busy(_: Request, error: Exception) -> Response:
    gone = isinstance(error, GoneError)
    told = "the worker ended; ask again" if gone else "too many requests wait"
    return JSONResponse({"error": told}, 503, {"Retry-After": "1" if gone else "5"})


def _http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


def _failed(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"internal error ({type(error).__name__})"}, 500)


ERRORS: Final[dict[Any, Callable[[Request, Exception], Response]]] = {
    RequestValidationError: _invalid,
    TooLongError: _too_long,
    DpdeidError: _refused,
    BusyError: _busy,
    GoneError: _busy,
    HTTPException: _http,
    Exception: _failed,
}
