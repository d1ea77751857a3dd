"""`dpdeid omop` from end to end: what is released of a small hospital, in every kind of place."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from tests.conftest import KEY, OTHER_KEY
from tests.omop.conftest import PASSWORD
from tests.omop.sites import FACTS, NOTE, NOTES, SECRETS, SITE, Site, cells, note

pytest.importorskip("duckdb", reason="needs the extra omop")
pytest.importorskip("pyarrow", reason="needs the extra omop")

POLICY = """\
name: {name}
unit: {unit}
detectors: [metadata, patterns]
propagators: [propagate]
merge: union
strategies:
  - dates: {{labels: [DATE, BIRTH_DATE, AGE], timeline: {timeline}}}
  - people: {{labels: [LAST_NAME, FIRST_NAME], scope: record}}
  - contacts: {{labels: [PHONE]}}
  - identifiers: {{labels: [PATIENT_ID]}}
default: redact
"""
SHIFT = "{shift: {days: 730, birth_days: 730}}"
METRIC = "{metric: {epsilon_per_day: 0.05, cap: 3, shift_days: 3650, over_cap: prior}}"
ALSO = ("--also", "VISIT_OCCURRENCE.visit_start_date", "--also",
        "visit_occurrence.visit_end_datetime")  # fmt: skip
Run = Callable[..., Result]


@pytest.fixture(params=["parquet", "duckdb", pytest.param("postgres", marks=pytest.mark.postgres)])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    server = request.getfixturevalue("server") if request.param == "postgres" else None
    return Site(request.param, tmp_path, server)


@pytest.fixture
def duckdb_site(tmp_path: Path) -> Site:
    return Site("duckdb", tmp_path)


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    folder = tmp_path / "policies"
    folder.mkdir()
    made = {"shift": ("patient", SHIFT), "metric": ("patient", METRIC), "alone": ("note", SHIFT)}
    for name, (unit, timeline) in made.items():
        text = POLICY.format(name=name, unit=unit, timeline=timeline)
        (folder / f"{name}.yaml").write_text(text)
    return folder


@pytest.fixture
def run(policies: Path) -> Run:
    def invoke(source: str, target: str, *options: object, policy: str = "shift",
               key: bytes = KEY) -> Result:  # fmt: skip
        path = policies / f"{policy}.yaml"
        command = ["omop", source, "-o", target, "--policy", path if path.exists() else policy]
        return CliRunner().invoke(
            app, [*map(str, (*command, *options))], env={"DPDEID_KEY": key.hex()}
        )

    return invoke


def released(site: Site, run: Run, *options: object, rows: Any = SITE, **how: Any) -> dict:
    """The tables that one run makes of a hospital."""
    result = run(site.fill("cdm", rows), site.make("out"), *options, **how)
    assert result.exit_code == 0, (result.output, result.exception)
    return site.read("out")


def by(rows: list[dict[str, Any]], key: str) -> dict[Any, dict[str, Any]]:
    return {row[key]: row for row in rows}


def test_tables_come_out_by_allow_list(site: Site, run: Run) -> None:
    out = released(site, run, "--facts", "names", *ALSO)
    assert {*out} == {"note", "note_errors", "person", "visit_occurrence"}
    assert out["note_errors"] == []
    assert len(out["note"]) == 3
    empty = ("note_title", "provider_id", "note_source_value", "note_event_id", "visit_detail_id")
    for row in out["note"]:
        assert [row[name] for name in empty] == [None] * 5
        assert row["note_type_concept_id"] == 44814637
        assert row["language_concept_id"] == 4180186
        midnight = dt.datetime.combine(row["note_date"], dt.time.min)
        assert row["note_datetime"] == midnight
        assert row["note_date"] < dt.date(2021, 3, 2)
    assert {*out["visit_occurrence"][0]} == {
        "visit_occurrence_id", "person_id", "visit_concept_id", "visit_start_date",
        "visit_end_datetime",
    }  # fmt: skip
    told = cells(out)
    assert [secret for secret in SECRETS if secret in told] == []
    assert "Mme " in told


def test_no_byte_of_an_identifier_is_in_the_files(tmp_path: Path, run: Run) -> None:
    for kind in ("parquet", "duckdb"):
        folder = tmp_path / kind
        folder.mkdir()
        site = Site(kind, folder)
        released(site, run, "--facts", "names", *ALSO, "--note-nlp")
        (out,) = folder.glob("out*")
        files = [out] if out.is_file() else [*out.iterdir()]
        data = b"".join(path.read_bytes() for path in files)
        assert b"Mme" in data
        assert [secret for secret in SECRETS if secret.encode() in data] == []


def test_ids_are_keyed_numbers_that_join_all_tables(site: Site, run: Run) -> None:
    out = released(site, run, *ALSO)
    persons, visits = (
        by(out["person"], "person_id"),
        by(out["visit_occurrence"], "visit_occurrence_id"),
    )
    assert len(persons) == len(visits) == 3
    assert not {1, 2, 3, 900, 901, 902} & {*persons, *visits}
    notes = out["note"]
    ids = [row["note_id"] for row in notes]
    assert ids == sorted(ids)
    assert len({*ids}) == 3
    assert all(0 <= one < 2**53 for one in (*ids, *persons, *visits))
    for row in notes:
        assert row["person_id"] in persons
        if row["visit_occurrence_id"] is not None:
            visit = visits[row["visit_occurrence_id"]]
            assert visit["person_id"] == row["person_id"]
    women = [one for one, row in persons.items() if row["gender_concept_id"] == 8532]
    assert sorted(row["person_id"] in women for row in notes) == [False, True, True]


def test_a_table_and_the_same_table_elsewhere_come_out_alike(tmp_path: Path, run: Run) -> None:
    kinds = [Site(kind, tmp_path) for kind in ("parquet", "duckdb")]
    one, other = (released(site, run, "--note-nlp", *ALSO) for site in kinds)
    assert one == other
    assert one["note"] != []


def test_another_key_gives_other_numbers(duckdb_site: Site, run: Run, tmp_path: Path) -> None:
    one = released(duckdb_site, run)
    again = Site("duckdb", tmp_path / "again")
    again.folder.mkdir()
    other = released(again, run, key=OTHER_KEY)
    for table in ("note", "person"):
        ids = ({row["person_id"] for row in out[table]} for out in (one, other))
        assert not next(ids) & next(ids)


def test_dates_of_other_tables_move_as_those_of_the_notes(site: Site, run: Run) -> None:
    """Under a shift all gaps stay: of notes, of their texts and of visits."""
    out = released(site, run, *ALSO)
    visits = {row["visit_concept_id"]: row for row in out["visit_occurrence"]
              if row["visit_end_datetime"] is not None}  # fmt: skip
    stay = visits[9201]
    first = next(row for row in out["note"]
                 if row["visit_occurrence_id"] == stay["visit_occurrence_id"])  # fmt: skip
    assert first["note_date"] - stay["visit_start_date"] == dt.timedelta(1)
    assert f"entrée le {stay['visit_start_date']:%d/%m/%Y}" in first["note_text"]
    assert stay["visit_end_datetime"] - dt.datetime.combine(
        stay["visit_start_date"], dt.time.min
    ) == dt.timedelta(3)
    moved = stay["visit_start_date"] - dt.date(2021, 2, 5)
    assert moved < dt.timedelta(0)


def test_a_person_without_notes_is_released_and_a_date_after_e0_is_not(
    duckdb_site: Site, run: Run
) -> None:
    source = duckdb_site.fill("cdm", SITE)
    result = run(source, duckdb_site.name("out"), *ALSO)
    out = duckdb_site.read("out")
    with_notes = {row["person_id"] for row in out["note"]}
    (alone,) = (row for row in out["visit_occurrence"] if row["person_id"] not in with_notes)
    assert alone["visit_start_date"] is not None
    assert alone["visit_start_date"] != dt.date(2019, 7, 1)
    assert alone["visit_end_datetime"] is None
    assert alone["person_id"] in by(out["person"], "person_id")
    assert "1 dates without a released one are empty" in result.stderr


def test_the_year_of_birth_is_that_which_notes_print(site: Site, run: Run) -> None:
    out = released(site, run)
    persons = by(out["person"], "person_id")
    (text,) = (row for row in out["note"] if "née le" in row["note_text"])
    printed = int(text["note_text"].partition("née le ")[2][6:10])
    assert persons[text["person_id"]]["year_of_birth"] == printed
    years = sorted(str(row["year_of_birth"]) for row in out["person"])
    assert sum(year == "None" for year in years) == 1  # of whom only the year is known
    for row in out["person"]:
        passing = ("person_id", "year_of_birth", "gender_concept_id")
        assert {row[name] for name in row if name not in passing} == {0, None}
        assert row["race_concept_id"] == 0


def test_replaced_words_stand_where_note_nlp_says(site: Site, run: Run) -> None:
    out = released(site, run, "--facts", "names", "--note-nlp", "--nlp-date", "2026-01-02")
    notes = by(out["note"], "note_id")
    assert len(out["note_nlp"]) >= 7
    labels = set()
    for row in out["note_nlp"]:
        start, said = int(row["offset"]), row["lexical_variant"]
        assert notes[row["note_id"]]["note_text"][start : start + len(said)] == said
        assert row["nlp_system"] == "dpdeid"
        assert row["note_nlp_concept_id"] == 0
        assert row["nlp_date"] == dt.date(2026, 1, 2)
        labels.add(row["term_modifiers"])
    assert {"label=LAST_NAME", "label=BIRTH_DATE", "label=PHONE"} <= labels
    numbers = [row["note_nlp_id"] for row in out["note_nlp"]]
    assert numbers == [*range(1, len(numbers) + 1)]


def test_facts_are_found_in_the_notes_and_not_released(duckdb_site: Site, run: Run) -> None:
    """What no pattern knows: the phone stands bare, the name is no name."""
    text = "A rappeler : 0612345678 demain. zorguelec ok."
    rows = {**SITE, NOTE: [note(1, 1, dt.date(2021, 1, 1), text)]}
    bare = run(duckdb_site.fill("bare", {**rows, FACTS: []}), duckdb_site.name("without"))
    assert bare.exit_code == 0
    (without,) = duckdb_site.read("without")["note"]
    assert "zorguelec" in without["note_text"]
    out = released(duckdb_site, run, "--facts", "NAMES", rows=rows)
    assert "zorguelec" not in out["note"][0]["note_text"]
    assert "0612345678" not in out["note"][0]["note_text"]
    assert "names" not in out


FAULTS = (
    (note(20, 1, None, "sans date"), "no note_date"),
    (note(21, None, dt.date(2020, 1, 1), "de personne"), "no person_id"),
    (note(22, 2, dt.date(2020, 1, 1), None), "no text"),
    (note(23, 4, dt.date(2999, 1, 1), "futur"), "note_date lies after"),
    (note(10, 5, dt.date(2020, 1, 1), "deux fois"), "same id as"),
)


def test_notes_that_fail_are_rows_of_their_own_table(site: Site, run: Run) -> None:
    rows = {**SITE, NOTE: [*NOTES, *(row for row, _ in FAULTS)]}
    result = run(site.fill("cdm", rows), site.make("out"))
    assert result.exit_code == 3
    assert "3 rows released, 5 failed" in result.stderr
    out = site.read("out")
    assert len(out["note"]) == 3
    assert len(out["note_errors"]) == 5
    said = " ".join(row["error"] for row in out["note_errors"])
    assert [why for _, why in FAULTS if why not in said] == []
    assert all(row["note_id"] not in {20, 21, 22, 23, 10} for row in out["note_errors"])
    assert "NOTE, row" not in said  # which tells of the order of the input
    assert "NOTE, row" in result.stderr


def test_ids_of_any_kind_pass_and_text_ids_fail(tmp_path: Path, run: Run) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "cdm"
    folder.mkdir()
    ids = ["-9221926551226401537", "7", "x9"]
    day = dt.date(2020, 1, 1)
    pq.write_table(
        pa.table({"NOTE_ID": ids, "PERSON_ID": [1.0, 1.0, 1.0], "NOTE_DATE": [day] * 3,
                  "NOTE_TEXT": ["a", "b", "c"]}), folder / "note.parquet")  # fmt: skip
    pq.write_table(pa.table({"person_id": [1]}), folder / "PERSON.parquet")
    result = run(str(folder), str(tmp_path / "out"))
    assert result.exit_code == 3
    out = Site("parquet", tmp_path).read("out")
    assert sorted(row["note_text"] for row in out["note"]) == ["a", "b"]
    assert len({row["person_id"] for row in out["note"]}) == 1
    assert out["note_errors"] == [{"note_id": None, "error": "NOTE, row 3: no id"}]


def test_a_character_that_databases_refuse_fails_its_note(tmp_path: Path, run: Run) -> None:
    site = Site("parquet", tmp_path)
    rows = {**SITE, NOTE: [note(1, 1, dt.date(2020, 1, 1), "a\0b"), NOTES[2]]}
    assert run(site.fill("cdm", rows), site.name("out")).exit_code == 3
    (failed,) = site.read("out")["note_errors"]
    assert "a character that databases refuse" in failed["error"]


def test_who_objects_is_in_no_table(site: Site, run: Run, tmp_path: Path) -> None:
    no = tmp_path / "no.txt"
    no.write_text("1\n3\n")
    out = released(site, run, "--exclude", no, "--facts", "names", *ALSO)
    (only,) = out["note"]
    (person,) = out["person"]
    assert person["person_id"] == only["person_id"]
    assert person["gender_concept_id"] == 8507
    assert out["visit_occurrence"] == []


def test_a_typing_error_in_exclude_releases_nothing(
    duckdb_site: Site, run: Run, tmp_path: Path
) -> None:
    no = tmp_path / "no.txt"
    no.write_text("1\n77\n")
    result = run(duckdb_site.fill("cdm", SITE), duckdb_site.name("out"), "--exclude", no)
    assert isinstance(result.exception, UsageError)
    assert not duckdb_site.exists("out")


def test_what_is_there_is_never_written_over(site: Site, run: Run) -> None:
    source = site.fill("cdm", SITE)
    for target in (site.fill("out", {NOTE: []}), source):
        before = site.read("out"), site.read("cdm")
        result = run(source, target)
        assert isinstance(result.exception, UsageError)
        assert PASSWORD not in str(result.exception)
        assert (site.read("out"), site.read("cdm")) == before


def test_a_run_that_fails_on_its_way_leaves_nothing(
    site: Site, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After NOTE was written, and before PERSON is."""
    source, target = site.fill("cdm", SITE), site.make("out")

    def failing(*_: object) -> Iterator[object]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpdeid.omop.release.Release._persons", failing)
    assert run(source, target).exit_code != 0
    assert not site.exists("out")


