"""Lengths of journeys and pregnancies and what tests find are no ages; ages stay ages."""

from __future__ import annotations

import pytest

from dpdeid.detect.lengths import is_length
from dpdeid.document import Span
from dpdeid.labels import Label


def told(text: str, what: str, label: Label = Label.AGE) -> bool:
    start = text.index(what)
    return is_length(Span(start, start + len(what), label, 0.9, "crf"), text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Bamako 5 mois, 8 mois en Libye, arrivé hier", "8 mois"),
        ("Bamako 5 mois, 8 mois en Libye, arrivé hier", "5 mois"),
        ("Trajet : 2 ans à Tripoli, pirogue", "2 ans"),
        ("a fait 3 mois de stage à Oran puis 2 ans en mission au Gabon", "2 ans"),
        ("resté 14 mois en détention, puis relâché", "14 mois"),
        ("Alouette : 7 ans 2 mois", "7 ans 2 mois"),
        ("âge osseux 9 ans selon l'atlas", "9 ans"),
        ("Vineland âge équivalent : 4 ans 8 mois", "4 ans 8 mois"),
        ("langage : 3 ans 6 mois", "3 ans 6 mois"),
        ("enceinte de 7 mois, va bien", "7 mois"),
        ("grossesse gémellaire de 5 mois", "5 mois"),
        ("à 6 mois de grossesse", "6 mois"),
        ("PR érosive, 11 ans d'évolution", "11 ans"),
        ("Échec d'Esmya (3 mois) puis DIU", "3 mois"),
    ],
)
def test_is_no_age(text: str, what: str) -> None:
    assert told(text, what)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("une fille de 5 ans à Lyon, un fils 12 ans à Paris", "5 ans"),
        ("une fille de 5 ans à Lyon, un fils 12 ans à Paris", "12 ans"),
        ("Moussa, 25 ans, à Paris depuis peu", "25 ans"),
        ("arrivé à 8 ans en France", "8 ans"),
        ("homme 45 ans en prison", "45 ans"),
        ("âgé de 45 ans en foyer", "45 ans"),
        ("grossesse à 18 ans", "18 ans"),
        ("Awa 5 mois, amenée par sa mère", "5 mois"),
        ("niveau de lecture faible. 8 ans", "8 ans"),
    ],
)
def test_is_an_age(text: str, what: str) -> None:
    assert not told(text, what)


@pytest.mark.parametrize(
    ("text", "what", "length"),
    [
        ("Asthénie, dort 4h30 après nuits", "4h30", True),
        ("durée 06:12", "06:12", True),
        ("vu à 4h30 aux urgences", "4h30", False),
        ("sorti 06:12", "06:12", False),
        ("On garde la sédation 24h, TDM demain", "24h", True),
        ("plâtre 24h -> lundi", "24", True),
        ("liquides clairs jusqu'à 2 h avt", "2 h", True),
        ("surveillance neuro 6 h. Cs main", "6 h", True),
        ("VNI 2h, pause repas", "2h", True),
        ("Jeûne solides 6 h, liquides clairs", "6 h", True),
        ("Après 3h aux urgences, elle rentre", "3h", True),
        ("tracé interprétable 4h10) : IAH 47", "4h10", True),
        ("choc cardiogénique - intervalle 12 heures", "12 heures", True),
        ("hospitalisé moins de 24 heures", "24 heures", True),
        ("appel vers 12 heures", "12 heures", False),
        ("revu à environ 12 h 30", "12 h 30", False),
        ("séance 14h30, dialyse 13h", "14h30", False),
        ("séance 14h30, dialyse 13h", "13h", False),
        ("rupture 5h, LA clair", "5h", False),
        ("perfusion 8h, VNI 22h", "8h", False),
        ("perfusion 8h, VNI 22h", "22h", False),
        ("surveillance 6h 14h 22h", "6h", False),
        ("surveillance 6h 14h 22h", "14h", False),
        ("VNI mise en route 7h40", "7h40", False),
        ("sortie à 14h après avis", "14h", False),
        ("visites jusqu'à 20 h", "20 h", False),
        ("vu à 8 h de ce jour", "8 h", False),
        ("sang à 3h de l'arrivée", "3h", False),
        ("fissure anale à 6h", "6h", True),
        ("deux marisques à 3h, 7h et 11h", "3h", True),
        ("deux marisques à 3h, 7h et 11h", "11h", True),
        ("déchirure du limbe étendue de 10 à 2h", "2h", True),
        ("nodule revu ce matin à 11h", "11h", False),
        ("fils retirés à 10h", "10h", False),
        ("lésion à 14h", "14h", False),
        ("par période de 12 heures", "12 heures", True),
        ("raideur matinale de 2 heures", "2 heures", True),
        ("séances de 14h à 16h", "14h", False),
        ("deux dosages à 6h d'intervalle", "6h", True),
        ("réduite à deux heures d'un choc", "deux heures", True),
        ("vomit 4 heures après, puis dort", "4 heures", True),
        ("revue à 5 heures après-midi", "5 heures", False),
        ("reperfusé à 2 h 20 du début", "2 h 20", True),
        ("reperfusé à 2 h 20 du matin", "2 h 20", False),
        ("Délai;17 h", "17 h", True),
        ("revue à 6h post-op", "6h", True),
        ("rdv 14h poste 3", "14h", False),
        ("bilan à 12h de la chirurgie", "12h", True),
        ("temps opératoire : 1h40", "1h40", True),
        ("tétée toutes 3 h", "3 h", True),
        ("fait des postes de 12h", "12h", True),
        ("cortisol de 8h normal", "8h", True),
        ("cortisol prélevé à 8h", "8h", False),
        ("dialyse 3 x 4h", "4h", True),
        ("à jeun 6h solides, 2h liquides", "6h", True),
        ("à jeun 6h solides, 2h liquides", "2h", True),
        ("dialysée 4h x 3", "4h", True),
        ("repos au lit au moins 6h", "6h", True),
        ("masque gardé 6h25 par nuit", "6h25", True),
        ("tracé : 22h50 d'enregistrement", "22h50", True),
        ("HDF 3h50, poids sec 58", "3h50", True),
        ("FX CorDiax + 3h15", "3h15", True),
        ("délai douleur-désobstruction 4h20", "4h20", True),
        ("ischémie tiède 0h35 min", "0h35 min", True),
        ("papules à 3h et à 9h", "9h", False),
        ("marisques à 3h et à 9h", "9h", True),
        ("HD 13h30, arrivée en taxi", "13h30", False),
        ("à 14h30 par taxi", "14h30", False),
        ("travaille 6h-14h10 / nuit", "14h10", False),
        ("malaise puis crise vers 2h15", "2h15", False),
        ("VNI enlevée 3h, dort", "3h", False),
        ("sieste de 1h20", "1h20", True),
        ("sieste 13h-15h", "13h", False),
        ("RPM > 14h", "14h", True),
        ("sortie -> 14h", "14h", False),
        ("passé sur 8h", "8h", True),
        ("bloc décalé sur 14h", "14h", False),
        ("urines à 20h de vie", "20h", True),
        ("Innohep 12h après", "12h", True),
        ("revue 14h après-midi calme", "14h", False),
        ("HGPO 0,79 puis 1,41 à 1h", "1h", True),
        ("T° 38,1 à 4h", "4h", False),
    ],
)
def test_hours_that_last(text: str, what: str, length: bool) -> None:
    assert told(text, what, Label.TIME) is length
