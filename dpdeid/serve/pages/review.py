"""The queue of `dpdeid review` in the browser: one word in its note, what is said of it, and what
the answers are worth so far. Who sees a note is in the log beside the answers before it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dpdeid.cohort.access_log import path_of
from dpdeid.errors import InputError
from dpdeid.evaluate.report.page import Words
from dpdeid.evaluate.report.page import words as words_of_reports
from dpdeid.fasdim import lists
from dpdeid.fasdim.extract import Learned
from dpdeid.fasdim.reading import use
from dpdeid.fasdim.reading.answers import ANSWERS
from dpdeid.fasdim.reading.places import Key, Left, Place
from dpdeid.fasdim.reading.queue import Queue
from dpdeid.fasdim.reading.worth import Interval, Point, growing, worth
from dpdeid.fasdim.starting import Verdict
from dpdeid.labels import CATEGORIES
from dpdeid.serve.pages.render import language, shown, words
from dpdeid.serve.reviews import Reviews

router = APIRouter(include_in_schema=False, prefix="/review")
AROUND: Final = 400
"""Characters of the note on each side of the word, but for what is cut there."""
_WRONG: Final = 0.1
_WIDTH, _HEIGHT = 300, 100
"""Of the drawing."""
BUTTONS: Final = {key: answer.value for key, answer in ANSWERS.items()}


def reviews(request: Request) -> Reviews:
    """Those of the service.

    Raises:
        HTTPException: it has none.
    """
    found: Reviews | None = request.app.state.reviews
    if found is None:
        raise HTTPException(404, "no notes are reviewed here (`dpdeid serve --review`)")
    return found


def queue(own: Annotated[Reviews, Depends(reviews)]) -> Queue:
    """What waits.

    Raises:
        HTTPException: the notes are not prepared yet.
    """
    if own.queue is None:
        raise HTTPException(503, own.fault or "the notes are not prepared yet")
    return own.queue


def reader(request: Request) -> str:
    """Who asks: the name of the cookie, or a program with the token."""
    return request.scope.get("reader") or "token"


Own = Annotated[Reviews, Depends(reviews)]
Waiting = Annotated[Queue, Depends(queue)]
Reader = Annotated[str, Depends(reader)]


class Said(BaseModel):
    """What a key says of the word in hand."""

    model_config = ConfigDict(extra="forbid", strict=True)
    item: int
    key: str


class Wrong(BaseModel):
    """A span in the note of the word in hand."""

    model_config = ConfigDict(extra="forbid", strict=True)
    item: int
    start: int
    end: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a note: text, the word that is asked, or what detection took.

    Args:
        label: in the words of the page; "" of what is no span.
        kind: its super-category.
    """

    start: int
    end: int
    text: str = field(repr=False)
    is_asked: bool = False
    label: str = ""
    kind: str = ""
    is_wrong: bool = False


def pieces(note: Left, place: Place, wrong: Set[Key], said: Words, whole: bool) -> list[Piece]:
    """A note around a place, or all of it, in stretches."""
    text = note.document.text
    marked = [Piece(place.start, place.end, place.word, is_asked=True)]
    for span, key in zip(note.spans, note.found, strict=True):
        label, kind = said(f"label {span.label}"), CATEGORIES[span.label]
        shows = text[span.start : span.end]
        marked.append(Piece(span.start, span.end, shows, False, label, kind, key in wrong))
    start, end = (0, len(text)) if whole else _around(text, place, marked)
    return list(_filled(text, start, end, sorted(marked, key=lambda piece: piece.start)))


def _around(text: str, place: Place, marked: list[Piece]) -> tuple[int, int]:
    """What stands around a place; no word at its ends is cut, and no span."""
    start, end = max(0, place.start - AROUND), min(len(text), place.end + AROUND)
    while start > 0 and not text[start - 1].isspace() and place.start - start < 2 * AROUND:
        start -= 1
    while end < len(text) and not text[end].isspace() and end - place.end < 2 * AROUND:
        end += 1
    for piece in marked:
        start = piece.start if piece.start < start < piece.end else start
        end = piece.end if piece.start < end < piece.end else end
    return start, end


def _filled(text: str, start: int, end: int, marked: list[Piece]) -> Iterator[Piece]:
    for piece in marked:
        if start <= piece.start and piece.end <= end:
            if start < piece.start:
                yield Piece(start, piece.start, text[start : piece.start])
            yield piece
            start = piece.end
    if start < end:
        yield Piece(start, end, text[start:end])


@router.get("")
async def page(request: Request, own: Own, who: Reader) -> Response:
    """The page: the word in hand, or how far the notes are. Its script asks for the figures."""
    if own.queue is None:
        return shown(request, "review_soon.html", own=own)
    return shown(
        request,
        "review.html",
        buttons=BUTTONS,
        has_lists=own.told.lists is not None,
        unread=len(own.unread) + own.failed,
        **_item(request, own.queue, who),
    )


@router.get("/state")
def state(own: Own) -> dict[str, int | bool]:
    """How far the notes are."""
    return {
        "done": own.done,
        "ready": own.queue is not None or own.fault != "",
    }


