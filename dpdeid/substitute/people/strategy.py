"""Names of people: the same person the same surrogate, in every note of the patient.

The lookup of Tchouka et al. (their Figure 5: full name → surname → new first name) without a table:
a surrogate surname is a keyed draw on the folded surname, so that kin keep a common one, and a
surrogate first name one on the folded first name and its sex. Case, accents, order, hyphens,
particles and initials of a mention do not change the draw, they only shape its text. Distinct
names of a record get distinct surrogates; only where two draws collide does one depend on the
other, in the order of the folded names. Names are pseudonyms: there is no ε.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import ClassVar, Final, Literal, get_args

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.labels import Label, Role, Sex
from dpdeid.privacy.ledger import Forecast
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.protocols import Context, Guarantee, Unit
from dpdeid.substitute.people.clusters import (
    Group,
    Key,
    Names,
    elided_names,
    first_keys,
    group_names,
    last_keys,
    read_names,
)
from dpdeid.substitute.people.first_names import first_name_pool, generation
from dpdeid.substitute.people.linking import Known, known_names, link_names
from dpdeid.substitute.people.name_table import Table
from dpdeid.substitute.people.sexes import sexes
from dpdeid.substitute.people.spellings import presumed
from dpdeid.substitute.people.surnames import MADE, odds
from dpdeid.substitute.pseudonyms import PSEUDONYM

Scope = Literal["document", "record"]
Staff = Literal["patient", "cohort"]
_OTHERS: Final = (Role.RELATIVE, Role.STAFF)
_NEAR: Final = 30
"""Characters after a name in which a birth or an age is its bearer's."""


@dataclass(frozen=True, slots=True)
class People:
    """Replaces names, keyed by the name.

    Whose surrogate birth was released before gets a first name of that generation: the birth is an
    output, so this costs nothing. It is the patient's birth for the patient's names, and that of a
    birth date or an age right behind a name. Not where a patient id says that other notes may
    follow: a note that tells no birth would name the patient otherwise.

    Args:
        labels: the labels it serves.
        scope: "record" gives a name one surrogate in all notes of the patient, "document" another
            one in each note (the table per file of HNFC).
        staff: "patient" draws the names of caregivers for each record, "cohort" once for all
            records, but where a draw would repeat a name of the record. Then a study can tell that
            two patients saw the same physician, and so can whoever knows who did. A name is a
            caregiver's if a span says so and none says that it is somebody else's.
        markov: the probability with which a repeated mention of a name gets a new surrogate, in
            [0, 1): hiding in plain sight (BRATsynthetic). Where most names change within a note, a
            true name that the detector missed does not stand out as the one that does not fit. Its
            cost is consistency: two mentions of one name with k mentions of it after the first of
            them share a surrogate with probability (1 − markov)^k, kin lose their common surname,
            and a reader can no longer follow who is who. 0 by default.

    Raises:
        ValueError: an option is out of its range.
    """

    name: ClassVar[str] = "people"
    needs: ClassVar[tuple[str, ...]] = ("dates",)

    labels: tuple[Label, ...] = (Label.LAST_NAME, Label.FIRST_NAME)
    scope: Scope = "record"
    staff: Staff = "patient"
    markov: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.scope not in get_args(Scope):
            raise ValueError(f"scope is one of {', '.join(get_args(Scope))}")
        if self.staff not in get_args(Staff):
            raise ValueError(f"staff is one of {', '.join(get_args(Staff))}")
        if not 0 <= self.markov < 1:
            raise ValueError("markov is a probability from 0 to below 1")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        if self.scope == "record":
            return self._table(mentions, record, context, "")
        notes: dict[int, list[Mention]] = defaultdict(list)
        for mention in mentions:
            notes[mention.document].append(mention)
        ids = [doc.id for doc in record.documents]
        tables = (self._table(own, record, context, ids[at]) for at, own in notes.items())
        return chain.from_iterable(tables)

    def _table(
        self, mentions: Sequence[Mention], record: Record, context: Context, anchor: str
    ) -> list[Surrogate]:
        """Surrogates of mentions that share their names; `anchor` parts tables."""
        documents = record.documents
        facts = known_names(documents)
        named = link_names(read_names(mentions), documents, facts)
        groups = group_names(named, documents)
        told = sexes(groups, documents, facts)
        people = [(one, told.of(one.firsts, one.lasts)) for one in groups]
        known = [
            (first_keys(firsts, told.of(firsts, lasts)), last_keys(lasts))
            for firsts, lasts in facts.names
        ]
        linked = [
            (first_keys(firsts, told.of(firsts, lasts)), last_keys(lasts))
            for firsts, lasts in presumed(groups, documents)
        ]
        # no other run can have more notes of what is replaced alike here
        whole = self.scope == "document" or all(doc.patient_id is None for doc in documents)
        table = Table(
            context.streams,
            (f"{self.name} by {self.scope}", anchor),
            people,
            [*known, *linked],
            elided=elided_names(named, documents),
            generations=_generations(groups, facts, context) if whole else {},
            staff=_staff(people, known) if self.staff == "cohort" else frozenset(),
            markov=self.markov,
        )
        given = []
        for group, sex in people:
            for member in group.members:
                text, charges = table.text(member, group, sex)
                if text is not None:
                    given.append(Surrogate(member.mention, text, self.name, charges))
        return given

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, f"{self.name} by {self.scope}", PSEUDONYM),)

    def forecast(self, unit: Unit) -> Forecast:
        """How often surrogate names coincide."""
        return Forecast(lines=tuple(_name_lines(self, unit)))


