from __future__ import annotations

import datetime as dt
import pickle
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.document import Surrogate
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.substitute.people.clusters import NO_NAMES, PREFIXES
from dpdeid.substitute.people.first_names import STARTS, generation, usual
from dpdeid.substitute.people.strategy import People
from dpdeid.substitute.people.surnames import keeps_capital
from dpdeid.substitute.pseudonyms import shares_run
from tests.substitute.making import context, marked, rewritten, surrogates, texts

SURNAMES = gazetteers.surname_list()[:30_000]
LASTS = st.sampled_from(SURNAMES)
FIRSTS = st.sampled_from([*gazetteers.first_name_list(Sex.FEMALE)[:2000]])


def last(*notes: str) -> list[str]:
    return texts(People(), *[f"vu «LAST_NAME:{note}»" for note in notes])


def folded(texts: list[str]) -> set[str]:
    """The letters of texts."""
    return {"".join(filter(str.isalpha, fold(text))) for text in texts}


@pytest.mark.parametrize(
    "variants",
    [
        ("Dupont", "DUPONT", "dupont"),
        ("Lefèvre", "LEFEVRE", "Lefevre", "LEFÈVRE"),
        ("Dupont-Martin", "DUPONT MARTIN", "Dupont - Martin".replace(" - ", "-")),
        ("Le Goff", "LE GOFF", "LeGoff", "le goff", "Le-Goff"),
        ("El Amrani", "EL AMRANI", "Elamrani"),
        ("Ben Salah", "BENSALAH"),
        ("de La Tour", "DE LA TOUR", "Delatour"),
        ("St Martin", "Saint-Martin", "SAINT MARTIN"),
        ("Dupont", "DUP0NT"),
        ("Delage", "DE1AGE"),
        ("Dupont", "Du-\npont", "DU-\nPONT"),
        ("Dupont", "Dup\u00adont", "Du\u200bpont"),
    ],
)
def test_variants_of_a_surname_share_a_surrogate(variants: tuple[str, ...]) -> None:
    assert len(folded(last(*variants))) == 1


def test_one_person_in_any_order_and_form() -> None:
    given = surrogates(
        People(),
        "«FIRST_NAME:Jean» «LAST_NAME:Dupont», M. «LAST_NAME:DUPONT», "
        "«LAST_NAME:Dupont» «FIRST_NAME:J.»",
        "«LAST_NAME:dupont», «FIRST_NAME:jean» puis "
        "«FIRST_NAME:J.» «LAST_NAME:Dupont», «FIRST_NAME:J.D.»",
    )
    first, surname = given[0].text, given[1].text
    assert [s.text for s in given] == [
        first, surname, surname.upper(), surname, f"{first[0]}.",
        surname.lower(), first.lower(), f"{first[0]}.", surname, f"{first[0]}.{surname[0]}.",
    ]  # fmt: skip


def test_an_initial_of_a_known_name_that_the_notes_never_spell_out() -> None:
    known = {Label.FIRST_NAME: ("Jean",), Label.LAST_NAME: ("Dupont",)}
    first, _ = texts(People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupont»", known=known)
    letter, _ = texts(People(), "«FIRST_NAME:J.» «LAST_NAME:Dupont»", known=known)
    assert letter == f"{first[0]}."


def test_kin_keep_a_common_surname_and_their_own_first_names() -> None:
    jean, a, anne, b = texts(
        People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupont» et «FIRST_NAME:Anne» «LAST_NAME:Dupont»"
    )
    assert a == b
    assert jean != anne


@pytest.mark.parametrize("between", [" née ", ", née ", " (née ", " épouse ", " ép. ", " veuve "])
def test_both_surnames_of_one_woman(between: str) -> None:
    note = f"«FIRST_NAME:Dominique» «LAST_NAME:Rey»{between}«LAST_NAME:Bonnin»"
    first, married, own, letter, again = texts(People(), note, "«FIRST_NAME:D.» «LAST_NAME:BONNIN»")
    assert married != own
    assert again == own.upper()
    assert letter == f"{first[0]}."


def test_both_surnames_in_one_span() -> None:
    both, married, own = last("Dupont née Martin", "DUPONT", "martin")
    assert both == f"{married.capitalize()} née {own.capitalize()}"


def test_part_of_a_double_name_is_the_surrogate_of_that_part() -> None:
    double, single = last("Dupont-Martin", "Martin")
    assert double.endswith(f"-{single}")


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("d'Artigue", "d'"),
        ("D'ARTIGUE", "D'"),
        ("de Rohan", "de "),
        ("DE ROHAN", "DE "),
        ("de La Tour", "de "),
        ("du Pontavice", "du "),
    ],
)
def test_french_particles_stay(name: str, shape: str) -> None:
    (drawn,) = last(name)
    assert re.fullmatch(r"[^\W\d_]+(['-][^\W\d_]+)*", drawn.removeprefix(shape))
    assert drawn.startswith(shape)


