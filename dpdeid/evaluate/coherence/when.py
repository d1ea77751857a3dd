"""Dates against weekdays, feasts, ages, births and stated distances."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.facts import At, Clash, Day, Event, Kind, Note, Years
from dpdeid.french.calendar import WEEKDAY_OF, WEEKDAYS, easter, feast_names, holiday
from dpdeid.french.distances import Distance, told_before

_FULL: Final = "|".join(WEEKDAYS)
_SHORT: Final = "lun|mar|mer|merc|mercr|jeu|ven|vend|sam|dim"
_WEEKDAY_BEFORE: Final = re.compile(
    rf"(?<![\w-])(?P<w>{_FULL}|(?:{_SHORT})\.?)(?: (?:le|matin|soir|apres-midi|apres midi))? ?[,:]? ?\(?$"
)
_WEEKDAY_BEHIND: Final = re.compile(
    rf" ?(?:\((?:un |le )?|, (?:un |c'etait un )|: ?)(?P<w>{_FULL})\b(?! (?:dernier|prochain|\d|suivant|de |saint|gras|matin|soir|et )|[, ]{{1,2}}\d)"
)
_BARE_DAY: Final = re.compile(rf"(?<![\w-])(?P<w>{_FULL}) (?P<d>\d{{1,2}})(?:er)?(?![\w/:.,°%-]| ?(?:h\b|heures|{'|'.join(('jan', 'fev', 'mars', 'avr', 'mai', 'juin', 'juil', 'aou', 'sep', 'oct', 'nov', 'dec'))}|a \d))")
_HABIT: Final = re.compile(r"\b(?:tous|chaque|les|toutes)\b[^.\n]{0,12}$")


def weekday_date(note: Note) -> Iterator[Clash]:
    """A weekday that is not that of the date beside it."""
    flat = note.flat
    for day in note.days:
        if not day.whole:
            continue
        match = _WEEKDAY_BEFORE.search(flat[max(0, day.at[0] - 30) : day.at[0]])
        start = max(0, day.at[0] - 30)
        if match is None:
            match, start = _WEEKDAY_BEHIND.match(flat[day.at[1] : day.at[1] + 30]), day.at[1]
        if match is None or _HABIT.search(flat[max(0, start + match.start("w") - 14) : start + match.start("w")]):
            continue
        told = WEEKDAY_OF[match["w"].strip(".")]
        if told != day.first.weekday() and (day.year_told or _near(note, day)):
            yield Kind.WEEKDAY_DATE, (start + match.start("w"), start + match.end("w")), day.at
    yield from _bare_days(note)


def _near(note: Note, day: Day) -> bool:
    """Whether the year of a day without one can hardly be another: it lies near the note's day."""
    base = note.today or next((d for d in note.days if d.whole and d.year_told and d.event is not Event.BIRTH), None)
    return base is not None and abs((day.first - base.first).days) <= 120


def _bare_days(note: Note) -> Iterator[Clash]:
    """"jeudi 8": the day of that number nearest to the note's own."""
    if note.today is None:
        return
    for match in _BARE_DAY.finditer(note.flat):
        number = int(match["d"])
        if not 1 <= number <= 31 or any(d.at[0] <= match.start("d") < d.at[1] for d in note.days):
            continue
        near = [note.today.first + dt.timedelta(n) for n in range(-45, 46)]
        fits = [d for d in near if d.day == number]
        if fits and all(d.weekday() != WEEKDAY_OF[match["w"]] for d in fits):
            yield Kind.WEEKDAY_DATE, match.span(), note.today.at


_SAINTS: Final = ("saint sylvestre", "saint valentin", "saint nicolas", "saint jean", "saint patrick")
_NOT_A_DAY: Final = ("fetes", "reveillon", "ramadan", "hanouka", "hanoukka", "carnaval", "aid", "pessah", "rois", "premier an", "saint ", "jeune", "nouvel an")
_FEASTS: Final = sorted(
    {n for n in feast_names() if not n.startswith(_NOT_A_DAY)} | {*_SAINTS, "reveillon", "nouvel an"}, key=len, reverse=True
)


