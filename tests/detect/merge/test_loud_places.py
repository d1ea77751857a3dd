"""Where a place ends in text of capitals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.merge.loud_places import ended, is_usual_rest
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def cut(text: str, label: Label, *others: Span) -> list[tuple[Label, str]]:
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    span = Span(start, end, label, 0.9, "patterns/x")
    found = ended(Document("x", plain), [span], [span, *others])
    return [(s.label, plain[s.start : s.end]) for s in found]


@pytest.mark.parametrize(
    ("text", "label", "kept"),
    [
        ("OPEREE [CLINIQUE DES GENETS UNE PROTHESE] TOTALE", Label.HOSPITAL, "CLINIQUE DES GENETS"),
        ("[GARAGE KERVELLA FRERE DECEDE] JEUNE", Label.ORGANIZATION, "GARAGE KERVELLA"),
        ("[CRECHE DES LUTINS LA MERE EST] LA", Label.ORGANIZATION, "CRECHE DES LUTINS"),
        ("[7 IMPASSE DES MURES DEUX ENFANTS] A CHARGE", Label.STREET, "7 IMPASSE DES MURES"),
        ("[CH DE FOUGERES OCCLUSION DIGESTIVE]", Label.HOSPITAL, "CH DE FOUGERES"),
        ("[CLINIQUE DU PARC HB 9 PLAQ] 120", Label.HOSPITAL, "CLINIQUE DU PARC"),
        ("[CHU DE METZ AMOX 1 G X3]", Label.HOSPITAL, "CHU DE METZ"),
        ("[LABO DE VILLE NA] 138 CRP", Label.ORGANIZATION, "LABO DE VILLE"),
        ("[CENTRE DU PORT LYMPIA NECROSE THALAMIQUE]", Label.HOSPITAL, "CENTRE DU PORT LYMPIA"),
        ("[PHARMACIE DU STEIR A ETE PREVENUE]", Label.ORGANIZATION, "PHARMACIE DU STEIR"),
        ("[EHPAD LES MIMOSAS NE MANGE PLUS]", Label.HOSPITAL, "EHPAD LES MIMOSAS"),
        ("[HAD DE PONTIVY PASSAGE] JEUDI", Label.HOSPITAL, "HAD DE PONTIVY"),
        ("[CPAM DE GUINGAMP DEMANDE] FAITE", Label.ORGANIZATION, "CPAM DE GUINGAMP"),
        ("[HOPITAL DE PONTIVY LE] 12 MARS", Label.HOSPITAL, "HOPITAL DE PONTIVY"),
        ("[CLINIQUE DE GUINGAMP DICTEE LE] 3", Label.HOSPITAL, "CLINIQUE DE GUINGAMP"),
        (
            "[USINE MICHELIN DE CHOLET PERE] DIABETIQUE",
            Label.ORGANIZATION,
            "USINE MICHELIN DE CHOLET",
        ),
    ],
)
def test_it_ends_before_the_next_clause(text: str, label: Label, kept: str) -> None:
    assert cut(text, label) == [(label, kept)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("[CLINIQUE DU SACRE COEUR DE VANNES]", Label.HOSPITAL),
        ("[HOPITAL FEMME MERE ENFANT DE BRON]", Label.HOSPITAL),
        ("[IMPASSE PERE JACQUES MARQUETTE]", Label.STREET),
        ("[12 RUE DES QUATRE FILS AYMON]", Label.STREET),
        ("[LABORATOIRE D ANALYSES MEDICALES KERBIO]", Label.ORGANIZATION),
        ("[CENTRE HOSPITALIER ET UNIVERSITAIRE DE NANTES]", Label.HOSPITAL),
        ("[ECOLE DES FRERES DE PLOERMEL]", Label.ORGANIZATION),
        ("[RESIDENCE LES LILAS BATIMENT A] DEUXIEME", Label.STREET),
        ("[INSTITUT MERE TERESA]", Label.HOSPITAL),
        ("[CENTRE DE REFERENCE MALADIES RARES]", Label.HOSPITAL),
        ("[4 RUE DU PUITS ETAGE DROIT LE] SOIR", Label.STREET),
        ("[Clinique des Genêts une prothèse totale]", Label.HOSPITAL),
        ("[KERVELLA UNE SOEUR ATTEINTE]", Label.LAST_NAME),
        ("LOGE CHEZ [TAUIRA A FAA'A] CE JOUR", Label.ORGANIZATION),
    ],
)
def test_names_with_such_words_stay_whole(text: str, label: Label) -> None:
    assert cut(text, label) == [(label, text[text.index("[") + 1 : text.index("]")])]


def test_a_noun_that_is_left_alone_names_no_house() -> None:
    assert cut("[MAISON DE RETRAITE UNE PLACE]", Label.HOSPITAL) == []
    kept = cut("[MAISON DE RETRAITE KERVELLA UNE PLACE]", Label.HOSPITAL)
    assert kept == [(Label.HOSPITAL, "MAISON DE RETRAITE KERVELLA")]


@pytest.mark.parametrize(
    ("text", "source", "label"),
    [
        ("UN [FOYER AORTIQUE IRRADIANT]", "care.body", Label.ORGANIZATION),
        ("[RESEAU ARTERIEL] NORMAL", "care.body", Label.ORGANIZATION),
        ("[POLICE AVISEE] HIER", "care.body", Label.ORGANIZATION),
        ("VERS LA [MAISON DE]", "care.hospital", Label.HOSPITAL),
        ("MARCHE [AV AIDE] PARTIELLE", "places.street.lone", Label.STREET),
        ("VOIR SI [PLACE SSR LES] PINS", "places.street.lone", Label.STREET),
        ("[HAD INFORMEE] CE JOUR", "care.hospital.short", Label.HOSPITAL),
        ("[CENTRE ANTIPOISON] JOINT", "care.hospital.centre", Label.HOSPITAL),
        ("[CABINET DE LOGOPEDIE] VU", "care.hospital", Label.HOSPITAL),
        ("POSTE 47110 [POUR RESULTATS]", "places.number", Label.CITY),
        ("ENFANT NEE A [TERME]", "places.born", Label.CITY),
    ],
)
def test_what_tells_of_a_noun_is_no_name(text: str, source: str, label: Label) -> None:
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    span = Span(start, end, label, 0.9, f"patterns/{source}")
    assert [*ended(Document("x", plain), [span], [span])] == []


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("[EHPAD LES MIMOSAS]", Label.HOSPITAL),
        ("[CLINIQUE DES GENETS]", Label.HOSPITAL),
        ("[FOYER LES TILLEULS]", Label.ORGANIZATION),
        ("[PLACE DU MARCHE]", Label.STREET),
        ("[PLACE DES PALMES]", Label.STREET),
        ("[RESEAU KERVELLA]", Label.ORGANIZATION),
        ("[HOPITAL NORD]", Label.HOSPITAL),
        ("[PLACE DE VERDUN]", Label.STREET),
        ("[CLINIQUE LILLOISE]", Label.HOSPITAL),
    ],
)
def test_a_noun_with_a_name_is_one(text: str, label: Label) -> None:
    span = Span(0, len(text) - 2, label, 0.9, "patterns/care.hospital")
    assert [*ended(Document("x", text[1:-1]), [span], [span])] == [span]


def test_what_others_saw_in_the_rest_holds_and_its_towns_are_found() -> None:
    text = "[CLINIQUE DU PARC UN FRERE A ROANNE] OU A"
    town = Span(28, 34, Label.CITY, 0.9, "crf")
    wanted = [(Label.HOSPITAL, "CLINIQUE DU PARC"), (Label.CITY, "ROANNE")]
    assert cut(text, Label.HOSPITAL, town) == wanted
    assert cut(text, Label.HOSPITAL) == wanted
    _, (label, town_cut_off) = cut(
        "[KERVELLA TOITURES SARL A LA BARTHE DE NESTE]", Label.ORGANIZATION
    )
    assert (label, town_cut_off) == (Label.CITY, "LA BARTHE DE NESTE")


def test_what_was_cut_off_and_names_nobody_is_told_from_a_name() -> None:
    doc = Document("x", "12 RUE DES LILAS MARI AIDANT KERVELLA")
    whole = Span(0, len(doc.text), Label.STREET, 0.9, "crf")
    (kept,) = ended(doc, [whole], [whole])
    assert doc.text[: kept.end] == "12 RUE DES LILAS"
    rest = doc.tokens.folded[4:]
    assert [word for word in rest if is_usual_rest(word)] == ["mari", "aidant"]


def test_a_name_behind_a_place_that_all_take_for_its_end_is_taken() -> None:
    text = "PATIENTE SEULE, VIT 12 RUE DES LILAS MARI AIDANT ZORGUELEC"
    doc, start = Document("x", text), text.index("12")
    said = {
        name: [Span(start, len(text), Label.STREET, 0.9, name)]
        for name in ("patterns", "crf", "transformer")
    }
    street, name = Decision()(doc, said)
    assert text[street.start : street.end] == "12 RUE DES LILAS"
    assert text[name.start : name.end] == "ZORGUELEC"


@given(
    st.lists(
        st.sampled_from(
            ["CHU", "DE", "LA", "A", "UN", "MERE", "BRAY", "DOULEUR", "'", "-", "PARC", "12", "LE"]
        )
    ),
    st.sampled_from([Label.HOSPITAL, Label.STREET]),
    st.integers(0, 3),
)
def test_spans_stay_within_what_was_found(words: list[str], label: Label, missing: int) -> None:
    """Also where the place ends in the middle of a word."""
    doc = Document("x", " ".join(["CHU", *words]))
    span = Span(0, max(3, len(doc.text) - missing), label, 0.9, "patterns/x")
    assert all(s.start >= 0 and s.end <= span.end for s in ended(doc, [span], [span]))
    found = Decision()(doc, {"patterns": [span]})
    assert all(s.start >= 0 and s.end <= span.end for s in found)
    assert any(s.start == 0 for s in found)
