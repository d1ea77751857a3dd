"""The two detection tables of CHUV's thesis (Loftsson 2022), made again with our parts.

    python benchmarks/chuv.py GOLD.jsonl … --test GOLD.jsonl … [--half odd|even|all]
        [--epochs N] [--seed S] [--json FILE]

- Table 4.1: the rules on the whole corpus (GOLD and the tested notes), by category.
- Table 5.2: precision and recall on the tested notes of the rules, of the bi-LSTM with one layer
  and with two, and of the hybrid by category: the rules have each category whose F1 of rules is
  over .90 on GOLD, and each with fewer than 20 examples in it, which no network is taught; the
  one-layer LSTM has the others. "published" drops what the rules find of its categories, "backed"
  lets it stand where the LSTM marks nothing.

Rules are all detectors of the policy `chuv` that are not trained, and its propagators. Every
seventh note of GOLD says when to stop training; the others are learned. What the hospital knows of
a patient ("patient") is not read. By token, in CHUV's categories: a house number is parted from its
street and the code of a canton from its town. Our gold does not say whose a name is, so that NOM is
one row. The line that is printed last is the merge for a policy.

**The data differ**: theirs are real notes of one hospital, ours are fictitious.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from detection import Note, percent
from published import CHUV

from dpdeid import testing
from dpdeid.detect.merge.by_category import CATEGORIES, ByCategory
from dpdeid.detect.merge.published import LEARNED, Union
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label, chuv_name
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.spans import disjoint
from dpdeid.testing import KEY

THEIRS: Final[Mapping[str, Sequence[float]]] = {
    **{name: row[:3] for name, row in CHUV.items()},
    "CODE_CANTON": (12, 100, 92),
    "NUMÉRO_HABITATION": (94, 93, 96),
}
"""Support, precision and recall of their Table 4.1, in per cent."""
SURE, LEAST = 0.90, 20
"""A category is the rules' above this F1, or with fewer examples."""
_HOUSE: Final = re.compile(r"\d+(?:\s?(?:bis|ter|quater|[a-d]))?\b", re.IGNORECASE)
_CANTON: Final = re.compile(
    r"(?<=\s)\(?(?:AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH)"
    r"\)?$"
)
_NAMES: Final = frozenset(("PATIENT_E", "PERSONNEL_MÉDICAL"))
_PARTED: Final = {Label.STREET: (_HOUSE, "NUMÉRO_HABITATION"), Label.CITY: (_CANTON, "CODE_CANTON")}

Find = Callable[[Document], Sequence[Span]]
Piece = tuple[int, int, str]


def pieces(doc: Document, spans: Iterable[Span]) -> Iterator[Piece]:
    """The spans as CHUV cuts and names them: start, end, category."""
    for span in spans:
        name = chuv_name(span.label, span.role)
        name = "NOM" if name in _NAMES else name
        start = span.start
        if span.label in _PARTED:
            form, part = _PARTED[span.label]
            if cut := form.search(doc.text[span.start : span.end]):
                at, to = span.start + cut.start(), span.start + cut.end()
                yield at, to, part
                if at > start:
                    yield start, at, name
                start = to
        if start < span.end:
            yield start, span.end, name


def by_token(doc: Document, spans: Iterable[Span]) -> dict[int, str]:
    """Token → category."""
    return {
        at: name for start, end, name in pieces(doc, spans) for at in doc.tokens.over(start, end)
    }


@dataclass(frozen=True, slots=True)
class Scores:
    """By category: gold spans, and tokens rightly and wrongly found and missed."""

    spans: Counter[str]
    right: Counter[str]
    wrong: Counter[str]
    missed: Counter[str]

    def row(self, name: str) -> tuple[float, float, float]:
        """Precision, recall and F1, nan over nothing."""
        return _ratios(self.right[name], self.wrong[name], self.missed[name])

    def means(self) -> dict[str, tuple[float, float, float]]:
        """Over the categories that the gold has."""
        names = [*self.spans]
        every = [self.row(name) for name in names]
        rows = {"micro": _ratios(*(sum(c[n] for n in names) for c in self._counts()))}
        for mean, weights in (("macro", [1] * len(names)), ("weighted", [*self.spans.values()])):
            rows[mean] = tuple(  # type: ignore[assignment]
                sum(
                    w * (r[at] if r[at] == r[at] else 0)
                    for w, r in zip(weights, every, strict=True)
                )
                / sum(weights)
                for at in range(3)
            )
        return rows

    def _counts(self) -> tuple[Counter[str], ...]:
        return self.right, self.wrong, self.missed


def _ratios(right: int, wrong: int, missed: int) -> tuple[float, float, float]:
    nan = float("nan")
    precision = right / (right + wrong) if right + wrong else nan
    recall = right / (right + missed) if right + missed else nan
    return precision, recall, 2 * right / (2 * right + wrong + missed) if right else 0.0


def bare(paths: Iterable[Path]) -> list[Note]:
    """The notes of files with their spans, without what the hospital knows of the patient."""
    files = (path.read_text(encoding="utf-8") for path in paths)
    return [_bare(json.loads(line)) for file in files for line in file.splitlines()]


def _bare(row: Mapping[str, Any]) -> Note:
    spans = [Span(e["start"], e["end"], Label(e["label"])) for e in row["entities"]]
    return Document(row["id"], row["text"]), disjoint(spans)


