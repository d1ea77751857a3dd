"""Word documents are read whole, and released without what nobody has looked at."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified, Mention, Span, Surrogate, rewrite
from dpdeid.engine import Deidentifier
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.office.docx import read
from dpdeid.formats.office.package import UNPACKED
from dpdeid.formats.rows import Row
from dpdeid.labels import Label
from tests.conftest import KEY

docx = pytest.importorskip("docx")

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SECRET = "ZORGLUB"
"""Planted wherever it must not pass."""


def opened(data: bytes) -> Row:
    return next(iter(read(BytesIO(data), Origin("", "note.docx"), Reading())))


def text_of(data: bytes) -> str:
    row = opened(data)
    assert row.document is not None, row.error
    return row.document.text


def saved(document: Any) -> bytes:
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def of(*paragraphs: str) -> bytes:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    return saved(document)


def changed(data: bytes, change: Callable[[str, bytes], bytes], **more: bytes) -> bytes:
    """The package with other bytes of its parts, and with more parts."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
        for name, content in more.items():
            new.writestr(name, content)
    return out.getvalue()


@cache
def plain() -> bytes:
    """A document without styles and content."""
    styles = f"<w:styles {W}/>".encode()
    return changed(of(), lambda name, old: styles if name == "word/styles.xml" else old)


def body(xml: str) -> bytes:
    """A document with that XML in its body."""

    def put(name: str, old: bytes) -> bytes:
        document = name == "word/document.xml"
        return old.replace(b"<w:body>", b"<w:body>" + xml.encode()) if document else old

    return changed(plain(), put)


def unpacked(data: bytes) -> str:
    with ZipFile(BytesIO(data)) as file:
        parts = {name: file.read(name).decode() for name in file.namelist()}
    return "\n".join(f"{name}\n{text}" for name, text in parts.items())


def replaced(row: Row, *pairs: tuple[str, str]) -> Deidentified:
    """The result that has these surrogates, each for the first place of its original."""
    assert row.document is not None
    text = row.document.text
    found = []
    for original, new in pairs:
        at = text.index(original)
        span = Span(at, at + len(original), Label.LAST_NAME)
        found.append(Surrogate(Mention(0, span, original), new, "test"))
    found.sort(key=lambda one: one.mention.span.start)
    return Deidentified("x", rewrite(text, found), surrogates=tuple(found))


def released(data: bytes, *pairs: tuple[str, str]) -> bytes:
    row = opened(data)
    assert row.form is not None, row.error
    return row.form.written(replaced(row, *pairs), "x")