def _loose(name: str) -> str:
    """An expression for a feast as texts have it, with articles and hyphens."""
    small = {"jour an": "jour de l[' ]an", "fete travail": "fete du travail", "fete nationale": "fete nationale",
             "paques": "paques", "fete meres": "fete des meres", "fete peres": "fete des peres",
             "fete musique": "fete de la musique", "mi careme": "mi[- ]careme", "fete dieu": "fete[- ]dieu",
             "fete voisins": "fete des voisins", "fete grands meres": "fete des grands[- ]meres"}
    return small.get(name, re.escape(name).replace("saint\\ ", "(?:saint|st)e?[- ]").replace("\\ ", "[ -](?:de |du |des |de la |l')?"))


_WEEK: Final = rf"(?P<wd>{_FULL})(?: (?:de |d'|de l'|du |saint\b)?)"
_FEAST: Final = re.compile(
    r"(?<![\w-])(?P<rel>(?:avant-veille|surlendemain|lendemain|veille) (?:de |du |d')(?:la |l')?)?"
    rf"(?:(?P<wd>{_FULL}) (?:de la |de l'|de |d'|du )?)?(?:le |la |l')?(?P<jour>jour (?:de |du |d')(?:la |l')?)?"
    rf"(?P<f>{'|'.join(map(_loose, _FEASTS))}|(?:(?<=vendredi )|(?<=jeudi )|(?<=samedi ))saint|(?<=mardi )gras|(?<=mercredi )(?:des )?cendres"
    r"|armistice(?: (?:de )?1918)?|(?:jour )?ferie|(?:fete|victoire)(?: du)? 8 mai)(?![\w-])"
)
_CIVIL: Final = {(14, 7), (11, 11), (1, 5), (8, 5), (15, 8), (25, 12), (1, 1), (1, 11)}
_OTHER_DAY: Final = re.compile(r"\b(?:avant|apres|entre|vers|depuis|semaine|vacances|week-end|we|pont|periode|autour|hors|sauf|jusqu'a)\b(?: [a-z']+){0,2} ?$")
_JOIN: Final = re.compile(r"[ ,:(=–-]{0,4}(?:(?:soit|donc|c'est-a-dire|cad|jour de|le jour de|pour|de|a|lors de|en|au matin de)? ?)(?:la |l'|le )?(?:le |du |ce )?[ ,:(]{0,2}")
_TWICE: Final = re.compile(r" ?\((?:le |soit (?:le )?)?$|, soit le $|, le $")


def feast_date(note: Note) -> Iterator[Clash]:
    """A feast or public holiday against the date beside it."""
    flat = note.flat
    for match in _FEAST.finditer(flat):
        at = match.span()
        if any(p.at[0] <= at[0] and at[1] <= p.at[1] for p in note.people):
            continue
        at = at[0] + (len(flat[slice(*at)]) - len(flat[slice(*at)].lstrip())), at[1]
        if _OTHER_DAY.search(flat[max(0, at[0] - 30) : at[0]]) or re.match(" (?:compris|inclus|except|non)", flat[at[1] :]):
            continue
        for day in note.days:
            if not day.whole or not _beside(flat, at, day.at):
                continue
            wanted = _feast_days(match, day.first.year)
            if wanted and day.first not in wanted and (day.year_told or len({(d.month, d.day) for d in wanted}) == 1):
                if match["f"].endswith("ferie") and not day.year_told:
                    continue
                yield Kind.FEAST_DATE, at, day.at
                break
    for one, other in zip(note.days, note.days[1:], strict=False):
        if (one.first.day, one.first.month) in _CIVIL and one.whole and other.whole and one.first != other.first:
            if not one.year_told and _TWICE.fullmatch(flat[one.at[1] : other.at[0]]) and re.search("[a-z]", flat[slice(*one.at)]):
                yield Kind.FEAST_DATE, one.at, other.at


def _beside(flat: str, feast: At, day: At) -> bool:
    if feast[0] <= day[0] < feast[1]:
        return False
    if day[0] >= feast[1]:
        return bool(_JOIN.fullmatch(flat[feast[1] : day[0]]))
    return bool(_JOIN.fullmatch(flat[day[1] : feast[0]]))


