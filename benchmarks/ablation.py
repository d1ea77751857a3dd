"""Does this still pay? What is lost on gold notes without each part of the rules and the merge.

    python benchmarks/ablation.py [GOLD …] [--kinds row,check,grow,merge,doubt] [--prose FILE …]
                                  [--without FILE] [--tolerance POINTS] [--tsv FILE]
                                  [--remove FILE] [--json FILE]

Backward elimination: one part after the other is left out, and stays out if nothing is lost, since
two parts may cover for each other. Parts, by kind:

- row: a row of the rules; check: what a row asks beyond its expression; grow: the rules that need
  what the rows found, by the source of their spans;
- merge: the options of the policy's merge; doubt: the questions (functions that answer yes or no)
  of all of detection but its taggers, and the word lists of what is left of their proposals;

A row is a candidate where its own example comes out right without it, a check where the row finds
its own example and leaves its own `never` lines alone without it. A candidate goes if all this
holds:

- Every example of a row, also of those gone, and every line of tests/regression, comes out as
  before by the rules alone; in the prose (notes without gold, JSON lines with a "text") the rules
  find nothing where they found nothing.
- On the notes, read by all detectors, taggers included, in each half of each set: direct and
  indirect identifiers redacted are not lower by more than the tolerance, precision by token is not
  lower at all, and no duration (which gold does not hold) is lost. Losses of all parts add up.

Notes: GOLD as in `detection`, benchmarks/fresh and the shipped ones; the halves are the notes at
even and odd positions. "unique" counts gold tokens that only the part hides or labels right.
Taggers are asked again where the tags of the rules change, and keep their own features otherwise.
--without starts from parts that --remove wrote, which go together.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import importlib
import inspect
import itertools
import json
import pkgutil
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final
from unittest.mock import patch

from detection import Note, gold_sets, percent

import dpdeid.detect
from dpdeid import testing
from dpdeid.detect import rules as patterns
from dpdeid.detect.rules.row_files import rows as all_rows
from dpdeid.detect.rules.table import Row, Table
from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.detection import LABELS, UNSCORED, score
from dpdeid.formats.rows import document_of
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.protocols import Learned
from dpdeid.spans import covered, disjoint
from dpdeid.testing import KEY

HERE: Final = Path(__file__).parent
LINES: Final = HERE.parent / "tests" / "regression"
KINDS: Final = ("row", "check", "grow", "merge", "doubt")
FOUND: Final = ("row", "check", "grow")
"""Kinds whose parts are tried only where they find something."""
FORM: Final = ("name", "anchor", "regex", "example", "score", "never", "role")
"""Fields of a row that are no check."""
DOUBTS: Final = ("vote", "doubts", "ends", "no_names", "not_people")
"""Last names of the modules of which lists are tried, too."""
TAGGERS: Final = re.compile(r"\.taggers\.")
"""Modules that the taggers were trained with: their inputs must stay."""
UNSURE: Final = 0.5
"""A score with which a row keeps no other from being tried."""
NOTHING: Final = re.compile("(?!)")

Key = tuple[str, str]
"""Kind and name of a part."""
Place = tuple[int, int, str, str]
"""Start, end, label and role."""


@dataclass(frozen=True, eq=False, slots=True)
class Text:
    """A note, a line of the regression tests, the example of a row, or prose without gold.

    Args:
        group: the set of a note and its half; "lines" or "examples".
        gold: the spans expected; only some of them in an example.
    """

    group: tuple[str, str]
    doc: Document
    gold: tuple[Span, ...]

    @property
    def is_note(self) -> bool:
        return self.group[1] != ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A detector that remembers what it said of a note under the same rules and questions, or, if
    it is learned, under the same tags of the rules.

    Args:
        rules: what is left out of the rules and questions.
    """

    detector: Any
    rules: frozenset[Key]
    learned: bool

    @property
    def name(self) -> str:
        return str(self.detector.name)

    def __call__(self, doc: Document) -> tuple[Span, ...]:
        said = SAID["rules", self.rules]
        if (key := (self.name, doc.text, str(doc.known))) in said:
            return said[key]
        if self.learned:
            tags = tuple((s.start, s.end, s.label) for s in disjoint(rule_spans(doc)))
            by_tags = SAID["taggers", None]
            if (known := (*key, tags)) not in by_tags:
                by_tags[known] = tuple(self.detector(doc))
            said[key] = by_tags[known]
        else:
            said[key] = tuple(self.detector(doc))
        return said[key]


