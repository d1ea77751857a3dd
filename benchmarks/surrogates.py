"""One person, one surrogate: share of mentions that keep it, share of names kept apart, speed.

    python benchmarks/surrogates.py [GOLD.jsonl …] [--policy NAME] [--synth N] [--errors] [--json F]

On given spans, never on detected ones: what is measured is substitution. Figures of dates are in
benchmarks/surrogate_dates.py.

- co-referent: of the mentions of a name that its record has more than once, those whose surrogate
  is the most frequent one of that name, whatever its case, accents, particles or order.
- apart: of the distinct names of a record, those whose surrogate no other name has.
- initials: of the initials of somebody whose names stand in the note, those that are the initials
  of the surrogate (made-up notes only).

Who is who: in made-up notes the generator knows it, slips of the pen, misread letters and maiden
names included; a nickname and a maiden name are names of their own. Gold notes have no ids of
people, so there it is an approximation, made here and with none of the package's code: two surnames
(or first names) of a record are one name if their letters are the same without case, accents, marks
and OCR zeros, or if one is the patient's surname in the hospital's file and the other, not after
"Dr", is one letter away from it. People of one surname are one name (so they are for the package:
kin), and a slip in any other name is a name of its own. The notes of one patient (same surname and
birth date in the file) are one record. Even and odd notes are told apart, by the first note of the
record; --errors shows names of made-up and even gold notes only.

The baseline is Faker as it is mostly used: one draw for each distinct string of a record.

What may come out: the share of true surnames that the draw can give (`made/cover.py`).

Speed: notes of about 30 spans, each a record of its own and seen once, so that none is remembered,
given to the strategies of a policy; the baseline draws from Faker by label and joins the texts, in
the same run.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from detection import read_gold
from faker import Faker
from made import cover

from dpdeid import testing
from dpdeid.document import Document, Mention, Record, Span, Surrogate, Task, rewrite
from dpdeid.engine import Deidentifier
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label
from dpdeid.privacy.memory import Memory
from dpdeid.synth import corpus
from dpdeid.synth.grammar import join
from dpdeid.testing import KEY

NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
SPANS: Final = range(26, 35)
_DOCTOR: Final = re.compile(r"(?i)\b(?:dr|docteur|pr|professeur)\.?\s+$")
_INITIALS: Final = re.compile(
    r"(?:[^\W\d_]\.[-\s]?){1,4}[^\W\d_]?|[^\W\d_]|[A-Z]{2}|[b-df-hj-np-tv-z]{2}"
)


_ALIKE: Final = str.maketrans({"0": "o", "œ": "oe", "ı": "i"})


@dataclass(frozen=True, slots=True)
class Told:
    """A mention of a name: what it is, and which name of whom. `name` is "" for initials."""

    text: str
    label: Label
    name: str
    who: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A record with its spans and what they are; `half` is even, odd or synth."""

    half: str
    docs: tuple[Document, ...]
    spans: tuple[tuple[Span, ...], ...]
    told: Mapping[tuple[str, int], Told]


@dataclass(slots=True)
class Tally:
    """Counts of one system on one set."""

    mentions: int = 0
    shared: int = 0
    names: int = 0
    apart: int = 0
    initials: int = 0
    right: int = 0

    def figures(self) -> dict[str, float | int | None]:
        def share(part: int, whole: int) -> float | None:
            return part / whole if whole else None

        return {
            "mentions": self.mentions,
            "co-referent": share(self.shared, self.mentions),
            "names": self.names,
            "apart": share(self.apart, self.names),
            "initials seen": self.initials,
            "initials": share(self.right, self.initials),
        }


def letters(text: str) -> str:
    """The letters of a text, small, without accents; a zero is an o."""
    plain = unicodedata.normalize("NFKD", text.translate(_ALIKE)).lower()
    return "".join(c for c in plain if c.isalpha())


def words(text: str) -> list[str]:
    return [letters(word) for word in re.split(r"[\s'’.-]+", text) if letters(word)]


def is_initials(text: str, label: Label) -> bool:
    """Whether a name is initials only; of surnames, a single letter."""
    return (label is Label.FIRST_NAME or len(letters(text)) == 1) and bool(
        _INITIALS.fullmatch(text)
    )


