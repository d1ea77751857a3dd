"""Every block of docs/bridges.md gives what the page says, in the libraries themselves."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "bridges.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _libraries() -> None:
    for name in ("spacy", "presidio_analyzer", "presidio_anonymizer", "datasets"):
        pytest.importorskip(name, reason="needs the extra bridges")
    import dpdeid.bridges.spacy  # noqa: F401 - for an installation that is older than the pipe


@pytest.mark.usefixtures("key_file")
@pytest.mark.filterwarnings("ignore:Specifying null_placement:FutureWarning")  # sort of datasets
def test_the_page_runs() -> None:
    import datasets

    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S))
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(code, {}, "bridges.md", "bridges.md", 0)
    report: list[str] = []
    datasets.disable_caching()
    ran = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    datasets.enable_caching()
    assert not report, "".join(report)
    assert ran.attempted > 30


def test_every_option_and_extension_is_documented() -> None:
    from dpdeid.bridges.presidio import ALONE, ENTITIES
    from dpdeid.bridges.spacy import GIVEN, MADE, Pipe

    options = set(inspect.signature(Pipe).parameters) - {"nlp", "name"}
    assert {f"`{name}`" for name in options} <= set(re.findall(r"`\w+`", PAGE))
    short = {name.replace("dpdeid_", "_") for name in MADE} - {"_found"}
    for name in (*GIVEN, *short):
        assert name in PAGE, name
    assert ALONE
    for entity in set(ENTITIES.values()) - {label.value for label in ENTITIES}:
        assert entity in PAGE, entity