@router.get("/item")
async def item(request: Request, own: Waiting, who: Reader, whole: bool = False) -> Response:
    """The word in hand, or the next one."""
    return _shown(request, own, who, whole=whole)


@router.post("/answer")
async def answer(request: Request, said: Said, own: Waiting, who: Reader) -> Response:
    """Writes what a key says; then the next word."""
    if said.key not in ANSWERS:
        raise InputError("key: no such answer")
    kept = own.answer(who, said.item, ANSWERS[said.key])
    return _shown(request, own, who, "" if kept else "review not kept")


@router.post("/wrong")
async def wrong(request: Request, said: Wrong, own: Waiting, who: Reader) -> Response:
    """Writes that a span is no identifier, or takes that back."""
    kept = own.wrong(who, said.item, said.start, said.end)
    return _shown(request, own, who, "" if kept else "review not kept", said.whole)


@router.post("/undo")
async def undo(request: Request, own: Waiting, who: Reader) -> Response:
    """Takes back the last answer of this reader."""
    done = own.undo(who)
    return _shown(request, own, who, "review undone" if done else "review nothing to undo")


@router.get("/figures")
def figures(request: Request, own: Waiting) -> Response:
    """What the answers are worth so far."""
    known, say = own.known, words(language(request))
    now = worth(own.notes, own.chosen, known)
    done, left_out = use.complete(own.notes, own.chosen, known)
    points = list(growing(own.chosen, known, now))
    return shown(
        request,
        "review_figures.html",
        now=now,
        missed=now.missed,
        recall=_interval(say, now.recall()),
        if_wrong=_interval(say, now.recall(_WRONG)),
        at_most=say.share(now.recall()[2], "high") if now.taken else "–",
        design=own.design,
        unused=own.unused,
        complete=len(done),
        left_out=left_out,
        drawing=_drawing(points) if now.taken else None,
        answers=points[-1].answers,
        size=(_WIDTH, _HEIGHT),
    )


@router.get("/notes.jsonl")
def notes(own: Waiting, who: Reader) -> Response:
    """The notes of which nothing is open, annotated, as `dpdeid review --export` writes them."""
    own.refresh()
    lines = use.annotated(own.notes, own.chosen, own.known, who)
    name = {"Content-Disposition": 'attachment; filename="notes.jsonl"'}
    return Response("".join(lines), media_type="application/jsonl", headers=name)


@router.post("/lists")
def into_lists(request: Request, told: Own, own: Waiting) -> Response:
    """Takes the answers on words as decisions of the lists, as `dpdeid fasdim learn` does."""
    if told.told.lists is None:
        raise HTTPException(404, "no lists (`dpdeid serve --lists`)")
    own.refresh()
    new = use.learn(told.told.lists, own.known) if own.known.given else Learned((), 0, 0)
    forbidden = sum(entry.verdict is Verdict.FORBIDDEN for entry in new.entries)
    return shown(request, "review_lists.html", new=new, forbidden=forbidden)


def _shown(request: Request, own: Queue, who: str, told: str = "", whole: bool = False) -> Response:
    """The part of the page with the word in hand."""
    status = 409 if told == "review not kept" else 200
    return shown(
        request, "review_item.html", status=status, **_item(request, own, who, told, whole)
    )


def _item(
    request: Request, own: Queue, who: str, told: str = "", whole: bool = False
) -> dict[str, Any]:
    """What the part with the word in hand needs; who sees the note is in the log by then."""
    number = own.take(who)
    given: dict[str, Any] = {"number": number, "told": told, "waiting": own.waiting}
    given |= {"of": len(own.places), "whole": whole}
    if number is None:
        return given
    place = own.places[number]
    at = own.note(place)
    what = "shown whole" if whole else "shown"
    lists.record(path_of(own.known.path), what, reader=who, note=at + 1, item=number + 1)
    shows = pieces(own.notes[at], place, own.known.wrong, _labels(language(request)), whole)
    is_drawn = number >= len(own.chosen.riskiest)
    return given | {"place": place, "note": at + 1, "pieces": shows, "is_drawn": is_drawn}


@cache
def _labels(lang: str) -> Words:
    """The words for labels."""
    return words_of_reports(lang)


def _interval(say: Words, of: Interval) -> str:
    """A share and its interval."""
    likely, low, high = of
    if math.isnan(likely):  # nothing was taken
        return "–"
    return f"{say.share(likely)} [{say.share(low, 'low')} – {say.share(high, 'high')}]"


def _drawing(points: Sequence[Point]) -> dict[str, Any]:
    """The recall over answers: the band of the interval, and a line in it where it is measured."""
    last = max(1, points[-1].answers)
    least = max(0.0, math.floor(10 * points[-1].recall[1] - 1) / 10)

    def corners(of: Iterable[tuple[int, float]]) -> str:
        return " ".join(
            f"{_WIDTH * count / last:.1f},{_HEIGHT * (1 - max(0, share - least) / (1 - least)):.1f}"
            for count, share in of
        )

    highs = [(point.answers, point.recall[2]) for point in points]
    lows = [(point.answers, point.recall[1]) for point in reversed(points)]
    likely = [(point.answers, point.recall[0]) for point in points if point.is_measured]
    return {"band": corners(highs + lows), "line": corners(likely), "least": least}
