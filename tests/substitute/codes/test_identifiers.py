from __future__ import annotations

import datetime as dt
import pickle
import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdnum import ean, iban, luhn
from stdnum.be import nn
from stdnum.ch import ssn
from stdnum.fr import nir, siren, siret

from dpdeid import gazetteers
from dpdeid.document import Surrogate
from dpdeid.french import numerals
from dpdeid.french.check_digits import (
    ean_digit,
    iban_digits,
    luhn_digit,
    matricule,
    nir_key,
    rib_key,
)
from dpdeid.gazetteers import places_named
from dpdeid.labels import Label
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.substitute.codes.identifiers import IDENTIFIERS, Identifiers
from dpdeid.substitute.places.strategy import Keyed, Places
from dpdeid.substitute.pseudonyms import canonical, runs
from tests.substitute.making import context, marked, surrogates, texts

CODES = st.text("0123456789ABab-/. ", min_size=1, max_size=16).filter(
    lambda text: any(map(str.isalnum, text))
)


def one(label: str, text: str, **options: str) -> str:
    (drawn,) = texts(Identifiers(), f"«{label}:{text}»", **options)
    return drawn


def beside(note: str, **values: object) -> list[str]:
    """Surrogate ids of a note whose BIRTH_DATE and CITY mentions have these surrogate values."""
    record, mentions = marked(note)
    before = [
        Surrogate(m, "…", "test", value=values[m.label]) for m in mentions if m.label in values
    ]
    ids = [m for m in mentions if m.label in IDENTIFIERS]
    known = replace(context(before=before), mentions=mentions)
    return [s.text for s in Identifiers().substitute(ids, record, known)]


@given(CODES, st.sampled_from(["PATIENT_ID", "VISIT_ID", "ORDER_ID", "OTHER_ID", "PROVIDER_ID"]))
@settings(deadline=None, max_examples=150)
def test_shape_is_kept_and_the_original_is_not(code: str, label: str) -> None:
    assume(not re.fullmatch(r"2[ABab]\d{7}", re.sub(r"\W", "", code)))  # a FINESS: see its place
    drawn = one(label, code)
    assert drawn != code
    assert len(drawn) == len(code)
    for old, new in zip(code, drawn, strict=True):
        assert old.isdigit() == new.isdigit()
        assert old.islower() == new.islower()
        assert old.isalnum() or new == old


@given(st.integers(10**7, 10**10))
@settings(deadline=None, max_examples=80)
def test_nothing_long_of_a_number_is_left(number: int) -> None:
    code = str(number)
    drawn = one("PATIENT_ID", code)
    assert not any(code[i : i + 4] in drawn for i in range(len(code) - 3))


def test_separators_case_and_label_do_not_change_the_draw() -> None:
    given = texts(
        Identifiers(), "«PATIENT_ID:AB-1234567», «VISIT_ID:ab 1234 567», «OTHER_ID:AB1234567»"
    )
    assert len({canonical(text) for text in given}) == 1


@given(st.lists(st.integers(0, 99).map(str), min_size=2, max_size=30, unique=True))
@settings(deadline=None, max_examples=40)
def test_distinct_numbers_stay_apart_in_any_order(codes: list[str]) -> None:
    def drawn(order: list[str]) -> dict[str, str]:
        note = " ; ".join(f"«PATIENT_ID:{code:0>4}»" for code in order)
        return {s.mention.text: s.text for s in surrogates(Identifiers(), note)}

    there = drawn(codes)
    assert len(set(there.values())) == len(codes)
    assert drawn(codes[::-1]) == there


@pytest.mark.parametrize(
    "number",
    ["1 85 05 78 006 084 36", "285057800608436", "1 85 05 2A 006 084", "2 85 05 99 341 084 91"],
)
def test_nir_is_valid_keeps_sex_and_spacing(number: str) -> None:
    for unit in map(str, range(10)):
        drawn = one("SSN", number, unit=unit)
        code = canonical(drawn)
        assert [c for c in drawn if not c.isalnum()] == [c for c in number if not c.isalnum()]
        assert code[0] == number[0]
        assert 1 <= int(code[3:5]) <= 12
        assert len(code) == 13 or nir.is_valid(code)