@pytest.mark.parametrize(
    "name",
    ["Le Goff", "EL AMRANI", "Ben Ali", "von Arx", "O'Brien", "van der Meer", "dos Santos"],
)
def test_other_particles_go_with_the_name(name: str) -> None:
    """Or they would tell where a family comes from, before a name that is from elsewhere."""
    (drawn,) = last(name)
    assert drawn.isalpha()


def test_a_glued_particle_gives_its_capital() -> None:
    apart, glued, small = last("Da Silva", "Dasilva", "dasilva")
    assert (glued, small) == (apart, apart.lower())


def test_hyphens_stay() -> None:
    for name in ("Dupont-Martin", "DUPONT-MARTIN", "Dupont Martin", "Le Goff-Madec"):
        (drawn,) = last(name)
        shape = name.removeprefix("Le ")
        assert [c for c in drawn if not c.isalpha()] == [c for c in shape if not c.isalpha()]


def test_a_part_of_a_name_is_that_part_of_the_surrogate() -> None:
    whole, part = last("Le Goff", "Goff")
    assert whole == part


@pytest.mark.parametrize("name", ["Petit", "PETIT", "Blanc", "Le Blanc", "Boucher", "Roi"])
def test_a_surname_that_is_a_word_is_replaced(name: str) -> None:
    (drawn,) = last(name)
    assert len(drawn) > 2
    assert fold(drawn) != fold(name)


@pytest.mark.parametrize("first", ["Élise", "Alain", "Hélène", "Yves"])
def test_elision_before_the_span_stays_right(first: str) -> None:
    for unit in "abcdefgh":
        (drawn,) = texts(People(), f"la sœur d'«FIRST_NAME:{first}» va bien", unit=unit)
        assert fold(drawn)[0] in "aeiou"


@pytest.mark.parametrize(
    ("original", "form"),
    [("J.", "X."), ("P.Y.", "X.X."), ("J.-L.", "X.-X."), ("j.p.", "x.x."), ("JP", "XX")],
)
def test_initials_keep_their_form(original: str, form: str) -> None:
    drawn, _ = texts(People(), f"Dr «FIRST_NAME:{original}» «LAST_NAME:Rey»")
    assert "".join("X" if c.isupper() else "x" if c.islower() else c for c in drawn) == form
    assert drawn != original


@pytest.mark.parametrize("text", ["VP", "GHB", "ld", "sv"])
def test_initials_that_are_all_of_a_surname_stay_initials(text: str) -> None:
    """ "ibode : VP" had come out as "ibode : CAUVE"; "Mme NG" is called so."""
    (drawn,) = texts(People(), f"saisie par «LAST_NAME:{text}» ce jour")
    assert (len(drawn), drawn.isupper()) == (len(text), text.isupper())
    assert len(texts(People(), "Mme «LAST_NAME:NG» ce jour")[0]) > 2


def test_an_initial_beside_another_surname_is_somebody_else() -> None:
    jean, _, j, _ = texts(
        People(), "«FIRST_NAME:Jean» «LAST_NAME:Rey» ; «FIRST_NAME:J.» «LAST_NAME:Bonnin»", unit="b"
    )
    alone, _ = texts(People(), "«FIRST_NAME:J.» «LAST_NAME:Bonnin»", unit="b")
    assert j == alone
    assert jean


