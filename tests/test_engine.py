"""The way of a record, with detectors and strategies small enough to see through."""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from dpdeid.detect.merge.published import Union
from dpdeid.document import Deidentified, Document, Failure, Mention, Record, Span, Surrogate
from dpdeid.engine import Deidentifier
from dpdeid.errors import GazetteerError, InputError, SecretKeyError
from dpdeid.gazetteers import places_named
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import Epsilon
from dpdeid.protocols import Context, Guarantee, Strategy
from dpdeid.substitute.without_draws import Keep, Redact
from tests.conftest import KEY, OTHER_KEY


@dataclass(frozen=True)
class Capitals:
    """Every word in capitals is a surname."""

    name: ClassVar[str] = "capitals"

    def __call__(self, doc: Document) -> Iterable[Span]:
        for match in re.finditer(r"[A-ZÉ]{2,}", doc.text):
            yield Span(*match.span(), Label.LAST_NAME, source=self.name)


@dataclass(frozen=True)
class Numbered:
    """Names become N0, N1 … by a keyed draw on the name; each distinct one costs an ε of 1."""

    name: ClassVar[str] = "numbered"
    needs: ClassVar[tuple[str, ...]] = ()
    labels: tuple[Label, ...] = (Label.LAST_NAME,)

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        for mention in mentions:
            number = context.streams.stream("number", mention.text).randbelow(10**9)
            event = context.streams.event("number", mention.text)
            charge = Charge(context.streams.unit, event, "numbered", Epsilon(1))
            yield Surrogate(mention, f"N{number}", self.name, (charge,), value=number)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, "numbered", Epsilon(1), 5),)


def policy(*strategies: Strategy, unit: str = "note", detector: object = None) -> Policy:
    return Policy("test", unit, (detector or Capitals(),), Union(), strategies, Redact())  # type: ignore[arg-type]


class TestOneNote:
    def test_a_str_is_accepted(self) -> None:
        result = Deidentifier(policy(Redact((Label.LAST_NAME,))))("vue par DURAND ce jour")
        assert result.text == "vue par [LAST_NAME] ce jour"

    def test_what_is_not_a_note_is_refused(self) -> None:
        with pytest.raises(InputError, match="not int"):
            Deidentifier(policy())(3)  # type: ignore[arg-type]

    def test_a_text_draws_alike_in_every_way_and_apart_from_others(self) -> None:
        one, other = "vu DUPONT", "revu DUPONT"
        for unit in ("note", "patient"):
            deidentifier = Deidentifier(policy(Numbered(), unit=unit), key=KEY)
            first = deidentifier(one)
            assert deidentifier.record([one]) == (first,)
            assert list(deidentifier.pipe([other, one])) == [deidentifier(other), first]
            assert deidentifier(other).text.split()[1] != first.text.split()[1]
            texts = [
                f"{n}: " + " ".join(f"NOM{'ABCDE'[i]}{'XY'[n]}" for i in range(5)) for n in (0, 1)
            ]
            spent = sum((r.ledger for r in deidentifier.pipe(texts)), Ledger())  # type: ignore[union-attr]
            assert [spent.total(unit) for unit in spent.units] == [(Epsilon(5),)] * 2

    @pytest.mark.parametrize("wrong", ["one note", Document("a", "x"), [3], [None]])
    def test_many_notes_are_a_list_of_notes(self, wrong: object) -> None:
        for unit in ("note", "patient"):
            deidentifier = Deidentifier(policy(Numbered(), unit=unit), key=KEY)
            with pytest.raises(InputError, match=r"a note is|several notes are"):
                list(deidentifier.pipe(wrong))  # type: ignore[arg-type]
            with pytest.raises(InputError, match=r"a note is|several notes are"):
                deidentifier.record(wrong)  # type: ignore[arg-type]

    def test_offsets_are_those_of_the_raw_text(self) -> None:
        raw = "vue par DE\u0301SIRE\u0301\u200b ce jour"
        result = Deidentifier(policy())(raw)
        assert result.text == "vue par [LAST_NAME] ce jour"
        (span,) = result.spans
        assert raw[span.start : span.end] == "DE\u0301SIRE\u0301\u200b"

    def test_labels_without_a_strategy_are_redacted(self) -> None:
        assert Deidentifier(policy())("DURAND").text == "[LAST_NAME]"

    def test_an_empty_note_stays_empty(self) -> None:
        assert Deidentifier(policy())("").text == ""

    def test_a_short_key_is_refused(self) -> None:
        with pytest.raises(SecretKeyError, match="at least 32"):
            Deidentifier(policy(), key=b"short")

    @pytest.mark.parametrize("name", ["key", "ledger_key"])
    @pytest.mark.parametrize("given", [bytes(32), b"correct horse battery staple four"])
    def test_a_key_that_can_be_guessed_is_refused(self, name: str, given: bytes) -> None:
        with pytest.raises(SecretKeyError, match="can be guessed") as caught:
            Deidentifier(policy(), **{"key": KEY, name: given})
        assert "horse" not in str(caught.value)

    @pytest.mark.parametrize("name", ["key", "ledger_key"])
    def test_a_key_of_text_is_refused(self, name: str) -> None:
        keys = {"key": KEY, name: "k" * 32}
        with pytest.raises(SecretKeyError, match="is bytes, not str") as caught:
            Deidentifier(policy(), **keys)  # type: ignore[arg-type]
        assert "kkk" not in str(caught.value)

    def test_the_repr_shows_no_key(self) -> None:
        assert KEY.hex()[:16] not in repr(Deidentifier(policy(), key=KEY))


