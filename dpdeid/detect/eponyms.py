"""Which tokens belong to an eponym: the disease, sign, score or device that bears a name.

A noun decides ("maladie de Charcot", "score de Hoehn et Yahr", "type Moore"), never the name
itself: "M. Charcot" is a person, and a title before the name always wins (the caller sees to it).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import compress
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.document import Document, Span
from dpdeid.labels import Label

FIRM: Final = voc.words(
    "maladie maladies syndrome syndromes sd signe signes score scores test tests echelle"
    " classification manoeuvre manoeuvres critere criteres reflexe triade tumeur sarcome lymphome"
    " thyroidite nevralgie choree paralysie atrophie dystrophie anemie purpura arthrite arterite"
    " vascularite neuropathie myopathie ataxie demence encephalopathie glomerulonephrite fracture"
    " fractures kyste kystes ligament triangle canal ampoule oddi sphincter corps corpuscule"
    " bacille virus bacterie phenomene index indice grille questionnaire formule equation loi"
    " trepied cercle polygone scissure aire noyau faisceau ganglion cul oedeme angine mal"
    " tetralogie malformation contracture dysplasie osteochondrite exostose hernie ulcere"
    " diverticule anevrysme epilepsie aphasie stade stades grade grades courbe methode regle dose"
    " maneuvre symptome coloration solution liquide liqueur ringer milieu gelose cellules spatules"
    " spatule forceps aiguille ventouse melanome naevus adenome carcinome hemangiome gammapathie"
    " cirrhose hepatite colite tendon nodule nodules loge fossette arcade veine nerf muscle artere"
    " plexus fosse bourse aqueduc foramen trou glande follicule anse valvule fibres tache taches"
    " anneau ligne plan espace point incidence pseudo reactif reactifs serum bouillon tubercule"
    " tubercules pate poudre pommade potion elixir eau baume sel bain phenotype canal sinus cone"
    " cavum membrane citerne crete apophyse fibre centre_ erytheme chancre ictere pemphigus lupus"
    " osteopathie encephalite polyradiculonevrite aphasie antigene anticorps alopecie"
)
"""A name after one of these is an eponym."""

LOOSE: Final = voc.words(
    "sonde sondes lampe ballonnet trocart encoche pince drain intervention operation technique"
    " voie incision type prothese plaque clou vis attelle appareil systeme valve catheter matelas"
    " bande collier corset orthese lame protocole regime regle fil pansement procede plastie cure"
    " stent pacemaker implant lambeau anastomose osteotomie protheses attelles bas modele marque"
    " lit fauteuil table methode amputation ciseaux aiguille canule poche pompe broche cerclage"
)
"""A name after one of these is an eponym or a brand, unless it is a first name."""

_NOUNS: Final = FIRM | LOOSE
_OF: Final = frozenset({"de", "d", "du", "des"})
_JOINS: Final = frozenset({"et", "-", "/", ","})
_PEOPLE: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_MAX_ADJECTIVES: Final = 2
_MAX_NAMES: Final = 4


def protected(doc: Document) -> frozenset[int]:
    """Indices of the tokens that are the name part of an eponym phrase."""
    found: set[int] = set()
    folded = doc.tokens.folded
    for index in compress(range(len(folded)), map(_NOUNS.__contains__, folded)):
        found.update(_names(doc, index + 1, firm=folded[index] in FIRM))
    return frozenset(found)


def _names(doc: Document, at: int, *, firm: bool) -> list[int]:
    """The name tokens of the phrase whose noun stands just before `at`."""
    tokens = doc.tokens
    texts, folded, end = tokens.texts, tokens.folded, len(tokens.texts)
    start = at
    of = False
    for _ in range(_MAX_ADJECTIVES + 1):
        if at >= end or not texts[at].isalpha():
            return []
        if folded[at] in _OF:
            of = True
            at += 2 if at + 1 < end and texts[at + 1] == "'" else 1
            break
        if texts[at][0].isupper():
            break
        at += 1
    if not of and (at != start or "\n" in doc.text[tokens.ends[at - 1] : tokens.starts[at]]):
        return []
    names: list[int] = []
    while at < end and len(names) < _MAX_NAMES:
        word, bits = texts[at], voc.TRAITS[folded[at]]
        if bits & voc.TITLE and not word.islower():
            break
        if word.isalpha() and _is_name(word, bits, of=of or bool(names), firm=firm or not of):
            names.append(at)
            at += 1
        elif (
            (folded[at] in _JOINS or bits & voc.PARTICLE)
            and at + 1 < end
            and (texts[at + 1][0].isupper() or (names and texts[at] == "-"))
        ):
            at += 1
        else:
            break
    return names


def _is_name(word: str, bits: int, *, of: bool, firm: bool) -> bool:
    if bits & voc.STOP:
        return False
    if not firm and bits & voc.FIRST and not bits & (voc.EPONYM | voc.WORD):
        return False
    if not of and bits & voc.FREQUENT and not bits & (voc.EPONYM | voc.WORD):
        return False  # "cas index Clémence"
    if word[0].isupper():
        return True
    return of and (not bits & voc.WORD or bool(bits & voc.EPONYM))


def without_eponyms(doc: Document, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans of a tagger without names that are an eponym's as a whole, "Charcot" in "maladie de
    Charcot"."""
    named = protected(doc)
    if not named:
        return tuple(spans)
    tokens = doc.tokens
    kept = []
    for span in spans:
        first = bisect_right(tokens.ends, span.start)
        inside = range(first, bisect_left(tokens.starts, span.end, first))
        if span.label not in _PEOPLE or not named.issuperset(inside):
            kept.append(span)
    return tuple(kept)
