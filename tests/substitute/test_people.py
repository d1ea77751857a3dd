from __future__ import annotations

import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.substitute.people import People
from dpdeid.substitute.shapes import shares_run
from tests.substitute.making import context, marked, rewritten, surrogates, texts

SURNAMES = gazetteers.surname_list()[:30_000]
LASTS = st.sampled_from(SURNAMES)
FIRSTS = st.sampled_from([*gazetteers.first_name_list(Sex.FEMALE)[:2000]])


def last(*notes: str) -> list[str]:
    return texts(People(), *[f"vu «LAST_NAME:{note}»" for note in notes])


def folded(texts: list[str]) -> set[str]:
    return {fold(text).replace("-", "").replace(" ", "") for text in texts}


@pytest.mark.parametrize(
    "variants",
    [
        ("Dupont", "DUPONT", "dupont"),
        ("Lefèvre", "LEFEVRE", "Lefevre", "LEFÈVRE"),
        ("Dupont-Martin", "DUPONT MARTIN", "Dupont - Martin".replace(" - ", "-")),
        ("Le Goff", "LE GOFF", "LeGoff", "le goff"),
        ("Dupont", "DUP0NT"),
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


def test_kin_keep_a_common_surname_and_their_own_first_names() -> None:
    jean, a, anne, b = texts(
        People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupont» et «FIRST_NAME:Anne» «LAST_NAME:Dupont»"
    )
    assert a == b
    assert jean != anne


def test_part_of_a_double_name_is_the_surrogate_of_that_part() -> None:
    double, single = last("Dupont-Martin", "Martin")
    assert double.endswith(f"-{single}")


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("de La Tour", "de "),
        ("d'Artigue", "d'"),
        ("D'ARTIGUE", "D'"),
        ("van der Meer", "van der "),
        ("dos Santos", "dos "),
    ],
)
def test_particles_stay(name: str, shape: str) -> None:
    (drawn,) = last(name)
    assert drawn.startswith(shape)


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
    mentions = [replace(m, span=replace(m.span, role=Role.PATIENT)) for m in mentions]
    (one,) = People().substitute(mentions, record, context())
    assert gazetteers.first_names()[fold(one.text)] is Sex.FEMALE


def test_a_name_labelled_both_ways_is_one_name() -> None:
    a, _, b = texts(
        People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupontel». Vu ce jour.", "M. «FIRST_NAME:DUPONTEL»"
    )[:3]
    assert b == texts(People(), "«LAST_NAME:DUPONTEL»")[0] != a.upper()


@given(st.lists(LASTS, min_size=1, max_size=12, unique_by=fold), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_distinct_surnames_stay_apart_in_any_order(names: list[str], rng: random.Random) -> None:
    drawn = dict(zip(names, last(*names), strict=True))
    assert len(folded(list(drawn.values()))) == len(names)
    shuffled = rng.sample(names, len(names))
    assert dict(zip(shuffled, last(*shuffled), strict=True)) == drawn


@given(FIRSTS, LASTS, st.sampled_from([str.upper, str.lower, str.title]))
@settings(deadline=None, max_examples=100)
def test_nothing_of_the_original_is_left(first: str, surname: str, case: object) -> None:
    first, surname = case(first), case(surname)  # type: ignore[operator]
    given = texts(People(), f"«FIRST_NAME:{first}» «LAST_NAME:{surname}»")
    for original in (first, surname):
        for drawn in given:
            assert fold(drawn) != fold(original)
            assert not shares_run(without_particles(drawn), without_particles(original))


def without_particles(name: str) -> str:
    """A name without the words that its surrogate keeps on purpose: "Dos Santos" → "santos"."""
    return " ".join(word for word in fold(name).split() if word not in ("dos", "da", "de", "du"))


@given(LASTS)
@settings(deadline=None, max_examples=60)
def test_a_surrogate_is_no_common_word_and_keeps_the_case(name: str) -> None:
    for form in (name.upper(), name.lower()):
        (drawn,) = last(form)
        assert drawn.isupper() == form.isupper()
        assert drawn.islower() == form.islower()
        for word in fold(drawn).replace("'", " ").replace("-", " ").split():
            assert len(word) < 4 or word not in gazetteers.words()


@given(st.text(max_size=25).filter(str.strip), st.sampled_from(["FIRST_NAME", "LAST_NAME"]))
@settings(deadline=None, max_examples=150)
def test_any_text_gives_another_one_or_none(text: str, label: str) -> None:
    text = text.replace("»", " ").replace("«", " ")
    if not text.strip():
        return
    for surrogate in surrogates(People(), f"«{label}:{text}»"):
        assert fold(surrogate.text) != fold(text)


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
    names = list({fold(name): name for name in SURNAMES[:9000]}.values())
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
    assert "keyed" in str(People().guarantees()[0].loss)


def test_no_name_in_any_repr() -> None:
    given = surrogates(People(), "«FIRST_NAME:Jean» «LAST_NAME:Dupont»")
    for one in given:
        shown = repr(one)
        assert "Dupont" not in shown
        assert one.text not in shown
