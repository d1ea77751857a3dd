"""The notes that people read on the page: prepared once by the workers, then a queue in the process
that answers, which has these notes in its memory.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from dpdeid.document import Document
from dpdeid.errors import InputError, UsageError
from dpdeid.fasdim.reading.answers import answered
from dpdeid.fasdim.reading.places import Left
from dpdeid.fasdim.reading.queue import Queue
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.write import keep_apart
from dpdeid.policy.policy import load_policy
from dpdeid.serve import work
from dpdeid.serve.settings import Reviewing
from dpdeid.serve.work import BusyError, GoneError, Workers

_AGAIN: Final = 0.5
"""Seconds after which workers that were busy are asked again."""


class Reviews:
    """Notes on their way into a queue.

    Args:
        unread: why rows of the source are none of them.
        done: how many notes are prepared.
        failed: how many could not be.
        fault: why none can be, "" if they can.
        queue: None until all are.

    Raises:
        UsageError: the source, the policy or the answers are refused.
    """

    def __init__(self, told: Reviewing) -> None:
        keep_apart(source_files(told.source), told.answers)
        load_policy(told.policy)
        rows = list(read(told.source, sys.stdin.buffer))
        self.told = told
        self.notes = [row.document for row in rows if row.document is not None]
        self.unread = [str(row.error) for row in rows if row.document is None]
        self._known = answered(told.answers)
        self._known.check(self.notes)
        self.done = self.failed = 0
        self.fault = ""
        self.queue: Queue | None = None

    async def prepare(self, workers: Workers) -> None:
        """Has the workers say what detection leaves, a note at a time: others may ask meanwhile."""
        notes = list[Left]()
        try:
            for doc in self.notes:
                note = await self._left(doc, workers)
                self.done += 1
                self.failed += note is None
                notes += [note] if note is not None else []
        except UsageError as error:
            self.fault = str(error)
            return
        design = self._known.design.but(self.told.share, self.told.sample, self.told.seed)
        self.queue = await asyncio.to_thread(Queue, notes, self._known, design)

    async def _left(self, doc: Document, workers: Workers) -> Left | None:
        while True:
            try:
                return await workers.ask(work.left_in, doc, self.told.policy)
            except BusyError:
                await asyncio.sleep(_AGAIN)
            except (InputError, GoneError):
                return None
