"""Numbers that are the same for everybody: articles of laws, where one calls for help, printed
forms and norms, changes of a gene, editions of criteria; and what comes round: "24h/24", "chaque
lundi".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from dpdeid.detect.rules.timewords import WEEKDAY
from dpdeid.french.tables import rows

_ARTICLE: Final = r"[LRDA]\*?\.? ?\d{3,4}(?:-\d{1,3}){1,3}"
_NUMBERED: Final = r"(?:[LRD]\. ?)?\d{1,4}(?:-\d{1,3}){0,2}"
_LAW: Final = re.compile(
    rf"(?<![\w.-])(?:(?i:art(?:icles?|s)?\b\.?) {{0,2}}(?:{_ARTICLE}|{_NUMBERED})"
    r"|[LRD]\. ?\d{3,4}(?:-\d{1,3}){1,3}|(?:SDTU?|SPDT|SPI|SDRE|en|EN|selon)"
    r" L ?\d{4}(?:-\d{1,3}){1,3}"
    r"|(?i:loi|d[ée]cret|ordonnance|directive|circulaire)(?: n[°º])? ?\d{2,4}-\d{1,5})"
    rf"(?:(?:, ?| et | ou | à ){_ARTICLE}){{0,9}}(?![\w/-])"
)
"""An article of a law: "art. L. 1111-2 et L. 1110-4", "loi n° 2002-303"."""


def _spaced(number: str) -> str:
    """A number as it is written: "3114" and "31 14", "116117" and "116 117"."""
    half = len(number) // 2
    return f"{number[:half]} ?{number[half:]}" if half > 1 else number


def _any(numbers: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(_spaced, numbers))})"


_SHORT: Final = sorted({number for *_, many in rows("short_numbers") for number in many.split()})
_TWO: Final = _any(number for number in _SHORT if len(number) == 2)
_THREE: Final = _any(number for number in _SHORT if len(number) == 3)
_LONG: Final = _any(number for number in _SHORT if len(number) > 3)
_NO_DAY: Final = (
    r"(?= ?[.,;:)!]|\s(?![a-zà-ÿ]{3,9}\.? \d|\d|(?:jan|f[ée]v|mar[s ]|avr|mai|jui|ao[uû]|sep|oct"
    r"|nov|d[ée]c|%|mg|ml|ans?\b|h\b|jours?|mois|fois|x\b|bis|ter\b|rue|av|bd|boul|chem|pl|all))|$)"
)
"""What stands behind a number that is neither of a day, nor of a measure, nor of a house."""
_CALL: Final = (
    r"(?:appel(?:er|ez|le|ent|ant|s)?|centre|r[ée]gul\w{3,8}|num[ée]ro|compos\w{1,3}|joindre"
    r"|pr[ée]venir|faites|via|par)"
)
_CALLED: Final = r"(?:appel\w{1,5}|contact\w{1,3}|pr[ée]ven\w{1,3}|utilis\w{1,3})"
_LINE: Final = r"(?:(?:d'urgence )?(?:du|le|au|avec le) )?"
_TOLD: Final = (
    r"(?:signal\w{1,6}|d[ée]clar\w{1,6}|alert\w{1,4}|rappel\w{0,4}|t[ée]l[ée]phon\w{1,3})"
)
_HELP: Final = r"(?:urgences?(?: vitales?)?|samu(?:[ -]centre)?|police(?: secours)?|pompiers)"
_EMERGENCY: Final = re.compile(
    rf"(?i)(?:\b(?:{_CALL} {_LINE}(?:{_TWO}|{_THREE}|{_LONG})|{_CALLED} {_LINE}{_THREE}"
    rf"|{_TOLD} (?:au|par le|via le) (?:{_TWO}|{_THREE})"
    rf"|(?:venir|rappel\w{{0,4}}) (?:le|au) {_THREE}"
    rf"|(?:le|du|au|n°|num[ée]ro) {_LONG}"
    rf"|{_HELP}(?:[ -]| ?[:(] ?(?:le )?)(?:{_TWO}|{_THREE}))){_NO_DAY}"
)
"""Where somebody called for help, the same for all: "appel du 15", "transport par le 18"."""
_RESCUE: Final = re.compile(
    r"(?i)\bsamu[ -]?(?:97[1-8]|98[678]|2[ab]|0[1-9]|[1-8]\d|9[0-5])\b"
    rf"|\b{_LONG} (?:puis|et|ou)(?: le| au)? (?:{_TWO}|{_THREE}|{_LONG}){_NO_DAY}"
    rf"|(?:(?<=[\n.,;:/] )|(?<=[\n.,;:/(])|(?<=[\n.,;:/]le )|(?<=[,;:/] le ))(?:{_TWO}|{_THREE})"
    r" (?:pr[ée]venu|appel[ée]|contact[ée]|alert[ée])\b"
)
"""A centre of rescue by its department, a number that was called: "SAMU 33", "le 15 prévenu"."""
_FREE: Final = re.compile(r"(?<!\d)0 ?80[0-589](?:[ .]?\d){6}(?!\d)")
_FREE_FOR: Final = re.compile(
    r"(?i)(?:\bvert|gratuite?|\bligne(?: d'[ée]coute)?|[ée]coute|canicule|\bligue|info[ -]?service"
    r"|antipoison|\ballo|tabac|drogues?|alcool|\bsida|violences?|suicide)\b[^\d\n]{0,24}\Z"
)
"""A line that is free of charge, behind what it is for: "num vert canicule 0800 06 66 66"."""
_NEAR: Final = 40
_TOPIC: Final = re.compile(
    rf"(?i)(?<![\w,./-])({_LONG}) \(?(?:bientraitance|maltraitance|violences?|suicide|canicule"
    r"|harc[èe]l"
    r"|[ée]coute|donn[ée]e?s?|affich[ée]|remis|inform|expliqu|rappel[ée]|pr[ée]venu|si besoin|pour)"
)
"""Where one calls for help, before what for: "3977 bientraitance affiché"."""
_PRINTED: Final = re.compile(
    r"(?i:\bcerfa)[ :n°º]{0,4}\d{2} ?\d{3}(?: ?\* ?\d{1,2})?|\b(?:NF EN|EN ISO|NF|ISO) ?\d{3,5}\b"
    r"|\bNCT\d{8}\b"
)
"""A form, a norm, a registered trial: "cerfa 11138*04", "ISO 15189"."""
_PLACE: Final = r"[*-]?\d{1,9}(?:[+-]\d{1,6})?"
_VARIANT: Final = re.compile(
    r"\bN[CGMPRT]_\d{6,9}(?:\.\d{1,3})?(?:\(\w{2,12}\))?(?=\W)"
    rf"|(?<!\w)[cgmnr]\.{_PLACE}(?:_{_PLACE})?(?:[ACGTU]>[ACGTU]"
    r"|(?:del|dup|ins|inv)[ACGTU]{0,40}(?:ins[ACGTU]{1,40})?|=)"
    r"|(?<!\w)p\.\(?[A-Z][a-z]{2}\d{1,5}(?:_[A-Z][a-z]{2}\d{1,5})?[A-Za-z*=]{0,12}\d{0,4}\)?"
    r"|\brs\d{3,12}\b"
)
"""A change of a gene: "NM_000059.4:c.5946delT", "p.(Arg117His)", "rs1799963"."""
_EDITION: Final = re.compile(
    r"(?i:\b(?:crit[èe]res?|classification|recommandations?|consensus|version))"
    r"(?: (?:(?i:de |d'|des ))?[A-Z][\w/-]{1,20}){1,3} ?\(?(?:19[89]|20[0-4])\d\b"
    r"|\b(?:GLI|EUCAST|CLSI|CA-?SFM|GINA|GOLD|ESC|ESH|EAU|ESMO|EASL|HAS|KDIGO|ATS(?:/ERS)?|ERS|FIGO"
    r"|OMS|WHO|AJCC|UICC|ILAE|ACR/EULAR|EULAR|IDSA|SPILF|SFAR|SRLF|SFC|ISUP|ELN|IMWG|RECIST)"
    r"[ -](?:v ?)?(?:19[89]|20[0-4])\d\b"
)
"""Criteria by their year: "critères de McDonald 2017", "GLI-2012"."""
_LEVEL: Final = re.compile(
    r"\b[nNpPsSgGcC](?i:iveau|alier|tade|rade|tep|lasse) \d{1,2} (?:de |du |selon )?"
    r"(?:IDDSI|GINA|GOLD|OMS|WHO|NYHA|CCS|ASA|KDIGO|FIGO|ISS|GMFCS|MACS|EDACS|AIS|CEAP)\b"
)
"""A level by its scale: "niveau 2 IDDSI"."""
_DISTANCE: Final = re.compile(
    r"(?i)\b(?:km|kilom[ée]trage|compteur)(?: (?:de )?(?:d[ée]part|arriv[ée]e|retour))?[ :=]{0,3}"
    r"\d{1,3}(?: ?\d{3})?\b"
)
"""What an odometer shows: "Km départ 118 402"."""
ALWAYS: Final = re.compile(r"(?i)\b(?:24 ?h?|7 ?j?) ?/ ?(?:24 ?h?|7 ?j?)\b")
"""Around the clock, every day: "24h/24", "7j/7"."""
_DAY: Final = rf"(?:{WEEKDAY})s?"
_WEEKLY: Final = re.compile(
    rf"(?i)\b(?:chaque|tous les|les) {_DAY}(?:(?:,| et| ou|/|-)(?: les)? ?{_DAY}){{0,6}}\b"
)
"""Days that come round: "chaque lundi", "les mardis et vendredis"."""
_PAGE: Final = re.compile(
    r"(?<![\w.,])[Pp](?:(?i:ages?|ge?)\b\.?|\.|(?<=P)) ?"
    r"([\dlIO]{1,3}) ?(?:/|sur|de) ?([\dlIO]{1,3})(?![\w/:,]|\.\d)"
)
_READ: Final = str.maketrans("lIO", "110")
_PAGES: Final = 40
"""A page of a bundle: "P. 02/04"; more pages than that no fax has."""
_COUNTING: Final = re.compile(r"(?<![\w.,])\d(?: ?[| /] ?\d{1,2}){4,10}(?![\w.,])")
"""A scale to tick, whose numbers go up by one: "0|1|2|3|4|5"."""
_OR_CALL: Final = re.compile(
    rf"(?i)\b(?:le|au|du) (?:{_TWO}|{_LONG}) ?(?:,|/|ou|et|puis)(?: bien)? ?(?:le |au |du )?"
    rf"(?:{_THREE}|{_LONG}){_NO_DAY}"
    rf"|\b(?:le|au) {_THREE} ?(?:,|/|ou|et|puis) ?(?:le |au )?(?:{_TWO}|{_THREE}){_NO_DAY}"
)
"""Two numbers to call: "faire le 15 ou le 112"."""
_TOOTH: Final = r"(?:[1-4][1-8]|[5-8][1-5])(?![\d.,/]\d|\d| ?[%°]| ?(?:mm|cm|ans|mois|jours|h)\b)"
_TEETH: Final = rf"{_TOOTH}(?:(?:, ?| et | à |[-/;] ?| )(?:de la |la |sur )?{_TOOTH}){{0,31}}"
_DENTAL: Final = re.compile(
    r"(?i)\b(?:dents?|absentes?|caries?|cari[ée]es?|couronnes?|bridges?|avulsions?|extractions?"
    r"|extraites?|(?:pr[ée])?molaires?|incisives?|canines?|implants?|abc[èe]s|mobilit[ée]s?"
    r"|d[ée]vitalis[ée]es?|d[ée]vitalisation|endo|inlays?(?:-core)?|onlays?|composites?|amalgames?"
    r"|facettes?|obturations?|sagesse|incluses?|manquantes?|racines?|alv[ée]oles?|pulpites?"
    r"|parodontites?|granulomes?|kystes? apicaux?|luxation|fracture coronaire|RVG|r[ée]troalv\w*"
    r"|apex|(?:poches?|sondage|r[ée]cession|lyse)[^\n;,.]{0,16}?\b(?:en|sur))"
    r"(?: (?:de|des|la|les|sur|en|dents?|n°|incluses?|cari[ée]es?|de sagesse|fait|à faire|OK)){0,3}"
    rf"[ :]{{1,3}}({_TEETH})"
    r"(?!,? (?:janv|f[ée]v|mars|avr|mai\b|juin|juil|ao[ûu]t|sept|oct|nov|d[ée]c))"
)
"""Teeth by their numbers, behind what is done with them: "caries 15, 26 et 37"."""
_DENTAL_TOO: Final = re.compile(
    rf"(?i)(?<![\w/.,-])({_TEETH}) (?:absentes?|incluses?|mobiles?|cari[ée]es?|manquantes?"
    r"|avuls[ée]es?|[àa] (?:extraire|avulser|traiter|d[ée]vitaliser)|extraites?|fractur[ée]es?"
    r"|d[ée]vitalis[ée]es?|d[ée]labr[ée]es?|n[ée]cros[ée]es?|couronn[ée]es?)\b"
)
_EYE: Final = (
    r"(?:OD[GS]?|OGD?|ODG|AVL?|AV[LSC]{1,3}|VL|s\.?/?c\.?|a\.?/?c\.?"
    r"|(?:sans|avec) (?:corr\w*|lunettes|verres?))"
)
_TENTHS: Final = r"(?:<|>)?(?:10|[1-9])(?:[.,]\d)? ?/ ?(?:10|20)(?:e|è)?(?!\d|/|[.,]\d)"
_SIGHT: Final = re.compile(
    rf"(?i)(?<!\w){_EYE}(?:[ :=]{{1,3}}{_EYE}){{0,2}}[ :=.]{{1,3}}{_TENTHS}"
    rf"(?:(?: ?[,;/-] ?| et | puis | )(?:{_EYE}[ :=]{{1,3}})?(?:f |faible )?{_TENTHS}){{0,3}}"
)
"""How well eyes see: "sans corr 1/10 et 2/10"."""
_TYPED: Final = re.compile(
    r"\bHLA[ -]?(?:[A-Z]{1,3}\d?\*?[ -]?)?\d{1,2}(?::\d{2})?\b"
    r"|\b(?i:child(?:-| )?(?:pugh)?) [A-C] ?\d{1,2}\b"
    r"|\b(?i:parvo(?:virus)?) ?B ?19\b|\bTMT[ -]?[AB]\b(?: ?[:=]? ?\d{1,3}(?! ?/)\b)?"
    r"|\b(?i:ca|cyfra)[ -]?(?:19[ .,-]?9|125|15[ .,-]?3|72[ .,-]?4|21[ .,-]?1|27[ .,-]?29)"
    r"(?:[ :=à<>]{1,4}\d{1,3}(?:[ .]\d{3})+|[ :=à<>]{1,4}\d{1,7}(?:[.,]\d{1,2})?)?(?![\d/])"
    r"|\bBIP ?[:=]? ?(?:\d\d(?:[.,]\d)?|1[01]\d)(?![\d./-])|\bhors[- ]canton \(?[A-Z]{2}\)?"
)
"""A group of tissues, a class with its points, a marker by its number: "CA 19-9 20350"."""
_DUMPED: Final = re.compile(
    r"(?m)\([0-9A-Fa-f]{4}, ?[0-9A-Fa-f]{4}\)(?:[ \t]+[A-Z]{2})?"
    r"(?:[ \t]*(?P<key>[A-Z][A-Za-z]{2,40})"
    r"(?:[ \t]*[=:][ \t]*(?P<value>[^\n]{0,80}))?)?"
)
"""A line of what an image says of itself: "(0018,0080) RepetitionTime = 4500"."""
_SOMEBODYS: Final = re.compile(
    r"(?i)name|patient|physician|operator|perform|referr|institution|address|station|person"
    r"|comment|description|date|(?:study|series|content|acquisition|birth|admi\w{1,8}|scheduled\w*)"
    r"time|uid|\bid|id$|number|accession|serial|request|procedure|contact|country|region"
)
_MODEL: Final = re.compile(r"(?:Model|Coil|Sequence|Protocol|Manufacturer)\w*\Z")
_DECIMAL: Final = r"[<>+−-]?\d{1,3}[.,]\d{1,2}"
_BESIDE: Final = re.compile(
    rf"(?<![\w.,/:-])(?:{_DECIMAL}(?:[ \t]*[|;][ \t]*|[ \t]{{2,24}}|\t)){{1,12}}"
    rf"{_DECIMAL}(?![\w/:]|[.,]\d)"
    rf"|(?<![\w.,/:-])(?:{_DECIMAL} ){{2,12}}{_DECIMAL}(?![\w:]|[.,]\d)"
)
"""Numbers with decimals side by side: "5,21    4,80"."""
_AS_DAY: Final = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])")
_FORMS: Final = (
    _OR_CALL, _SIGHT, _TYPED,
    _LAW, _EMERGENCY, _RESCUE, _PRINTED, _VARIANT, _EDITION, _LEVEL, _DISTANCE, ALWAYS, _WEEKLY,
)  # fmt: skip


def public_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Where a text has them."""
    for form in _FORMS:
        for match in form.finditer(text):
            yield match.span()
    for form in (_DENTAL, _DENTAL_TOO):
        for match in form.finditer(text):
            yield match.span(1)
    for line in _DUMPED.finditer(text):
        key = line["key"] or ""
        own = not key or (_MODEL.search(key) is None and _SOMEBODYS.search(key) is not None)
        yield line.start(), line.start("value") if own and line["value"] else line.end()
    for row in _BESIDE.finditer(text):
        numbers = re.findall(r"\d+[.,]\d+", row[0])
        if not all(map(_AS_DAY.fullmatch, numbers)):
            yield row.span()
    for match in _FREE.finditer(text):
        if _FREE_FOR.search(text[max(0, match.start() - _NEAR) : match.start()]):
            yield match.span()
    for match in _TOPIC.finditer(text):
        yield match.span(1)
    for page in _PAGE.finditer(text):
        number, last = (int(n.translate(_READ)) for n in page.groups())
        if 0 < number <= last <= _PAGES:
            yield page.span()
    for row in _COUNTING.finditer(text):
        steps = [int(number) for number in re.findall(r"\d+", row[0])]
        if all(after - before == 1 for before, after in pairwise(steps)):
            yield row.span()