SAID: Final[dict[tuple[str, object], dict[object, tuple[Span, ...]]]] = defaultdict(dict)
NUMBERS: Final = itertools.count()


def checks(row: Row) -> list[str]:
    """The fields in which a row asks for more than its expression."""
    return [
        f.name
        for f in dataclasses.fields(row)
        if f.name not in FORM and getattr(row, f.name) != f.default
    ]


def bare(row: Row, off: Iterable[str]) -> Row:
    """The row without some of its checks."""
    defaults: dict[str, Any] = {f.name: f.default for f in dataclasses.fields(row)}
    return replace(row, **{name: defaults[name] for name in off})


def rows_without(off: frozenset[Key]) -> Iterator[Row]:
    for row in all_rows():
        if ("row", row.name) not in off:
            gone = [name for name in checks(row) if ("check", f"{row.name}.{name}") in off]
            yield bare(row, gone) if gone else row


def policy_without(name: str, off: frozenset[Key], *, learned: bool) -> Policy:
    """A policy with less in its merge; its taggers remember, or are left out."""
    policy = load_policy(name)
    gone = {option: value for _, option, value in merge_options(policy) if ("merge", option) in off}
    if gone:
        policy = replace(policy, merge=replace(policy.merge, **gone))  # type: ignore[type-var]
    rules = frozenset(part for part in off if part[0] != "merge")
    for key in [key for key in SAID if key[0] == "rules" and key[1] != rules]:
        del SAID[key]
    detectors: list[Any] = [
        Kept(d, rules, isinstance(d, Learned))
        for d in policy.detectors
        if learned or not isinstance(d, Learned)
    ]
    return policy.found_by(*detectors)


def merge_options(policy: Policy) -> list[tuple[str, str, Any]]:
    """Options of the merge that the policy sets, with what they are where it does not."""
    return [
        ("merge", f.name, f.default)
        for f in dataclasses.fields(policy.merge)  # type: ignore[arg-type]
        if getattr(policy.merge, f.name) != f.default
    ]


