"""One key, one surrogate: in any process, order and partition, from no stored table; a new key
draws all anew; and what else would change a draw is refused inside a cohort.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.cohort import account, manifest
from dpdeid.cohort.cohort import Cohort, own_ledger_key, read_key
from dpdeid.detect.known_facts.site import _loaded
from dpdeid.document import Deidentified, Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import CohortError
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, parse_policy, policy_text
from dpdeid.privacy.rng import derive
from tests.conftest import KEY, OTHER_KEY

NOTES = (
    Document(
        "1",
        "Mme Jeanne DURAND, née le 12/03/1951, 12 rue des Ajoncs, 29000 Quimper, jd@wanadoo.fr, "
        "vue le 04/05/2021 à 10h20 par le Dr Ollivier. NIR 2 51 03 29 019 042 45.",
        "p",
        dt.date(2021, 5, 4),
    ),
    Document("2", "Mme Durand revue le 07/06/2021 à Lyon, Dr OLLIVIER.", "p", dt.date(2021, 6, 7)),
    Document("3", "Jeanne DURAND, IPP 8012345678, opérée le 04/05/2021 à Quimper.", "p"),
    Document("4", "M. Paul PETIT, vu à Lyon le 01/02/2020, IPP 8012345678.", "q"),
    Document("5", "Paul Petit, tél 06 39 98 41 27, revu le 1er mars 2020.", "q"),
    Document("6", "Mlle Zoé Kervadec, 34 ans, vue par le Dr Ollivier.", None),
)
WHOSE = ({0, 1, 2}, {3, 4}, {5})


def rules(name: str) -> str:
    """A built-in policy with the rules alone: the models take time to load, and draw nothing."""
    text = policy_text(name)
    assert ", crf, transformer]" in text
    return text.replace(", crf, transformer]", "]")


POLICIES = {name: parse_policy(rules(name)) for name in ("dp", "dp-strict", "aphp", "hnfc")}
each_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)


def run(policy: Policy, docs: Iterable[Document], key: bytes = KEY) -> dict[str, str]:
    """Note → released text."""
    results = Deidentifier(policy, key=key).pipe(docs)
    return {one.id: one.text for one in results if isinstance(one, Deidentified)}


def split(parts: Sequence[int]) -> Iterator[list[Document]]:
    """The notes in as many runs as there are numbers."""
    for part in sorted(set(parts)):
        yield [doc for doc, number in zip(NOTES, parts, strict=True) if number == part]


class TestOneKey:
    @each_policy
    def test_in_any_order(self, policy: Policy) -> None:
        whole = run(policy, NOTES)
        assert len(whole) == len(NOTES)

        @settings(max_examples=15)
        @given(st.permutations(NOTES))
        def same(docs: list[Document]) -> None:
            assert run(policy, docs) == whole

        same()

    @each_policy
    def test_patients_in_any_parts(self, policy: Policy) -> None:
        """A patient's notes stay together: they are one record."""
        whole = run(policy, NOTES)
        for part in ([0], [1], [2], [2, 0], [1, 2]):
            docs = [doc for at, doc in enumerate(NOTES) if any(at in WHOSE[who] for who in part)]
            assert run(policy, docs) == {doc.id: whole[doc.id] for doc in docs}

    @settings(max_examples=20)
    @given(st.lists(st.integers(0, 3), min_size=len(NOTES), max_size=len(NOTES)))
    def test_without_a_timeline_of_gaps_also_a_patient_s_notes_in_any_parts(
        self, parts: list[int]
    ) -> None:
        """Names, ids, places and shifted dates. A gap to another note needs that note, and so does
        an initial whose name stands there only.
        """
        whole = run(POLICIES["aphp"], NOTES)
        apart: dict[str, str] = {}
        for docs in split(parts):
            apart |= run(POLICIES["aphp"], docs)
        assert apart == whole

    @pytest.mark.parametrize("name", ["dp", "aphp"])
    def test_in_any_process(self, name: str, tmp_path: Path) -> None:
        """Other hash seeds, other time zones and languages, another folder, the notes reversed."""
        rows = [
            {
                "id": doc.id,
                "text": doc.text,
                "patient_id": doc.patient_id,
                "note_date": doc.note_date.isoformat() if doc.note_date else None,
            }
            for doc in NOTES
        ]
        (tmp_path / "policy.yaml").write_text(rules(name))
        (tmp_path / "key").write_bytes(KEY)
        (tmp_path / "key").chmod(0o600)
        for number, order in enumerate((1, -1)):
            lines = "".join(json.dumps(row) + "\n" for row in rows[::order])
            place = {"PYTHONHASHSEED": str(number), "TZ": ("UTC", "Pacific/Auckland")[number]}
            done = subprocess.run(
                [sys.executable, "-m", "dpdeid", "run", "-", "--keep-ids", "-p", "policy.yaml",
                 "-k", "key"],
                input=lines, capture_output=True, text=True, check=True, cwd=tmp_path,
                env={**os.environ, **place, "PYTHONPATH": str(Path(__file__).parents[1])},
            )  # fmt: skip
            told = [json.loads(line) for line in done.stdout.splitlines()]
            assert {row["id"]: row["text"] for row in told} == run(POLICIES[name], NOTES)

    def test_nothing_is_stored_to_draw_from(self, tmp_path: Path) -> None:
        """A copy of the new cohort gives what the used one gave."""
        (tmp_path / "policy.yaml").write_text(rules("aphp"))
        manifest.create(tmp_path / "c", str(tmp_path / "policy.yaml"))
        shutil.copytree(tmp_path / "c", tmp_path / "copy")
        texts = []
        for folder in (tmp_path / "c", tmp_path / "c", tmp_path / "copy"):
            with account.committing(folder) as held:
                opened = manifest.open_cohort(folder)
                engine = Deidentifier(opened.policy, key=opened.cohort.key, e0=opened.cohort.e0)
                results = [r for r in engine.pipe(NOTES) if isinstance(r, Deidentified)]
                texts.append([one.text for one in results])
                for one in results:
                    held.commit(one.ledger)
        assert texts[0] == texts[1] == texts[2]
        assert (tmp_path / "c" / account.CHARGES).read_bytes() == b""


