"""The command line: each command a module, imported only when it runs.

A command is a typed shell over functions of other rooms; only `terminal` writes to the
terminal.
"""

from __future__ import annotations

import sys

from dpdeid.cli.app import app
from dpdeid.cli.terminal import (
    EXIT_IO,
    EXIT_USAGE,
    drop_stdout,
    end_on_term,
    tell,
)
from dpdeid.running.collecting import collect_seldom


def main() -> None:
    """The `dpdeid` command.

    Exit codes: 0 ok, 1 a check failed, 2 usage, 3 some rows failed, 4 no row was processed,
    5 reading or writing failed; and as shells count signals 130 Ctrl-C, 141 the reader of the
    output closed it, 143 the signal TERM.
    """
    from dpdeid.errors import UsageError

    end_on_term()
    collect_seldom()
    try:
        app()
    except UsageError as error:
        tell(str(error), error=True)
        sys.exit(EXIT_USAGE)
    except OSError as error:  # a full disk, a lost drive: its own words hold nothing of a note
        drop_stdout()
        tell(error.strerror or type(error).__name__, error=True)
        sys.exit(EXIT_IO)