def one_letter(a: str, b: str) -> bool:
    """Whether two words differ by one letter put in, left out, changed, or two swapped."""
    if len(a) < 5 or abs(len(a) - len(b)) > 1:
        return False
    return any(
        b in (a[:i] + a[i + 1 :], a[:i] + a[i : i + 2][::-1] + a[i + 2 :])
        or a == b[:i] + b[i + 1 :]
        or (len(a) == len(b) and a[:i] + a[i + 1 :] == b[:i] + b[i + 1 :])
        for i in range(max(len(a), len(b)))
    )


def synth_cases(count: int, seed: int) -> Iterator[Case]:
    """Made-up notes, each a record, with what the generator knows."""
    for number in range(count):
        made = corpus.note(seed, number)
        row = corpus.row(made, seed)
        doc = document_of({k: row[k] for k in ("id", "text", "patient_id", "note_date", "patient")})
        _, entities = join(made.pieces)
        told = {
            (doc.id, e.start): Told(
                doc.text[e.start : e.end],
                e.label,
                "" if is_initials(doc.text[e.start : e.end], e.label) else f"{e.label} {e.who}",
                e.who.partition("/")[0],
            )
            for e in entities
            if e.label in NAMES and e.who
        }
        spans = tuple(Span(e.start, e.end, e.label, 1.0, "gold", e.role) for e in entities)
        yield Case("synth", (doc,), (spans,), told)


def gold_cases(notes: Sequence[tuple[Document, tuple[Span, ...]]]) -> Iterator[Case]:
    """Gold notes by patient, with an approximation of who is who."""
    patients: dict[object, list[int]] = defaultdict(list)
    for at, (doc, _) in enumerate(notes):
        facts = doc.known.get(Label.LAST_NAME), doc.known.get(Label.BIRTH_DATE)
        patients[facts if all(facts) else at].append(at)
    for number, places in enumerate(patients.values()):
        docs = tuple(replace(notes[at][0], patient_id=f"p{number}") for at in places)
        spans = tuple(notes[at][1] for at in places)
        half = "odd" if places[0] % 2 else "even"
        yield Case(half, docs, spans, dict(_approximated(docs, spans)))


def _approximated(
    docs: Sequence[Document], spans: Sequence[Sequence[Span]]
) -> Iterator[tuple[tuple[str, int], Told]]:
    known = {letters(v) for doc in docs for v in doc.known.get(Label.LAST_NAME, ())}
    for doc, own in zip(docs, spans, strict=True):
        for span in own:
            text = doc.text[span.start : span.end]
            if span.label not in NAMES or is_initials(text, span.label) or not letters(text):
                continue
            name = letters(text)
            last = span.label is Label.LAST_NAME
            if last and name not in known and not _DOCTOR.search(doc.text[: span.start]):
                meant = [k for k in known if one_letter(name, k)]
                name = meant[0] if len(meant) == 1 else name
            yield (doc.id, span.start), Told(text, span.label, f"{span.label} {name}")


Replaced = Mapping[tuple[str, int], str]


def ours(policy: str) -> Callable[[Case], Replaced]:
    """The surrogates of a policy. A mention that is redacted has none."""
    engine = Deidentifier(policy, key=KEY)

    def run(case: Case) -> Replaced:
        return {
            (case.docs[s.mention.document].id, s.mention.span.start): s.text
            for s in substituted(engine, case)
            if s.strategy != engine.policy.default.name
        }

    return run


def substituted(engine: Deidentifier, case: Case) -> tuple[Surrogate, ...]:
    """What the engine does between detection and rewriting."""
    unit = ("patient", case.docs[0].patient_id or case.docs[0].id)
    mentions = [
        Mention(at, span, doc.text[span.start : span.end])
        for at, (doc, own) in enumerate(zip(case.docs, case.spans, strict=True))
        for span in own
    ]
    streams, task = engine.cohort.streams(*unit), Task(case.docs, unit, Memory(), ())
    return engine._substitute(mentions, Record(streams.unit, case.docs), streams, task)[0]