@pytest.mark.parametrize(("sex", "name"), [(Sex.FEMALE, "Nathalie"), (Sex.MALE, "Philippe")])
def test_gender_is_kept(sex: Sex, name: str) -> None:
    for unit in map(str, range(20)):
        (drawn,) = texts(People(), f"«FIRST_NAME:{name}»", unit=unit)
        assert gazetteers.first_names()[fold(drawn)] is sex


@pytest.mark.parametrize(
    ("before", "sex"),
    [
        ("Mme ", Sex.FEMALE),
        ("Monsieur ", Sex.MALE),
        ("Mme le Dr ", Sex.FEMALE),
        ("sa fille ", Sex.FEMALE),
    ],
)
def test_a_title_tells_the_gender_of_a_first_name_of_both(before: str, sex: Sex) -> None:
    for unit in map(str, range(10)):
        text = f"{before}«FIRST_NAME:Dominique» «LAST_NAME:Rey»"
        assert gazetteers.first_names()[fold(texts(People(), text, unit=unit)[0])] is sex


def test_the_patient_s_sex_tells_where_nothing_else_does() -> None:
    record, mentions = marked("«FIRST_NAME:Dominique»", sex=Sex.FEMALE)
    mentions = [m._replace(span=replace(m.span, role=Role.PATIENT)) for m in mentions]
    (one,) = People().substitute(mentions, record, context())
    assert gazetteers.first_names()[fold(one.text)] is Sex.FEMALE


def test_a_name_labelled_both_ways_is_one_name() -> None:
    a, _, b = texts(
        People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupontel». Vu ce jour.", "M. «FIRST_NAME:DUPONTEL»"
    )[:3]
    assert b == texts(People(), "«LAST_NAME:DUPONTEL»")[0] != a.upper()


def spelling(name: str) -> str:
    """What makes a surname another one: its letters, without particles that are apart."""
    words = ("saint" if word == "st" else word for word in re.split(r"\W+", fold(name)))
    return "".join([word for word in words if word not in PREFIXES])


@given(
    st.lists(LASTS, min_size=1, max_size=12, unique_by=spelling),
    st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=40)
def test_distinct_surnames_stay_apart_in_any_order(names: list[str], rng: random.Random) -> None:
    drawn = dict(zip(names, last(*names), strict=True))
    assert len(folded(list(drawn.values()))) == len(names)
    shuffled = rng.sample(names, len(names))
    assert dict(zip(shuffled, last(*shuffled), strict=True)) == drawn


@given(FIRSTS, LASTS, st.sampled_from([str.upper, str.lower, str.title]))
@example("Jeanne-Marie", "Martin", str.upper)
@settings(deadline=None, max_examples=100)
def test_nothing_of_the_original_is_left(first: str, surname: str, case: object) -> None:
    first, surname = case(first), case(surname)  # type: ignore[operator]
    given = texts(People(), f"«FIRST_NAME:{first}» «LAST_NAME:{surname}»")
    for original in (first, surname):
        for drawn in given:
            assert fold(drawn) != fold(original)
            assert not shares_run(without_particles(drawn), without_particles(original))


PARTICLES = st.sampled_from(["", "Le ", "El ", "Ben ", "van der ", "Mc ", "O'", "Van de La "])


@given(PARTICLES, st.lists(LASTS.filter(str.isalpha), min_size=1, max_size=3),
       st.sampled_from("- "), st.sampled_from([str.upper, str.lower, str]))  # fmt: skip
@settings(deadline=None, max_examples=100)
def test_the_shape_is_kept(particle: str, names: list[str], mark: str, case: object) -> None:
    own = case(mark.join(names))  # type: ignore[operator]
    (drawn,) = last(case(particle) + own)  # type: ignore[operator]
    marks = [[c for c in text if not c.isalpha() and c != " "] for text in (drawn, own)]
    drawn_marks = iter(marks[0])  # a surrogate may have a particle, and a mark of its own
    assert all(mark in drawn_marks for mark in marks[1])
    assert {*marks[0]} <= {*marks[1], "-", "'"}
    words = [word for word in re.split("[ -]", drawn) if not own.islower() or word.islower()]
    assert all((word.isupper(), word.islower()) == (own.isupper(), own.islower()) for word in words)
    parts = re.split("[ -]", drawn)
    assert all(word in words for word in parts) or any(keeps_capital(fold(x)) for x in parts)
    assert fold(drawn[0]) != fold(own[0])


