"""Told names that are words: «…» stands for the person, the same word elsewhere does not."""

from __future__ import annotations

import re

import pytest

from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.detect.known_facts.propagate import Propagate
from dpdeid.detect.known_facts.told_words import is_only_a_word
from dpdeid.document import Document, Span
from dpdeid.labels import Label

LINES = [
    ("Blanc", "«blanc» vu ce jour. vin blanc, globules blancs, linge blanc"),
    ("Blanc", "VIN BLANC INTERDIT. «BLANC» A MAL AU DOS. SORTIE DE «BLANC» PREVUE"),
    ("Petit", "petit déjeuner pris. «petit» dort. petit hématome, petit souffle"),
    ("Petit", "PETIT DEJEUNER PRIS. «PETIT» DORT BIEN.\n«PETIT» AU FAUTEUIL"),
    ("Petit", "NOM : «PETIT» PRENOM : ROSE"),
    ("Grand", "Grand axe 14 mm. «Grand» installé au fauteuil, grand pectoral, grand fumeur"),
    ("Grand", "GRAND AXE 32 MM. Grand axe 14. «grand» 82 ans, «grand» est au bloc"),
    ("Leger", "«leger» ne supporte pas le masque. repas leger pris. Transport pour «leger» demain"),
    ("Gros", "appel du labo : «gros» a un K à 6. vu «gros» avec l'interne. le gros intestin"),
    ("Fort", "«fort» très algique ce matin. fort de ces résultats, vent fort"),
    ("Sec", "«sec» à jeun. pansement sec, toux sec. Dossier de «sec» transmis"),
    ("Fontaine", "boit à la fontaine. toilette de «fontaine» faite. 15h «fontaine» descend"),
    ("Poisson", "repas : poisson vapeur. allergie au poisson. la fille de «poisson» au tel"),
    ("Bras", "bras gauche, bras perfusé. «bras» dit avoir mal au bras. «bras» a bien mangé"),
    ("Coeur", "coeur régulier, bruits du coeur. coeur est gros. «coeur» refuse le bilan"),
    ("Masse", "masse vue au scanner, masse stable. «masse» vu par chir. son fils «masse» kévin"),
    ("Rouge", "oeil rouge. «rouge» ne s'alimente plus"),
    ("Noir", "hier «noir» a chuté, ch 12 «noir» dort, écran noir. entretien avec «noir»"),
    ("Lait", "lait de suite. «lait» boit son lait. mère de «lait» prévenue"),
    ("Sage", "bébé sage. «sage» crie, parents de «sage» rencontrés. M. de «sage» est là"),
    ("Noël", "la fête de Noël, avant Noël. «Noël» ne mange pas, fils de «noël»"),
    ("Bonnet", "sa fille a appelé. bonnet de laine. prévenir «bonnet» du rdv, d'après «bonnet»"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line"), LINES)
def test_a_told_word_is_found_where_a_person_stands(name: str, line: str) -> None:
    text = line.replace("«", "").replace("»", "")
    doc = Document("n", text, known={Label.LAST_NAME: (name,)})
    wanted = [m.start() - 2 * at for at, m in enumerate(re.finditer("«", line))]
    assert sorted(span.start for span in Metadata()(doc)) == wanted


def test_two_told_words_side_by_side_in_one_sentence_are_a_name() -> None:
    known = {Label.LAST_NAME: ("Petit",), Label.FIRST_NAME: ("Rose",)}
    text = "rose petit sous O2. tache rose. petit hématome"
    found = Metadata()(Document("n", text, known=known))
    assert {text[s.start : s.end] for s in found} == {"rose", "petit"}
    assert len([*found]) == 2


def test_a_comma_between_two_told_words_opens_a_line() -> None:
    known = {Label.LAST_NAME: ("Petit",), Label.FIRST_NAME: ("Rose",)}
    text = "petit, rose : retour du bloc\npetit, tache rose"
    spans = Metadata()(Document("n", text, known=known))
    assert [(s.start, s.end) for s in spans] == [(0, 5), (7, 11)]


def test_propagation_leaves_told_words_to_what_was_told() -> None:
    text = "M. Constant vu. Poids Constant"
    doc = Document("n", text, known={Label.LAST_NAME: ("Constant",)})
    found = [Span(3, 11, Label.LAST_NAME, 1.0, "metadata")]
    assert Propagate()([doc], [found]) == ((),)
    assert Propagate()([Document("n", text)], [found]) != ((),)


@pytest.mark.parametrize(
    ("text", "word", "only"),
    [
        ("peau claire", "claire", True),
        ("levée à l'claire", "claire", True),
        ("claire de peau", "claire", True),
        ("claire dort", "claire", False),
        ("chez claire", "claire", False),
        ("peau CLAIRE", "CLAIRE", False),
    ],
)
def test_what_goes_with_its_noun_is_only_a_word(text: str, word: str, only: bool) -> None:
    start = text.index(word)
    told = Document("n", text, known={Label.FIRST_NAME: ("Claire",)})
    assert is_only_a_word(told, start, start + len(word)) is only
    assert not is_only_a_word(Document("n", text), start, start + len(word))


@pytest.mark.parametrize(
    ("text", "word", "only"),
    [
        ("allergie au pollen de poirier", "poirier", True),
        ("chute d'un poirier", "poirier", True),
        ("voir dans le Vidal", "Vidal", True),
        ("interaction (Vidal en ligne)", "Vidal", True),
        ("monsieur Vidal en ligne", "Vidal", False),
        ("temps clément ce jour", "clément", True),
        ("noté en hecto pascal", "pascal", True),
        ("amas en marguerite", "marguerite", True),
        ("la sonde tend à se boucher", "boucher", True),
        ("chambre de poirier", "poirier", False),
        ("poirier va mieux", "poirier", False),
        ("pascal dort", "pascal", False),
        ("fille de clément", "clément", False),
        ("chez boucher", "boucher", False),
    ],
)
def test_what_grows_or_is_done_is_no_told_name(text: str, word: str, only: bool) -> None:
    start = text.index(word)
    told = Document("n", text, known={Label.LAST_NAME: (word.title(),)})
    assert is_only_a_word(told, start, start + len(word)) is only
    if only and word != "boucher":
        assert not list(Metadata()(told))
    elif not only:
        assert list(Metadata()(told))
