"""Titles before names, and nouns for relatives: folded words and the sex they tell."""

from __future__ import annotations

from typing import Final

from dpdeid.french.tables import rows
from dpdeid.labels import Sex
from dpdeid.normalize import fold

_TITLES: Final = rows("titles")

CIVILITIES: Final = frozenset(word for word, kind, *_ in _TITLES if kind == "civil")
"""M., Mme and their like, in all numbers and slips."""
DEGREES: Final = frozenset(word for word, kind, *_ in _TITLES if kind != "civil")
"""Of physicians, professors and lawyers."""
PLURALS: Final = frozenset(word for word, _, _, number, _ in _TITLES if number == "p")
"""Titles before a list of names."""
TITLES: Final = frozenset(word for word, *_, use in _TITLES if use != "typed")
"""What running text has: no abbreviation that only a name behind it explains."""
USUAL: Final = frozenset(word for word, *_, use in _TITLES if use == "usual")
CAREGIVERS: Final = frozenset(
    word
    for word, kind, _, number, use in _TITLES
    if kind == "degree" and number == "s" and use != "typed"
)
"""Titles of one physician or professor."""
TITLE_SEX: Final = {word: Sex(sex) for word, kind, sex, *_ in _TITLES if kind == "civil" and sex}
"""Civility → the sex it tells."""

KIN: Final = tuple((word, Sex(sex), int(older or 0)) for word, sex, older in rows("kin") if older)
"""Nouns for relatives: word, sex, years older than the person whose relatives they are."""
KIN_SEX: Final = {fold(word): Sex(sex) for word, sex, _ in rows("kin")}
ROLES: Final = {word: Sex(sex) for word, sex in rows("roles")}
"""Nouns before the name of somebody who is neither kin nor titled, folded, and the sex they tell: a
masculine one behind an article or the like only, since forms mean everybody by it."""
TOLD_SEX: Final = {word: Sex(sex) for word, _, sex, *_ in _TITLES if sex}
"""Any title, of physicians too ("Dre") → the sex it tells."""