def naive(case: Case) -> Replaced:
    """One draw from Faker for each distinct string of a record."""
    fake = Faker("fr_FR")
    fake.seed_instance(case.docs[0].id)
    drawn: dict[tuple[Label, str], str] = {}
    for told in case.told.values():
        make = fake.last_name if told.label is Label.LAST_NAME else fake.first_name
        if (told.label, told.text) not in drawn:
            drawn[told.label, told.text] = make()
    return {place: drawn[told.label, told.text] for place, told in case.told.items()}


def agree(a: str, b: str) -> bool:
    """Whether two surrogates are one name, or one a part of the other."""
    return (
        letters(a) == letters(b) or set(words(a)) <= set(words(b)) or set(words(b)) <= set(words(a))
    )


def judge(case: Case, replaced: Replaced, tally: Tally) -> list[str]:
    """Adds a record to a tally. Returns what went wrong, originals included."""
    wrong = []
    texts: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for place, told in case.told.items():
        if told.name:
            texts[told.name].append((told.text, replaced.get(place, "")))
    usual: dict[str, str] = {}
    canon: dict[str, str] = {}
    for name, pairs in texts.items():
        drawn = Counter(letters(new) for _, new in pairs if new)
        most = drawn.most_common(1)[0][0] if drawn else ""
        usual[name] = next((new for _, new in pairs if letters(new) == most), "")
        canon[name] = Counter(letters(old) for old, _ in pairs).most_common(1)[0][0]
        if len(pairs) < 2:
            continue
        kept = [bool(new) and agree(new, usual[name]) for _, new in pairs]
        tally.mentions += len(pairs)
        tally.shared += sum(kept)
        if not all(kept):
            wrong.append(f"{name}: {sorted({f'{old} → {new}' for old, new in pairs})}")
    for label in NAMES:
        own = {canon[n]: letters(usual[n]) for n in texts if n.startswith(f"{label} ")}
        often = Counter(own.values())
        tally.names += len(own)
        tally.apart += sum(often[new] == 1 for new in own.values())
        if any(count > 1 for count in often.values()):
            wrong.append(f"not apart: {[o for o, n in own.items() if often[n] > 1]}")
    _judge_initials(case, replaced, usual, tally, wrong)
    return wrong


def _judge_initials(
    case: Case, replaced: Replaced, usual: Mapping[str, str], tally: Tally, wrong: list[str]
) -> None:
    for place, told in case.told.items():
        if told.name or not told.who:
            continue
        own = [usual.get(f"{label} {told.who}", "") for label in NAMES]
        if not all(own):
            continue
        first = {word[0] for new in own for word in words(new)}
        tally.initials += 1
        right = first.issuperset(letters(replaced.get(place, "?")))
        tally.right += right
        if not right:
            wrong.append(f"initials {told.text} → {replaced.get(place)} of {own}")


def speed(cases: Sequence[Case], policies: Sequence[str], rounds: int) -> dict[str, float]:
    """Notes per CPU-second of each policy's strategies, and of Faker; medians over rounds, each of
    notes of its own.
    """
    spent: dict[str, list[float]] = defaultdict(list)
    engines = {name: Deidentifier(name, key=KEY) for name in policies}
    for turn in range(rounds + 1):
        fresh = cases[turn :: rounds + 1]
        for name, engine in engines.items():
            began = time.process_time()
            for case in fresh:
                rewrite(case.docs[0].text, substituted(engine, case))
            spent[name].append((time.process_time() - began) / len(fresh))
        fake = Faker("fr_FR")
        began = time.process_time()
        for case in fresh:
            _fake(fake, case.docs[0], case.spans[0])
        spent["Faker"].append((time.process_time() - began) / len(fresh))
        if not turn:
            spent.clear()  # the first round loads the lists
    return {name: 1 / statistics.median(s) for name, s in spent.items()}