def test_policies_that_cannot_are_refused(duckdb_site: Site, run: Run) -> None:
    source, target = duckdb_site.fill("cdm", SITE), duckdb_site.name("out")
    result = run(source, target, policy="redact")
    assert "releases no dates, and note_date of NOTE is mandatory" in str(result.exception)
    result = run(source, target, *ALSO, policy="alone")
    assert "protects each note by itself" in str(result.exception)
    assert "must not be released" in str(result.exception)
    assert not duckdb_site.exists("out")


def test_a_birth_that_nothing_finds_has_no_year(
    duckdb_site: Site, run: Run, policies: Path
) -> None:
    """What was not replaced is the original."""
    text = (policies / "shift.yaml").read_text().replace("[metadata, patterns]", "[lookup]")
    (policies / "blind.yaml").write_text(text)
    out = released(duckdb_site, run, policy="blind")
    assert {row["year_of_birth"] for row in out["person"]} == {None}


def test_a_table_that_begins_with_its_date_is_released(duckdb_site: Site, run: Run) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs the extra omop")
    source = duckdb_site.fill("cdm", SITE)
    with duckdb.connect(source) as database:
        database.execute("CREATE TABLE stay (stay_date date, person_id integer)")
        database.execute("INSERT INTO stay SELECT date '2021-03-01', person_id FROM person")
    result = run(source, duckdb_site.name("out"), "--also", "stay.stay_date")
    assert result.exit_code == 0, result.exception
    stays = duckdb_site.read("out")["stay"]
    assert {row["person_id"] for row in stays} == {
        row["person_id"] for row in duckdb_site.read("out")["person"]
    }
    assert all(row["stay_date"] != dt.date(2021, 3, 1) for row in stays)


