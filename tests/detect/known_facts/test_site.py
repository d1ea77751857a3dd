"""A hospital's lists: found in any writing, believed where they are meant, refused with a line."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.cohort import manifest
from dpdeid.detect.known_facts.site import Site
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import PolicyError
from dpdeid.labels import Role
from dpdeid.policy.policy import load_policy, parse_policy
from tests.conftest import KEY
from tests.detect.hostile import NAMES, build
from tests.linear import LIMIT, growth

LISTS = Path(__file__).parent / "site_lists"
DOCS = Path(__file__).parents[3] / "docs" / "site-lists.md"


def spans(text: str, folder: Path = LISTS) -> list[Span]:
    return sorted(Site(folder)(Document("n", text)))


def found(text: str, folder: Path = LISTS) -> list[tuple[str, str]]:
    return [(str(s.label), text[s.start : s.end]) for s in spans(text, folder)]


def lists(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "last", "first"),
    [
        ("vue par Solène Kervadec", "Kervadec", "Solène"),
        ("vue par KERVADEC Solène", "KERVADEC", "Solène"),
        ("vue par kervadec solene", "kervadec", "solene"),
        ("vue par Kervadec, Solène", "Kervadec", "Solène"),
        ("vue par S. Kervadec", "Kervadec", "S."),
        ("vue par Kervadec S.", "Kervadec", "S."),
        ("OLLIVRIN Annick, externe", "OLLIVRIN", "Annick"),
        ("dicté par J.-M. Morvannec", "Morvannec", "J.-M."),
        ("dicté par Jean Marc\nMORVANNEC", "MORVANNEC", "Jean Marc"),
        ("revue par Rose PETIT", "PETIT", "Rose"),
    ],
)
def test_people_in_any_case_and_order(text: str, last: str, first: str) -> None:
    assert sorted(found(text)) == [("FIRST_NAME", first), ("LAST_NAME", last)]
    assert {(s.role, s.source, s.score) for s in spans(text)} == {(Role.STAFF, "site/staff", 0.95)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("avec kervadec ce jour", ["kervadec"]),
        ("avec le goffic et Le-Goffic", ["le goffic", "Le-Goffic"]),
        ("vu Petit ce jour", ["Petit"]),
        ("PETIT ULCERE, Dr PETIT", ["PETIT"]),
        ("IVA proximale, Dr IVA", ["IVA"]),
        ("un petit ulcère. Petit œdème. Rose petite, rose petit", []),
        ("avec Solène et Jean-Marc", []),
        ("le syndrome de Kervadec", []),
        ("transféré à Lyon", []),
    ],
)
def test_a_surname_alone_where_it_reads_as_a_name(text: str, names: list[str]) -> None:
    assert found(text) == [("LAST_NAME", name) for name in names]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("avis de Kervadec", Role.STAFF),
        ("Dr Kervadec", Role.STAFF),
        ("Mme Kervadec, 64 ans", Role.UNKNOWN),
        ("M. Kervadec", Role.UNKNOWN),
        ("Kervadec Yann, 8 ans", Role.UNKNOWN),
    ],
)
def test_a_surname_alone_may_be_that_of_a_patient(text: str, role: Role) -> None:
    (span,) = spans(text)
    assert (span.role, span.score) == (role, 0.55)


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("aux ajoncs, LES AJONCS, les ajoncs", ["UNIT LES AJONCS", "UNIT les ajoncs"]),
        ("soins  intensifs de\npneumologie", ["UNIT soins  intensifs de\npneumologie"]),
        ("en réanimation", ["UNIT réanimation"]),
        ("en MEDECINE 3B, médecine 3 b", ["UNIT MEDECINE 3B", "UNIT médecine 3 b"]),
        ("si besoin en SI", ["UNIT SI"]),
        ("clinique du parc", ["HOSPITAL clinique du parc"]),
        ("espérance de vie, à Espérance", ["HOSPITAL Espérance"]),
        ("C.H.U de Kerfeunteun, CHU Kerfeunteun", []),
        ("une orange, chez Orange", ["ORGANIZATION Orange"]),
        ("les salaisons de l'Odet", ["ORGANIZATION les salaisons de l'Odet"]),
        ("une bonne nouvelle à Bonne-Nouvelle", ["CITY Bonne-Nouvelle"]),
        ("vit à St Konan", ["CITY St Konan"]),
        ("12 bis, hent kerhuon", ["STREET 12 bis, hent kerhuon"]),
        ("le 12\nHent Kerhuon", ["STREET Hent Kerhuon"]),
        ("konan", []),
    ],
)
def test_things(text: str, hits: list[str]) -> None:
    assert [f"{label} {name}" for label, name in found(text)] == hits


def test_a_street_with_another_writing_of_its_type_and_saint() -> None:
    assert ("STREET", "3 av. St-Konan") in found("habite 3 av. St-Konan")


KINDS = ["staff", "units", "hospitals", "organizations", "places", "streets"]
syllables = st.lists(
    st.sampled_from(("ka", "ve", "dru", "gno", "lmi", "rzo")), min_size=3, max_size=5
)
strange = st.builds("".join, syllables)
cases = st.sampled_from((str.lower, str.upper, str.title))


@settings(max_examples=30)
@given(strange, strange, st.booleans(), cases, st.sampled_from((" ", "  ", "\n")))
def test_every_listed_pair_is_found_whole(
    tmp_path_factory: pytest.TempPathFactory,
    last: str,
    first: str,
    swap: bool,
    case: Callable[[str], str],
    gap: str,
) -> None:
    folder = lists(tmp_path_factory.mktemp("l") / "x", staff=f"{last}\t{first}")
    written = case(gap.join((first, last) if swap else (last, first)))
    hits = {name for _, name in found(f"Avis : {written}, merci", folder)}
    assert {case(last), case(first)} <= hits


@settings(max_examples=30)
@given(strange, st.sampled_from(KINDS), cases)
def test_every_strange_word_is_found_in_any_case_and_with_its_source(
    tmp_path_factory: pytest.TempPathFactory, word: str, kind: str, case: Callable[[str], str]
) -> None:
    folder = lists(tmp_path_factory.mktemp("l") / "x", **{kind: word})
    text = f"avec {case(word)} ce jour"
    (span,) = spans(text, folder)
    assert (text[span.start : span.end], span.source) == (case(word), f"site/{kind}")


PIECES = st.lists(
    st.sampled_from(
        ("Kervadec", "kervadec", "Solène", "Petit", "petit", "Moulin", "Le", ".", "\n")
    ),
    max_size=12,
).map(" ".join)
ENTRIES = ("Kervadec\tSolène", "Petit", "Solène\tPetit", "Moulin\tLe", "Le Petit")


@settings(max_examples=30)
@given(PIECES, st.sets(st.sampled_from(ENTRIES), min_size=1), st.sampled_from(ENTRIES))
def test_an_entry_more_takes_nothing_away(
    tmp_path_factory: pytest.TempPathFactory, text: str, entries: set[str], more: str
) -> None:
    folder = tmp_path_factory.mktemp("l")
    fewer = lists(folder / "fewer", staff="\n".join(sorted(entries)))
    longer = lists(folder / "longer", staff="\n".join(sorted(entries | {more})))
    places = [{(s.start, s.end, s.label) for s in spans(text, lists)} for lists in (fewer, longer)]
    assert places[0] <= places[1]


@lru_cache(maxsize=1 << 10)
def document(name: str, length: int) -> Document:
    doc = Document(name, build(name, length))
    assert len(doc.tokens) <= length
    return doc


@pytest.mark.parametrize("name", NAMES)
def test_it_is_linear(name: str) -> None:
    site = Site(LISTS)
    assert growth(lambda length: partial(lambda d: list(site(d)), document(name, length))) <= LIMIT


def test_files_from_other_systems(tmp_path: Path) -> None:
    data = "# liste\r\n\r\nKERVADEC Solène\r\nMorvannec\t\r\n".encode("utf-8-sig")
    (tmp_path / "staff.txt").write_bytes(data)
    (tmp_path / ".DS_Store").write_bytes(b"\xff")
    assert found("vu par solène kervadec et morvannec", tmp_path) == [
        ("FIRST_NAME", "solène"),
        ("LAST_NAME", "kervadec"),
        ("LAST_NAME", "morvannec"),
    ]


@pytest.mark.parametrize(
    ("entry", "alone"),
    [
        ("LE GOFFIC", "le goffic"),
        ("KERVADEC SOLENE", "kervadec"),
        ("Solène Kervadec", "kervadec"),
        ("KERVADEC J.-M.", "kervadec"),
        ("Annick d'Angelvin", "d'angelvin"),
        ("Annick", "annick"),
        ("Morzvel Solène", "morzvel"),
        ("Solène Morzvel", "morzvel"),
        ("Drugnec Morzvel", "morzvel"),
        ("MORZVEL DRUGNEC", "morzvel"),
    ],
)
def test_which_word_of_an_entry_is_the_surname(entry: str, alone: str, tmp_path: Path) -> None:
    folder = lists(tmp_path, staff=entry)
    assert found(f"avec {alone} hier, solène hier", folder) == [("LAST_NAME", alone)]


CANARY = "Zyxwvutel"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "staff.txt",
            f"{CANARY}\n# x\n{CANARY}\n",
            "staff.txt, line 3: the entry stands on line 1",
        ),
        ("staff.txt", f"{CANARY} Léa\nLéa {CANARY}\n", "staff.txt, line 2: the entry stands"),
        ("staff.txt", f"Dr {CANARY}", "staff.txt, line 1: leave titles out"),
        ("staff.txt", f"{CANARY}, Léa", "staff.txt, line 1: the mark ',' cannot"),
        ("staff.txt", f"{CANARY}\tLéa\tIDE", "line 1: a person has two columns"),
        ("staff.txt", f"\t{CANARY}", "line 1: an entry needs at least 2 letters"),
        ("staff.txt", f"{CANARY}7", "line 1: a name has no figures"),
        ("staff.txt", "J. M.", "line 1: no surname can be told"),
        ("units.txt", "\nB\n", "units.txt, line 2: an entry needs at least 2 letters"),
        ("units.txt", f"{CANARY} # x\n", "line 1: a comment needs a line of its own"),
        ("units.txt", f"{CANARY};12\n", "line 1: the mark ';' cannot stand"),
        ("units.txt", f"{CANARY}\t12\n", "line 1: only staff.txt has two columns"),
        ("units.txt", CANARY * 10, "line 1: an entry has at most 80"),
        ("units.txt", f"{CANARY}\n{CANARY}\u00e9".encode("latin-1"), "line 2: not UTF-8"),
        ("units.txt", CANARY.encode("utf-16"), "line 1: not UTF-8"),
        ("keep.txt", CANARY, "keep.txt is not a site list; allowed: staff.txt, units.txt"),
        ("Staff.csv", CANARY, "is not a site list"),
    ],
)
def test_what_is_refused(name: str, data: str | bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(PolicyError, match=re.escape(message)) as error:
        Site(tmp_path)
    assert CANARY not in str(error.value)
    assert CANARY not in "".join(traceback.format_exception(error.value))


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    lists(
        tmp_path, staff=f"KERVADEC Solène\nDr {CANARY}\n{CANARY}7\n{CANARY}, Léa\n", units="\nB\n"
    )
    (tmp_path / "keep.txt").write_text(CANARY)
    (tmp_path / "streets.txt").write_bytes(b"\xff")
    with pytest.raises(PolicyError) as error:
        Site(tmp_path)
    told = str(error.value).splitlines()
    assert [line.removeprefix(f"{tmp_path}/").split(":")[0] for line in told] == [
        "keep.txt is not a site list; allowed",
        "staff.txt, line 2",
        "staff.txt, line 3",
        "staff.txt, line 4",
        "streets.txt, line 1",
        "units.txt, line 2",
    ]
    assert CANARY not in str(error.value)


def test_of_many_mistakes_the_first_ones_are_told(tmp_path: Path) -> None:
    lists(tmp_path, units="B\n" * 60)
    with pytest.raises(PolicyError) as error:
        Site(tmp_path)
    assert len(str(error.value).splitlines()) == 51
    assert str(error.value).endswith("and 10 more")


def test_a_list_lies_beside_its_policy_wherever_it_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    lists(home / "lists", staff="Zyxwvutel")
    rules = "name: x\nunit: note\ndetectors: [{site: {folder: lists}}]\nmerge: union\n"
    (home / "x.yaml").write_text(f"{rules}strategies: []\ndefault: redact\n", encoding="utf-8")
    text = "Vu par Zyxwvutel."
    monkeypatch.chdir(elsewhere)
    assert "Zyxwvutel" not in Deidentifier("../home/x.yaml", key=KEY)(text).text
    manifest.create(tmp_path / "cohort", "../home/x.yaml")
    monkeypatch.chdir(tmp_path)
    opened = manifest.open_cohort(tmp_path / "cohort")
    assert "Zyxwvutel" not in Deidentifier(opened.policy, key=KEY)(text).text


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"cannot read the site lists .*none"):
        Site(tmp_path / "none")
    with pytest.raises(PolicyError, match=r"holds no site list; it may hold staff\.txt"):
        Site(tmp_path)
    (tmp_path / "staff.txt").mkdir()
    with pytest.raises(PolicyError, match=r"cannot read the site list .*staff\.txt"):
        Site(tmp_path)


def test_the_policy_of_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    with pytest.raises(PolicyError, match="cannot read the site lists lists"):
        parse_policy(text)
    lists(tmp_path / "lists", staff="KERVADEC Solène", units="Les Ajoncs")
    monkeypatch.chdir(tmp_path)
    rules = text.replace(", crf, transformer", "")
    (tmp_path / "ours.yaml").write_text(rules, encoding="utf-8")
    engine = Deidentifier(load_policy("ours.yaml"), key=KEY)
    released = engine("Vue aux ajoncs ou les ajoncs par kervadec solène.").text
    assert released.startswith("Vue aux ajoncs ou ")
    assert not {"kervadec", "solène", "les ajoncs"} & set(re.findall(r"les ajoncs|\w+", released))


def test_a_policy_that_names_no_folder_is_refused() -> None:
    text = "detectors: [site]\n"
    with pytest.raises(PolicyError, match="line 1: site needs folder"):
        parse_policy(text)
