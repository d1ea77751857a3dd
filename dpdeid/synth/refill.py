"""An annotated note with other identities: every span rewritten, the text between them untouched.

Equal values stay equal within a note, in any case and spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from dpdeid import gazetteers
from dpdeid.errors import InputError
from dpdeid.french.check_digits import nir_key
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold
from dpdeid.substitute.pseudonyms import canonical, lay_over, like_case, redraw
from dpdeid.synth import names, places
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Form, Piece, join
from dpdeid.synth.places import Town

_RUN: Final = re.compile(r"[^\W\d_]+")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.?[- ]?){1,3}")


@dataclass(slots=True)
class Identities:
    """The new values of one note. Not frozen: it grows with every span."""

    dice: Dice
    lasts: dict[str, str] = field(default_factory=dict, repr=False)
    firsts: dict[str, str] = field(default_factory=dict, repr=False)
    others: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    towns: dict[str, Town] = field(default_factory=dict, repr=False)

    def last(self, text: str) -> str:
        return "-".join(like_case(self._last(p), p) if p else p for p in text.split("-"))

    def _last(self, part: str) -> str:
        key = fold(part)
        if key not in self.lasts:
            self.lasts[key] = names.surname(self.dice, self._origin())
        return self.lasts[key]

    def _origin(self) -> str:
        return self.dice.choice(names.ORIGINS) if self.dice.chance(25) else ""

    def first(self, text: str) -> str:
        if is_initials(text):
            return self._initials(text)
        key = fold(text)
        if key not in self.firsts:
            sex = gazetteers.first_names().get(key, Sex.UNKNOWN)
            if sex is Sex.UNKNOWN:
                sex = self.dice.choice((Sex.FEMALE, Sex.MALE))
            self.firsts[key] = names.first_name(
                self.dice, sex, 1930 + self.dice.randbelow(80), self._origin()
            )
        return like_case(self.firsts[key], text)

    def _initials(self, text: str) -> str:
        known = {
            name[0]: new[0] for name, new in [*self.firsts.items(), *self.lasts.items()] if new
        }

        def other(found: re.Match[str]) -> str:
            letter = known.get(fold(found[0]))
            letter = letter or self.others.setdefault(
                ("letter", fold(found[0])), self.dice.letters(1)
            )
            return letter.upper() if found[0].isupper() else letter.lower()

        return _RUN.sub(lambda run: "".join(other(m) for m in re.finditer(".", run[0])), text)

    def town(self, text: str) -> Town:
        """A town that takes the same article and elision."""
        key = gazetteers.place_key(text)
        vowel = fold(text)[:1] in "aeiouh"
        while key not in self.towns:
            drawn = places.town(self.dice)
            plain = not drawn.name.startswith(("Le ", "La ", "Les ", "L'"))
            if plain and (fold(drawn.name)[0] in "aeiouh") == vowel:
                self.towns[key] = drawn
        return self.towns[key]

    def once(self, kind: str, text: str, make: Callable[[], str]) -> str:
        key = (kind, fold(text))
        if key not in self.others:
            self.others[key] = make()
        return self.others[key]


def is_initials(text: str) -> bool:
    return bool(_INITIALS.fullmatch(text)) and (
        "." in text or (len(text) < 3 and (text.isupper() or text.islower()))
    )


WHOLE_NAMES: Final = {"NAME_PATIENT": Role.PATIENT, "NAME_DOCTOR": Role.STAFF}
"""Labels of pre-annotated corpora that hold first name and surname in one span."""
_CODES: Final = frozenset(
    {
        Label.IP, Label.PATIENT_ID, Label.VISIT_ID, Label.ORDER_ID,
        Label.PROVIDER_ID, Label.OTHER_ID, Label.ROOM,
    }
)  # fmt: skip
_HEAD: Final = re.compile(
    r"(?i)(chu|chr|chru|ch|chi|centre hospitalier(?: \w+)?|h[oô]pital|clinique|polyclinique|"
    r"institut|ehpad|r[eé]sidence|foyer|maternit[eé]|cmp|ssr|had|centre|cabinet)\b"
    r"( des? | du | d'| )?"
)
_DAY: Final = re.compile(r"^\d{1,2}(?=\D|\d{6}$)")
_USUAL: Final = frozenset(
    {
        "http", "https", "www", "fr", "com", "org", "ch", "be", "lu", "net", "html", "php",
        "example", "gmail", "orange", "wanadoo", "hotmail",
    }
)  # fmt: skip
_KINDS: Final = (
    ("school", re.compile(r"(?i)[ée]cole|coll[èe]ge|lyc[ée]e|universit|cr[èe]che|iut|ime\b|fac\b")),
    ("lab", re.compile(r"(?i)labo|bio|cabinet d")),
    ("insurer", re.compile(r"(?i)cpam|msa|mgen|mutuelle|caf\b|assur")),
    ("service", re.compile(r"(?i)ambul|taxi|pharm|assoc|tribunal|gendarm|udaf|foyer|ssiad|ccas")),
)
"""Kinds of company by how a name begins, for the rules `org.KIND`."""


def refilled(
    row: Mapping[str, Any], seed: int, *, key: str = "entities", number: int = 1
) -> dict[str, Any]:
    """The row with other identities and the spans of its new text.

    Args:
        row: a parsed row with "id", "text" and, under `key`, spans {"start", "end", "label"}.
        seed: equal seeds give equal identities.
        number: of the row, for messages.

    Raises:
        InputError: there is no text, or a span is out of the text, overlaps or has no known label.
    """
    text, spans = _checked(row, key, f"row {number}")
    name = str(row.get("id", number))
    identities = Identities(Dice.of(seed, "refill", name))
    pieces: list[Piece] = []
    at = 0
    for number_, (start, end, label, role) in enumerate(spans):
        pieces.append(Piece(text[at:start]))
        near = spans[number_ + 1] if number_ + 1 < len(spans) else None
        town = text[near[0] : near[1]] if near and near[2] is Label.CITY else ""
        pieces.append(Piece(_new(text[start:end], label, identities, town), label, role))
        at = end
    pieces.append(Piece(text[at:]))
    new, entities = join(pieces)
    return {
        **{k: v for k, v in row.items() if k not in ("id", "text", "patient", key)},
        "id": f"{name}-refill-{seed}",
        "text": new,
        "entities": [entity.to_json() for entity in entities],
    }


def _new(text: str, label: Label, identities: Identities, town: str) -> str:
    dice = identities.dice
    match label:
        case Label.LAST_NAME:
            return identities.last(text)
        case Label.FIRST_NAME:
            return identities.first(text)
        case Label.CITY:
            return like_case(identities.town(text).name, text)
        case Label.ZIP:
            return identities.town(town or text).zip
        case Label.STREET:
            return like_case(
                identities.once("street", text, lambda: places.street(dice, "FR")), text
            )
        case Label.HOSPITAL:
            return identities.once("hospital", text, lambda: _hospital(text, identities))
        case Label.ORGANIZATION:
            near = identities.town(town or text)
            kind = next((kind for kind, head in _KINDS if head.match(text)), "company")
            made = identities.once("org", text, lambda: places.filled(f"org.{kind}", dice, near))
            return like_case(made, text)
        case Label.EMAIL | Label.URL:
            word = partial(_word, dice=dice)
            return identities.once("net", text, lambda: _RUN.sub(word, text))
        case Label.BIRTH_DATE:
            return identities.once("birth", text, lambda: _other_day(text, dice))
        case Label.SSN | Label.PHONE | Label.FAX:
            return identities.once("number", text, lambda: _number(text, label, dice))
        case _ if label in _CODES:
            return identities.once("code", text, lambda: _code(text, dice))
    return text


def _word(word: re.Match[str], dice: Dice) -> str:
    return word[0] if word[0] in _USUAL else places.slug(names.surname(dice))


def _other_day(text: str, dice: Dice) -> str:
    """Another day of the same month, where the date begins with its day in digits."""
    return _DAY.sub(
        lambda day: f"{dice.between(10, 28)}" if len(day[0]) == 2 else f"{dice.between(1, 9)}", text
    )


def _code(text: str, dice: Dice) -> str:
    return lay_over(text, redraw(canonical(text), dice))


def _number(text: str, label: Label, dice: Dice) -> str:
    """A number with the same head (country, area or mobile; sex, year and month) and its key."""
    old = canonical(text)
    size = len(old) if not old.isdigit() else 5 if label is Label.SSN else 3 if len(old) > 6 else 0
    new = old[:size] + "".join(dice.digits(1) for _ in old[size:])
    if label is Label.SSN and len(new) == 15 and new.isdigit():
        new = new[:13] + nir_key(new[:13])
    return lay_over(text, new)


def _hospital(text: str, identities: Identities) -> str:
    """A hospital of like kind: the head noun stays where there is one."""
    dice = identities.dice
    head = _HEAD.match(text)
    if not head:
        return like_case(Form(dice, {}).text("hosp.bare"), text)
    if head[2] and head[2].strip():
        rest = places.of_place(identities.town(text[head.end() :]).name)
        return f"{head[1]} {like_case(rest, text) if text.isupper() else rest}"
    if head.end() == len(text):
        return text
    return head[0] + like_case(
        dice.choice(("", "Saint-", "Jean-")) + names.outside(dice), text[head.end() :]
    )


def _checked(
    row: Mapping[str, Any], key: str, where: str
) -> tuple[str, list[tuple[int, int, Label, Role]]]:
    text, given = row.get("text"), row.get(key)
    if not isinstance(text, str):
        raise InputError(f"{where}: no text")
    if not isinstance(given, list):
        raise InputError(f"{where}: no list of spans under {key}")
    spans = sorted(_span(item, text, where) for item in given)
    out: list[tuple[int, int, Label, Role]] = []
    for start, end, label, role in spans:
        if out and start < out[-1][1]:
            raise InputError(f"{where}: span {start}-{end} overlaps another")
        whole = WHOLE_NAMES.get(label)
        if whole:
            out += _parts(text, start, end, whole)
        else:
            out.append((start, end, Label(label), role))
    return text, out


def _span(item: object, text: str, where: str) -> tuple[int, int, str, Role]:
    if not isinstance(item, Mapping):
        raise InputError(f"{where}: a span is not an object")
    start, end, label = item.get("start"), item.get("end"), item.get("label")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        raise InputError(f"{where}: a span lies outside the text")
    if label not in WHOLE_NAMES and label not in set(Label):
        raise InputError(f"{where}: a span has an unknown label; see dpdeid.labels")
    role = item.get("role", "unknown")
    return start, end, str(label), Role(role) if role in set(Role) else Role.UNKNOWN


def _parts(text: str, start: int, end: int, role: Role) -> Iterator[tuple[int, int, Label, Role]]:
    """First name and surname of a span that holds both, "Jeanne Fouchet" or "FOUCHET Jeanne"."""
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text[start:end])]
    if len(words) == 1:
        yield start, end, Label.LAST_NAME, role
        return
    first, last = words[0], words[-1]
    if text[start:end][: first[1]].isupper() and not text[start:end][last[0] :].isupper():
        yield start, start + words[-2][1], Label.LAST_NAME, role
        yield start + last[0], end, Label.FIRST_NAME, role
    else:
        yield start, start + first[1], Label.FIRST_NAME, role
        yield start + words[1][0], end, Label.LAST_NAME, role
