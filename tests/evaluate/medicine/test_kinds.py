"""Each kind on its examples, with words that look alike and are of another."""

from __future__ import annotations

import pytest

from dpdeid.evaluate.medicine.kinds import COUNTED, MEDICINE, Kind, kind_of, read_yaml

EXAMPLES = {
    Kind.DRUG: (
        "allergie à l'⟦Augmentin⟧", "sous ⟦bisoprolol⟧", "⟦Entresto⟧ le matin",
        "⟦nivolumab⟧ toutes", "prend du ⟦Zyxol⟧ 5 mg", "allergique aux ⟦arachides⟧",
        "de l'⟦insuline⟧",
    ),
    Kind.DOSE: (
        "sténose à 70 ⟦%⟧",
        "200 mg × ⟦3⟧ pendant",
        "⟦500⟧ mg", "paracétamol ⟦1⟧ g", "Keppra ⟦1-0-1⟧", "Keppra ⟦x3/j⟧", "Keppra ⟦500⟧",
        "⟦500mg⟧", "nodule de ⟦12⟧ mm", "sténose à ⟦70⟧ %", "⟦3⟧ x/j", "500 ⟦mg⟧", "stent ⟦3.0x24⟧",
        "metformine ⟦mille⟧",
    ),
    Kind.VALUE: (
        "SpO2 92 ⟦%⟧", "CRP ⟦<⟧ 5 mg/l",
        "LDL à zéro virgule ⟦quatre⟧-vingt-douze", "|27|mmol/L|⟦3-7⟧|H",
        "Hb ⟦12,3⟧", "⟦Hb⟧ 12,3", "TA ⟦12/8⟧", "TA : ⟦120/80⟧ mmHg", "SpO2 à ⟦92⟧ %",
        "CRP 45 puis ⟦12⟧", "OBX|CREATININE||⟦412⟧|umol/L", "kaliémie contrôlée à ⟦4,2⟧",
        "poids ⟦72⟧ kg", "⟦4,2⟧ mmol/L", "14:00;⟦151/88⟧;80", "ferritine ⟦12⟧ (N : 30-300)",
        "dosage à ⟦12⟧ (10-15)", "fc ⟦80⟧/min",
        "le psa c'est ⟦12.03⟧", "Hb | 12 | ⟦11⟧", "Heure  TA   FC\n08h  12/8  ⟦74⟧",
        "Nom;Poids\nX;⟦3980⟧", "Poids\n⟦3980⟧ | 4010", "MRC somme /60      28      ⟦47⟧",
    ),
    Kind.CODE: (
        "GIR revu à ⟦2⟧", "groupé en ⟦04M05⟧", "S72.0, ⟦S67⟧",
        "déchirure du ⟦1er⟧ degré",
        "⟦E11.9⟧", "CIM-10 : ⟦I10⟧", "acte ⟦HHFA016⟧", "⟦N02BE01⟧", "⟦pT2N0M0⟧", "T2 ⟦N1⟧ M0",
        "⟦G2P1⟧", "ASA ⟦2⟧", "NYHA ⟦III⟧", "stade ⟦IV⟧", "⟦Gleason⟧ 7", "diabète de type ⟦2⟧",
        "MMSE ⟦24/30⟧", "groupe ⟦A⟧", "variant ⟦NM⟧_001376.5", "c.⟦3278T⟧>C",
    ),
    Kind.DURATION: (
        "⟦3⟧ semaines", "pendant ⟦5⟧ jours", "3 ⟦semaines⟧", "⟦depuis⟧ 3 mois", "à ⟦J5⟧",
        "à ⟦36⟧ SA + 5", "⟦trois⟧ jours", "toutes les ⟦8⟧ h",
    ),
    Kind.NAMED: (
        "lésion de ⟦Monteggia⟧", "entorse de ⟦Zyxwv⟧",
        "maladie de ⟦Crohn⟧", "stent ⟦Xience⟧", "signe de ⟦Zyxwv⟧", "facteur V ⟦Leiden⟧",
        "PM Medtronic ⟦Azure⟧", "le ⟦Lasègue⟧ est", "drain de ⟦Redon⟧", "selon ⟦Joel⟧-Zyxwv",
        "PANSEMENT ⟦URGOTUL⟧ FAIT",
    ),
    Kind.ABBREVIATION: (
        "⟦BPCO⟧ connue", "pas d'⟦atcd⟧", "⟦ECBU⟧ stérile", "l'⟦INR⟧ cible", "une ⟦ETT⟧",
        "le ⟦MMSE⟧ fait",
    ),
    Kind.TERM: (
        "des ⟦cancers⟧ du", "RENDU ⟦0PERAT0IRE⟧", "PTG ⟦G⟧ posée", "tante ⟦K⟧ ovaire",
        "⟦cholécystectomie⟧", "hernie ⟦gauche⟧", "⟦pneumopathie⟧", "puis ⟦entorse⟧",
        "sténose ⟦mitrale⟧", "⟦hyperleucocytose⟧",
    ),
    Kind.ACRONYM: (
        "service d'⟦O⟧.R.L. du",
        "dossier ⟦QRZ⟧ clos", "le code ⟦XB12⟧ du", "porte code ⟦BX12⟧",
        "dosage ⟦CA724⟧ ici", "fin. ⟦QRZ⟧ vu",
    ),
    Kind.WORD: (
        "1995-03-03\t⟦M⟧\t2024", "DECISION ⟦DU⟧ 24", "⟦SPAd⟧ : vu", "mutuelle ⟦MGEN⟧",
        "chauffeur ⟦RATP⟧",
        "scan_⟦B01⟧.tif", "ROY_1403.⟦MP3⟧", "|⟦MSG00781⟧|P", "⟦CRX⟧_ROY",
        "⟦un⟧ jardin", "vu par ⟦G⟧. Petit", "voit ⟦Zyxwv⟧ au",
        "le ⟦médecin⟧ dit", "retour à la ⟦montagne⟧", "⟦Mme⟧ vue", "⟦CHU⟧ vu", "LE ⟦CHAT⟧ EST LA",
        "chez son ⟦ami⟧", "⟦Pâques⟧",
    ),
    Kind.NUMBER: (
        "dossier ⟦4512⟧ clos", "porte ⟦12⟧", "le ⟦118⟧ a", "n° ⟦12/2021⟧", "les ⟦deux⟧ fils",
        "page ⟦1/2⟧", "en ⟦2019⟧",
    ),
    Kind.FORMAT: ("fin⟦.⟧", "a ⟦-⟧ b", "peur ⟦+⟧", "TA⟦:⟧ 12/8"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "kind"), [(line, kind) for kind, lines in EXAMPLES.items() for line in lines]
)
def test_the_kind_of_a_word_in_its_line(line: str, kind: Kind) -> None:
    before, word, after = line.replace("⟧", "⟦").split("⟦")
    start = len(f"CRP 12\n{before}")  # what stands on other lines does not count
    assert kind_of(f"CRP 12\n{before}{word}{after}\nmg/l", start, start + len(word)) is kind


def test_every_kind_but_grammar_has_examples() -> None:
    assert {*EXAMPLES, Kind.GRAMMAR} == set(Kind)
    assert set(MEDICINE) < set(COUNTED) == set(Kind) - {Kind.GRAMMAR, Kind.FORMAT}


@pytest.mark.parametrize("cue", ["drugs that no list has", "abbreviations", "numbers in words"])
def test_lists_hold_each_word_once(cue: str) -> None:
    assert "|" not in read_yaml("cues.yaml")[cue]
    listed = read_yaml("cues.yaml")[cue].split()
    assert len(listed) == len(set(listed))


def test_a_long_line_is_read_around_the_word_only() -> None:
    far = "Hb " + "x" * 400 + " 12"
    assert kind_of(far, len(far) - 2, len(far)) is Kind.NUMBER
