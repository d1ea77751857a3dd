"""An envelope keeps its elements, its reports are read as pages, and what identifies goes."""

from __future__ import annotations

import datetime as dt
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified, Mention, Span, Surrogate
from dpdeid.errors import InputError
from dpdeid.formats.documents.html import scrubbed
from dpdeid.formats.markup.elements import tree
from dpdeid.formats.markup.fields import may_pass
from dpdeid.labels import Label, Sex
from tests.formats.documents.marked import engine, released, row_of, untouched

ENVELOPE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- export SCHAEFFLI -->
<document id="e4c1a0d2-77aa" version="1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:noNamespaceSchemaLocation="file:///schaeffli.xsd" auteurLogin="kestenho">
  <patient ipp="80045521" groupeSanguin="O+">
    <nom>SCHAEFFLI</nom><prenom>Odile</prenom><sexe>F</sexe>
    <dateNaissance>12.03.1958</dateNaissance>
    <adresse>Rue des Tanneurs 14</adresse><codePostal>1018</codePostal><ville>Lausanne</ville>
    <telephone>021 314 55 66</telephone>
  </patient>
  <medecin><nom>KESTENHOLZ</nom><prenom>Urs</prenom></medecin>
  <dateDocument>2023-11-07</dateDocument>
  <type>lettre</type><etat>true</etat><guid>7f3c-77aa-9912</guid><fichier>schaeffli.pdf</fichier>
  <mesure nom="HbA1c" valeur="7,2" unite="%"/><diagnostic code="J18.9">Pneumopathie</diagnostic>
  <piece encoding="base64">%s</piece>
  <contenu type="text/html"><![CDATA[<html><head><title>SCHAEFFLI</title></head>
<body id="schaeffli"><!-- Odile --><p>Madame <b>SCHAEFFLI</b> Odile, née le 12.03.1958,
séjourne du 01.11.2023 au 07.11.2023.</p><table><tr><td>Hb</td><td>132 g/l</td></tr></table>
<ul><li>Amoxicilline 1 g<ul><li>3 x/j</li></ul></li></ul><img src="schaeffli.jpg"/>
<p>Dr KESTENHOLZ, t&eacute;l. 021 314 55 66, IPP 80045521</p></body></html>]]></contenu>
  <resume>&lt;p class="schaeffli"&gt;Mme SCHAEFFLI &amp;eacute;tait f&#233;brile, CRP &amp;lt; 5
    &lt;/p&gt;&lt;!-- Odile --&gt;</resume>
