"""Steps of one course against their dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.facts import Clash, Day, Event, Kind, Note

_DONE: Final = r"fait\w*|realise\w*|effectue\w*|preleve\w*|pratique\w*"
_READ: Final = (
    r"resultats?|signe\w*|valide\w*|rendu\w*|conclu\w*|interprete\w*|edite\w*|relu\w*|lecture"
)
_STEPS: Final = tuple(
    (re.compile(rf"\b(?:{one})\b"), re.compile(rf"\b(?:{other})\b"), turned)
    for one, other, turned in (
        (
            r"pose[e]?s?|mise? en place|implante\w*|insere\w*|installe\w*|place[e]?|platree?",
            r"retir\w+|retrait|enlev\w+|ablation|depose\w*|otee?s?|explant\w+|ablate\w*",
            False,
        ),
        (
            r"biopsie\w*|ponction\w*|irm|scanner|examen|prelevements?|frottis|radiographie|ecbu|"
            rf"hemocultures?|exerese|bilan|{_DONE}|recueill\w+",
            _READ,
            False,
        ),
        (r"demande[e]?s?|prescri\w+|commande\w*", rf"{_DONE}|{_READ}|recue?s?|livre\w*", False),
        (
            r"debut\w*|commenc\w+|instaur\w+|introdui\w+|initie\w*|mise? sous|demarr\w+|ouvert\w*",
            r"fin|arret\w*|termine\w*|stopp\w+|interromp\w+|suspend\w+|acheve\w*|clo[st]\w*|"
            r"sevre\w*",
            False,
        ),
        (
            r"chut\w+|accident\w*|avp|traumatisme|tombe[e]?|brulure|morsure|symptomes|agression",
            r"admise?|admission|consult\w+|hospitalis\w+|opere[e]?|pris\w* en charge|examine[e]?|"
            r"urgences|intervention",
            True,
        ),
        (r"intube[e]?|intubation", r"extube[e]?|extubation|autoextub\w+", False),
        (
            r"en travail|salle de (?:naissance|travail)|rupture|contractions|declenche\w*",
            r"accouch\w*|acct|cesarienne|(?<!de )naissance|nee?|delivr\w+",
            True,
        ),
        (
            r"entree?|admise?|admission|hospitalis\w+|arrivee?",
            r"sortie?|rad|quitt\w+|extube[e]?|retour (?:a )?domicile|mutee?|transfer\w+",
            False,
        ),
        (
            r"dict\w+|redige\w*|redaction",
            r"frapp\w+|saisie?|relu\w*|envoy\w+|signe\w*|valide\w*|expedie\w*|diffuse\w*",
            True,
        ),
        (r"envoy\w+|expedi\w+|poste[e]?", r"recue?s?|reception\w*|arrive[e]?s?", True),
        (r"marie[e]?|mariage|epouse", r"divorc\w+|veu(?:f|ve|vage)|separe\w*", True),
        (
            r"(?:1 ?(?:re|ere|er)|premiere?) (?:cure|dose|seance|injection|rappel|greffe|cycle)|"
            r"c1|v1",
            r"(?:[2-9] ?(?:e|eme|nde|nd)|deuxieme|seconde?|troisieme|derniere?) "
            r"(?:cure|dose|seance|injection|rappel|greffe|cycle)|c[2-9]|v[2-9]",
            True,
        ),
        (r"inclu\w+|consentement|randomis\w+", r"sorti\w* d'etude|fin d'etude|visite finale", True),
        (r"dernieres regles|ddr|fecondation|transfert d'embryons?", r"accouch\w*|dpa|terme", True),
        (r"greffe[e]?|transplant\w+", r"rejet|biopsie|detransplant\w*", False),
    )
)
"""What comes first, what later, and whether the later one may be told first."""
_AGAIN: Final = re.compile(
    r"\b(?:nouve\w+|ancien\w*|deja|preceden\w+|antecedents?|reprise|autre|re-?hospi\w+|repose\w*|"
    r"change\w*|second\w*|prochain\w*|dernier|derniere|rechute|recidive|(?:sa|son|ses|"
    r"leur) \w+ (?:est|a))\b"
)


def steps(note: Note) -> Iterator[Clash]:
    """Steps of one course: a sonde is placed before it goes, a sample taken before it is read."""
    days = [day for day in note.days if day.event is not Event.BIRTH]
    told = [_clause(note, day) for day in days]
    for at, one in enumerate(days):
        for far, other in enumerate(days[at + 1 : at + 4], at + 1):
            gap = note.flat[one.at[1] : other.at[0]]
            apart = abs((one.first - other.first).days)
            if len(gap) > 250 or "\n\n" in gap or apart > 800:
                break
            if not (one.year_told and other.year_told) and apart > 62:
                continue
            if one.event is Event.LETTER or other.event is Event.LETTER or _AGAIN.search(gap):
                continue
            for first, later, turned in _STEPS:
                back = turned or is_form(note, one, other) or bool(re.match(r" ?\(", gap[-25:]))
                ahead = _follow(first, later, told[at], told[far]) and one.first > other.last
                behind = _follow(later, first, told[at], told[far]) and other.first > one.last
                if ahead or (behind and back):
                    yield Kind.EVENT_ORDER, one.at, other.at
                    break


def _follow(one: re.Pattern[str], other: re.Pattern[str], before: str, behind: str) -> bool:
    """Whether one step is told in the first clause and the other, not it again, in the second."""
    return bool(one.search(before) and other.search(behind) and not one.search(behind))


def is_form(note: Note, one: Day, other: Day) -> bool:
    """Whether two dates are fields of a form, whose order tells nothing."""
    return ":" in note.flat[max(0, other.at[0] - 22) : other.at[0]]


def _clause(note: Note, day: Day) -> str:
    """The words that tell what happened on a day: those before it, else those behind it."""
    begin = max([d.at[1] for d in note.days if d.at[1] <= day.at[0]], default=0)
    begin = max(begin, day.at[0] - 70, note.flat.rfind("\n", 0, day.at[0]) + 1)
    before = re.split(r"[;!?|]|(?<=[a-z\d)]{3})\.\s", note.flat[begin : day.at[0]])[-1]
    if not re.fullmatch(r"[ •*>(-]*(?:le )?(?:\w+di |dimanche )?(?:le )?", before) or note.flat[
        begin - 1 : begin
    ] not in ("", "\n"):
        return before
    end = min([d.at[0] for d in note.days if d.at[0] >= day.at[1]], default=len(note.flat))
    return re.split(r"[.;\n|]", note.flat[day.at[1] : min(end, day.at[1] + 50)])[0]
