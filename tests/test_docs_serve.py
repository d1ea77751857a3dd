"""Every line of Python in docs/serve.md does what the page says, over a real socket."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from dpdeid.serve.app import create_app
from dpdeid.serve.settings import Settings
from tests.serve.serving import TOKEN, served

PAGE = (Path(__file__).parents[1] / "docs" / "serve.md").read_text(encoding="utf-8")


def test_python_blocks() -> None:
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S))
    with served(Settings(TOKEN)) as own:
        names = {"URL": own.url, "TOKEN": TOKEN}
        test = doctest.DocTestParser().get_doctest(code, names, "serve.md", "serve.md", 0)
        report: list[str] = []
        doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
        test.globs["service"].close()
    assert not report, "".join(report)


def test_every_request_is_on_the_page() -> None:
    described = create_app(Settings(TOKEN), lambda line: None).openapi()["paths"]
    asked = {(method.upper(), path) for path, methods in described.items() for method in methods}
    told = set(re.findall(r"^\| `(GET|POST) ([/\w.]+)", PAGE, re.M))
    assert told == asked | {("GET", "/openapi.json")}