class TestKeys:
    def test_same_key_same_surrogate_other_key_other_one(self) -> None:
        one, again, other = (
            Deidentifier(policy(Numbered()), key=k)("DURAND").text for k in (KEY, KEY, OTHER_KEY)
        )
        assert one == again != other

    def test_without_a_key_runs_differ(self) -> None:
        texts = {Deidentifier(policy(Numbered()))("DURAND").text for _ in range(2)}
        assert len(texts) == 2

    def test_patients_draw_independently(self) -> None:
        engine = Deidentifier(policy(Numbered(), unit="patient"), key=KEY)
        a, b = (engine(Document("n", "DURAND", patient_id=p)).text for p in "ab")
        assert a != b

    def test_notes_of_one_patient_agree_even_apart(self) -> None:
        engine = Deidentifier(policy(Numbered(), unit="patient"), key=KEY)
        a, b = (engine(Document(n, "DURAND", patient_id="p")).text for n in "ab")
        assert a == b


class TestFailingStrategies:
    @dataclass(frozen=True)
    class Broken(Numbered):
        how: str = "raises"

        def substitute(
            self, mentions: Sequence[Mention], record: Record, context: Context
        ) -> Iterable[Surrogate]:
            if self.how == "raises":
                raise RuntimeError(mentions[0].text)
            if self.how == "twice":
                return [*super().substitute(mentions, record, context)] * 2
            if self.how == "stranger":
                stranger = Mention(7, mentions[0].span, "x")
                return [Surrogate(stranger, "x", self.name)]
            if self.how == "wider":
                span = replace(mentions[0].span, start=0)
                return [Surrogate(mentions[0]._replace(span=span), "x", self.name)]
            return ()

    @pytest.mark.parametrize("how", ["raises", "twice", "stranger", "wider", "silent"])
    def test_its_mentions_are_redacted(self, how: str, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.DEBUG):
            result = Deidentifier(policy(self.Broken(how=how)))("vue par DURAND")
        assert result.text == "vue par [LAST_NAME]"
        assert not result.ledger.charges
        assert "DURAND" not in caplog.text


