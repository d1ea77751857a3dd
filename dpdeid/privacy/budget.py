"""What a policy will spend, stated before a note is seen; what was spent is in `ledger`."""

from __future__ import annotations

from dataclasses import dataclass

from dpdeid.privacy.losses import Loss


@dataclass(frozen=True, slots=True)
class Draw:
    """One kind of draw that a unit may make.

    Args:
        what: what is drawn, in a word or two.
        mechanism: its name and parameters, as they stand in its charges.
        loss: what one draw costs.
        cap: at most how many draws a unit makes, None where there is no cap, 0 where they count in
            the cap of the entry before.
        note: one more sentence for the reader, or "".
    """

    what: str
    mechanism: str
    loss: Loss
    cap: int | None = None
    note: str = ""
