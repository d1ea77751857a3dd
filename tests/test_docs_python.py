"""Every block of docs/python.md gives what the page says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "python.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("key_file")
def test_the_page_runs() -> None:
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S))
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(code, {}, "python.md", "python.md", 0)
    report: list[str] = []
    ran = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not report, "".join(report)
    assert ran.attempted > 20