class TestRecords:
    def docs(self) -> list[Document]:
        return [
            Document("b", "MARTIN", "p1", dt.date(2021, 2, 2)),
            Document("a", "DURAND", "p2"),
            Document("c", "MARTIN DURAND", "p1", dt.date(2021, 1, 1)),
        ]

    def test_pipe_gives_one_result_a_document_in_their_order(self) -> None:
        for unit in ("note", "patient"):
            results = Deidentifier(policy(Numbered(), unit=unit), key=KEY).pipe(self.docs())
            assert [r.id for r in results] == ["b", "a", "c"]

    def test_notes_of_a_patient_share_one_ledger(self) -> None:
        engine = Deidentifier(policy(Numbered(), unit="patient"), key=KEY)
        b, _, c = engine.pipe(self.docs())
        assert isinstance(b, Deidentified)
        assert isinstance(c, Deidentified)
        assert b.ledger == c.ledger
        (unit,) = b.ledger.units
        assert b.ledger.total(unit) == (Epsilon(2),)  # MARTIN once, DURAND once

    def test_a_record_is_in_the_order_of_ids_whatever_the_input_order_and_the_dates(self) -> None:
        """By their dates, the first anchor would tell which note is the earliest."""
        seen: list[list[str]] = []

        class Spy(Numbered):
            def substitute(
                self, mentions: Sequence[Mention], record: Record, context: Context
            ) -> Iterable[Surrogate]:
                seen.append([d.id for d in record.documents])
                return ()

        docs = [d for d in self.docs() if d.patient_id == "p1"]
        engine = Deidentifier(policy(Spy(), unit="patient"), key=KEY)
        for order in (docs, docs[::-1]):
            assert [r.id for r in engine.record(order)] == [d.id for d in order]
        assert seen == [["b", "c"], ["b", "c"]]

    def test_a_record_holds_one_patient(self) -> None:
        with pytest.raises(InputError, match="one patient"):
            Deidentifier(policy(unit="patient")).record(self.docs())
        with pytest.raises(InputError, match="one note"):
            Deidentifier(policy(unit="note")).record(self.docs()[::2])
        nobodys = [replace(doc, patient_id=None) for doc in self.docs()]
        with pytest.raises(InputError, match="one note"):
            Deidentifier(policy(unit="patient")).record(nobodys)

    def test_two_notes_of_a_record_have_two_ids(self) -> None:
        own = [replace(doc, id="b", patient_id="p1") for doc in self.docs()]
        with pytest.raises(InputError, match="one id"):
            Deidentifier(policy(unit="patient")).record(own)

    def test_a_record_fails_as_a_whole_and_the_others_go_on(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Choking(Capitals):
            def __call__(self, doc: Document) -> Iterable[Span]:
                if doc.id == "b":
                    raise RuntimeError(doc.text)
                return super().__call__(doc)

        engine = Deidentifier(policy(unit="patient", detector=Choking()))
        b, a, c = engine.pipe(self.docs())
        assert isinstance(a, Deidentified)
        assert b == Failure("b", "internal error (RuntimeError)")
        assert c == Failure("c", "another note of this patient failed", cause="b")
        assert "MARTIN" not in caplog.text
        with pytest.raises(RuntimeError):
            engine.record([doc for doc in self.docs() if doc.patient_id == "p1"])

    @pytest.mark.parametrize("day", [dt.date(2030, 1, 1), dt.date(1812, 6, 24)])
    def test_a_note_date_that_cannot_be_is_laid_to_its_own_note(self, day: dt.date) -> None:
        docs = [*self.docs(), *(Document(id_, "DURAND", "p1", day) for id_ in "de")]
        b, a, c, *bad = Deidentifier(policy(unit="patient"), e0=dt.date(2025, 1, 1)).pipe(docs)
        assert isinstance(a, Deidentified)
        for own in bad:
            assert isinstance(own, Failure)
            assert "note_date lies" in own.error
            assert own.cause is None
        for other in (b, c):
            assert isinstance(other, Failure)
            assert other.cause == "d"

    def test_a_missing_list_stops_the_run_instead_of_failing_every_row(self) -> None:
        class Listless(Capitals):
            def __call__(self, doc: Document) -> Iterable[Span]:
                raise GazetteerError("gazetteer x is missing")

        with pytest.raises(GazetteerError):
            list(Deidentifier(policy(detector=Listless())).pipe(self.docs()))

    def test_a_note_date_after_e0_is_refused(self) -> None:
        engine = Deidentifier(policy(), e0=dt.date(2020, 12, 31))
        with pytest.raises(InputError, match="e0 = 2020-12-31"):
            engine(Document("n", "x", note_date=dt.date(2021, 1, 1)))

    def test_no_notes_no_results(self) -> None:
        engine = Deidentifier(policy())
        assert engine.record([]) == ()
        assert list(engine.pipe([])) == []


class TestNoteDates:
    @dataclass(frozen=True)
    class NewYear(Numbered):
        labels: tuple[Label, ...] = (Label.DATE,)

        def substitute(
            self, mentions: Sequence[Mention], record: Record, context: Context
        ) -> Iterable[Surrogate]:
            return [Surrogate(m, "2000-01-01", self.name) for m in mentions]

    DOC = Document("n", "x", note_date=dt.date(2021, 3, 4))

    def test_it_comes_out_as_its_surrogate(self) -> None:
        assert Deidentifier(policy(self.NewYear()))(self.DOC).note_date == "2000-01-01"

    def test_redacted_it_does_not_come_out(self) -> None:
        assert Deidentifier(policy())(self.DOC).note_date is None

    def test_later_strategies_see_earlier_surrogates(self) -> None:
        got: list[object] = []

        @dataclass(frozen=True)
        class Reader(Numbered):
            labels: tuple[Label, ...] = (Label.CITY, Label.LAST_NAME)
            name: ClassVar[str] = "reader"

            def substitute(
                self, mentions: Sequence[Mention], record: Record, context: Context
            ) -> Iterable[Surrogate]:
                got.extend(s.text for s in context.before)
                return ()

        Deidentifier(policy(self.NewYear(), Reader()))(
            Document("n", "DURAND", note_date=dt.date(2021, 3, 4))
        )
        assert got == ["2000-01-01"]

    def test_a_strategy_knows_what_is_replaced_and_what_is_kept(self) -> None:
        got: list[list[str]] = []

        class Reader(Numbered):
            def substitute(
                self, mentions: Sequence[Mention], record: Record, context: Context
            ) -> Iterable[Surrogate]:
                got.append(sorted(mention.label for mention in context.replaced))
                return ()

        doc = Document("n", "DURAND", note_date=dt.date(2021, 3, 4))
        Deidentifier(policy(Reader()))(doc)
        Deidentifier(policy(Keep((Label.DATE,)), Reader()))(doc)
        assert got == [["DATE", "LAST_NAME"], ["LAST_NAME"]]


@dataclass(frozen=True)
class Evreux:
    """Every town is "ÉVREUX"."""

    name: ClassVar[str] = "evreux"
    needs: ClassVar[tuple[str, ...]] = ()
    labels: tuple[Label, ...] = (Label.CITY,)

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        (place,) = places_named("evreux")
        return [Surrogate(mention, "ÉVREUX", self.name, value=place) for mention in mentions]

    def guarantees(self) -> tuple[Guarantee, ...]:
        return ()


@dataclass(frozen=True)
class Towns(Capitals):
    """Every word in capitals is a town."""

    def __call__(self, doc: Document) -> Iterable[Span]:
        return [replace(span, label=Label.CITY) for span in super().__call__(doc)]


@pytest.mark.parametrize("note", ["vient de NICE", "vient d'ANTIBES", "vient du MANS"])
def test_a_word_that_is_widened_into_brings_back_no_accent(note: str) -> None:
    """Or the accent would tell which word stood before the original, and so how it began."""
    deidentifier = Deidentifier(policy(Evreux(), detector=Towns()))
    assert deidentifier(note).text == "vient d'EVREUX"