def _feast_days(match: re.Match[str], year: int) -> tuple[dt.date, ...]:
    """The days that a feast may be in a year."""
    name = re.sub(r"['-]", " ", match["f"])
    if name.endswith("ferie"):
        moved = [easter(year) + dt.timedelta(n) for n in (-2, 1, 39, 50)]
        fixed = ((1, 1), (5, 1), (5, 8), (7, 14), (8, 15), (11, 1), (11, 11), (12, 25), (12, 26), (7, 21), (6, 23), (8, 1), (5, 22), (5, 27), (6, 10), (12, 20), (1, 2), (3, 1), (12, 8), (5, 9))
        return (*moved, *(dt.date(year, *one) for one in fixed))
    if "8 mai" in name:
        found = [dt.date(year, 5, 8)]
    elif name.replace(" ", "").startswith("fetenationale"):
        found = [dt.date(year, *one) for one in ((7, 14), (7, 21), (8, 1), (6, 23))]
    else:
        words = " ".join(w for w in re.sub(r"\bst(e?)\b", "saint", name).split() if w not in ("de", "du", "des", "la", "l", "le", "1918"))
        words = words.replace("sainte ", "saint ")
        found = []
        if words in ("reveillon", "saint sylvestre"):
            found = [dt.date(year, 12, 24)] if words == "reveillon" else []
        weekday = match["wd"]
        rule = holiday(f"{weekday} {words}") if weekday else holiday(words)
        if rule is None:
            rule = holiday(words)
        if rule is None:
            return ()
        if weekday and words not in ("paques", "pentecote", "saint", "gras", "cendres", "paque"):
            rule = holiday(words) or rule
        day = rule.on(year)
        found.append(day)
        if words in ("paques", "pentecote", "paque") and weekday is None:
            found.append(day + dt.timedelta(1))
        if words.startswith(("aid", "kippour", "roch", "yom", "rosh")):
            found += [day + dt.timedelta(n) for n in (-2, -1, 1, 2)]
    relation = (match["rel"] or "").split(" ")[0]
    moved_by = {"veille": -1, "avant-veille": -2, "lendemain": 1, "surlendemain": 2}.get(relation, 0)
    return tuple(day + dt.timedelta(moved_by) for day in found)