def test_a_policy_of_notes_alone_has_no_years_and_says_so(duckdb_site: Site, run: Run) -> None:
    result = run(duckdb_site.fill("cdm", SITE), duckdb_site.name("out"), policy="alone")
    assert result.exit_code == 0
    assert {row["year_of_birth"] for row in duckdb_site.read("out")["person"]} == {None}
    assert "person_id tells which notes are of one patient" in result.stderr


def test_years_alone_are_the_first_of_january(duckdb_site: Site, run: Run) -> None:
    out = released(duckdb_site, run, policy="safe-harbor")
    assert {row["note_date"] for row in out["note"]} == {dt.date(2021, 1, 1), dt.date(2020, 1, 1)}


def test_other_dates_count_in_the_cap_and_in_the_ledger(
    duckdb_site: Site, run: Run, tmp_path: Path
) -> None:
    source = duckdb_site.fill("cdm", SITE)
    charges, said = [], []
    for name, options in (("less", ()), ("more", ALSO)):
        ledger = tmp_path / f"{name}.json"
        result = run(source, duckdb_site.name(name), *options, "--ledger", ledger, policy="metric")
        assert result.exit_code == 0
        charges.append(len(json.loads(ledger.read_text())["charges"]))
        said.append("persons have more than the 3 dates" in result.stderr)
    assert charges[1] > charges[0]
    assert said == [False, True]


