"""The slots that are neither rules nor people: days, places, numbers, ages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from dpdeid.labels import Label
from dpdeid.synth import dates, numbers, places
from dpdeid.synth.grammar import rules
from dpdeid.synth.pieces import Piece

if TYPE_CHECKING:
    from dpdeid.synth.scene import Scene

Slot = Callable[["Scene", tuple[str, ...]], Iterator[Piece]]
_HOLIDAYS: Final = (
    "Noël", "Pâques", "la Toussaint", "Pentecôte", "l'Ascension", "Assomption", "Noël dernier",
    "jour de l'an", "14 juillet", "11 novembre", "1er mai", "8 mai", "l'Aïd", "ramadan", "Mardi gras",
    "lundi de Pâques", "lundi de Pentecôte", "la Saint-Sylvestre", "la Saint-Jean", "Épiphanie",
    "Jeûne fédéral", "la fête nationale", "Chandeleur", "Yom Kippour", "Rameaux",
)  # fmt: skip


def _day(scene: Scene, given: tuple[str, ...]) -> dt.date:
    """A day by its name (now, in, out, born) or its distance in days: -3, +30, past, recent, next."""
    dice = scene.dice
    what = given[0] if given else "recent"
    match what:
        case "now":
            return scene.day
        case "in":
            return scene.stay.begin
        case "out":
            return scene.stay.end
        case "stay":
            span = (scene.stay.end - scene.stay.begin).days
            return scene.stay.begin + dt.timedelta(days=dice.between(0, span))
        case "recent":
            return scene.day - dt.timedelta(days=dice.between(1, 45))
        case "past":
            return scene.day - dt.timedelta(days=40 + dice.by_rank(7000))
        case "next":
            return scene.day + dt.timedelta(days=dice.between(2, 120))
        case "soon":
            return scene.day + dt.timedelta(days=dice.between(1, 9))
        case "life":
            lived = max((scene.day - scene.patient.born).days, 2)
            return scene.patient.born + dt.timedelta(days=dice.between(1, lived))
    return scene.day + dt.timedelta(days=int(what))


def _date(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{d:when,form}: a date; the form is the note's own three times in five."""
    day = _day(scene, given)
    if len(given) > 1:
        form = given[1]
        if form == "full":
            form = scene.dice.choice(dates.FULL)
    else:
        form = scene.date_form if scene.dice.chance(60) else dates.date_form(scene.dice)
        if (
            given
            and given[0] in ("past", "life")
            and form in ("dm", "d_m", "dm.", "dm-", "weekday_d_m", "d_short")
        ):
            form = scene.dice.choice(("y", "m_y", "my", "dmy", "y"))
        if (
            given
            and given[0] in ("now", "in", "out", "soon", "next", "stay")
            and form in ("y", "m_y", "my")
        ):
            form = scene.dice.choice(("dmy", "dm"))
    yield Piece(dates.written(day, form, scene.dice), Label.DATE)


