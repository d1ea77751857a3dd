from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.errors import GazetteerError
from dpdeid.french.tables import rows
from dpdeid.gazetteers import FILES, place_key, places, places_named, places_with_zip
from dpdeid.labels import Sex
from dpdeid.normalize import fold

ROOT = Path(__file__).parent.parent
LISTS = ROOT / "gazetteers"


@pytest.fixture
def empty_caches() -> Iterator[None]:
    """The loaders forget what they read, before and after the test."""
    caches = [f for f in vars(gazetteers).values() if hasattr(f, "cache_clear")]
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


# place_key


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("Saint-Étienne", "saint etienne"),
        ("ST ETIENNE CEDEX 2", "saint etienne"),
        ("St. Étienne", "saint etienne"),
        ("Ste-Foy-lès-Lyon", "sainte foy les lyon"),
        ("L’Haÿ-les-Roses", "l hay les roses"),
        ("L'HAY LES ROSES", "l hay les roses"),
        ("CHALONS S/SAONE", "chalons sur saone"),
        ("AULNAY S/S BOIS", "aulnay sous bois"),
        ("LYON CEDEX 03", "lyon"),
        ("Lyon Cedex", "lyon"),
        ("Lyon 3ème", "lyon 3"),
        ("Paris 1er Arrondissement", "paris 1"),
        ("Paris 13e arr.", "paris 13"),
        ("PARIS 13", "paris 13"),
        ("Ancenis", "ancenis"),
        ("Plouër", "plouer"),
        ("", ""),
    ],
)
def test_place_key_is_the_same_for_all_spellings(spelling: str, key: str) -> None:
    assert place_key(spelling) == key


@settings(deadline=None)
@given(st.text(alphabet="aestnédrxcÉ \t\r-'/.12’ß", max_size=20))
def test_place_key_of_a_key_is_itself(name: str) -> None:
    once = place_key(name)
    assert place_key(once) == once
    assert once == once.strip()


def test_stored_keys_are_the_keys_of_the_names() -> None:
    stored = gazetteers.place_keys()
    assert {place_key(place.name) for place in places()} <= stored
    assert all(place_key(key) == key for key in stored)


# places


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("saint-etienne", "42218"),
        ("St Etienne", "42218"),
        ("SAINT ETIENNE", "42218"),
        ("Rennes", "35238"),
        ("Le Kremlin-Bicêtre", "94043"),
        ("VITRY", "94081"),
        ("Paris 13e", "75113"),
        ("Schoelcher", "97229"),
        ("Saint-Denis", "97411"),
    ],
)
def test_a_commune_is_found_and_the_largest_comes_first(spelling: str, code: str) -> None:
    assert places_named(spelling)[0].code == code


@pytest.mark.parametrize(
    ("french", "other", "country"),
    [
        ("Genève", "Geneva", "CH"),
        ("Bâle", "Basel", "CH"),
        ("Bruxelles", "Brussels", "BE"),
        ("Anvers", "Antwerp", "BE"),
        ("Gand", "Gent", "BE"),
        ("Lausanne", "LAUSANNE", "CH"),
        ("Esch-sur-Alzette", "Esch sur Alzette", "LU"),
    ],
)
def test_a_place_abroad_is_found_under_both_names(french: str, other: str, country: str) -> None:
    (place, *_) = [p for p in places_named(other) if p.country == country]
    assert place.name == french
    assert place in places_named(french)


def test_an_unknown_name_is_no_place() -> None:
    assert places_named("Xyzzy-sur-Rien") == ()
    assert places_with_zip("00000") == ()


def test_places_are_sorted_by_population() -> None:
    populations = [place.population for place in places()]
    assert populations == sorted(populations, reverse=True)


def test_places_are_unique() -> None:
    names = [(place.country, place.code, place.name) for place in places()]
    assert len(set(names)) == len(names)


