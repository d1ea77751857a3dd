"""A pytest plugin under which nothing may be skipped: `pytest -p tests.no_skips`.

For machines that have all tools: a test that is skipped there guards nothing, and nobody sees it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import pytest

AnyReport = TypeVar("AnyReport", pytest.TestReport, pytest.CollectReport)


def failed(report: AnyReport) -> AnyReport:
    """The report, failed with the reason of the skip if it was one."""
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else "Expected to fail"
        vars(report).pop("wasxfail", None)  # or the session would still count it as well
        report.outcome = "failed"
        report.longrepr = f"nothing may be skipped here: {reason}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return failed((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return failed((yield))