def _range(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """The stay: "du 6 au 13 mars 2023", "du 28/02/2023 au 03/03/2023"."""
    begin, end = scene.stay.begin, scene.stay.end
    dice = scene.dice
    form = dice.choice(
        ("dmy", "dmy", "dmy", "dmyy", "d_m_y", "d_m_y", "dm", "dmy.", "weekday_d_m_y")
    )
    first = form
    if begin.month == end.month and form in ("d_m_y", "dmy", "dm") and dice.chance(55):
        first = "day"
    elif form in ("dmy", "dmyy", "dmy.") and dice.chance(25):
        first = "dm." if form == "dmy." else "dm"
    yield Piece("du ")
    yield Piece(dates.written(begin, first, dice), Label.DATE)
    yield Piece(" au ")
    yield Piece(dates.written(end, form, dice), Label.DATE)


def _birth_date(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    form = (
        given[0]
        if given
        else scene.dice.choice(
            ("dmy",) * 12
            + (
                "d_m_y",
                "d_m_y",
                "dmyy",
                "dmy.",
                "dmy.",
                "dmy-",
                "d_short_y",
                "loose",
                "d8",
                "iso",
                "words",
                "dmy.",
            )
        )
    )
    yield Piece(dates.written(scene.patient.born, form, scene.dice), Label.BIRTH_DATE)


def _their_birth_date(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    form = scene.dice.choice(("dmy", "dmy", "dmy", "dmyy", "dmy.", "d_m_y"))
    yield Piece(dates.written(scene.person(given[0]).born, form, scene.dice), Label.BIRTH_DATE)


def _weekday(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    day = scene.day + dt.timedelta(days=scene.dice.between(-6, 6))
    text = dates.DAYS[day.weekday()]
    if scene.dice.chance(25):
        text += f" {day.day}"
    yield Piece(text, Label.DATE)


def _holiday(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    text = scene.dice.choice(_HOLIDAYS)
    if text.startswith(("la ", "l'")):
        cut = 3 if text.startswith("la ") else 2
        yield Piece(text[:cut])
        text = text[cut:]
    yield Piece(text, Label.DATE)


def _year(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(str(_day(scene, given or ("past",)).year), Label.DATE)


def _month(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    day = _day(scene, given or ("past",))
    yield Piece(
        dates.written(day, scene.dice.choice(("m_y", "m_y", "month", "my")), scene.dice), Label.DATE
    )


def _time(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    hour = int(given[0]) if given else None
    yield Piece(dates.clock(scene.dice, hour), Label.TIME)


def _age(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    who = scene.person(given[0]) if given else scene.patient
    yield Piece(dates.age(who.born, scene.day, scene.dice), Label.AGE)


def _some_age(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """An age between two bounds, or at an event of the patient's life."""
    low, high = (int(given[0]), int(given[1])) if given else (8, 80)
    years = scene.dice.between(low, high)
    yield Piece(
        scene.dice.choice((f"{years} ans",) * 8 + (f"{years}ans", f"{dates.in_words(years)} ans")),
        Label.AGE,
    )


def _town(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """Some town; {town:at} puts "à", "au" or "aux" before it, {town:from} "de", "d'", "du"."""
    name = scene.another_town().name
    if given and given[0] == "at":
        before, _, name = places.at_place(name).partition("|")
        yield Piece(before)
    elif given:
        whole = places.of_place(name)
        kept = name.removeprefix("Le ").removeprefix("Les ")
        yield Piece(whole.removesuffix(kept))
        name = kept
    yield Piece(_cased(scene, name), Label.CITY)


def _home_town(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    name = scene.home.town.name
    if given and given[0] == "at":
        before, _, name = places.at_place(name).partition("|")
        yield Piece(before)
    yield Piece(name.upper() if given and given[0] == "up" else name, Label.CITY)


def _cased(scene: Scene, name: str) -> str:
    return name.upper() if scene.dice.chance(8) else name


def _here(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.town.name, Label.CITY)


def _here_zip(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.town.zip, Label.ZIP)


def _home_zip(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.home.town.zip, Label.ZIP)


def _other_address(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """Street, postal code and town of somebody else."""
    town, dice = scene.another_town(), scene.dice
    yield Piece(places.street(dice, town.country), Label.STREET)
    yield Piece(dice.choice((", ", " ", " - ", ", à ")))
    yield Piece(town.zip, Label.ZIP)
    yield Piece(" ")
    yield Piece(town.name.upper() if dice.chance(50) else town.name, Label.CITY)
    if dice.chance(6):
        yield Piece(
            dice.choice(
                (
                    " Cedex",
                    " CEDEX",
                    f" Cedex {dice.between(1, 20)}",
                    f" CEDEX 0{dice.between(1, 9)}",
                )
            )
        )


def _street(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.home.street, Label.STREET)


def _other_street(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    number = not (given and given[0] == "bare")
    text = places.street(scene.dice, scene.town.country) if number else places.odonym(scene.dice)
    yield Piece(text, Label.STREET)


def _hospital(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{hosp}: the note's own; {hosp:other} another one; {hosp:bare} a name without a noun."""
    kind = given[0] if given else "own"
    dice = scene.dice
    if kind == "own":
        name = scene.fact("hospital", lambda: places.hospital(dice, scene.town))
    elif kind == "up":
        name = scene.fact("hospital", lambda: places.hospital(dice, scene.town)).upper()
    elif kind == "bare":
        name = places.hospital(dice, scene.town, known=True)
    else:
        name = places.hospital(dice, scene.another_town())
    yield Piece(name, Label.HOSPITAL)


def _organization(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    kind = given[0] if given else "company"
    if kind == "insurer" and scene.home.town.country in ("CH", "BE"):
        kind += f".{scene.home.town.country}"
    yield Piece(places.organization(scene.dice, scene.town, kind), Label.ORGANIZATION)


def _unit(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{unit}: the note's own unit; {unit:other} another one."""
    dice = scene.dice
    if given:
        name = dice.choice(rules()["unit.name"].lines)
    else:
        name = scene.fact("unit", lambda: dice.choice(rules()["unit.name"].lines))
    form = dice.randbelow(12)
    text = name.upper() if form < 1 else name.capitalize() if form < 4 else name
    yield Piece(text, Label.UNIT)


def _phone(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{phone} of the place; home, mobile: the patient's; any: somebody's; ext: an extension."""
    kind = given[0] if given else "place"
    town, dice = scene.town, scene.dice
    if kind == "home":
        text = scene.home.phone
    elif kind == "mobile":
        text = scene.home.mobile
    elif kind == "ext":
        text = numbers.extension(dice)
    else:
        mobile = kind == "any" and dice.chance(75)
        text = numbers.phone(dice, town.country, town.department, town.region, mobile)
    yield Piece(text, Label.FAX if kind == "fax" else Label.PHONE)


def _mail(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{mail}: the patient's; {mail:s1}: of a caregiver; {mail:desk}: of a secretary's office."""
    dice = scene.dice
    if not given:
        text = scene.home.email
    else:
        base = scene.fact("domain", lambda: _domain(scene))
        if given[0] == "desk":
            what = dice.choice(
                (
                    "secretariat",
                    "sec.cardio",
                    "accueil",
                    "rdv",
                    "bloc",
                    "avis.neuro",
                    "laboratoire",
                    "sec-onco",
                    "contact",
                    "imagerie",
                    "admissions",
                    "secretariat.chir",
                    "ssr.accueil",
                )
            )
            text = f"{what}@{base}"
        else:
            who = scene.person(given[0])
            text = (
                f"{places.slug(who.first)}.{places.slug(who.last)}@{base}"
                if dice.chance(60)
                else f"{places.slug(who.first)[0]}{dice.choice('.-_')}{places.slug(who.last)}@{base}"
            )
    yield Piece(text, Label.EMAIL)


def _domain(scene: Scene) -> str:
    dice, town = scene.dice, places.slug(scene.town.name)
    end = {"CH": "ch", "BE": "be", "LU": "lu", "CA": "ca"}.get(scene.town.country, "fr")
    head = dice.choice(("ch", "chu", "clinique", "hopital", "cabinet", "medecins", "ehpad"))
    site = dice.choice(
        (
            f"{head}-{town}.{end}",
            f"{head}-{town}.example.{end}",
            f"{town}.mssante.{end}",
            f"{head}{town}.{end}",
            f"{town}.apicrypt.org",
            f"{head}-{town}.example",
        )
    )
    return site


def _url(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    dice = scene.dice
    base = scene.fact("domain", lambda: _domain(scene))
    path = dice.choice(
        (
            "",
            "",
            "/rdv",
            "/resultats",
            f"/dossier/{dice.digits(5)}",
            f"/r?id={dice.digits(6)}",
            "/patients/",
            "/imagerie",
        )
    )
    yield Piece(
        dice.choice(("www.", "http://", "https://", "https://www.", "https://portail.", ""))
        + base
        + path,
        Label.URL,
    )


def _ip(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    dice = scene.dice
    head = dice.choice(
        ("10", "192.168", "172.16", f"{dice.between(11, 223)}.{dice.between(0, 255)}")
    )
    parts = [head, *(str(dice.between(0, 255)) for _ in range(3 - head.count(".")))]
    text = (
        ".".join(parts)
        if dice.chance(92)
        else ":".join(f"{dice.between(1, 65535):x}" for _ in range(8))
    )
    yield Piece(text, Label.IP)


def _ssn(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(_ssn_of(scene), Label.SSN)


def _ssn_of(scene: Scene) -> str:
    who, dice = scene.patient, scene.dice
    country = scene.home.town.country
    if country != "FR":
        return scene.fact("ssn", lambda: numbers.foreign_ssn(dice, country, who.born, who.sex))
    number = scene.fact("ssn", lambda: numbers.nir(dice, who.sex, who.born, scene.home.insee))
    return numbers.spaced_nir(dice, number)


def _number(label: Label, key: str, make: Callable[[Scene], str]) -> Slot:
    """A number that stays the same within the note, or is new each time if `key` is empty."""

    def slot(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
        new = not key or bool(given)
        yield Piece(make(scene) if new else scene.fact(key, lambda: make(scene)), label)

    return slot


def _word_of_birth(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """The birthplace, and its country in brackets if abroad."""
    yield Piece(scene.home.birthplace, Label.CITY)
    if scene.home.birth_country:
        yield Piece(" (")
        yield Piece(scene.home.birth_country, Label.COUNTRY)
        yield Piece(")")


def _repeated(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{rep:rule,2,5}: two to five times, a space between; {list:…}: one a line behind a bullet."""
    rule, low, high = rules()[given[0]], int(given[1]), int(given[2])
    for number in range(scene.dice.between(low, high)):
        if number:
            yield Piece(" ")
        out: list[Piece] = []
        rule.write(scene, out)
        yield from out


def _listed(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    rule, low, high = rules()[given[0]], int(given[1]), int(given[2])
    bullet = (
        given[3]
        if len(given) > 3
        else scene.fact(
            "bullet",
            lambda: scene.dice.choice(("- ", "- ", "-   ", "• ", "* ", "", "", "– ", "-", ". ")),
        )
    )
    for number in range(scene.dice.between(low, high)):
        yield Piece("\n" * bool(number) + bullet)
        out: list[Piece] = []
        rule.write(scene, out)
        yield from out


def _integer(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{n:low,high}: a whole number; {n:low,high,1}: with decimals behind a comma or a point."""
    low, high = int(given[0]), int(given[1])
    text = str(scene.dice.between(low, high))
    if len(given) > 2:
        text += scene.dice.choice(",,,.") + scene.dice.digits(int(given[2]))
    yield Piece(text)


def _area(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(places.area(scene.dice), Label.CITY)


def _year_of(scene: Scene) -> int:
    return scene.day.year


SLOTS: Final[dict[str, Slot]] = {
    "d": _date,
    "range": _range,
    "dob": _birth_date,
    "dobof": _their_birth_date,
    "weekday": _weekday,
    "holiday": _holiday,
    "year": _year,
    "month": _month,
    "time": _time,
    "age": _age,
    "ageof": _age,
    "someage": _some_age,
    "town": _town,
    "city": _home_town,
    "zip": _home_zip,
    "here": _here,
    "herezip": _here_zip,
    "area": _area,
    "street": _street,
    "road": _other_street,
    "address": _other_address,
    "birthplace": _word_of_birth,
    "hosp": _hospital,
    "org": _organization,
    "unit": _unit,
    "phone": _phone,
    "mail": _mail,
    "url": _url,
    "ip": _ip,
    "ssn": _ssn,
    "ipp": _number(Label.PATIENT_ID, "ipp", lambda s: numbers.patient_id(s.dice, s.town.country)),
    "nda": _number(Label.VISIT_ID, "nda", lambda s: numbers.visit_id(s.dice, _year_of(s))),
    "order": _number(Label.ORDER_ID, "", lambda s: numbers.order_id(s.dice, _year_of(s))),
    "rpps": _number(
        Label.PROVIDER_ID, "", lambda s: numbers.provider(s.dice, s.town.country, s.town.department)
    ),
    "finess": _number(
        Label.PROVIDER_ID, "finess", lambda s: numbers.finess(s.dice, s.town.department)
    ),
    "iban": _number(Label.OTHER_ID, "", lambda s: numbers.iban(s.dice, s.home.town.country)),
    "plate": _number(Label.OTHER_ID, "", lambda s: numbers.plate(s.dice)),
    "id": _number(Label.OTHER_ID, "", lambda s: numbers.other_id(s.dice, _year_of(s))),
    "rep": _repeated,
    "list": _listed,
    "n": _integer,
}
"""Every slot by its name in the templates."""
