"""Initials without dots where staff sign, dictate or are named, and letters that are nobody's."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules.people.placed_initials import placed_initials
from dpdeid.document import Document


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in placed_initials(Document("1", text), ())]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("(CD/sv)", ["CD", "sv"]),
        ("tél. au labo à 08h50 par VBR~fait", ["VBR"]),
        ("lmprimé par : SLB p. 1", ["SLB"]),
        ("  Opérateur       KDL", ["KDL"]),
        ("aérosol fait\nMJD 6h40", ["MJD"]),
        ("1er lecteur DVL, 2e lecteur HJ. ACR 2 bilatéral.", ["DVL", "HJ"]),
        ("Présents : AM, BC, J-FT, LdB, excusé : VR", ["AM", "BC", "J-FT", "LdB", "VR"]),
        ("Surveillance. -- EG, IDE", ["EG"]),
        ("dict. ML -> frappe", ["ML"]),
        ("tapé par cl, validé", ["cl"]),
        ("Réf. : MLB-cg", ["MLB", "cg"]),
        ("N/Réf JPD.mc", ["JPD", "mc"]),
        ("Nos réf. : PDL-sr\nCher ami", ["PDL", "sr"]),
        ("rdv noté par jdf ; ok", ["jdf"]),
        ("dicté JM, tapé sr", ["sr"]),
        ("Discuté avec KB : pas de chir", ["KB"]),
        ("Appeler JPD si besoin", ["JPD"]),
        ("Accord de JPD pour la sortie", ["JPD"]),
        ("Transmis à LJ pour rdv", ["LJ"]),
        ("Opérateurs : JPD - KB", ["JPD", "KB"]),
        ("Op: JPD/KB  Anesth: LM  IBODE: CV", ["JPD", "KB", "LM", "CV"]),
        ("Opérateur JPD, aide KB", ["JPD", "KB"]),
        ("maman SJ appelée", ["SJ"]),
        ("Docteur Lambert (sr)", ["sr"]),
        ("Dr Lambert - sr", ["sr"]),
        ("- [GRV] - transcription [ps]", ["GRV", "ps"]),
        ("Secrétaire (eg) / aide", ["eg"]),
        ("-- kd", ["kd"]),
        ("14h pst refait, ras - KD", ["KD"]),
        ("22:15 dextro 1.2, resucrage fait (kd)", ["kd"]),
        ("ok bloc 14h // kd", []),
        ("14h ok bloc // kd", ["kd"]),
        ("08h12 - JPD - patient stable", ["JPD"]),
        ("12/03 JPD : patient stable", ["JPD"]),
        ("à faire signer : ok FLB", ["FLB"]),
        ("typiste jm, secrétariat (ymc)", ["jm", "ymc"]),
        ("tapé le 12/03 (jm)", ["jm"]),
        ("Saisie jm 14:22", ["jm"]),
        ("Rédigé par : GRV Contrôlé par : PDW", ["GRV", "PDW"]),
        ("validé électroniquement par GRV", ["GRV"]),
        ("dicté le 3/4/2022 par LMC", ["LMC"]),
        ("Copie à GRV et PDW", ["GRV", "PDW"]),
        ("double lecture GRV/PDW", ["GRV", "PDW"]),
        ("branch. MNO | débranch. KTV", ["MNO", "KTV"]),
        ("int. KD, opérée par ThB", ["KD", "ThB"]),
        ("stable\nGRV/PDW/vd", ["GRV", "PDW", "vd"]),
        ("Cordialement, GRV", ["GRV"]),
        ("stable, à revoir.\nGRV.", ["GRV"]),
        ("cicatrice propre. Interne (KLM)", ["KLM"]),
    ],
)
def test_who_is_meant(text: str, who: list[str]) -> None:
    assert found(text) == who


@pytest.mark.parametrize(
    "text",
    [
        "10h15 : bladder scan 300 - BU neg",
        "16h : visite du Dr Martin - RAD prévu lundi\n18h : glycémie - OK\n20h : perf - KCl",
        "08h12 - PSE - en place",
        "(HTA/dnid)",
        "Ortho : LCA, PTG. Kiné : EDM",
        "- tt",
        "[sic] [TA] [IRM]",
        "Vu en RCP. Vu avec IDE. Vu par ORL. Vu par MT. Discuté en RCP avec ORL",
        "mère HTA, père AVC, fils BPCO. patient OK",
        "IDE : TA ok. Kiné : VNI. SF : RCF ok. Op : THA. Anesth : AG 20 min",
        "SF : MAF + // MTR",
        "ok VNI. ok IRM",
        "administré par SNG, nourri par GPE, dosé par HPLC",
        "noté par écrit, donné par os",
        "VU AVEC LE DR. FAIT PAR LA SF. PATIENT DE 52 ANS. AVIS DU SERVICE",
        "Dr Fleury, AT jusqu'au 18/02",
        "hypotension ortho (TA 12/7 couché)",
        "DR OG",
        "Contrôle TA 15/9",
        "ATCD chir. : PTH G. Op : PTG",
        "traité par AVK, TCC. retour famille WE",
        "stable\nHTA.",
        "quadrant supéro-externe (QZX), pas de ganglion".replace("QZX", "QSE"),
        "nodule du quart inférieur externe (QIE)",
        "anticorps positifs par DFQ",
    ],
)
def test_nobody_is_meant(text: str) -> None:
    assert not found(text)