def test_a_cohort_counts_and_goes_on(
    duckdb_site: Site, run: Run, tmp_path: Path, policies: Path
) -> None:
    """What comes again in a later run is the same, visits included."""
    folder = str(tmp_path / "cohort")
    made = CliRunner().invoke(
        app, ["cohort", "new", folder, "--policy", str(policies / "metric.yaml")]
    )
    assert made.exit_code == 0, made.output
    source = duckdb_site.fill("cdm", SITE)
    outs = []
    for name in ("one", "two"):
        command = ["omop", source, "-o", duckdb_site.name(name), "--cohort", folder, *ALSO]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, (result.output, result.exception)
        outs.append(duckdb_site.read(name))
    assert outs[0] == outs[1]
    assert len(outs[0]["visit_occurrence"]) == 3


def test_sealed_and_private_files_have_the_notes_and_no_rows_aside(
    duckdb_site: Site, run: Run, tmp_path: Path
) -> None:
    mapping, spans = tmp_path / "mapping.jsonl", tmp_path / "spans.jsonl"
    out = released(duckdb_site, run, "--mapping", mapping, "--spans", spans, *ALSO)
    rows = [json.loads(line) for line in mapping.read_text().splitlines()]
    assert {row["id"] for row in rows} == {"10", "11", "12"}
    assert {int(row["released_id"]) for row in rows} == {row["note_id"] for row in out["note"]}
    assert len(spans.read_text().splitlines()) == 3


