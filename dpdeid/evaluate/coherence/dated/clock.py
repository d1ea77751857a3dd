"""Times of day against delays, and against their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note
from dpdeid.evaluate.coherence.reading.flat import line_of

_AMOUNT: Final = (
    r"(?P<n>\d{1,3}|demi[e]?|trois quarts d'|quart d')(?:(?:[ -]|(?<='))(?P<u>h|heures?|min|mn|"
    r"minutes?|demi-heures?|heure)\b ?"
    r"(?P<m>\d{1,2}|et demie?|et quart)?(?: ?(?:min|mn|minutes?))?"
    r"|(?P<u2>h|min|mn)(?P<m2> ?\d{1,2})?(?![a-z]))"
)
_NOUN: Final = r" (?:l'|le |la |les |son |sa |ce |cette |[a-z']+(?: [a-z']+){0,2} (?:a |de )?\d)"
_LATER: Final = (
    re.compile(rf"\b{_AMOUNT} (?:plus tard|ensuite|apres\b(?!{_NOUN}))"),
    re.compile(rf"\bau bout (?:de |d')(?:environ )?{_AMOUNT}"),
    re.compile(rf"\bapres {_AMOUNT} d(?:e |')"),
)
_EARLIER: Final = (re.compile(rf"\b{_AMOUNT} (?:plus tot|auparavant|avant\b(?!{_NOUN}))"),)
_SIDED: Final = r"[ \d]{0,4}(?:avant|apres)\b"
_TOTAL: Final = (
    re.compile(
        rf"\b(?:duree|soit|pendant|dure|duree totale)(?: [a-z']+){{0,2}} ?:? ?"
        rf"(?:de )?{_AMOUNT}(?!{_SIDED})"
    ),
    re.compile(rf"\((?:soit )?(?:en )?{_AMOUNT}\)"),
    re.compile(rf"[:=,] ?{_AMOUNT} d(?:e |')"),
)


def _first(forms: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    """The first amount that one of the forms reads."""
    found = [match for form in forms if (match := form.search(text))]
    return min(found, key=lambda match: match.start(), default=None)


_NEXT_DAY: Final = re.compile(rf"\b(?:{cue('another_day')})\b|\d/\d|\0")
_STARTS: Final = f"(?:{cue('begins')})"
_ENDS: Final = f"(?:{cue('ends')})"
_FROM_TO: Final = re.compile(r" ?(?:a|-|–|→|->|jusqu'a) ?")


def _minutes(match: re.Match[str]) -> int:
    """The length that an amount tells."""
    number, unit = match["n"], match["u"] or match["u2"] or "min"
    more = (match["m"] or match["m2"] or "").strip()
    parts = {"demi": 0.5, "demie": 0.5, "quart d'": 0.25, "trois quarts d'": 0.75}
    amount = parts.get(number) or int(number)
    if unit.startswith("demi"):
        return int(30 * amount)
    if unit[0] == "m":
        return int(amount)
    part = {"et demi": 30, "et demie": 30, "et quart": 15}
    return int(60 * amount) + (part.get(more) or int(more or 0))


_SIDE: Final = re.compile(rf"\b{_AMOUNT} (?:avant|apres)(?={_NOUN})")


def _right_behind(forms: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    """The first amount, if it stands where a text begins."""
    told = _first(forms, text)
    tight = told and re.fullmatch(r" ?[(,:]{0,2} ?(?:soit )?", text[: told.start()])
    return told if tight else None


def clock_delay(note: Note) -> Iterator[Clash]:
    """Times of day against a stated delay, or in an order that they cannot have."""
    flat = note.flat
    yield from _from_event(note)
    yield from _whole_act(note)
    for one, other in pairwise(note.clocks):
        start = one.at[1]
        gap = flat[start : other.at[0]]
        if len(gap) > 400 or "\n\n" in gap:
            continue
        moved = (other.minutes - one.minutes) % 1440
        behind = flat[other.at[1] : other.at[1] + 45].split("\n")[0]
        told, base = _first(_LATER, gap), start
        if told is not None and "\n" in gap[told.end() :] and not gap.rstrip().endswith(","):
            continue  # said of the first, and of one before it
        if told is None and (told := _right_behind(_LATER, behind)):
            base = other.at[1]
        if told is None and (told := _first(_EARLIER, gap)):
            if "\n" in gap[told.end() :] or re.search(r"[.;]", gap[told.end() :]):
                continue  # said of the first, and of one before it
            moved = -moved % 1440
        if told is None and (told := _right_behind(_EARLIER, behind)):
            base, moved = other.at[1], -moved % 1440
        if told is None and (_FROM_TO.fullmatch(gap) or re.search(rf"\b{_ENDS}\b", gap)):
            told, base = _first(_TOTAL, behind), other.at[1]
            if told is None:
                told, base = _first(_TOTAL, gap), start
        if told is not None:
            if not _agree(_minutes(told), moved):
                yield Kind.CLOCK_DELAY, (base + told.start(), base + told.end()), other.at
            continue
        next_day = _NEXT_DAY.search(gap + behind[:12])
        if len(gap) <= 140 and not next_day and _backwards(flat, one.at, gap, moved):
            yield Kind.CLOCK_DELAY, one.at, other.at


def _from_event(note: Note) -> Iterator[Clash]:
    """ "À 10 h 40, 40 minutes après l'arrivée": no two times of the note lie so far apart."""
    times = [clock.minutes for clock in note.clocks]
    for match in _SIDE.finditer(note.flat):
        start, end = line_of(note.flat, match.start())
        near = [
            c for c in note.clocks if start <= c.at[0] < end and c.at[0] not in range(*match.span())
        ]
        near.sort(key=lambda c: min(abs(c.at[0] - match.end()), abs(match.start() - c.at[1])))
        if not near or len(times) < 2:
            continue
        beside = re.fullmatch(
            r" ?[,(:]? ?(?:soit |donc )?", note.flat[near[0].at[1] : match.start()]
        )
        noun = re.match(
            r" (?:l'|le |la |les |son |sa |ce |cette )([a-z]{3,5})", note.flat[match.end() :]
        )
        told = noun and any(noun[1] in note.before(c.at[0], 50) for c in note.clocks)
        if not (told or beside):
            continue
        stated = _minutes(match)
        stem = noun[1] if noun else "\0"
        since = [c for c in note.clocks if stem in note.before(c.at[0], 50).split("\n")[-1]]
        since = [c for c in since if c.at != near[0].at]
        pairs = [(b - a) % 1440 for a in times for b in times if a != b]
        if len(since) == 1 and beside:
            sign = -1 if " avant" in match[0] else 1
            pairs = [sign * (near[0].minutes - since[0].minutes) % 1440]
        if not any(_agree(stated, moved) for moved in pairs):
            yield Kind.CLOCK_DELAY, match.span(), near[0].at


_WHOLE: Final = (
    re.compile(
        rf"\b(?:duree|temps)(?: (?:operatoire|effective|totale?|de (?:l'|la |)[a-z]+|"
        rf"d'[a-z]+))* ?[:=]? ?{_AMOUNT}"
    ),
    re.compile(
        rf"\bapres {_AMOUNT} d(?:e |')(?:mesure|isolement|contention|seance|travail|intervention|"
        rf"dialyse)"
    ),
)
_OPENS: Final = re.compile(rf"\b(?:{_STARTS[3:-1]}|branchement|rupture)\b[^\d\n]{{0,25}}$")
_SHUTS: Final = re.compile(
    rf"\b(?:{_ENDS[3:-1]}|restitution|debranchement|naissance)\b[^\d\n]{{0,25}}$"
)


def _whole_act(note: Note) -> Iterator[Clash]:
    """ "Incision : 09h12 … Fin : 10h05 … Durée opératoire : 2 h 40"."""
    told = _first(_WHOLE, note.flat)
    before = [note.before(clock.at[0], 40) for clock in note.clocks]
    opens = [c for c, words in zip(note.clocks, before, strict=True) if _OPENS.search(words)]
    shuts = [c for c, words in zip(note.clocks, before, strict=True) if _SHUTS.search(words)]
    if told is None or not opens or not shuts:
        return
    lengths = [(b.minutes - a.minutes) % 1440 for a in opens for b in shuts if a.at < b.at]
    if lengths and not any(_agree(_minutes(told), moved) for moved in lengths):
        yield Kind.CLOCK_DELAY, told.span(), shuts[-1].at


def _agree(stated: int, moved: int) -> bool:
    """Whether a length is what was stated, as people round."""
    return abs(stated - moved) <= max(6, stated // 6) or abs(stated + 1440 - moved) <= 6


def _backwards(flat: str, one: At, gap: str, moved: int) -> bool:
    """Whether a beginning stands before its end, and lies behind it by less than ten hours."""
    before = flat[max(0, one[0] - 50) : one[0]].rpartition("\n")[2]
    if _FROM_TO.fullmatch(gap):
        return moved > 1440 - 240 and bool(re.search(r"\bde ?$", before))
    started = re.search(rf"\b{_STARTS}\b[^\d\n]*$", before)
    return moved >= 840 and bool(started and re.search(rf"\b{_ENDS}\b", gap))
