"""(being written)"""

from __future__ import annotations

from typing import Final

from dpdeid.detect.patterns.table import Row

ROWS: Final[tuple[Row, ...]] = ()
