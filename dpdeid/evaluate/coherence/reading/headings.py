"""The date of a note: that of a letter, or that in the heading of another note."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import Day, Event
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.french.calendar import WEEKDAYS

_LETTER_LINE: Final = re.compile(
    rf"(?:(?!.{{0,40}}\b(?:{cue('no_place_of_a_letter')}))[a-z'-]+"
    r"(?:[ -][a-z'-]+){0,4}(?: \([a-z' -]*\))?,? )?(?:le |ce )?"
    rf"(?:{' |'.join(WEEKDAYS)} )?\0[.,]?(?: a \d{{1,2}} ?[h:]\d{{0,2}})?"
)
_HEADED: Final = re.compile(
    rf"(?:(?:^|[|(]|  |\t) ?(?:{cue('date_of_a_note')})|"
    r"\b(?:aujourd'hui|ce jour|en date du|date du jour)[ ,:]{0,3}(?:le |soit le )?\(?)[ :]*$"
)


_FIRST_LINE: Final = re.compile(
    rf"(?!.*\b(?:{cue('no_first_line')}))"
    r"(?:(?:[a-z' -]{2,30},? )?(?:le )|(?:[a-z' -]{2,30}, )?)(?:\w+di )?"
)


def is_letter(flat: str, day: Day) -> bool:
    """Whether a date stands where the day of the note does."""
    start, end = line_of(flat, day.at[0])
    before, behind = flat[start : day.at[0]], flat[day.at[1] : end]
    if re.search(r"\bne(?:e|\(e\))?\b|naiss|ddn", before):
        return False
    line = f"{before.strip()} \0{behind.strip()}".strip()
    alone = before.strip() and f"{before.strip()} "
    if not flat[:start].strip() and _FIRST_LINE.fullmatch(alone):
        return True
    head = _HEADED.search(before)
    late = flat.count("\n", 0, start) > 5 and not re.search(r"\b(?:date|fait|[a-z]+e le)\b", before)
    return bool(_LETTER_LINE.fullmatch(line) or (head and not late))


_ANOTHER_DAY: Final = re.compile(rf"\b(?:{cue('not_the_day_of_a_note')})\b")
_SIGNS_BEFORE: Final = re.compile(
    r"(?:^|[-–—:,(|/•=]|  | le| du| en| fait| recu le| envoye :?)[ ]?$"
)


def heads(flat: str, day: Day, event: Event) -> bool:
    """Whether a date stands in one of the first lines as that of a note: "Bilan - 18/11/2024"."""
    start, end = line_of(flat, day.at[0])
    lines = [line for line in flat[:start].split("\n") if line.strip()]
    before, behind = flat[start : day.at[0]], flat[day.at[1] : end]
    if re.search(r"\b(?:a|est|sera|il|elle|ete|avait|etait)\b", before):
        return False
    if len(lines) > 2 or day.first.year < 1996 or (day.last - day.first).days > 31:
        return False
    clause = re.split(
        r"[-–—:,(|]", re.sub(r"(?:\b(?:le|du) ?)?[ |(:–—-]+$|\b(?:le|du) ?$", "", before)
    )[-1]
    if _ANOTHER_DAY.search(clause) or re.match(r" ?(?:au|-|–|\)?,? ?\d\d? ?ans)\b", behind):
        return False
    told = event in (Event.NONE, Event.SEEN)
    return bool(_SIGNS_BEFORE.search(before)) and told and not re.search(r"\d[/.]\d", before)
