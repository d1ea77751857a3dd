"""Internet domains under which nobody can be reached: those of institutions, companies, mailboxes.

RFC 2606 reserves the endings. A host whose words or letters are those of an institution of the
record is that of its surrogate ("chu-dijon.fr" of "CHU de Dijon"), one that begins with a kind
("clinique-…") lies at the surrogate town nearby, a public mailbox becomes another one, and any
other host that of a company. Keyed by the host; there is no ε.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.protocols import Context
from dpdeid.substitute.places import naming
from dpdeid.substitute.places.earlier import EarlierPlaces
from dpdeid.substitute.places.identity import initials
from dpdeid.substitute.places.institutions import LINKS, NAMED, of_town, split
from dpdeid.substitute.places.written import leveled
from dpdeid.substitute.pseudonyms import keyed

ENDINGS: Final = (".example", ".test")
"""Reserved, and not ".invalid", which says of itself that it is none."""
_HEADS: Final = frozenset(words_by_key("addresses")["head"])
_BOXES: Final = frozenset(words_by_key("institution_names")["mailbox"])
_SHORT: Final = {"centre hospitalier": "ch", "universitaire": "u", "laboratoire": "labo"}
_TELLING: Final = 4
"""Letters of a word by which a host may be that of an institution."""
_LETTERS: Final = 3
_LONGEST: Final = 32
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Domains:
    """The domains of a record.

    Args:
        streams: of the unit.
        told: folded word or letters of an institution → its surrogate.
    """

    streams: Streams
    told: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, context: Context) -> Self:
        """Those that follow the institutions released before."""
        told: dict[str, str] = {}
        towns = EarlierPlaces(context).towns
        for surrogate in context.before:
            if surrogate.mention.label in NAMED:
                for word in _telling(surrogate.mention.text, towns):
                    told.setdefault(word, surrogate.text)
        return cls(context.streams, told)

    def domain(self, host: str, near: Place | None) -> tuple[str, Charge]:
        """The surrogate of a host, and what its draw costs."""
        stream, cost = keyed(self.streams, "contacts domain", "contacts", "domain", fold(host))
        return self._name(host, near, stream) + stream.choice(ENDINGS), cost

    def _name(self, host: str, near: Place | None, stream: Stream) -> str:
        words = _WORD.findall(fold(host))
        for word in words:
            if word in self.told and (name := slug(self.told[word])):
                return name
        if near is not None and words and words[0] in _HEADS:
            return slug(f"{leveled(words[0].upper(), near)} {near.name}")
        sort = "webmail" if _BOXES.intersection(words) else naming.COMPANY
        return slug(naming.drawn(sort, host, stream))


def _telling(text: str, towns: Collection[str]) -> Iterator[str]:
    """The words by which a host may be that of an institution, and its letters; of one that is
    named after a town of the record only whole words, since these say which values are equal.
    """
    if found := of_town(text, towns):
        yield from (word for word in naming.words_of(found[0][2]) if len(word) >= _TELLING)
        return
    _, _, name = split(text)
    yield from (word for word in naming.words_of(name) if len(word) >= _TELLING)
    yield from (letters for letters in initials(text) if len(letters) >= _LETTERS)
    yield from (word for word in naming.words_of(text) if len(word) >= _LETTERS and text.isupper())


def slug(name: str) -> str:
    """A name as a domain writes it.

    >>> slug("Centre hospitalier de Vannes"), slug("Établissements Morel et Fils")
    ('ch-vannes', 'etablissements-morel-fils')
    """
    plain = fold(name)
    for long, short in _SHORT.items():
        plain = plain.replace(long, short)
    words = [word for word in naming.words_of(plain) if word not in LINKS and word.isascii()]
    while len("-".join(words)) > _LONGEST and len(words) > 1:
        words.pop()
    return "-".join(words)[:_LONGEST]
