"""One person, one surrogate, in whatever form and note: on linked notes with ids of people.

    python benchmarks/coreference.py [LINKED.txt …] [--policy NAME] [--given] [--errors] [--json F]

The notes (benchmarks/coherence/linked.txt, whose head explains the marks) are released with their
spans given and with detected ones, without the hospital's facts, and the released mentions of a
person are compared, each with each other. Nothing of `dpdeid.substitute` is used for that.

- agree: of the pairs of mentions that show one name of one person, those whose surrogates are to
  each other as the originals are: the same letters, a part, or an initial. Pet names, slips of the
  pen and misread letters are forms of the name. An e-mail address or login counts with each name
  in it.
- apart: of the pairs of different names of a kind (first names, surnames) of the people of one
  patient, those that share no surrogate.
- kin: of the pairs of surnames that two people have in common ("Kowalska" and "Kowalski" are one),
  those that stay so.
- sex: of the first names, those whose surrogate no list gives to the other sex.
- found: of the mentions, those that were replaced at all; the others are in no other figure.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Final

from surrogates import letters, percent, words

from dpdeid import gazetteers
from dpdeid.document import Deidentified, Document, Finding, Span, Surrogate
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold
from dpdeid.testing import KEY
from dpdeid.views.reading import Reading

LINKED: Final = Path(__file__).parent / "coherence" / "linked.txt"
MARK: Final = re.compile(r"«(\w+)\.([LNFSIEO]):([^»]*)»")
LABELS: Final = {
    "L": Label.LAST_NAME,
    "N": Label.LAST_NAME,
    "F": Label.FIRST_NAME,
    "S": Label.FIRST_NAME,
    "I": Label.FIRST_NAME,
    "E": Label.EMAIL,
    "O": Label.OTHER_ID,
}
ROLES: Final = {"p": Role.PATIENT, "r": Role.RELATIVE, "d": Role.STAFF}
_AT: Final = re.compile("@.*", re.DOTALL)
_TAKEN_IN: Final = re.compile(r"^(?:d['’]|l['’]|de |la |le |qu['’]|que )", re.IGNORECASE)
_NAME: Final = re.compile(r"\S+")
_WOMEN: Final = re.compile(r"(?<=[sc]k)a\Z")
"""The ending of a Polish surname of a woman; that of her brother is an i."""
_MISREAD: Final = str.maketrans("013", "ole")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the head of a patient: `names` by kind, as it writes them."""

    sex: Sex
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Marked:
    """A mention of a name: where it stands, and whose name of which kind it is."""

    note: int
    span: Span
    text: str
    who: str
    kind: str


@dataclass(frozen=True, slots=True)
class Patient:
    """The notes of one patient, and who is named in them."""

    name: str
    people: Mapping[str, Person]
    docs: tuple[Document, ...]
    marks: tuple[Marked, ...]


Seen = tuple[Marked, str]
"""A mention and what was released for it."""


@dataclass(slots=True)
class Tally:
    """What was right, of how many, by figure; and what was wrong, originals included."""

    right: dict[str, int] = field(default_factory=dict)
    of: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, figure: str, is_right: bool, what: str) -> None:
        self.of[figure] = self.of.get(figure, 0) + 1
        self.right[figure] = self.right.get(figure, 0) + is_right
        if not is_right:
            self.wrong.append(f"{figure}: {what}")

    def figures(self) -> dict[str, float]:
        return {figure: self.right[figure] / of for figure, of in self.of.items()}


def read_linked(path: Path) -> Iterator[Patient]:
    """The patients of a file of linked notes."""
    text = "\n".join(
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )
    for part in re.split(r"^===== ", text, flags=re.MULTILINE)[1:]:
        head, *notes = re.split(r"^----- ", part, flags=re.MULTILINE)
        name, *rows = head.strip().splitlines()
        people = {}
        for row in rows:
            who, sex, first, *lasts = row.split("\t")
            given = {"F": first, **dict(zip("LN", lasts, strict=False))}
            people[who] = Person(Sex(sex), given)
        docs, marks = [], []
        for number, note in enumerate(notes):
            plain, own = _unmarked(note.partition("\n")[2], number)
            docs.append(Document(f"{name} {number}", plain, patient_id=name))
            marks += own
        yield Patient(name, people, tuple(docs), tuple(marks))


