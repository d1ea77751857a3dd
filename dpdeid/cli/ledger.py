"""`dpdeid ledger add`: what units lost over several releases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from dpdeid.cli.ending import Console
from dpdeid.errors import UsageError
from dpdeid.formats.write import write_json
from dpdeid.privacy.ledger import Ledger

SHOWN = 50


def add(files: Sequence[Path], output: Path | None) -> int:
    """Prints the totals of the union, by unit.

    Raises:
        UsageError: a file is no ledger, or they tag units under different keys.
    """
    union, keys = Ledger(), dict[str, Path]()
    kinds = set()
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
            union += Ledger.from_json(text)
            head = json.loads(text)
        except OSError as error:
            raise UsageError(f"cannot read the ledger {path}: {error.strerror}") from None
        except ValueError:
            raise UsageError(f"{path} is not a ledger (run --ledger writes one)") from None
        keys.setdefault(str(head.get("ledger_key")), path)
        kinds.add(head.get("unit"))
    if len(keys) > 1:
        (one, first), (other, second) = list(keys.items())[:2]
        raise UsageError(
            f"{first} tags units under the ledger key {one}, {second} under {other}: their units "
            "cannot be matched (give all cohorts one --ledger-key-file)"
        )
    console = Console()
    table = Table("unit (keyed)", "charges", "lost in total")
    for unit in union.units[:SHOWN]:
        charges = union.of_unit(unit).charges
        table.add_row(unit, str(len(charges)), "\n".join(map(str, union.total(unit))))
    console.print(table)
    if len(union.units) > SHOWN:
        console.print(f"and {len(union.units) - SHOWN} units more", highlight=False)
    if len(kinds) > 1:
        console.print(
            "Some ledgers count by note and some by patient: a patient's notes do not add to the "
            "patient.",
            highlight=False,
        )
    if output is not None:
        unit = kinds.pop() if len(kinds) == 1 else "note and patient"
        whole = {"ledger_key": next(iter(keys)), "unit": unit, "charges": union.rows()}
        write_json(output, whole)
    return 0