def test_nir_with_and_without_its_key_is_one() -> None:
    number = "1850578006084"
    long, short = texts(Identifiers(), f"«SSN:{number}{nir_key(number)}» «SSN:1 85 05 78 006 084»")
    assert long.startswith(canonical(short))


@pytest.mark.parametrize(
    "note",
    [
        "«SSN:2 58 03 29 232 045 clé 85»",
        "«SSN:2580329232045 CLE : 85»",
        "«SSN:2 58 03 29 232 045» clé «SSN:85»",
        "«SSN:2580329232045» Clé : «SSN:85», et «SSN:258032923204585»",
    ],
)
def test_nir_keeps_the_word_before_its_key_and_the_key_is_right(note: str) -> None:
    _, mentions = marked(note)
    drawn = texts(Identifiers(), note)
    for mention, text in zip(mentions, drawn, strict=True):
        assert re.sub(r"\d", "9", text) == re.sub(r"\d", "9", mention.text)
    assert nir.is_valid("".join(filter(str.isdigit, "".join(drawn)))[:15])


def test_two_digits_after_a_whole_nir_are_no_key_of_it() -> None:
    whole, lone = texts(Identifiers(), "«SSN:258032923204585» «SSN:85»")
    assert nir.is_valid(whole)
    assert lone != "85"


def test_nir_follows_the_surrogate_birth_and_place() -> None:
    (ajaccio,) = places_named("ajaccio")[:1]
    (drawn,) = beside(
        "né le «BIRTH_DATE:03/05/1985» à «CITY:Lens», «SSN:1 85 05 62 006 084 36»",
        BIRTH_DATE=dt.date(1991, 11, 2),
        CITY=ajaccio,
    )
    assert drawn.startswith("1 91 11 2A ")
    assert nir.is_valid(canonical(drawn))


@pytest.mark.parametrize(
    "born",
    [
        "Née à «CITY:Lyon».",
        "né(e) à «CITY:Lyon»",
        "Née le «BIRTH_DATE:03/06/1958» à «CITY:Lyon»",
        "Lieu de naissance : «CITY:Lyon»",
    ],
)
def test_nir_is_of_the_surrogate_town_of_birth(born: str) -> None:
    """And not of the town right before it."""
    places = Places(mechanism=Keyed())
    note = f"{born} Habite «CITY:Brest», NIR «SSN:258036912345679», vue à «CITY:Pau»"
    for unit in map(str, range(8)):
        given = surrogates([places, Identifiers()], note, unit=unit)
        town = next(s for s in given if s.mention.text == "Lyon").value
        number = next(s for s in given if s.mention.label is Label.SSN)
        assert number.text[5:].startswith(town.department)  # type: ignore[attr-defined]


def test_nir_of_somebody_said_to_be_born_abroad_is_of_99() -> None:
    (brest,), (namur,) = places_named("brest")[:1], places_named("namur")[:1]
    number = "«SSN:2580329232045»"
    told = beside(f"née à «CITY:Oran» («COUNTRY:Algérie»), {number}", CITY=brest)
    assert told[0][5:7] == beside(f"née à «CITY:Mons», {number}", CITY=namur)[0][5:7] == "99"
    assert beside(f"née à «CITY:Oran», {number}, «COUNTRY:Italie»", CITY=brest)[0][5:7] == "29"


def test_nir_of_a_town_of_birth_whose_country_is_told_elsewhere_is_of_99() -> None:
    (brest,) = places_named("brest")[:1]
    note = "née à «CITY:Oran». «SSN:2580329232045». Vit à «CITY:Oran» («COUNTRY:Algérie»)"
    assert beside(note, CITY=brest)[0][5:7] == "99"


def test_nir_of_99_follows_a_released_town_of_birth() -> None:
    (brest,) = places_named("brest")[:1]
    assert beside("née à «CITY:Oran», «SSN:2580399352045»", CITY=brest)[0][5:7] == "29"


