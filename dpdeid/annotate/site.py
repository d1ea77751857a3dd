"""What annotated notes of a hospital teach its policy: lists of the site, and models beside ours.

What stands in the notes of several patients is the site's own: its wards, its staff, the places of
care around it. What stands in those of one patient may be that patient's address, and is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import yaml

from dpdeid.detect.known_facts.site_lists import STAFF, THINGS, entry_of
from dpdeid.document import Document, Span
from dpdeid.labels import NAMES, Label
from dpdeid.normalize import fold
from dpdeid.training.corpus import Note

LEAST: Final = 2
"""Patients in whose notes an entry stands, at least."""
_KINDS: Final[Mapping[Label, str]] = {
    label: kind for kind, label in THINGS.items() if label is not Label.CITY
}
"""Towns are not listed: `places.txt` is for what is smaller, and gold does not tell them apart."""

Lists = Mapping[str, tuple[str, ...]]


def site_lists(notes: Sequence[Note], least: int = LEAST) -> Lists:
    """List → entries, sorted, for a folder of `dpdeid.detect.known_facts.site`.

    An entry is written as it stands most often. Names that the file of the patient has are left
    out, and given names are listed with a surname only.

    Args:
        least: patients in whose notes an entry stands; a note without a patient is one's own.
    """
    patients: dict[tuple[str, Hashable], set[str]] = defaultdict(set)
    forms: dict[tuple[str, Hashable], Counter[str]] = defaultdict(Counter)
    for doc, spans in notes:
        for kind, written in _entries(doc, spans):
            if (entry := entry_of(kind, written)) is not None:
                patients[kind, entry].add(doc.patient_id or doc.id)
                forms[kind, entry][written] += 1
    lists: dict[str, list[str]] = defaultdict(list)
    for (kind, entry), seen in patients.items():
        if len(seen) >= least:
            often = forms[kind, entry]
            lists[kind].append(max(sorted(often), key=lambda form: often[form]))
    return {kind: tuple(sorted(entries)) for kind, entries in sorted(lists.items())}


def _entries(doc: Document, spans: Sequence[Span]) -> Iterator[tuple[str, str]]:
    """List and entry of what a note names, each time."""
    for span in spans:
        if kind := _KINDS.get(span.label):
            text = _written(doc, span)
            yield kind, text.lstrip("0123456789, ") if kind == "streets" else text
    own = {fold(name) for label in NAMES for name in doc.known.get(label, ())}
    names = sorted(
        span for span in spans if span.label in NAMES and fold(_written(doc, span)) not in own
    )
    for span in names:
        if span.label is Label.LAST_NAME:
            yield STAFF, _written(doc, span)
    for one, two in pairwise(names):
        if one.label is not two.label and doc.text[one.end : two.start].isspace():
            last, first = (one, two) if one.label is Label.LAST_NAME else (two, one)
            yield STAFF, f"{_written(doc, last)}\t{_written(doc, first)}"


def _written(doc: Document, span: Span) -> str:
    return " ".join(doc.text[span.start : span.end].split())


def with_detectors(policy: str, name: str, added: Sequence[Mapping[str, Any]]) -> str:
    """A policy's text under another name, with further detectors before its own.

    Args:
        policy: the YAML text of a policy that loads.
        added: detectors with their options, as a policy file has them.
    """
    root = yaml.compose(policy, Loader=yaml.SafeLoader)
    nodes = {key.value: value for key, value in root.value}  # type: ignore[union-attr]
    own = yaml.safe_load(policy)["detectors"]
    told = yaml.safe_dump([*added, *own], default_flow_style=True, width=10_000).strip()
    changes = {"detectors": told, "name": name}
    for key in sorted(changes, key=lambda key: -nodes[key].start_mark.index):
        start, end = nodes[key].start_mark.index, nodes[key].end_mark.index
        policy = policy[:start] + changes[key] + policy[end:]
    return policy
