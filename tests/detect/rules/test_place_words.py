"""Places of care, units, rooms and other bodies: forms beyond the row examples."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document
from dpdeid.spans import disjoint

TABLE = Table(rows("care"))


def found(text: str, label: str) -> list[str]:
    spans = disjoint(TABLE.scan(Document("note", text)))
    return [text[s.start : s.end] for s in spans if s.label == label]


@pytest.mark.parametrize(
    ("text", "hospital"),
    [
        ("admis au CHU de Brest", "CHU de Brest"),
        (
            "CENTRE HOSPITALIER DES PAYS DE MORLAIX\nService",
            "CENTRE HOSPITALIER DES PAYS DE MORLAIX",
        ),
        ("EHPAD Les Trois Tilleuls, chambre 4", "EHPAD Les Trois Tilleuls"),
        ("vu au cabinet médical du Pont-Vieux", "cabinet médical du Pont-Vieux"),
        ("opérée à l'hôpital privé de l'Orangerie", "hôpital privé de l'Orangerie"),
        ("suivi au CMP enfants de la Meinau par", None),
        ("transféré aux HUG", "HUG"),
        ("maison de santé du Warndt", "maison de santé du Warndt"),
        ("Institut Bergonié", "Institut Bergonié"),
        ("C.H.U. Caen Normandie", "C.H.U. Caen Normandie"),
        ("parti au ch de gueret", "ch de gueret"),
        ("ehpad les peupliers", "ehpad les peupliers"),
        ("admise à l'EHPAD « La Margelle » hier", "EHPAD « La Margelle »"),
        ("suivie au GMF des Hautes-Terres", "GMF des Hautes-Terres"),
        ("assurée GMF Vie", None),
        ("avis à la clin. Ste-Odile ce jour", "clin. Ste-Odile"),
        ("Hôpitaux Marie Curie, consultation", "Hôpitaux Marie Curie"),
    ],
)
def test_hospitals(text: str, hospital: str | None) -> None:
    assert found(text, "HOSPITAL") == ([hospital] if hospital else [])


@pytest.mark.parametrize(
    "text",
    [
        "examen clinique sans particularité",
        "rémission clinique sous Stelara",
        "adressée au CHU",
        "vit en EHPAD depuis 2019",
        "maladie de Dupuytren",
        "la clinique du patient est rassurante",
        "centre de la pièce",
        "M. Necker est venu",
        "clin. Abdomen souple",
        "ancienne interne des hôpitaux de Nancy",
        "IDE libérale : cabinet Morvan-Le Dantec",
        "Institut de pathologie du Léman",
    ],
)
def test_no_hospital(text: str) -> None:
    assert found(text, "HOSPITAL") == []


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("le service de néphrologie et transplantation", "néphrologie et transplantation"),
        ("Service d'HÉMATOLOGIE CLINIQUE", "HÉMATOLOGIE CLINIQUE"),
        ("hospitalisée en hôpital de jour de pneumologie", "pneumologie"),
        ("transférée en maladies infectieuses", "maladies infectieuses"),
        ("vue aux urgences gynécologiques", "urgences gynécologiques"),
        ("ORTHOPEDIE-TRAUMATOLOGIE\nCompte rendu", "ORTHOPEDIE-TRAUMATOLOGIE"),
        ("gardé en UHCD cette nuit", "UHCD"),
        ("sinon lit en uhcd", "uhcd"),
        ("consultation diabète et grossesse", "diabète et grossesse"),
        ("service de chirurgie digestive C du CHU", "chirurgie digestive C"),
        ("unité de rythmologie et stimulation cardiaque", "rythmologie et stimulation cardiaque"),
        ("CANCÉROLOGIE – SÉNOLOGIE\nCompte rendu", "CANCÉROLOGIE – SÉNOLOGIE"),
    ],
)
def test_units(text: str, unit: str) -> None:
    assert found(text, "UNIT") == [unit]


@pytest.mark.parametrize(
    "text", ["vue aux urgences", "bilan de cardiologie", "opéré en urgence", "service de qualité"]
)
def test_no_unit(text: str) -> None:
    assert found(text, "UNIT") == []


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("chambre 308", "308"),
        ("Chambre : A-312", "A-312"),
        ("box 4, fast-track", "4"),
        ("lit 12 fenêtre", "12"),
        ("salle B3", "B3"),
        ("hall C", "C"),
        ("fauteuil 11", "11"),
    ],
)
def test_rooms(text: str, room: str) -> None:
    assert found(text, "ROOM") == [room]


@pytest.mark.parametrize(
    "text", ["au lit 12 h par jour", "sonde CH18", "place de 3 mg", "lit 2 fois par jour"]
)
def test_no_room(text: str) -> None:
    assert found(text, "ROOM") == []


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("la pharmacie du Steir est prévenue", "pharmacie du Steir"),
        ("scolarisé au collège Raoul-Blanchard", "collège Raoul-Blanchard"),
        ("carreleur chez Bretagne Sols", "Bretagne Sols"),
        ("Mutuelle : Solidaris", "Solidaris"),
        ("dossier MDPH 76", "MDPH 76"),
        ("TJ d'Amiens", "TJ d'Amiens"),
        ("ancien contrôleur SNCF", "SNCF"),
        ("les Ambulances du Val", "Ambulances du Val"),
    ],
)
def test_organizations(text: str, body: str) -> None:
    assert found(text, "ORGANIZATION") == [body]


@pytest.mark.parametrize(
    "text", ["chez un homme de 52 ans", "CHEZ UN HOMME DE 52 ANS", "chez Mme Durand", "une école"]
)
def test_no_organization(text: str) -> None:
    assert found(text, "ORGANIZATION") == []
