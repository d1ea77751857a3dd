"""Attacks on what stands beside values: the list of a town of two, and blanks of fixed width.

    python benchmarks/beside.py [--kind ages|homonyms|lengths] [--notes N] [--tiny] [--json FILE]

Made-up notes are released by a policy and read back from the released text alone. Who attacks has
learned from as many notes of his own, released under another key, what mostly stands there.

`homonyms`: towns whose name stands in two lists, as Saint-Denis does on La Réunion and beside
Paris. *kept*: words say that it is overseas or abroad, and it is released there. *true*: no word
says so; he guesses whether it is. *which*: beside a town of the island or country, he guesses
whether the name is one of those that alone are read as of the mainland. *beside*: he guesses what
stands beside it: Paris or another town of the mainland, a day below ten, a date like a telephone
number. Chance is a half.

`lengths`: forms of fixed width. From blanks he guesses the length of surname and town, and whether
the day is below ten, beside the likeliest one; and knowing three lengths (surname, first name,
town) of a patient he names one of the notes.

`ages`: he knows three ages of the past of a patient, or these and the present one, and names one of
the notes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdeid import gazetteers
from dpdeid.detect.merge.published import Union
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.gazetteers import Place, place_key, place_list_name, places_named
from dpdeid.labels import Sex
from dpdeid.policy.policy import load_policy
from dpdeid.testing import marked, other_key
from dpdeid.testing.coupled.comparison import Planted

POLICIES: Final = ("dp", "dp-strict", "hnfc-strict")
SAID: Final = {"974": "La Réunion", "BE": "Belgique", "CH": "Suisse"}
"""Lists of which some names alone are read as of the mainland and others not, and what words say
of them.
"""
MOST: Final = 0.56
"""Of what should be guessed by chance alone."""
_LARGE: Final = 20_000
_FULL: Final = {"au": "Le ", "aux": "Les "}
Dice = np.random.Generator
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Guess = tuple[Hashable, Hashable]
"""What is true and what is seen."""


def released(policy: str, notes: Sequence[str], salt: int) -> list[str]:
    """The texts of marked notes, each of a patient of its own."""
    plain = [marked(note) for note in notes]
    spans = {f"{salt}-{at}": found for at, (_, found) in enumerate(plain)}
    bare = load_policy(policy).found_by(Planted(spans), merge=Union())
    engine = Deidentifier(replace(bare, propagators=()), key=other_key(salt))
    docs = [Document(name, text, name) for name, (text, _) in zip(spans, plain, strict=True)]
    return [engine(doc).text for doc in docs]


def right(learned: Iterable[Guess], asked: Sequence[Guess]) -> float:
    """The share that is guessed by what was mostly true where the same was seen."""
    counts: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    every: Counter[Hashable] = Counter()
    for true, seen in learned:
        counts[seen][true] += 1
        every[true] += 1
    best = every.most_common(1)[0][0]
    told = {seen: own.most_common(1)[0][0] for seen, own in counts.items()}
    return float(np.mean([told.get(seen, best) == true for true, seen in asked]))


# Homonyms


class Name(NamedTuple):
    """A name, how many people live in the towns of it, on the mainland and in a list, and whether
    it is read as of the mainland by itself.
    """

    text: str
    home: int
    away: int
    is_home: bool


def group(place: Place) -> str:
    listed = place_list_name(place)
    return "FR" if listed == "20" else listed.partition("-")[0]


def groups(name: str) -> frozenset[str]:
    """In which lists a name stands."""
    return frozenset(map(group, places_named(place_key(name))))


@cache
def names() -> Mapping[str, tuple[list[Name], list[Name]]]:
    """List → its names that the mainland has too, and those that stand there alone."""
    found: dict[str, tuple[list[Name], list[Name]]] = {listed: ([], []) for listed in SAID}
    areas = {*gazetteers.departments(), *gazetteers.regions()}
    for place in gazetteers.places():
        listed, key = group(place), place_key(place.name)
        first = {group(town): town for town in reversed(places_named(key))}
        if listed not in found or first[listed] != place or key in areas or {*"(/"} & {*place.name}:
            continue
        home, largest = first.get("FR"), places_named(key)[0]
        if {*first} == {listed}:
            found[listed][1].append(Name(place.name, 0, place.population, is_home=False))
        elif home is not None:
            is_home = home.population >= _LARGE or largest == home
            name = Name(place.name, home.population, place.population, is_home=is_home)
            found[listed][0].extend([name] * (is_home or largest == place))
    return found


def by_people(towns: Iterable[tuple[Name, int]], dice: Dice) -> str:
    every = [*towns]
    people = np.array([max(number, 1) for _, number in every], float)
    return every[int(dice.choice(len(every), p=people / people.sum()))][0].text


def at(name: str) -> str:
    """A marked town behind its word."""
    for word, article in _FULL.items():
        if name.startswith(article):
            return f"{word} «CITY:{name.removeprefix(article)}»"
    return f"à «CITY:{name}»"


def seen(text: str, after: str) -> frozenset[str]:
    """The lists in which the town stands that was released behind some words."""
    found = re.search(rf"{after} (à|aux?) (.+?)(?: \(|[,.]|$)", text)
    return groups(_FULL.get(found[1], "") + found[2]) if found else frozenset()


class Made(NamedTuple):
    """A marked note.

    Args:
        truth: what he guesses.
        after: the word before the town that he looks at.
        public: what he sees anyway.
    """

    note: str
    truth: Hashable
    after: str
    public: Hashable = None


def kept(dice: Dice) -> Made:
    listed = str(dice.choice([*SAID]))
    _, town = _two(listed, dice, is_home=True)
    return Made(f"Vivant {town} ({SAID[listed]}).", listed, "Vivant")


def true(dice: Dice) -> Made:
    shared, _ = names()[str(dice.choice([*SAID]))]
    away = bool(dice.integers(2))
    name = by_people(((one, one.away if away else one.home) for one in shared), dice)
    return Made(f"Née {at(name)}.", away, "Née")


def _two(listed: str, dice: Dice, *, is_home: bool) -> tuple[str, str]:
    """A town that stands in a list alone, and one whose name the mainland has too."""
    shared, alone = names()[listed]
    own = ((one, one.away) for one in shared if one.is_home is is_home)
    return at(by_people(((one, one.away) for one in alone), dice)), at(by_people(own, dice))


def which(dice: Dice) -> Made:
    is_home, listed = bool(dice.integers(2)), str(dice.choice([*SAID]))
    other, town = _two(listed, dice, is_home=is_home)
    return Made(f"Habite {other}, née {town}.", is_home, "née", listed)


def beside(dice: Dice) -> Made:
    bit, listed = bool(dice.integers(2)), str(dice.choice([*SAID]))
    other, town = _two(listed, dice, is_home=bool(dice.integers(2)))
    day = int(dice.integers(1, 10) if bit else dice.integers(10, 29))
    notes = (
        f"Vue {other}, née {town} («CITY:{'Paris' if bit else 'Lyon'}»).",
        f"Vue {other}, née {town}, le «DATE:{day}/06/2021».",
        f"Vue {other} le «DATE:{'01' if bit else '06'}-02-24 10 30», née {town}.",
    )
    kind = int(dice.integers(len(notes)))
    return Made(notes[kind], bit, "née", (kind, listed))


ASKED: Final[Mapping[str, Callable[[Dice], Made]]] = {
    "kept": kept,
    "true": true,
    "which": which,
    "beside": beside,
}


def homonyms(policy: str, notes: int, seed: int) -> dict[str, float]:
    """The share of towns kept where words tell it, and those of right guesses."""
    dice = np.random.default_rng(seed)
    row: dict[str, float] = {}
    for name, make in ASKED.items():
        pairs: list[list[Guess]] = []
        for salt in (1, 2):
            made = [make(dice) for _ in range(notes)]
            out = released(policy, [one.note for one in made], salt)
            read = [seen(text, one.after) for text, one in zip(out, made, strict=True)]
            if name == "kept":
                row[name] = float(
                    np.mean([one.truth in x for one, x in zip(made, read, strict=True)])
                )
            pairs.append([(m.truth, (m.public, x)) for m, x in zip(made, read, strict=True)])
        row.setdefault(name, right(*pairs))
    return row


# Lengths


FIELDS: Final = {"surname": 26, "first_name": 20, "town": 46}
"""Characters of a field, more than any value has."""
_FORM: Final = re.compile(
    r"Nom : .*?\S( *)Prénom : .*?\S( *)Ville : .*?\S( *)Vue? le( *)\S", re.DOTALL
)


def people(number: int, dice: Dice) -> list[tuple[str, str, str, int]]:
    """Surname, first name, town and day of each of so many made-up patients."""
    surnames = [one for one in gazetteers.surname_list()[:10_000] if len(one) < FIELDS["surname"]]
    first = [
        *gazetteers.first_name_list(Sex.FEMALE)[:200],
        *gazetteers.first_name_list(Sex.MALE)[:200],
    ]
    towns = gazetteers.place_lists()["FR"]
    shares = np.array([town.population for town in towns], float)
    ranks = 1 / np.sqrt(np.arange(1, len(surnames) + 1))
    lived = dice.choice(len(towns), number, p=shares / shares.sum())
    borne = dice.choice(len(surnames), number, p=ranks / ranks.sum())
    called, days = dice.integers(len(first), size=number), dice.integers(1, 29, number)
    return [
        (surnames[a], first[b], towns[c].name, int(day))
        for a, b, c, day in zip(borne, called, lived, days, strict=True)
    ]


def form(surname: str, first_name: str, town: str, day: int) -> str:
    """A form of fixed width, marked."""
    values = zip(
        ("Nom", "Prénom", "Ville"),
        ("LAST_NAME", "FIRST_NAME", "CITY"),
        (surname, first_name, town),
        FIELDS.values(),
        strict=True,
    )
    fields = (
        f"{head} : «{label}:{value}»{' ' * (width - len(value))}"
        for head, label, value, width in values
    )
    return f"{''.join(fields)}Vue le {' ' * (day < 10)}«DATE:{day}/04/2021» pour une toux."


def blanks(text: str) -> tuple[int, ...]:
    """How many blanks stand behind surname, first name and town, and before the date."""
    found = _FORM.match(text)
    return tuple(map(len, found.groups())) if found else (0, 0, 0, 0)


def lengths(policy: str, notes: int, seed: int) -> dict[str, float]:
    """The shares of lengths and days that are guessed, and how many patients are named."""
    dice = np.random.default_rng(seed)
    truth: list[list[tuple[int, ...]]] = []
    out: list[list[tuple[int, ...]]] = []
    for salt in (1, 2):
        made = people(notes, dice)
        truth.append([(*map(len, one[:3]), int(one[3] < 10)) for one in made])
        out.append([*map(blanks, released(policy, [form(*one) for one in made], salt))])
    row: dict[str, float] = {}
    scores = np.zeros((notes, notes))
    for column, name in enumerate((*FIELDS, "day")):
        own, learned = (
            [(one[column], shown[column]) for one, shown in zip(*both, strict=True)]
            for both in zip(truth, out, strict=True)
        )
        row[name] = right(learned, own)
        row[f"{name}_by_chance"] = right([(true, None) for true, _ in learned], own)
        if name in FIELDS:
            scores += told(learned, own)
    best = scores >= scores.max(1, keepdims=True) - 1e-9
    row["named"] = float((best.diagonal() / best.sum(1)).sum())
    return row


def told(learned: Sequence[Guess], asked: Sequence[Guess]) -> Floats:
    """By patient and note, log P(what is seen | what is true) − log P(what is seen)."""
    both, true, shown = Counter(learned), *map(Counter, zip(*learned, strict=True))
    truths, sights = (dict.fromkeys(values) for values in zip(*asked, strict=True))
    odds = [
        [
            (both[a, b] + 1 / (len(shown) + 1)) / (true[a] + 1) * len(learned) / (shown[b] + 1)
            for b in sights
        ]
        for a in truths
    ]
    rows, columns = ({value: at for at, value in enumerate(own)} for own in (truths, sights))
    patients, notes = [rows[a] for a, _ in asked], [columns[b] for _, b in asked]
    found: Floats = np.log(np.array(odds))[np.ix_(patients, notes)]
    return found


def life(dice: Dice) -> tuple[int, ...]:
    """Three ages of the past and the present one."""
    ages = np.cumsum((dice.integers(9, 18), dice.integers(8, 35), dice.integers(2, 20)))
    return (*map(int, ages), int(ages[-1] + dice.integers(2, 15)))


def lives(policy: str, notes: int, seed: int) -> dict[str, float]:
    """The share of 4 ages, and of 3 without the present one, by which a note is named: he knows
    them, and what the gaps between them mostly become.
    """
    dice = np.random.default_rng(seed)
    truth: list[Integers] = []
    out: list[Integers] = []
    for salt in (1, 2):
        made = [life(dice) for _ in range(notes)]
        texts = [_LIFE.format(*one) for one in made]
        read = ([*map(int, _AGE.findall(one))] for one in released(policy, texts, salt))
        shown = [[*past, now] for now, *past in read]
        truth.append(np.diff(made, prepend=0))
        out.append(np.diff(np.array(shown), prepend=0))
    scores = []
    for column in range(truth[0].shape[1]):
        moved = Counter((out[0] - truth[0])[:, column].tolist())
        seen = Counter(out[0][:, column].tolist())
        apart = out[1][None, :, column] - truth[1][:, None, column]
        known = np.vectorize(lambda by, of=moved: np.log(of[by] + 0.5))(apart)
        usual = np.vectorize(lambda gap, of=seen: np.log(of[gap] + 0.5))(out[1][:, column])
        scores.append(known - usual[None, :])
    row = {}
    for name, columns in (("by_3_ages", scores[:3]), ("by_4_ages", scores)):
        total = sum(columns[1:], start=columns[0])
        best = total >= total.max(1, keepdims=True) - 1e-9
        row[name] = float((best.diagonal() / best.sum(1)).mean())
    return row


_AGE: Final = re.compile(r"(\d+) an")
_LIFE: Final = (
    "Vue le «DATE:12/05/2021», «AGE:{3} ans». Fracture à «AGE:{0} ans», asthme à «AGE:{1} ans», "
    "HTA à «AGE:{2} ans»."
)
KINDS: Final = {"ages": (lives, 2_000), "homonyms": (homonyms, 1_000), "lengths": (lengths, 2_000)}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kind", choices=KINDS, default="homonyms")
    parser.add_argument("--notes", type=int, help="1,000 or 2,000")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--policies", nargs="*", default=list(POLICIES))
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    attack, most = KINDS[args.kind]
    notes = 40 if args.tiny else args.notes or most
    report: dict[str, Any] = {args.kind: {}}
    missed = False
    for policy in args.policies:
        row = report[args.kind][policy] = attack(policy, notes, args.seed)
        print(f"{policy}, {notes} notes")
        for name, value in row.items():
            said = f"{value:.1f}" if name == "named" else f"{100 * value:.1f} %"
            print(f"    {name.replace('_', ' '):24s} {said}")
        missed |= not args.tiny and any(row.get(name, 0) > MOST for name in ("which", "beside"))
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
