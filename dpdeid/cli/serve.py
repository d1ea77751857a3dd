"""`dpdeid serve`: notes over HTTP, and pages to try, to review and to look at reports."""

from __future__ import annotations

import os
from pathlib import Path

from dpdeid.cli.terminal import listening, tell
from dpdeid.errors import UsageError, extra
from dpdeid.serve.settings import LOOPBACK, VARIABLE, Limits, Reviewing, Settings, token_of


def serve(
    port: int = 8000,
    host: str = "127.0.0.1",
    name: list[str] | None = None,
    workers: int = 1,
    per_minute: int = 1_200,
    characters: int = 100_000,
    notes: int = 100,
    review: str | None = None,
    answers: Path | None = None,
    policy: str = "dp",
    share: float | None = None,
    sample: int | None = None,
    seed: int | None = None,
    lists: Path | None = None,
    reports: Path | None = None,
    lang: str = "fr",
) -> None:
    """Answers until it is stopped.

    Raises:
        UsageError: the token, an option or a file is refused, or the port is taken.
    """
    with extra("serve", "the service needs FastAPI and uvicorn"):
        import uvicorn

        from dpdeid.serve.app import create_app
        from dpdeid.serve.watch import to_stderr

    quiet = listening().quiet
    token, is_new = token_of(os.environ)
    if quiet and is_new:
        raise UsageError(f"--quiet says no token that is made for this process: set {VARIABLE}")
    if host not in LOOPBACK and is_new:
        raise UsageError(f"--host {host} is seen by others: set {VARIABLE}, and put TLS before it")
    if (review is None) != (answers is None):
        raise UsageError("--review NOTES and --answers FILE go together")
    reviewing = None
    if review is not None and answers is not None:
        reviewing = Reviewing(review, answers, policy, share, sample, seed, lists)
    settings = Settings(
        token,
        (*LOOPBACK, host, *(name or ())),
        Limits(characters, notes, per_minute),
        workers,
        lang,
        reviewing,
        reports,
    )
    app = create_app(settings, _unheard if quiet else to_stderr)
    for error in app.state.reviews.unread if reviewing else ():
        tell(f"{error}: not read")
    shown = f"[{host}]" if ":" in host else host
    tell(f"open http://{shown}:{port}/login" + (f"#{token}" if is_new else ""))
    if is_new:
        tell(f"no {VARIABLE}: a token was made for this process. Programs send")
        tell(f"  Authorization: Bearer {token}")
    server = uvicorn.Server(
        uvicorn.Config(
            app, host=host, port=port, log_config=None, access_log=False, server_header=False
        )
    )
    try:
        server.run()
    except SystemExit:
        if server.started:  # the signal TERM
            raise
        raise UsageError(f"port {port} of {host} cannot be used") from None


def _unheard(_line: str) -> None:
    """The log of requests under --quiet."""
