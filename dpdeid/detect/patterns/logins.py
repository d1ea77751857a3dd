"""Rows for the names by which somebody is known to a computer: "saisi par adm_kerl"."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.evidence import EVIDENCE
from dpdeid.detect.patterns.table import Row, words
from dpdeid.normalize import fold

_USER: Final = re.compile(
    r"(?i)\b(?:par|login|user(?:name)?|util(?:isat(?:eur|rice))?|identifiant|id|compte|session"
    r"|op[ée]rat(?:eur|rice)|agent|connect[ée]e?)[ :=]{1,4}\Z"
)
_BEFORE: Final = 24


def _by_user(match: re.Match[str]) -> bool:
    """Whether who is logged in is named there, and not in ordinary words."""
    start = match.start()
    if not _USER.search(match.string[max(0, start - _BEFORE) : start]):
        return False
    return not all(EVIDENCE[fold(part)].known for part in match["OTHER_ID"].split("_"))


def _is_login(match: re.Match[str]) -> bool:
    """Whether it is no ordinary word, no name by itself, and heads no other number."""
    word = fold(match["OTHER_ID"].rpartition(".")[2])
    last = EVIDENCE[word]
    named = last.first_name or last.surname > 0
    return last.suspicious and not named and word not in voc.FIELDS


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "id.user",
        words("pseudo login identifiant insta instagram snap snapchat facebook tiktok compte"),
        r"(?i:\w{4,11})(?: (?:insta\w*|snap\w*|facebook|tiktok|de connexion))?[ :=]{1,4}"
        r"(?:<\w{1,4}>|[\"«'@ ]){0,3}"
        r"(?P<OTHER_ID>[A-Za-z](?=[\w.]{0,18}[a-z])[\w.]{2,18}\d{1,4})(?![\w@])",
        "pseudo « «OTHER_ID:lulu.dunord59» »",
        score=0.85,
        never=("compte rendu", "identifiant 1234", "compte 2 fois"),
    ),
    Row(
        "id.login",
        "_",
        r"(?<![\w@./:])(?P<OTHER_ID>[A-Za-z]{1,12}_[A-Za-z]{1,16}\d{0,4})(?![\w./@])",
        "par «OTHER_ID:adm_kerl»",
        score=0.9,
        check=_by_user,
        never=("par voie_orale", "taille_cm", "fichier bilan_kerl", "par x_y.pdf"),
    ),
    Row(
        "id.login.named",
        words("login user username session utilisateur utilisatrice util identifiant"),
        r"(?i:\w{4,12})(?: (?:de connexion|windows|dpi))?(?: ?[:=] ?| {1,2})"
        r"(?P<OTHER_ID>[a-z]{4,16}\d{0,4}|[A-Z]{4,12}(?!\W{0,4}\d)|[a-z]{1,12}\.[a-z]{3,16}\d{0,4})"
        r"(?![\w@:-]|\.\w)",
        "login : «OTHER_ID:mkerlubac», session «OTHER_ID:lmrv»",
        score=0.96,
        check=_is_login,
        never=(
            "utilisateur de drogue",
            "session de kiné",
            "user avec prudence",
            "Identifiant RPPS",
            "identifiant KBX 12",
        ),
    ),
)