@pytest.mark.parametrize(
    ("department", "kept"),
    [
        ("99", "99"),
        ("96", "99"),
        ("974", "974"),
        ("972", "972"),
        ("978", "971"),
        ("987", "988"),
        ("2A", "2[AB]"),
        ("20", "2[AB]"),
    ],
)
@pytest.mark.parametrize("town", ["Brest", "Namur", "Bastia"])
def test_nir_of_abroad_overseas_or_corsica_stays_so(department: str, kept: str, town: str) -> None:
    """Whatever released town stands beside it."""
    (place,) = places_named(town)[:1]
    number = f"28505{department}341084"[:13]
    (drawn,) = beside(f"habite «CITY:Oran», «SSN:{number}»", CITY=place)
    assert re.match(kept, drawn[5:])


def test_nir_of_the_mainland_stays_there_and_tells_no_department() -> None:
    drawn = {one("SSN", "2850529341084", unit=str(n))[5:7] for n in range(60)}
    assert len(drawn) > 25
    assert drawn <= {f"{n:02d}" for n in range(1, 96)} - {"20"}


def test_nir_in_small_letters_does_not_tell_corsica() -> None:
    (bastia,) = places_named("bastia")[:1]
    (drawn,) = beside("«CITY:Ajaccio», «SSN:185052a006084»", CITY=bastia)
    assert drawn[5:7] == "2B"


def test_nir_of_a_person_takes_the_birth_date_of_the_same_year() -> None:
    record, mentions = marked(
        "mère née le «BIRTH_DATE:3/2/1950», né le «BIRTH_DATE:03/05/1985» «SSN:1850562006084»"
    )
    days = (dt.date(1951, 1, 1), dt.date(1986, 2, 2))
    before = [Surrogate(m, "…", "test", value=d) for m, d in zip(mentions, days, strict=False)]
    (drawn,) = Identifiers().substitute(mentions[2:], record, context(before=before))
    assert drawn.text.startswith("18602")


def test_belgian_number_follows_the_surrogate_birth() -> None:
    (drawn,) = beside(
        "né le «BIRTH_DATE:27.09.1988», «SSN:88.09.27-114.17»", BIRTH_DATE=dt.date(1990, 3, 4)
    )
    assert drawn.startswith("90.03.04-")
    assert nn.is_valid(drawn)


def test_caregiver_numbers_keep_what_says_their_kind() -> None:
    assert one("PROVIDER_ID", "10101338846").startswith("10")
    assert one("PROVIDER_ID", "7601000118844").startswith("7601")


@pytest.mark.parametrize("number", ["2A0000018", "2B 000 002 6"])
def test_a_corsican_finess_moves_with_its_place(number: str) -> None:
    (drawn,) = beside(
        f"«CITY:Bastia», FINESS «PROVIDER_ID:{number}»", CITY=places_named("Lille")[0]
    )
    assert canonical(drawn)[:2] == "59"
    assert luhn.is_valid(canonical(drawn))


def test_finess_follows_the_surrogate_place() -> None:
    (brest,) = places_named("brest")[:1]
    (drawn,) = beside("«CITY:Lens» «PROVIDER_ID:620100057»", CITY=brest)
    assert drawn.startswith("29")


@pytest.mark.parametrize(
    "account",
    ["FR76 3000 6000 0112 3456 7890 189", "BE68 5390 0754 7034", "CH93 0076 2011 6238 5295 7"],
)
def test_iban_is_valid_and_of_the_same_country(account: str) -> None:
    drawn = one("OTHER_ID", account)
    assert drawn[:2] == account[:2]
    assert iban.is_valid(drawn)


@given(st.integers(10**8, 10**13))
@settings(deadline=None, max_examples=50)
def test_a_number_with_a_luhn_digit_gets_one(number: int) -> None:
    code = f"{number}{luhn_digit(str(number))}"
    assume(not nn.is_valid(code))  # a number of Belgium's register has another key
    assert luhn.is_valid(one("ORDER_ID", code)) or code.startswith(("756", "7601"))