def letter() -> bytes:
    """A letter as a hospital writes it, with an identifier in every corner."""
    document = docx.Document()
    section = document.sections[0]
    section.header.paragraphs[0].text = "Centre hospitalier de Brest\tM. DUPONT Jean"
    section.footer.paragraphs[0].text = "Secrétariat : 02 98 22 33 44"
    properties = document.core_properties
    properties.author = properties.title = properties.keywords = properties.comments = SECRET
    document.add_heading("Compte rendu d'hospitalisation", 1)
    paragraph = document.add_paragraph("Votre patient Monsieur DU")
    paragraph.add_run("PONT Je").bold = True
    paragraph.add_run("an, né le 12/03/1958, est traité par ")
    paragraph.add_run("amiodarone 200 mg").italic = True
    paragraph.add_run(".")
    table = document.add_table(2, 2, style="Table Grid")
    for at, text in enumerate(("Nom", "DUPONT", "Hémoglobine", "12,3 g/dL")):
        table.cell(at // 2, at % 2).text = text
    document.add_paragraph("Échographie normale", style="List Bullet")
    hidden = document.add_paragraph().add_run("Dossier de Jean DUPONT")
    hidden.font.hidden = True
    document.add_comment(hidden, text=SECRET, author=SECRET, initials="ZZ")
    own = document.styles.add_style(f"Style {SECRET}", 1)
    document.add_paragraph("Confraternellement", style=own)
    return saved(document)


def test_text_is_read_in_the_order_of_a_page() -> None:
    assert text_of(letter()).splitlines() == [
        "Centre hospitalier de Brest\tM. DUPONT Jean",
        "Compte rendu d'hospitalisation",
        "Votre patient Monsieur DUPONT Jean, né le 12/03/1958, est traité par amiodarone 200 mg.",
        "Nom\tDUPONT",
        "Hémoglobine\t12,3 g/dL",
        "Échographie normale",
        "Dossier de Jean DUPONT",
        "Confraternellement",
        "Secrétariat : 02 98 22 33 44",
    ]


def test_a_released_letter_identifies_nobody_and_keeps_medicine_and_form() -> None:
    row = opened(letter())
    assert row.document is not None
    assert row.form is not None
    result = Deidentifier("dp", key=KEY)(row.document)
    assert isinstance(result, Deidentified)
    out = row.form.written(result, "x")
    whole = re.sub("<[^>]+>", "", unpacked(out))
    assert not re.search("DUPONT|Jean|12/03/1958|02 98 22 33 44|Brest|ZZ|ZORGLUB", whole, re.I)
    assert SECRET.lower() not in unpacked(out).lower()
    assert text_of(out) == result.text
    document = docx.Document(BytesIO(out))
    styles = [paragraph.style.name for paragraph in document.paragraphs]
    assert styles[:3] == ["Heading 1", "Normal", "List Bullet"]
    assert styles[-1].startswith("Style ")
    patient, name, *_, medicine = (run for run in document.paragraphs[1].runs if run.text != ".")
    assert patient.text.startswith("Votre patient Monsieur ")
    assert name.bold
    assert (medicine.text, medicine.italic) == ("amiodarone 200 mg", True)
    assert document.tables[0].style.name == "Table Grid"
    assert document.tables[0].cell(1, 1).text == "12,3 g/dL"
    assert document.sections[0].header.paragraphs[0].text.count("\t") == 1


def test_a_released_document_has_the_parts_that_it_needs_and_no_other() -> None:
    assert [*ZipFile(BytesIO(released(letter()))).namelist()] == [
        "[Content_Types].xml",
        "_rels/.rels",
        "word/_rels/document.xml.rels",
        "word/settings.xml",
        "word/styles.xml",
        "word/header1.xml",
        "word/footer1.xml",
        "word/numbering.xml",
        "word/document.xml",
    ]


def test_equal_results_give_equal_bytes() -> None:
    assert released(letter()) == released(letter())
    assert all(one.date_time[0] == 1980 for one in ZipFile(BytesIO(released(letter()))).infolist())


def test_a_surrogate_that_crosses_runs_stands_in_the_first() -> None:
    out = released(letter(), ("DUPONT Jean, né", "MARTIN Paul, né"))
    paragraph = docx.Document(BytesIO(out)).paragraphs[1]
    assert [(one.text, one.bold) for one in paragraph.runs[:3] if one.text] == [
        ("Votre patient Monsieur MARTIN Paul, né", None),
        (" le 12/03/1958, est traité par ", None),
    ]


RUNS = st.lists(st.text("ab é&<", min_size=1, max_size=4), min_size=1, max_size=8)


@given(RUNS, st.data())
def test_whatever_is_replaced_the_document_says_what_the_text_says(
    runs: list[str], data: st.DataObject
) -> None:
    row = opened(body(f"<w:p>{''.join(map(run, runs))}</w:p>"))
    assert row.document is not None
    assert row.form is not None
    text = row.document.text
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    news = [data.draw(st.text("xyÉ \n\t", max_size=5)) for _ in spans]
    found = tuple(
        Surrogate(Mention(0, Span(start, end, Label.DATE), text[start:end]), new, "test")
        for (start, end), new in zip(spans, news, strict=True)
    )
    result = Deidentified("x", rewrite(text, found), surrogates=found)
    assert text_of(row.form.written(result, "x")) == result.text


def test_of_a_span_over_cells_each_has_its_own_part() -> None:
    document = docx.Document()
    table = document.add_table(1, 3)
    for at, text in enumerate(("le 12", "mars", "2021 au soir")):
        table.cell(0, at).text = text
    out = released(saved(document), ("12\tmars\t2021", "7\tjuin\t2019"))
    cells = docx.Document(BytesIO(out)).tables[0].rows[0].cells
    assert [cell.text for cell in cells] == ["le 7", "juin", "2019 au soir"]


def test_a_span_over_two_cells_leaves_nothing_behind() -> None:
    document = docx.Document()
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Jean", "DUPONT, IPP"
    out = released(saved(document), ("Jean\tDUPONT", "Paul MARTIN"))
    assert text_of(out) == "Paul MARTIN\t, IPP"


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


BOX = (
    "<w:r><mc:AlternateContent "
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    '<mc:Choice Requires="wps"><w:drawing><wp:docPr xmlns:wp="x" descr="ZORGLUB"/>'
    "<w:txbxContent><w:p>{0}</w:p></w:txbxContent></w:drawing></mc:Choice>"
    "<mc:Fallback><w:pict><w:txbxContent><w:p>{0}</w:p></w:txbxContent></w:pict></mc:Fallback>"
    "</mc:AlternateContent></w:r>"
)
CHAR = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
FIELD = CHAR.format("begin") + "<w:r><w:instrText>{}</w:instrText></w:r>" + CHAR.format("separate")
END = CHAR.format("end")
FORM = (
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="ZORGLUB"/>{}</w:ffData>'
    "</w:fldChar></w:r><w:r><w:instrText>{}</w:instrText></w:r>" + END
)


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        (f'<w:hyperlink w:anchor="ZORGLUB" w:tooltip="ZORGLUB">{run("ici")}</w:hyperlink>', "ici"),
        (f'<w:ins w:author="ZORGLUB">{run("mis")}</w:ins>', "mis"),
        (f'<w:del w:author="ZORGLUB">{run("ZORGLUB")}</w:del>{run("a")}', "a"),
        (f'<w:moveFrom w:author="ZORGLUB">{run("ZORGLUB")}</w:moveFrom>{run("a")}', "a"),
        (f"<w:sdt><w:sdtPr><w:alias w:val='ZORGLUB'/></w:sdtPr><w:sdtContent>{run('c')}"
         "</w:sdtContent></w:sdt>", "c"),
        (f'<w:customXml w:element="ZORGLUB">{run("x")}</w:customXml>', "x"),
        (f'<w:smartTag w:element="ZORGLUB">{run("t")}</w:smartTag>', "t"),
        (f'<w:bookmarkStart w:id="1" w:name="ZORGLUB"/>{run("b")}', "b"),
        (run("a") + BOX.format(run("encadré")), "a\nencadré"),
        (FIELD.format(' HYPERLINK "mailto:ZORGLUB" ') + run("vu") + END, "vu"),
        (FIELD.format(" MERGEFIELD ZORGLUB ") + run("vu") + END, "vu"),
        (f'<w:fldSimple w:instr="DOCPROPERTY ZORGLUB">{run("3")}</w:fldSimple>', "3"),
        (FORM.format('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>',
                     "FORMCHECKBOX"), "☒"),
        (FORM.format('<w:checkBox><w:default w:val="0"/></w:checkBox>', "FORMCHECKBOX"), "☐"),
        (FORM.format('<w:ddList><w:result w:val="1"/><w:listEntry w:val="non"/>'
                     '<w:listEntry w:val="oui"/></w:ddList>', "FORMDROPDOWN"), "oui"),
        ('<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:tab/></w:r>',
         "a\u2011b\t"),
        ('<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r>'
         "<m:t>x=2</m:t></m:r></m:oMath>", "x=2"),
        ('<w:r w:rsidR="00ZORGLUB"><w:rPr><w:rStyle w:val="ZORGLUB"/><w:rFonts w:ascii="ZORGLUB"/>'
         '<w:color w:val="FF0000" w:themeColor="ZORGLUB"/></w:rPr><w:t>r</w:t></w:r>', "r"),
        (f'<w:permStart w:ed="ZORGLUB"/><w:unheardOf w:val="ZORGLUB">{run("q")}</w:unheardOf>',
         "q"),
    ],
)  # fmt: skip
def test_texts_pass_and_what_is_around_them_does_not(xml: str, text: str) -> None:
    data = body(f"<w:p>{xml}</w:p>")
    assert text_of(data) == text
    out = released(data)
    assert SECRET not in unpacked(out)
    assert text_of(out) == text
    docx.Document(BytesIO(out))