def _unmarked(note: str, number: int) -> tuple[str, list[Marked]]:
    text, done, marks = "", 0, []
    for mark in MARK.finditer(note):
        who, kind, name = mark.groups()
        text += note[done : mark.start()]
        span = Span(len(text), len(text) + len(name), LABELS[kind], 1.0, "gold", ROLES[who[0]])
        marks.append(Marked(number, span, name, who, kind))
        text += name
        done = mark.end()
    return text + note[done:], marks


class Given(Deidentifier):
    """An engine that is told the spans of its notes."""

    spans: Mapping[str, tuple[Span, ...]]

    def _find(self, docs: Sequence[Document], readings: Sequence[Reading]) -> Sequence[Finding]:
        found = [reading.plain_spans(self.spans[reading.raw]) for reading in readings]
        return [Finding(spans, ()) for spans in found]


def given(policy: str, patients: Iterable[Patient]) -> Deidentifier:
    """An engine that finds what the notes mark."""
    engine = Given(policy, key=KEY)
    engine.spans = {
        doc.text: tuple(mark.span for mark in patient.marks if mark.note == number)
        for patient in patients
        for number, doc in enumerate(patient.docs)
    }
    return engine


def released(engine: Deidentifier, patient: Patient) -> Iterator[Seen]:
    """What stands for each mention; those of which a part was left are not among them."""
    results = engine.record(patient.docs)
    for mark in patient.marks:
        text = _stretch(patient.docs[mark.note].text, results[mark.note], mark.span)
        if text is not None:
            yield mark, text


def _stretch(text: str, result: Deidentified, span: Span) -> str | None:
    own = [
        s
        for s in result.surrogates
        if s.mention.span.start < span.end and s.mention.span.end > span.start
    ]
    covered = {at for s in own for at in range(s.mention.span.start, s.mention.span.end)}
    left = any(text[at].isalnum() for at in range(span.start, span.end) if at not in covered)
    kept = any("[" in s.text or s.text == s.mention.text for s in own)
    if left or kept or not own:
        return None
    return " ".join(_own_words(s, span) for s in own)


def _own_words(surrogate: Surrogate, span: Span) -> str:
    """What of a surrogate stands for a span: of as many words those that the span has."""
    mention = surrogate.mention
    olds, news = list(_NAME.finditer(mention.text)), surrogate.text.split()
    start = mention.span.start
    at = [i for i, old in enumerate(olds) if span.start <= start + old.start() < span.end]
    if len(olds) == len(news) > len(at):
        return " ".join(news[i] for i in at)
    return _TAKEN_IN.sub("", surrogate.text) if start < span.start else surrogate.text


def plain(text: str) -> str:
    """The letters of a name, small, whatever a scanner read for them."""
    return letters(text.translate(_MISREAD))


def is_short(mark: Marked, person: Person) -> bool:
    """Whether a first name is initials or cut: "J.", "jl", "TH."; of a surname, one letter."""
    own, whole = plain(mark.text), words(person.names["F"])
    initials = "".join(word[0] for word in whole)
    return (
        len(own) < 2
        or (mark.kind == "F" and own in (initials, initials[:2]))
        or (mark.kind == "F" and mark.text.endswith(".") and len(own) < 4)
    )


def fits(short: str, long: str) -> bool:
    """Whether a released name is a part or the initials of another one."""
    one, other = plain(short), plain(long)
    initials = "".join(word[0] for word in words(long))
    return bool(one) and (
        other.startswith(one)
        or other.endswith(one)
        or initials.startswith(one)
        or set(words(short)) <= set(words(long))
    )


def agree(a: Seen, b: Seen, person: Person) -> bool | None:
    """Whether surrogates of one person are to each other as the originals; None: not related."""
    (one, new), (other, again) = a, b
    kinds = {one.kind, other.kind}
    if kinds <= {"E", "O"}:
        return None
    if kinds & {"E", "O"}:
        return _in_address(a, b, person) if one.kind in "EO" else _in_address(b, a, person)
    if kinds == {"I"}:
        return plain(new) == plain(again)
    if "I" in kinds:
        return _in_initials(a, b) if one.kind == "I" else _in_initials(b, a)
    if one.kind != other.kind:
        return None
    if plain(one.text) == plain(other.text):
        return plain(new) == plain(again)
    if is_short(one, person) and not is_short(other, person):
        return fits(new, again)
    if is_short(other, person) and not is_short(one, person):
        return fits(again, new)
    return fits(new, again) or fits(again, new)


