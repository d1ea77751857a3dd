"""Files of sealed entries: added to, read, taken from; honest about damage, never a wrong text."""

from __future__ import annotations

import datetime as dt
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdeid.cohort.sealed import Entry, Seal, entries, reading, remove, sealing
from dpdeid.document import Deidentified, Document, Mention, Span, Surrogate, rewrite
from dpdeid.errors import InputError, SealError, SealKeyError
from dpdeid.labels import Label
from tests.conftest import KEY, OTHER_KEY
from tests.linear import LIMIT, Work, growth

SEAL = Seal.of(KEY)


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
        sealer(released(number)[1] for number in range(3))
    return tmp_path / "sealed"


class TestAdding:
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
            sealer([released(1)[1], released(1)[1]])
        assert path.read_bytes() == before

    def test_a_later_run_adds_and_both_versions_of_a_note_open(self, path: Path) -> None:
        text, entry = released(1, "Revue par Kervadec.")
        with sealing(path, SEAL) as sealer:
            sealer([entry])
        with reading(path, SEAL) as sealed:
            assert sealed.find("r1", text) == sealed.find("r1") == entry
            assert sealed.find("r1", TEXT) == released(1)[1]

    def test_entries_are_on_the_disk_when_add_returns(self, tmp_path: Path) -> None:
        with sealing(tmp_path / "s", SEAL) as sealer:
            sealer([released(0)[1]])
            assert len((tmp_path / "s").read_bytes().splitlines()) == 2


class TestKeys:
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
                sealer(released(number)[1] for number in range(3))
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
            sealer(released(number)[1] for number in range(length))

        def work() -> None:
            with reading(path, SEAL) as sealed:
                for number in reversed(range(length)):
                    assert sealed.find(f"r{number}", TEXT).id == f"n{number}"

        return work

    assert growth(make, 200) <= LIMIT
