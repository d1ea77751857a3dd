"""Who signs a letter or a mail, quoted ones included."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.names.whole_lines import signatures
from dpdeid.document import Document


def signed(text: str) -> list[str]:
    view = View(Document("x", text))
    return [text[s.start : s.end] for s in signatures(view)]


FURTHER = "\nsuite du dossier sans autre nom" * 20


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Merci\nSolène", ["Solène"]),
        ("Cordialement,\nK", ["K"]),
        ("Cdt\nS.", ["S."]),
        (f"> Merci\n> K\n> --{FURTHER}", ["K"]),
        (f"> > Bises,\n> > Anne-So\n> fil{FURTHER}", ["Anne-So"]),
        (f"Merci\nK{FURTHER}", []),
        ("> Vitamine\n> K\n> ce jour", []),
        ("Merci\nde rappeler", []),
        ("Merci\nk", []),
        ("> Merci\n>", []),
    ],
)
def test_what_stands_alone_behind_closing_words_signs(text: str, names: list[str]) -> None:
    assert signed(text) == names
