"""Which letters are an abbreviation of medicine and care, and where letters are rather somebody's
initials: behind a title, a role, an act ("dictée par"), before a typist's ("/sv").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dpdeid.french.tables import words_by_key
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

_BY_KIND: Final = words_by_key("abbreviations")
DOTTED: Final = frozenset(word for words in _BY_KIND.values() for word in words)
"""Folded abbreviations of medicine and care, with the digits that some end with."""
_LONG: Final = 3
"""Letters from which an abbreviation is rather one than somebody's initials."""
LISTED: Final = DOTTED - {word for word in _BY_KIND["dotted"] if len(word) <= _LONG}
"""Those that are abbreviations without dots too."""
PLAIN: Final = frozenset(_BY_KIND["plain"])
"""Of these, what no tagger may take in capitals though people are called so too."""
_NEVER: Final = frozenset(_BY_KIND["never_initials"])
STATES: Final = (
    frozenset(
        word
        for kind in ("dermato", "endo", "neuro", "onco", "pedia", "psy", "pulm")
        for word in _BY_KIND[kind]
    )
    - PLAIN
)
"""What patients have or are: who is said to act or sign is none of these, whatever the letters."""
_NEAR: Final = 64
_ROLE: Final = (
    r"(?i:internes?|int\.|externes?|op|instr\.?|circ\.|biol|[st]\.?f\.?|sage-femme|ides?|idel|ibodes?|iades?|mkde|m[ée]decins?|med"
    r"|chirurgien\w*|op[ée]rat\w{3,4}|aides?|anesth[ée]siste|mar|psycho[ml]\w*|psychiatre|orthopho\w*|orthopti\w*"
    r"|examinat\w{3,4}|investigat\w{3,4}|manip\w*|tech\w*|senior|s[ée]nior|chef|cadre|infirmi\w+|secr[ée]tai\w+"
    r"|sec|gyn[ée]cologue|p[ée]diatre|cardiologue|radiologue|urologue|neurologue|g[ée]riatre|urgentiste|r[ée]animateur"
    r"|r[ée]dact\w+|prescript\w+|panseu\w+|instrument\w+|responsable|r[ée]f[ée]rent\w*|coordinat\w+|correspondant\w*"
    r"|pr[ée]lev\w+|biologiste|pathologiste|pharm(?:acien\w*|\.)|presc\.|typ(?:iste)?\.?|di[ée]t[ée]\w*|soignante?|stagiaire|[ée]tudiante?|[ée]l[èe]ve"
    r"|confr[èe]re|coll[èe]gue|brancardi\w+|ambulanci\w+|poseu\w+|v[ée]rificat\w+|valideu\w+|lect\w{3,4}"
    r"|pr[ée]sente?s|participante?s|excus[ée]e?s?|absente?s|docteurs?|professeurs?)"
)
_SPECIALTY: Final = (
    r"(?i:(?:anesth|chir|kin[ée]|ergo|di[ée]t|psy|ortho|gyn[ée]co|cardio|dermato|endoc?|gastro|h[ée]mato|infectio|n[ée]onat"
    r"|n[ée]phro|neuro|onco|ophta?l?m?o?|p[ée]d|pneumo|radio|rhumato|uro)\w{0,9})"
)
"""Specialties: they head a line of findings ("Ortho : L.C.A. rompu") and stand for who has them."""
_PERSON: Final = (
    r"(?i:internes?|externes?|examinat\w{3,4}|op[ée]rat(?:eur|rice)s?|chirurgien(?:ne)?s?|[a-zéè]{4,9}logue|orthoptiste"
    r"|(?:re)?lect(?:eur|rice)s?|r[ée]dact(?:eur|rice)s?|poseu(?:r|se)|p[ée]diatre|infirmi[eè]re?s?|secr[ée]taire|instrumentiste|panseuse|sage-femme|m[ée]decin|s[ée]nior|anesth[ée]siste"
    r"|kin[ée]|ide|ibode|iade)"
)
"""Roles that stand before nothing but people."""
_KIN: Final = (
    r"(?i:[^\W\d_]{3,14}(?:istes?|logues?|icien(?:ne)?s?|iatres?)|tante|oncle|m[èe]re|p[èe]re|maman|papa|fils|fille"
    r"|fr[èe]re|s(?:œ|oe)ur|mari|[ée]pou(?:x|se)|conjointe?|compagn(?:on|e)|cousine?|neveu|ni[èe]ce|gendre|bru"
    r"|grand-(?:m[èe]re|p[èe]re)|belle-\w{4,5}|beau-\w{4,5}|patiente?|r[ée]sidente?|b[ée]b[ée]|bb|voisine?|amie?|tut(?:eur|rice)"
    r"|enfant|jume(?:au|lle)|famille|usag[èe]re?)"
)
"""Professions by their ending, kin, and who is cared for."""
_DUTY: Final = (
    r"(?: (?:de |d')(?:garde|astreinte|nuit|jour|bloc|salle|service|secteur|relève|permanence"
    r"|clinique))?"
)
_ACT: Final = (
    r"(?i:(?:dict|tap|frapp|sais|relu|relec|r[ée]dig|sign[ée]|valid|vis[ée]|vue?s?\b|revue?s?\b|examin|discut|transmi"
    r"|appel|pr[ée]v[eu]n|fait|[ée]crit|lue?\b|v[ée]rifi|contre-?sign|cosign|convenu|staff|relev[ée]|rel[èe]ve|d[ée]cid"
    r"|supervis|assist[ée]|accord|encadr|[ée]tabli|certif|constat|ciment|sutur|intub|not[ée]|[ée]chang|[ée]voqu|[il1]mprim|[ée]dit[ée]|t[ée]l[ée]?ph|modifi|cr[ée][ée]|clotur|cl[ôo]tur|prévu)\w{0,8})"
)
_SOMETIMES: Final = (
    r"(?i:(?:op[ée]r|r[ée]alis|pos(?!iti)|prescri|contr[ôo]l|confirm|instal|pratiqu|fait|pr[ée]lev|pr[ée]par|administr|donn[ée]|pans|refait|re[çc]u|accueil|accompagn|rendu|organis|propos|demand|inform|g[ée]r[ée]|"
    r"suivi|enregistr|dispens|d[ée]livr|compt|effectu|branch|retir|chang|plan)\w{0,8})"
)
_FIELD: Final = (
    r"(?i:dict(?:[ée]\w*|(?=\.))|frapp\w+|saisie?|sign(?:[ée]e?|atures?|ataires?)|r[ée]f(?:[ée]rences?)?|dact\w*|cachet|visa"
    r"|init(?:iales?)?|auteur|paraphe|valid\w+|interpr[ée]t\w*|relect(?:\w+|(?=\.))|relue?|tap[ée]e?|transcri\w+|r[ée]dig\w+|copies?|cc|qui|par"
    r"|(?:double )?lecture|staff|util(?:\.|isateur))"
)
_OTHERS: Final = r"(?:[\w.-]{1,8}(?: et | - | ?[,/;+&] ?)){0,4}\Z"
"""Initials of others in the same list."""
_TITLE: Final = (
    r"(?<![^\W_])(?<!\w\.)(?:D[rR][es]?s?|P[rR]s?|M(?:r|R|me|ME|lle|LLE|elle|M)?|dr|mr|mme|mlle)"
    r"(?:\. ?| )"
)
_TITLED: Final = re.compile(rf"{_TITLE}\Z")
_ACTING: Final = (
    rf"(?:{_TITLE}"
    rf"|(?<![^\W_]){_PERSON}{_DUTY} "
    rf"|(?<![^\W_]){_ACT}(?: [\w./]{{1,18}}){{0,2}} (?:par|avec) (?:: )?"
    r"|(?<!\d)[0-2]?\d[hH:][0-5]\d par "
    r"|(?<![^\W_])(?i:rel[èe]ve)[^\n.]{0,20}?(?:->|→|:) ?"
    r"|(?<![^\W_])(?i:(?:transmi|demand|confi|signal|remi|rel[èe]ve|laiss|copie|infos? donn)"
    r"\w{0,8}(?: \w{1,12})?) à "
    r"|(?<![^\W_])(?i:avis|accord|appel|part|dict[ée]e?|aval|demande|consigne|relais"
    r"|feu vert) (?:de|à) "
    r"|(?<![^\W_])(?i:(?:r?appel|pr[ée]ven|contact|join|bip|inform|voir avec|en parler à)\w{0,4}) "
    r"|(?<![^\W\d_])(?i:dixit|via) )"
)
"""A title, a role, or an act with what leads to who did it."""
_FILLED: Final = (
    rf"(?:(?<![^\W_]){_ROLE}{_DUTY}(?:\.? ?[:=] ?| ?[(\[]|[ ]{{3,40}})"
    rf"|(?<![^\W_]){_FIELD}\.?(?: ?[:=] ?| ?\[)"
    r"|(?<![^\W_])(?i:dict|relect|tap|frap|dact)\. |(?:\A|\n) {0,9}SIGN[ÉE]E? )"
)
"""The field of a role, or of who signs."""
_HEAD: Final = re.compile(rf"(?<![^\W_]){_SPECIALTY}{_DUTY} ?[:=(\[] ?\Z")
_LOOSE: Final = (
    rf"(?<![^\W_])(?:{_KIN}(?: ?: ?| )|{_SOMETIMES}(?: \w{{1,12}}){{0,2}} (?:par|avec) )"
)
_SURE: Final = re.compile(rf"(?:{_ACTING}|{_FILLED}){_OTHERS}")
"""What stands before somebody's initials."""
_RATHER: Final = re.compile(
    rf"(?:(?<![^\W_])(?:{_ROLE}|{_SPECIALTY}){_DUTY} |{_LOOSE}|-> ?|→ ?){_OTHERS}"
)
"""The same before letters that are no abbreviation, or are two."""
_HELPER: Final = (
    r"(?i:op|int(?=\.)|aides?|anesth|instru\w{0,12}|panseuse|circulante|manip|tech"
    r"|(?:d[ée])?branch\w{0,6}|pharm|typ|presc)\.?"
)
_ACTING_PLAIN: Final = re.compile(rf"{_ACTING}\Z")
_FILLED_PLAIN: Final = re.compile(rf"{_FILLED}\Z")
_LOOSE_PLAIN: Final = re.compile(rf"(?:{_LOOSE}|(?<![^\W_])(?:{_HELPER}|(?i:ok)) )\Z")
_LAST: Final = re.compile(
    rf"(?:.{{0,24}}[:=(\[>→/,;+&.-]|{_PERSON}|{_KIN}|{_HELPER}|D[rR][es]?s?|P[rR]s?|M(?:r|R|me|ME|lle|LLE)?"
    r"|(?i:dr|mr|mme|mlle|par|avec|à|de|et|ok|dixit|via|(?:r?appel|pr[ée]ven|contact|join|bip|inform)\w{0,4})"
    r"|garde|astreinte|nuit|jour|bloc|salle|service|secteur|relève|permanence)\Z"
)
"""The last word of what leads to somebody."""
_FIELD_ENDS: Final = re.compile(
    r"\.?(?:[ \t]{0,3}(?:\n|\Z|[,;/)(\]&|–-])| et |  "
    r"| [A-Z][^\W\d_]{1,14}\.?(?: par)? ?:)"
)
_THING: Final = re.compile(
    r"(?i)(?<![^\W_])(?:l'|une?|l[ae]s?|des|pas de|pas d'|sans|sous|en|anti-?|score|échelle) ?\Z"
)
"""What stands before things: no initials are behind an article."""
_WORDY: Final = re.compile(
    r"(?i)(?<![^\W_])(?:l'|une?|la|le|les|des|du|pas de|pas d'|sans|sous|en|anti-|post-"
    r"|score|échelle|test|syndrome)"
    r" ?\Z"
)
_SAYS_BEFORE: Final = re.compile(r"\d{1,2}[:hH]\d\d ?(?:[–—-] ?|\[)\Z")
_SAYS: Final = re.compile(r"\.?(?: ?:|\]:?) [^\W\d_]")
"""Who says something in a chat: "12:02 — C.N. : reprise"."""
_CLOSES: Final = re.compile(r"\.?(?:, ?[A-Za-z]{2,6})?\) {0,3}(?:\n|\Z)")
_SIDES: Final = frozenset(("od", "og", "iv", "im", "sc", "po", "ta", "fc", "fr", "ag", "al"))
"""What stands in brackets at the end of a line and is nobody."""
_EYES: Final = frozenset(("od", "og"))
_OF_KIN: Final = re.compile(
    r"\.? ?\((?i:(?:sa |son |le |la )?(?:m[èe]re|p[èe]re|fr[èe]re|s(?:œ|oe)ur|fils|fille|mari"
    r"|[ée]pou(?:x|se)|conjointe?|compagn(?:on|e)|tante|oncle|cousine?|neveu|ni[èe]ce|tut(?:eur|rice)"
    r"|voisine?|cas index|propositus))\b"
)
"""Who somebody is, behind their initials: "A.D. (frère)"."""
_SIGNERS: Final = re.compile(
    r"[ \t]*(?:[^\W\d_](?:\.-?[^\W\d_]){1,3}\.?(?: ?[/&,] ?| et (?=\w)|(?=[ \t]*\Z))){2,4}[ \t]*"
)
"""A line of nothing but initials: "D.F. / R.-M.G."."""
_WORKS: Final = re.compile(
    r"\.?,? ?[(-]? ?(?i:ide|idel|as|ash|iade|ibode|sf|mkde|kin[ée]|interne|externe"
    r"|cadre|m[ée]decin|infirmi[èe]re?|psycho\w*"
    r"|aide-soignante?|sage-femme|secr[ée]taire|di[ée]t[ée]ticienne|manip)\b\)?[. \t]{0,3}(?:\n|\Z)"
)
"""What who signs a line is: "-- A.D., IDE"."""
_STARTS: Final = re.compile(r"(?:\A|[.!?;–—|)/-]) {0,3}\Z")
_TYPED: Final = re.compile(r"\.? ?/ ?[a-z]{2,4}(?=[)\].,;]|\s*(?:\n|\Z)|/)")
_TYPING: Final = re.compile(r"(?:(?<![^\W_])[A-Z.]{2,6}/|/[A-Z.]{2,6}/)\Z")
_FINDING: Final = re.compile(
    r"\.?(?: ?[:=] ?| (?:à |> |< |≥ |≤ )?)(?:\d|(?i:n[ée]g|pos|normal|anormal|stable|stade|grade"
    r"|type|score|gauche|droit|dte|gche"
    r"|bilat|discret|mod[ée]r|s[ée]v[èe]r|l[ée]g[èe]r|franc|aigu|chroniq|ancien|connu|trait|op[ée]r|appareill|[ée]quilibr"
    r"|absent|pr[ée]sent|conserv|r[ée]cent|suspect|exclu|[ée]limin|[ée]cart|confirm|inchang|oui|non\b"
    r"|ok\b|sans|x \d)"
    r")|\.? ?%"
)


