"""What annotated notes teach a site's policy: its lists, and a policy that loads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from dpdeid.annotate.site import site_lists, with_detectors
from dpdeid.cli.app import app
from dpdeid.detect.known_facts.site import Site
from dpdeid.detect.known_facts.site_lists import entry_of
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy, names, parse_policy, policy_text
from dpdeid.training.corpus import Note


def note(patient: str, marked: str, known: Mapping[Label, tuple[str, ...]] | None = None) -> Note:
    """A note of «LABEL:text» marks."""
    text, spans = "", []
    for part in marked.replace("»", "«").split("«"):
        label, colon, inside = part.partition(":")
        if colon and label in Label.__members__:
            spans.append(Span(len(text), len(text) + len(inside), Label[label]))
            text += inside
        else:
            text += part
    return Document(f"{patient}-{len(text)}", text, patient, known=known or {}), tuple(spans)


class TestLists:
    def test_what_stands_with_two_patients_is_of_the_site(self) -> None:
        notes = [
            note(
                "a", "vu en «UNIT:U3B Tilleuls» par le Dr «LAST_NAME:Zwervaegher» de «HOSPITAL:Val»"
            ),
            note(
                "b", "sort de «UNIT:u3b tilleuls», «UNIT:U3B Tilleuls», Dr «LAST_NAME:ZWERVAEGHER»"
            ),
        ]
        assert site_lists(notes) == {"staff": ("ZWERVAEGHER",), "units": ("U3B Tilleuls",)}

    def test_what_stands_with_one_patient_alone_is_not(self) -> None:
        twice = note("a", "«STREET:3, rue du Kerlo» et «UNIT:Aile Ouest»")
        assert site_lists([twice, note("a", "encore «UNIT:Aile Ouest»")]) == {}
        assert site_lists([twice], least=1) == {
            "streets": ("rue du Kerlo",), "units": ("Aile Ouest",)
        }  # fmt: skip

    def test_given_names_stand_with_their_surname(self) -> None:
        told = "par «FIRST_NAME:Odile» «LAST_NAME:Zwer», «LAST_NAME:Zwer» «FIRST_NAME:Odile»"
        notes = [note("a", told), note("b", "«LAST_NAME:ZWER» «FIRST_NAME:Odile», «FIRST_NAME:Jo»")]
        assert site_lists(notes) == {"staff": ("Zwer", "Zwer\tOdile")}

    def test_names_of_the_patients_are_left_out(self) -> None:
        known = {Label.LAST_NAME: ("Zwer",)}
        notes = [note(p, "M. «LAST_NAME:ZWER», Dr «LAST_NAME:Korm»", known) for p in "ab"]
        assert site_lists(notes) == {"staff": ("Korm",)}

    def test_towns_are_not_listed(self) -> None:
        assert site_lists([note(p, "à «CITY:Brest»") for p in "ab"]) == {}

    def test_what_a_list_cannot_hold_is_left_out(self) -> None:
        notes = [note(p, "«UNIT:A» «UNIT:Aile; Nord» «UNIT:# 3B»") for p in "ab"]
        assert site_lists(notes) == {}

    def test_lines_that_a_list_reads_alike_are_one_entry(self, tmp_path: Path) -> None:
        notes = [
            note(p, "«HOSPITAL:Clinique Sainte-Anne» «HOSPITAL:clinique sainte anne»") for p in "ab"
        ]
        lists = site_lists(notes)
        assert lists == {"hospitals": ("Clinique Sainte-Anne",)}
        (tmp_path / "hospitals.txt").write_text("\n".join(lists["hospitals"]), "utf-8")
        assert list(Site(tmp_path)(Document("n", "à la clinique Sainte Anne")))

    @pytest.mark.parametrize("text", ["", "#", "a", "x;y", "l1\nl2", "é" * 81])
    def test_no_entry_of_what_is_none(self, text: str) -> None:
        assert entry_of("units", text) is None


class TestPolicy:
    @pytest.mark.parametrize("name", [name for name in names() if name != "fasdim"])
    def test_only_name_and_detectors_change(self, name: str) -> None:
        text = policy_text(name)
        changed = yaml.safe_load(with_detectors(text, "ours", [{"site": {"folder": "lists"}}]))
        before = yaml.safe_load(text)
        assert changed.pop("name") == "ours"
        assert changed.pop("detectors") == [{"site": {"folder": "lists"}}, *before.pop("detectors")]
        before.pop("name")
        assert changed == before

    def test_comments_stay(self) -> None:
        text = with_detectors(policy_text("dp"), "ours", [])
        assert text.count("#") == policy_text("dp").count("#")
        assert parse_policy(text).detectors == load_policy("dp").detectors


def rows(path: Path, *notes: Note) -> Path:
    def row(doc: Document, spans: tuple[Span, ...]) -> dict[str, Any]:
        told = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
        return {"id": doc.id, "patient_id": doc.patient_id, "text": doc.text, "entities": told}

    path.write_text("".join(json.dumps(row(*one)) + "\n" for one in notes), "utf-8")
    return path


class TestCommand:
    def test_the_folder_is_a_policy_that_finds_the_sites_own(self, tmp_path: Path) -> None:
        gold = rows(
            tmp_path / "gold.jsonl",
            *(note(p, "Suivi par «LAST_NAME:Zwervaegher» en «UNIT:Tilleuls 3B».") for p in "ab"),
        )
        out = tmp_path / "site"
        done = CliRunner().invoke(
            app, ["annotate", "site", str(gold), "-o", str(out), "-p", "redact"]
        )
        assert done.exit_code == 0, done.output
        assert "1 staff, 1 units" in done.stderr
        modes = {path.name: path.stat().st_mode & 0o777 for path in out.rglob("*")}
        assert modes == {
            "lists": 0o700,
            "policy.yaml": 0o600,
            "staff.txt": 0o600,
            "units.txt": 0o600,
        }
        policy = load_policy(out / "policy.yaml")
        assert policy.name == "redact-site"
        site = Deidentifier(policy.found_by(policy.detectors[0]))
        assert site("vu par zwervaegher, tilleuls 3b").text == "vu par [LAST_NAME], [UNIT]"

    @pytest.mark.parametrize(
        ("marked", "said"),
        [
            ("vu par «LAST_NAME:Zwer»", "no entry stands in the notes of 2 patients"),
            ("", "not empty"),
        ],
    )
    def test_what_cannot_be_made_is_refused(self, tmp_path: Path, marked: str, said: str) -> None:
        out = tmp_path / "site"
        if not marked:
            out.mkdir()
            (out / "kept").touch()
        gold = rows(
            tmp_path / "gold.jsonl",
            *(note(p, marked or "«UNIT:Aile B»") for p in "ab"[bool(marked) :]),
        )
        done = CliRunner().invoke(app, ["annotate", "site", str(gold), "-o", str(out)])
        assert isinstance(done.exception, UsageError)
        assert said in str(done.exception)
        assert "Zwer" not in str(done.exception)
