"""National numbers of a note: those with a cue beside them, or written in their own groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.facts import Number
from dpdeid.french.check_digits import compact, nir_form

_NIR: Final = re.compile(
    r"(?<![\w.,/-])[1-478][ .-]?\d\d[ .-]?\d\d[ .-]?(?:\d\d|"
    r"2[ab])[ .-]?\d{3}[ .-]?\d{3}(?:[ .,|/-]{0,14}(?:cle ?:? ?)\d\d|[ .|/-]{0,3}\d\d)?(?![\w]|"
    r"[.,-]\d)"
)
_NIR_LOOSE: Final = re.compile(
    r"(?:\bnir\b|\bn[°o]? ?(?:de )?(?:ss|secu\w*|s\.s\.?|securite sociale)\b|"
    r"\bnss\b|\bins(?:-nir)?\b|\bimmatricul\w+|securite sociale|\bss\b|\bsecu\b)"
    r"[^\n\d]{0,25}(?P<n>[1-478](?:[ .-]{0,2}(?:\d|(?<=2)[ab](?=[ .-]?\d))){12,14})(?!\d)"
)
_NISS: Final = re.compile(
    r"(?<![\w.,/-])\d\d[. ]?\d\d[. ]?\d\d[ -]{0,2}\d{3}[. -]?\d\d(?![\w]|[.,-]\d)"
)
_NISS_CUE: Final = re.compile(
    r"niss|registre national|numero national|n° national|\brn\b|\bnn\b|n(?:um(?:ero)?)?°? ?nat|rrn"
)
_AVS: Final = re.compile(r"(?<![\w.,-])756[. ]?\d{4}[. ]?\d{4}[. ]?\d\d(?![\w]|[.,-]\d)")
_AHV: Final = re.compile(
    r"(?<![\w.,-])\d{3}\.\d\d\.\d{3}\.\d{3}(?![\w]|[.,-]\d)|"
    r"(?<=avs )\d{3}[. ]\d\d[. ]\d{3}(?:[. ]\d{3})?(?!\d)"
)
_MATRICULE: Final = re.compile(
    r"(?:matricule|cns|securite sociale|identification|n°)[^\n\d]{0,25}(?P<n>(?:19|"
    r"20)\d\d[ .-]?(?:0[1-9]|1[0-2])[ .-]?[0-3]\d[ .-]?\d{3}[ .-]?\d\d)(?!\d)|"
    r"(?<!\d)(?P<m>(?:19|20)\d\d (?:0[1-9]|1[0-2])[ ]?[0-3]\d \d{3} ?\d\d)(?!\d)"
)


def numbers(flat: str) -> tuple[Number, ...]:
    """The national numbers of a flat text, in its order."""
    found: dict[int, Number] = {}
    for one in _numbers(flat):
        if not any(n.at[0] < one.at[1] and one.at[0] < n.at[1] for n in found.values()):
            found[one.at[0]] = one
    return tuple(found[at] for at in sorted(found))


def _numbers(flat: str) -> Iterator[Number]:
    for match in _AVS.finditer(flat):
        yield Number(match.span(), "avs", compact(match[0]))
    for match in _AHV.finditer(flat):
        if _cued(flat, match.start(), r"\bavs|ahv|n° ?assure|numero d'assure"):
            yield Number(match.span(), "ahv", compact(match[0]))
    for match in _MATRICULE.finditer(flat):
        group = "n" if match["n"] else "m"
        yield Number(match.span(group), "matricule", compact(match[group]))
    for match in _NIR_LOOSE.finditer(flat):
        digits = compact(match["n"])
        if nir_form(digits):
            yield Number(match.span("n"), "nir", digits)
    for match in _NIR.finditer(flat):
        digits = compact(match[0].replace("cle", ""))
        told = re.search(r"[ .-]", match[0]) or _cued(
            flat, match.start(), r"nir|secu|\bss\b|nss|ins\b|social|immat"
        )
        if nir_form(digits) and (told or len(digits) == 15):
            yield Number(match.span(), "nir", digits)
    for match in _NISS.finditer(flat):
        digits = compact(match[0])
        month, day = int(digits[2:4]) % 20, int(digits[4:6])
        grouped = re.fullmatch(r"\d\d\.\d\d\.\d\d-\d{3}[.-]\d\d", match[0])
        told = grouped or _cued(flat, match.start(), _NISS_CUE)
        if len(digits) == 11 and month <= 12 and day <= 31 and told:
            yield Number(match.span(), "niss", digits)


def _cued(flat: str, at: int, cue: str | re.Pattern[str]) -> bool:
    return bool(re.search(cue, flat[max(0, flat.rfind("\n", 0, at)) : at][-40:]))