def of_people(text: str, start: int, end: int) -> bool:
    """Whether the letters from `start` to `end` are somebody's initials by what stands around them
    on their line: "vu avec | P.L.", "Dr | A.M.O.", "( | R.T. | /jg)". Not behind an article.
    """
    before = text[max(text.rfind("\n", 0, start) + 1, start - _NEAR) : start]
    if _THING.search(before):
        return False
    letters = "".join(c for c in text[start:end].lower() if c.isalnum())
    if _SAYS_BEFORE.search(before) and _SAYS.match(text, end):
        return True
    listed = letters in (DOTTED if "." in text[start:end] else LISTED)
    if before.endswith("(") and _CLOSES.match(text, end):
        words = re.findall(r"[^\W\d_]+", before)
        if len(letters) < _LONG or not (listed or _has_figure(letters) or begin(words, letters)):
            return letters not in _SIDES
    if _OF_KIN.match(text, end) or signs_as(text, start, end) or _sign_together(text, start, end):
        return letters not in _NEVER
    if letters in _NEVER or (listed and len(letters) > _LONG):
        return _TITLED.search(before) is not None and letters not in _NEVER
    if letters in _EYES and _TITLED.search(before):
        return False  # "DR OG", a retina
    typing = _TYPING.search(before)
    if (
        typing
        and listed
        and len(letters) >= _LONG
        and fold(typing[0]).strip("/.").replace(".", "") in DOTTED
    ):
        return False  # "(D.P./D.A.S.)"
    if _TYPED.match(text, end) or typing or _SURE.search(before):
        return True
    if _HEAD.search(before):
        return not listed or (len(letters) < _LONG and _FIELD_ENDS.match(text, end) is not None)
    return not (listed and len(letters) == _LONG) and _RATHER.search(before) is not None