class TestAnotherPatient:
    def test_equal_values_of_two_patients_are_drawn_apart(self) -> None:
        """Else a surrogate that is known of one patient would tell of all who share the value."""
        text = "Mme Jeanne KERVADEC, 12 rue des Ajoncs, 29000 Quimper, IPP 8012345678."
        docs = [Document(str(at), text, f"p{at}", dt.date(2021, 5, 4)) for at in range(24)]
        for name in ("dp", "aphp"):
            seen: dict[Label, set[str]] = defaultdict(set)
            for one in Deidentifier(POLICIES[name], key=KEY).pipe(docs):
                assert isinstance(one, Deidentified)
                for s in one.surrogates:
                    seen[s.mention.label].add(s.text)
            assert len(seen) == 6
            for label, texts in seen.items():
                near = name == "dp" and label in (Label.CITY, Label.ZIP)  # few towns are
                assert len(texts) >= (8 if near else 20), label


class TestAnotherKey:
    @pytest.mark.parametrize("name", ["dp", "dp-strict", "aphp"])
    def test_everything_is_drawn_anew(self, name: str) -> None:
        """Each mention that is drawn takes many values under as many keys; a birth that moves by a
        year gives an age that moves by one, and a further town is often one of the few large ones
        around the first.
        """
        keys = 24
        seen: dict[tuple[str, int], set[str]] = defaultdict(set)
        labels = {}
        for number in range(keys):
            key = derive(KEY, str(number))
            for one in Deidentifier(POLICIES[name], key=key).pipe(NOTES):
                assert isinstance(one, Deidentified)
                for s in one.surrogates:
                    if s.strategy not in ("keep", "redact"):
                        seen[one.id, s.mention.span.end].add(s.text)
                        labels[one.id, s.mention.span.end] = s.mention.label
        assert len(seen) >= 25
        for at, texts in seen.items():
            few = {Label.AGE: 3, Label.TIME: 3, Label.CITY: keys // 3}
            assert len(texts) >= few.get(labels[at], keys // 2), labels[at]

    def test_a_name_is_not_the_same_more_often_than_by_chance(self) -> None:
        names = gazetteers.surname_list()[:400]
        text = " ".join(f"M. {name.upper()}." for name in names)
        one, other = (
            [s.text for s in Deidentifier(POLICIES["aphp"], key=key)(text).surrogates]
            for key in (KEY, OTHER_KEY)
        )
        assert len(one) == len(other) > 300
        assert sum(a == b for a, b in zip(one, other, strict=True)) <= 4

    def test_ids_and_tags_are_other_ones(self) -> None:
        one, other = Cohort(KEY), Cohort(OTHER_KEY)
        for use in (Cohort.released_id, lambda c, x: c.unit("patient", x)):
            assert use(one, "7") != use(other, "7")

    def test_keys_of_purposes_do_not_lead_to_one_another(self) -> None:
        """A derived key in the place of the key opens nothing else."""
        purposes = ("streams", "ledger", "released id", "fingerprint", "seal: rows")
        derived = [derive(KEY, purpose) for purpose in purposes]
        again = [derive(key, purpose) for key in derived for purpose in purposes]
        assert len({KEY, *derived, *again}) == 1 + len(derived) + len(again)
        assert own_ledger_key(KEY) == derive(KEY, "ledger")


class TestInsideACohort:
    @pytest.fixture
    def cohort(self, tmp_path: Path) -> Path:
        (tmp_path / "policy.yaml").write_text(rules("dp"))
        manifest.create(tmp_path / "c", str(tmp_path / "policy.yaml"))
        return tmp_path / "c"

    @pytest.fixture
    def lists(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        """A copy of the lists, which the package then reads."""
        copy = tmp_path / "lists"
        shutil.copytree(str(gazetteers.data_root()), copy, ignore=shutil.ignore_patterns("*.py"))
        monkeypatch.setattr(gazetteers, "data_root", lambda: copy)
        yield copy
        gazetteers.fingerprint.cache_clear()

    def refused(self, cohort: Path) -> str:
        gazetteers.fingerprint.cache_clear()
        with pytest.raises(CohortError) as caught:
            manifest.open_cohort(cohort)
        return str(caught.value)

    def test_every_list_that_ships_is_bound(self, lists: Path) -> None:
        data = {path.name for path in lists.iterdir() if path.suffix == ".gz"}
        assert data == set(gazetteers.FILES)

    @pytest.mark.parametrize("name", gazetteers.FILES)
    def test_a_changed_list_is_refused(self, name: str, cohort: Path, lists: Path) -> None:
        gazetteers.fingerprint.cache_clear()
        assert manifest.open_cohort(cohort)
        content = gzip.decompress((lists / name).read_bytes())
        (lists / name).write_bytes(gzip.compress(content + b"Zorblax\n", 1))
        assert "made with gazetteers" in self.refused(cohort)

    def test_swapped_lists_are_refused(self, cohort: Path, lists: Path) -> None:
        one, other = (lists / name for name in ("surnames.tsv.gz", "common_surnames.txt.gz"))
        content = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(content)
        assert "made with gazetteers" in self.refused(cohort)

    def test_another_scheme_is_refused(self, cohort: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(manifest, "SCHEME", manifest.SCHEME + 1)
        assert f"surrogate scheme {manifest.SCHEME - 1}" in self.refused(cohort)

    def test_a_changed_policy_is_refused(self, cohort: Path) -> None:
        policy = cohort / manifest.POLICY
        policy.write_text(policy.read_text().replace("cap: 20", "cap: 21"))
        assert "made with policy dp" in self.refused(cohort)

    def test_another_model_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from dpdeid.detect.taggers.crf import Crf

        manifest.create(tmp_path / "c", "aphp")
        assert manifest.open_cohort(tmp_path / "c")
        monkeypatch.setattr(Crf, "model_files", lambda self: {"crf.crfsuite": "0" * 64})
        assert "made with crf model" in self.refused(tmp_path / "c")

    def test_another_key_is_refused(self, cohort: Path) -> None:
        (cohort / manifest.KEY).write_text(OTHER_KEY.hex())
        assert "made with key" in self.refused(cohort)
        assert read_key(cohort / manifest.KEY) == OTHER_KEY

    def test_a_hospital_s_own_lists_may_grow_and_change_no_draw(self, tmp_path: Path) -> None:
        """Staff come and go while a cohort is open (docs/site-lists.md): a list only finds."""
        site = tmp_path / "site"
        site.mkdir()
        (site / "staff.txt").write_text("KERVADEC Solène\n")
        policy = rules("dp").replace("[metadata,", f"[{{site: {{folder: {site}}}}}, metadata,")
        (tmp_path / "policy.yaml").write_text(policy)
        manifest.create(tmp_path / "c", str(tmp_path / "policy.yaml"))
        before = run(manifest.open_cohort(tmp_path / "c").policy, NOTES)
        (site / "staff.txt").write_text("KERVADEC Solène\nTREGOUET Annick\n")
        _loaded.cache_clear()
        assert run(manifest.open_cohort(tmp_path / "c").policy, NOTES) == before
