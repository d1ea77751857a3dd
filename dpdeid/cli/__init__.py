"""The command line: thin typed shells over plain functions, imported only when they run."""

from __future__ import annotations

import sys

from dpdeid.cli.app import app
from dpdeid.cli.exits import EXIT_OK, EXIT_USAGE


def main() -> None:
    """The `dpdeid` command.

    Exit codes: 0 ok, 1 a check failed, 2 usage, 3 some rows failed, 4 no row was processed.
    """
    from dpdeid.errors import UsageError

    try:
        app()
    except UsageError as error:
        print(f"dpdeid: {error}", file=sys.stderr)
        sys.exit(EXIT_USAGE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_OK)
    except OSError as error:  # a full disk, a lost drive: its own words hold nothing of a note
        print(f"dpdeid: {error.strerror or type(error).__name__}", file=sys.stderr)
        sys.exit(EXIT_USAGE)
