"""Every error dpdeid raises, in one tree.

    DpdeidError
    ├── UsageError           the call itself is wrong (exit code 2)
    │   ├── PolicyError      a policy or a site list: what is unknown or unusable, with its line
    │   ├── SecretKeyError   a secret key that is missing, unreadable, too short or guessable
    │   ├── CohortError      a cohort that is closed, or made with something else
    │   ├── SealError        a sealed mapping: missing, in use, of another kind; its log
    │   │   └── SealKeyError it was sealed under another key
    │   ├── GazetteerError   a list that is missing or damaged
    │   ├── ModelError       a trained model that is missing, damaged or not the one expected
    │   ├── TrainingError    what a model should be trained on, or how, is wrong
    │   └── AnnotationError  a file with annotated notes, or two that do not go together
    ├── InputError           one row of the input cannot be processed (the others are)
    └── SubstitutionError    a strategy cannot give a surrogate; its mentions are redacted

A message names the row, file, key or label and never repeats text of a note: whoever raises one of
these may put into it only what the user configured, never what a patient's record contained.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class DpdeidError(Exception):
    """Base of all errors of this package. Its message is safe to log."""


class UsageError(DpdeidError):
    """The call, option or file is wrong; nothing was processed."""


class PolicyError(UsageError):
    """A policy is refused; the message gives the line and the allowed names."""


class SecretKeyError(UsageError):
    """The secret key is missing, unreadable, too short or such that it can be guessed."""


class CohortError(UsageError):
    """A cohort is missing or closed, or was made with something else; the message names both."""


class SealError(UsageError):
    """A sealed mapping cannot be used; the message names the file."""


class SealKeyError(SealError):
    """A sealed mapping was sealed under another key; the message has both fingerprints."""


class GazetteerError(UsageError):
    """A gazetteer file is missing or damaged."""


class ModelError(UsageError):
    """A trained model or its card is missing, damaged or of another kind, or may not be shared."""


class TrainingError(UsageError):
    """The data or options of a training are refused; the message names the file and the row."""


class AnnotationError(UsageError):
    """Annotated notes are refused; the message has the reasons, each with the ids of its notes."""


class InputError(DpdeidError):
    """One input row cannot be processed. The message is safe to write beside released rows."""


class SubstitutionError(DpdeidError):
    """A strategy cannot give a surrogate; the engine redacts its mentions instead."""


@contextmanager
def extra(name: str, what: str, instead: str = "") -> Iterator[None]:
    """A block that imports packages of an extra; a missing one is told with the extra's name.

    Args:
        what: what needs which package.
        instead: what else one may do.

    Raises:
        UsageError: one is not installed.
    """
    try:
        yield
    except ImportError:
        raise UsageError(
            f"{what}: pip install '.[{name}]' in a checkout of dpdeid{instead}"
        ) from None
