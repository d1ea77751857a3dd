"""Tables with tabs between their cells: read as any table is that is text."""

from __future__ import annotations

from functools import partial
from typing import Final

from dpdeid.formats.tables import csv_rows

read: Final = csv_rows.read
columns: Final = csv_rows.columns
cells_of: Final = csv_rows.cells_of
write: Final = partial(csv_rows.write, delimiter="\t")
