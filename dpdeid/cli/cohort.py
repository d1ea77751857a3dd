"""`dpdeid cohort new|show|close`: the folder of a cohort, and what its end means."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path

from rich.table import Table

from dpdeid import account, manifest
from dpdeid.cli.counted import counted
from dpdeid.cli.ending import Console
from dpdeid.cli.exits import EXIT_CHECK_FAILED, EXIT_OK
from dpdeid.errors import UsageError
from dpdeid.manifest import Manifest

CLOSED = """\
The key is overwritten and removed. What that means:
- Nobody can draw the same surrogates again, or find an original by drawing the surrogate of every
  candidate. Copies of the key are beyond this command: backups, DPDEID_KEY, what you e-mailed; and
  on flash drives and in snapshots the old blocks may survive until the disk is erased.
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


def new(directory: Path, policy: str, e0: dt.date | None, ledger_key_file: Path | None) -> None:
    """Makes a cohort and prints its manifest.

    Raises:
        UsageError: it exists, or an option is refused.
    """
    made = manifest.create(directory, policy, e0=e0, ledger_key_file=ledger_key_file)
    console = Console()
    console.print(_table(made))
    console.print(
        f"{directory / manifest.KEY} inverts every surrogate: keep it secret, and close the cohort "
        f"when it is complete (dpdeid cohort close {directory})",
        highlight=False,
    )


def show(directory: Path) -> None:
    """Prints the manifest, and the units that have spent something.

    Raises:
        UsageError: there is no cohort.
    """
    console = Console()
    console.print(_table(manifest.read(directory)))
    spent = account.read(directory)
    console.print(
        f"{counted(len(spent.ledger.charges), 'charge')} on "
        f"{counted(len(spent.ledger.units), 'unit')}, "
        f"{counted(len(spent.forgotten), 'patient')} forgotten",
        highlight=False,
    )


def close(directory: Path, *, sure: bool = False) -> int:
    """Destroys the key and says what that means; asks before, and 1 says that nothing was done.

    Args:
        sure: do not ask.

    Raises:
        UsageError: there is no cohort, it is closed, the key cannot be destroyed, or there is
            nobody to ask.
    """
    own = manifest.has_own_ledger_key(directory)
    if not sure and not _confirmed(directory):
        print("dpdeid: the cohort stays open", file=sys.stderr)
        return EXIT_CHECK_FAILED
    closed = manifest.close(directory)
    console = Console(soft_wrap=True)
    console.print(f"closed {closed.closed}: cohort {closed.key}", highlight=False)
    units = OWN_LEDGER if own else SHARED_LEDGER
    console.print(CLOSED.format(units=units), highlight=False, markup=False)
    return EXIT_OK


def _confirmed(directory: Path) -> bool:
    """Whether somebody at a terminal says yes."""
    if not _at_terminal():
        raise UsageError(f"closing {directory} destroys its key for good: confirm it with --yes")
    print(
        f"This destroys the key of {directory} for good: no note can be added to the cohort, and "
        "nobody can draw the same surrogates again. Type yes to go on: ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().lower() == "yes"


def _at_terminal() -> bool:
    return sys.stdin.isatty()


def _table(one: Manifest) -> Table:
    table = Table(show_header=False)
    for name, value in (
        ("policy", f"{one.policy} ({one.policy_sha256[:12]})"),
        ("gazetteers", one.gazetteers[:12]),
        ("surrogate scheme", str(one.scheme)),
        ("e0", one.e0),
        ("key", f"{one.key} (fingerprint)"),
        ("ledger key", f"{one.ledger_key} (fingerprint)"),
        ("created", one.created),
        ("closed", one.closed or "no"),
    ):
        table.add_row(name, value)
    return table
