"""What the rules and lists find in a note, without any policy or model: names and places."""

from __future__ import annotations

from dpdeid.detect.names.lookup import Lookup
from dpdeid.detect.places.lookup import LookupPlaces
from dpdeid.detect.rules import Patterns
from dpdeid.document import Document, Span
from dpdeid.spans import disjoint


def mentions(doc: Document) -> tuple[Span, ...]:
    """The spans of the rules profile: patterns and lists, united."""
    return disjoint([*Patterns()(doc), *Lookup()(doc), *LookupPlaces()(doc)])
