from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

LISTS = Path(__file__).parent.parent / "gazetteers"


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ModuleType:
    """The module of the build step that the test's parameter names."""
    monkeypatch.syspath_prepend(str(LISTS))
    return importlib.import_module(f"steps.{request.param}")


@pytest.mark.parametrize("step", ["hunspell"], indirect=True)
def test_hunspell_gives_suffixed_forms_and_no_proper_nouns(
    step: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "index.aff").write_text(
        "FLAG long\n"
        "SFX S. Y 1\nSFX S. 0 s/L' [^sxz]\n"
        "SFX F+ Y 2\nSFX F+ l lle el\nSFX F+ 0 x eau\n"
        "PFX L' Y 1\nPFX L' 0 l' [aeiou]\n",
        encoding="utf-8",
    )
    (tmp_path / "index.dic").write_text(
        "5\ntoux/S.\nfièvre/S.L'\nveinel/F+\nParis/S.\nanneau/S.F+ po:nom\n", encoding="utf-8"
    )
    assert list(step.forms(tmp_path)) == [
        "toux",
        "fièvre",
        "fièvres",
        "veinel",
        "veinelle",
        "anneau",
        "anneaus",
        "anneaux",
    ]


@pytest.mark.parametrize("step", ["names"], indirect=True)
@pytest.mark.parametrize(
    ("key", "sex"),
    [
        ("lea", "F"),
        ("noa", "U"),
        ("jean", "M"),
        ("thierry", "M"),
        ("josephine", "F"),
        ("dominique", "U"),
        ("josephine-noa", "F"),
        ("noa-josephine", "U"),
        ("laurence", "F"),
        ("inconnu", "U"),
    ],
)
def test_sex_is_decided_by_the_most_direct_source(step: ModuleType, key: str, sex: str) -> None:
    both, one = frozenset("FM"), frozenset("F")
    votes = step.Votes(
        recent={"F": {"lea": 1.0, "noa": 0.4}, "M": {"noa": 0.5, "jean": 0.3, "dominique": 0.001}},
        french={"jean": both, "thierry": both, "josephine": one, "dominique": both},
        world={"jean": 0.5, "thierry": 0.01, "dominique": 0.6, "laurence": 0.9},
    )
    assert votes.sex(key) == sex


@pytest.mark.parametrize("step", ["names"], indirect=True)
def test_names_that_fold_alike_are_one(step: ModuleType) -> None:
    assert step.unique(["Lefevre", "LEFÈVRE", " Le Goff ", "", "Le Goff"]) == ["Lefevre", "Le Goff"]


@pytest.mark.parametrize("step", ["places"], indirect=True)
def test_distance_in_kilometres(step: ModuleType) -> None:
    assert step.distance((48.853, 2.349), (45.748, 4.846)) == pytest.approx(392, rel=0.01)
    assert step.distance((48.0, 2.0), (48.0, 2.0)) == 0


def _town(number: int, name: str, north: float, people: int) -> dict[str, object]:
    return {
        "geonameid": number,
        "name": name,
        "alternatenames": [],
        "countrycode": "FR",
        "admin1code": "84",
        "population": people,
        "latitude": north,
        "longitude": 5.0,
    }


@pytest.mark.parametrize("step", ["places"], indirect=True)
def test_homonyms_are_told_apart_by_people_and_distance(step: ModuleType) -> None:
    def commune(name: str, code: str, people: int, zips: tuple[str, ...] = ()) -> Any:
        return step.Row(name, "FR", code, code[:2], "84", zips, people)

    rows = [
        commune("Grandville", "01001", 40_000),
        commune("Saint-Jean", "01002", 900, ("01100",)),
        commune("Petitbois", "01003", 80, ("01100",)),
        commune("Hautbourg", "26001", 30_000),
        commune("Saint-Jean", "26002", 5_000),
        commune("Loin", "26003", 70, ("26999",)),
    ]
    towns = [
        _town(1, "Grandville", 46.2, 41_000),
        _town(2, "Hautbourg", 44.6, 29_000),
        _town(3, "St Jean", 44.7, 5_200),
        _town(4, "Saint-Jean", 46.3, 850),
    ]
    step._locate(rows, towns)
    step._fall_back(rows, towns)
    assert [(row.position[0], row.precision) for row in rows] == [
        (46.2, "place"),
        (46.3, "place"),
        (46.3, "zip"),
        (44.6, "place"),
        (44.7, "place"),
        (pytest.approx(44.61, abs=0.02), "department"),
    ]


@pytest.mark.parametrize("step", ["words"], indirect=True)
def test_frequency_bins_are_read_in_order(step: ModuleType) -> None:
    data = (
        b"\x93\x82\xa6format\xa2cB\xa7version\x01"  # [{"format": "cB", "version": 1},
        b"\x92\xa2de\xa2la"  # ["de", "la"],
        b"\xdc\x00\x01\xd9\x05patie"  # ["patie"]]
    )
    assert list(step.unpack_bins(data)) == [["de", "la"], ["patie"]]


def _sources(step: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Path]:
    """Packages with a few made-up words."""
    resources = tmp_path / "edsnlp" / "resources"
    resources.mkdir(parents=True)
    (resources / "drugs.json").write_text(
        '{"X": ["CALMOVIL", "SIROP DE CALMIX", "paix"]}', encoding="utf-8"
    )
    bins = [[]] * 150 + [["de"]] + [[]] * 300 + [["Paix", "calme"]] + [[]] * 250 + [["aune"]]
    monkeypatch.setattr(step.words, "bins", lambda _: iter(bins))
    monkeypatch.setattr(step.words, "ordinary_words", lambda _: {"sirop", "de", "paix", "rose"})
    medical = {"toux", "de", "ou"}, {"rose", "grippe"}
    monkeypatch.setattr(step.words, "medical_words", lambda _: medical)
    return {"wordfreq": tmp_path, "edsnlp": tmp_path}


@pytest.mark.parametrize("step", ["evidence"], indirect=True)
def test_frequency_is_the_whole_part_of_the_zipf_value(
    step: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = _sources(step, monkeypatch, tmp_path)
    assert step.frequencies(sources) == {"de": 7, "paix": 4, "calme": 4}


@pytest.mark.parametrize("step", ["evidence"], indirect=True)
def test_medical_words_leave_out_names_and_everyday_words(
    step: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = _sources(step, monkeypatch, tmp_path)
    found = step.medical(sources, {"rose"}, {"de": 7})
    assert found == {"toux": 1, "grippe": 1, "calmovil": 2, "calmix": 2, "paix": 2}


@pytest.mark.parametrize("step", ["evidence"], indirect=True)
def test_name_words_are_the_rest_of_the_dictionary(
    step: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = _sources(step, monkeypatch, tmp_path)
    assert step.name_words(sources, {"sirop", "de"}) == ["paix", "rose"]
