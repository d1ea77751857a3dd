"""OpenDocument texts and spreadsheets are read whole, and released without what is not listed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified, Mention, Span, Surrogate, rewrite
from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.office.odf import ALLOWED
from dpdeid.formats.rows import Row
from dpdeid.labels import Label
from tests.formats.office.test_docx import replaced, unpacked

odf = pytest.importorskip("odf", reason="makes and opens such files")

from odf import dc, grammar, namespaces, office, style, table, teletype, text  # noqa: E402
from odf.opendocument import OpenDocumentSpreadsheet, OpenDocumentText, load  # noqa: E402

SECRET = "ZORGLUB"
"""Planted wherever it must not pass."""


def opened(data: bytes, name: str = "n.odt") -> Row:
    kind = kind_of(name)
    assert kind is not None
    return next(iter(kind.reader(BytesIO(data), Origin("", name), Reading())))


def text_of(data: bytes) -> str:
    row = opened(data)
    assert row.document is not None, row.error
    return row.document.text


def released(data: bytes, *pairs: tuple[str, str]) -> bytes:
    row = opened(data)
    assert row.form is not None, row.error
    return row.form.written(replaced(row, *pairs), "x")


def saved(document: Any) -> bytes:
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def changed(data: bytes, change: Callable[[str, str], str], **more: bytes) -> bytes:
    """The package with other texts of its parts, and with more parts."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name).decode()))
        for name, content in more.items():
            new.writestr(name, content)
    return out.getvalue()


def styled(document: Any, name: str, family: str, **given: str) -> Any:
    made = style.Style(name=name, family=family)
    made.addElement(style.TextProperties(**given))
    document.automaticstyles.addElement(made)
    return made


def letter() -> bytes:
    """A letter with an identifier in every corner."""
    document = OpenDocumentText()
    layout = style.PageLayout(name=SECRET)
    layout.addElement(style.PageLayoutProperties(pagewidth="21cm", pageheight="29.7cm"))
    document.automaticstyles.addElement(layout)
    page = style.MasterPage(name="Standard", pagelayoutname=SECRET)
    for kind, words in (
        (style.Header, "Clinique des Tilleuls"),
        (style.Footer, "Tél. 04 50 11 22 33"),
    ):
        part = kind()
        part.addElement(text.P(text=words))
        page.addElement(part)
    document.masterstyles.addElement(page)
    bold = styled(document, f"Gras {SECRET}", "text", fontweight="bold", fontname=SECRET)
    hidden = styled(document, "T9", "text", display="none")
    document.meta.addElement(dc.Title(text=SECRET))
    document.text.addElement(text.H(outlinelevel=1, text="Compte rendu"))
    line = text.P(text="Madame QUATRE")
    line.addElement(text.Span(stylename=bold, text="BARBES Inès"))
    line.addText(", née le 3 mai 1950")
    note = text.Note(noteclass="footnote", id=SECRET)
    note.addElement(text.NoteCitation(text="1"))
    body = text.NoteBody()
    body.addElement(text.P(text="Vue avec sa fille"))
    note.addElement(body)
    line.addElement(note)
    line.addText(", va bien.")
    line.addElement(text.Span(stylename=hidden, text=SECRET))
    document.text.addElement(line)
    grid = table.Table(name=SECRET)
    grid.addElement(table.TableColumn(numbercolumnsrepeated=2))
    row = table.TableRow()
    for words in ("Hémoglobine", "12,3 g/dL"):
        cell = table.TableCell(valuetype="float", value="98765")
        cell.addElement(text.P(text=words))
        row.addElement(cell)
    grid.addElement(row)
    document.text.addElement(grid)
    return saved(document)


def test_text_is_read_in_the_order_of_a_page() -> None:
    assert text_of(letter()).split("\n") == [
        "Clinique des Tilleuls",
        "Compte rendu",
        "Madame QUATREBARBES Inès, née le 3 mai 1950, va bien.",
        "Vue avec sa fille",
        "Hémoglobine\t12,3 g/dL",
        "Tél. 04 50 11 22 33",
    ]


def test_a_released_letter_has_surrogates_and_its_form() -> None:
    pairs = (("Clinique des Tilleuls", "CH X"), ("QUATREBARBES Inès", "PETIT Anne"))
    out = released(letter(), *pairs)
    assert SECRET not in unpacked(out)
    assert "98765" not in unpacked(out)
    document = load(BytesIO(out))
    lines = [teletype.extractText(one) for one in document.getElementsByType(text.P)]
    assert "Madame PETIT Anne, née le 3 mai 1950Vue avec sa fille, va bien." in lines
    assert "CH X" in lines
    (heading,) = document.getElementsByType(text.H)
    assert heading.getAttribute("outlinelevel") == "1"
    assert [teletype.extractText(c) for c in document.getElementsByType(table.TableCell)] == [
        "Hémoglobine",
        "12,3 g/dL",
    ]
    assert 'font-weight="bold"' in unpacked(out)
    assert 'page-width="21cm"' in unpacked(out)


