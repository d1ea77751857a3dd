"""A page stays one that a browser opens, with its text and look, without what is behind it."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified, Mention, Span, Surrogate
from dpdeid.formats.documents.html import scrubbed
from dpdeid.formats.markup.form import Marked
from dpdeid.labels import Label, Sex
from tests.formats.documents.marked import released, row_of, untouched
from tests.linear import LIMIT, growth

PAGE = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html lang="fr">\r
<head><meta charset="utf-8"><title>CR de Mme SCHAEFFLI 80045521</title>
<meta name="author" content="Dr KESTENHOLZ"><link rel="stylesheet" href="/schaeffli.css">
<style>.schaeffli { color: red }</style><script src="x.js">var nom = "SCHAEFFLI";</script>
<base href="http://rebberg.fr/80045521/"></head>
<body id="p80045521" onload="log('SCHAEFFLI')" style="margin: 0; background: url(schaeffli.png)">
<!-- SCHAEFFLI <b>Odile</b> --><?php echo "SCHAEFFLI" ?>
<form action="/patient/80045521"><input type="hidden" name="ipp" value="80045521">
<input type="hidden" name="prenom" value="Odile"><input type=hidden name=sexe value=F>
<input type="hidden" name="date_naissance" value="12/03/1958">
<input type="text" name="nom" value="SCHAEFFLI"><textarea name="obs">Va mieux</textarea></form>
<h1 class="schaeffli" style="font-weight: bold; color: #336699">Compte rendu</h1>
<p data-nom="SCHAEFFLI" align="center">Mme <b>SCHAEF</b>FLI Odile, n&eacute;e le 12
   mars 1958,
   vue &agrave; la clinique le <u>07/11/2023</u>.<br>CRP <5 mg/L, Hb >12, HbA1c 7,2&nbsp;%</p>
<table border="1" width="100%"><tr><td rowspan=2>H&eacute;moglobine</td><td>13,2 g/dL</td></tr>
</table>
<ul><li>Amoxicilline 1&nbsp;g &times; 3<li><em>&Agrave; revoir</em></ul>
<img src="scan_schaeffli.jpg" alt="Odile"><svg><text>SCHAEFFLI</text></svg>
<iframe src="schaeffli.html">Schaeffli</iframe><object data="schaeffli.pdf">Vu</object>
<a href="mailto:odile.schaeffli@exemple.fr" title="Odile">t&eacute;l. 06 98 76 54 32</a>
<custom-name>Fin</custom-name></body></html>
"""
GONE = (
    "schaef", "odile", "80045521", "mars 1958", "07/11/2023", "06 98", "exemple.fr", "kestenholz",
    "rebberg", "x.js", "url(", "onload", "data-", "class", "<svg", "<img", "<iframe", "<title",
)  # fmt: skip
STAYS = (
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<html lang="fr">\r\n<head><meta charset="utf-8">',
    '<h1 style="font-weight: bold; color: #336699">Compte rendu</h1>',
    '<p align="center">Mme ',
    "<br>CRP <5 mg/L, Hb >12, HbA1c 7,2&nbsp;%</p>",
    '<table border="1" width="100%"><tr><td rowspan=2>H&eacute;moglobine</td><td>13,2 g/dL</td>',
    "<ul><li>Amoxicilline 1&nbsp;g &times; 3<li><em>&Agrave; revoir</em></ul>",
    "<textarea>Va mieux</textarea>",
    "vue &agrave; la clinique le <u>",
)


