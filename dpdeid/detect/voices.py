"""Names that tell detectors of one kind apart: "crf", then "crf#2".

A policy may name a kind of detector more than once, each with options of its own: two folders of
site lists, two models of one kind. Each is heard under a name of its own, in what it proposes too:
"site#2/staff".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar, Protocol, TypeVar

from dpdeid.document import Span


class Named(Protocol):
    """A detector or a propagator."""

    name: ClassVar[str]


T = TypeVar("T", bound=Named)


def voices(parts: Iterable[T]) -> dict[str, T]:
    """Each part under its own name: the name of its kind, from the second on with a number."""
    own: dict[str, T] = {}
    for part in parts:
        name, number = part.name, 1
        while name in own:
            number += 1
            name = f"{part.name}#{number}"
        own[name] = part
    return own


def kind_of(name: str) -> str:
    """The kind of the detector with such a name.

    >>> kind_of("site#2"), kind_of("site")
    ('site', 'site')
    """
    return name.partition("#")[0]


def place_of(name: str) -> tuple[str, int]:
    """A key that sorts names by kind, then in the order of the policy.

    >>> sorted(["site#10", "crf", "site#2", "site"], key=place_of)
    ['crf', 'site', 'site#2', 'site#10']
    """
    kind, _, number = name.partition("#")
    return kind, int(number or 1)


def said_by(name: str, spans: Iterable[Span]) -> Iterator[Span]:
    """What a detector proposes, with its name in the source: "site/staff" of the second "site"
    comes from "site#2/staff".
    """
    if kind_of(name) == name:
        yield from spans
        return
    for span in spans:
        _, slash, row = span.source.partition("/")
        yield replace(span, source=f"{name}{slash}{row}")