def _in_initials(initials: Seen, name: Seen) -> bool | None:
    (mark, new), (other, drawn) = initials, name
    at = {"F": 0, "L": 1}.get(other.kind)
    if at is None or plain(other.text)[0] != plain(mark.text)[at]:
        return None
    return plain(new)[at : at + 1] == plain(drawn)[0]


def _in_address(address: Seen, name: Seen, person: Person) -> bool | None:
    """Whether an address names somebody by the surrogate as it named them by the name."""
    (mark, new), (other, drawn) = address, name
    if other.kind not in "LNF":
        return None
    old, local = letters(_AT.sub("", mark.text)), letters(_AT.sub("", new))
    whole = letters(person.names[other.kind])
    parts = [word for word in words(person.names[other.kind]) if len(word) > 3]
    if whole in old or (len(plain(other.text)) > 3 and plain(other.text) in old):
        return plain(drawn)[: 1 if is_short(other, person) else None] in local
    if named := [at for at, part in enumerate(parts) if part in old]:
        own = [word for word in words(drawn) if len(word) > 3]
        return len(own) != len(parts) or own[named[0]] in local
    if other.kind == "F" and old[0] == whole[0]:
        return local[:1] == plain(drawn)[:1]
    return None


def judge(patient: Patient, seen: Sequence[Seen], tally: Tally) -> None:
    """Adds what was released of a patient to a tally."""
    placed = {id(mark) for mark, _ in seen}
    for mark in patient.marks:
        tally.count("found", id(mark) in placed, f"{patient.name} {mark.note}: {mark.text}")
    own: dict[str, list[Seen]] = {who: [] for who in patient.people}
    for mark, new in seen:
        own[mark.who].append((mark, new))
    for who, person in patient.people.items():
        for a, b in combinations(own[who], 2):
            if (right := agree(a, b, person)) is not None:
                tally.count("agree", right, f"{patient.name} {who}: {_shown(a)}, {_shown(b)}")
        for mark, new in own[who]:
            if mark.kind == "F" and not is_short(mark, person):
                told = gazetteers.first_names().get(fold(new), Sex.UNKNOWN)
                is_kept = told in (person.sex, Sex.UNKNOWN)
                tally.count("sex", is_kept, f"{patient.name} {who}: {_shown((mark, new))}")
    bearers = [(who, kind) for who, one in patient.people.items() for kind in one.names]
    for one, other in combinations(bearers, 2):
        if (one[1] == "F") == (other[1] == "F"):
            _apart(patient, own, one, other, tally)


def _apart(
    patient: Patient,
    own: Mapping[str, Sequence[Seen]],
    one: tuple[str, str],
    other: tuple[str, str],
    tally: Tally,
) -> None:
    """Whether two names of the people of a patient are as different as they were."""
    sides = []
    for who, kind in (one, other):
        person = patient.people[who]
        whole = [new for mark, new in own[who] if mark.kind == kind and not is_short(mark, person)]
        sides.append({plain(new) for new in whole})
    (a, b), what = sides, f"{patient.name} {one} {other}: {sides}"
    names = [_WOMEN.sub("i", plain(patient.people[who].names[kind])) for who, kind in (one, other)]
    if a and b and names[0] != names[1]:
        tally.count("apart", a.isdisjoint(b), what)
    elif a and b:
        tally.count("kin", not a.isdisjoint(b), what)


def _shown(seen: Seen) -> str:
    mark, new = seen
    return f"{mark.note}.{mark.kind} {mark.text} → {new}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("linked", nargs="*", type=Path, default=[LINKED])
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--given", action="store_true", help="spans given only")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    patients = [patient for path in args.linked for patient in read_linked(path)]
    patients = patients[:1] if args.tiny else patients
    engines = {"given": given(args.policy, patients)}
    if not args.given:
        engines["detected"] = Deidentifier(args.policy, key=KEY)
    report: dict[str, dict[str, float]] = {}
    print(f"policy {args.policy}, {len(patients)} patients, %")
    for spans, engine in engines.items():
        tally = Tally()
        for patient in patients:
            judge(patient, list(released(engine, patient)), tally)
        figures = report[spans] = tally.figures()
        shown = (f"{name} {percent(share)} of {tally.of[name]}" for name, share in figures.items())
        print(f"{spans:9s} " + "  ".join(shown))
        if args.errors:
            print("\n".join(tally.wrong))
    if args.json is not None:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