def scored(notes: Sequence[Note], find: Find) -> Scores:
    """What is found of the notes, against their gold."""
    counts = Scores(Counter(), Counter(), Counter(), Counter())
    for doc, gold in notes:
        counts.spans.update(name for _, _, name in pieces(doc, gold))
        wanted, found = by_token(doc, gold), by_token(doc, find(doc))
        for at in wanted.keys() | found.keys():
            own, said = wanted.get(at), found.get(at)
            if own == said:
                counts.right[str(own)] += 1
                continue
            if said is not None:
                counts.wrong[said] += 1
            if own is not None:
                counts.missed[own] += 1
    return counts


def rules() -> Policy:
    """The policy `chuv` with what is not trained."""
    policy = load_policy("chuv")
    kept = (d for d in policy.detectors if d.name not in LEARNED)
    return policy.found_by(*kept, merge=Union())


def finder(policy: Policy) -> Find:
    engine = Deidentifier(policy, key=KEY)
    return lambda doc: engine.detect(doc).spans


def taggers(by_rules: Scores) -> tuple[str, ...]:
    """The categories of the tagger, under the names that a policy has for them."""
    kept = {n for n, seen in by_rules.spans.items() if by_rules.row(n)[2] <= SURE and seen >= LEAST}
    if "NOM" in kept:
        kept |= _NAMES
    return tuple(sorted(kept & CATEGORIES))


def taught(notes: Sequence[Note]) -> list[Note]:
    """The notes without the spans of categories that are too rare to be learned."""
    seen = Counter(name for doc, gold in notes for _, _, name in pieces(doc, gold))
    return [
        (doc, tuple(s for s in gold if any(seen[n] >= LEAST for *_, n in pieces(doc, [s]))))
        for doc, gold in notes
    ]


def lstm(notes: Sequence[Note], layers: int, epochs: int, seed: int) -> Any:
    """A detector: CHUV's bi-LSTM, trained on the notes."""
    from dpdeid.detect.taggers.flair import tagger_of
    from dpdeid.training.flair import Options, train_flair

    known = taught(notes)
    dev = known[::7]
    train = [note for at, note in enumerate(known) if at % 7]
    best, _ = train_flair(train, dev, seeds=(seed,), options=Options(layers=layers, epochs=epochs))
    return tagger_of(best.plan, best.network)


def hybrid(own: Find, tagger: Any, merge: ByCategory) -> Find:
    """The rules and the tagger, by category."""

    def find(doc: Document) -> Sequence[Span]:
        tagged = [replace(span, source="flair") for span in tagger.tag(doc)]
        return merge(doc, {"rules": [*own(doc)], "flair": tagged})

    return find


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--test", nargs="*", type=Path, default=[])
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    shipped = list(testing.notes())
    learned, tested = bare(args.gold) or shipped[::2], bare(args.test) or shipped[1::2]
    tested = {"odd": tested[1::2], "even": tested[::2], "all": tested}[args.half]
    by_rules = finder(rules())
    print(f"{len(learned)} notes learned, {len(tested)} tested. Theirs are real, ours fictitious.")
    whole = scored([*learned, *tested], by_rules)
    print("\nTable 4.1: rules on the whole corpus; support, precision, recall, F1 | theirs")
    for name in sorted(whole.spans):
        told = "".join(f"{percent(value):>7s}" for value in whole.row(name))
        theirs = "".join(f"{value:7.0f}" for value in THEIRS.get(name, ()))
        print(f"{name:26s}{whole.spans[name]:6d}{told} | {theirs}")
    for mean, row in whole.means().items():
        print(f"{mean + ' average':32s}{''.join(f'{percent(value):>7s}' for value in row)}")
    own = taggers(scored(learned, by_rules))
    ways: dict[str, Find] = {"rules": by_rules}
    if not args.tiny:
        one, two = (lstm(learned, layers, args.epochs, args.seed) for layers in (1, 2))
        ways |= {"lstm1": one.tag, "lstm2": two.tag}
        for way, backing in (("published", False), ("backed", True)):
            ways[way] = hybrid(by_rules, one, ByCategory(own, backing=backing))
    found = {way: scored(tested, find) for way, find in ways.items()}
    support = found["rules"].spans
    heads = "".join(f"{way:>10s}" for way in ways)
    print(f"\nTable 5.2: tested notes; precision {heads}, recall {heads}  (*: the rules')")
    for name in sorted(n for n in support if support[n]):
        mark = " " if name in own or (name == "NOM" and "PATIENT_E" in own) else "*"
        cells = [
            "".join(f"{percent(s.row(name)[at]):>10s}" for s in found.values()) for at in (0, 1)
        ]
        print(f"{mark}{name:25s}{support[name]:6d}{cells[0]} |{cells[1]}")
    for mean in ("micro", "macro", "weighted"):
        cells = [
            "".join(f"{percent(s.means()[mean][at]):>10s}" for s in found.values()) for at in (0, 1)
        ]
        print(f" {mean + ' average':31s}{cells[0]} |{cells[1]}")
    print(f"\nmerge: {{by_category: {{categories: [{', '.join(own)}]}}}}")
    if args.json:
        tables = {
            way: {n: [s.spans[n], *s.row(n)] for n in sorted(s.spans)} | s.means()
            for way, s in {"whole": whole, **found}.items()
        }
        report = {"categories": own, "tables": tables}
        args.json.write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
