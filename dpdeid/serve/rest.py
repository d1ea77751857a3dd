"""Notes over HTTP: what a program asks. A note comes with what the hospital knows, never with an id
of its patient: no two answers belong together, so nobody can learn from one of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

import dpdeid
from dpdeid.assurance.forecast import cautions
from dpdeid.assurance.report import label_rows, statement
from dpdeid.document import Document, Failure
from dpdeid.errors import InputError
from dpdeid.formats.rows import FACTS, document_of
from dpdeid.formats.write import json_text
from dpdeid.policy.policy import load_policy, names
from dpdeid.serve import work
from dpdeid.serve.settings import Settings
from dpdeid.serve.watch import Metrics
from dpdeid.serve.work import Workers

router = APIRouter()
LABELS: Final = ("labels", "strategy", "mechanism", "loss", "draws_at_most")


class TooLongError(InputError):
    """A note or a batch is longer than it may be."""


class Told(JSONResponse):
    """An answer in which a lone surrogate code point of a note is escaped, not an error."""

    def render(self, content: Any) -> bytes:
        return json_text(content, indent=None).encode()


class Note(BaseModel):
    """A note, and what the hospital knows of its patient."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(description="The note.", examples=["Mme Durand, vue le 12/03/2021."])
    note_date: str | None = Field(None, description="Its day: 2021-03-12 or 12/03/2021.")
    patient: dict[str, str | int | list[str | int] | None] | None = Field(
        None, description=f"What is known: {', '.join((*FACTS, 'sex'))}."
    )

    def document(self, number: int, most: int) -> Document:
        """The document that this is.

        Raises:
            InputError: it is too long, or says something in a way that is not known.
        """
        if len(self.text) > most:
            raise TooLongError(f"note {number} is longer than {most:,} characters")
        if "date_shift" in (self.patient or {}):
            raise InputError(f"note {number}: date_shift is not for a service: see `dpdeid run`")
        row = {"id": f"note {number}", **self.model_dump(include={"text", "note_date", "patient"})}
        try:
            return document_of(row, number)
        except InputError as error:
            raise InputError(str(error).replace(f"row {number}", f"note {number}", 1)) from None


class Asked(Note):
    """A note, and the policy under which it is released."""

    policy: str = Field("dp", description="A policy that /policies lists.")


class Batch(BaseModel):
    """Notes that are released each for itself, as if they came one by one."""

    model_config = ConfigDict(extra="forbid", strict=True)

    notes: list[Note] = Field(min_length=1)
    policy: str = Field("dp", description="A policy that /policies lists.")


def settings(request: Request) -> Settings:
    """That of the service."""
    found: Settings = request.app.state.settings
    return found


def workers(request: Request) -> Workers:
    """Those of the service."""
    found: Workers = request.app.state.workers
    return found


Own = Annotated[Settings, Depends(settings)]
Working = Annotated[Workers, Depends(workers)]


def known(policy: str) -> str:
    """A policy by its name; no file of this machine is read for a client.

    Raises:
        InputError: there is none.
    """
    if policy not in names():
        raise InputError(f"there is no such policy; there are {', '.join(names())}")
    return policy


@router.post("/deidentify", response_class=Told)
async def deidentify(asked: Asked, own: Own, working: Working) -> Response:
    """Releases a note: the text, the surrogate of its date, how much was replaced and what it cost.

    Each call draws anew, under a key that is thrown away: losses of several calls add.
    """
    policy, doc = known(asked.policy), asked.document(1, own.limits.characters)
    (told,) = await working.ask(work.released, [doc], policy)
    return Told(told, 422 if "error" in told else 200)


@router.post("/deidentify/batch", response_class=Told)
async def batch(asked: Batch, own: Own, working: Working) -> Response:
    """Releases notes, each for itself: one result a note, in their order; what cannot be processed
    has an error in place of its text.
    """
    policy, most = known(asked.policy), own.limits.notes
    if len(asked.notes) > most:
        raise TooLongError(f"a batch has at most {most} notes")
    tried = [_tried(note, at, own.limits.characters) for at, note in enumerate(asked.notes, 1)]
    docs = [doc for doc in tried if isinstance(doc, Document)]
    done = iter(await working.ask(work.released, docs, policy))
    told = [next(done) if isinstance(one, Document) else {"error": one.error} for one in tried]
    return Told({"results": told})


def _tried(note: Note, number: int, most: int) -> Document | Failure:
    try:
        return note.document(number, most)
    except InputError as error:
        return Failure.of(f"note {number}", error)


@router.post("/detect", response_class=Told)
async def detect(asked: Asked, own: Own, working: Working) -> Response:
    """Finds what identifies, without replacing it: offsets in code points, label, score, source."""
    policy, doc = known(asked.policy), asked.document(1, own.limits.characters)
    return Told(await working.ask(work.detected, doc, policy))


@router.get("/policies")
def policies() -> dict[str, Sequence[dict[str, str]]]:
    """The policies with what they are for."""
    return {
        "policies": [{"name": name, "what_for": load_policy(name).description} for name in names()]
    }


@router.get("/check")
def check(policy: str = "dp") -> dict[str, Any]:
    """What a policy does, guarantees and does not protect, before any note is seen."""
    used = load_policy(known(policy))
    return {
        "policy": used.name,
        "unit": "note",
        "strategies": [dict(zip(LABELS, row, strict=True)) for row in label_rows(used)],
        "statement": statement(used, unit="one note of a request"),
        "cautions": list(cautions(used)),
    }


@router.get("/health")
def health() -> dict[str, str]:
    """Whether the service answers. Needs no token."""
    return {"status": "ok", "version": dpdeid.__version__}


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Requests, seconds and what waits, in the text form of Prometheus."""
    own: Metrics = request.app.state.metrics
    return Response(own.text(), media_type="text/plain; version=0.0.4")