def test_all_communes_are_there() -> None:
    codes = {place.code for place in places() if place.country == "FR"}
    assert len(codes) > 34_900
    departments = {place.department for place in places() if place.country == "FR"}
    assert {"2A", "2B", "75", "971", "972", "973", "974", "976"} <= departments
    assert departments <= set(gazetteers.departments().values())


BOUNDS = {  # south, north, west, east
    "FR": (41.3, 51.2, -5.3, 9.7),
    "CH": (45.8, 47.9, 5.9, 10.6),
    "BE": (49.4, 51.6, 2.5, 6.5),
    "LU": (49.4, 50.2, 5.7, 6.6),
}


def test_coordinates_lie_in_the_country() -> None:
    for place in places():
        if len(place.department) == 3 and place.country == "FR":
            assert -64 < place.latitude < 51
            continue
        south, north, west, east = BOUNDS[place.country]
        assert south <= place.latitude <= north, place
        assert west <= place.longitude <= east, place


@pytest.mark.parametrize(
    ("code", "latitude", "longitude"),
    [
        ("75056", 48.857, 2.352),
        ("13055", 43.297, 5.381),
        ("29019", 48.390, -4.486),
        ("67482", 48.573, 7.752),
        ("2A004", 41.927, 8.737),
        ("97411", -20.879, 55.448),
    ],
)
def test_a_city_is_where_it_is(code: str, latitude: float, longitude: float) -> None:
    (place,) = [p for p in places() if p.code == code and p.precision == "place"]
    assert abs(place.latitude - latitude) < 0.05
    assert abs(place.longitude - longitude) < 0.05


def test_most_people_live_in_places_that_are_located_themselves() -> None:
    whole = [p for p in places() if not p.name.endswith("Arrondissement") and p.country == "FR"]
    people = {
        precision: sum(p.population for p in whole if p.precision == precision)
        for precision in ("place", "zip", "group", "department", "country")
    }
    assert people["place"] > 0.85 * sum(people.values())
    assert people["place"] + people["zip"] > 0.98 * sum(people.values())
    assert {p.precision for p in places()} == {
        "place",
        "commune",
        "zip",
        "group",
        "department",
        "country",
    }


def test_every_postal_code_leads_back_to_its_place() -> None:
    count = 0
    for place in places():
        for code in place.zips:
            assert re.fullmatch(r"\d{5}", code)
            assert place in places_with_zip(code)
            count += 1
    assert count > 36_000


def test_a_lone_postal_code_gives_the_largest_town_first() -> None:
    assert places_with_zip("35000")[0].name == "Rennes"
    assert places_with_zip("69003")[0].name == "Lyon"


# lists of surrogates: PRIVACY §2 hole 10


def test_each_place_list_is_large_enough_to_say_little() -> None:
    for name, offered in gazetteers.place_lists().items():
        assert len(offered) >= 20, name
        assert sum(place.population for place in offered) >= 100_000, name
        assert len({place.code for place in offered}) == len(offered)


def test_every_place_has_its_list() -> None:
    lists = gazetteers.place_lists()
    assert {gazetteers.place_list_name(place) for place in places()} == set(lists)
    for name, offered in lists.items():
        assert {gazetteers.place_list_name(place) for place in offered} == {name}


def test_lists_offer_towns_not_parts_of_them() -> None:
    offered = [place for found in gazetteers.place_lists().values() for place in found]
    assert not [p for p in offered if p.name.endswith("Arrondissement") or p.population == 0]
    assert 1500 <= len(gazetteers.place_lists()["FR"]) <= 3000


# kinds of towns

KINDS = ("university", "prefecture", "subprefecture", "hospital", "clinic")


def named(listed: str, kind: str) -> set[str]:
    offered = gazetteers.place_lists()[listed]
    return {offered[at].name for at in gazetteers.places_of_kind(listed, kind)}