class Opened(HTMLParser):
    """The tags of a page as a parser sees them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("policy", ["redact", "dp"])
def test_a_page_is_released_as_one(policy: str) -> None:
    data, _ = released(PAGE.encode(), "page.html", policy)
    page = data.decode()
    assert [word for word in GONE if word in page.lower()] == []
    assert [part for part in STAYS if part not in page] == []
    tags = "html head meta body form input textarea h1 p b u br table tr td td ul li li em a"
    assert " ".join(Opened(page).tags) == tags


def test_nothing_else_changes() -> None:
    whole = "<p align=center>Vue <b>ce</b>\r\n jour, CRP <5,\t&eacute;tat &lt;sec&gt; &#8212;</p>"
    assert untouched(whole.encode(), "a.htm") == whole.encode()


def test_hidden_fields_tell_of_the_patient() -> None:
    document = row_of(PAGE.encode(), "page.html").document
    assert document is not None
    assert document.known == {
        Label.PATIENT_ID: ("80045521",),
        Label.FIRST_NAME: ("Odile",),
        Label.LAST_NAME: ("SCHAEFFLI",),
        Label.BIRTH_DATE: ("1958-03-12",),
    }
    assert (document.patient_id, document.sex) == ("80045521", Sex.FEMALE)
    assert document.note_date is None


SCRUBBED = {
    "comments": ("a <!-- b -->c<!-->!<!--->e<!-- f --!> g<!-- h", "a c!e g"),
    "tags that would arise": ("<<!-- -->script>a<<x>img src=b>", "< script>a< img src=b>"),
    "instructions": ("a <?php b ?>c <! d>e </ f>g <![if !mso]>h", "a c e g h"),
    "conditions": ("<!--[if mso]><p>Roy</p><![endif]-->Vue", "Vue"),
    "another doctype": ("<!DOCTYPE roy>Vue", "<!DOCTYPE html>Vue"),
    "scripts to the end": ("Vue<script>Roy", "Vue"),
    "scripts in capitals": ("Vue<SCRIPT >Roy</b></Script foo>.", "Vue."),
    "scripts alone": ("Vue<script src='roy'/> ce jour", "Vue ce jour"),
    "unknown elements": ("Mme<roy a='b'>Odile</roy> <o:p>va</o:p>", "Mme Odile va"),
    "measures": ("CRP <5, Hb> 12, K < 3 <= 4", "CRP <5, Hb> 12, K < 3 <= 4"),
    "no whole tag": ('<p title="Roy>Vue <b>ce jour</b>', '&lt;p title="Roy>Vue <b>ce jour</b>'),
    "a tag in a tag": ("<img src=roy <b>Vue", "&lt;img src=roy <b>Vue"),
    "signs in tags": ('<p "roy" align=left>Vue</p roy="">', "<p align=left>Vue</p>"),
    "signs between": ("<p align=left''dir=rtl>Vue", "<p align=left>Vue"),
    "values": ('<td width="80045521" align="roy" colspan="2">', '<td colspan="2">'),
    "events": ("<p/onclick='roy()'/align=left>", "<p/align=left>"),
    "styles": (
        "<p style='color:red;content:\"Roy\";font: 12pt Arial;x'>",
        '<p style="color:red;font: 12pt Arial">',
    ),
    "shown values": ("<input value=Roy type=text size=8>", '<input value="Roy" type=text size=8>'),
    "hidden values": ("<input value=Roy type='hidden'>", ""),
    "charsets": (
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"/><meta name=a>',
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"/>',
    ),
    "xhtml": (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">',
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">',
    ),
}


@pytest.mark.parametrize(("page", "rest"), SCRUBBED.values(), ids=SCRUBBED)
def test_what_passes(page: str, rest: str) -> None:
    assert scrubbed(page) == rest


@given(st.lists(st.sampled_from(["<", ">", "<p ", "</", "<!--", "-->", "<script>", "</script>", "'",
                                 '"', "<td ", "a=", "Roy", " ", "/", "<![CDATA[", "]]>", "<svg/>"]),
                max_size=20).map("".join))  # fmt: skip
def test_what_has_passed_passes(page: str) -> None:
    once = scrubbed(page)
    assert scrubbed(once) == once


def test_scrubbing_is_linear() -> None:
    for piece in ("<", "<!--", "<p '", '<p "', "<svg/>", "<script/>", "<a b=c", "<![", "</ "):
        assert growth(lambda n, piece=piece: lambda: scrubbed(piece * n)) < LIMIT, piece


def test_one_long_tag_is_linear() -> None:
    for start, piece, end in (("<a", '{"a":', ""), ("<a ", "/", '"">'), ("<a b", " ", '"">')):
        tag = f"{start}{{}}{end}".format
        assert growth(lambda n, tag=tag, p=piece: lambda: scrubbed(tag(p * n))) < LIMIT, piece


def test_an_attribute_behind_a_value_that_ends_with_a_slash_is_one() -> None:
    assert scrubbed("<td width=7/ class=Roy colspan=2>x</td>") == "<td colspan=2>x</td>"


@pytest.mark.parametrize(
    ("head", "encoding", "told"),
    [
        ("", "utf-8", ""),
        ("", "cp1252", "Windows-1252"),
        ("", "utf-16", "UTF-16"),
        ("", "utf-8-sig", ""),
        ('<meta charset="iso-8859-1">', "cp1252", "Windows-1252"),
        ("<META HTTP-EQUIV=content-type CONTENT='text/html; charset=latin-9'>", "iso8859-15",
         "ISO 8859-15"),
    ],
)  # fmt: skip
def test_encodings_come_back(head: str, encoding: str, told: str) -> None:
    data = f"{head}<p>Vue, état stable, 37 °C</p>".encode(encoding)
    kept = head if "http" not in head.lower() else ""
    assert row_of(data, "a.html").encoding == told
    assert untouched(data, "a.html") == f"{kept}<p>Vue, état stable, 37 °C</p>".encode(encoding)


def test_what_cannot_be_encoded_is_a_reference() -> None:
    form = Marked(".html", "Ł < 3", "iso8859-15")
    assert form.written(Deidentified("a", "Ł < 3"), "x") == b"&#321; < 3"


@pytest.mark.parametrize(
    "data", [b"<meta charset=utf-7><p>+ADw-", b"\xff\xfe\x00", b"<p>\x00\x01\x81</p>\xe9"]
)
def test_what_is_no_text_is_an_error(data: bytes) -> None:
    row = row_of(data, "roy.html")
    assert row.document is None
    assert row.error.startswith("file roy.html: ")


def test_surrogates_are_no_markup() -> None:
    data = b'<p>M. Roy <input type="text" value="Roy"></p>'
    row = row_of(data, "a.html")
    assert row.document is not None
    assert row.form is not None
    text = row.document.text
    places = [text.index("Roy"), text.rindex("Roy")]
    new = [
        Surrogate(Mention(0, Span(at, at + 3, Label.LAST_NAME), "Roy"), 'A & <b> "C"', "test")
        for at in places
    ]
    written = row.form.written(Deidentified("a", "", surrogates=tuple(new)), "x").decode()
    assert written == (
        '<p>M. A &amp; &lt;b&gt; "C" '
        '<input type="text" value="A &amp; &lt;b&gt; &quot;C&quot;"></p>'
    )
