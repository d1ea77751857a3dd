"""Words that a tagger alone takes for names, though nobody bears them there.

Kept apart from the lists that the taggers were trained with: what is added here changes no feature
of theirs.
"""

from __future__ import annotations

from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.evidence import EVIDENCE
from dpdeid.normalize import fold

ABBREVIATIONS: Final = voc.words(
    "dcd mtd bup tso dp dmp ins ipp nip nda iep ddn nir bts cap bep dut cdd cdi rsa aah apa gir ald"
    " cmu ame css caf msa cpam mdph ash ibode iade vsav vsl crra codis ccas dass pcea rciu mfiu"
    " dnr crop cro crh hdm"
)
"""Of states, papers, diplomas, allowances and rescue, in capitals."""
DEVICES: Final = voc.words(
    "fibroscan fibrotest magnetom somatom acuson biograph symbia artis signa optima discovery"
    " revolution voluson logiq ingenia achieva epiq affiniti azurion brilliance aquilion aplio"
    " vantage koelis urostation cyberknife tomotherapy truebeam davinci hologic pleurx picco"
    " bladderscan hemocue dexcom freestyle omnipod medtronic"
)
"""Machines and their makers."""
_MAIL: Final = voc.words("to from cc bcc cci subject sent re fwd tr objet")
_FREQUENT: Final = 3
_LEAST: Final = 4
"""Letters of a word that is told behind what a scanner misread."""
_OCR: Final = str.maketrans("05", "os")


def is_field(word: str, behind: str) -> bool:
    """Whether a folded word names the field whose value follows: "Débranché : 17 h".

    Args:
        behind: what stands behind it; two characters are enough.
    """
    if not behind[:2].lstrip(" ").startswith(":"):
        return False
    known = EVIDENCE[word]
    return word in _MAIL or (known.word and not known.first_name and known.surname < _FREQUENT)


def is_misread_word(run: str) -> bool:
    """Whether letters read as digits or as one another hide an ordinary word: "0PERAT0IRE"."""
    capital = 2 * sum(map(str.isupper, run)) > len(run)
    letters = run.replace("l", "I") if capital else run
    if letters == run and not any(mark in run for mark in "015"):
        return False
    word = fold(letters).translate(_OCR)
    meant = {word.replace("1", one) for one in "il"}
    return any(len(w) >= _LEAST and w.isalpha() and w in gazetteers.words() for w in meant)