def signs_as(text: str, start: int, end: int) -> bool:
    """Whether who works stands behind letters that close a line: "-- | EG | , IDE"."""
    if not _WORKS.match(text, end):
        return False
    return (
        _STARTS.search(text[max(text.rfind("\n", 0, start) + 1, start - _NEAR) : start]) is not None
    )


def _sign_together(text: str, start: int, end: int) -> bool:
    """Whether the letters stand on a line of initials, of which some are no abbreviations."""
    opens, closes = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line = text[opens : closes if closes >= 0 else len(text)]
    if not opens or len(line) > _NEAR or not _SIGNERS.fullmatch(line):
        return False
    return "-" in line or any(
        run.lower().replace(".", "") not in DOTTED
        for run in re.findall(r"[^\W\d_.]*(?:[^\W\d_]\.?)+", line)
    )


def begin(words: Sequence[str], letters: str) -> bool:
    """Whether the letters are those with which the last words begin, small ones left out or not."""
    long = [word for word in words if len(word) > _LONG]
    tails = (some[-len(letters) :] for some in (words, long))
    return any("".join(fold(word)[0] for word in tail) == letters for tail in tails)


def _has_figure(letters: str) -> bool:
    return any(map(str.isdigit, letters))


_BY: Final = re.compile(
    rf"(?<![^\W_])(?:{_ACT}|{_SOMETIMES})(?: \w{{1,12}}){{0,2}} (?:par|avec) \Z"
)


