"""`dpdeid cohort new|show|close`, `key new`, `vault show|merge|split` and `ledger add`: the folder
of a cohort, what its end means, whom it remembers, and what several of them have spent.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import typer
from rich.table import Table

from dpdeid.assurance.leakage import MEANING, above
from dpdeid.cli.terminal import EXIT_CHECK_FAILED, EXIT_OK, Console, counted, table, tell, worded
from dpdeid.cohort import account, manifest
from dpdeid.cohort.cohort import write_key
from dpdeid.cohort.manifest import Manifest
from dpdeid.errors import UsageError
from dpdeid.formats.write import keep_apart, write_json
from dpdeid.privacy.leakage import NAMED, joined, of_charges, table_in
from dpdeid.privacy.leakage import Table as Bits
from dpdeid.privacy.ledger import Ledger

_SHOWN: Final = 50
"""Units that `ledger add` prints."""

CLOSED = """\
The key is overwritten and removed. What that means:
- Nobody can draw the same surrogates again, or find an original by drawing the surrogate of every
  candidate. Copies of the key are beyond this command: backups, DPDEID_KEY, what you e-mailed; and
  on flash drives and in snapshots the old blocks may survive until the disk is erased.
- The vault is deleted, and cannot be read without the key.
- No note can be added to this cohort. A new cohort draws anew, and its losses add to these.
What remains:
- The released notes, with the guarantee that `dpdeid check` states, now and later.
- Files of originals that you asked for (--mapping, --spans): destroy them yourself.
- Sealed mappings (--seal): whoever holds their key can still go back. Destroy it to end that.
- {units}"""
OWN_LEDGER = """\
The ledgers. Their tags are keyed by the destroyed key: they tell how many units lost how much, and
  no longer who they are."""
SHARED_LEDGER = """\
The ledgers. Patients are tagged under the ledger key, which lives on: whoever holds it can tell
  whether a patient they know of is in this cohort, and no value. What was drawn is tagged under the
  destroyed key."""


def new_key(file: Path) -> None:
    """Writes a random key.

    Raises:
        UsageError: the file exists, or cannot be written.
    """
    write_key(file)
    typer.echo(f"wrote {file} (mode 0600): keep it secret, and destroy it to close the cohort")


def new(
    directory: Path,
    policy: str = "dp",
    e0: datetime | None = None,
    ledger_key_file: Path | None = None,
) -> None:
    """Makes a cohort and prints its manifest.

    Raises:
        UsageError: it exists, or an option is refused.
    """
    day = e0.date() if e0 else None
    made = manifest.create(directory, policy, e0=day, ledger_key_file=ledger_key_file)
    console = Console()
    console.print(_table(made))
    console.print(
        f"{directory / manifest.KEY} inverts every surrogate: keep it secret, and close the cohort "
        f"when it is complete (dpdeid cohort close {directory})"
    )


def show(directory: Path, output: Path | None = None) -> None:
    """Prints the manifest, and the units that have spent something.

    Raises:
        UsageError: there is no cohort, or the file cannot be written or is one of its own.
    """
    keep_apart(manifest.own_files(directory), output)
    made, spent = manifest.read(directory), account.read(directory)
    charges, units = len(spent.ledger.charges), len(spent.ledger.units)
    if output is not None:
        counts = {"charges": charges, "units": units, "forgotten": len(spent.forgotten)}
        write_json(output, {"manifest": asdict(made), **counts})
    console = Console()
    console.print(_table(made))
    console.print(
        f"{counted(charges, 'charge')} on {counted(units, 'unit')}, "
        f"{counted(len(spent.forgotten), 'patient')} forgotten"
    )


def close(directory: Path, yes: bool = False) -> int:
    """Destroys the key and says what that means; asks before, and 1 says that nothing was done.

    Raises:
        UsageError: there is no cohort, it is closed, the key cannot be destroyed, or there is
            nobody to ask.
    """
    own = manifest.has_own_ledger_key(directory)
    question = (
        f"This destroys the key of {directory} for good: no note can be added to the cohort, and "
        "nobody can draw the same surrogates again. Type yes to go on: "
    )
    refused = f"closing {directory} destroys its key for good: confirm it with --yes"
    if not yes and not _confirmed(question, refused):
        tell("the cohort stays open")
        return EXIT_CHECK_FAILED
    closed = manifest.close(directory)
    console = Console(soft_wrap=True)
    console.print(f"closed {closed.closed}: cohort {closed.key}")
    console.print(CLOSED.format(units=OWN_LEDGER if own else SHARED_LEDGER), markup=False)
    return EXIT_OK


def _confirmed(question: str, refused: str) -> bool:
    """Whether somebody at the terminal says yes.

    Raises:
        UsageError: there is no terminal; says what was refused.
    """
    if not _at_terminal():
        raise UsageError(refused)
    print(worded(question), end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


def _at_terminal() -> bool:
    return sys.stdin.isatty()


def _table(one: Manifest) -> Table:
    rows = (
        ("policy", f"{one.policy} ({one.policy_sha256[:12]})"),
        ("gazetteers", one.gazetteers[:12]),
        ("surrogate scheme", str(one.scheme)),
        ("e0", one.e0),
        ("key", f"{one.key} (fingerprint)"),
        ("ledger key", f"{one.ledger_key} (fingerprint)"),
        ("created", one.created),
        ("closed", one.closed or "no"),
    )
    return table((), rows, show_header=False)


def show_vault(directory: Path, output: Path | None = None) -> None:
    """Prints counts.

    Raises:
        UsageError: there is no open cohort, its vault is missing or damaged, or the file cannot be
            written or is one of its own.
    """
    keep_apart(manifest.own_files(directory), output)
    with manifest.vault(directory, look=True) as vault:
        released, merged = vault.counts()
        if output is not None:
            write_json(output, {"released": released, "merged": merged})
        Console(soft_wrap=True).print(
            f"{vault.path}: {counted(released, 'unit')} released (patients, and notes without a "
            f"patient id), {counted(merged, 'patient id')} merged into others",
            markup=False,
        )


MERGE: Final = (
    "From now on notes of the two ids are one person's, and fit what was released under the "
    "second; dpdeid vault split parts them again, and not what was released until then. "
    "Type yes to go on: "
)
MERGED: Final = (
    "Merged. Later notes of either id are one patient's, and fit what was released under the "
    "second. What was released under the first stays as it is: another person's."
)
SPLIT: Final = (
    "Split. Later notes of each id are those of one person again, and fit what was released under "
    "it before. What was released while they were one stays as it is, in one life under the "
    "second id, and counts in the caps of both (days and towns: {n})."
)
ALIKE: Final = "To forget one of them, forget both: that life holds days and towns of either."


def merge_patients(
    directory: Path, patient: str, into: str | None = None, yes: bool = False
) -> int:
    """Merges, and prints what that means, without the ids; asks before, and 1 says that nothing was
    done.

    Raises:
        UsageError: an id is missing, nothing was released under the second one, or there is nobody
            to ask.
    """
    if patient == "-":
        patient, into = (sys.stdin.readline().strip() for _ in range(2))
    if not patient or not into:
        raise UsageError("two patient ids are needed")
    refused = (
        "merging two patients changes what all their later notes become: confirm it with --yes"
    )
    if not yes and not _confirmed(MERGE, refused):
        tell("the two ids stay apart")
        return EXIT_CHECK_FAILED
    with manifest.committing(directory), manifest.vault(directory) as vault:
        vault.merge(patient, into)
    _say(MERGED)
    return EXIT_OK


def split_patients(directory: Path, patient: str) -> None:
    """Undoes a merge for what comes, and prints what stays, without the ids.

    Raises:
        UsageError: the id is missing, or was merged into no other.
    """
    if patient == "-":
        patient = sys.stdin.readline().strip()
    if not patient:
        raise UsageError("a patient id is needed")
    with manifest.committing(directory), manifest.vault(directory) as vault:
        shared = vault.split(patient)
    _say(SPLIT.format(n=f"{shared:,}"))
    if shared:
        _say(ALIKE)


def _say(words: str) -> None:
    """Prints what was done, in the language of the question before it."""
    Console(soft_wrap=True).print(worded(words), markup=False)


def add_ledgers(files: list[Path], output: Path | None = None, figures: Path | None = None) -> None:
    """Prints the totals of the union, by unit, with the bits of its draws where they are proved.

    Args:
        output: gets the union, a ledger.
        figures: gets what is printed, of all units.

    Raises:
        UsageError: a file is no ledger, they tag units under different keys, or what is written is
            one of them.
    """
    keep_apart(files, output, figures)
    union, keys = Ledger(), dict[str, Path]()
    kinds, bits = set(), table_in({})
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
            union += Ledger.from_json(text)
            head = json.loads(text)
            bits = joined((bits, table_in(head)))
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
    units = union.units if figures is not None else union.units[:_SHOWN]
    told = [_spent_by(unit, union, bits) for unit in units]
    if figures is not None:
        write_json(figures, {"ledger_key": next(iter(keys)), "units": told})
    console = Console()
    rows = (
        (one["unit"], str(one["charges"]), "\n".join(one["lost"]), one["bits"])
        for one in told[:_SHOWN]
    )
    console.print(table(("unit (keyed)", "charges", "lost in total", "bits at most"), rows))
    if bits:
        console.print(MEANING, markup=False)
    if len(union.units) > _SHOWN:
        console.print(f"and {len(union.units) - _SHOWN} units more")
    if len(kinds) > 1:
        console.print(
            "Some ledgers count by note and some by patient: a patient's notes do not add to the "
            "patient."
        )
    if output is not None:
        unit = kinds.pop() if len(kinds) == 1 else "note and patient"
        head = {"ledger_key": next(iter(keys)), "unit": unit}
        leakage = {"meaning": MEANING, "bits": bits}
        write_json(output, {**head, "leakage": leakage, "charges": union.rows()})


def _spent_by(unit: str, union: Ledger, bits: Bits) -> dict[str, Any]:
    own = union.of_unit(unit).charges
    leaked = of_charges(own, bits)
    told = "–" if leaked is None else above(leaked) + " (may name)" * (leaked >= NAMED)
    lost = [*map(str, union.total(unit))]
    return {"unit": unit, "charges": len(own), "lost": lost, "bits": told}
