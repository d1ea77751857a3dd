"""What people outside complain of, by family: what must stay in a note and what must go.

    python benchmarks/complaints.py [FAMILY …] [--held] [--policy dp] [--finds] [--json FILE]

Each case of `outside/*.yaml` is a small text of our own with strings that identify nobody (`stay`),
strings that identify somebody (`go`), and two spellings of one person or number that must get one
surrogate (`same`). `as` gives the label with which a string must be found. A string counts at each
place where it stands, or at one (`stay_at`, `go_at`: the string and words around it that occur
once). `known` is what the hospital's file says. A case is right if nothing in it falls short.
--held takes the cases in `outside/held`, which nobody who mends detectors reads; of these nothing
is shown but counts. --finds shows what falls short.
"""

from __future__ import annotations

import argparse
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

HERE: Final = Path(__file__).parent / "outside"
KEY: Final = bytes(range(32))
KEYS: Final = frozenset(
    ("id", "text", "known", "stay", "go", "stay_at", "go_at", "as", "same", "note")
)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What falls short in a case: how (stay, go, as, same), and which string."""

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
                raise ValueError(f"{case['id']}: {key} names what its text has not, or not once")
    return found


def _formed(case: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """For each string or pair of a case its key, and whether it is found in the text as it must."""
    text = case["text"]
    yield "stay or go", any(case.get(key) for key in ("stay", "go", "stay_at", "go_at"))
    yield "stay and go", not {*case.get("stay", ())} & {*case.get("go", ())}
    for key in ("stay", "go", "as"):
        yield from ((key, bool(what) and what in text) for what in case.get(key, ()))
    for label in case.get("as", {}).values():
        yield "as", label in {*Label}
    for key in ("stay_at", "go_at"):
        for what, around in case.get(key, ()):
            yield key, around.count(what) == text.count(around) == 1
    for one, other in case.get("same", ()):
        yield "same", one in text and other in text


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
    return Outcome(case["id"], len(asked) + len(case.get("same", ())), short)


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


def _over(done: Deidentified, start: int, end: int) -> list[Surrogate]:
    return [s for s in done.surrogates if s.mention.span.start < end and start < s.mention.span.end]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("families", nargs="*")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--finds", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    engine = Deidentifier(policy_of("rules" if args.tiny else args.policy), key=KEY)
    report: dict[str, Any] = {}
    print(f"{'family':24s}{'cases right':>14s}{'stay':>14s}{'go':>14s}{'other':>7s}")
    for family in args.families or families(held=args.held):
        every = cases(family, held=args.held)[: 2 if args.tiny else None]
        outcomes = [judged(case, engine) for case in every]
        row = _row(every, outcomes)
        report[family] = row
        print(
            f"{family:24s}{row['right']:>8d} of {row['cases']:>2d}"
            f"{row['stay_wrong']:>7d} of {row['stay']:>3d}{row['go_left']:>7d} of {row['go']:>3d}"
            f"{row['other']:>7d}"
        )
        if args.finds and not args.held:
            for one in outcomes:
                for fall in one.short:
                    print(f"    {one.id} {fall.how}: {fall.what!r} → {fall.became!r}")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


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
        "other": short.count("as") + short.count("same"),
    }


if __name__ == "__main__":
    sys.exit(main())