@contextmanager
def left_out(off: frozenset[Key]) -> Iterator[Callable[[Text], frozenset[Place]]]:
    """Gives what is found in a text while some parts are left out."""
    table = Table(rows_without(off))

    def thinned(grow: Callable[..., Iterable[Span]]) -> Callable[..., list[Span]]:
        return lambda doc, spans: [s for s in grow(doc, spans) if ("grow", s.source) not in off]

    number = next(NUMBERS)
    hybrid = Deidentifier(policy_without("dp", off, learned=True), key=KEY)
    alone = Deidentifier(policy_without("redact", off, learned=False), key=KEY)

    def find(text: Text) -> frozenset[Place]:
        doc = replace(text.doc, id=f"{text.doc.id}~{number}")  # detectors remember the last notes
        doc.__dict__["tokens"] = text.doc.tokens
        spans = (hybrid if text.is_note else alone).detect(doc).spans
        return frozenset((s.start, s.end, s.label.value, s.role.value) for s in spans)

    with ExitStack() as stack:
        stack.enter_context(patch.object(patterns, "_table", lambda: table))
        stack.enter_context(patch.object(patterns, "EXTEND", tuple(map(thinned, patterns.EXTEND))))
        for _, name in (part for part in off if part[0] == "doubt"):
            stack.enter_context(blank(name))
        yield find


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules of detection that need no more than is installed."""
    names = (info.name for info in pkgutil.walk_packages(dpdeid.detect.__path__, "dpdeid.detect."))
    return tuple(importlib.import_module(name) for name in names if not TAGGERS.search(name))


def functions(module: ModuleType) -> dict[str, FunctionType]:
    """The functions of a module and of its classes, by name."""
    found = {}
    for holder in (module, *(v for v in vars(module).values() if isinstance(v, type))):
        for name, value in vars(holder).items():
            inner = inspect.unwrap(value) if callable(value) else value
            if isinstance(inner, FunctionType) and inner.__module__ == module.__name__:
                found[name] = inner
    return found


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


@contextmanager
def blank(name: str) -> Iterator[None]:
    """A question ("doubts.is_rest=no") is always answered no, a list or expression is empty."""
    path, _, answer = name.partition("=")
    place, _, own = path.rpartition(".")
    module = importlib.import_module(f"{dpdeid.detect.__name__}.{place}")
    value = getattr(module, own)
    if answer:
        kept, value.__code__ = value.__code__, (lambda *_, **__: False).__code__
        try:
            yield
        finally:
            value.__code__ = kept
        return
    empty = NOTHING if isinstance(value, re.Pattern) else type(value)()
    with ExitStack() as stack:
        for other in modules():
            for bound in [k for k, v in vars(other).items() if v is value]:
                stack.enter_context(patch.object(other, bound, empty))
        yield


def blanks() -> Iterator[str]:
    """Names for `blank`: all questions of detection, and the lists of the modules of doubts."""
    for module in modules():
        short = module.__name__.removeprefix(f"{dpdeid.detect.__name__}.")
        used = set[str]()
        for name, function in functions(module).items():
            used.update(*(code.co_names for code in codes(function.__code__)))
            if function.__annotations__.get("return") in (bool, "bool") and hasattr(module, name):
                yield f"{short}.{name}=no"
        for name, value in vars(module).items() if short.rpartition(".")[2] in DOUBTS else ():
            words = isinstance(value, tuple) and value and all(isinstance(v, str) for v in value)
            if name in used and (isinstance(value, frozenset | re.Pattern) or words):
                yield f"{short}.{name}"


def texts_of(paths: Sequence[Path], prose: Sequence[Path], *, tiny: bool) -> list[Text]:
    """All texts: the notes of all sets, the lines, the examples of the rows, the prose."""
    sets = {} if tiny else gold_sets([*paths, *sorted((HERE / "fresh").glob("*.txt"))])
    sets["shipped"] = list(testing.notes())[: 2 if tiny else None]
    texts = [
        Text((name, "odd" if at % 2 else "even"), doc, spans)
        for name, notes in sets.items()
        for at, (doc, spans) in enumerate(notes)
    ]
    texts += (Text(("lines", ""), *line) for line in regression(1 if tiny else None))
    for row in all_rows():
        text, spans = testing.marked(row.example)
        texts.append(Text(("examples", ""), Document(row.name, text), spans))
    for path in prose:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            texts += (
                Text(("prose", ""), Document(f"{path.stem}-{at}", json.loads(line)["text"]), ())
                for at, line in enumerate(file)
            )
    return texts


def regression(most: int | None) -> Iterator[Note]:
    for path in sorted(LINES.glob("*.jsonl"))[:most]:
        for number, row in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            fields = json.loads(row)
            text, spans = testing.marked(fields["text"])
            yield document_of({**fields, "text": text}, number), spans


def spans_of(found: frozenset[Place]) -> tuple[Span, ...]:
    labels = {label.value: label for label in (*LABELS, *UNSCORED)}
    return tuple(Span(start, end, labels[label]) for start, end, label, _ in sorted(found))


def tally(text: Text, found: frozenset[Place]) -> Counter[str]:
    """Counts of a note: tokens hidden and leaked, right and wrong."""
    scores = score(text.doc, text.gold, spans_of(found))
    token = scores.micro(scores.token, LABELS)
    return Counter(
        {
            "direct": scores.direct.covered,
            "direct leaked": scores.direct.leaked,
            "indirect": scores.quasi.covered,
            "indirect leaked": scores.quasi.leaked,
            "right": token.tp,
            "wrong": token.fp,
        }
    )


def figures(sums: Counter[str]) -> dict[str, float]:
    """Shares redacted and precision, in per cent; 100 of nothing."""
    pairs = {
        "direct": ("direct", "direct leaked"),
        "indirect": ("indirect", "indirect leaked"),
        "precision": ("right", "wrong"),
    }
    return {
        name: 100 * sums[good] / (sums[good] + sums[bad]) if sums[good] + sums[bad] else 100.0
        for name, (good, bad) in pairs.items()
    }


def right(text: Text, found: frozenset[Place]) -> set[Place]:
    expected = {(s.start, s.end, s.label.value) for s in text.gold}
    return {place for place in found if place[:3] in expected}


def is_worse(text: Text, before: frozenset[Place], now: frozenset[Place]) -> bool:
    """Whether a line or an example lost what was right, or a line or prose gained what is wrong."""
    if text.group[0] == "prose":
        return not covered(spans_of(now)) <= covered(spans_of(before))
    if not right(text, before) <= now:
        return True
    durations = {span.label for span in text.gold} & UNSCORED
    extra = {p[:3] for p in now - right(text, now) if durations or p[2] not in UNSCORED}
    return text.group[0] == "lines" and not extra <= {place[:3] for place in before}


Found = dict[Text, frozenset[Place]]


class Elimination:
    """What has been left out so far, and what is found without it."""

    def __init__(self, texts: Sequence[Text], tolerance: float) -> None:
        self.texts, self.tolerance = texts, tolerance
        self.off = frozenset[Key]()
        with left_out(self.off) as find:
            self.first = {text: find(text) for text in texts}
        self.now = dict(self.first)
        self.tallies = {text: tally(text, self.now[text]) for text in texts if text.is_note}
        self.sums = self._sums(self.tallies)
        self.before = {group: figures(sums) for group, sums in self.sums.items()}
        self.floor = dict(self.before)

    @staticmethod
    def _sums(tallies: dict[Text, Counter[str]]) -> dict[tuple[str, str], Counter[str]]:
        sums: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for text, counts in tallies.items():
            sums[text.group].update(counts)
        return dict(sums)

    def without(self, parts: Iterable[Key], where: Iterable[Text]) -> Found:
        """What is found in the texts that change without the parts."""
        with left_out(self.off.union(parts)) as find:
            found = {text: find(text) for text in where}
        return {text: places for text, places in found.items() if places != self.now[text]}

    def losses(self, changed: Found) -> list[str]:
        """What speaks against leaving out a part without which these texts change."""
        lost = [
            text.doc.id
            for text, found in changed.items()
            if not text.is_note and is_worse(text, self.first[text], found)
        ]
        lost += (
            f"duration in {text.group[0]}"
            for text, found in changed.items()
            if text.is_note and any(p[2] in UNSCORED for p in self.now[text] - found)
        )
        tallies = {text: tally(text, found) for text, found in changed.items() if text.is_note}
        for group, sums in self._sums({**self.tallies, **tallies}).items():
            for name, value in figures(sums).items():
                slack = 0.0 if name == "precision" else self.tolerance
                if value < self.floor[group][name] - slack - 1e-9:
                    lost.append(f"{name} {value - self.floor[group][name]:+.2f} {'/'.join(group)}")
        return lost

    def unique(self, changed: Found) -> Counter[str]:
        """Tokens that only the part hides or labels right, and those that only it gets wrong."""
        total: Counter[str] = Counter()
        for text, found in changed.items():
            if text.is_note:
                now = tally(text, found)
                for name in ("direct", "indirect", "right", "wrong"):
                    total[name] += self.tallies[text][name] - now[name]
        return total

    def leave_out(self, parts: Iterable[Key], changed: Found) -> None:
        self.off |= set(parts)
        self.now.update(changed)
        self.tallies.update((t, tally(t, found)) for t, found in changed.items() if t.is_note)
        self.sums = self._sums(self.tallies)
        for group, sums in self.sums.items():  # what was gained is not to be spent
            best = self.floor[group]
            self.floor[group] = {n: max(v, best[n]) for n, v in figures(sums).items()}


def finds(texts: Sequence[Text], rows: Iterable[Row]) -> list[dict[str, set[Span]]]:
    """What each row finds in each text, by source; none keeps another from being tried."""
    table = Table([replace(row, score=UNSURE) for row in rows])
    found = []
    for text in texts:
        by_source: dict[str, set[Span]] = defaultdict(set)
        for span in table.scan(text.doc):
            by_source[span.source.partition("/")[2]].add(replace(span, source=""))
        found.append(by_source)
    return found


def parts(kind: str, texts: Sequence[Text], run: Elimination) -> Iterator[tuple[str, list[Text]]]:
    """The candidates of a kind with the texts that they can change, the least used first."""
    found: list[tuple[int, int, str, list[Text]]] = []

    def add(name: str, where: list[Text], size: int = 0) -> None:
        found.append((sum(text.is_note for text in where), -size, name, where))

    if kind == "row":
        example = {t.doc.id: t for t in texts if t.group[0] == "examples"}
        found_by = finds(texts, all_rows())
        for row in all_rows():
            where = [text for text, by in zip(texts, found_by, strict=True) if by.get(row.name)]
            add(row.name, where, len(row.regex))
        found = [f for f in found if not run.losses(run.without([("row", f[2])], [example[f[2]]]))]
    elif kind == "check":
        strict = {row.name: row for row in rows_without(run.off) if checks(row)}
        loose = {
            f"{row.name}.{name}": (replace(bare(row, [name]), name=f"{row.name}.{name}"), row.name)
            for row in strict.values()
            for name in checks(row)
        }
        before = finds(texts, strict.values())
        after = finds(texts, [row for row, _ in loose.values()])
        for name, (row, own) in loose.items():
            text, spans = testing.marked(row.example)
            marks = {(s.start, s.end, s.label) for s in spans}
            alone = Table([row])
            same = marks == {(s.start, s.end, s.label) for s in alone.scan(Document("own", text))}
            if same and not any(alone.scan(Document("never", line)) for line in row.never):
                both = zip(texts, before, after, strict=True)
                add(name, [t for t, a, b in both if a.get(own, set()) != b.get(name, set())])
    elif kind == "grow":
        sources = {
            const
            for module in modules()
            for function in functions(module).values()
            for code in codes(function.__code__)
            for const in code.co_consts
            if isinstance(const, str) and re.fullmatch(r"patterns/[\w.]+", const)
        } - {f"patterns/{row.name}" for row in all_rows()}
        with left_out(run.off):
            said = [{span.source for span in patterns.Patterns()(t.doc)} for t in texts]
        for name in sources:
            add(name, [text for text, by in zip(texts, said, strict=True) if name in by])
    elif kind == "merge":
        for _, name, _ in merge_options(load_policy("dp")):
            add(name, [text for text in texts if text.is_note])
    else:
        for name in blanks():
            add(name, list(texts))
    yield from ((name, where) for _, _, name, where in sorted(found, key=lambda f: f[:3]))


def table(kind: str, texts: Sequence[Text], run: Elimination) -> Iterator[dict[str, str]]:
    """One line a candidate of a kind; those without which nothing is lost stay left out."""
    for name, where in parts(kind, texts, run):
        changed = run.without([(kind, name)], where)
        lost = run.losses(changed)
        if not lost:
            run.leave_out([(kind, name)], changed)
        used = Counter(text.group[0] for text in where) if kind in FOUND else Counter()
        other = Counter(text.group[0] for text in changed)
        unique = run.unique(changed) if lost else Counter[str]()
        yield {
            "kind": kind,
            "name": name,
            "fires in": counts(used),
            "changes": counts(other),
            "unique": counts(unique),
            "lost": ", ".join(lost[:4]) + (f" and {len(lost) - 4} more" if len(lost) > 4 else ""),
            "verdict": "stays" if lost else ("goes: no loss" if changed else "goes: no change"),
        }


def counts(of: Counter[str]) -> str:
    return " ".join(f"{name.replace(' ', '_')}:{n}" for name, n in sorted(of.items()) if n)


def write(path: Path, rows: Iterable[Sequence[str]]) -> None:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--kinds", default="row,check,grow,merge,doubt")
    parser.add_argument("--prose", nargs="*", type=Path, default=[])
    parser.add_argument("--without", type=Path)
    parser.add_argument("--tolerance", type=float, default=0.0, help="points, default none")
    parser.add_argument("--tsv", type=Path, help="write the table")
    parser.add_argument("--remove", type=Path, help="write the parts that go: kind, name, why")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    began = time.process_time()
    kinds = ["merge"] if args.tiny else args.kinds.split(",")
    if unknown := set(kinds).difference(KINDS):
        parser.error(f"kinds are {', '.join(KINDS)}, not {', '.join(sorted(unknown))}")
    texts = texts_of(args.gold, args.prose, tiny=args.tiny)
    run = Elimination(texts, args.tolerance)
    if args.without:
        gone = [line.split("\t") for line in args.without.read_text(encoding="utf-8").splitlines()]
        changed = run.without([(kind, name) for kind, name, *_ in gone], texts)
        print(f"without {len(gone)} parts lost:", "; ".join(run.losses(changed)) or "nothing")
        run.leave_out([(kind, name) for kind, name, *_ in gone], changed)
    lines: list[dict[str, str]] = []
    for kind in kinds:
        for line in table(kind, texts, run):
            lines.append(line)
            print(*line.values(), sep="\t", flush=True)
    print(f"\n{len(lines)} candidates, {len(run.off)} go, {time.process_time() - began:.0f} CPU-s")
    print(f"{'set':24s} before: direct, indirect redacted, precision | after")
    scores = {}
    for group, sums in run.sums.items():
        before, after = run.before[group], figures(sums)
        shown = (" ".join(percent(v / 100) for v in f.values()) for f in (before, after))
        print(f"{'/'.join(group):24s} {' | '.join(shown)}")
        scores["/".join(group)] = {"before": before, "after": after}
    going = [line for line in lines if line["verdict"] != "stays"]
    if args.tsv:
        write(args.tsv, [list(lines[0]), *(list(line.values()) for line in lines)])
    if args.remove:
        write(args.remove, [[x["kind"], x["name"], x["verdict"][6:]] for x in going])
    if args.json:
        report = {"parts": lines, "scores": scores}
        args.json.write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
