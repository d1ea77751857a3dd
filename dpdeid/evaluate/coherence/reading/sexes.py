"""What a text says of the patient's sex."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.evaluate.coherence.facts import At, Person, Role
from dpdeid.evaluate.coherence.reading.flat import another, line_of
from dpdeid.labels import Sex

_F, _M = Sex.FEMALE, Sex.MALE
_VERB: Final = (
    r"(?:est|a ete|etait|sera|fut|est reste|reste)(?: \w+ment| bien| donc| alors|"
    r" ensuite| deja| toujours| actuellement)?"
)
_SUBJECT: Final = (
    (
        _F,
        re.compile(
            r"\bpatiente\b(?!\(|-e| (?:indiquee|mentionnee|citee))|"
            r"\bla residente\b|\bl'interessee\b"
            r"|\bla parturiente\b|\bla defunte\b"
        ),
    ),
    (
        _M,
        re.compile(
            rf"\b(?:le|ce) (?:patient|resident) (?:{_VERB}|presente|vit|a |se |n'|decrit|"
            rf"rapporte|dit|souffre|fume|"
            r"travaille|habite|signale|consulte|prend|beneficie|connu|age\b|ne le|de \d|"
            r"refuse|accepte|declare|sort)"
            r"|\bpatient de \d{1,3} ?ans|\bpatient age\b|\bce patient\b|\bun patient de \d|"
            r"\bl'interesse\b(?!e)"
        ),
    ),
    (
        _F,
        re.compile(
            rf"\belle (?:{_VERB} (?:veuve|mariee|divorcee|retraitee|agee|hospitalisee|admise|"
            rf"operee|transferee|venue|"
            r"revenue|adressee|sortie|entree|nee|autonome|separee|orientee|decedee)|vit "
            r"(?:seule|avec|chez|en)|"
            r"est (?:tres )?(?:fiere|contente|satisfaite|inquiete|heureuse|decue)|"
            r"habite|travaille|fume|se plaint|a accouche|signale|rapporte|mange|dort|boit|marche|"
            r"souhaite|accepte|demande|refuse)"
        ),
    ),
    (
        _M,
        re.compile(
            rf"\bil (?:{_VERB} (?:veuf|marie|divorce|retraite|age|hospitalise|admis|opere|"
            rf"transfere|venu|"
            r"revenu|adresse|sorti|entre|ne|autonome|separe|oriente|decede)\b|vit (?:seul|"
            r"avec|chez|en)|"
            r"habite|travaille|fume|se plaint|signale|rapporte|a bien |mange|dort|boit|marche|"
            r"souhaite|accepte|demande|refuse)"
        ),
    ),
    (
        _F,
        re.compile(
            r"\bsexe ?[:|]? ?(?:f\b|feminin)|\bcivilite ?[:|] ?(?:mme|madame|mlle)|"
            r"\bfemme de \d{1,3} ?ans|\bsexe feminin"
        ),
    ),
    (
        _M,
        re.compile(
            r"\bsexe ?[:|]? ?(?:m\b|h\b|masculin)|\bcivilite ?[:|] ?(?:m\.|m\b|mr|monsieur)|"
            r"\bhomme de \d{1,3} ?ans|\bsexe masculin"
        ),
    ),
)


_BORN: Final = re.compile(r"(?m)(?:^|[|\t]|  )[ ]{0,4}(nee?) (?:le|en) ?(:?) ?\d")


def sexes(flat: str, people: Sequence[Person]) -> tuple[tuple[At, Sex], ...]:
    """What the text says of the patient's sex, in its order."""
    return tuple(sorted(_sexes(flat, people)))


def _sexes(flat: str, people: Sequence[Person]) -> Iterator[tuple[At, Sex]]:
    for sex, words in _SUBJECT:
        yield from ((match.span(), sex) for match in words.finditer(flat))
    for one in people:
        if one.role is not Role.PATIENT or another(flat, one.at[0]):
            continue
        if one.sex is not Sex.UNKNOWN:
            yield one.at, one.sex
        if match := re.match(
            r"[^.;\n]{0,25}?[ ,(|]{1,3}(nee?)(?= (?:le (?!:)|en|a|\d))",
            flat[one.at[1] : one.at[1] + 45],
        ):
            at = one.at[1] + match.start(1), one.at[1] + match.end(1)
            yield at, _F if match[1] == "nee" else _M
    for match in _BORN.finditer(flat):
        if match[2] and match[1] == "ne":
            continue  # "Né le :" stands in forms for all
        start, _ = line_of(flat, match.start())
        named = [p for p in people if start <= p.at[0] < match.start()]
        named = named or [p for p in people if match.start() - 60 < p.at[1] <= start][-1:]
        theirs = named and named[-1].role in (Role.RELATIVE, Role.STAFF, Role.OTHER)
        if not theirs and not another(flat, match.start()):
            yield match.span(1), _F if match[1] == "nee" else _M
