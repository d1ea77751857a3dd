"""Initials at the ends of lines: whoever ends two, who signs beside them, and what is nobody's."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules.people.signed_blocks import signed_blocks
from dpdeid.document import Document


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in signed_blocks(Document("1", text), ())]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("bas | ok | MLD\naérosol | - | J.-P.\ntalon | ok | MLD", ["MLD", "J.-P.", "MLD"]),
        ("site marqué (LG)\nantibio 2 g (EK)\ncomptes x2 (LG/PM)", ["LG", "EK", "LG", "PM"]),
        ("appel fils. JN\nchute, TA 11/7. ESB\nrefus kiné. JN", ["JN", "ESB", "JN"]),
        ("PM 10 m [NaB]\npas vu\nPM 20 m [NaB]\ndouleur [Lz]", ["NaB", "NaB", "Lz"]),
        ("TA 13/7   [08h AGD]\nTA 12/8   [14h AGD]", ["AGD", "AGD"]),
        ("avis donné / LMC\nCNO 2/j / GBR\nPCA stop / LMC + JR", ["LMC", "GBR", "LMC", "JR"]),
        ("INR 4,1 / ct\nINR 2,7 / ct\nINR 2,4 / asl\nrien reçu / asl", ["ct", "ct", "asl", "asl"]),
        ("vue (gw), dort\nmange (gw)", ["gw", "gw"]),
        ("1 | chute | TBR | RAD\n2 | OAP | SaM | USIC\n3 | DT | TBR | RAD", ["TBR", "TBR"]),
    ],
)
def test_who_ends_lines_signs_them(text: str, who: list[str]) -> None:
    assert found(text) == who


@pytest.mark.parametrize(
    "text",
    [
        "pst refait - KDL\nvu en consultation",
        "OBX|1|NM|718-7|12|g\nOBX|2|NM|777-3|98|G",
        "DUPONT | 78 | BPCO\nMARTIN | 64 | LMC\nROUX | 70 | LMC",
        "Hb | 12 | g\nNa | 140 | mmol\nK | 4 | mmol",
        "matin | doliprane | iv\nsoir | doliprane | iv\nnuit | perf | po",
        "K 6,1 | HH\nNa 125 | LL\nCl 90 | LL",
        "inclus.&lt;br&gt;\napyr&lt;br&gt;\nvu&lt;br&gt;",
        "lit | motif | qui\nDupont | EP | qui",
    ],
)
def test_what_ends_lines_is_nobody(text: str) -> None:
    assert not found(text)
