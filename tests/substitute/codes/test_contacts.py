from __future__ import annotations

import pickle
import re

import phonenumbers
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpdeid.document import Surrogate
from dpdeid.gazetteers import places_named
from dpdeid.normalize import fold
from dpdeid.substitute.codes.contacts import CONTACTS, Contacts
from dpdeid.substitute.codes.domains import ENDINGS, slug
from dpdeid.substitute.codes.phones import FICTION
from dpdeid.substitute.people.addresses import says_desk
from dpdeid.substitute.people.strategy import People
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.pseudonyms import canonical, runs, shares_run
from tests.substitute.making import context, marked, surrogates, texts


def one(label: str, text: str, **options: str) -> str:
    (drawn,) = texts(Contacts(), f"«{label}:{text}»", **options)
    return drawn


def near(city: str, label: str, text: str) -> str:
    """The surrogate of a contact in a note whose surrogate town is `city`."""
    record, mentions = marked(f"«CITY:Lens» «{label}:{text}»")
    before = [Surrogate(mentions[0], "…", "test", value=places_named(city)[0])]
    (drawn,) = Contacts().substitute(mentions[1:], record, context(before=before))
    return drawn.text


def shape(text: str) -> str:
    return "".join("9" if c.isdecimal() else c for c in text)


@pytest.mark.parametrize(
    "number",
    ["02 99 12 34 56", "0299123456", "02.99.12.34.56", "06-12-34-56-78", "+33 6 12 34 56 78",
     "+33 (0)2 99 12 34 56", "0033612345678", "07 62 08 41 55", "03/21/45/67/89"],
)  # fmt: skip
def test_french_numbers_fall_in_the_ranges_for_fiction(number: str) -> None:
    for unit in map(str, range(5)):
        drawn = one("PHONE", number, unit=unit)
        assert shape(drawn) == shape(number)
        digits = re.sub(r"\D", "", drawn.replace("(0)", ""))
        national = "0" + digits[-9:]
        assert national[:6] in FICTION.values()
        is_mobile = re.sub(r"^(00|\+)33|\D", "", number).lstrip("0")[0] in "67"
        assert (national[1] == "6") is is_mobile


def test_a_number_is_one_number_in_any_form() -> None:
    a, b, c = texts(
        Contacts(), "«PHONE:06 12 34 56 78» «FAX:+33 6 12 34 56 78» «PHONE:+33(0)612345678»"
    )
    assert {re.sub(r"\D", "", text)[-9:] for text in (a, b, c)} == {re.sub(r"\D", "", a)[-9:]}


@pytest.mark.parametrize(
    ("city", "prefix"), [("Brest", "02"), ("Lille", "03"), ("Ajaccio", "04"), ("Pau", "05")]
)
def test_a_landline_follows_the_surrogate_town(city: str, prefix: str) -> None:
    assert near(city, "PHONE", "01 46 77 09 12").startswith(prefix)


@pytest.mark.parametrize(
    ("number", "region", "kind"),
    [
        ("+41 27 346 10 55", "CH", phonenumbers.PhoneNumberType.FIXED_LINE),
        ("027 322 71 91", "CH", phonenumbers.PhoneNumberType.FIXED_LINE),
        ("+41 79 346 10 55", "CH", phonenumbers.PhoneNumberType.MOBILE),
        ("+32 81 30 44 72", "BE", phonenumbers.PhoneNumberType.FIXED_LINE),
        ("081/30.44.72", "BE", phonenumbers.PhoneNumberType.FIXED_LINE),
        ("0475/30.44.72", "BE", phonenumbers.PhoneNumberType.MOBILE),
    ],
)
def test_neighbours_keep_country_and_kind(number: str, region: str, kind: int) -> None:
    kinds = []
    for unit in map(str, range(10)):
        drawn = one("PHONE", number, unit=unit)
        assert shape(drawn) == shape(number)
        kinds.append(phonenumbers.number_type(phonenumbers.parse(drawn, region)))
    assert kinds.count(kind) >= 8


@pytest.mark.parametrize("number", ["00351 265 118 904", "+1 514 555 0199", "4417", "poste 44 17"])
def test_other_numbers_keep_their_shape(number: str) -> None:
    drawn = one("PHONE", number)
    assert shape(drawn) == shape(number)
    assert drawn != number


NATIONAL = {"FR": (6, r"\A0[1-7]\d{8}\Z"), "CH": (3, r"\A02[1247]\d{7}\Z"),
            "BE": (3, r"\A0475\d{6}\Z"), "": (0, r"\A[1-9]\d{5,7}\Z")}  # fmt: skip


