"""Lengths and ages that say nobody's age: of a journey, a pregnancy, a course, and of what a test
finds: "7 mois à Agadez", "enceinte de 7 mois", "âge lexical 6 ans 9 mois", "dort 4h30".

A rule sees the word before a number and a tagger its place; both take these for ages and hours.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Span
from dpdeid.labels import Label
from dpdeid.normalize import fold

_LINE: Final = 160
"""Characters of its line that are read on each side of a length."""
_OF_TEST: Final = re.compile(
    r"(?i)(?:\b[âa]ge (?:[ée]quivalent|lex(?:ical)?\.?|de (?:lecture|d[ée]veloppement|langage)"
    r"|d[ée]veloppemental|osseux|mental|moteur|verbal|vasculaire|pulmonaire|cardiaque|dentaire"
    r"|c[ée]r[ée]bral|biologique|gestationnel|cognitif|langagier|linguistique|phonologique"
    r"|perceptif|intellectuel|m[ée]tabolique|art[ée]riel|socio-?[ée]motionnel|squelettique)s?\b"
    r"|[ée]quivalen(?:t|ce)s?(?: d'| en )?[âa]ge\b"
    r"|\b(?:alouette|vineland|evip|tvap|brunet[- ]l[ée]zine|greulich|bayley|griffiths|leiter|trog"
    r"|elola?|khomsi|ecosse|comvor|ecsp)\b(?:[ -](?:ii|iii|2|3|r)\b)?)[^\n\d]{0,24}\Z"
)
_TESTED: Final = re.compile(
    r"(?i)\b(?:psychomoteur|langage|compr[ée]hension|production|vocabulaire|lecture|motricit[ée]"
    r"|niveau|expression|graphisme)\b[^\n\d]{0,16}\Z"
)
"""Words before which a length is a test's only if it has years and months."""
_YEARS_AND_MONTHS: Final = re.compile(r"(?i)\d{1,2} ?ans? (?:et )?\d{1,2} ?mois")
_PREGNANT: Final = re.compile(
    r"(?i)\b(?:enceinte|gravide|grossesse|gestation|f(?:œ|oe)tus|am[ée]norrh[ée]e)\b"
    r"(?: [a-zé]{2,12}){0,2}(?: de | d'|,? ?[:à(] ?| )\Z"
)
_OF_PREGNANCY: Final = re.compile(r"(?i) (?:de (?:grossesse|gestation)|d'am[ée]norrh[ée]e)")
_NO_YEARS: Final = re.compile(r"(?i)\d ?(?:mois|sem|sa\b)")
_COURSE: Final = re.compile(
    r"(?: en (?:mission|prison|foyer|camp|d[ée]tention|exil|int[ée]rim|stage|apprentissage|route"
    r"|formation|transit|garnison|opex)\b"
    r"| de (?:stage|mission|prison|d[ée]tention|formation|service militaire|route|marche|errance"
    r"|transit|trajet|travers[ée]e|captivit[ée]|rue\b|squat|recul|suivi|r[ée]mission|sevrage"
    r"|traitement)"
    r"| d'(?:exil|errance|[ée]tudes|apprentissage|internement|emprisonnement|itin[ée]rance"
    r"|int[ée]rim|[ée]volution|anciennet[ée]|attente)"
    r"| plus t[ôo]t| plus tard| auparavant)",
    re.IGNORECASE,
)
"""What stands behind a length of something that lasts."""
_STAYED: Final = re.compile(
    r"(?: (?:de|d')? ?[a-zé]{4,12})? (?:à|a|en|au|aux|dans|sur|chez) (?:la |le |les |l'|l’)?"
    r"(?P<place>[^\W\d_][\w'’-]{2,24})"
)
_PLACED: Final = re.compile(
    r"(?:\A|[,;:(→>-] ?|\b(?:puis|et|ensuite) )(?P<place>[A-ZÀ-Þ][\w'’-]{2,24})"
    r"(?: \([\w -]{3,20}\))?"
    r"(?:,| :| =)? \Z"
)
_CUE: Final = re.compile(
    r"(?i)\b(?:parcours (?:migr|d'exil)|migrat|travers[ée]e|exil|p[ée]riple|transit|zodiac|pirogue"
    r"|passeurs?|itin[ée]raire|d[ée]tenue? |emprisonn|en prison|en mission|en stage|de stage"
    r"|expatri|s[ée]jour(?:s|n[ée])?|voyage|arriv[ée]e? en\b|route\b|trajet"
    r"|parcours\b ?:|puis \d{1,2} ?(?:ans?|mois|sem))"
)
_LENGTH: Final = re.compile(r"(?i)\b\d{1,2} ?(?:ans?|mois|semaines?|jours)\b")
_OF_SOMEBODY: Final = re.compile(
    r"(?i)(?:\b(?:[âa]g[ée]e?s?|[âa]ge|de|à|a|vers)[ :]{1,2}|\bd'|\d[,/-] ?"
    r"|\b(?:homme|femme|patiente?|enfants?|filles?|fils|gar[çc]ons?|fillette|fr[èe]res?"
    r"|s(?:œ|oe)urs?|jum\w{3,6}|b[ée]b[ée]s?|nourrisson|jeune|dame|monsieur|madame|mme|neveu"
    r"|ni[èe]ce|cousine?|p[èe]re|m[èe]re|mari|[ée]poux|[ée]pouse|ado\w{0,9}|mineure?)"
    r"(?: [\w'-]{2,15}){0,2},? ?[:(]? ?)\Z"
)
"""What stands before an age: who has it, or "de" and "à"."""
_BEHIND_DRUG: Final = re.compile(r"([^\W\d_]{4,24}) \(\Z")
"""A word before brackets, "Esmya (3 mois)"."""
_ADULT: Final = 15
_LASTS: Final = re.compile(
    r"(?i)(?:\d ?[x×*]|(?<![-=])[<>≥≤]|\b(?:amn[ée]sie|aura|latence(?: d'endormissement)?"
    r"|tst|expulsion|tourniquet|fmc-fil|needle|temps (?:de )?(?:froid|chaud)|[ée]veils?"
    r"|phototh[ée]rapie|(?:perf\w*|nac|pass[ée]e?|cyclique|relais|dose|nutrition) sur"
    r"|dor[st]?|dormi|dur[ée]e?(?: (?:totale|op[ée]ratoire))?|pendant|pdt"
    r"|durant|clampage|stase|malgr[ée]|(?:plus|moins|pr[eè]s) de|au (?:moins|plus)"
    r"|cec|garrot|isch[ée]mie(?: [a-zè]{5,6})?|sommeil|d[ée]lai|attente|trajet|interpr[ée]tables?"
    r"|enregistrement|temps op[ée]ratoire|t(?:ou)?te?s(?: les)?"
    r"|il y a|au bout|dans les|sur les|derni[eè]res|premi[eè]res|pr[ée]c[ée]dentes"
    r"|suivantes|d'environ)(?: (?:de|d'environ|environ))?[ :=;|\t]) ?[ :=]{0,3}\Z"
)
"""What stands before how long something lasted: "3 x 4h", "Délai;4h"."""
_MEASURED: Final = re.compile(
    r"(?i)\b(?:p[ée]riodes?|tranches?|cycles?|intervalles?|s[ée]ances|perfusions?|trajet|transport"
    r"|attente|je[ûu]ne|s[ée]quences?|s[ée]jours?|retard|plaie|crise|postes?|d[ée]rouillage|raideur)"
    r"(?: [a-zé]{4,12})? d[e'] ?\Z"
)
"""What is told in hours, before "de": "dérouillage matinal de 2 heures"."""
_ASSAY: Final = re.compile(
    r"(?i)\b(?:hgpo\b[^\n;]*|parac[ée]tamol[ée]mie|cortisol(?:[ée]mie)?|acth|r[ée]siduel(?:le)?)"
    r"(?: (?:libre|plasmatique|salivaire))?(?: (?:de|à))? ?[:(]? ?\Z"
)
"""What is measured at hours that belong to its name: "cortisol de 8h"."""
_FACE: Final = re.compile(
    r"(?i)\b(?:berges?|cadrans?|fissures?|rayons?|l[ée]sions?|biopsies? dirig[ée]es?|fils?|sein"
    r"|mamelon|quadrants?|h[ée]morro[ïi]des?|marges?|lithotomie|celui|foyers?|papille|syn[ée]chies?|nodules?"
    r"|d[ée]chirures?|limbe|iris|pupille|m[ée]ridiens?|marisques?|orifices?|condylomes?|exocol)\b"
    r"(?P<between>[^\n.;\d]{0,60}?)\b(?:à|a|de|vers|entre) "
    r"(?:\d{1,2}(?: ?h(?:eures?)?)?(?:, | et | ou | à | et à )){0,5}\Z"
)
"""Places that are told as on a clock face: "fissure à 6h", "foyers à 6h, 9h et 11h"."""
_ACTED: Final = re.compile(
    r"(?i)\b(?:re)?(?:vu|fai[st]|retir|pos[ée]|pr[ée]v|r[ée]alis|op[ée]r|program|prog\b|rdv|consult|hospit|adress"
    r"|appel|control|contrôl|biopsi[ée]e|enlev|ôt|ot[ée]|examin|pans|venu|amen|hier|demain|jour|matin|soir|ce\b)"
)
"""What of an act or a day makes an hour behind it one of the day."""
_WATCHED: Final = re.compile(
    r"(?i)\b(?:vni|cpap|ppc|observance|s[ée]dation|surveill\w+|surv|scope|j[eê][uû]ne?|compression"
    r"|isolement|contention|fen[eê]tre|stagnation|phase active|sieste|sur|c[ée]phal[ée]es?|dv"
    r"|ventral|ecmo|marche|activit[ée]|pansement|crise|d[ée]lai|stase|rpm|clampage|holter|enregistrement"
    r"|(?:h[ée]mo)?dialyse|hdf?|s[ée]ances?|fx ?(?:cordiax ?)?\d{0,3})"
    r"(?: (?!vers|d[eè]s|depuis|avant|[\w-]+(?:ée?s?|ise|ie|ue) )[^\W\d_][\w-]{2,24})?"
    r"(?: de|,)?[ :=+]{1,4}\Z"
)
"""What goes on for a few hours; more of them may be an hour of the day, which is noised."""
_A_FEW: Final = 6
_PER: Final = re.compile(
    r"(?i)/ ?(?:j|24|nuit|sem)| ?(?:en moyenne|par (?:jour|nuit|s[ée]ance|j\b|sem|mois)"
    r"|d(?:e |['’])(?:enregistrement|travail\b|sommeil|marche|route))"
)
"""What stands behind hours and minutes that last."""
_BEHIND_HOURS: Final = re.compile(
    r"(?i) ?(?:plus t|aux urgences|de suite|apr[eè]s\b(?![- ]midi)"
    r"|(?:solides?|liquides?)\b|maxi?\b|[x×*] ?\d"
    r"|d(?:e |['’])(?!matin|soir|midi|apr|ce|cet|la |l['’]|le ))"
)
_SINCE: Final = re.compile(
    r"(?i) d['’]intervalle| de (?:vie|travail)\b"
    r"| post(?:-|\b)"
    r"| (?:du|de la|de l['’]|d['’]une?) ?(?:trauma|accident|choc|d[ée]but|geste|repas|chute"
    r"|ingestion|prise|injection|intervention|op[ée]ration|chirurgie|anesth|extubation|accouchement|malaise"
    r"|crise|coucher|lever)"
)
"""What stands behind hours that lie between two events: "à 2 h 20 du début"."""
_LATER: Final = re.compile(r"(?i) apr[eè]s\b(?![- ]midi)")
"""What stands behind hours in full that do."""
_UNTIL: Final = re.compile(r"(?i)\bjusqu['’ ]?[aà] \Z")
_AT: Final = re.compile(r"(?i)\b(?:à|a|vers|d[eè]s|de|avant|apr[eè]s|depuis) \Z")
"""What stands before an hour of the day; "après" before both."""
_LASTS_IN_FULL: Final = re.compile(
    r"(?i)\b(?:intervalle|dur[ée]e|d[ée]lai|[ée]volution|post-?op\w*|depuis environ"
    r"|environ|quelques|seulement) ?:? ?\Z"
)
"""What stands before hours in full that last: "intervalle 12 heures"."""
_OTHER_HOUR: Final = re.compile(r"(?i)\d ?h(?:\d\d)?[ ,;/et-]{1,5}\Z")
_NEXT_HOUR: Final = re.compile(r"[ ,;/etàa–-]{1,5}\d{1,2} ?h")
_HOURS: Final = re.compile(
    r"(?i)(?:(?P<hour>\d{1,3})|[a-zéû-]{2,16}) ?(?:h(?P<full>eures?)?|:)"
    r"(?:(?P<minutes> ?\d\d)(?! ?h)(?: ?mi?n)?)?"
)
_OF_FACE: Final = 12
_WHOLE_DAY: Final = 24


