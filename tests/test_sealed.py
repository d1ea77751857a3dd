"""The sealed mapping: exact there and back, closed to everybody else, honest about damage."""

from __future__ import annotations

import datetime as dt
import json
import stat
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified, Document, Mention, Span, Surrogate, rewrite
from dpdeid.errors import InputError, SealError, SealKeyError
from dpdeid.labels import Label
from dpdeid.sealed import Entry, Seal, entries, reading, remove, sealing
from dpdeid.testing.strategies import texts
from tests.conftest import KEY, OTHER_KEY
from tests.linear import LIMIT, Work, growth

pytest.importorskip("cryptography", reason="needs the extra sealed")

SEAL = Seal.of(KEY)


@st.composite
def releases(draw: st.DrawFn) -> tuple[Document, Deidentified]:
    """A note of any text, any disjoint spans of it, any surrogates."""
    text = draw(st.one_of(texts(), st.text(st.characters(), max_size=30)))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    surrogates = tuple(
        Surrogate(
            Mention(0, Span(start, end, draw(st.sampled_from(Label))), text[start:end]),
            draw(st.one_of(texts(), st.text(st.characters(), max_size=9))),
            "any",
        )
        for start, end in pairwise(cuts)
        if draw(st.booleans())
    )
    patient = draw(st.none() | texts())
    date = draw(st.none() | st.dates())
    doc = Document(draw(texts()), text, patient, date)
    return doc, Deidentified(doc.id, rewrite(text, surrogates), surrogates=surrogates)


def released(number: int, text: str = "Vue le 12/03 par Kervadec.") -> tuple[str, Entry]:
    """A note of which "Kervadec" was replaced, and what was released of it."""
    at = text.index("Kervadec")
    mention = Mention(0, Span(at, at + 8, Label.LAST_NAME), "Kervadec")
    surrogates = (Surrogate(mention, "Ollivrin", "any"),)
    result = Deidentified(f"n{number}", rewrite(text, surrogates), surrogates=surrogates)
    doc = Document(f"n{number}", text, f"p{number % 2}", dt.date(2024, 2, 29))
    return result.text, Entry.of(doc, result, f"r{number}")


