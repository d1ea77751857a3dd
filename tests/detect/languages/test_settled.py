"""What is found in paragraphs of another language, with what the taggers take there."""

from __future__ import annotations

import pytest

from dpdeid.detect.languages.found import forms_in
from dpdeid.detect.languages.names import Reader
from dpdeid.detect.languages.paragraphs import Stretch
from dpdeid.detect.languages.settled import believable, settled
from dpdeid.detect.languages.usual import Rank, rank
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.french.calendar import ABROAD
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.spans import UNREAD
from dpdeid.testing import marked
from tests.conftest import KEY
from tests.linear import LIMIT, Work, growth


def taken(doc: Document, source: str = "transformer") -> tuple[Span, ...]:
    """Every word of a note, as a tagger that garbles all would take it."""
    names = zip(doc.tokens.texts, doc.tokens, strict=True)
    return tuple(
        Span(start, end, Label.LAST_NAME, 0.6, source)
        for text, (start, end) in names
        if text.isalpha()
    )


LINES = [
    "Kontrolle am «DATE:3. April» bei Herrn «FIRST_NAME:Hans» «LAST_NAME:Zbinden», "
    "«STREET:Bahnhofstr. 12», «ZIP:8200» «CITY:Schaffhausen».",
    "Die Patientin, Frau «LAST_NAME:Kurz», geb. «BIRTH_DATE:4.5.1950», wurde mit Pneumonie im "
    "«HOSPITAL:Spital Thun» behandelt, Kniearthrose und Ruptur bekannt.",
    "vom «DATE:10.» bis «DATE:17. Januar 2022» auf der Station, Sauerstoffsättigung und Blutdruck "
    "stabil.",
    "Zie brief van «DATE:12 maart», Mevr. «LAST_NAME:Peeters», geboren op "
    "«BIRTH_DATE:8 juli 1951», «STREET:Kerkstraat 14 bus 3», «ZIP:9000» «CITY:Gent», "
    "met ontsteking van de galblaas.",
    "Signora «LAST_NAME:Bianchi» «FIRST_NAME:Maria», nata il «BIRTH_DATE:4 maggio 1950», "
    "«STREET:via Nassa 12», «ZIP:6900» «CITY:Lugano», operata per colecistite senza complicanze.",
    "Il paziente è stato visto «DATE:lunedi 3 maggio» e torna «DATE:giovedì» per il controllo.",
    "She was born on «BIRTH_DATE:April 3, 1951», lives at «STREET:12 Baker Street» and was seen by "
    "Dr «LAST_NAME:Okafor» on «DATE:3rd May 2019» with her daughter «FIRST_NAME:Julie», "
    "no chest pain.",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_forms_and_titles_are_found_and_small_words_stay(line: str) -> None:
    text, gold = marked(line)
    doc = Document("1", text)
    found = settled(doc, taken(doc), taken(doc))
    covered = {at for span in found for at in range(span.start, span.end)}
    wanted = {at for span in gold for at in range(span.start, span.end)}
    letters = [at for at, sign in enumerate(text) if sign.isalnum()]
    assert [text[at] for at in letters if at in wanted - covered] == []
    words = {text[slice(*place)] for place in doc.tokens if covered & {*range(*place)} - wanted}
    assert {word for word in words if word.isalnum()} == set()
    labels = {(s.start, s.label) for s in found if s.label in (Label.DATE, Label.BIRTH_DATE)}
    assert labels == {(s.start, s.label) for s in gold if "DATE" in s.label}


def test_french_notes_are_as_they_were() -> None:
    doc = Document("1", "Mme Durand, vue ce jour à Lyon pour une toux, va mieux.")
    spans = taken(doc)
    assert settled(doc, spans, spans) == spans
    assert believable(doc, 0, 1, 0.2)


@pytest.mark.parametrize("name", ["Arm", "Kurz", "Wurde"])
def test_what_the_hospital_told_goes_though_it_is_a_word(name: str) -> None:
    text = f"Die Patientin {name} wurde am Montag mit Fieber auf der Station aufgenommen."
    span = Span(14, 14 + len(name), Label.LAST_NAME, 1.0, "metadata")
    assert span in settled(Document("1", text), (span,), (span,))


@pytest.mark.parametrize("language", ABROAD)
@pytest.mark.parametrize("piece", ["Aa ", "Aa-", "1 ", "via di ", "12 Aa ", "3. 4. ", "of Aa "])
def test_reading_is_linear(piece: str, language: str) -> None:
    def make(length: int) -> Work:
        doc = Document("1", piece * length)
        part = Stretch(0, len(doc.tokens), language)

        def work() -> object:
            forms = list(forms_in(doc.text, 0, len(doc.text), language))
            return forms, Reader(doc, part, (), frozenset()).names()

        return work

    assert growth(make, length=500) <= LIMIT


@pytest.mark.parametrize(
    ("text", "language", "how"),
    [
        ("und", "de", Rank.NEVER),
        ("Kniearthrose", "de", Rank.ORDINARY),
        ("Blutdruckmessung", "de", Rank.ORDINARY),
        ("Zbinden", "de", Rank.FREE),
        ("Hans", "de", Rank.SHARED),
        ("drempelwaarde", "nl", Rank.ORDINARY),
        ("Giovanni", "it", Rank.SHARED),
        ("ginocchio", "it", Rank.NEVER),
        ("Rivaroxaban", "en", Rank.ORDINARY),
        ("BRAF", "en", Rank.ORDINARY),
    ],
)
def test_rank(text: str, language: str, how: Rank) -> None:
    assert rank(text, text.lower(), language) is how


@pytest.fixture(scope="module")
def rules() -> Policy:
    policy = load_policy("dp")
    return policy.found_by(*(d for d in policy.detectors if d.name not in ("crf", "transformer")))


UNREAD_NOTE = (
    "Consultation de contrôle, pas de plainte.\n"
    "Dzień dobry, jestem żoną pana Zbigniewa Wojciechowskiego, urodzonego 17 czerwca 1979, "
    "mieszkamy w Rzeszowie, ulica Lwowska 33, kod 35-301, mąż bierze Euthyrox 50 mg "
    "i nie ma bólu.\n"
    "TA 130/80, paracétamol 1 g, revoir dans un mois."
)


def test_a_language_that_is_not_read_loses_what_looks_like_names(rules: Policy) -> None:
    done = Deidentifier(rules, key=KEY)(UNREAD_NOTE)
    assert done.unread == 1
    for gone in (
        "Zbigniewa",
        "Wojciechowskiego",
        "czerwca",
        "1979",
        "Rzeszow",
        "Lwowska",
        "35-301",
    ):
        assert gone not in done.text
    for kept in (
        "jestem żoną pana",
        "bierze Euthyrox 50 mg i nie ma bólu",
        "TA 130/80, paracétamol 1 g",
    ):
        assert kept in done.text
    redacted = [s for s in done.surrogates if s.mention.span.source == UNREAD]
    assert redacted
    assert {s.strategy for s in redacted} == {rules.default.name}


def test_words_of_a_script_without_capitals_all_go(rules: Policy) -> None:
    line = "تقرير طبي: المريض محمود الخطيب، أدخل مستشفى المواساة بسبب قصور كلوي، الضغط 160/95"
    done = Deidentifier(rules, key=KEY)(f"Consultation de contrôle.\n{line}\nTA 130/80.")
    assert "160/95" in done.text
    assert "محمود" not in done.text
    assert "المواساة" not in done.text