@pytest.mark.parametrize(
    ("code", "text"),
    [("F0FC", "\uf0fc"), ("00e9", "é")]
    + [(code, "") for code in ("111111111111", "D83D", "0000", "000D", "0085", "FFFF", "F0", "x")],
)
def test_a_symbol_is_a_character_or_gone(code: str, text: str) -> None:
    data = body(f'<w:p>{run("a")}<w:r><w:sym w:font="Wingdings" w:char="{code}"/></w:r></w:p>')
    assert text_of(data) == f"a{text}"
    assert (f'w:char="{code}"' in unpacked(released(data))) is bool(text)


def test_page_numbers_stay_fields() -> None:
    simple = f'<w:fldSimple w:instr=" NUMPAGES \\* MERGEFORMAT ">{run("9")}</w:fldSimple>'
    whole = FIELD.format(" PAGE ") + run("3") + END
    data = body(f"<w:p>{whole}{run('/')}{simple}</w:p>")
    assert text_of(data) == "3/9"
    told = re.findall("<w:instrText[^>]*>([^<]*)<", unpacked(released(data)))
    assert told == [" PAGE ", " NUMPAGES "]


def test_rows_that_were_deleted_are_gone() -> None:
    row = "<w:tr>{}<w:tc><w:p>{}</w:p></w:tc></w:tr>"
    gone = '<w:trPr><w:del w:author="x" w:id="1"/></w:trPr>'
    xml = f"<w:tbl>{row.format('', run('a'))}{row.format(gone, run('b'))}</w:tbl>"
    assert text_of(body(xml)) == "a"


