"""Signs of another width or font, and letters in one sign: "６０", "ＤＵＰＯＮＴ", "ﬁ", "Ⅳ".

Of Unicode's compatibility forms (NFKC) those that are letters, digits and marks of another look.
Superscripts, fractions and units in one sign ("m²", "10⁹", "½", "µg", "㎎") mean something else
than what they would become, and stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from dpdeid.lexicon import Memo
from dpdeid.views.reading import Edit

_MAYBE: Final = re.compile(
    "[\u0132\u0133\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u2102-\u2149\u2160-\u217f"
    "\ufb00-\ufb06\ufe50-\ufe6b\uff01-\uffee\U0001d400-\U0001d7ff]"
)
_LOOKS: Final = ("<wide>", "<narrow>", "<font>", "<small>")


def edits(text: str) -> Iterator[Edit]:
    """Each such sign, read as the usual ones; all of these stand where the sign does."""
    for sign in _MAYBE.finditer(text):
        if plain := _PLAIN[sign[0]]:
            yield Edit(sign.start(), sign.end(), plain)


def _plain(sign: str) -> str:
    """What a sign is read as, "" if as it is."""
    if sign == "№":
        return "n°"
    look = unicodedata.decomposition(sign).partition(" ")[0]
    plain = unicodedata.normalize("NFKC", sign)
    return plain if look in _LOOKS or (look == "<compat>" and plain.isalpha()) else ""


_PLAIN: Final = Memo(_plain)
