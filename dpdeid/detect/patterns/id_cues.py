"""Whose number it is, where its own words do not say: "n°", "réf.", "dossier" or nothing.

The nearest word before it on its line decides, then the words after it; codes of one form in one
note are of one kind, so that those with a cue tell for those without.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from dpdeid.detect.patterns.id_words import EXAMS, OFFICES
from dpdeid.detect.patterns.table import words
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_ORDER: Final = words(EXAMS) | words(
    "pcr lame lames ech echantillon echantillons lba hemoc hemocs sidep cytoponction ponction"
    " demande demandes acc accession requete etiquette etiquettes tdmg rp ct mri angioscanner"
    " uroscanner bilans prelevements biochimie anapath cytologie cyto caryotype sequencage ngs"
    " urine urines sang lcs selles crachat crachats pot pots flacon flacons carton carte_"
    " radiographie radiographies radiographie doppler echodoppler mammo panoramique enregistrement"
    " aspiration brossage lavage antibiogramme microbiologie bacteriologie virologie hematologie_"
    " sero copro bhc toxiques toxicologie immuno immunologie biomol moleculaire rcp cro histo acp"
)
_OTHER: Final = words(OFFICES) | words(
    "lot lots serie sn implant implants prothese stimulateur pacemaker boitier defibrillateur dai"
    " valve stent pompe materiel dispositif appareil concentrateur neurostimulateur lit matelas"
    " mutuelle sinistre contrat adherent plainte pv proces jugement ordonnance_ licence passeport"
    " titre plaque vehicule compte facture devis ei nc pharmacovigilance materiovigilance crpv"
    " hemovigilance declaration agrement siret ecrou requisition procedure assure assuree ai"
    " invalidite apa rente aah rqth pension allocataire caisse samu regulation 15 centre15 cafat"
    " amiante crip signalement evenement indesirable kit visa arrete prefectoral orthoprothesiste"
    " ambulance ambulances taxi transport bus commande livraison dependance mp at accident"
    " depistage maia curatelle tutelle sauvegarde"
)
_VISIT: Final = words(
    "urgences urg sau hospitalise hospitalisee hospitalisation sejour sejourne admis admise"
    " admission passage venue hdj hds sorti sort crh"
)
_PROVIDER: Final = words("ordre inscrit inscrite")
_CUES: Final[dict[str, Label]] = {
    **dict.fromkeys(_VISIT, Label.VISIT_ID),
    **dict.fromkeys(_OTHER, Label.OTHER_ID),
    **dict.fromkeys(_ORDER - words("centre"), Label.ORDER_ID),
    **dict.fromkeys(_PROVIDER, Label.PROVIDER_ID),
}
_FILES: Final = frozenset(("patterns/id.patient.number", "patterns/id.dossier.far"))
_OPEN: Final = frozenset(
    ("patterns/id.numbered", "patterns/id.reference", "patterns/id.unexplained")
)
_PATIENTS: Final = frozenset(("ipp", "nip", "niss"))
_BACK: Final = 12
_AHEAD: Final = 10
_DIGIT: Final = re.compile(r"\d")
_OWN: Final = re.compile(r"[A-Z]{3,8}(?=[ \-/_.])")
"""What a code begins with and may say what it counts: "IRM-24-118", "CRO 2018/3377"."""


def relabelled(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """The doubtful identifiers among `spans` for which a cue is found, with its label."""
    known: dict[str, Counter[Label]] = {}
    left: list[tuple[str, Span]] = []
    for span in spans:
        if span.source in _FILES:
            label = _of_file(doc, span)
        elif span.source in _OPEN:
            label = _cue(doc, span)
            shape = _DIGIT.sub("0", doc.text[span.start : span.end])
            if label is None:
                left.append((shape, span))
            else:
                known.setdefault(shape, Counter())[label] += 1
        else:
            continue
        if label is not None and label is not span.label:
            yield _as(span, label)
    for shape, span in left:
        if shape in known:
            label = known[shape].most_common(1)[0][0]
            if label is not span.label:
                yield _as(span, label)


def _as(span: Span, label: Label) -> Span:
    return replace(span, label=label, score=span.score + 0.02, source="patterns/id.cue")


def _line(doc: Document, span: Span) -> tuple[Iterable[str], Iterable[str]]:
    """The folded tokens before the span on its line, nearest first, and those after it."""
    tokens, text = doc.tokens, doc.text
    at = bisect_left(tokens.starts, span.start)
    start = text.rfind("\n", 0, span.start) + 1
    low = max(bisect_left(tokens.starts, start), at - _BACK)
    stop = bisect_left(tokens.starts, span.end)
    line_end = text.find("\n", span.end)
    high = stop + _AHEAD
    if line_end >= 0:
        high = min(high, bisect_left(tokens.starts, line_end))
    return reversed(tokens.folded[low:at]), tokens.folded[stop:high]


def _cue(doc: Document, span: Span) -> Label | None:
    own = _OWN.match(doc.text, span.start, span.end)
    if own and (label := _CUES.get(own[0].lower())) is not None:
        return label
    before, behind = _line(doc, span)
    for word in before:
        if (label := _CUES.get(word)) is not None:
            return label
    return next((Label.ORDER_ID for word in behind if word in _ORDER), None)


def _of_file(doc: Document, span: Span) -> Label | None:
    """What a number after "dossier" is: the patient's, unless a cue or an IPP stands before it."""
    before, _ = _line(doc, span)
    for word in before:
        if (label := _CUES.get(word)) is not None:
            return label
        if word in _PATIENTS:
            return Label.VISIT_ID
        if word in ("patient", "patiente", "identifiant"):
            return None
    return None