@given(FIRSTS, LASTS, st.binary(min_size=32, max_size=32), st.text("abcdef", min_size=1))
@settings(deadline=None, max_examples=60)
def test_draws_are_repeated_under_one_key_and_unit_only(
    first: str, surname: str, key: bytes, unit: str
) -> None:
    note = f"«FIRST_NAME:{first}» «LAST_NAME:{surname}» «LAST_NAME:Rey» «LAST_NAME:Bonnin»"
    drawn = texts(People(), note, key=key, unit=unit)
    assert drawn == texts(People(), note, key=key, unit=unit)
    assert drawn != texts(People(), note, key=key[::-1] + b"o", unit=unit)
    assert drawn != texts(People(), note, key=key, unit=unit + "g")


def without_particles(name: str) -> str:
    """A name without the words that its surrogate keeps on purpose: "Dos Santos" → "santos"."""
    return " ".join(word for word in fold(name).replace("'", " ").split() if word not in PREFIXES)


@given(LASTS)
@settings(deadline=None, max_examples=60)
def test_a_surrogate_keeps_the_case_and_is_no_word_in_small_letters(name: str) -> None:
    for form in (name.upper(), name.lower()):
        (drawn,) = last(form)
        assert drawn.isupper() == form.isupper()
        for word in re.split(r"[ '-]", drawn):
            assert word.islower() == form.islower() or keeps_capital(fold(drawn))
            assert word in PREFIXES or not (word.islower() and keeps_capital(word))


@given(st.text(max_size=25).filter(str.strip), st.sampled_from(["FIRST_NAME", "LAST_NAME"]))
@settings(deadline=None, max_examples=150)
def test_any_text_gives_another_one_or_none(text: str, label: str) -> None:
    text = text.replace("»", " ").replace("«", " ")
    if not text.strip():
        return
    for surrogate in surrogates(People(), f"«{label}:{text}»"):
        named = NO_NAMES.issuperset(fold(text).split())  # "veuve" alone names nobody, and stays
        assert named or fold(surrogate.text) != fold(text)


def test_draws_depend_on_key_unit_and_name_only() -> None:
    note = "«FIRST_NAME:Jean» «LAST_NAME:Dupont»"
    assert texts(People(), note) == texts(People(), "Vu hier, " + note, "autre note")
    others = {tuple(texts(People(), note, key=bytes([n]) * 32)) for n in range(8)}
    others |= {tuple(texts(People(), note, unit=f"v{n}")) for n in range(8)}
    assert len(others) == 16


def test_scope_document_parts_the_notes_and_record_does_not() -> None:
    notes = [f"M. «LAST_NAME:Dupont», note {n}" for n in range(6)]
    assert len(set(texts(People(), *notes))) == 1
    assert len(set(texts(People(scope="document"), *notes))) == 6
    assert len(set(texts(People(scope="document"), "«LAST_NAME:Rey», «LAST_NAME:Rey»"))) == 1


def test_a_charge_for_each_name_without_guarantee() -> None:
    given = surrogates(People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupont», «LAST_NAME:DUPONT»")
    charges = {charge for s in given for charge in s.charges}
    assert len(charges) == 2
    assert all(isinstance(charge.loss, NoGuarantee) for charge in charges)


def test_many_distinct_people_stay_apart() -> None:
    """Names of eight letters and more that are a slip apart are one (`spellings`)."""
    names = list({fold(name): name for name in SURNAMES[:12000] if len(name) < 8}.values())
    note = " ; ".join(f"«LAST_NAME:{name}»" for name in names[:4000] if name.isalpha())
    given = texts(People(), note)
    assert len(set(given)) == len(given) > 3500


def test_the_text_around_is_untouched() -> None:
    (note,) = rewritten(People(), "Mme «LAST_NAME:Dupont», vue ce jour.")
    assert note.startswith("Mme ")
    assert note.endswith(", vue ce jour.")


def test_contract() -> None:
    assert pickle.loads(pickle.dumps(People(scope="document"))) == People(scope="document")
    with pytest.raises(TypeError):
        People(nonsense=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="scope is one of document, record"):
        People(scope="cohort")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="staff is one of patient, cohort"):
        People(staff="note")  # type: ignore[arg-type]
    for markov in (Fraction(1), Fraction(-1, 9)):
        with pytest.raises(ValueError, match="from 0 to below 1"):
            People(markov=markov)
    assert "keyed" in str(People().guarantees()[0].loss)