def test_towns_have_what_they_are_known_for() -> None:
    university, prefecture = named("FR", "university"), named("FR", "prefecture")
    assert {"Paris", "Rennes", "Grenoble", "Brest", "Orléans"} <= university
    assert not {"La Tronche", "Lens", "Carhaix-Plouguer", "Voiron"} & university
    assert 27 <= len(university) <= 35
    assert {"Quimper", "Lyon", "Marseille"} <= prefecture
    assert len(prefecture) == 94
    assert prefecture | {"Brest", "Fougères"} <= named("FR", "subprefecture")
    assert {"Lens", "Vitré", "Rennes"} <= named("FR", "hospital")
    assert "Reims" in named("FR", "clinic")


@pytest.mark.parametrize("listed", gazetteers.place_lists())
@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_leaves_enough_places_or_all(listed: str, kind: str) -> None:
    offered = gazetteers.place_lists()[listed]
    found = gazetteers.places_of_kind(listed, kind)
    apart = {(offered[at].latitude, offered[at].longitude) for at in found}
    people = sum(offered[at].population for at in found)
    assert not found or (len(apart) >= 20 and people >= 100_000)
    assert bool(found) == (listed in ("FR", "BE", "BE-NL", "CH-DE"))


def test_what_few_have_is_widened_to_all_with_a_hospital() -> None:
    assert named("BE", "university") == named("BE", "hospital") >= {"Liège", "Namur"}
    assert named("CH-DE", "prefecture") == named("CH-DE", "hospital") >= {"Berne", "Zurich"}


def test_every_code_is_that_of_a_place() -> None:
    rows = gazetteers._rows("town_kinds.tsv.gz")
    assert {kind for _, kinds in rows for kind in kinds.split()} == set(KINDS)
    assert len({code for code, _ in rows} & {place.code for place in places()}) == len(rows)


# names


def test_surnames_have_one_rank_each() -> None:
    ranks = gazetteers.surnames()
    shown = gazetteers.surname_list()
    assert sorted(ranks.values()) == list(range(len(ranks)))
    assert [ranks.get(fold(name)) for name in shown] == list(range(len(shown)))
    assert ranks["martin"] == 0
    assert "le goff" in ranks
    assert "D'Angelo" in shown
    assert len(ranks) > 200_000


def test_first_names_have_one_sex_each() -> None:
    sexes = gazetteers.first_names()
    by_list = {sex: gazetteers.first_name_list(sex) for sex in Sex}
    assert sum(map(len, by_list.values())) == len(sexes) > 30_000
    for sex, names in by_list.items():
        assert all(sexes[fold(name)] is sex for name in names)


@pytest.mark.parametrize(
    ("name", "sex"),
    [
        ("marie", Sex.FEMALE),
        ("monique", Sex.FEMALE),
        ("laurence", Sex.FEMALE),
        ("fatima", Sex.FEMALE),
        ("marie-claude", Sex.FEMALE),
        ("jean", Sex.MALE),
        ("thierry", Sex.MALE),
        ("mohamed", Sex.MALE),
        ("jean-marie", Sex.MALE),
        ("claude", Sex.UNKNOWN),
        ("dominique", Sex.UNKNOWN),
        ("camille", Sex.UNKNOWN),
    ],
)
def test_sex_of_a_first_name(name: str, sex: Sex) -> None:
    assert gazetteers.first_names()[name] is sex


def test_first_names_are_shown_with_their_accents() -> None:
    women = gazetteers.first_name_list(Sex.FEMALE)
    assert "Élodie" in women[:200]
    assert "Élise" in women[:500]
    assert women[0] == "Marie"


# words, countries, areas


@pytest.mark.parametrize(
    "word",
    ["patient", "insuffisance", "apyretique", "antibiotherapie", "paracetamol", "furent", "rose"],
)
def test_words_of_a_note_are_words(word: str) -> None:
    assert word in gazetteers.words()


@pytest.mark.parametrize(
    "name", ["martin", "dupont", "michel", "moreau", "nicolas", "jean", "nguyen", "raynaud"]
)
def test_names_are_no_words(name: str) -> None:
    assert name not in gazetteers.words()