def leads_to(text: str, start: int, end: int) -> bool:
    """Whether letters without dots are somebody's by what stands before them on their line:
    "Discuté avec | KB", "Op : | JPD"; abbreviations only behind what is surest.
    """
    before = _before(text, start)
    if not _LEADS[before.rstrip(" ").rpartition(" ")[2]]:
        return False
    letters = text[start:end].lower()
    if before.endswith("(") and begin(re.findall(r"[^\W\d_]+", before), letters):
        return False  # "quadrant supéro-externe (QSE)"
    if _ACTING_PLAIN.search(before):
        return letters not in _EYES
    if _FILLED_PLAIN.search(before):
        return _FIELD_ENDS.match(text, end) is not None
    if _HEAD.search(before):
        short = letters not in LISTED or len(letters) < _LONG
        return short and _FIELD_ENDS.match(text, end) is not None
    return letters not in LISTED and _LOOSE_PLAIN.search(before) is not None


def did(text: str, start: int) -> bool:
    """Whether an act and "par" or "avec" stand before a place on its line: "noté par | jdf"."""
    return _BY.search(_before(text, start)) is not None


def _before(text: str, start: int) -> str:
    return text[max(text.rfind("\n", max(0, start - _NEAR), start) + 1, start - _NEAR, 0) : start]


def _is_last(word: str) -> bool:
    return _LAST.match(word) is not None


_LEADS: Final = Memo(_is_last)


def of_things(text: str, start: int, end: int) -> bool:
    """Whether letters in no list are a thing by what stands beside them on their line: "pas de |
    C.B.H. | franc", "| P.E.P. | 12".
    """
    before = text[max(text.rfind("\n", 0, start) + 1, start - _NEAR) : start]
    return _WORDY.search(before) is not None or _FINDING.match(text, end) is not None