def with_birth(note: str, value: dt.date, role: Role = Role.PATIENT) -> list[str]:
    """The names of a note whose birth date, its last mention, was released as `value`."""
    record, mentions = marked(note)
    *names, birth = [m._replace(span=replace(m.span, role=role)) for m in mentions]
    released = Surrogate(birth, "", "dates", (), value)
    return [s.text for s in People().substitute(names, record, context(before=[released]))]


def is_of_age(name: str, year: int) -> bool:
    """Whether a woman's name is usual in a generation, or a rarer one that is usual in none."""
    others = {one for number in range(len(STARTS) + 1) for one in usual(Sex.FEMALE, number)}
    return name in usual(Sex.FEMALE, generation(year)) or name not in others


@pytest.mark.parametrize("year", [1921, 1940, 1957, 1972, 1989, 2015])
@pytest.mark.parametrize("label", ["BIRTH_DATE", "AGE"])
def test_a_patient_has_a_first_name_of_the_surrogate_birth(year: int, label: str) -> None:
    note = f"Mme «FIRST_NAME:Sylvie» «LAST_NAME:Rey» «{label}:02/03/1961»"
    first, _ = with_birth(note, dt.date(year, 5, 1))
    assert is_of_age(first, year)


@pytest.mark.parametrize("role", [Role.UNKNOWN, Role.RELATIVE])
def test_a_first_name_right_before_an_age_is_of_that_generation(role: Role) -> None:
    note = "Mme «FIRST_NAME:Sylvie» «LAST_NAME:Rey», âgée de «AGE:61 ans»"
    first, _ = with_birth(note, dt.date(1957, 5, 1), role)
    assert is_of_age(first, 1957)


@pytest.mark.parametrize("role", [Role.UNKNOWN, Role.RELATIVE, Role.STAFF])
def test_the_first_names_of_others_follow_no_birth_of_the_patient(role: Role) -> None:
    note = f"Mme «FIRST_NAME:Sylvie» «LAST_NAME:Rey»{', vue ce jour' * 5} «BIRTH_DATE:02/03/1961»"
    drawn = with_birth(note, dt.date(2015, 5, 1), role)
    assert drawn == texts(People(), note[: note.index(" «BIRTH")])


def test_the_known_first_name_is_the_patient_s() -> None:
    record, (first, birth) = marked(
        "«FIRST_NAME:SYLVIE» «BIRTH_DATE:02/03/1961»", known={Label.FIRST_NAME: ("Sylvie",)}
    )
    released = Surrogate(birth, "", "dates", (), dt.date(2015, 5, 1))
    (one,) = People().substitute([first], record, context(before=[released]))
    assert is_of_age(one.text.capitalize(), 2015)


def test_with_a_patient_id_a_birth_changes_no_name() -> None:
    """Another run may hold a note of the patient that tells no birth."""
    record, (first, birth) = marked("«FIRST_NAME:SYLVIE» «BIRTH_DATE:02/03/1961»")
    documents = tuple(replace(doc, patient_id="p") for doc in record.documents)
    released = Surrogate(birth, "", "dates", (), dt.date(2015, 5, 1))
    told, untold = (
        next(iter(People().substitute([first], replace(record, documents=documents), before))).text
        for before in (context(before=[released]), context())
    )
    assert told == untold


STAFF = "Dr «LAST_NAME:Bonnin» reçoit M. «LAST_NAME:Rey»"


