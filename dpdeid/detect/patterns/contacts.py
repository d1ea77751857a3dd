"""Telephone and fax numbers, e-mail and web addresses, network addresses.

A number is believed by its form (ten digits from a 0, +33, 418 555-1234) or, in short forms, by the
word before it ("poste 4512", "DECT 5 12 34"). Emergency and help lines are no contact of anybody.
Whether a number is real is not asked: numbering plans change, and typists err.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from dpdeid.detect.patterns.table import Number, Row, Run, Word, words

_GAP: Final = r"(?:[ .\-–·_/]{0,3}|\n|&nbsp;)"
_NATIONAL: Final = rf"0 ?[1-9](?:{_GAP}\d){{8}}"
_BELGIAN: Final = r"0[1-9]\d?(?: ?[/.\-] ?| )\d{2,3}(?:[ .\-]\d\d){2}"
_AMERICAN: Final = r"(?:1[ .\-])?[2-9]\d\d[ .\-]\d{3}[ .\-]\d{4}"
_STEP: Final = r"(?:[ .\-–·_/]{0,2}|&nbsp;)"
_ABROAD: Final = rf"[1-9]\d{{0,2}}{_STEP}(?:\(0\){_STEP})?\d(?:{_STEP}\d){{5,11}}"
_DOUBLE_ZERO: Final = rf"00 ?{_ABROAD}"
_PLUS: Final = rf"(?:\+ ?{_ABROAD}|\(\+ ?[1-9]\d{{0,2}}\)(?:{_STEP}\d){{6,12}})"
_BRACKETED: Final = (
    r"\(\d{3}\) ?\d{3}[ .\-]\d{4}"
    r"|\((?:687|681|689|508)\) ?\d\d(?:[ .\-]?\d\d){2}"
    rf"|\(0\d{{0,4}}\)(?:{_GAP}\d){{7,9}}"
    rf"|\(0\)[1-9](?:{_GAP}\d){{8}}"
)
_END: Final = r"(?![^\W_])(?![.,\-/]\d)"
_FULL_END: Final = r"(?![^\W_])(?![.,\-]\d)(?!/\d\d(?:\d\d)?(?![\d .\-]))"
_FULL: Final = rf"(?:{_PLUS}|{_BRACKETED}|{_DOUBLE_ZERO}|{_NATIONAL}|{_BELGIAN}|{_AMERICAN})(?!\d)"
_UNIT: Final = r"(?! ?(?:h|heures?|mn|min|m?g|ml|mm|cm|ans?|mois|jours?|j|%|€|UI|fois|x)\b|[%€°])"
_PAIRS: Final = rf"\d\d(?:[ .\-]\d\d){{1,3}}{_END}{_UNIT}"
_SHORT: Final = (
    rf"(?:6\d1[ .]\d{{3}}[ .]\d{{3}}"
    rf"|\d{{3,8}}|\d(?:[ .]\d\d){{1,2}}|\d\d(?:[ .\-]\d\d){{1,3}}|\d\d? \d{{3,4}}"
    rf"|\d{{3,4}}(?:[ \-]\d{{1,4}}){{1,2}}){_END}{_UNIT}"
)
_LINK: Final = r"[ .:=|>°#*]{0,12}"
_FAX_WORD: Final = (
    r"(?i:t[ée]l[ée]fax|fax(?:er|[ée]e?s?|ez)?|t[ée]l[ée]copie(?:ur)?|t[ée]l[ée]cop"
    r"|t[ée]l[ée]c(?=\.))"
)

_PUBLIC: Final = words(
    "15 17 18 100 101 102 103 105 106 107 110 112 113 114 115 116 117 118 119 143 144 145 147 191"
    " 196 197 811 911 988 1199 1414 1733 3114 3117 3133 3624 3646 3919 3939 3977 116000 116111"
    " 116117 116123"
)
_NUMBER: Final = re.compile(r"\d+")
_JOINTS: Final = (".", "-", "/")
_INSIDE_NUMBER: Final = re.compile(r"\d[.\-]$|(?<!\d[ .\-]\d)(?<!\d{5})\d/$")


def _groups(match: re.Match[str]) -> list[str]:
    return _NUMBER.findall(match[match.lastgroup or 0])


def _national(match: re.Match[str]) -> bool:
    """A number by form alone is no date, no range of dates, no row of a table."""
    groups = _groups(match)
    start = match.start()
    if len(groups) > 8 or (
        match.string[start - 1 : start] in _JOINTS
        and _INSIDE_NUMBER.search(match.string[max(0, start - 8) : start])
    ):
        return False
    digits = "".join(groups)
    if len(set(digits)) < 3 and len(groups) > 1:
        return False
    marks = [gap.strip() for gap in _NUMBER.split(match[match.lastgroup or 0])[1:-1]]
    sizes = [*map(len, groups)]
    if sizes == [4, 4, 2] or (sizes[0] == 6 and len(sizes) > 1):
        return False  # a bar code, a number before a date
    if 1 in sizes[1:] and any(marks[1:]) and digits[:2] != "00":
        return False
    if len(groups) > 3 and _in_steps(groups):
        return False
    if sizes == [sizes[0]] * 5:
        return len(set(marks[1:])) == 1
    if marks[:1] == ["/"] and groups[1][:2] in ("19", "20") and len(groups[1]) == 4:
        return False
    dated = [len(g) for g in groups[:3]] in ([2, 2, 4], [1, 2, 4], [2, 2, 2])
    return not (dated and marks[0] in ("/", ".", "-") and marks[0] == marks[1])


def _in_steps(groups: Sequence[str]) -> bool:
    """Whether every number is as much more than the one before: "1 2 3 4 5"."""
    step = int(groups[1]) - int(groups[0])
    return all(int(b) - int(a) == step for a, b in pairwise(groups))


def _personal(match: re.Match[str]) -> bool:
    """A short number after its word is no help line, year or date."""
    digits = "".join(_groups(match))
    if digits in _PUBLIC or (len(digits) == 4 and "1950" <= digits <= "2049"):
        return False
    return len(digits) >= 3


def _address(match: re.Match[str]) -> bool:
    """An address, and not a version number or a numbered heading."""
    value = match["IP"]
    if re.search(r"\.\Z|[\d:]:\Z", match.string[max(0, match.start() - 2) : match.start()]):
        return False
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return ":" in value or any(len(g) == 3 for g in value.split(".")) or value.startswith("10.")


_LABEL: Final = r"[\w\-]{1,63}"
_TLD: Final = (
    r"(?:fr|ch|be|lu|ca|com|org|net|eu|info|bzh|re|nc|gp|mq|gf|pf|yt|pm|wf|pt|de|it|es|uk|io|alsace"
    r"|corsica|paris|health|care|swiss|vlaanderen|brussels|example|test|invalid)"
)
_DOT: Final = rf"(?:\.|(?: ?\. ?|\n\.|\.\n)(?={_TLD}\b)|-\n(?=[\w\-]{{1,63}}\.{_TLD}\b))"
_HOST: Final = rf"{_LABEL}(?:{_DOT}{_LABEL}){{1,6}}"
_LOCAL: Final = r"(?<![\w.+\-])[\w+\-](?:[\w.+\-'&!#$%*/=?]{0,126}[\w+\-])?"
_SPOKEN_DOT: Final = r"(?:\.| ?[(\[](?i:dot|point|\.)[)\]] ?| (?i:dot|point) )"
_SPOKEN_LOCAL: Final = (
    rf"(?<![\w.+\-])[\w+\-]{{1,40}}(?:(?:[._]|{_SPOKEN_DOT}| (?i:tiret) )[\w+\-]{{1,40}}){{0,4}}"
)
_SPOKEN_AT: Final = (
    "(at)", "[at]", "(AT)", "[AT]", "(a)", "[a]", "(arobase)", "[arobase]", "(@)", " at ", " AT ",
    " arobase ", " Arobase ", " AROBASE ", "&#64;",
)  # fmt: skip

_URL_TAIL: Final = r"(?:[^\s<>\"«»|\\^`{}]{0,1500}[\w/=&#%~+])?"

_NUMERAL: Final = (
    r"(?:z[ée]ro|une?|deux|trois|quatre(?:[ \-]vingts?)?|cinq|six|sept|huit|neuf|dix|onze|douze"
    r"|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante|septante|octante"
    r"|huitante|nonante|et|\d{1,2})"
)
_DICTATED: Final = rf"(?:[ \-]{_NUMERAL}(?!\w)){{5,16}}"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "contact.number",
        Number(r"0\d{8}|0\d{0,7}(?:[ .\-–·_/][ .\-–·_/(0]|\n0|&n|\(0)|1(?:00)?[ .\-]00"),
        r"(?=0[ \d]|[1-9]\d{0,2}[ .\-]\d)"
        rf"(?:(?P<FAX>{_DOUBLE_ZERO}|{_NATIONAL}|{_BELGIAN})(?= ?\(?(?i:fax)\b)"
        rf"|(?P<PHONE>{_DOUBLE_ZERO}|{_NATIONAL}|{_BELGIAN}|{_AMERICAN})){_FULL_END}",
        "au «PHONE:02.40.16.57.44» (cellule)",
        score=0.88,
        check=_national,
        never=(
            "le 01/02/2020 12 h",
            "du 03/04-05/06/2020 au",
            "00 00 00 00 00",
            "1 2 3 4 5 6 7 8 9 10",
            "0,12 34 56 78 90",
            "le 12.03.2021 à 10",
            "étiquette 0631 8842 07",
            "N° 030911  13/11",
        ),
    ),
    Row(
        "contact.plus",
        {"+": " ?0", "(": "[+0]"},
        rf"(?<!\d)(?P<PHONE>{_PLUS}|{_BRACKETED}){_FULL_END}",
        "joindre au «PHONE:+33(0)6 52 90 11 73»",
        score=0.94,
        check=lambda match: len("".join(_groups(match))) >= 8,
        never=("+ 2500 ml par jour", "Glasgow 15 (4+5+6)", "(12) 34"),
    ),
    Row(
        "contact.after_word",
        words(
            "tel tels telephone telephones teleph tph mobile mob mobil port portable gsm natel"
            " nat standard secr secretariat whatsapp sms eacute phone ☎ ✆ 📞"
        ),
        rf"(?:[^\W\d_]{{1,20}}+|[☎✆📞])(?:;l)?"
        rf"(?:[ ./]{{1,2}}(?!que\b)[A-Za-zéèàê']{{2,14}}){{0,2}}?{_LINK}"
        rf"(?P<PHONE>{_FULL}|{_PAIRS})",
        "tel labo «PHONE:54 12» garde",
        score=0.95,
        check=_personal,
        never=("tel que 12 34", "tél : 15", "un portable de 2019", "secrétariat 12 h 30"),
    ),
    Row(
        "contact.compact_after_word",
        words("tel telephone tph mobile mob gsm natel eacute"),
        rf"[^\W\d_]{{1,20}}+(?:;l)?(?: (?!que\b)[a-zéèàê]{{2,14}}){{0,2}}?"
        rf"{_LINK}(?P<PHONE>{_SHORT})",
        "hdj cardio tel sonia «PHONE:51244»",
        score=0.86,
        check=_personal,
        never=("tel 112", "tél. : 3114", "un tel 2020"),
    ),
    Row(
        "contact.reached",
        words("contacter contactez joindre joignable joignez rappeler rappelez appeler appelez"),
        r"(?i:\w{6,10})(?: [a-zà-ÿ]{2,12}){0,2} au "
        rf"(?P<PHONE>\d\d(?: \d\d){{2}}|\d\d\.(?:1[3-9]|[2-9]\d)\.\d\d){_END}{_UNIT}",
        "nous contacter au «PHONE:80 90 18» le matin",
        score=0.88,
        check=_personal,
        never=("rappeler au 12.03.21", "joindre au 15"),
    ),
    Row(
        "contact.bracketed",
        Number(r"10\.00"),
        r"(?<=\()(?P<PHONE>(?:3[2-9]|[4-9]\d)\.\d\d\.\d\d)(?=\))",
        "sa tante («PHONE:76.41.33») est prévenue",
        score=0.8,
        never=("(12.03.21)", "vaccin (76.41 %)"),
    ),
    Row(
        "contact.extension",
        words("poste dect bip bippe biper interne int ext extension beep pager"),
        r"(?i:poste|dect|bip(?:p?[eé]r?)?|beep|pager|interne|int\.|extension|ext\.)"
        rf"(?: c'est(?: le)?| au| le| tel| t[ée]l\.?| n[°o])?{_LINK}(?P<PHONE>{_SHORT})",
        "mon DECT c'est le «PHONE:6 41 77»",
        score=0.9,
        check=_personal,
        never=("en poste de 12 h", "poste 2 jours", "interne 2 ans", "poste 112", "poste 2021"),
    ),
    Row(
        "contact.hash",
        words("#"),
        rf"#(?P<PHONE>\d \d\d \d\d){_END}",
        "gestionnaire des lits #«PHONE:7 14 20»",
    ),
    Row(
        "contact.phone_and_fax",
        words("tel telephone"),
        r"(?i:t[ée]l(?:[ée]phone)?)\.? ?(?:/|-|et|&|,)? ?(?i:fax|t[ée]l[ée]copie)[ .:]{0,6}"
        rf"(?P<PHONE>{_FULL})(?:[ ,;]{{0,3}}(?:/|et|-|–)?[ ]{{0,3}}(?P<FAX>{_FULL}))?",
        "Tél/Fax : «PHONE:03 88 12 34 56» / «FAX:03 88 12 34 57»",
        score=0.98,
    ),
    Row(
        "contact.fax",
        words("fax faxer faxe faxee faxez telefax telecopie telecopieur telecop telec f"),
        rf"(?:{_FAX_WORD}[^\d+(;@]{{0,40}}\(?|[fF][ .:]{{1,4}}(?=[+0]))(?P<FAX>{_FULL}|{_PAIRS})"
        rf"(?:(?: ?/ ?| ou | et | - )(?P<FAX_2>{_FULL}))?",
        "Télécopie du service : «FAX:01 42 11 07 64», dossier",
        score=0.97,
        never=("F 32 ans", "fax du 12/03/2020"),
    ),
    Row(
        "contact.dictated",
        words("zero"),
        rf"(?P<PHONE>[Zz][ée]ro{_DICTATED})",
        "au «PHONE:zéro six douze trente-quatre zéro huit quatre-vingt-un»",
        never=("zéro deux trois",),
    ),
    Row(
        "contact.half_dictated",
        Number(r"00 [a-z][a-zé]"),
        rf"(?P<PHONE>0[1-9] (?!et\b)(?=[a-z]){_NUMERAL}(?!\w){_DICTATED})",
        "téléphone «PHONE:06 vingt-sept soixante et onze 40 93»",
    ),
    Row(
        "contact.email",
        "@",
        # a word with no @ behind it is left at once, not tried at each of its letters
        rf"(?<![\w.+\-])(?=[^\s@]{{1,128}}+(?: {{0,2}}|\n)@)"
        rf"(?P<EMAIL>{_LOCAL}(?: {{0,2}}|\n)@\s{{0,2}}{_HOST})(?![\w.\-]{{0,64}}@)",
        "12 34 @ «EMAIL:jean.dupont@chu-lille.fr», Courriel <«EMAIL:j.roy@boite.test»>",
        score=0.99,
        never=("@@@@", "rdv @ 10h", "12 @ 3"),
    ),
    *(
        Row(
            f"contact.email.{at.strip()}{'.upper' if at.isupper() else ''}",
            at,
            rf"(?P<EMAIL>{_SPOKEN_LOCAL} ?{re.escape(at).strip()} ?{_LABEL}"
            rf"(?:(?:{_SPOKEN_DOT}| (?i:tiret) ){_LABEL}){{0,4}}{_SPOKEN_DOT}(?i:{_TLD}))\b",
            f"écrire à «EMAIL:jean.dupont{at}chu-lille.fr» svp",
            score=0.95,
        )
        for at in _SPOKEN_AT
    ),
    Row(
        "contact.url",
        words("http https ftp sftp"),
        rf"(?P<URL>(?i:https?|s?ftp)://[\w\[]{_URL_TAIL})",
        "(«URL:https://resultats.biopaj.fr/?id=2»).",
        score=0.99,
    ),
    Row(
        "contact.www",
        words("www"),
        rf"(?P<URL>(?i:www)\d?\.{_LABEL}(?:\.{_LABEL}){{0,5}}(?:[/:?]{_URL_TAIL})?)",
        "voir «URL:www.chu-dijon.fr», merci",
        score=0.98,
    ),
    *(
        Row(
            f"contact.domain{tld}",
            Run(tld),
            rf"(?<![\w.@/\-:])(?P<URL>(?:[a-zA-Z\d][\w\-]{{0,62}}+\.){{1,5}}{tld[1:]}"
            rf"(?:/{_URL_TAIL})?)(?![\w@\-]|\.\w)",
            f"sur «URL:portail.lerocher{tld}/medecins»",
            score=0.9,
        )
        for tld in (".fr", ".ch", ".be", ".lu", ".ca", ".com", ".org", ".net", ".eu", ".example")
    ),
    *(
        Row(
            f"contact.domain{tld}",
            Run(tld),
            rf"(?<![\w.@/\-:])(?P<URL>(?:(?:[a-zA-Z\d][\w\-]{{0,62}}+\.){{2,5}}{tld[1:]}"
            rf"|[a-zA-Z\d][\w\-]{{0,62}}+\.{tld[1:]}(?=/\w))(?:/{_URL_TAIL})?)(?![\w@\-]|\.\w)",
            f"sur «URL:portail-rdv{tld}/v/8Kq2» ou «URL:ent.lerocher{tld}», puis",
            score=0.9,
            never=(f"fin du bilan{tld} de marche", f"a@b.lerocher{tld}"),
        )
        for tld in (".bzh", ".re", ".nc", ".io", ".info", ".health", ".local", ".intra", ".test")
    ),
    Row(
        "contact.dictated_url",
        Word(words("trois w"), " [wW]"),
        r"(?P<URL>(?i:trois|w w) [wW] (?i:point) [a-z\d]{2,24}"
        r"(?: (?i:point|tiret|slash) (?:du |de la )?[a-z\d]{1,24}){1,6})(?!\w)",
        "rendez-vous sur «URL:trois w point clinique tiret morvan point fr» ou",
        score=0.95,
        never=("trois W point", "w w w"),
    ),
    Row(
        "contact.ip",
        Number(r"\d{1,3}(?:\.0|[a-fA-F])|\d{1,4}:[0a-fA-F:]"),
        r"(?P<IP>\d{1,3}(?:\.\d{1,3}){3}(?=:\d{2,5}(?![\w:]))"
        r"|(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]{1,4}:(?:[\da-fA-F]{0,4}:){1,6}[\da-fA-F]{1,4})"
        r"(?![\w:]|\.\d))",
        "connexion depuis «IP:192.168.12.4»",
        score=0.85,
        check=_address,
        never=("version 1.2.3.4", "OID 1.2.250.1.213.1.4.8", "06.12.34.56.78", "à 12:30:45"),
    ),
    Row(
        "contact.ip6",
        words("fe fd fc ip ipv"),
        r"(?:(?i:ipv?\d?|adresse)[ :=]{0,5})?"
        r"(?P<IP>[a-fA-F][\da-fA-F]{0,3}:(?:[\da-fA-F]{0,4}:){1,6}[\da-fA-F]{1,4})(?![\w:])",
        "IP : «IP:fe80::1ff:fe23:4567:890a»",
        check=_address,
    ),
)
