"""What the rule detectors propose in a note, for taggers that learn when to trust them.

Not a detector: a policy names the rules that it runs. They remember what they found in the last
notes, so that a policy with rules and such a tagger runs them once.
"""

from __future__ import annotations

from typing import Final

from dpdeid.detect.lookup import Lookup
from dpdeid.detect.lookup_places import LookupPlaces
from dpdeid.detect.patterns import Patterns
from dpdeid.document import Document, Span

_RULES: Final = (Patterns(), Lookup(), LookupPlaces())


def rule_spans(doc: Document) -> tuple[Span, ...]:
    """The spans of all rules that need nothing but the text; they may overlap."""
    return tuple(span for detector in _RULES for span in detector(doc))