def with_roles(strategy: People, unit: str, *roles: Role) -> list[str]:
    record, mentions = marked(STAFF)
    mentions = [
        m._replace(span=replace(m.span, role=role)) for m, role in zip(mentions, roles, strict=True)
    ]
    return [s.text for s in strategy.substitute(mentions, record, context(unit=unit))]


def test_caregivers_are_drawn_for_each_patient_or_for_the_cohort() -> None:
    roles = Role.STAFF, Role.PATIENT
    units = [f"u{n}" for n in range(6)]
    own = [with_roles(People(), unit, *roles) for unit in units]
    shared = [with_roles(People(staff="cohort"), unit, *roles) for unit in units]
    assert len({doctor for doctor, _ in own}) > 1
    assert len({doctor for doctor, _ in shared}) == 1
    assert len({patient for _, patient in shared}) > 1
    assert [patient for _, patient in own] == [patient for _, patient in shared]


def test_a_caregiver_of_the_cohort_changes_with_the_key_and_is_charged_to_the_unit() -> None:
    drawn = set()
    for n in range(6):
        record, (doctor, _) = marked(STAFF)
        doctor = doctor._replace(span=replace(doctor.span, role=Role.STAFF))
        ctx = context(key=bytes([n]) * 32)
        (one,) = People(staff="cohort").substitute([doctor], record, ctx)
        drawn.add(one.text)
        assert [charge.unit for charge in one.charges] == ["u1"]
    assert len(drawn) > 1


@pytest.mark.parametrize("role", [Role.PATIENT, Role.RELATIVE])
def test_a_name_that_somebody_else_bears_too_is_no_caregiver_s(role: Role) -> None:
    roles = Role.STAFF, role
    note = "Dr «LAST_NAME:Rey» reçoit M. «LAST_NAME:Rey»"
    drawn = set()
    for n in range(6):
        record, mentions = marked(note)
        mentions = [
            m._replace(span=replace(m.span, role=r)) for m, r in zip(mentions, roles, strict=True)
        ]
        ctx = context(unit=f"u{n}")
        drawn |= {s.text for s in People(staff="cohort").substitute(mentions, record, ctx)}
    assert len(drawn) > 1


REPEATED = " puis ".join(["M. «LAST_NAME:Dupont»"] * 200)


def test_markov_is_off_by_default_and_changes_no_first_mention() -> None:
    assert len(set(texts(People(), REPEATED))) == 1
    assert texts(People(markov=Fraction(1, 2)), REPEATED)[0] == texts(People(), REPEATED)[0]


def test_markov_changes_a_surrogate_as_often_as_it_says() -> None:
    drawn = texts(People(markov=Fraction(1, 4)), REPEATED)
    changes = sum(a != b for a, b in pairwise(drawn))
    assert 25 <= changes <= 75  # of 199 coins: 50 ± 4 standard deviations
    assert len(set(drawn)) == changes + 1


def test_markov_is_keyed_and_a_longer_record_begins_as_the_shorter_one() -> None:
    strategy = People(markov=Fraction(1, 4))
    drawn = texts(strategy, REPEATED)
    assert drawn == texts(strategy, REPEATED)
    assert drawn != texts(strategy, REPEATED, key=b"o" * 32)
    assert (
        texts(strategy, "M. «LAST_NAME:Dupont»", "Mme «LAST_NAME:Dupont»", REPEATED)[:2]
        == (drawn[:2])
    )


def test_markov_keeps_other_names_apart_and_shapes() -> None:
    note = "«FIRST_NAME:Jean» «LAST_NAME:DE ROHAN» chez Mme «LAST_NAME:Rey» ; " * 20
    drawn = texts(People(markov=Fraction(1, 2)), note)
    firsts, lasts, others = (set(drawn[at::3]) for at in range(3))
    assert not firsts & lasts
    assert not lasts & {f"DE {name.upper()}" for name in others}
    assert all(name.startswith("DE ") and name.isupper() for name in lasts)
    assert all(gazetteers.first_names()[fold(name)] is Sex.MALE for name in firsts)


def test_no_name_in_any_repr() -> None:
    given = surrogates(People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupont»")
    for one in given:
        shown = repr(one)
        assert "Dupont" not in shown
        assert one.text not in shown