def test_common_words_are_ranked_words() -> None:
    common = gazetteers.common_words()
    assert all(word in gazetteers.words() for word in common)
    assert list(common.values()) == list(range(30_000))
    assert common["de"] < common["patient"] < 5000


def test_words_are_folded() -> None:
    assert all(fold(word) == word for word in gazetteers.common_words())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("belgique", "Belgique"),
        ("usa", "États-Unis"),
        ("etats-unis", "États-Unis"),
        ("etats unis", "États-Unis"),
        ("zaire", "Congo-Kinshasa"),
        ("cote d'ivoire", "Côte d'Ivoire"),
        ("vietnam", "Viêt Nam"),
    ],
)
def test_countries_and_their_other_names(name: str, shown: str) -> None:
    assert gazetteers.countries()[name] == shown


def test_a_french_territory_is_no_country() -> None:
    assert not {"guadeloupe", "mayotte", "la reunion"} & gazetteers.countries().keys()


def test_departments_cantons_and_regions() -> None:
    departments, regions = gazetteers.departments(), gazetteers.regions()
    assert departments["ille-et-vilaine"] == departments["ille et vilaine"] == "35"
    assert departments["corse-du-sud"] == "2A"
    assert departments["guadeloupe"] == "971"
    assert departments["vaud"] == "VD"
    assert regions["bretagne"] == "53"
    assert regions["rhone-alpes"] == regions["auvergne-rhone-alpes"] == "84"
    assert regions["wallonie"] == "WAL"


@pytest.mark.parametrize(
    ("kind", "code", "name"),
    [
        ("department", "78", "Yvelines"),
        ("department", "04", "Alpes-de-Haute-Provence"),
        ("department", "64", "Pyrénées-Atlantiques"),
        ("department", "974", "La Réunion"),
        ("region", "11", "Île-de-France"),
        ("region", "76", "Occitanie"),
        ("region", "93", "Provence-Alpes-Côte d'Azur"),
        ("region", "WAL", "Wallonie"),
    ],
)
def test_an_area_is_written_by_its_name_of_today(kind: str, code: str, name: str) -> None:
    assert gazetteers.area_names()[kind, code] == name


def test_every_area_has_one_name_to_be_written_by() -> None:
    every = [(kind, code, name) for kind, name, code in gazetteers._rows("areas.tsv.gz")]
    past = {name for (name,) in rows("past_areas")}
    shown = [(kind, code) for kind, code, name in every if name not in past]
    assert sorted(shown) == sorted({(kind, code) for kind, code, _ in every})
    assert {name for *_, name in every} >= past


def test_cities_of_the_world() -> None:
    cities = gazetteers.world_cities()
    assert {"alger", "londres", "istanbul", "casablanca", "oran", "lubumbashi"} <= cities
    assert all(place_key(city) == city for city in cities)


# files