def test_a_swiss_plate_is_of_a_canton_and_of_that_of_the_surrogate_place() -> None:
    (sion,) = places_named("sion")[:1]
    note = "«CITY:Lausanne», voiture «OTHER_ID:VD 482 915»"
    assert re.fullmatch(r"VS \d{3} \d{3}", beside(note, CITY=sion)[0])
    cantons = {one("OTHER_ID", "VD 482915", unit=str(n))[:2] for n in range(60)}
    assert len(cantons) > 10
    assert cantons <= {place.department for place in gazetteers.places() if place.country == "CH"}


def test_a_french_account_ends_in_its_key() -> None:
    drawn = canonical(one("OTHER_ID", "20041 01005 0500013M026 06"))
    assert rib_key(drawn[:21]) == drawn[21:]


@pytest.mark.parametrize("label", ["OTHER_ID", "PROVIDER_ID"])
def test_siret_is_valid_and_begins_with_a_siren(label: str) -> None:
    drawn = one(label, "732 829 320 00074")
    assert siret.is_valid(drawn)
    assert siren.is_valid(drawn.replace(" ", "")[:9])


def test_draws_depend_on_key_and_unit() -> None:
    drawn = {one("PATIENT_ID", "8800417", unit=str(n)) for n in range(20)}
    assert len(drawn) == 20
    assert one("PATIENT_ID", "8800417", unit="0") == one("PATIENT_ID", "8800417", unit="0")


def test_charges_and_contract() -> None:
    given = surrogates(Identifiers(), "«PATIENT_ID:8800417» «PATIENT_ID:88 004 17» «ORDER_ID:12»")
    charges = {charge for s in given for charge in s.charges}
    assert len(charges) == 2
    assert all(isinstance(charge.loss, NoGuarantee) for charge in charges)
    assert pickle.loads(pickle.dumps(Identifiers())) == Identifiers()
    with pytest.raises(TypeError):
        Identifiers(nonsense=1)  # type: ignore[call-arg]


@given(st.text(max_size=20), st.sampled_from([str(label) for label in IDENTIFIERS]))
@settings(deadline=None, max_examples=100)
def test_any_text_gives_another_one_or_none(text: str, label: str) -> None:
    for surrogate in surrogates(Identifiers(), f"«{label}:{text.replace('»', '') or 'x'}»"):
        assert surrogate.text != surrogate.mention.text


def test_the_department_of_an_old_plate_is_drawn_like_its_other_digits() -> None:
    plates = [one("OTHER_ID", f"{number} BCD 69") for number in range(100, 200)]
    assert all(len(plate) == len("412 BCD 69") and plate[3] == plate[7] == " " for plate in plates)
    assert len({plate[-2:] for plate in plates}) > 30  # of 100 drawn ones about 63 are different


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=count, max_size=count)


def with_key(number: str) -> str:
    return number + nir_key(number)


def with_luhn(number: str) -> str:
    return number + luhn_digit(number)


ALL = slice(None)
NUMBERS = {
    "NIR": (
        "SSN",
        st.builds(
            lambda sex, year, month, place, rest: with_key(f"{sex}{year}{month:02d}{place}{rest}"),
            st.sampled_from("12"), digits(2), st.integers(1, 12),
            st.sampled_from(["29", "2A", "75", "99"]), digits(6),
        ),
        slice(10, 13),
    ),
    "AVS": ("SSN", digits(9).map(lambda n: f"756{n}").map(lambda n: n + ean_digit(n)), ALL),
    "GLN": ("PROVIDER_ID", digits(8).map(lambda n: f"7601{n}").map(lambda n: n + ean_digit(n)),
            slice(4, None)),
    "RPPS": ("PROVIDER_ID", digits(8).map(lambda n: with_luhn(f"10{n}")), ALL),
    "FINESS": ("PROVIDER_ID", digits(6).map(lambda n: with_luhn(f"29{n}")), slice(5, 8)),
    "SIREN": ("OTHER_ID", digits(8).filter(lambda n: n[0] != "0").map(with_luhn), ALL),
    "IBAN": ("OTHER_ID", digits(21).filter(lambda n: n[0] != "0").map(lambda n: n + rib_key(n)).map(
        lambda n: f"FR{iban_digits('FR', n)}{n}"), slice(4, None)),
    "plate": ("OTHER_ID", digits(3).map(lambda n: f"AB-{n}-CD"), ALL),
    "IPP": ("PATIENT_ID", digits(10).filter(lambda n: n.strip("0") != ""), ALL),
}  # fmt: skip
"""Label, made-up numbers of each kind, and which characters follow nothing but the draw."""

