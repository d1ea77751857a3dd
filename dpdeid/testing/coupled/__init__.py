"""Coupled non-interference: a fuzzer of the statement that a policy prints.

A random template (notes of one patient with slots for dates, births, ages, towns and codes) is
filled twice, with values of the same skeleton S. Both records are released with the same randomness
by an engine whose mechanisms do not see their input (`blind`). Whatever the two releases then
differ in has not gone through a mechanism: a flow that no ε covers, and often one that makes the
two records certain to tell apart.

Detection belongs to S, so the spans are planted. What it cannot find: values that a template has no
slot for, a wrong pmf of a mechanism (`dpdeid.privacy.audit` checks these), and what is equal for
both fillings by the choice of S (`skeleton`).

    python -m dpdeid.testing.coupled --policy dp-strict --templates 2000 --seed 1
"""

from dpdeid.testing.coupled.comparison import Fuzzed, Violation, fuzz, stated_policies

__all__ = ["Fuzzed", "Violation", "fuzz", "stated_policies"]
