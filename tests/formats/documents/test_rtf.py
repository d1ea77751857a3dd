r"""Rich text is read as it shows, and released with nothing beside its text."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified, Mention, Span, Surrogate, rewrite
from dpdeid.formats.rows import Row
from dpdeid.labels import Label
from tests.formats.documents.marked import released as released_by
from tests.formats.documents.marked import row_of, untouched
from tests.formats.office.test_docx import replaced

striprtf = pytest.importorskip("striprtf.striprtf", reason="opens released files")
SECRET = "ZORGLUB"
"""Planted wherever it must not pass."""
HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}{\f1\fcharset238 Tahoma CE;}}"
    r"{\info{\author ZORGLUB}{\title ZORGLUB}{\*\company ZORGLUB}}{\*\generator ZORGLUB;}"
)
LETTER = (
    HEAD
    + r"""{\header\pard Clinique des Tilleuls\par}{\footer\pard T\'e9l. 04 50 11 22 33\par}
\pard\plain Madame {\b QUATRE\b0 BARBES} In\'e8s, n\u233?e le 3{\super e} jour
{\v ZORGLUB} de mai{\footnote\pard Vue avec sa {\i fille}\par}\
: va {\deleted ZORGLUB}bien.\par
\trowd\cellx2000\cellx4000\pard\intbl H\'e9moglobine\cell 12,3 g/dL\cell\row
\trowd\cellx2000\cellx4000\pard\intbl Poids\par Taille\cell\cell\row\pard
{\field{\*\fldinst HYPERLINK "http://ZORGLUB"}{\fldrslt{\ul compte rendu}}}\tab fin\par
{\object\objemb{\*\objdata 5a4f5247}{\result ZORGLUB}}{\pict\pngblip 5a4f52}}"""
)


def rtf(body: str) -> bytes:
    return f"{HEAD}{body}}}".encode("latin-1")


def text_of(data: bytes) -> str:
    row = row_of(data, "n.rtf")
    assert row.document is not None, row.error
    return row.document.text


def written(row: Row, *pairs: tuple[str, str]) -> bytes:
    assert row.form is not None
    return row.form.written(replaced(row, *pairs), "x")


def test_a_letter_is_read_as_it_shows() -> None:
    assert text_of(LETTER.encode()).split("\n") == [
        "Clinique des Tilleuls",
        "Madame QUATREBARBES Inès, née le 3e jour de mai",
        "Vue avec sa fille",
        ": va bien.",
        "Hémoglobine\t12,3 g/dL",
        "Poids",
        "Taille\t",
        "compte rendu\tfin",
        "Tél. 04 50 11 22 33",
        "",
    ]


def test_a_released_letter_has_surrogates_and_its_form() -> None:
    row = row_of(LETTER.encode(), "n.rtf")
    out = written(row, ("QUATREBARBES Inès", "PETIT Anne {é}"), ("Clinique des Tilleuls", "CH X"))
    plain = out.decode("ascii")
    assert SECRET not in plain
    assert "5a4f52" not in plain
    assert text_of(out) == "CH X" + text_of(LETTER.encode()).replace(
        "QUATREBARBES Inès", "PETIT Anne {é}"
    ).removeprefix("Clinique des Tilleuls")
    assert r"{\b PETIT Anne \{\u233?\}}" in plain
    assert r"{\super e}" in plain
    assert plain.count(r"\row") == 2
    assert plain.count(r"\cell ") == 4
    told = striprtf.rtf_to_text(plain)
    assert "Madame PETIT Anne {é}, née le 3e jour de mai\nVue avec sa fille\n" in told
    assert "Hémoglobine|12,3 g/dL|" in told


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\'8cuf \'80 {\f1 \'9aipka}\lquote a\rquote\endash\~b\_c\-d", "Œuf € šipka‘a’–\xa0b‑cd"),
        (r"\uc2\u233e\'e9t\uc1\u8364\'80 {\uc0\u233 t\'e9}", "ét€ été"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"a\\b\{c\}d", "a\\b{c}d"),
        (r"{\listtext 1.\tab}un\par{\pntext -\tab}deux\line trois", "1.\tun\n-\tdeux\ntrois"),
        (r"{\v ZORGLUB}a\v ZORGLUB\v0 b{\v ZORGLUB{\footnote ZORGLUB}}", "ab"),
        (r"{\deleted\revauthdel1 ZORGLUB}{\revised mis}{\mvf ZORGLUB}", "mis"),
        (r"{\*\bkmkstart ZORGLUB}a{\*\annotation ZORGLUB}{\*\atnid ZORGLUB}{\xe ZORGLUB}", "a"),
        (r"{\field{\fldinst ZORGLUB}{\fldrslt vu}}", "vu"),
        (r"{\shp{\*\shpinst{\sp{\sn ZORGLUB}{\sv ZORGLUB}}{\shptxt\pard encadr\'e9\par}}"
         r"{\shprslt{\*\do{\dptxbxtext ZORGLUB}}}}a", "a\nencadré"),
        (r"{\shp{\*\shpinst\plain ZORGLUB{\shptxt\plain b\v ZORGLUB}}}a", "a\nb"),
        (r"a{\pict\bin8 ZORGLUB}}{}b", "ab"),
        (r"\pard\intbl a\nestcell b\nestcell{\*\nesttableprops\trowd\nestrow}"
         r"{\nonesttables ZORGLUB}\cell c\cell\row", "a\tb\t\n\tc"),
        ("\\pard a\r\nb\\\nc", "ab\nc"),
        (r"{\*\htmltag64 <p ZORGLUB>}bonjour\htmlrtf\par\htmlrtf0 fin", "bonjour\nfin"),
    ],
)  # fmt: skip
def test_texts_pass_and_what_is_around_them_does_not(body: str, text: str) -> None:
    data = rtf(body)
    assert text_of(data).rstrip("\n") == text
    out = untouched(data, "n.rtf")
    assert SECRET not in out.decode("ascii")
    assert text_of(out) == text_of(data)


@pytest.mark.parametrize("form", [r"{\*\%s ZORGLUB}", r"{\%s ZORGLUB}", r"{\*\%s{\b ZORGLUB}}"])
def test_a_word_in_any_group_is_read_or_gone(form: str) -> None:
    names = sorted(striprtf.destinations)
    assert len(names) > 150
    for name in names:
        data = rtf("a" + form % name + "b")
        text, out = text_of(data), untouched(data, "n.rtf").decode("ascii")
        assert out.count(SECRET) == text.count(SECRET), name
        starred = form.startswith(r"{\*") and name not in ("header", "footer", "footnote")
        assert not (starred and SECRET in text) or name == "nesttableprops", name


def test_the_engine_finds_and_replaces_in_it() -> None:
    out, result = released_by(LETTER.encode(), "n.rtf")
    assert "[PHONE]" in result.text
    assert text_of(out) == result.text
    assert b"04 50" not in out


TEXTS = st.text("aé{}\\\n\t 😀;0", min_size=1, max_size=6)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_whatever_is_replaced_the_file_says_what_the_text_says(
    news: list[str], data: st.DataObject
) -> None:
    row = row_of(LETTER.encode(), "n.rtf")
    assert row.document is not None
    assert row.form is not None
    text = row.document.text
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=2 * len(news))))
    spans = [*zip(cuts[::2], cuts[1::2], strict=False)]
    found = tuple(
        Surrogate(Mention(0, Span(start, end, Label.DATE), text[start:end]), new, "test")
        for (start, end), new in zip(spans, news, strict=False)
        if not re.search("[\n\t]", text[start:end])
    )
    result = Deidentified("x", rewrite(text, found), surrogates=found)
    assert text_of(row.form.written(result, "x")) == result.text


def test_of_a_span_over_cells_each_has_its_own_part() -> None:
    row = row_of(rtf(r"\pard\intbl 12\cell mars\cell\row\pard 2021\par"), "n.rtf")
    out = written(row, ("12\tmars\n2021", "7\tjuin\n2019"))
    assert text_of(out) == "7\tjuin\n2019\n"
    assert out.count(b"\\cell ") == 2


def test_a_span_over_cells_and_lines_keeps_them() -> None:
    row = row_of(LETTER.encode(), "n.rtf")
    out = written(row, ("Hémoglobine\t12,3 g/dL\nPoids", "X"))
    assert "\nX\t\n\nTaille\t\n" in text_of(out)
    assert out.count(b"\\cell ") == 4


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "no rich text"),
        (b"PK\3\4", "no rich text"),
        (LETTER.encode()[:-1], "ends before its last group does"),
        (LETTER.encode()[:300], "ends before its last group does"),
        (rb"{\rtf1 a{\pict\bin99999 x}}", "ends before its last group does"),
    ],
)
def test_what_is_refused_says_why(data: bytes, error: str) -> None:
    row = row_of(data, "n.rtf")
    assert row.document is None
    assert row.error.startswith("file n.rtf: ")
    assert error in row.error


def test_what_stands_before_and_behind_the_file_is_left() -> None:
    assert (
        text_of(b"\xef\xbb\xbf{\\rtf1\\ansi\\ansicpg65001 \xc3\xa9t\xc3\xa9}\x00ZORGLUB") == "été\n"
    )


def test_many_groups_and_words_take_no_long_time() -> None:
    assert text_of(rtf("{" * 50_000 + "a" + "}" * 50_000)) == "a\n"
    assert len(text_of(rtf(r"\u233?" * 200_000))) == 200_001
    assert BytesIO(untouched(rtf(r"{\b a}b" * 20_000), "n.rtf")).getbuffer().nbytes < 400_000