def test_a_release_is_such_a_file_and_has_no_part_more() -> None:
    out = released(letter())
    first, *_ = ZipFile(BytesIO(out)).infolist()
    assert (first.filename, first.compress_type) == ("mimetype", ZIP_STORED)
    names = {one.filename for one in ZipFile(BytesIO(out)).infolist()}
    assert names == {"mimetype", "META-INF/manifest.xml", "content.xml", "styles.xml"}
    assert out == released(letter())


@cache
def plain() -> bytes:
    return saved(OpenDocumentText())


def body(xml: str) -> bytes:
    """A text with that XML in its body."""
    spaces = "".join(
        f' xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for prefix, space in (("draw", "drawing"), ("text", "text"), ("table", "table"))
    )

    def put(name: str, old: str) -> str:
        whole = f"<office:body><office:text{spaces}>{xml}</office:text></office:body>"
        return re.sub("<office:body>.*</office:body>", lambda _: whole, old)

    return changed(plain(), put)


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        ('<text:p>a<text:a draw:name="ZORGLUB">ici</text:a></text:p>', "aici"),
        ('<text:tracked-changes><text:changed-region text:id="1"><text:deletion><text:p>ZORGLUB'
         '</text:p></text:deletion></text:changed-region></text:tracked-changes>'
         '<text:p>a<text:change text:change-id="1"/><text:change-start text:change-id="2"/>b'
         '<text:change-end text:change-id="2"/></text:p>', "ab"),
        ('<text:p>a<office:annotation><text:p>ZORGLUB</text:p></office:annotation></text:p>', "a"),
        ('<text:p><text:user-defined text:name="ZORGLUB">vu</text:user-defined></text:p>', "vu"),
        ('<text:p>a<text:hidden-text text:string-value="ZORGLUB" text:is-hidden="true">ZORGLUB'
         '</text:hidden-text></text:p>', "a"),
        ('<text:p>ZORGLUB<text:hidden-paragraph text:is-hidden="true"/></text:p><text:p>a</text:p>',
         "a"),
        ('<text:section text:name="ZORGLUB" text:display="none"><text:p>ZORGLUB</text:p>'
         '</text:section><text:section text:name="ZORGLUB"><text:p>a</text:p></text:section>', "a"),
        ('<text:p>a<draw:frame draw:name="ZORGLUB"><draw:object><text:p>ZORGLUB</text:p>'
         '</draw:object><draw:image><office:binary-data>ZORGLUB</office:binary-data></draw:image>'
         '<draw:text-box><text:p>encadré</text:p></draw:text-box></draw:frame>b</text:p>',
         "ab\nencadré"),
        ('<draw:frame><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>', "a"),
        ('<text:table-of-content><text:table-of-content-source><text:index-title-template>ZORGLUB'
         '</text:index-title-template></text:table-of-content-source><text:index-body><text:p>'
         '1. Motif</text:p></text:index-body></text:table-of-content>', "1. Motif"),
        ('<text:list><text:list-item><text:p>un</text:p><text:list><text:list-item><text:p>deux'
         '</text:p></text:list-item></text:list></text:list-item></text:list>', "un\ndeux"),
        ('<text:p>page <text:page-number text:select-page="current">3</text:page-number></text:p>',
         "page 3"),
        ('<text:p>a\n  b<text:s text:c="3"/>c<text:s/><text:tab/>d<text:line-break/>e</text:p>',
         "a b   c \td\ne"),
        ('<text:p><text:script>ZORGLUB</text:script><text:bookmark text:name="ZORGLUB"/>a</text:p>',
         "a"),
        ('<unheard-of a="ZORGLUB">ZORGLUB</unheard-of><text:p>a</text:p>', "a"),
    ],
)  # fmt: skip
def test_texts_pass_and_what_is_around_them_does_not(xml: str, words: str) -> None:
    data = body(xml)
    assert text_of(data) == words
    out = released(data)
    assert SECRET not in unpacked(out)
    assert text_of(out) == words
    load(BytesIO(out))


_PREFIX = dict(namespaces.nsdict)
UNLISTED = sorted({(_PREFIX[space], name) for space, name in grammar.allowed_attributes})


