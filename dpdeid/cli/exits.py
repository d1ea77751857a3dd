"""What the exit codes of the commands say."""

from __future__ import annotations

from typing import Final

EXIT_OK: Final = 0
EXIT_CHECK_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_SOME_FAILED: Final = 3
EXIT_NONE: Final = 4
"""No row was processed."""
EXIT_IO: Final = 5
"""Reading or writing failed on the way: a full disk, a lost drive."""
EXIT_INTERRUPTED: Final = 130
"""Ctrl-C; 128 and the number of the signal, as shells count."""
EXIT_BROKEN_PIPE: Final = 141
"""Whoever read the output closed it, as `head` does: what came out is not all there was."""
EXIT_TERMINATED: Final = 143
"""The signal TERM."""
