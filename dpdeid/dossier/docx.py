"""An annex as a .docx file, with headings, tables with heads, and its language."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

from dpdeid.dossier.tree import (
    Annex,
    Blanks,
    Block,
    Grid,
    Head,
    Listed,
    Missing,
    Said,
    Ticks,
    pieces,
)
from dpdeid.errors import extra

_LANGS: Final = {"fr": "fr-FR", "en": "en-GB"}
_BOX: Final = "☐ "


def docx(annex: Annex) -> bytes:
    """The whole file.

    Raises:
        UsageError: python-docx is not installed; names the extra.
    """
    with extra("dossier", "a .docx file needs python-docx"):
        from docx import Document
    made = Document()
    _describe(made, annex)
    made.add_heading(annex.title, level=0)
    made.add_paragraph(annex.about)
    for part in annex.parts:
        made.add_heading(part.title, level=1)
        for block in part.blocks:
            _add(made, block, annex.blank)
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def _describe(made: Any, annex: Annex) -> None:
    """Its title, its language, and no author."""
    from docx.oxml.ns import qn

    about = made.core_properties
    about.title, about.author, about.language, about.comments = annex.title, "", annex.lang, ""
    defaults = made.styles.element.find(f".//{qn('w:rPrDefault')}//{qn('w:lang')}")
    defaults.set(qn("w:val"), _LANGS[annex.lang])


def _add(made: Any, block: Block, blank: str) -> None:
    match block:
        case Head(text):
            made.add_heading(text, level=2)
        case Said(text):
            _write(made.add_paragraph(), text)
        case Missing(text):
            _write(made.add_paragraph(style="Intense Quote"), text)
        case Listed(items, is_numbered):
            for item in items:
                _write(
                    made.add_paragraph(style=f"List {'Number' if is_numbered else 'Bullet'}"), item
                )
        case Ticks(items):
            for item in items:
                _write(made.add_paragraph(_BOX), item)
        case Blanks(fields):
            _table(made, (), tuple((field, blank) for field in fields), blank)
        case Grid(columns, rows):
            _table(made, columns, rows, blank)


def _table(
    made: Any, columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], blank: str
) -> None:
    """A table whose head is repeated on every page."""
    table = made.add_table(rows=0, cols=len(columns or rows[0]), style="Table Grid")
    if columns:
        cells = table.add_row().cells
        for cell, name in zip(cells, columns, strict=True):
            cell.paragraphs[0].add_run(name).bold = True
        _repeat(table.rows[0])
    for row in rows:
        for at, (cell, text) in enumerate(zip(table.add_row().cells, row, strict=True)):
            _write(cell.paragraphs[0], text, bold=at == 0, italic=text == blank)
    made.add_paragraph()


def _repeat(row: Any) -> None:
    from docx.oxml import OxmlElement

    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _write(paragraph: Any, text: str, *, bold: bool = False, italic: bool = False) -> None:
    for piece, is_code in pieces(text):
        run = paragraph.add_run(piece)
        run.bold, run.italic = bold or None, italic or None
        if is_code:
            run.font.name = "Courier New"