def age_on(born: dt.date, day: dt.date) -> int:
    """The age in whole years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


_ABOUT: Final = re.compile(r"\b(?:a l'age de|des l'age de|vers l'age de|depuis l'age de|environ|presque|bientot|vers|pres de|plus de|moins de|depuis|il y a|pendant|tous les|dans|ca fait|sur)(?: l'age de)? ?$")
_OTHERS: Final = re.compile(r"\b(?:mere|pere|frere|soeur|fils|fille|enfants?|mari|epouse?|femme|conjoint|oncle|tante|gd|grand|cousine?|neveu|niece|compagn\w+|maman|papa|parents?|garcon|voisine?|amie?|petits?)\b")
_OWN: Final = re.compile(r"(?:\bage[e]?(?: actuel)? ?(?:[:|=]|de)? ?|\bpatiente? (?:de|agee? de) |\bhomme de |\bfemme de |\b(?:monsieur|madame|dame|retraitee?) de |\bage[e]? de )$")
_AT_AGE: Final = re.compile(r"(?:\ba(?: l'age de)? |\bdes l'age de |\bjusqu'a |\bdepuis l'age de |\bde |\bvers )$")


def age_birth(note: Note) -> Iterator[Clash]:
    """An age of the patient that the birth date and the day of the note do not give."""
    births = note.births()
    for age in note.ages:
        birth = _birth_of(note, age, births)
        if birth is None:
            continue
        days = _days_of_age(note, age)
        if not days:
            continue
        low, high = age_on(birth.last, min(days)), age_on(birth.first, max(days))
        if _rounded(birth, age.years, low, high, days):
            continue
        yield Kind.AGE_BIRTH, birth.at, age.at


def _rounded(birth: Day, years: int, low: int, high: int, days: tuple[dt.date, ...]) -> bool:
    """Whether an age fits, or is told a little early or late, as people do about a birthday, or is
    the difference of the years.
    """
    if low <= years <= high:
        return True
    if years == max(days).year - birth.first.year:
        return True
    soon = age_on(birth.first, max(days) + dt.timedelta(45))
    late = age_on(birth.last, min(days) - dt.timedelta(31))
    return late <= years <= soon


def _birth_of(note: Note, age: Years, births: tuple[Day, ...]) -> Day | None:
    """The birth that an age goes with: beside it on the line, or the only one of the note."""
    flat = note.flat
    before = flat[max(0, age.at[0] - 40) : age.at[0]]
    if _ABOUT.search(before):
        return None
    for day in births:
        gap = flat[day.at[1] : age.at[0]] if day.at[1] <= age.at[0] else flat[age.at[1] : day.at[0]]
        if len(gap) <= 45 and gap.count("\n") <= 1 and not _OTHERS.search(gap) and not re.search(r"\bdepuis|\bil y a|\ben \d{4}|\bd['e] ?evolution|\ba l'age|opere|\bpour une?\b|, a \d", gap):
            if not _AT_AGE.search(before) or _OWN.search(before):
                return day
    for line in note.days:  # "17/05/1950 (48 ans)" without a word for the birth
        if line.whole and line.year_told and line.event in (Event.NONE, Event.BIRTH) and line.at[1] <= age.at[0]:
            gap = flat[line.at[1] : age.at[0]]
            old = note.today and line.first.year < note.today.first.year - 3
            bracket = re.fullmatch(r" ?[(,–-] ?", gap) and flat[age.at[1] : age.at[1] + 1] == ")"
            column = re.fullmatch(r" *[|;\t] *", gap) and re.search(r"\bddn\b|naissance|\bne\b|\bnee?\b|date nais", flat[: line.at[0]])
            if old and (bracket or column):
                return line
    if len({day.first for day in births}) != 1:
        return None
    sentence = flat[max(flat.rfind("\n", 0, age.at[0]), flat.rfind(". ", 0, age.at[0])) + 1 : age.at[0]]
    if _OWN.search(before) and not _OTHERS.search(re.sub(r"femme de $|femme agee de $|madame de $", "", sentence)):
        return births[0]
    for one in note.people:
        gap = flat[one.at[1] : age.at[0]]
        if one.role.value == "patient" and re.fullmatch(r" ?[(,]? ?(?:agee? de |patiente? de )?", gap):
            return births[0]
    return None


def _days_of_age(note: Note, age: Years) -> tuple[dt.date, ...]:
    """The days at which an age may be told: that of the note, or all of its dates but births."""
    if note.today is not None:
        return (note.today.first,)
    dated = [d for d in note.days if d.event is not Event.BIRTH and d.whole and d.year_told and d.past]
    recent = [d.first for d in dated]
    if not recent:
        return ()
    last = max(recent)
    return tuple(d for d in recent if (last - d).days < 400)


_OF_OTHERS: Final = re.compile(
    r"\b(?:mere|pere|parents?|frere|soeur|grand|oncle|tante|mari|epoux|epouse|fonde|construit|loi|guerre|famil\w+|etude|"
    r"maison|immeuble|decret|article|cf|selon|et al|recommandation|classification|creee?|depuis 19\d\d a|edition|modele|"
    r"conjoint|femme|aine|beau|belle|cousin|ordonnance|version|arrete|inaugur\w+|batiment)\b"
)


def history_before_birth(note: Note) -> Iterator[Clash]:
    """A date of the patient's life before the birth."""
    births = {day.first: day for day in note.births()}
    if not births:
        return
    first = min(births.values(), key=lambda day: day.first)
    for day in note.days:
        if day.last >= first.first or day.event in (Event.BIRTH, Event.LETTER) or not day.year_told:
            continue
        if first.first.year - day.last.year > 90:
            continue
        flat = note.flat
        if day.event is Event.NONE and day.whole and not re.search(r"[a-z]|(?:19|20)\d\d", flat[slice(*day.at)]):
            continue  # "7.2.38" may be anything
        if any(re.fullmatch(r" ?[(,|–-]{1,2} ?", flat[one.at[1] : day.at[0]]) for one in note.people):
            continue  # somebody's birth date without a word for it
        begin = max(flat.rfind("\n", 0, day.at[0]) + 1, flat.rfind(". ", 0, day.at[0]) + 1, day.at[0] - 70)
        if _OF_OTHERS.search(flat[begin : day.at[0]]) or re.search(r"\bnee?\b|naiss", flat[max(begin, day.at[0] - 30) : day.at[0]]):
            continue
        line = flat[flat.rfind("\n", 0, day.at[0]) + 1 : day.at[0]]
        if len({d.first for d in note.births()}) > 1 and "|" in line:
            continue
        if day.whole and not re.search(r"[a-z]{3}", line):
            continue
        if day.whole and day.event is Event.NONE and re.fullmatch(r"[^a-z]*(?:[a-z'-]+,? ){1,4}", line):
            continue  # a row of a list: a name and a birth date
        events = (Event.ENTRY, Event.LEAVE, Event.SEEN, Event.TAKEN, Event.RESULT, Event.DEATH)
        kind = Kind.EVENT_ORDER if day.whole and day.event in events else Kind.HISTORY_BEFORE_BIRTH
        yield kind, first.at, day.at