@pytest.mark.parametrize("place", ["<text:p>{}</text:p>", "{}", "<table:table>{}</table:table>"])
def test_a_word_in_any_element_is_read_or_gone_and_in_any_attribute_gone(place: str) -> None:
    """Over all 500 elements of the format: each alone, so that none hides behind another."""
    assert len(UNLISTED) > 400
    pieces = []
    for number, (prefix, name) in enumerate(UNLISTED):
        spaces = "".join(f' xmlns:{p}="{uri}"' for uri, p in _PREFIX.items())
        names = sorted({f"{prefix}:name", "office:value", "style:name", "xlink:href"})
        given = " ".join(f'{one}="A{SECRET}"' for one in names)
        pieces.append(
            place.format(f"<{prefix}:{name}{spaces} {given}>W{number}W</{prefix}:{name}>")
        )
    data = body("".join(pieces) + "<text:p>fin</text:p>")
    words, whole = text_of(data), unpacked(released(data))
    assert f"A{SECRET}" not in whole
    assert {*re.findall(r"W\d+W", whole)} == {*re.findall(r"W\d+W", words)}


def test_no_attribute_passes_a_word() -> None:
    names = {name for name in ALLOWED.forms if name not in ALLOWED.kinds["named"]}
    assert not [name for name in names if ALLOWED.passes(name, SECRET)]


TEXTS = st.lists(st.text(" aé&<\t\n", min_size=1, max_size=5), min_size=1, max_size=6)


@given(TEXTS, st.data())
def test_whatever_is_replaced_the_document_says_what_the_text_says(
    texts: list[str], data: st.DataObject
) -> None:
    row = opened(body("".join("<text:p><text:span>mot</text:span> et </text:p>" for _ in texts)))
    assert row.document is not None
    assert row.form is not None
    words = row.document.text
    cuts = sorted(data.draw(st.sets(st.integers(0, len(words)), max_size=6)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    found = tuple(
        Surrogate(Mention(0, Span(start, end, Label.DATE), words[start:end]), new, "test")
        for (start, end), new in zip(spans, texts, strict=False)
    )
    result = Deidentified("x", rewrite(words, found), surrogates=found)
    out = text_of(row.form.written(result, "x"))
    if not any("\n" in words[s:e] for s, e in spans):
        assert out == result.text
    assert out.count("mot") <= words.count("mot")


def sheets() -> bytes:
    document = OpenDocumentSpreadsheet()
    hides = style.Style(name="ta2", family="table")
    hides.addElement(style.TableProperties(display="false"))
    document.automaticstyles.addElement(hides)
    for name, shown in ((f"Liste {SECRET}", True), ("Autre", False)):
        sheet = table.Table(name=name, **({} if shown else {"stylename": hides}))
        sheet.addElement(table.TableColumn())
        sheet.addElement(table.TableColumn(visibility="collapse"))
        sheet.addElement(table.TableColumn(numbercolumnsrepeated=2))
        for words, state in (
            (("Nom", SECRET, "Motif"), "visible"),
            ((SECRET,) * 3, "filter"),
            (("Quatrebarbes", SECRET, "toux" if shown else SECRET), "visible"),
        ):
            row = table.TableRow(visibility=state)
            for word in words:
                cell = table.TableCell(
                    formula=f'of:="{SECRET}"', valuetype="string", stringvalue=SECRET
                )
                cell.addElement(office.Annotation())
                cell.addElement(text.P(text=word))
                row.addElement(cell)
            sheet.addElement(row)
        document.spreadsheet.addElement(sheet)
    return saved(document)


def test_sheets_are_released_with_the_text_of_cells_that_show() -> None:
    assert text_of(sheets()) == "Nom\tMotif\nQuatrebarbes\ttoux"
    out = released(sheets(), ("Quatrebarbes", "Petit"))
    assert SECRET not in unpacked(out)
    document = load(BytesIO(out))
    assert document.mimetype.endswith("spreadsheet")
    cells = [teletype.extractText(one) for one in document.getElementsByType(table.TableCell)]
    assert cells == ["Nom", "Motif", "Petit", "toux"]
    row = opened(sheets(), "n.ods")
    assert row.form is not None
    assert row.form.ending == ".ods"


def test_a_span_over_two_cells_keeps_both() -> None:
    out = released(sheets(), ("Quatrebarbes\ttoux", "Petit"))
    cells = [
        teletype.extractText(one) for one in load(BytesIO(out)).getElementsByType(table.TableCell)
    ]
    assert cells == ["Nom", "Motif", "Petit", ""]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"PK no zip", "damaged, or no .odt or .ods file"),
        (changed(plain(), lambda name, old: old + "encryption-data" if "manifest" in name else old),
         "has a password"),
        (changed(plain(), lambda name, old: "<x/>" if name == "content.xml" else old),
         "no OpenDocument text or spreadsheet"),
        (changed(plain(), lambda name, old: "<!DOCTYPE a []>" + old.partition("?>")[2]
                 if name == "content.xml" else old), "document type declaration"),
    ],
)  # fmt: skip
def test_what_is_refused_says_why(data: bytes, error: str) -> None:
    row = opened(data)
    assert row.document is None
    assert error in row.error