def test_sources_give_the_checksum_of_every_list() -> None:
    rows = re.findall(
        r"^\| `([\w.]+\.(?:gz|tsv))` \| (\d+) \| `([0-9a-f]{64})` \|$",
        (LISTS / "SOURCES.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert set(FILES) == {path.name for path in LISTS.glob("*.gz")}
    assert {name for name, _, _ in rows} == {*FILES, "outlines.tsv"}
    for name, size, digest in rows:
        data = (LISTS / name).read_bytes()
        assert len(data) == int(size)
        assert hashlib.sha256(data).hexdigest() == digest, name


@pytest.mark.parametrize("name", FILES)
def test_lists_hold_no_time_stamp_no_duplicates_and_are_composed(name: str) -> None:
    data = (LISTS / name).read_bytes()
    assert data[4:8] == bytes(4)
    lines = gzip.decompress(data).decode("utf-8").splitlines()
    assert len(set(lines)) == len(lines)
    assert all(line == line.strip(" ") for line in lines)


def test_the_lists_stay_small() -> None:
    assert sum((LISTS / name).stat().st_size for name in FILES) < 6_000_000


def test_notice_names_every_licence() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    owed = ("GeoNames", "INSEE", "Licence Ouverte", "CLDR", "Mozilla Public", "wordfreq", "DREES")
    assert all(name in notice for name in owed)


def test_the_fingerprint_is_that_of_the_files() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", gazetteers.fingerprint())


def test_lists_that_find_nothing_have_no_part_in_what_feeds_taggers() -> None:
    others = {"abroad.tsv.gz", "city_countries.tsv.gz", "town_kinds.tsv.gz"}
    assert set(FILES) - set(gazetteers.FEEDING) == others
    assert gazetteers.fingerprint(gazetteers.FEEDING) != gazetteers.fingerprint()


def test_another_list_has_another_fingerprint(
    empty_caches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FILES:
        (tmp_path / name).write_bytes((LISTS / name).read_bytes())
    before = gazetteers.fingerprint()
    gazetteers.fingerprint.cache_clear()
    monkeypatch.setattr(gazetteers, "data_root", lambda: tmp_path)
    assert gazetteers.fingerprint() == before
    gazetteers.fingerprint.cache_clear()
    (tmp_path / FILES[0]).write_bytes(gzip.compress(b"department\tNulle-Part\t00\n", mtime=0))
    assert gazetteers.fingerprint() != before


def test_a_missing_list_is_named_with_the_fix(
    empty_caches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gazetteers, "data_root", lambda: tmp_path)
    with pytest.raises(GazetteerError, match=r"surnames\.tsv\.gz is missing.*build\.py"):
        gazetteers.surnames()


@pytest.mark.parametrize("damage", [b"", b"not gzip", gzip.compress(b"x" * 99, mtime=0)[:-9]])
def test_a_damaged_list_is_named_with_the_fix(
    empty_caches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    (tmp_path / "places.tsv.gz").write_bytes(damage)
    monkeypatch.setattr(gazetteers, "data_root", lambda: tmp_path)
    with pytest.raises(GazetteerError, match=r"places\.tsv\.gz is damaged"):
        gazetteers.places()


def test_nothing_is_read_on_import() -> None:
    code = (
        "import dpdeid.gazetteers as g\n"
        "assert not [f for f in vars(g).values() if hasattr(f, 'cache_info')"
        " and f.cache_info().currsize]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_it_works_from_a_zip(tmp_path: Path) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("dpdeid/__init__.py", "")
        for module in ("errors", "labels", "normalize", "lexicon", "gazetteers"):
            packed.write(ROOT / "dpdeid" / f"{module}.py", f"dpdeid/{module}.py")
        for name in ("__init__.py", "tables.py", "past_areas.tsv"):
            packed.write(ROOT / "dpdeid" / "french" / name, f"dpdeid/french/{name}")
        packed.write(ROOT / "dpdeid" / "labels.tsv", "dpdeid/labels.tsv")
        for name in FILES:
            packed.write(LISTS / name, f"dpdeid/_gazetteers/{name}")
    code = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "from dpdeid import gazetteers\n"
        "assert '.zip' in gazetteers.__file__\n"
        "assert '.zip' in str(gazetteers.data_root())\n"
        "print(gazetteers.fingerprint(), gazetteers.places_named('st etienne')[0].code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.split() == [gazetteers.fingerprint(), "42218"]


# evidence


def test_frequencies_fall_from_function_words_to_rare_ones() -> None:
    of = gazetteers.frequency()
    assert of["de"] == 7 > of["avec"] > of["maison"] > of["stethoscope"] >= 2
    assert set(of.values()) == {2, 3, 4, 5, 6, 7}


def test_words_of_medicine_and_drugs_are_told_apart() -> None:
    of = gazetteers.medical()
    assert of["fracture"] == 1
    assert of["doliprane"] & 2
    assert of["fluorure"] & 1
    assert "charcot" not in of
    assert set(of.values()) == {1, 2, 3}


def test_name_words_are_names_and_stand_outside_the_words() -> None:
    names = gazetteers.name_words()
    assert "basset" in names
    assert not any(word in gazetteers.words() for word in names)
