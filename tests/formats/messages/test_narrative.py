"""Markup is made anew: well-formed, without what is not listed, with the text that counts."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats.messages.narrative import scrubbed, words

PARTS = st.sampled_from(
    [
        *("<p>", "</p>", "<P CLASS='a'>", "<td colspan=2>", "</div>", "<br>", "<b/>", "<script>"),
        *("</script>", "<!--", "-->", "<![CDATA[", "]]>", "&eacute;", "&amp;lt;", "&", "<", ">"),
        *("'", '"', "<x:p y='", "<?", "FEVG 45 %", "\x00", "<svg/>", "<body>", "<head>"),
    ]
)
MARKUP = st.lists(PARTS | st.text(max_size=3)).map("".join)


@given(MARKUP)
def test_whatever_goes_in_is_well_formed_and_stays_so(markup: str) -> None:
    new = scrubbed(markup)
    root = Xml.fromstring(f"<div>{new}</div>")
    plain = words(markup).replace("\r", "\n")
    assert "".join(root.itertext()).replace("\r", "\n") == plain
    assert {key for one in root.iter() for key in one.keys()} <= {"colspan", "rowspan"}  # noqa: SIM118
    assert scrubbed(new) == new


@pytest.mark.parametrize(
    ("markup", "new"),
    [
        ("<p onclick='x()' title='ROY'>TA</p>", "<p>TA</p>"),
        ("<p>a<p>b<br>c", "<p>a</p><p>b<br/>c</p>"),
        ("<b>a<i>b</b>c", "<b>a<i>b</i></b>c"),
        ("<!-- ROY --><?x ROY?><!DOCTYPE ROY>a", "a"),
        ("<head><title>ROY</title><body>a", "a"),
        ("<script>if(a<b){'ROY'}</script><style>ROY</style>a", "a"),
        ("<![CDATA[TA < 140 & <b>]]>", "TA &lt; 140 &amp; &lt;b&gt;"),
        ("<section>a</section><section>b</section>", "<div>a</div><div>b</div>"),
        ("<a href='mailto:roy@chu.fr'>a</a><img alt='ROY'/>", "a"),
        ("CRP <5 et >3 &lt;DUPONT&gt;", "CRP &lt;5 et &gt;3 &lt;DUPONT&gt;"),
        ("<td rowspan='2' colspan=\"999\">a", '<td rowspan="2">a</td>'),
        ('<!DOCTYPE a [<!ENTITY b "ROY">]>&b;', "]&gt;&amp;b;"),
    ],
)
def test_what_passes(markup: str, new: str) -> None:
    assert scrubbed(markup) == new


def test_deep_markup_keeps_its_text() -> None:
    new = scrubbed("<b>" * 5000 + "FEVG" + "</b>" * 5000)
    assert "FEVG" in new
    assert new.count("<b>") == new.count("</b>") <= 200