def test_sealed_notes_come_back_by_their_released_numbers(
    duckdb_site: Site, run: Run, tmp_path: Path
) -> None:
    key, seal, rows = tmp_path / "k", tmp_path / "seal", tmp_path / "rows.jsonl"
    assert CliRunner().invoke(app, ["key", "new", str(key)]).exit_code == 0
    out = released(duckdb_site, run, "--seal", seal, "--seal-key-file", key, *ALSO)
    given = [{"id": row["note_id"], "text": row["note_text"]} for row in out["note"]]
    rows.write_text("".join(json.dumps(row) + "\n" for row in given))
    command = ["restore", rows, "--seal", seal, "--seal-key-file", key]
    back = CliRunner().invoke(app, [*map(str, command)])
    assert back.exit_code == 0, back.exception
    found = {row["id"]: row["text"] for row in map(json.loads, back.stdout.splitlines())}
    assert found == {str(row["note_id"]): row["note_text"] for row in NOTES}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--also", "VISIT_OCCURRENCE.no_such"), "has no column no_such"),
        (("--also", "PERSON.birth_datetime"), "released by its own rules"),
        (("--also", 'note";DROP TABLE note;--.x'), "letters, digits and _"),
        (("--also", "visit_occurrence"), "letters, digits and _"),
        (("--also", "death.death_date"), "has no table death"),
        (("--facts", "person"), "no fact is called"),
        (("--facts", "names", "--also", "names.phone"), "never released"),
        (("--facts", 'x" y'), "letters, digits and _"),
    ],
)
def test_options_that_cannot_be_are_refused(
    duckdb_site: Site, run: Run, options: tuple[str, ...], said: str
) -> None:
    result = run(duckdb_site.fill("cdm", SITE), duckdb_site.name("out"), *options)
    assert isinstance(result.exception, UsageError)
    assert said in str(result.exception)
    assert not duckdb_site.exists("out")