</document>
""".replace("%s", "U0NIQUVGRkxJ" * 20)
GONE = (
    "schaeffli", "odile", "80045521", "12.03.1958", "tanneurs", "1018", "lausanne", "021 314",
    "kestenho", "e4c1a0d2", "7f3c", "u0niquvg", "01.11.2023", "2023-11-07", "07.11.2023", "urs",
)  # fmt: skip
STAYS = (
    'groupeSanguin="O+"',
    "<type>lettre</type><etat>true</etat><guid></guid><fichier></fichier>",
    '<mesure nom="HbA1c" valeur="7,2" unite="%"/>',
    '<diagnostic code="J18.9">Pneumopathie</diagnostic>',
    "<table><tr><td>Hb</td><td>132 g/l</td></tr></table>",
    "<ul><li>Amoxicilline 1 g<ul><li>3 x/j</li></ul></li></ul>",
    "&lt;p&gt;Mme ",
    "&amp;eacute;tait f&#233;brile, CRP &amp;lt; 5\n    &lt;/p&gt;</resume>",
)


@pytest.mark.parametrize("policy", ["redact", "dp", "chuv"])
def test_an_envelope_is_released_as_one(policy: str) -> None:
    data, _ = released(ENVELOPE.encode("latin-1"), "a.xml", policy)
    text = data.decode("latin-1")
    left = [word for word in GONE if word in text.lower()]
    assert left == []
    assert [part for part in STAYS if part not in text] == []
    before, after = (
        [one.tag for one in ElementTree.fromstring(whole).iter()]
        for whole in (ENVELOPE.encode("latin-1"), data)
    )
    assert before == after


def test_fields_tell_of_the_patient_and_not_of_others() -> None:
    document = row_of(ENVELOPE.encode("latin-1"), "a.xml").document
    assert document is not None
    assert document.known == {
        Label.FIRST_NAME: ("Odile",),
        Label.LAST_NAME: ("SCHAEFFLI",),
        Label.BIRTH_DATE: ("1958-03-12",),
        Label.STREET: ("Rue des Tanneurs 14",),
        Label.ZIP: ("1018",),
        Label.CITY: ("Lausanne",),
        Label.PHONE: ("021 314 55 66",),
        Label.PATIENT_ID: ("80045521",),
    }
    assert (document.sex, document.patient_id) == (Sex.FEMALE, "80045521")
    assert document.note_date == dt.date(2023, 11, 7)


def test_a_fact_in_which_nothing_was_found_is_emptied() -> None:
    data = untouched(b"<p><nom>Petit</nom><ipp v='12'/><texte>Petit</texte></p>", "a.xml")
    assert data == b"<p><nom></nom><ipp v=''/><texte>Petit</texte></p>"


def test_what_is_called_after_a_fact_and_is_none_stays() -> None:
    whole = b"<a><naissance>39 SA</naissance><produit><nom>Doliprane</nom></produit></a>"
    assert untouched(whole, "a.xml") == whole
    assert released(whole, "a.xml")[0] == whole
    document = row_of(whole, "a.xml").document
    assert document is not None
    assert document.known == {}


SEVERAL_STRETCHES = (
    "\n<![CDATA[{}{}]]>\n", "{}<!-- c -->{}", "{}<![CDATA[{}]]>", "<![CDATA[{}]]><?x y?>{}",
)  # fmt: skip


@pytest.mark.parametrize("form", SEVERAL_STRETCHES)
def test_a_value_of_several_stretches_is_one(form: str) -> None:
    given = {"nom": ("Zor", "glub"), "ipp": ("8004", "5521"), "login": ("zkova", "lgr")}
    inside = "".join(f"<{name}>{form.format(*both)}</{name}>" for name, both in given.items())
    whole = f"<patient>{inside}<texte>Zorglub va bien</texte></patient>".encode()
    document = row_of(whole, "a.xml").document
    assert document is not None
    assert document.patient_id == "80045521"
    assert document.known == {Label.LAST_NAME: ("Zorglub",), Label.PATIENT_ID: ("80045521",)}
    root = ElementTree.fromstring(released(whole, "a.xml")[0])
    assert root.findtext("texte") == "[LAST_NAME] va bien"
    assert (root.findtext("login") or "").strip() == ""
    root = ElementTree.fromstring(untouched(whole, "a.xml"))
    assert ["".join(root.findtext(name, "").split()) for name in given] == ["", "", ""]


def test_a_page_escaped_by_numbers_is_scrubbed() -> None:
    data = untouched(b"<a>Vu &#60;p id='roy'&#62;ce jour&#x3C;!-- Roy --></a>", "a.xml")
    assert data == b"<a>Vu &#60;p&#62;ce jour</a>"


def test_nothing_else_changes() -> None:
    whole = (
        '<?xml version="1.0" encoding="utf-8"?>\r\n<n:a xmlns:n="urn:x" n:b = \'1\'>Vu &amp; revu'
        "<c/><![CDATA[état <5 & <b>ok</b>]]>\t&#233;tat &lt;5</n:a>\n"
    )
    assert untouched(whole.encode(), "a.xml") == whole.encode()


PASSES = {
    "id": ("id", "4011", False),
    "a measure": ("x", "7,2", True),
    "a number": ("x", "80045521", False),
    "a code": ("x", "J18.9", True),
    "a word": ("x", "fièvre", True),
    "a name": ("x", "Odile", False),
    "a strange word": ("x", "Schaeffli", False),
    "two words": ("x", "Mme Schaeffli", True),
    "its field": ("nomUsuel", "Schaeffli", True),
    "text": ("conclusion", "Schaeffli", True),
    "a day": ("x", "2023-11-07T10:30:00+01:00", True),
    "a mail": ("x", "a@b.fr", False),
    "a path": ("x", "C:\\roy.pdf", False),
    "packed": ("texte", "QUJD" * 20, False),
    "nothing": ("id", " ", True),
}


@pytest.mark.parametrize(("name", "value", "passes"), PASSES.values(), ids=PASSES)
def test_what_passes(name: str, value: str, passes: bool) -> None:
    assert may_pass(name, value) is passes


def test_attributes_that_are_not_read_are_harmless_or_empty() -> None:
    data = untouched(b'<a class="Schaeffli Odile" code="80045521" unit="mg" type="text"/>', "a.xml")
    assert data == b'<a class="" code="" unit="mg" type="text"/>'


BOMB = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 20))
REFUSED = {
    "a bomb": f'<!DOCTYPE a [<!ENTITY l0 "ha">{BOMB}]><a>&l19;</a>',
    "a file": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "an address": '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>',
    "an entity": "<a>&roy;</a>",
    "not closed": "<a><roy></a>",
    "not bound": "<roy:a/>",
    "nothing": "",
    "two": "<a/><roy/>",
    "deep": "<roy>" * 3000 + "</roy>" * 3000,
    "encoding": '<?xml version="1.0" encoding="utf-7"?><a/>',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_an_error_that_repeats_nothing(text: str) -> None:
    row = row_of(text.encode(), "a.xml")
    assert row.document is None
    assert row.error.startswith("file a.xml: ")
    assert "roy" not in row.error


def test_surrogates_are_no_markup() -> None:
    data = b'<a><nom v="Roy"/>Roy<b><![CDATA[Roy &eacute;]]></b><c><![CDATA[Roy <5]]></c></a>'
    row = row_of(data, "a.xml")
    assert row.document is not None
    assert row.form is not None
    text = row.document.text
    places = [at for at in range(len(text)) if text.startswith("Roy", at)]
    new = tuple(
        Surrogate(Mention(0, Span(at, at + 3, Label.LAST_NAME), "Roy"), '&Eacute; & "C', "test")
        for at in places
    )
    written = row.form.written(Deidentified("a", "", surrogates=new), "x").decode()
    assert written == (
        '<a><nom v="É &amp; &quot;C"/>É &amp; "C<b><![CDATA[&Eacute; &amp; "C &eacute;]]></b>'
        '<c><![CDATA[&Eacute; & "C <5]]></c></a>'
    )


def test_what_would_be_no_xml_is_not_released() -> None:
    row = row_of(b"<a>Vu <b>ce</b> jour</a>", "a.xml")
    assert row.document is not None
    assert row.form is not None
    broken = Surrogate(Mention(0, Span(3, 9, Label.DATE), "Vu <b>"), "A", "test")
    cut = broken._replace(mention=broken.mention._replace(text="x"))
    with pytest.raises(InputError, match="well-formed"):
        row.form.written(Deidentified("a", "", surrogates=(cut,)), "x")


@pytest.mark.parametrize(
    ("declared", "encoding", "again"),
    [
        ("", "utf-8", "utf-8"),
        ("", "utf-16", "utf-16"),
        ("", "cp1252", "utf-8"),
        ("utf-8", "cp1252", "utf-8"),
        ("ISO-8859-1", "latin-1", "latin-1"),
        ("windows-1252", "cp1252", "cp1252"),
        ("iso-8859-15", "iso8859-15", "iso8859-15"),
    ],
)
def test_encodings_come_back(declared: str, encoding: str, again: str) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    whole = f"{head}<a><texte>Vue, état stable</texte></a>"
    data = untouched(whole.encode(encoding), "a.xml")
    assert data == whole.encode(again)
    assert ElementTree.fromstring(data).findtext("texte") == "Vue, état stable"


@given(st.recursive(
    st.sampled_from(["Mme Roy", "<!-- Roy -->", "<![CDATA[<p>Roy</p>]]>", "&lt;b&gt;Roy&lt;/b&gt;",
                     "<x a='Roy' b='1'/>", "<?x Roy?>", "&#233;", "12/03/1958"]),
    lambda inner: st.tuples(st.sampled_from(["bloc", "nom", "n:x"]), st.lists(inner, max_size=3))
    .map(lambda one: f"<{one[0]}>{''.join(one[1])}</{one[0]}>"),
))  # fmt: skip
def test_any_envelope_stays_one(inner: str) -> None:
    whole = f'<doc xmlns:n="urn:n">{inner}</doc>'
    row = row_of(whole.encode(), "a.xml")
    assert row.document is not None
    assert row.form is not None
    data = row.form.written(engine()(row.document), "x")
    tags = [one.tag for one in ElementTree.fromstring(whole).iter()]
    assert [one.tag for one in ElementTree.fromstring(data).iter()] == tags
    again = row_of(untouched(whole.encode(), "a.xml"), "a.xml").document
    assert again is not None
    assert "<!--" not in again.text
    assert "<?x" not in again.text
    assert scrubbed(scrubbed(inner)) == scrubbed(inner)


def test_elements_know_where_they_stand() -> None:
    text = "<a x='1 &lt; 2'>b<c/><![CDATA[d]]></a>"
    root, edits = tree(text)
    (attribute,) = root.attributes
    assert (attribute.value, text[attribute.first : attribute.last]) == ("1 < 2", "1 &lt; 2")
    assert text[root.inside : root.outside] == "b<c/><![CDATA[d]]>"
    assert (root.text(text), edits) == ("bd", ())
    assert [child.tag for child in root.children] == ["c"]


def test_null_characters_are_no_xml() -> None:
    """The parser takes them for UTF-16 and finds tags where the note has none."""
    data = "<?xml version='1.0' encoding='UTF-8'?><a>Roy</a>".encode("utf-16-le")
    row = row_of(b"\xef\xbb\xbf" + data, "n.xml")
    assert row.document is None
    assert "Roy" not in row.error
