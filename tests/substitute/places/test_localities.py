from __future__ import annotations

import pytest

from dpdeid.substitute.places.localities import Locality, read_localities
from tests.substitute.making import marked


def localities(*notes: str) -> list[Locality]:
    record, mentions = marked(*notes)
    return read_localities(mentions, record.documents)


@pytest.mark.parametrize(
    ("text", "level", "name"),
    [
        ("Brest", "city", "Brest"),
        ("PARIS 13e", "city", "Paris 13e Arrondissement"),
        ("lyon cedex 03", "city", "Lyon"),
        ("Finistère", "department", "Brest"),
        ("département du Rhône", "department", "Lyon"),
        ("2A", "department", "Ajaccio"),
        ("(974)", "department", "Saint-Denis"),
        ("(987)", "department", "Faaa"),
        ("VD", "department", "Lausanne"),
        ("Bretagne", "region", "Rennes"),
    ],
)
def test_a_city_mention_is_read_at_its_level(text: str, level: str, name: str) -> None:
    (one,) = localities(f"«CITY:{text}»")
    assert one.level == level
    assert one.place is not None
    assert one.place.name.startswith(name[:5])


@pytest.mark.parametrize("before", ["au ", "du ", "Le "])
def test_an_article_before_a_town_is_part_of_its_name(before: str) -> None:
    """Not Havré in Belgium, nor a place of its own."""
    whole, part = localities(f"«CITY:Le Havre», {before}«CITY:Havre»")
    assert whole == part
    assert whole.place is not None
    assert whole.place.department == "76"


def test_an_article_before_a_department_is_not() -> None:
    (one,) = localities("dans le «CITY:Nord»")
    assert one.level == "department"


@pytest.mark.parametrize("text", ["l'Ain", "la Creuse", "le Var", "les Landes", "LE LOT"])
def test_an_article_inside_the_mention_of_a_department_is_none_of_its_name(text: str) -> None:
    (one,) = localities(f"vit dans «CITY:{text}»")
    assert one.level == "department"


def test_in_a_swiss_record_the_jura_is_a_canton() -> None:
    (*_, swiss) = localities("«ZIP:CH-1950» «CITY:Sion», fils dans le «CITY:Jura»")
    assert (swiss.level, swiss.area) == ("department", "JU")
    (french,) = localities("fils dans le «CITY:Jura»")
    assert french.area == "39"


def test_a_large_town_abroad_is_no_canton_although_a_village_at_home_has_its_name() -> None:
    (berne,) = localities("vit à «CITY:Berne»")
    assert (berne.level, berne.place and berne.place.country) == ("city", "CH")


def test_an_unknown_place_is_unknown() -> None:
    (one,) = localities("«CITY:Trifouillis-les-Oies»")
    assert one.place is None
    assert "rifou" not in repr(one)


@pytest.mark.parametrize("between", [" ", ", ", " (", "\n", " - ".replace(" - ", "-")])
def test_a_postal_code_beside_its_town_is_the_same_place(between: str) -> None:
    town, code = localities(f"«CITY:Brest»{between}«ZIP:29200»")
    assert town.name == code.name


@pytest.mark.parametrize(
    "code", ["29 200", "29\u00a0200", "292OO", "F-29200", "29200 ", "(29)", "29"]
)
def test_a_postal_code_is_read_however_it_is_written(code: str) -> None:
    town, written = localities(f"«CITY:Brest» «ZIP:{code}»")
    assert town.name == written.name


@pytest.mark.parametrize(
    ("code", "town"), [("29200", "Kerzurlu"), ("00000", "Brest"), ("SW1A 1AA", "Pimlicot")]
)
def test_what_no_list_knows_is_where_the_rest_of_its_address_is(code: str, town: str) -> None:
    address = localities(f"«ZIP:{code}» «CITY:{town}», revu à «CITY:{town.upper()}»")
    assert len({one.name for one in address}) == 1


def test_an_unknown_town_does_not_take_the_postal_code_of_the_next() -> None:
    unknown, code, town = localities("«CITY:Kerzurlu», «ZIP:29200» «CITY:Brest»")
    assert unknown.place is None
    assert code.name == town.name


def test_digits_inside_a_foreign_code_are_no_department() -> None:
    (one,) = localities("«ZIP:H2X 1Y4»")
    assert one.place is None


def test_words_between_part_an_address() -> None:
    town, code = localities("«CITY:Brest», ancien code «ZIP:29000»")
    assert town.name != code.name


@pytest.mark.parametrize(
    "text",
    [
        "«ZIP:69170»;«CITY:TARARE»;M",
        "^^«CITY:TARARE»^^«ZIP:69170»^FRA",
        "| «ZIP:69170» | «CITY:Tarare» |",
        "<td>«ZIP:69170»</td><td>«CITY:Tarare»</td>",
        "CP : «ZIP:69170»   Ville : «CITY:Tarare»",
        "Commune : «CITY:Tarare»\nService social : oui\nCode postal de son logement : «ZIP:69170»",
    ],
)
def test_a_code_and_its_town_are_one_place_across_fields(text: str) -> None:
    one, other = localities(f"Né à «CITY:Brest». {text} puis «CITY:Nice»")[1:3]
    assert one.name == other.name == "FR 69243"
    assert {one.level, other.level} == {"city", "zip"}


def test_in_a_row_of_fields_each_code_goes_with_its_own_town() -> None:
    lyon, vaulx, code = localities("«CITY:Lyon»;«CITY:Vaulx-en-Velin»;«ZIP:69120»")
    assert code.name == vaulx.name != lyon.name


def test_a_code_that_belongs_to_no_town_of_the_note_is_a_place_of_its_own() -> None:
    town, code = localities("«CITY:Tarare» depuis peu, auparavant dans le «ZIP:33000»")
    assert town.name != code.name


def test_a_town_is_the_one_of_the_record_s_addresses() -> None:
    *_, lone = localities("«ZIP:97400» «CITY:Saint-Denis»", "né à «CITY:St Denis»")
    assert lone.place is not None
    assert lone.place.department == "974"


@pytest.mark.parametrize(
    ("code", "town", "commune"),
    [
        ("97414", "l'entre deux", "Entre-Deux"),
        ("97421", "la rivière", "Saint-Louis"),
        ("97427", "etang salé les hauts", "L'Étang-Salé"),
        ("97440", "cambuston", "Saint-André"),
        ("97430", "trucmuche", "Le Tampon"),
        ("97300", "Paris", "Cayenne"),
    ],
)
def test_a_code_of_overseas_says_where_a_name_lies(code: str, town: str, commune: str) -> None:
    found = localities(f"«ZIP:{code}» «CITY:{town}»")
    assert {one.place.name for one in found if one.place} == {commune}
    assert [one.level for one in found] == ["zip", "city"]