def test_a_reserved_word_is_a_name_like_any_other(site: Site, run: Run) -> None:
    """Names are quoted, in what is read and in what is written."""
    from dpdeid.omop.tables import Table

    order = Table.of("order", "person_id integer select date user integer")
    rows = {**SITE, order: [{"person_id": 1, "select": dt.date(2021, 2, 5), "user": 5}]}
    out = released(site, run, "--also", "ORDER.select", rows=rows)
    (row,) = out["order"]
    assert {*row} == {"person_id", "select"}
    assert row["select"] not in (None, dt.date(2021, 2, 5))


@pytest.mark.postgres
def test_tables_go_from_postgres_to_files_and_back(run: Run, tmp_path: Path, server: Any) -> None:
    base, files = Site("postgres", tmp_path, server), Site("parquet", tmp_path)
    source = base.fill("cdm", SITE)
    assert run(source, files.name("a")).exit_code == 0
    assert run(files.fill("cdm", SITE), base.make("b")).exit_code == 0
    assert files.read("a") == base.read("b")


@pytest.mark.postgres
def test_no_message_has_the_password(run: Run, tmp_path: Path, server: Any) -> None:
    target = str(tmp_path / "out")
    wrong = server.url().replace(PASSWORD, "zappalorum")
    absent = server.url("nowhere")
    nobody = f"postgresql://postgres:{PASSWORD}@127.0.0.1:1/postgres"
    for source in (wrong, absent, nobody):
        result = run(source, target)
        assert isinstance(result.exception, UsageError), source
        assert "no server answers, or it refuses" in str(result.exception)
        shown = f"{result.output}{result.exception!r}"
        assert PASSWORD not in shown
        assert "zappalorum" not in shown


@pytest.mark.postgres
def test_a_schema_that_is_not_there_is_refused(run: Run, tmp_path: Path, server: Any) -> None:
    source = Site("parquet", tmp_path).fill("cdm", SITE)
    result = run(source, f"{server.url()}?schema=absent")
    assert "no schema absent" in str(result.exception)
