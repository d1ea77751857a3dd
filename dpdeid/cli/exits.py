"""What the exit codes of the commands say."""

from __future__ import annotations

from typing import Final

EXIT_OK: Final = 0
EXIT_CHECK_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_SOME_FAILED: Final = 3
EXIT_NONE: Final = 4
"""No row was processed."""