def test_lists_say_no_more_than_numbers_and_signs() -> None:
    def put(name: str, content: bytes) -> bytes:
        found = re.compile(rb'w:lvlText w:val="[^"]*"')
        return found.sub(b'w:lvlText w:val="ZORGLUB %1"', content)

    document = docx.Document()
    document.add_paragraph("un", style="List Number")
    out = unpacked(released(changed(saved(document), put)))
    assert SECRET not in out
    assert 'w:lvlText w:val="%1."' in out


def test_notes_are_read_and_kept() -> None:
    notes = (
        f'<w:footnotes {W}><w:footnote w:id="2"><w:p>{run("Voir Mme ROY")}</w:p></w:footnote>'
        "</w:footnotes>"
    )
    target = '<Relationship Id="n1" Type="http://x/relationships/footnotes" Target="notes.xml"/>'

    def put(name: str, content: bytes) -> bytes:
        if name == "word/_rels/document.xml.rels":
            return content.replace(b"</Relationships>", target.encode() + b"</Relationships>")
        return content

    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    data = changed(body(f"<w:p>{run('a')}{note}</w:p>"), put, **{"word/notes.xml": notes.encode()})
    assert text_of(data) == "a\nVoir Mme ROY"
    out = released(data, ("ROY", "LEE"))
    assert text_of(out) == "a\nVoir Mme LEE"
    assert 'footnoteReference w:id="2"' in unpacked(out)


def named(name: str) -> bytes:
    return changed(plain(), lambda _, content: content, **{name: b"x"})


BOMB = b"<!DOCTYPE d [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]>"


def swapped(part: str, content: bytes) -> bytes:
    return changed(plain(), lambda name, old: content if name == part else old)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "damaged, or no .docx file"),
        (b"PK\3\4 not a zip", "damaged, or no .docx file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "has a password, or is older than"),
        (named("../../etc/passwd"), "leads out of the file"),
        (named("/etc/passwd"), "leads out of the file"),
        (named("word\\..\\..\\x"), "leads out of the file"),
        (named("WORD/document.xml"), "comes twice"),
        (swapped("word/document.xml", BOMB + b"<d>&b;</d>"), "a document type declaration"),
        (swapped("word/styles.xml", BOMB + b"<d>&b;</d>"), "a document type declaration"),
        (swapped("word/document.xml", ("<!DOCTYPE d SYSTEM 'file:///etc/passwd'><d/>")
                 .encode("utf-16")), "a document type declaration"),
        (swapped("word/document.xml", b"<w:document"), "not valid XML"),
        (swapped("word/document.xml", b"<html/>"), "of another kind"),
        (swapped("word/document.xml", b"<a>" * 5000 + b"</a>" * 5000), "nested too deep"),
        (swapped("word/document.xml", b" " * (8 << 20)), "a zip bomb"),
        (swapped("[Content_Types].xml", b"<x a='application/vnd.ms-word.document.macroEnabled"
                 b".main+xml'/>"), "has macros"),
        (swapped("_rels/.rels", b"<x/>"), "no Word document"),
        (body('<w:altChunk r:id="x" xmlns:r="y"/>'), "takes in another file"),
        (body(f"<w:p>{FIELD.format('PAGE')}</w:p>"), "a field is not closed"),
    ],
)  # fmt: skip
def test_what_is_refused_says_why(data: bytes, error: str) -> None:
    row = opened(data)
    assert row.document is None
    assert row.error.startswith("file note.docx: ")
    assert error in row.error


def test_parts_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert UNPACKED < 1 << 30
    monkeypatch.setattr("dpdeid.formats.office.package.UNPACKED", 1000)
    assert "far larger" in opened(of("a")).error


def test_what_lies_outside_the_package_is_not_read() -> None:
    def put(name: str, content: bytes) -> bytes:
        found = re.compile(rb'Target="styles.xml"')
        return found.sub(b'TargetMode="External" Target="http://127.0.0.1:9/ZORGLUB"', content)

    out = released(changed(of("a"), put))
    assert SECRET not in unpacked(out)
    assert "styles" not in unpacked(out)
