"""`dpdeid dossier`: the annex of an impact assessment, of a policy and what was measured."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from pathlib import Path

from dpdeid.cohort import durable
from dpdeid.cohort.manifest import own_files
from dpdeid.dossier.docx import docx
from dpdeid.dossier.duties import Kept
from dpdeid.dossier.figures import Measured
from dpdeid.dossier.html import html
from dpdeid.dossier.parts import annex
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.inputs import read
from dpdeid.formats.write import keep_apart
from dpdeid.policy.policy import load_policy, policy_file


def dossier(
    policy: str,
    out: Path,
    files: list[Path] | None = None,
    lang: str = "en",
    cohort: Path | None = None,
    review: datetime | None = None,
) -> None:
    """Writes the annex, as HTML or .docx by the ending of its name. It is private (mode 0600).

    Raises:
        UsageError: the policy, a file, the cohort, the language or the ending is refused, or
            python-docx or Jinja2 is not installed.
    """
    if (ending := out.suffix.lower()) not in (".html", ".docx"):
        raise UsageError(f"{out}: the annex is an .html or a .docx file")
    given = files or []
    keep_apart((policy_file(policy), *given, *own_files(cohort)), out)
    used = load_policy(policy)
    evaluations = read(given)
    prints = tuple((path.name, sha256(path.read_bytes()).hexdigest()) for path in given)
    today = datetime.now().astimezone().date()
    made = annex(
        Measured(used, evaluations, prints),
        lang,
        day=today,
        review=None if review is None else review.date(),
        cohort=None if cohort is None else Kept.of(cohort, used),
    )
    written = docx(made) if ending == ".docx" else html(made).encode()
    try:
        with durable.beside(out) as file:
            file.write(written)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from None