VALID = {
    "NIR": nir.is_valid,
    "AVS": ssn.is_valid,
    "GLN": ean.is_valid,
    "RPPS": luhn.is_valid,
    "FINESS": luhn.is_valid,
    "SIREN": siren.is_valid,
    "IBAN": iban.is_valid,
}


@pytest.mark.parametrize("kind", NUMBERS)
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_nothing_is_left_of_a_number_of_any_kind(kind: str, data: st.DataObject) -> None:
    """Of the characters that are its own choice no four in a row, at their place or another, nor
    all of them at their place: of a FINESS these are three.

    What follows a surrogate (month and department of a NIR, the digits of a FINESS that a town may
    say), is a check digit of such a number or says the kind may be equal by chance, and so may a
    run that reaches into it: to refuse it would tell that it is the true one.
    """
    label, numbers, own = NUMBERS[kind]
    number = data.draw(numbers)
    drawn = canonical(one(label, number))
    old = canonical(number)
    assert drawn != old
    if kind == "IPP":  # the zeros that fill it stay, and are no choice
        drawn, old = drawn.lstrip("0"), old.lstrip("0")
    assert not runs(drawn[own]) & runs(old[own])
    assert drawn[own] != old[own]
    assert kind not in VALID or VALID[kind](drawn)


@pytest.mark.parametrize("number", ["10111421045", "10062753008", "10121881634"])
def test_an_rpps_that_has_the_key_of_a_niss_stays_an_rpps(number: str) -> None:
    drawn = one("PROVIDER_ID", number)
    assert drawn[:2] == "10"
    assert luhn.is_valid(drawn)


def test_a_derived_field_may_be_the_true_one() -> None:
    """What follows a noised birth or place is taken as it comes: to avoid it would tell it."""
    number = with_key("1850529006084")
    drawn = set()
    for unit in map(str, range(30)):
        record, mentions = marked(f"«BIRTH_DATE:03/05/1985» «CITY:Brest» «SSN:{number}»")
        values = (dt.date(1985, 5, 17), places_named("brest")[0])
        before = [
            Surrogate(m, "…", "test", value=v) for m, v in zip(mentions, values, strict=False)
        ]
        (given_here,) = Identifiers().substitute(
            mentions[2:], record, context(unit=unit, before=before)
        )
        assert given_here.text.startswith("1850529")
        drawn.add(given_here.text)
    assert len(drawn) == 30
    assert number not in drawn


DAY = dt.date(2021, 3, 5)


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("20230314-17", r"20210305-\d\d"),
        ("S240816-009", r"[A-Z]210305-\d{3}"),
        ("2024/004471", r"2021/\d{6}"),
        ("IRM-2024-0038817", r"IRM-2021-\d{7}"),
        ("2024-03-14/2", r"2021-03-05/\d"),
        ("8;09022025", r"\d;05032021"),
        ("14.03.2024-5", r"05\.03\.2021-\d"),
    ],
)
def test_a_day_in_a_number_is_a_released_one(code: str, form: str) -> None:
    (out,) = beside(f"le «DATE:14/03/2024», n° «OTHER_ID:{code}»", DATE=DAY)
    assert re.fullmatch(form, out)


def test_whichever_day_it_was() -> None:
    for code in ("20230314-17", "19990101-17"):
        assert beside(f"le «DATE:14/03/2024», n° «ORDER_ID:{code}»", DATE=DAY)[0][:8] == "20210305"


def test_a_number_that_comes_again_has_the_same_day() -> None:
    record, mentions = marked(
        "«DATE:14/03/2024» «ORDER_ID:B-2024-77» «DATE:1/2/2023» «ORDER_ID:B-2024-77»"
    )
    days = (DAY, dt.date(2019, 1, 1))
    dated = [m for m in mentions if m.label is Label.DATE]
    before = [Surrogate(m, "…", "test", value=day) for m, day in zip(dated, days, strict=True)]
    ids = [m for m in mentions if m.label is Label.ORDER_ID]
    known = replace(context(before=before), mentions=mentions)
    one, other = Identifiers().substitute(ids, record, known)
    assert one.text == other.text


