"""Pet names of colleagues and relatives: those of the list, and doubled syllables ("kyky")."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.french.tables import rows
from dpdeid.normalize import fold

PETS: Final = frozenset(fold(pet) for pet, *_ in rows("pet_names")) | voc.words(
    "fab nath flo lulu tof jess momo lolo nono nini fifi mimi kiki gigi vero isa sab steph manu seb"
    " gwen audr elo emi emie jojo juju lili sev soso tati tina titi val virg xav yoyo zaza bibi"
    " bibiche poupette valou laeti mag delph caro clem aurel agnou anouk babou bichette biquette"
    " bobby boubou brigou cathou chacha choupette choupinou chouchou christou claudie coco cricri"
    " dada didi didine dudu emilou fanou fanny flofl fred fredou framboise frankie gaga gaetou"
    " gaston gege ginette ginou guiguite jaja jenny jeje joce joey josy juliou kaka karo katia"
    " katou kenza kenzo kloe lala lalie laulau laulo laure lauri lexi lise liloo lison lissou"
    " lolotte loulette loulou luce lucho lydie maelle magalou malou mamath manoune manue marie-jo"
    " marie-lo marilou marino marjo math mathou maud meli melo mimine minou minouche moumoune mumu"
    " nadege nanou natou nelly nico nicou ninon ninouche noune nounou nours pam pascalou patoche"
    " patou perrine philou pilou popo priss quentinou ray riri ritou rosy rourou rosette sandou"
    " sandrinette sandro sego silou simou sissi sofi soph sophinette steff stephou sylv sylvette"
    " sylvio tatie tatiana tati thib tiphaine tiphe titine titou toinou tonio toto totof vanou"
    " vaness veve vivi vivou yaya yoann youyou zab zazie zezette zizou zouzou"
)
"""Folded pet names of given names and of nobody's; written from general knowledge."""
_DOUBLED: Final = re.compile(r"([bcdfgjklmnprstvwyz]h?(?:ou|[aeiouy]))\1\Z")


def is_pet_name(word: str, *, told: bool = False) -> bool:
    """Whether a folded word is a pet name where somebody is expected: no word of medicine, and
    where only a name can stand (`told`) an ordinary word may be one.
    """
    known = EVIDENCE[word]
    if told and (word in PETS or _DOUBLED.match(word)):
        return True
    if word in PETS:
        return not (known.medical or known.drug or known.shorthand) or known.first_name
    return _DOUBLED.match(word) is not None and not (known.word or known.medical or known.shorthand)
