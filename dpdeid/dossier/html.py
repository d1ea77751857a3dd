"""An annex as one page of HTML: no script, no network, to read and to print."""

from __future__ import annotations

from functools import cache
from typing import Any

from dpdeid.dossier.tree import Annex, pieces
from dpdeid.errors import extra


@cache
def _template() -> Any:
    with extra("dossier", "the annex needs Jinja2"):
        from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    folders = ("dpdeid.dossier", "."), ("dpdeid.evaluate", "report")
    made = Environment(
        loader=ChoiceLoader([PackageLoader(*folder) for folder in folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["pieces"] = pieces
    return made.get_template("annex.html")


def html(annex: Annex) -> str:
    """The whole page.

    Raises:
        UsageError: Jinja2 is not installed; names the extra.
    """
    page: str = _template().render(annex=annex)
    return page
