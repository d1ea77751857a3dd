"""Notes to review without a model: capitalised words are found, of the others longer ones are
riskier.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from dpdeid.document import Document, Span
from dpdeid.fasdim.reading.places import Left, Place
from dpdeid.labels import Label
from dpdeid.serve.settings import Limits, Reviewing, Settings
from dpdeid.serve.work import Workers, left_in
from tests.serve.serving import TOKEN, Served, served

TEXTS = (
    "Soazig va mieux : sortie demain, radio de contrôle chez Tanguy.",
    "vu avec kermarrec, ok pour un scanner <b>demain</b> & suivi par Nolwenn.",
    "pas de fièvre, appel à 8h ; Gwendal rappelle vendredi.",
)


def left(doc: Document) -> Left:
    """What is left of a note."""
    words = [(m.start(), m.end(), m[0]) for m in re.finditer(r"\w+", doc.text)]
    spans = [Span(start, end, Label.LAST_NAME) for start, end, word in words if word[0].isupper()]
    places = [
        Place(doc.id, start, end, 1, min(1.0, len(word) / 40), doc.text)
        for start, end, word in words
        if not word[0].isupper()
    ]
    places.sort(key=lambda place: -place.risk)
    things = tuple(frozenset({span.start}) for span in spans)
    return Left(doc, tuple(spans), tuple(places), len(words), things)


def written(path: Path, texts: Sequence[str] = TEXTS) -> Path:
    """A file of these notes."""
    rows = ({"id": f"note-{at}", "text": text} for at, text in enumerate(texts, 1))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


async def at_once(_: Workers, does: Callable[..., object], *given: Any) -> object:
    """What workers say, without them."""
    return left(given[0]) if does is left_in else None


@contextmanager
def reviewed(
    monkeypatch: pytest.MonkeyPatch, folder: Path, ask: Callable[..., Any] = at_once, **told: Any
) -> Iterator[Served]:
    """A service that reviews the notes of a folder, once they are prepared."""
    monkeypatch.setattr(Workers, "ask", ask)
    if not (folder / "notes.jsonl").exists():
        written(folder / "notes.jsonl")
    told = {"share": 0.5, "sample": 5, **told}
    reviewing = Reviewing(str(folder / "notes.jsonl"), folder / "answers.jsonl", **told)
    settings = Settings(TOKEN, limits=Limits(per_minute=0), reviewing=reviewing)
    with served(settings) as own:
        until_ready(own)
        yield own


def until_ready(service: Served) -> None:
    """Waits until its notes are prepared; a service that counts requests would soon refuse."""
    with service.client() as client:
        while not client.get("/review/state").raise_for_status().json()["ready"]:
            time.sleep(0.05)


@contextmanager
def entered(service: Served, name: str) -> Iterator[httpx.Client]:
    """The browser of a reader who has shown the token."""
    headers = {"Origin": service.url}
    with httpx.Client(base_url=service.url, headers=headers, timeout=60) as client:
        client.post("/login", data={"token": TOKEN, "name": name})
        yield client


def answers(folder: Path) -> list[dict[str, Any]]:
    """The lines of the answers."""
    text = (folder / "answers.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def seen(folder: Path) -> list[dict[str, Any]]:
    """The lines of the log beside them."""
    text = (folder / "answers.jsonl.log").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