_SINCE: Final = r"(?:il y a|depuis|voila|voici|cela fait|ca fait|date de|remonte a|evoluant depuis|vieux de)"
_N: Final = r"(?:environ |pres de |plus de |deja |exactement )?(?P<n>\d{1,3}|un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|vingt|trente|quarante) ?(?P<u>ans?|annees?|mois|semaines?|sem|jours?|j)\b"
_AGO: Final = re.compile(rf"\b(?P<s>{_SINCE}) {_N}|(?<=\()(?P<s2>){_N.replace('?P<n>', '?P<n2>').replace('?P<u>', '?P<u2>')}(?= d'evolution| de suivi| de mariage)")
_AGO_JOIN: Final = re.compile(r"[ ,:(]{0,3}(?:(?:soit|donc|depuis|exactement|c'est-a-dire) )?(?:le |en |du |des |au |depuis |debut |fin |mi-?)?(?:\w{3,9}day )?[ (]?(?:(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) )?")
_AGO_BACK: Final = re.compile(r"[ ,:()]{0,3}(?:(?:soit|donc|c'est-a-dire|a savoir|c'etait|operee? ?|et ce) ?)?[ (,]{0,2}")
_NUMBERS: Final = {w: n for n, w in enumerate("zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze".split())} | {"une": 1, "vingt": 20, "trente": 30, "quarante": 40}


def ago_date(note: Note) -> Iterator[Clash]:
    """A stated distance or age of life against the date beside it."""
    if note.today is not None:
        yield from _ago(note, note.today)
        yield from _ahead(note, note.today)
    yield from _at_age(note)
    yield from _lasting(note)


def _ago(note: Note, today: Day) -> Iterator[Clash]:
    flat = note.flat
    for match in _AGO.finditer(flat):
        number, unit = match["n"] or match["n2"], match["u"] or match["u2"]
        amount = int(number) if number.isdecimal() else _NUMBERS[number]
        for day in note.days:
            if day.event in (Event.BIRTH,) or day.at == today.at:
                continue
            if day.at[0] >= match.end():
                gap = flat[match.end() : day.at[0]]
                near = bool(_AGO_JOIN.fullmatch(gap)) and match["s"] is not None
            else:
                gap = flat[day.at[1] : match.start()]
                near = bool(_AGO_BACK.fullmatch(gap)) and (match["s"] is not None or "(" in gap)
            if near and not _fits(amount, unit, day, today.first):
                yield Kind.AGO_DATE, match.span(), day.at
                break


def _fits(amount: int, unit: str, day: Day, today: dt.date) -> bool:
    """Whether so long before today is that day, as people round: an eighth, and half a unit more."""
    size = {"a": 365.25, "m": 30.44, "s": 7.0, "j": 1.0}[unit[0]]
    loose = {"a": 1.0, "m": 0.8, "s": 0.75, "j": 1.0}[unit[0]]
    near, far = (today - day.last).days / size, (today - day.first).days / size
    slack = max(loose, amount / 12)
    if unit[0] == "a" and day.whole:
        slack = max(0.95, amount / 12)
    return near - slack <= amount <= far + slack


