"""An annex as one page of HTML: no script, no network, to read and to print."""

from __future__ import annotations

from dpdeid.dossier.tree import Annex, pieces
from dpdeid.evaluate.report.charts import template


def html(annex: Annex) -> str:
    """The whole page.

    Raises:
        UsageError: Jinja2 is not installed; names the extra.
    """
    made = template("annex.html", "dossier", needs=("dossier", "the annex needs Jinja2"))
    page: str = made.render(annex=annex, pieces=pieces)
    return page
