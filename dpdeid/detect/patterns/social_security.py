"""Social security numbers: French NIR and INS, Swiss AVS, Belgian, Luxembourg, Québec, CAFAT.

With its word beside it, any run of the right length is one, whatever its key: typists err. Alone,
it needs a key that agrees or a grouping that nothing else has.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns import checks
from dpdeid.detect.patterns.codes import LINK, PHONE, WORD
from dpdeid.detect.patterns.table import Number, Row, words


def _social(match: re.Match[str]) -> bool:
    """After its word: enough digits, and not a telephone number."""
    value = checks.compact(match["SSN"])
    return 10 <= len(value) <= 15 and not PHONE.fullmatch(value)


def _social_by_form(match: re.Match[str]) -> bool:
    """Without a word: the key agrees, or the form admits nothing else."""
    value = match["SSN"]
    number = checks.compact(value)
    if (
        match["SSN_2"] is not None
        or checks.nir_key(number)
        or checks.niss(number)
        or checks.matricule(number)
    ):
        return True
    if number.startswith("756") and len(number) == 13:
        return checks.avs(number) or value[3] in ". "
    if re.fullmatch(r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", value):
        return True
    groups = len(re.findall(r"\w+", value))
    return (
        checks.nir_form(number)
        and number[0] in "12"
        and ((len(number) == 15 and groups <= 8) or 5 <= groups <= 8)
    )


def _provisional(match: re.Match[str]) -> bool:
    """A provisional number: the month of birth is one, or stands for an unknown one."""
    number = checks.compact(match["SSN"])
    month = int(number[3:5])
    return len(number) in (13, 15) and (1 <= month <= 12 or month >= 20)


_S: Final = r"[ .\-/]{0,2}"
_NIR: Final = (
    rf"[1-478](?:{_S}\d){{4}}{_S}\d{_S}[\dABab](?:{_S}\d){{6}}"
    rf"(?:{_S}\d{_S}\d)?"
)
_KEY_APART: Final = r"(?:[ ,;(|/\-]{0,4}(?i:cl[ée]f?)[ :]{0,3}(?P<SSN_2>\d\d)(?!\d))?"
_SOCIAL_NUMBER: Final = rf"\d(?:{_S}[\dABab]){{8,16}}"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "id.social",
        words(
            "nir nss niss ss secu securite sociale ins avs ahv immatriculation immatriculee"
            " immatricule assure assuree matricule national nn rn inss numident social"
        ),
        rf"{WORD}(?:(?: (?:sociale?|du|de la|papa|m[èe]re|patiente?|nir|INS|ss)){{0,2}}"
        rf"(?:{LINK}|/NIR ?:? ?))"
        rf"(?P<SSN>{_NIR}(?![^\W_])|{_SOCIAL_NUMBER}(?![^\W_]| \d)){_KEY_APART}",
        "N° SS : «SSN:1 44 05 44 109 221 82» caisse",
        score=0.97,
        check=_social,
        never=("ss 06 12 34 56 78", "sécurité 12/03/2020", "SS 100 ml"),
    ),
    Row(
        "id.social_provisional",
        words("provisoire provisoires temporaire attente"),
        rf"{WORD}{LINK}(?P<SSN>[1-478](?:{_S}\d){{12}}(?:{_S}\d\d)?)(?![^\W_]| \d)",
        "n° provisoire «SSN:8 75 03 99 412 207»",
        score=0.96,
        check=_provisional,
        never=("séjour provisoire 2311 07734", "provisoire 23 110 773 412 207"),
    ),
    Row(
        "id.social_dotted",
        words("n i"),
        rf"(?i:N\.I\.R|N\.S\.S|I\.N\.S|N\.I\.S\.S)\.?{LINK}(?P<SSN>{_NIR}|{_SOCIAL_NUMBER})(?![^\W_])",
        "N.I.R. : «SSN:1 44 05 44 109 221 82»",
        score=0.97,
        check=_social,
        never=("n.i.r.",),
    ),
    Row(
        "id.social_form",
        Number(r"1\d*[ ./-](?:0|[ ./-]0)|1\d{5}[ABab]|\d{11}|\d{6}(?:0{3})?[ -]00|\d0\.00"),
        rf"(?P<SSN>756[. ]\d{{4}}[. ]\d{{4}}[. ]\d{{2}}|\d\d\.\d\d\.\d\d-\d{{3}}\.\d\d|{_NIR}"
        rf"|\d{{6}}[ \-]?\d{{3}}[ \-]?\d{{2}})(?![^\W_]){_KEY_APART}",
        "né au Liban / «SSN:1 61 01 99 339 045 94»",
        score=0.93,
        check=_social_by_form,
        never=("1 2 3 4 5 6 7 8 9 10 11 12", "1234567890123", "le 12.03.2020"),
    ),
    Row(
        "id.social_letters",
        words("nam ramq maladie soleil"),
        rf"{WORD}{LINK}(?P<SSN>[A-Z]{{4}}[ \-]?\d{{4}}[ \-]?\d{{4}})(?![^\W_])",
        "NAM : «SSN:BOIR 5208 1417»",
        score=0.97,
    ),
    Row(
        "id.cafat",
        words("cafat"),
        rf"{WORD}{LINK}(?P<SSN>\d{{3}} ?\d{{3}})(?![^\W_])",
        "N° CAFAT «SSN:441 827» — 14 rue",
        score=0.96,
    ),
)
