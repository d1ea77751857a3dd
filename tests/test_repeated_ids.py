"""An id that comes back with another text under one key: another patient's `letter-1.txt`."""

from __future__ import annotations

import datetime as dt
from hashlib import blake2b

import pytest

from dpdeid.cohort.vault import Vault
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError

KEY = blake2b(b"repeated ids", digest_size=32).digest()
DAY = dt.date(2021, 3, 12)


def letter(number: int) -> Document:
    day = DAY + dt.timedelta(37 * number)
    return Document("letter-1", f"Patient {number} vu le {day:%d/%m/%Y} par Mme Durand.")


def test_six_folders_with_one_name_share_no_draw() -> None:
    """All moved by 694 to 732 days before."""
    moved = set()
    for number in range(6):
        done = Deidentifier("dp", key=KEY)(letter(number))
        (text,) = [s.text for s in done.surrogates if s.mention.label.value == "DATE"]
        new = dt.datetime.strptime(text, "%d/%m/%Y").date()  # noqa: DTZ007 - a day
        moved.add((DAY + dt.timedelta(37 * number) - new).days)
    assert max(moved) - min(moved) > 400, moved


def test_a_file_that_comes_twice_is_released_alike() -> None:
    one, other = (Deidentifier("dp", key=KEY)(letter(1)).text for _ in range(2))
    assert one == other


def test_with_a_vault_another_text_under_an_id_is_refused_without_a_word_of_it() -> None:
    engine = Deidentifier("dp", key=KEY, vault=Vault(None, KEY))
    first = engine(letter(1)).text
    assert engine(letter(1)).text == first
    with pytest.raises(InputError, match="released before with another text") as error:
        engine(letter(2))
    assert "Durand" not in str(error.value)


def test_with_a_patient_another_text_under_an_id_is_a_corrected_note() -> None:
    engine = Deidentifier("dp", key=KEY, vault=Vault(None, KEY))
    for number in (1, 2):
        doc = letter(number)
        engine(Document(doc.id, doc.text, "p"))


def test_dates_of_one_patient_that_come_one_by_one_tell_no_gap() -> None:
    """A gap of 622 days was told to 23 in the median, under one secret shift for every call."""
    errors = []
    days = dt.date(2020, 1, 10), dt.date(2021, 9, 23)
    for number in range(40):
        engine = Deidentifier("dp", key=blake2b(b"%d" % number, digest_size=32).digest())
        docs = [Document(f"n{at}", "Vu.", "p", day) for at, day in enumerate(days)]
        one, other = (dt.date.fromisoformat(engine(doc).note_date or "") for doc in docs)
        errors.append(abs((other - one).days - 622))
    assert sorted(errors)[20] > 300
