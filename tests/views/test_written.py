"""Released text keeps the form of its note, and the form tells no value."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from dpdeid.document import Document, Mention, Span, Surrogate, rewrite
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.substitute.fit import fit
from dpdeid.views.plain import reading_of
from dpdeid.views.written import written
from tests.conftest import KEY


def released(raw: str, values: Sequence[tuple[str, str]]) -> str:
    """The raw text with plain values replaced by others."""
    reading = reading_of(raw)
    surrogates = []
    for value, new in values:
        at = reading.text.index(value)
        span = Span(at, at + len(value), Label.OTHER_ID)
        surrogates.append(Surrogate(Mention(0, span, value), new, "test"))
    return rewrite(raw, written(reading, surrogates))


FORMS = {
    "boxes": ("|D|U|P|O|N|T|", "DUPONT", "LEROY", "|L|E|R|O|Y|"),
    "spaced": ("né 1 2 / 0 3 / 1 9 5 8.", "12/03/1958", "07/11/1960", "né 0 7 / 1 1 / 1 9 6 0."),
    "two words": ("D U P O N T   L E A.", "DUPONT LEA", "ROY EVE", "R O Y   E V E."),
    "more words": ("D U P O N T.", "DUPONT", "LE GOFF", "L E   G O F F."),
    "marks": ("L|E|-|R|O|Y", "LE-ROY", "DU-PUIS", "D|U|-|P|U|I|S"),
    "marks that were none": ("L|E|R|O|Y", "LEROY", "DU-PUIS", "D|U|-|P|U|I|S"),
    "wide": ("D | U | P | O", "DUPO", "ROY", "R | O | Y"),
    "entities": (
        "n&eacute;e &agrave; Br&eacute;al.", "Bréal", "Orée & Cie",
        "n&eacute;e &agrave; Or&eacute;e &amp; Cie.",
    ),
    "numbers": ("n&#233;e &#224; Brest.", "Brest", "Orée", "n&#233;e &#224; Or&#233;e."),
    "entity in the value alone": ("vue, Br&eacute;al.", "Bréal", "Orée", "vue, Orée."),
    "hexadecimal": ("n&#xE9; vers Brest", "Brest", "Orée", "n&#xE9; vers Or&#xE9;e"),
    "slashes": ("né 3/1 . 1/2 . 1/9/6/4", "31.12.1964", "02.10.1955", "né 0/2/./1/0/./1/9/5/5"),
    "json": (r"n\u00e9e \u00e0 Brest", "Brest", "Orée", r"n\u00e9e \u00e0 Or\u00e9e"),
    "mojibake": ("nÃ©e vers Brest", "Brest", "Orée", "nÃ©e vers OrÃ©e"),
    "mojibake of Latin-1": ("Ã\x89cho vers Brest", "Brest", "Éa", "Ã\x89cho vers Ã\x89a"),
    "unbreakable": ("vu\u00a0le\u00a03\u00a0mars", "3 mars", "4 mai", "vu\u00a0le\u00a04\u00a0mai"),
    "unbreakable entity": ("n&eacute;&nbsp;hier", "hier", "le 3", "n&eacute;&nbsp;le&nbsp;3"),
    "unbreakable in the value alone": ("vu le 3\u00a0mars", "3 mars", "4 mai", "vu le 4 mai"),
    "an unbreakable gap": ("vu de\u00a0Brest", "Brest", "Dijon", "vu de Dijon"),
    "curly": ("l’an, vers Brest", "Brest", "L'Orée", "l’an, vers L’Orée"),
    "superscript goes": ("le 1<sup>er</sup> mai", "1er mai", "2 mai", "le 2 mai"),
    "tags stay apart": ("<b>M. Roy</b> vu", "Roy", "Petit", "<b>M. Petit</b> vu"),
    "tags stay whole": ("<b>M. Ro</b>y vu", "Roy", "Petit", "<b>M. Petit</b> vu"),
    "data stay whole": ("<![CDATA[Jean]]> Roy", "Jean Roy", "Eve Petit", "<![CDATA[Eve Petit]]>"),
    "data begin inside": ("Jean <![CDATA[Roy]]>.", "Jean Roy", "Eve", "Eve<![CDATA[]]>."),
    "escaped tags": (
        "&lt;b&gt;Jean&lt;/b&gt; Roy", "Jean Roy", "Eve Petit", "&lt;b&gt;Eve Petit&lt;/b&gt;",
    ),
    "values": ('<given value="Léa"/>', "Léa", "Eve", '<given value="Eve"/>'),
    "broken": ("Mme Du-\npont va", "Dupont", "Leroy", "Mme Leroy\n va"),
    "misread": ("vu le O5/l2/2O21", "05/12/2021", "07/01/2020", "vu le 07/01/2020"),
    "stuck": ("MmeDUPONTJean", "DUPONT", "ROY", "MmeROYJean"),
    "as it is": ("Mme Roy", "Roy", "Petit", "Mme Petit"),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "value", "new", "whole"), FORMS.values(), ids=FORMS)
def test_the_form_stays(raw: str, value: str, new: str, whole: str) -> None:
    assert released(raw, [(value, new)]) == whole


@pytest.mark.parametrize(
    ("raw", "taken_in", "fitted", "whole"),
    [
        ("à N|I|M|E|S.", 0, "ETAMPES", "à E|T|A|M|P|E|S."),  # without the accent of "ÉTAMPES"
        ("d'A|G|E|N.", 2, "de ÉTAMPES", "de É|T|A|M|P|E|S."),
        ("à N|I|M|E|S.", 2, "au MANS", "au M|A|N|S."),
    ],
)
def test_only_a_word_that_was_taken_in_has_no_boxes(
    raw: str, taken_in: int, fitted: str, whole: str
) -> None:
    reading = reading_of(raw)
    at = reading.text.index(" " if raw[1] == " " else "'") + 1
    bare = Surrogate(
        Mention(0, Span(at, len(reading.text) - 1, Label.CITY), reading.text[at:-1]),
        "LE MANS" if "MANS" in fitted else "ÉTAMPES",
        "test",
    )
    span = Span(at - taken_in, len(reading.text) - 1, Label.CITY)
    wide = Surrogate(Mention(0, span, reading.text[at - taken_in : -1]), fitted, "test")
    assert rewrite(raw, written(reading, [wide], [bare])) == whole


def test_accents_that_a_note_writes_without_do_not_part_the_boxes() -> None:
    reading = reading_of("Venu d'É|T|A|M|P|E|S.")
    town = Mention(0, Span(7, 14, Label.CITY), reading.text[7:14])
    fitted, bare = fit(reading.text, [Surrogate(town, "LIMEIL-BRÉVANNES", "test")])
    whole = rewrite(reading.raw, written(reading, fitted, bare))
    assert whole == "Venu de L|I|M|E|I|L|-|B|R|E|V|A|N|N|E|S."


def test_what_stands_outside_stays() -> None:
    raw = "<td>n&eacute;e</td> Ro</b>y \u200b Le\u0301a &lt; D|U|P|O"
    parts = re.split("Ro</b>y|Le\u0301a|D\\|U\\|P\\|O", raw)
    given = released(raw, [("Roy", "A"), ("Léa", "B"), ("DUPO", "C")])
    assert given == f"{parts[0]}A</b>{parts[1]}B{parts[2]}C{parts[3]}"


@pytest.mark.parametrize("value", ["Bréal", "Br&eacute;al", "Brest", "Br&#233;st"])
def test_how_a_value_writes_accents_does_not_show(value: str) -> None:
    raw = f"vue vers {value} hier"
    plain = reading_of(raw).text.split()[2]
    assert released(raw, [(plain, "Orée")]) == "vue vers Orée hier"


def test_through_the_engine() -> None:
    raw = (
        "<tr><td>Nom :</td><td>D U P O N T E L</td></tr>"
        "<p>Mme DUPONTEL, n&eacute;e le 1 2 / 0 3 / 1 9 5 8, vue le O5/l2/2O21.</p>"
    )
    policy = load_policy("aphp")
    policy = policy.found_by(*[d for d in policy.detectors if d.name in ("patterns", "lookup")])
    result = Deidentifier(policy, key=KEY)(Document("a", raw))
    found = re.fullmatch(
        r"<tr><td>Nom :</td><td>((?:[A-Z] )+[A-Z])</td></tr>"
        r"<p>Mme ([A-Z]+), n&eacute;e le (\d \d / \d \d / \d \d \d \d), vue le "
        r"(\d\d/\d\d/\d{4})\.</p>",
        result.text,
    )
    assert found is not None
    assert found[1].replace(" ", "") == found[2] != "DUPONTEL"
    assert "1 2 / 0 3" not in found[3]
    assert found[4] != "05/12/2021"
    for surrogate in result.surrogates:
        span = surrogate.mention.span
        assert raw[span.start : span.end] == surrogate.mention.text
