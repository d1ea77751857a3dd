"""The rows of the rule detector, read from the YAML files beside this module.

A row has these fields; only the first three and one anchor are needed:

- `name`, `regex` and `example`, as in `table.Row`; `score`, `role`, `never` as there;
- an anchor: `words` and what must stand `behind` them, `begins` (the first words of lists, and what
  stands behind each), `counts` (what a number in words counts), `number`, `ending`, `literal` or
  `run`, as in `table`;
- `context`, steps on the text beside the match, read `within` so many characters: see `context`;
- `check`, the name of a predicate;
- `each`: the row stands for several, with one of these words each at `<<EACH>>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from dpdeid.detect.rules import timewords
from dpdeid.detect.rules.codes import (
    evident_code,
    iban,
    likely_code,
    login,
    luhn,
    network_address,
    numbered_code,
    personal_phone,
    phone_form,
    social_security_key,
    social_security_number,
    solid_code,
    unknown_parts,
)
from dpdeid.detect.rules.context import decisions
from dpdeid.detect.rules.dates import (
    compact_birth,
    dotted_note,
    full_date,
    real_date,
    real_day_and_month,
    real_range,
    real_spaced_date,
    rising_days,
    rising_list,
)
from dpdeid.detect.rules.fragments import FAMILIES, expression, family, phrases
from dpdeid.detect.rules.people.name_words import (
    colleague,
    given_name_first,
    given_name_last,
    greeted_person,
    initials_placed,
    name_follows,
    no_word,
    practice,
    short_surname,
    shouted_name,
    spelt_name,
    surname,
    unknown_initials,
    worker_before,
)
from dpdeid.detect.rules.places import (
    employer,
    landscape,
    lower_case_place_of_care,
    named_after_somebody,
    named_body,
    no_french_word,
    no_medicine,
    place_of_care,
    shop_of_town,
    spot,
    town_of_zip,
)
from dpdeid.detect.rules.table import Anchor, Check, Ending, Number, Row, Run
from dpdeid.detect.rules.word_trees import beginnings
from dpdeid.labels import Role
from dpdeid.normalize import fold

PREDICATES: Final[dict[str, Check]] = {
    check.__name__: check
    for check in (
        full_date,
        real_date,
        real_spaced_date,
        real_day_and_month,
        rising_days,
        real_range,
        rising_list,
        compact_birth,
        dotted_note,
        phone_form,
        personal_phone,
        network_address,
        evident_code,
        likely_code,
        numbered_code,
        solid_code,
        social_security_number,
        social_security_key,
        luhn,
        iban,
        unknown_parts,
        login,
        spot,
        landscape,
        place_of_care,
        employer,
        named_body,
        lower_case_place_of_care,
        named_after_somebody,
        shop_of_town,
        colleague,
        greeted_person,
        short_surname,
        shouted_name,
        practice,
        surname,
        given_name_first,
        given_name_last,
        no_word,
        initials_placed,
        unknown_initials,
        spelt_name,
        name_follows,
        worker_before,
        town_of_zip,
        no_french_word,
        no_medicine,
    )
}
"""The looks at a match that rows ask for by name: what no expression can tell."""

_ANCHORS: Final = {"words", "begins", "counts", "number", "ending", "literal", "run"}
_NEEDED: Final = {"name", "regex", "example"}
_MORE: Final = {"behind", "each", "score", "role", "check", "context", "within", "never"}
_FIELDS: Final = frozenset(_ANCHORS | _NEEDED | _MORE)
_WORD_LISTS: Final = {
    "NUMERALS": timewords.NUMERALS,
    "MONTH_WORDS": timewords.MONTH_WORDS,
    "WEEKDAY_WORDS": timewords.WEEKDAY_WORDS,
    "SHORT_WEEKDAY_WORDS": timewords.SHORT_WEEKDAY_WORDS,
    "TINY_WEEKDAY_WORDS": timewords.TINY_WEEKDAY_WORDS,
}


@cache
def rows(*names: str) -> tuple[Row, ...]:
    """The rows of the families; without a name of all, in the order in which they are tried."""
    return tuple(row for name in names or FAMILIES for row in _rows(name))


def _rows(name: str) -> Iterator[Row]:
    for fields in family(name).get("rows", ()):
        for each in fields.get("each", "").split() or ("",):
            try:
                yield read_row(_filled(fields, each))
            except (AttributeError, KeyError, TypeError, ValueError, re.error) as error:
                what = f"unknown {error}" if isinstance(error, KeyError) else error
                raise ValueError(f"{name}.yaml, row {fields.get('name')}: {what}") from error


def _filled(value: Any, each: str) -> Any:
    """The value with one word of `each` in its place."""
    if isinstance(value, str):
        return value.replace("<<EACH>>", each)
    if isinstance(value, list):
        return [_filled(item, each) for item in value]
    return {k: _filled(v, each) for k, v in value.items()} if isinstance(value, dict) else value


def read_row(fields: Mapping[str, Any]) -> Row:
    """The row of its fields.

    Raises:
        ValueError: a field is missing or unknown, or no label names a group.
        KeyError: a role, predicate, list or fragment is unknown.
        re.error: the expression is none.
    """
    if unknown := set(fields) - _FIELDS:
        raise ValueError(f"unknown fields {sorted(unknown)}; a row has {sorted(_FIELDS)}")
    if missing := _NEEDED - set(fields):
        raise ValueError(f"it lacks {sorted(missing)}")
    return Row(
        fields["name"],
        _anchor(fields),
        expression(fields["regex"]),
        fields["example"],
        fields.get("score", 0.9),
        _check(fields),
        tuple(fields.get("never", ())),
        Role[fields.get("role", "UNKNOWN")],
    )


def _check(fields: Mapping[str, Any]) -> Check | None:
    predicate = PREDICATES[fields["check"]] if "check" in fields else None
    if "context" not in fields:
        return predicate
    decide = decisions(fields["context"], PREDICATES, fields.get("within", 40))
    return decide if predicate is None else lambda match: predicate(match) and decide(match)


def _anchor(fields: Mapping[str, Any]) -> Anchor:
    if "number" in fields:
        return Number(expression(fields["number"]))
    if "ending" in fields:
        return Ending(fold(fields["ending"]))
    if "run" in fields:
        return Run(fields["run"])
    if "literal" in fields:
        return str(fields["literal"])
    words = fields.get("words", "")
    if isinstance(words, Mapping):
        return words
    found = dict.fromkeys(_words(words), expression(fields.get("behind", "")))
    if "begins" in fields:
        found = {**beginnings(phrases(fields["begins"])), **found}
    if "counts" in fields:
        counted = timewords.counted(fields["counts"], *found)
        found = dict.fromkeys(counted.words, counted.behind)
    if not found:
        raise ValueError(f"it lacks an anchor, one of {sorted(_ANCHORS)}")
    return found


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        if word.startswith("<<"):
            name = word[2:-2]
            yield from _WORD_LISTS.get(name) or beginnings(phrases(name))
        else:
            yield word