@pytest.mark.parametrize("plan", NATIONAL)
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_nothing_is_left_of_a_number_but_what_its_range_has(plan: str, data: st.DataObject) -> None:
    """The six digits of a range for fiction, or an area code, may happen to stand in an original;
    no other four digits in a row do.
    """
    ranged, form = NATIONAL[plan]
    number = data.draw(st.from_regex(re.compile(form, re.ASCII)))
    text = {"CH": f"+41 {number[1:]}", "BE": f"+32 {number[1:]}"}.get(plan, number)
    drawn = canonical(one("PHONE", text))
    drawn = "0" + drawn[2:] if plan in ("CH", "BE") else drawn
    assert drawn != number
    assert not runs(drawn[ranged:]) & runs(number[ranged:])


def test_a_number_in_words_is_told_in_words() -> None:
    drawn = one("PHONE", "zéro deux trente et un quarante douze seize")
    assert drawn.startswith("zéro six trente-neuf quatre-vingt-dix-huit ")
    assert not re.search(r"\d", drawn)


@pytest.mark.parametrize(
    "told", ["06 vingt-sept soixante et onze 40 93", "02 98 45 11 76 standard"]
)
def test_a_number_partly_in_words_comes_out_in_digits(told: str) -> None:
    assert re.fullmatch(r"06 39 98 \d\d \d\d", one("PHONE", told))


def test_an_address_follows_the_surrogate_names() -> None:
    first, last, *mails = texts(
        [People(), Contacts()],
        "«FIRST_NAME:Hélène» «LAST_NAME:Le Goff» «EMAIL:helene.legoff@orange.fr»"
        " «EMAIL:hlegoff@free.fr» «EMAIL:H.LEGOFF@CHU.FR»",
    )
    first, last = fold(first), fold(last).replace(" ", "")
    locals_, hosts = zip(*(mail.split("@") for mail in mails), strict=True)
    assert list(locals_) == [
        f"{first}.{last}",
        f"{first[0]}{last}",
        f"{first[0]}.{last}".upper(),
    ]
    assert all(host.lower().endswith(ENDINGS) for host in hosts)


NAMES = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12)


@pytest.mark.parametrize("at", ["@", " @ ", " [at] ", "(at)", " {arobase} ", " AT ", "[ @ ]"])
def test_an_address_keeps_how_its_at_is_written(at: str) -> None:
    strategies = [People(), Contacts()]
    last, mail = texts(strategies, f"Dr «LAST_NAME:Kerzurlu» «EMAIL:kerzurlu{at}chu.fr»")
    local, host = mail.split(at)
    assert local == fold(last)
    assert host.endswith(ENDINGS)


@given(NAMES, NAMES, st.sampled_from([".", "-", "_", ""]), st.sampled_from(["example.org", "a.fr"]))
@settings(deadline=None, max_examples=80)
def test_nothing_of_an_address_is_left(a: str, b: str, mark: str, host: str) -> None:
    original = f"{a}{mark}{b}@{b}.{host}"
    drawn = one("EMAIL", original)
    parts = set(re.split(r"[@._-]", drawn)) - {"example", "test"}  # reserved, whoever is meant
    parts = {part for part in parts if not says_desk(part)}  # public, whoever has the desk
    assert not any(shares_run(part, original) for part in parts)
    assert re.fullmatch(r"[\w.-]+@[\w-]+\.(example|test)", drawn)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("www.rdv-neuro.fr", r"www\.[\w-]+\.(example|test)"),
        ("https://resultats.biopaj.fr/", r"https://[\w-]+\.(example|test)/"),
        ("http://chm.local/obst/330091", r"http://[\w-]+\.(example|test)/[a-z]+/\d{6}"),
        ("HTTPS://IMAGES.DUCS.FR/AB", r"HTTPS://[\w-]+\.(EXAMPLE|TEST)/[A-Z]{2}"),
    ],
)
def test_a_web_address_keeps_its_shape_on_a_reserved_domain(url: str, expected: str) -> None:
    drawn = one("URL", url)
    assert re.fullmatch(expected, drawn)
    assert "330091" not in drawn


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("10.1.2.3", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}"),
        ("192.0.2.7", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.(?!7$)\d{1,3}|.*\.7"),
        ("fe80::1ff:fe23:4567:890a", r"2001:db8:[0-9a-f:]+"),
        ("00:1A:2B:3C:4D:5E", r"02(:[0-9A-F]{2}){5}"),
    ],
)
def test_a_network_address_is_one_for_documentation(address: str, expected: str) -> None:
    drawn = one("IP", address)
    assert re.fullmatch(expected, drawn)
    assert drawn != address


@pytest.mark.parametrize("room", ["5", "b14", "K-14", "B 217", "Curie 2", "4.117"])
def test_a_room_keeps_its_shape(room: str) -> None:
    drawn = one("ROOM", room)
    assert drawn != room
    assert re.sub(r"\w+", "x", drawn) == re.sub(r"\w+", "x", room)
    assert not shares_run(fold(drawn), fold(room))


