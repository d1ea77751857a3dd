"""Clock times: the hour stays, the minutes move by a few, in their order and in their form.

The minutes of an hour go through one secret map that never descends, sixty sorted draws for each
unit and hour: order and delays stay about what they were, over all notes of a patient (a minute
moves by at most 4 in the mean). What stands on a clock's marks of five minutes stays on them, as
people round: "8h08" for a visit at 8h10 would tell that somebody was here. No privacy guarantee is
claimed: the hour is printed as it is, and equal times stay equal. A time without minutes ("10 h",
"midi") is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.french import numerals
from dpdeid.labels import Label
from dpdeid.normalize import clean, fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.rng import Streams
from dpdeid.protocols import Context, Guarantee

_SPACE: Final = r"(?:\s|&nbsp;|&#160;){0,3}"
_DIGITS: Final = re.compile(
    rf"(?P<hour>\d{{1,2}})(?P<mark>{_SPACE}(?:heures?|hrs?|h|:|\.){_SPACE})"
    rf"(?:(?P<minute>\d{{1,2}})(?:(?P<mark2>{_SPACE}(?::|m(?:in)?|')?{_SPACE})(?P<second>\d\d)"
    rf"(?:[.,]\d{{1,6}})?)?(?P<end>{_SPACE}(?:min|mn|m|s|'|z)?\.?))?",
    re.IGNORECASE,
)
_STAMP: Final = re.compile(
    r"(?P<hour>\d\d)(?P<mark>)(?P<minute>\d\d)(?:(?P<mark2>)(?P<second>\d\d))?(?P<end>[+-]\d{4})?"
)
"""As HL7 writes it behind a day."""
_LETTERS: Final = re.compile(
    r"(?P<hour>midi|minuit|[^\W\d_]{2,9}(?:[ -][^\W\d_]{2,9}){0,3}?(?P<unit>\s+heures?))"
    r"(?:(?P<gap>\s+)(?P<minutes>[^\W\d_]{2,9}(?:[ -][^\W\d_]{2,9}){0,3}))?",
    re.IGNORECASE,
)
_SCANNED: Final = re.compile(r"(?<!\w)(?=[OolI]?\d|\d)[\dOolI]{2}(?!\w)")
"""A number of two digits, in which a scanner may have read letters: "I6:O4"."""
_HOUR: Final = re.compile(r"\d{1,2}")
_LAST_HOUR: Final = 24
_LONGEST: Final = 60
_MARK: Final = 5
_QUARTERS: Final = frozenset({"et demie", "et demi", "et quart", "moins le quart"})
_LOSS: Final = NoGuarantee("clock hours kept, minutes moved by a few in their order")
_MECHANISM: Final = "minutes"


@dataclass(frozen=True, slots=True)
class Times:
    """Surrogates for clock times: hour and order kept, minutes moved, seconds redrawn, one for all
    times of a minute.

    Raises:
        ValueError: another label than TIME is asked for.
    """

    name: ClassVar[str] = "times"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = (Label.TIME,)

    def __post_init__(self) -> None:
        if self.labels != (Label.TIME,):
            raise ValueError("labels must be TIME alone")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        """A surrogate for every time that can be read."""
        for mention in mentions:
            written = redraw(mention.text, context.streams)
            if written is not None:
                text, event = written
                charge = Charge(context.streams.unit, event, _MECHANISM, _LOSS)
                yield Surrogate(mention, text, self.name, (charge,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, _MECHANISM, _LOSS),)


def redraw(text: str, streams: Streams) -> tuple[str, str] | None:
    """The time with other minutes, and the event of their draw; None if `text` is no time."""
    if len(text) > _LONGEST:
        return None
    plain = text if text.isascii() else clean(text).text
    plain = _SCANNED.sub(lambda run: numerals.in_digits(run[0]) or run[0], plain)
    if _HOUR.fullmatch(plain) and int(plain) <= _LAST_HOUR:
        return plain, _draw(streams, int(plain), 0)[2]
    if match := _DIGITS.fullmatch(plain) or _STAMP.fullmatch(plain):
        return _in_digits(match, streams)
    if (match := _LETTERS.fullmatch(plain)) is not None:
        return _in_letters(match, streams)
    return None


def _draw(streams: Streams, hour: int, minute: int) -> tuple[int, int, str]:
    """A minute and a second for this time of the unit, and the event."""
    stream, event = streams.named("times", _MECHANISM, f"{hour:02d}")
    minutes = sorted(stream.randbelow(60) for _ in range(60))
    moved = [_moved(minutes, one) for one in range(60)]
    own = moved[minute]
    # minutes that become one share its seconds, in their order
    first, size = moved.index(own), moved.count(own)
    low, high = (60 * (minute - first + more) // size for more in (0, 1))
    seconds = streams.stream("times", "seconds", f"{hour:02d}:{minute:02d}")
    return own, low + seconds.randbelow(high - low), event


def _moved(minutes: Sequence[int], minute: int) -> int:
    """Where a minute moves to, between where the marks of the clock around it do."""
    low, high = _on_a_mark(minutes, minute), _on_a_mark(minutes, minute + _MARK)
    return low if minute % _MARK == 0 else min(max(minutes[minute], low), high)


def _on_a_mark(minutes: Sequence[int], minute: int) -> int:
    """Where the last mark of the clock up to a minute moves to: a mark, 59 for a full hour."""
    if minute >= len(minutes):
        return len(minutes) - 1
    near = (minutes[minute - minute % _MARK] + _MARK // 2) // _MARK * _MARK
    return min(near, len(minutes) - _MARK)


def _in_digits(match: re.Match[str], streams: Streams) -> tuple[str, str] | None:
    hour, minute, second = match["hour"], match["minute"], match["second"]
    if int(hour) > _LAST_HOUR or (minute is not None and int(minute) > 59):
        return None
    if minute is None and match["mark"].strip() in (":", "."):
        return None
    new_minute, new_second, event = _draw(streams, int(hour), int(minute or 0))
    if minute is None:
        return match[0], event
    text = f"{hour}{match['mark']}{new_minute:02d}"
    if second is not None:
        text += f"{match['mark2']}{new_second:02d}"
    return text + (match["end"] or ""), event


def _in_letters(match: re.Match[str], streams: Streams) -> tuple[str, str] | None:
    hour = _hour(match)
    if hour is None:
        return None
    written = match["minutes"]
    if written is None:
        return match[0], _draw(streams, hour, 0)[2]
    words = re.split("[ -]", fold(written))
    minute = 30 if " ".join(words) in _QUARTERS else numerals.read(words)
    if minute is None or minute > 59:
        return None
    new_minute, _, event = _draw(streams, hour, minute)
    return f"{match['hour']}{match['gap']}{numerals.spell(new_minute)}", event


def _hour(match: re.Match[str]) -> int | None:
    word = fold(match["hour"])
    if word in ("midi", "minuit"):
        return 12 if word == "midi" else 0
    unit = len(match["unit"])
    hour = numerals.read(re.split("[ -]", word[:-unit]))
    return hour if hour is not None and hour <= _LAST_HOUR else None
