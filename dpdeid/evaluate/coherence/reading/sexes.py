"""What a text says of the patient's sex."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.evaluate.coherence.cues import table
from dpdeid.evaluate.coherence.facts import At, Person
from dpdeid.evaluate.coherence.reading.flat import another, line_of
from dpdeid.labels import Role, Sex

_F, _M = Sex.FEMALE, Sex.MALE
_VERB: Final = (
    r"(?:est|a ete|etait|sera|fut|est reste|reste)(?: \w+ment| bien| donc| alors|"
    r" ensuite| deja| toujours| actuellement)?"
)
_SUBJECT: Final = [
    (Sex(sex), re.compile(words.replace("{is}", _VERB))) for sex, words in table("subjects")
]
_BORN: Final = re.compile(r"(?m)(?:^|[|\t]|  )[ ]{0,4}(nee?) (?:le|en) ?(:?) ?\d")


def sexes(flat: str, people: Sequence[Person]) -> tuple[tuple[At, Sex], ...]:
    """What the text says of the patient's sex, in its order."""
    return tuple(sorted(_sexes(flat, people)))


_BORN_BEHIND: Final = re.compile(r"[^.;\n]{0,25}?[ ,(|]{1,3}(nee?)(?= (?:le (?!:)|en|a|\d))")


def _sexes(flat: str, people: Sequence[Person]) -> Iterator[tuple[At, Sex]]:
    for sex, words in _SUBJECT:
        yield from ((match.span(), sex) for match in words.finditer(flat))
    for one in people:
        if one.role is not Role.PATIENT or another(flat, one.at[0]):
            continue
        if one.sex is not Sex.UNKNOWN:
            yield one.at, one.sex
        if match := _BORN_BEHIND.match(flat, one.at[1], one.at[1] + 45):
            yield match.span(1), _F if match[1] == "nee" else _M
    for match in _BORN.finditer(flat):
        if match[2] and match[1] == "ne":
            continue  # "Né le :" stands in forms for all
        start, _ = line_of(flat, match.start())
        named = [p for p in people if start <= p.at[0] < match.start()]
        named = named or [p for p in people if match.start() - 60 < p.at[1] <= start][-1:]
        theirs = named and named[-1].role in (Role.RELATIVE, Role.STAFF, Role.UNKNOWN)
        if not theirs and not another(flat, match.start()):
            yield match.span(1), _F if match[1] == "nee" else _M
