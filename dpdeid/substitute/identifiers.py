"""Numbers and codes: a keyed surrogate of the same shape, with the check digits of its kind.

One code of a record gets one surrogate whatever its separators and case; two codes get two. The
draw depends on the key, the unit and the code alone, so a later note of the patient gets the same
surrogate. Codes are pseudonyms: there is no ε. Months, departments and birth dates inside numbers
derive from surrogates (see `nationals`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute import derive, nationals, registered
from dpdeid.substitute.checks import nir_key, passes_luhn
from dpdeid.substitute.shapes import (
    PSEUDONYM,
    canonical,
    first_free,
    keyed,
    lay_over,
    redraw,
)

IDENTIFIERS: Final = (
    Label.PATIENT_ID,
    Label.VISIT_ID,
    Label.ORDER_ID,
    Label.SSN,
    Label.PROVIDER_ID,
    Label.OTHER_ID,
)

_KEY: Final = re.compile(r"(\bcl[ée]\b)", re.IGNORECASE)
_NUMBER: Final = 13
"""Characters of a NIR without its key."""
_APART: Final = 12
"""Characters that may stand between a NIR and its key."""
_NISS: Final = re.compile(r"\d\d(?:0\d|1[012])(?:[0-2]\d|3[01])\d{5}")
_CORSICAN: Final = re.compile(r"2[AB]\d{7}")
_INAMI: Final = re.compile(r"\d-\d{5}-\d\d-\d{3}")


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Redraws codes digit for digit and letter for letter, keyed by the code.

    Args:
        labels: the labels it serves.
    """

    name: ClassVar[str] = "identifiers"
    needs: ClassVar[tuple[str, ...]] = ("dates", "places", "people")

    labels: tuple[Label, ...] = IDENTIFIERS

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        groups: dict[str, list[Mention]] = defaultdict(list)
        keys = _lone_keys(mentions)
        for mention in mentions:
            if code := _code(keys.get(mention, mention)):
                groups[_family(code, mention.label)].append(mention)
        places: derive.Places | None = None
        taken = set(groups)
        for code in sorted(groups):
            kind = _kind(code, groups[code])
            place = None
            if kind in ("nir", "finess", "swiss plate"):
                places = places or derive.Places(context)
                place = places.nearest(groups[code][0])
            stream, cost = keyed(context.streams, f"{self.name} {kind}", self.name, kind, code)
            draw = _maker(kind, code, stream, place, context)
            whole = code + nir_key(code) if kind == "nir" else code
            drawn = first_free(draw, whole, taken, given=_given(kind, place))
            if drawn is None:
                continue
            taken.add(drawn)
            for mention in groups[code]:
                shown = drawn[_NUMBER:] if mention in keys else drawn
                yield Surrogate(mention, _laid(shown, mention), self.name, (cost,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


def _code(mention: Mention) -> str:
    """The canonical code of a mention, without the word "clé" inside a social security number."""
    told = mention.label is Label.SSN
    return canonical(_KEY.sub("", mention.text) if told else mention.text)


def _laid(drawn: str, mention: Mention) -> str:
    """The first characters of a drawn code in the form of a mention, whose word "clé" stays."""
    characters = iter(drawn)
    parts = _KEY.split(mention.text) if mention.label is Label.SSN else [mention.text]
    for at in range(0, len(parts), 2):
        length = sum(map(str.isalnum, parts[at]))
        parts[at] = lay_over(parts[at], "".join(islice(characters, length)))
    return "".join(parts)


def _lone_keys(mentions: Sequence[Mention]) -> dict[Mention, Mention]:
    """The mentions that are the key of the NIR right before them ("… clé : 85"), and that NIR."""
    numbers = sorted((m for m in mentions if m.label is Label.SSN), key=_place)
    return {
        key: number
        for number, key in pairwise(numbers)
        if key.document == number.document
        and key.span.start - number.span.end <= _APART
        and len(key.text) == 2 == len(_code(key))
        and key.text.isdecimal()
        and len(_code(number)) == _NUMBER
        and nationals.is_nir(_code(number))
    }


def _place(mention: Mention) -> tuple[int, int]:
    return mention.document, mention.span.start


def _is_swiss(code: str) -> bool:
    return len(code) == 13 and code.isdigit() and code.startswith(("756", "7601"))


def _is_nir(code: str, label: Label) -> bool:
    if _is_swiss(code):
        return False
    return nationals.is_nir(code) if label is Label.SSN else nationals.has_nir_key(code)


def _family(code: str, label: Label) -> str:
    """The code under which a mention is drawn: a NIR is the same with and without its key."""
    return code[:_NUMBER] if _is_nir(code, label) else code


def _kind(code: str, mentions: Sequence[Mention]) -> str:
    """Which rules the surrogate of a code must obey, by its labels and its form."""
    labels = {mention.label for mention in mentions}
    if _is_swiss(code):
        return "gln" if code.startswith("7601") else "avs"
    if len(code) == _NUMBER and any(_is_nir(_code(m), m.label) for m in mentions):
        return "nir"
    if Label.SSN in labels and _NISS.fullmatch(code):
        return "niss"
    if Label.PROVIDER_ID in labels and code.isdigit():
        if any(_INAMI.fullmatch(mention.text) for mention in mentions):
            return "inami"
        if len(code) == 11 and code.startswith("10"):
            return "rpps"
        if len(code) == 9:
            return "finess"
    if Label.PROVIDER_ID in labels and _CORSICAN.fullmatch(code):
        return "finess"
    if Label.OTHER_ID in labels and registered.is_swiss_plate(code):
        return "swiss plate"
    if registered.is_rib(code):
        return "rib"
    if registered.is_iban(code):
        return "iban"
    if code.isdigit() and len(code) >= 8 and passes_luhn(code):
        return "siret" if len(code) == 14 and passes_luhn(code[:9]) else "luhn"
    return "code"


def _given(kind: str, place: Place | None) -> int:
    """How many of the first characters of a surrogate follow other surrogates, or are always the
    same: every French IBAN begins with FR76.
    """
    if kind == "nir" and place is not None:
        return 5 + len(place.department)
    return {"nir": 7, "niss": 6, "gln": 4, "finess": 2, "iban": 4, "swiss plate": 2}.get(kind, 0)


def _maker(
    kind: str, code: str, stream: Stream, place: Place | None, context: Context
) -> Callable[[], str]:
    """What draws one surrogate after another for a code of this kind."""
    match kind:
        case "nir":
            return partial(nationals.nir, code, stream, derive.birth(code[1:3], context), place)
        case "niss":
            return partial(nationals.niss, code, stream, derive.birth(code[:2], context))
        case "avs":
            return partial(nationals.avs, stream)
        case "gln":
            return partial(nationals.gln, stream)
        case "inami":
            return partial(nationals.inami, stream)
        case "rpps":
            return partial(nationals.rpps, stream)
        case "finess":
            return partial(nationals.finess, stream, place)
        case "iban":
            return partial(registered.iban, code, stream)
        case "rib":
            return partial(registered.rib, code, stream)
        case "swiss plate":
            return partial(registered.swiss_plate, code, stream, place)
        case "siret":
            return partial(registered.siret, code, stream)
        case "luhn":
            return partial(registered.luhn, code, stream)
        case _:
            return partial(redraw, code, stream)