@pytest.mark.parametrize(
    ("room", "form"),
    [
        ("3e étage", r"\de étage"),
        ("6e", r"\de"),
        ("4ème, lit 12", r"\dème, lit \d\d"),
        ("1er étage", r"(1er|\de) étage"),
        ("12E", r"\d\d[A-Z]"),
        ("3E ÉTAGE", r"\dE ÉTAGE"),
        ("bâtiment C, chambre 214", r"bâtiment [A-Z], chambre \d{3}"),
        ("Bât. Curie lit 2", r"Bât\. (?!Curie)\w+ lit \d"),
        ("AILE NORD 4", r"AILE NORD \d"),
    ],
)
def test_what_a_room_lies_in_stays(room: str, form: str) -> None:
    assert re.fullmatch(form, one("ROOM", room))


@given(st.lists(st.integers(0, 9999), min_size=2, max_size=20, unique=True))
@settings(deadline=None, max_examples=30)
def test_distinct_numbers_stay_apart_in_any_order(numbers: list[int]) -> None:
    def drawn(order: list[int]) -> dict[str, str]:
        note = " ; ".join(f"«PHONE:06 12 34 {n // 100:02d} {n % 100:02d}»" for n in order)
        return {s.mention.text: s.text for s in surrogates(Contacts(), note)}

    there = drawn(numbers)
    assert len(set(there.values())) == len(numbers)
    assert drawn(numbers[::-1]) == there


def test_draws_depend_on_key_and_unit() -> None:
    drawn = {one("EMAIL", "secretariat@chu.fr", unit=str(n)) for n in range(10)}
    assert len(drawn) > 8
    assert one("URL", "www.a.fr/b/1234", unit="1") == one("URL", "www.a.fr/b/1234", unit="1")


@example("l", "IP")  # no hexadecimal digit
@given(st.text(max_size=25), st.sampled_from([str(label) for label in CONTACTS]))
@settings(deadline=None, max_examples=200)
def test_any_text_gives_another_one_or_none(text: str, label: str) -> None:
    text = text.replace("»", "") or "x"
    for surrogate in surrogates(Contacts(), f"«{label}:{text}»"):
        assert surrogate.text != text
        assert canonical(surrogate.text)


def test_contract() -> None:
    assert pickle.loads(pickle.dumps(Contacts())) == Contacts()
    with pytest.raises(TypeError):
        Contacts(nonsense=1)  # type: ignore[call-arg]
    assert "keyed" in str(Contacts().guarantees()[0].loss)


@pytest.mark.parametrize(
    ("institution", "mail", "host"),
    [
        ("HOSPITAL:Clinique des Ormeaux", "a@clinique-ormeaux.fr", "clinique-"),
        ("HOSPITAL:Hôpital Nord Vivarais", "b@hnv.test", "hopital-"),
        ("ORGANIZATION:lycée Kerichen", "c@lycee-kerichen.fr", "lycee-"),
    ],
)
def test_a_domain_is_that_of_the_surrogate_institution(
    institution: str, mail: str, host: str
) -> None:
    for unit in map(str, range(10)):
        strategies = [Addresses(), Contacts()]
        given, drawn = texts(strategies, f"«{institution}», «EMAIL:{mail}»", unit=unit)
        domain = drawn.split("@")[1]
        assert domain.startswith(host)
        assert domain.rsplit(".", 1)[0] == slug(given)


def test_one_host_is_one_domain_and_two_hosts_are_two() -> None:
    note = "«EMAIL:a@zz.fr» «EMAIL:b@zz.fr» «EMAIL:c@qq.fr»"
    one_, same, other = (mail.split("@")[1] for mail in texts(Contacts(), note))
    assert one_ == same != other


def test_many_mailboxes_have_many_domains() -> None:
    hosts = {one("EMAIL", "u@gmail.com", unit=str(n)).split("@")[1] for n in range(60)}
    assert len(hosts) > 40
    assert all(host.endswith(ENDINGS) for host in hosts)


@pytest.mark.parametrize(
    ("room", "form"),
    [
        ("l18", r"\d{3}"),
        ("2O4", r"\d{3}"),
        ("ch. I2O", r"ch\. \d{3}"),
        ("B12", r"[A-Z]\d\d"),
        ("lit P", r"lit [A-Z]"),
    ],
)
def test_letters_that_a_scanner_read_for_digits_of_a_room_are_digits(room: str, form: str) -> None:
    for unit in map(str, range(5)):
        assert re.fullmatch(form, one("ROOM", room, unit=unit))
