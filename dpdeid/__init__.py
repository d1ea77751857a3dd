"""De-identification of French clinical notes, with differential privacy where it can be proved.

>>> from dpdeid import Deidentifier
>>> Deidentifier("redact")("Mme Durand, vue le 12/03/2021.").text
'Mme [LAST_NAME], vue le [DATE].'

The public names are those of `__all__`; they load on first use, so that importing is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpdeid.cohort.cohort import Cohort
    from dpdeid.document import (
        Deidentified,
        Document,
        Failure,
        Finding,
        Mention,
        Record,
        Span,
        Surrogate,
    )
    from dpdeid.engine import Deidentifier
    from dpdeid.errors import (
        CohortError,
        DpdeidError,
        GazetteerError,
        InputError,
        PolicyError,
        SecretKeyError,
        SubstitutionError,
        UsageError,
    )
    from dpdeid.formats.tables.frames import deidentify
    from dpdeid.labels import Label, Role, Sex
    from dpdeid.policy.policy import Policy, load_policy
    from dpdeid.privacy.ledger import Charge, Ledger

_HOMES = {
    "dpdeid.cohort.cohort": ("Cohort",),
    "dpdeid.document": (
        "Deidentified", "Document", "Failure", "Finding", "Mention", "Record", "Span", "Surrogate",
    ),
    "dpdeid.engine": ("Deidentifier",),
    "dpdeid.errors": (
        "CohortError", "DpdeidError", "GazetteerError", "InputError", "PolicyError",
        "SecretKeyError", "SubstitutionError", "UsageError",
    ),
    "dpdeid.formats.tables.frames": ("deidentify",),
    "dpdeid.labels": ("Label", "Role", "Sex"),
    "dpdeid.policy.policy": ("Policy", "load_policy"),
    "dpdeid.privacy.ledger": ("Charge", "Ledger"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = [
    "Charge",
    "Cohort",
    "CohortError",
    "Deidentified",
    "Deidentifier",
    "Document",
    "DpdeidError",
    "Failure",
    "Finding",
    "GazetteerError",
    "InputError",
    "Label",
    "Ledger",
    "Mention",
    "Policy",
    "PolicyError",
    "Record",
    "Role",
    "SecretKeyError",
    "Sex",
    "Span",
    "SubstitutionError",
    "Surrogate",
    "UsageError",
    "deidentify",
    "load_policy",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'dpdeid' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
