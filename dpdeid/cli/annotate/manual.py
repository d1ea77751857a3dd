"""`dpdeid annotate manual`: the guidelines for annotators."""

from __future__ import annotations

from pathlib import Path

from dpdeid.annotate.exchange import tool_called
from dpdeid.annotate.guidelines import Manual
from dpdeid.annotate.schemes import scheme_called
from dpdeid.errors import UsageError
from dpdeid.formats.write import keep_apart, open_text


def manual(
    output: Path, scheme: str = "dpdeid", language: str = "fr", form: str | None = None
) -> None:
    """Writes the guidelines as Markdown or HTML, by the ending of the file.

    Raises:
        UsageError: a name or the file is refused.
    """
    if form is not None:
        tool_called(form)
    made = Manual(scheme_called(scheme), language, form)
    ways = {".md": made.markdown, ".html": made.html}
    if output.suffix not in ways:
        raise UsageError(f"{output}: a manual ends with {' or '.join(ways)}")
    keep_apart((), output)
    with open_text(output) as file:
        file.write(ways[output.suffix]())
