"""What people outside complain of, by family: what must stay in a note and what must go.

    python benchmarks/complaints.py [FAMILY …] [--held] [--policy dp] [--finds] [--verdicts]

Each case of `outside/*.yaml` is a small text of our own with strings that identify nobody (`stay`),
strings that identify somebody (`go`), and two spellings of one person or number that must get one
surrogate (`same`). `as` gives the label with which a string must be found. A string counts at each
place where it stands, or at one (`stay_at`, `go_at`: the string and words around it that occur
once). `apart` gives two people who must get two surrogates, `like` the form of what comes out for a
string, `gap` two dates whose order stays, and how many times longer or shorter the
days between them may get. `known` is what the hospital's
file says. A case is right if nothing in it falls short.

A case of a public report (`reports*.yaml`) says which (`report`: project#number), of what `kind`,
and what was seen on a `date` (`verdict`: holds, falls short); a second table counts by kind.
--held takes the cases in `outside/held`, which nobody who mends detectors reads; of these nothing
is shown but counts. --finds shows what falls short, --verdicts which rows differ from their verdict
now, --json FILE keeps the counts.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from detection import policy_of

from dpdeid.document import Deidentified, Document, Surrogate
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.dates.written.parser import PartialDate, date_of, parse
from dpdeid.testing import other_key

HERE: Final = Path(__file__).parent / "outside"
REPORT: Final = frozenset(("report", "kind", "verdict", "date"))
KEY: Final = other_key(2)
"""Verdicts of six rows (lengths, and days without a second digit) are of the draw, so of the key:
those that are recorded are the ones under this key.
"""
KEYS: Final = REPORT | {
    *("id", "text", "known", "note", "stay", "go", "stay_at", "go_at"),
    *("as", "same", "apart", "like", "gap"),
}
VERDICTS: Final = ("falls short", "holds")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What falls short in a case: how (stay, go, as, same, apart, like, gap), and which string."""

    how: str
    what: str
    became: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case as it was released.

    Args:
        asked: how many places were looked at.
    """

    id: str
    asked: int
    short: Sequence[Shortfall]

    @property
    def verdict(self) -> str:
        """What a row that runs like this says."""
        return VERDICTS[not self.short]


def cases(family: str, *, held: bool = False) -> list[dict[str, Any]]:
    """The cases of a family.

    Raises:
        ValueError: two have one id, or one is not well formed; names the case and its key, and no
            string of it.
    """
    path = (HERE / "held" if held else HERE) / f"{family}.yaml"
    with path.open(encoding="utf-8") as file:  # of a file that is open YAML's errors quote nothing
        found: list[dict[str, Any]] = yaml.safe_load(file)
    if len({case["id"] for case in found}) < len(found):
        raise ValueError(f"{family}: two cases have one id")
    for case in found:
        if unknown := case.keys() - KEYS:
            raise ValueError(f"{case['id']}: unknown keys {sorted(unknown)}")
        for key, good in _formed(case):
            if not good:
                raise ValueError(
                    f"{case['id']}: {key}: ill formed, or not in its text, or not once"
                )
    return found


def _formed(case: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """For each string or pair of a case its key, and whether it is found in the text as it must."""
    text = case["text"]
    if told := case.keys() & REPORT:
        yield "report, kind, verdict, date", told == REPORT
        yield "report", re.fullmatch(r"(?:[\w.-]+/)?[\w.-]+#[1-9]\d*", case["report"]) is not None
        yield "kind", isinstance(case["kind"], str) and bool(case["kind"])
        yield "verdict", case["verdict"] in VERDICTS
        yield "date", isinstance(case["date"], dt.date)
    yield "stay or go", any(case.get(key) for key in ("stay", "go", "stay_at", "go_at"))
    yield "stay and go", not {*case.get("stay", ())} & {*case.get("go", ())}
    for key in ("stay", "go", "as", "like"):
        yield from ((key, bool(what) and what in text) for what in case.get(key, ()))
    for label in case.get("as", {}).values():
        yield "as", label in {*Label}
    for key in ("stay_at", "go_at"):
        for what, around in case.get(key, ()):
            yield key, around.count(what) == text.count(around) == 1
    for key in ("same", "apart"):
        yield from ((key, one in text and other in text) for one, other in case.get(key, ()))
    for one, other, times in case.get("gap", ()):
        dated = one in text and other in text and _apart(one, other) is not None
        yield "gap", dated and times >= 1


def families(*, held: bool = False) -> list[str]:
    return sorted(path.stem for path in (HERE / "held" if held else HERE).glob("*.yaml"))


def judged(case: Mapping[str, Any], engine: Callable[[Document], Deidentified]) -> Outcome:
    """A case, released and compared with what it asks for."""
    text = case["text"]
    done = engine(Document(case["id"], text, known=case.get("known", {})))
    asked = list(_asked(case, text))
    short = [fall for how, start, end in asked for fall in _shortfalls(done, text, how, start, end)]
    for what, label in case.get("as", {}).items():
        over = [s for at in _places(text, what) for s in _over(done, at, at + len(what))]
        if all(s.mention.label != label for s in over):
            became = over[0].mention.label if over else "not found"
            short.append(Shortfall("as", what, became))
    for one, other in case.get("same", ()):
        first, second = _surrogate(done, text, one), _surrogate(done, text, other)
        if not (first and second and (first in second or second in first)):
            short.append(Shortfall("same", f"{one} / {other}", f"{first} / {second}"))
    for one, other in case.get("apart", ()):
        first, second = _surrogate(done, text, one), _surrogate(done, text, other)
        if first == second:
            short.append(Shortfall("apart", f"{one} / {other}", first))
    for what, form in case.get("like", {}).items():
        became = _released(done, text, what)
        if re.fullmatch(form, became) is None:
            short.append(Shortfall("like", what, became))
    for one, other, times in case.get("gap", ()):
        first, second = _released(done, text, one), _released(done, text, other)
        before, after = _apart(one, other), _apart(first, second)
        if after is None or not _within(before or 0, after, times):
            short.append(Shortfall("gap", f"{one} / {other}", f"{first} / {second}"))
    pairs = sum(len(case.get(key, ())) for key in ("same", "apart", "like", "gap"))
    return Outcome(case["id"], len(asked) + pairs, short)


def _asked(case: Mapping[str, Any], text: str) -> Iterator[tuple[str, int, int]]:
    for how in ("stay", "go"):
        for what in case.get(how, ()):
            yield from ((how, at, at + len(what)) for at in _places(text, what))
        for what, around in case.get(f"{how}_at", ()):
            at = text.index(around) + around.index(what)
            yield how, at, at + len(what)


def _places(text: str, what: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(what), text)]


def _shortfalls(
    done: Deidentified, text: str, how: str, start: int, end: int
) -> Iterator[Shortfall]:
    changed = [s for s in _over(done, start, end) if s.text != s.mention.text]
    what = text[start:end]
    if how == "stay":
        for one in changed:
            span = one.mention.span
            piece = text[max(start, span.start) : min(end, span.end)].strip()
            if any(map(str.isalnum, piece)) and not _stands(piece, one.text):
                yield Shortfall(how, what, one.text)
                return
    else:
        hidden = {at for s in changed for at in range(s.mention.span.start, s.mention.span.end)}
        left = [at for at in range(start, end) if text[at].isalnum() and at not in hidden]
        if left:
            yield Shortfall(how, what, "".join(text[at] for at in left))


def _stands(piece: str, text: str) -> bool:
    """Whether it does as words of its own: no 2 stands in 12."""
    return re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", text) is not None


def _surrogate(done: Deidentified, text: str, what: str) -> str:
    """The letters and digits that stand for a string where it first stands; "" if it stays."""
    start = text.index(what)
    over = _over(done, start, start + len(what))
    told = "".join(c for s in over for c in fold(s.text) if c.isalnum())
    if told.isdigit():  # a number abroad and at home, filled with zeros or not
        told = told.removeprefix("00").removeprefix("33" if len(told) > 10 else "").lstrip("0")
    return told


def _released(done: Deidentified, text: str, what: str) -> str:
    """What a string became where it first stands; surrogates are whole, also of more than it."""
    at = text.index(what)
    end, pieces = at + len(what), []
    for one in sorted(_over(done, at, end), key=lambda s: s.mention.span.start):
        pieces += [text[at : one.mention.span.start], one.text]
        at = one.mention.span.end
    return "".join((*pieces, text[at:end]))


def _within(before: int, after: int, times: int) -> bool:
    """Whether two distances go the same way, and one is so many times the other at most."""
    same_way = (before > 0) - (before < 0) == (after > 0) - (after < 0)
    return same_way and abs(before) <= times * abs(after) and abs(after) <= times * abs(before)


def _apart(one: str, other: str) -> int | None:
    """Days from one date to another; None if one of them tells no day."""
    first, second = _day(one), _day(other)
    return None if first is None or second is None else (second - first).days


def _day(text: str) -> dt.date | None:
    read = parse(text)
    if not isinstance(read, PartialDate) or read.year is None or read.month is None or not read.day:
        return None
    return date_of(read.year + 2000 * read.short_year, read.month, read.day)


def _over(done: Deidentified, start: int, end: int) -> list[Surrogate]:
    return [s for s in done.surrogates if s.mention.span.start < end and start < s.mention.span.end]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("families", nargs="*")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--finds", action="store_true")
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    engine = Deidentifier(policy_of("rules" if args.tiny else args.policy), key=KEY)
    report: dict[str, Any] = {}
    reported: list[tuple[Mapping[str, Any], Outcome]] = []
    _print_head("family")
    for family in args.families or families(held=args.held):
        every = cases(family, held=args.held)[: 2 if args.tiny else None]
        outcomes = [judged(case, engine) for case in every]
        report[family] = _row(every, outcomes)
        _print_row(family, report[family])
        if args.finds and not args.held:
            for one in outcomes:
                for fall in one.short:
                    print(f"    {one.id} {fall.how}: {fall.what!r} → {fall.became!r}")
        reported += [pair for pair in zip(every, outcomes, strict=True) if "report" in pair[0]]
    if reported and not args.held:
        _print_kinds(reported)
    if args.verdicts and not args.held:
        for case, one in reported:
            if case["verdict"] != one.verdict:
                print(f"{one.id} ({case['report']}): {case['verdict']} → {one.verdict}")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


def _print_kinds(reported: Sequence[tuple[Mapping[str, Any], Outcome]]) -> None:
    print()
    _print_head("kind of report")
    for kind in dict.fromkeys(case["kind"] for case, _ in reported):
        of_kind = [pair for pair in reported if pair[0]["kind"] == kind]
        _print_row(kind, _row([case for case, _ in of_kind], [one for _, one in of_kind]))
    _print_row("all", _row([case for case, _ in reported], [one for _, one in reported]))


def _print_head(what: str) -> None:
    print(f"{what:24s}{'cases right':>14s}{'stay wrong':>14s}{'go left':>14s}{'other':>7s}")


def _print_row(name: str, row: Mapping[str, int]) -> None:
    print(
        f"{name:24s}{row['right']:>8d} of {row['cases']:>2d}"
        f"{row['stay_wrong']:>7d} of {row['stay']:>3d}{row['go_left']:>7d} of {row['go']:>3d}"
        f"{row['other']:>7d}"
    )


def _row(every: Sequence[Mapping[str, Any]], outcomes: Sequence[Outcome]) -> dict[str, int]:
    short = [fall.how for one in outcomes for fall in one.short]
    asked = [how for case in every for how, *_ in _asked(case, case["text"])]
    return {
        "cases": len(outcomes),
        "right": sum(not one.short for one in outcomes),
        "stay": asked.count("stay"),
        "stay_wrong": short.count("stay"),
        "go": asked.count("go"),
        "go_left": short.count("go"),
        "other": sum(how not in ("stay", "go") for how in short),
    }


if __name__ == "__main__":
    sys.exit(main())