_FAKES: Final[Mapping[Label, str]] = {
    Label.LAST_NAME: "last_name", Label.FIRST_NAME: "first_name", Label.CITY: "city",
    Label.ZIP: "postcode", Label.STREET: "street_address", Label.PHONE: "phone_number",
    Label.FAX: "phone_number", Label.EMAIL: "email", Label.URL: "url", Label.IP: "ipv4",
    Label.SSN: "ssn", Label.DATE: "date", Label.BIRTH_DATE: "date", Label.HOSPITAL: "company",
    Label.ORGANIZATION: "company", Label.TIME: "time", Label.COUNTRY: "country",
    Label.PROFESSION: "job",
}  # fmt: skip


def _fake(fake: Faker, doc: Document, spans: Sequence[Span]) -> str:
    """The note with a draw from Faker for every span, "nnnn" where Faker has no kind for it."""
    return rewrite(
        doc.text,
        [
            Surrogate(
                Mention(0, s, ""),
                str(getattr(fake, _FAKES[s.label])()) if s.label in _FAKES else fake.numerify(),
                "faker",
            )
            for s in spans
        ],
    )


def percent(value: float | int | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="aphp")
    parser.add_argument("--synth", type=int, default=1000, help="number of made-up notes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    made = list(synth_cases(30 if args.tiny else args.synth, args.seed))
    sets: dict[str, list[Case]] = {"synth": made}
    for path in args.gold:
        for case in gold_cases(read_gold(path)):
            sets.setdefault(f"{path.parent.name}/{case.half}", []).append(case)
    if not args.gold:
        sets["shipped"] = list(gold_cases(list(testing.notes())))
    report: dict[str, Any] = {"policy": args.policy, "sets": {}}
    report["may come out"] = cover.figures(_even(sets))
    for kind, share in report["may come out"].items():
        print(f"{kind:34s} {percent(share):>7s} % of surnames may come out")
    report["drawn by origin"] = cover.by_origin()
    for origin, own in report["drawn by origin"].items():
        shares = ", ".join(percent(own[one]) for one in ("drawn", "usual drawn"))
        print(f"people of origin {origin:17s} {shares} % (the usual surnames: the latter)")
    systems = {args.policy: ours(args.policy), "naive Faker": naive}
    head = ("co-referent %", "of", "apart %", "of", "initials %", "of")
    print(f"{'':24s} {'':12s} " + " ".join(f"{one:>13s}" for one in head))
    for name, cases in sets.items():
        for system, run in systems.items():
            tally, wrong = Tally(), []
            for case in cases:
                wrong += judge(case, run(case), tally)
            figures = tally.figures()
            report["sets"].setdefault(name, {})[system] = figures
            shown = (
                percent(figures["co-referent"]), str(tally.mentions), percent(figures["apart"]),
                str(tally.names), percent(figures["initials"]), str(tally.initials),
            )  # fmt: skip
            print(f"{name:24s} {system:12s} " + " ".join(f"{one:>13s}" for one in shown))
            if args.errors and system == args.policy and not name.endswith("/odd"):
                print("\n".join(wrong))
    sized = [case for case in made if len(case.spans[0]) in SPANS]
    rounds = 1 if args.tiny else args.rounds
    if len(sized) <= rounds:
        print(
            f"\nno speed: {len(sized)} of {len(made)} made-up notes have {SPANS[0]} to {SPANS[-1]}"
            f" spans, and {rounds} rounds with one to warm up need {rounds + 1}; raise --synth"
        )
        return _written(report, args.json)
    report["notes per CPU-s"] = speed(sized, ("aphp", "dp"), rounds)
    spans = statistics.mean(len(case.spans[0]) for case in sized)
    print(f"\nsubstitution alone, {len(sized)} notes of {spans:.1f} spans")
    faker = report["notes per CPU-s"]["Faker"]
    for name, notes in report["notes per CPU-s"].items():
        print(f"{name:12s} {notes:7.0f} notes/CPU-s, {notes / faker:.2f} × Faker")
    return _written(report, args.json)


def _even(sets: Mapping[str, Sequence[Case]]) -> Iterator[tuple[Document, tuple[Span, ...]]]:
    """The notes of the even half of gold sets, with their spans."""
    for case in (case for cases in sets.values() for case in cases if case.half == "even"):
        yield from zip(case.docs, case.spans, strict=True)


def _written(report: Mapping[str, Any], path: Path | None) -> int:
    if path is not None:
        path.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