_AHEAD: Final = re.compile(rf"\bdans {_N}")


def _ahead(note: Note, today: Day) -> Iterator[Clash]:
    """"dans 6 semaines, le …" and the other phrases of `distances.tsv` counted from the note."""
    for day in note.days:
        if not day.whole or day.at == today.at or not day.year_told and abs((day.first - today.first).days) > 150:
            continue
        line = note.flat[max(0, day.at[0] - 60) : day.at[0]]
        told: Distance | None = told_before(line)
        if told is None or told.since != "note" or told.named or told.least == told.most == 0 or re.search(r"il y a|depuis", line[-35:]):
            continue
        away = (day.first - today.first).days
        slack = 1 + abs(told.most) // 7 if abs(told.most) > 6 else 1
        if not told.least - slack <= away <= told.most + slack:
            start = day.at[0] - min(30, len(line))
            yield Kind.AGO_DATE, (start, day.at[0]), day.at


_LIFE: Final = re.compile(
    r"\b(?:a l'age de|a|age[e]? (?:alors )?de|vers|des l'age de) (?P<n>\d{1,2}) ?ans\b|\((?:a )?(?P<n2>\d{1,2}) ans\)"
)


def _at_age(note: Note) -> Iterator[Clash]:
    births = note.births()
    if len({day.first for day in births}) != 1:
        return
    birth, flat = births[0], note.flat
    for match in _LIFE.finditer(flat):
        age = int(match["n"] or match["n2"])
        begin = max(flat.rfind("\n", 0, match.start()), flat.rfind(". ", 0, match.start()))
        if _OF_OTHERS.search(flat[begin + 1 : match.start()]) or _OTHERS.search(flat[begin + 1 : match.start()]):
            continue
        for day in note.days:
            if day.event in (Event.BIRTH, Event.LETTER) or not day.year_told:
                continue
            after = day.at[0] >= match.end()
            gap = flat[match.end() : day.at[0]] if after else flat[day.at[1] : match.start()]
            joined = re.fullmatch(r"[ ,(]{0,3}(?:soit )?(?:en |le |depuis |fin |debut )?[ (]?", gap) if after else re.fullmatch(r"[ ,(]{1,3}(?:soit |donc |alors )?", gap)
            if joined is None:
                continue
            low, high = age_on(birth.last, day.first), age_on(birth.first, day.last)
            if not low - 1 <= age <= high + 1 or day.whole and not low - 1 < age < high + 1:
                yield Kind.AGO_DATE, match.span(), day.at
                break


_SPAN: Final = re.compile(rf"[ ,:(]{{1,4}}(?:soit |pour une duree de |pendant |duree(?: totale)?(?: de)? ?:? ?)?{_N}")


def _lasting(note: Note) -> Iterator[Clash]:
    """"du 12/03 au 15/03 (10 jours)": a stated length against both ends; told by nobody loosely."""
    flat = note.flat
    for one, other in zip(note.days, note.days[1:], strict=False):
        if not (one.whole and other.whole and re.fullmatch(r" ?(?:au|jusqu'au|->|→|-) ?", flat[one.at[1] : other.at[0]])):
            continue
        match = _SPAN.match(flat, other.at[1])
        if match is None or one.year_told != other.year_told and not other.year_told:
            continue
        if not re.match(r" ?[,(]| soit", flat[other.at[1] : other.at[1] + 5]) or match["u"][0] not in "js":
            continue
        amount = int(match["n"]) if match["n"].isdecimal() else _NUMBERS[match["n"]]
        between = (other.first - one.first).days
        if match["u"][0] == "s":
            if not 7 * amount - 4 <= between <= 7 * amount + 4:
                yield Kind.AGO_DATE, match.span(), other.at
        elif between >= 0 and not between - 2 <= amount <= between + 2:
            yield Kind.AGO_DATE, match.span(), other.at