def test_without_a_released_day_its_digits_are_a_number() -> None:
    assert one("OTHER_ID", "20230314-17")[:8] != "20230314"


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("IRM24.031187", r"IRM\d\d\.\d{6}"),
        ("lot 4471-B", r"lot \d{4}-[A-Z]"),
        ("RPPS 10100488724\nFINESS 540003019", r"RPPS \d{11}\nFINESS \d{9}"),
        ("TLX-974-88", r"(?!TLX)[A-Z]{3}-\d{3}-\d\d"),
        ("CT-418-US", r"(?!CT)[A-Z]{2}-\d{3}-(?!US)[A-Z]{2}"),
    ],
)
def test_only_listed_words_stay(code: str, form: str) -> None:
    assert re.fullmatch(form, one("OTHER_ID", code))


def test_a_mention_of_listed_words_alone_has_no_surrogate() -> None:
    assert texts(Identifiers(), "«OTHER_ID:dossier»") == []


@pytest.mark.parametrize("code", ["quatre-vingt-cinq", "quatre mille quatre cent douze"])
def test_a_number_in_words_is_one_in_words(code: str) -> None:
    out = one("ORDER_ID", code)
    assert out != code
    assert numerals.read(re.split("[ -]", out)) is not None


def test_a_luxembourg_number_follows_the_birth() -> None:
    born = dt.date(1967, 6, 5)
    note = "né le «BIRTH_DATE:23/05/1968», matricule «SSN:1968 0523 117 83»"
    (out,) = beside(note, BIRTH_DATE=born)
    assert out.startswith("1967 0605 ")
    assert matricule(canonical(out))


def test_a_number_follows_an_age_where_no_birth_date_is_told() -> None:
    born = dt.date(1936, 2, 25)
    (out,) = beside("«AGE:94 ans», n° «SSN:2 31 03 19 173 276 16»", AGE=born)
    assert out.startswith("2 36 02 ")


def test_a_birth_date_of_another_year_is_somebody_elses() -> None:
    born = dt.date(2021, 3, 23)
    note = "né le «BIRTH_DATE:30/07/2021», mère : «SSN:2 93 04 2A 004 077 32»"
    drawn = {beside(note, BIRTH_DATE=born.replace(year=year))[0] for year in (2019, 2020, 2021)}
    assert len(drawn) == 1


def test_a_number_in_an_exported_field_is_read() -> None:
    born = dt.date(1947, 9, 14)
    (out,) = beside("«BIRTH_DATE:1/7/1954» «SSN:^PI~154071405712088»", BIRTH_DATE=born)
    assert re.fullmatch(r"\^[A-Z]{2}~14709\d{10}", out)


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("l     75 l 2O884 6", r"\d     \d\d \d \d{5} \d"),
        ("I23O45", r"\d{6}"),
        ("2O.I7", r"\d\d\.\d\d"),
        ("I2", r"[A-Z]\d"),
        ("lO", r"[a-z][A-Z]"),
        ("L2345", r"[A-Z]\d{4}"),
        ("AI23", r"[A-Z]{2}\d\d"),
    ],
)
def test_letters_that_a_scanner_read_for_digits_are_digits(code: str, form: str) -> None:
    assert re.fullmatch(form, one("OTHER_ID", code))


@pytest.mark.parametrize(
    ("first", "second"),
    [("0083417", "83 417"), ("000451287", "451.287"), ("83417", "0083417"), ("0012", "12")],
)
def test_a_number_filled_with_zeros_is_the_same_number(first: str, second: str) -> None:
    drawn = texts(Identifiers(), f"«PATIENT_ID:{first}» ; «PATIENT_ID:{second}»")
    is_one = len({canonical(text).lstrip("0") for text in drawn}) == 1
    assert is_one is (first != "0012")
    assert [*map(len, drawn)] == [len(first), len(second)]