TEXT = released(0)[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three notes, sealed."""
    with sealing(tmp_path / "sealed", SEAL) as sealer:
        sealer.add(released(number)[1] for number in range(3))
    return tmp_path / "sealed"


class TestThereAndBack:
    @given(releases())
    def test_any_text_comes_back_exactly(self, release: tuple[Document, Deidentified]) -> None:
        doc, result = release
        entry = Entry.of(doc, result, "r")
        line = json.loads(SEAL.close(entry))
        opened = SEAL.open(line["row"], line["data"])
        assert opened == entry
        back = opened.restore(result.text)
        assert back == doc.text
        assert back.encode("utf-8", "surrogatepass") == doc.text.encode("utf-8", "surrogatepass")
        assert (opened.id, opened.patient_id) == (doc.id, doc.patient_id)
        assert opened.note_date == (doc.note_date and doc.note_date.isoformat())

    def test_halves_of_a_character_do_not_join(self) -> None:
        """Written as JSON escapes, two halves side by side would read as one character."""
        text = "a\ud83d\ude00b"
        assert len(text) == 4
        surrogates = (Surrogate(Mention(0, Span(1, 3, Label.CITY), text[1:3]), "x", "any"),)
        doc = Document("n", text)
        entry = Entry.of(doc, Deidentified("n", "axb", surrogates=surrogates), "r")
        line = json.loads(SEAL.close(entry))
        opened = SEAL.open(line["row"], line["data"])
        assert opened is not None
        assert opened.restore("axb") == text

    @given(releases(), texts())
    def test_no_other_text_is_taken_for_the_released_one(
        self, release: tuple[Document, Deidentified], other: str
    ) -> None:
        doc, result = release
        entry = Entry.of(doc, result, "r")
        assert entry.fits(other) == (other == result.text)
        for changed in (result.text + " ", "x" + result.text):
            with pytest.raises(InputError, match="not the one that was released"):
                entry.restore(changed)

    def test_through_a_file(self, path: Path) -> None:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with reading(path, SEAL) as sealed:
            for number in (2, 0, 1):
                text, entry = released(number)
                assert sealed.find(f"r{number}", text) == entry
                assert sealed.find(f"r{number}") == entry
            with pytest.raises(InputError, match=r"no entry in .*never sealed, or forgotten"):
                sealed.find("r9", TEXT)
            with pytest.raises(InputError, match="not the one that was released"):
                sealed.find("r0", TEXT + "!")

    def test_a_run_that_is_repeated_adds_nothing(self, path: Path) -> None:
        before = path.read_bytes()
        with sealing(path, SEAL) as sealer:
            sealer.add([released(1)[1], released(1)[1]])
        assert path.read_bytes() == before

    def test_a_later_run_adds_and_both_versions_of_a_note_open(self, path: Path) -> None:
        text, entry = released(1, "Revue par Kervadec.")
        with sealing(path, SEAL) as sealer:
            sealer.add([entry])
        with reading(path, SEAL) as sealed:
            assert sealed.find("r1", text) == sealed.find("r1") == entry
            assert sealed.find("r1", TEXT) == released(1)[1]

    def test_entries_are_on_the_disk_when_add_returns(self, tmp_path: Path) -> None:
        with sealing(tmp_path / "s", SEAL) as sealer:
            sealer.add([released(0)[1]])
            assert len((tmp_path / "s").read_bytes().splitlines()) == 2


class TestClosed:
    def test_without_the_key_a_line_shows_nothing_of_the_note(self, path: Path) -> None:
        content = path.read_text()
        for word in ("Kervadec", "Ollivrin", "n0", "p0", "r0", "2024"):
            assert word not in content
        assert KEY.hex() not in content + repr(SEAL)
        assert "Kervadec" not in repr(released(0)[1])

    def test_lengths_show_little(self) -> None:
        sizes = {len(SEAL.close(released(0, "Kervadec" + "." * n)[1])) for n in range(100)}
        assert len(sizes) == 1

    def test_another_key_is_refused_with_both_fingerprints(self, path: Path) -> None:
        other = Seal.of(OTHER_KEY)
        both = f"{SEAL.fingerprint}.*{other.fingerprint}"
        for use in (reading, sealing):
            with pytest.raises(SealKeyError, match=f"wrong key: .*{both}"), use(path, other):
                pass
        with pytest.raises(SealKeyError, match=both):
            list(entries(path, other))

    def test_another_key_opens_nothing_even_under_a_forged_head(self, path: Path) -> None:
        other = Seal.of(OTHER_KEY)
        path.write_bytes(other.head() + b"".join(path.read_bytes().splitlines(True)[1:]))
        for line in path.read_bytes().splitlines()[1:]:
            row = json.loads(line)
            assert other.open(row["row"], row["data"]) is None
        with reading(path, other) as sealed, pytest.raises(InputError, match="no entry"):
            sealed.find("r0", TEXT)

    def test_an_entry_opens_for_its_own_note_only(self, path: Path) -> None:
        head, one, two, _ = path.read_bytes().splitlines()
        swapped = json.dumps({"row": json.loads(one)["row"], "data": json.loads(two)["data"]})
        path.write_bytes(head + b"\n" + swapped.encode() + b"\n")
        with reading(path, SEAL) as sealed, pytest.raises(InputError, match="was altered"):
            sealed.find("r0", TEXT)

    def test_without_the_package_it_says_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in [n for n in sys.modules if n.split(".")[0] == "cryptography"]:
            monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(SealError, match=r"pip install 'dpdeid\[sealed\]'"):
            Seal.of(KEY)


class TestDamage:
    def damaged(self, content: bytes) -> Iterator[bytes]:
        """The file cut at every place after its head, and with each byte of it flipped."""
        head = content.index(b"\n") + 1
        yield from (content[:end] for end in range(head, len(content), 7))
        for at in range(head, len(content), 11):
            yield content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]

    def test_it_never_gives_another_text(self, path: Path) -> None:
        """A cut or altered file loses notes, each with an error; what it gives back is exact."""
        lost = 0
        for content in self.damaged(path.read_bytes()):
            path.write_bytes(content)
            with reading(path, SEAL) as sealed:
                for number in range(3):
                    text, entry = released(number)
                    try:
                        found = sealed.find(f"r{number}", text)
                    except InputError:
                        lost += 1
                    else:
                        assert found == entry
        assert lost > 100

    def test_damaged_lines_are_told(self, path: Path) -> None:
        path.write_bytes(path.read_bytes()[:-3])
        with reading(path, SEAL) as sealed:
            assert sealed.damaged == (4,)
            with pytest.raises(InputError, match="lines 4 are damaged"):
                sealed.find("r2", released(2)[0])

    def test_a_run_goes_on_after_an_interrupted_one(self, path: Path) -> None:
        whole = path.read_bytes()
        for end in (0, 5, -3):
            path.write_bytes(whole[:end])
            with sealing(path, SEAL) as sealer:
                sealer.add(released(number)[1] for number in range(3))
            assert path.read_bytes() == whole

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "not a sealed mapping"),
            (b"{}\n", "not a sealed mapping"),
            (b'{"id": "a", "text": "b"}\n', "not a sealed mapping"),
            (b"\xff\n", "not a sealed mapping"),
            (KEY, "not a sealed mapping"),
            (b'{"sealed": 9, "key": "x"}\n', "has version 9"),
        ],
    )
    def test_what_is_no_sealed_mapping_is_named(
        self, content: bytes, message: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "notes.jsonl"
        path.write_bytes(content)
        with pytest.raises(SealError, match=f"notes.jsonl.*{message}"), reading(path, SEAL):
            pass
        if content:  # an empty file is a new one
            with pytest.raises(SealError, match=message), sealing(path, SEAL):
                pass
            assert path.read_bytes() == content

    def test_files_that_cannot_be_used_are_named(self, tmp_path: Path) -> None:
        with (
            pytest.raises(SealError, match=r"cannot read .*none"),
            reading(tmp_path / "none", SEAL),
        ):
            pass
        with pytest.raises(SealError, match=r"cannot read .*directory"), sealing(tmp_path, SEAL):
            pass

    def test_one_run_at_a_time(self, path: Path) -> None:
        with sealing(path, SEAL), pytest.raises(SealError, match="another run"):
            remove(path, set())


class TestRemoving:
    def test_only_these_lines_go(self, path: Path) -> None:
        lines = {line for line, entry in entries(path, SEAL) if entry.patient_id == "p0"}
        assert len(lines) == 2
        remove(path, lines)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert [entry.id for _, entry in entries(path, SEAL)] == ["n1"]
        with reading(path, SEAL) as sealed:
            assert sealed.find("r1", TEXT) == released(1)[1]
            with pytest.raises(InputError, match="forgotten"):
                sealed.find("r0", TEXT)

    @pytest.mark.parametrize("at", [-3, -200])
    def test_whose_a_damaged_line_is_cannot_be_told(self, at: int, path: Path) -> None:
        content = path.read_bytes()
        path.write_bytes(content[:at] if at == -3 else content[:at] + b"AAAA" + content[at + 4 :])
        with pytest.raises(SealError, match=r"line 4 .*nothing was removed"):
            list(entries(path, SEAL))


def test_going_back_is_linear(tmp_path: Path) -> None:
    def make(length: int) -> Work:
        path = tmp_path / str(length)
        with sealing(path, SEAL) as sealer:
            sealer.add(released(number)[1] for number in range(length))

        def work() -> None:
            with reading(path, SEAL) as sealed:
                for number in reversed(range(length)):
                    assert sealed.find(f"r{number}", TEXT).id == f"n{number}"

        return work

    assert growth(make, 200) <= LIMIT