def _name_lines(people: People, unit: str) -> Iterator[str]:
    """How often surrogate names coincide, and what the options of the names strategy cost."""
    women, men = (len(first_name_pool(sex).plain) for sex in (Sex.FEMALE, Sex.MALE))
    table = "note" if people.scope == "document" or unit == "note" else "patient"
    plain, elided = odds()
    yield (
        f"surrogate names: {plain.names + elided.names} surnames as often as borne, one in "
        f"{MADE} made up, {women} first names of women, {men} of men; two surnames of one {table} "
        f"never share a surrogate, two of different {table}s do with probability "
        f"1/{plain.repeat} (1/{elided.repeat} if both begin with a vowel); a surname that was "
        "missed shows by no list, since nearly every one may be drawn"
    )
    if people.markov:
        stay = 1 - people.markov
        yield (
            f"markov {figure(people.markov)}: two mentions of a name one after the other share a "
            f"surrogate with probability {float(stay):.2f}, the first and the tenth with "
            f"{float(stay**9):.2f}; kin share no surname, and nobody can be followed through a note"
        )
    if people.staff == "cohort":
        yield "names of caregivers are the same for all patients: who saw the same one can be told"


def _generations(groups: Sequence[Group], facts: Known, context: Context) -> Mapping[str, int]:
    """For first names of the patient, or before a birth or age, the surrogate's generation."""
    births = [
        (mention, value)
        for label in (Label.BIRTH_DATE, Label.AGE)
        for mention, value in context.values(label)
        if isinstance(value, dt.date)
    ]
    if not births:
        return {}
    places = defaultdict[int, list[tuple[int, int]]](list)
    for rank, (mention, _) in enumerate(births):
        insort(places[mention.document], (mention.span.start, rank))
    born = next((day for mention, day in births if mention.span.role not in _OTHERS), None)
    found: dict[str, dt.date] = {} if born is None else dict.fromkeys(facts.firsts, born)
    for group in groups:
        if not group.firsts:
            continue
        last = group.members[-1].mention
        roles = {member.mention.span.role for member in group.members}
        if Role.STAFF in roles:
            continue
        own = born if Role.PATIENT in roles else None
        if own is None:
            there, end = places[last.document], last.span.end
            first, stop = bisect(there, (end,)), bisect(there, (end + _NEAR + 1,))
            near = [rank for _, rank in there[first:stop]]
            own = births[min(near)][1] if near else None
        if own is not None:
            for name in group.firsts:
                found.setdefault(name, own)
    return {name: generation(day.year) for name, day in found.items()}


def _staff(people: Sequence[tuple[Group, Sex]], known: Sequence[Names]) -> frozenset[Key]:
    roles: dict[Key, set[Role]] = defaultdict(set)
    for group, sex in people:
        said = {member.mention.span.role for member in group.members}
        for key in chain(*group.keys(sex)):
            roles[key] |= said
    own = {key for firsts, lasts in known for key in firsts + lasts}
    staff = {Role.STAFF}, {Role.STAFF, Role.UNKNOWN}
    return frozenset(key for key, said in roles.items() if said in staff and key not in own)