def is_length(span: Span, text: str) -> bool:
    """Whether what is taken for an age or an hour is the length of something, or what a test finds.

    >>> is_length(Span(11, 17, Label.AGE, 0.9, "crf"), "Parcours : 7 mois à Agadez, 3 en Libye.")
    True
    """
    before = text[max(0, span.start - _LINE) : span.start].rpartition("\n")[2]
    inside = text[span.start : span.end]
    if span.label is Label.TIME:
        hours = _HOURS.match(text, span.start)
        return hours is not None and span.end <= hours.end() and _is_of_hours(before, hours)
    if span.label is not Label.AGE:
        return False
    after = text[span.end : span.end + _LINE].partition("\n")[0]
    if _OF_TEST.search(before):
        return True
    if _TESTED.search(before) and _YEARS_AND_MONTHS.fullmatch(inside):
        return True
    if _NO_YEARS.search(inside) and (_PREGNANT.search(before) or _OF_PREGNANCY.match(after)):
        return True
    if _OF_SOMEBODY.search(before):
        return False
    if (drug := _BEHIND_DRUG.search(before)) and EVIDENCE[fold(drug[1])].drug:
        return True
    return _COURSE.match(after) is not None or _is_of_journey(before, inside, after)


def _is_of_hours(before: str, hours: re.Match[str]) -> bool:
    """Whether hours are how long something lasts: "dort 4h30", "sédation 24h", "jusqu'à 2 h av", or
    a place on a clock face: "fissure à 6h".
    """
    number, text, end = int(hours["hour"] or 0), hours.string, hours.end()
    if _LASTS.search(before) or (hours["minutes"] is None and number >= _WHOLE_DAY):
        return True
    if _SINCE.match(text, end) or (hours["full"] and _LATER.match(text, end)):
        return True
    by_day = _AT.search(before) and not before[-6:].lower().startswith("apr")
    beside = _OTHER_HOUR.search(before) or _NEXT_HOUR.match(text, end)
    watched = number <= _A_FEW and not beside and _WATCHED.search(before)
    watched = watched or (None if by_day else _PER.match(text, end))
    if watched or hours["minutes"]:
        return bool(watched)
    if number <= _OF_FACE and (face := _FACE.search(before)):
        return not _ACTED.search(face["between"])
    if _ASSAY.search(before):
        return True
    if beside:
        return False
    if _UNTIL.search(before):
        return re.match(r" av(?:t|ant)\b", text[end : end + 7]) is not None
    lasts = (hours["full"] and _LASTS_IN_FULL.search(before)) or _MEASURED.search(before)
    return bool(lasts or (not by_day and _BEHIND_HOURS.match(text, end)))


def _is_of_journey(before: str, inside: str, after: str) -> bool:
    """Whether it is told how long somebody stayed in a place, and the line tells of a journey."""
    if not _is_stay(before, after):
        return False
    if _CUE.search(before) or _CUE.search(after):
        return True
    number = re.match(r"\d{1,3}", inside)
    young = number is None or int(number[0]) < _ADULT or "mois" in inside.lower()
    line, own = before + inside + after, len(before)
    others = (one.span() for one in _LENGTH.finditer(line) if one.start() != own)
    return young and any(_is_stay(line[:start], line[end:]) for start, end in others)


def _is_stay(before: str, after: str) -> bool:
    """Whether a place stands beside a length: "7 mois à Agadez", "Bamako 5 mois"."""
    stayed, placed = _STAYED.match(after), _PLACED.search(before)
    return bool((stayed and _is_place(stayed["place"])) or (placed and _is_abroad(placed["place"])))


def _is_place(word: str) -> bool:
    return word[:1].isupper() or _is_abroad(word) or bool(gazetteers.places_named(fold(word)))


def _is_abroad(word: str) -> bool:
    key = fold(word)
    abroad = key in gazetteers.countries() or key in gazetteers.world_cities()
    return abroad and key not in gazetteers.first_names()
