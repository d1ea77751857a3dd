"""Surrogates made to fit the French text around them: the step between substitute and rewrite.

Post-processing: it reads the text outside the mentions and the surrogates, and where a surrogate
has no bound the case and accents of its mention, so that it costs nothing. "d'Rennes" would tell
how the original began, and that it was replaced; "né à Vineuil (Sénégal)" that no list has it.

Towns abroad: a surrogate before the name of a country that is released lies in that country.
Accents: "ETIENNE" where the note writes none.
Articles that agree with the surrogate behind them: "d'Angers" but "de Rennes", "au printemps" but
"en été", "au Mans" but "à Brest", "dans le Var" but "en Creuse". The mention is widened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Surrogate
from dpdeid.french import demonyms
from dpdeid.french.areas import Use
from dpdeid.french.demonyms import Number
from dpdeid.gazetteers import Place, place_key
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.substitute.in_words import Words
from dpdeid.substitute.places.institutions import split
from dpdeid.substitute.places.rendering import BY_COUNTRY, introduced, moved_to
from dpdeid.substitute.pseudonyms import like_case
from dpdeid.substitute.without_draws import Keep, Redact

_HOME: Final = frozenset(("FR", "BE", "CH", "LU"))
_BETWEEN: Final = re.compile(r"\s{0,2}[(,–-]\s{0,2}|\s(?:en|au|aux)\s", re.IGNORECASE)
_BEHIND: Final = re.compile(r"\s{0,2}[(,:–-]\s{0,2}(?:à\s)?|\sà\s", re.IGNORECASE)


def abroad(text: str, surrogates: Sequence[Surrogate]) -> Iterator[Surrogate]:
    """The surrogates of a text, sorted by start, towns at home that stand before another country,
    or behind it if no list of ours had them, put into it, in every mention of the text.
    """
    moved: dict[str, Place] = {}
    for pair in pairwise(surrogates):
        town, land = pair if pair[1].mention.label is Label.COUNTRY else pair[::-1]
        place, country = _at_home(town), fold(land.text)
        if place is None or land.mention.label is not Label.COUNTRY or country not in BY_COUNTRY:
            continue
        if place.name in BY_COUNTRY[country] or place.code in moved:
            continue
        between = _BETWEEN if land is pair[1] else _BEHIND
        if land is pair[0] and gazetteers.places_named(town.mention.text):
            continue  # "en Algérie, Lyon"
        if between.fullmatch(text, pair[0].mention.span.end, pair[1].mention.span.start):
            taken = [one.name for one in moved.values()]
            moved[place.code] = moved_to(country, place, taken)
    for surrogate in surrogates:
        place = _at_home(surrogate)
        if place is None or place.code not in moved:
            yield surrogate
            continue
        new = moved[place.code]
        yield surrogate._replace(text=like_case(new.name, surrogate.text), value=new)


def _at_home(surrogate: Surrogate) -> Place | None:
    """The place of a mention that is a town of our lists' own countries, by its own text."""
    place = surrogate.value
    if surrogate.mention.label is not Label.CITY or not isinstance(place, Place):
        return None
    is_town = place.country in _HOME and place_key(surrogate.text) == place_key(place.name)
    return place if is_town else None


_NAMED: Final = frozenset(
    {
        Label.LAST_NAME,
        Label.FIRST_NAME,
        Label.DATE,
        Label.CITY,
        Label.HOSPITAL,
        Label.ORGANIZATION,
        Label.UNIT,
    }
)
_OF: Final = re.compile(r"\b(d)(e |['’])(?!on|h)(?=([^\W\d_]))")
"""What stands before a month inside a date; "onze" and an "h" are left alone."""
_INSIDE: Final = re.compile(r"(?:(?:à|de)\s)?l['’]|(?:au|du|le|cet?|en)\s", re.IGNORECASE)
_LONGEST: Final = 10
_BEFORE: Final = re.compile(
    r"(?<!\w)(?:(?:(?:à|a|de|dans)\s)?(?:l['’]|la\s)|dans\s(?:les?\s)?|(?:d|qu)['’]"
    r"|(?:à|a|aux?|du|des?|les?|cet?|en|que)\s)$",
    re.IGNORECASE,
)
_ROLES: Final = {
    **dict.fromkeys(("a l'", "a la ", "au "), "to"),
    **dict.fromkeys(("de l'", "de la ", "du "), "of"),
    **dict.fromkeys(("l'", "la ", "le "), "the"),
    **dict.fromkeys(("ce ", "cet "), "this"),
    "en ": "in",
}
_ELIDED: Final = {"to": "en ", "of": "de l'", "the": "l'", "this": "cet ", "in": "en "}
"""Never "à l'été": "au printemps" goes with "en été" and with "à l'été", so the two are written
alike, or the word would tell which season stood there.
"""
_MASCULINE: Final = {"to": "au ", "of": "du ", "the": "le ", "this": "ce ", "in": "au "}
_FEMININE: Final = {"to": "à la ", "of": "de la ", "the": "la ", "this": "cette "}
_GENDERS: Final = {
    **dict.fromkeys(("ete", "automne", "hiver"), _ELIDED),
    **dict.fromkeys(("printemps", "debut"), _MASCULINE),
    **dict.fromkeys(("mi", "fin"), _FEMININE),
}
_INSTITUTIONS: Final = (Label.HOSPITAL, Label.ORGANIZATION)
_NOISED: Final = (Label.CITY, Label.DATE)
"""What is noised: before an h or a y, where usage differs, the word follows the surrogate alone.
For a keyed pseudonym what stands there is as good.
"""
_SHORT: Final = {"d'": "de ", "qu'": "que "}
_LONG: Final = {"de ": "d'", "que ": "qu'"}
_VOWELS: Final = frozenset("aeiou")
_UNSURE: Final = frozenset("hy")
_WORD: Final = re.compile(r"[^\W\d_]+")


def agreed(text: str, surrogates: Iterable[Surrogate]) -> Iterator[Surrogate]:
    """The surrogates of a text, sorted by start, each with the word before it put right."""
    done = 0
    for surrogate in surrogates:
        start = surrogate.mention.span.start
        before = _BEFORE.search(text, max(done, start - _LONGEST), start)
        drawn = surrogate.mention.label in _NAMED and surrogate.strategy != Keep.name
        if drawn and surrogate.mention.label is Label.DATE:
            surrogate = surrogate._replace(text=_inside(surrogate))
        if before is not None and drawn:
            surrogate = _agreed(surrogate, before[0])
        yield surrogate
        done = surrogate.mention.span.end


def _inside(surrogate: Surrogate) -> str:
    """A date whose own articles agree with what follows them: "le printemps", "d'avril à juin"."""
    text = _OF.sub(lambda of: of[1] + ("'" if fold(of[3]) in _VOWELS else "e "), surrogate.text)
    article = _INSIDE.match(text)
    if article is None:
        return text
    rest = text[article.end() :]
    word = _word(fold(article[0]).replace("’", "'"), surrogate._replace(text=rest))
    if word is None:
        return text
    return (word.capitalize() if article[0][0].isupper() else word) + rest


def _agreed(surrogate: Surrogate, before: str) -> Surrogate:
    folded = _SPACE.sub(" ", fold(before).replace("’", "'"))
    word, text = _area(folded, surrogate)
    if folded == "de " and surrogate.mention.label is Label.DATE and fold(text[:3]) == "le ":
        word, text = "du ", text[3:]
    if word is None and (_is_town(surrogate) or _is_whole(surrogate)):
        word, text = _town(folded, surrogate.text)
    if word is None and (people := demonyms.known().get(fold(surrogate.mention.text))):
        word = _people(folded, text, people[1])
    if word is None:
        word = _word(folded, surrogate)
    if word is None or (fold(word) == folded and text == surrogate.text):
        return surrogate
    if before.isupper() and surrogate.text.isupper():
        word = word.upper()
    elif before[0].isupper():
        word = word[:1].upper() + word[1:]
    if "\n" in before:
        word = "\n".join(word.rsplit(" ", 1))
    mention = surrogate.mention
    span = replace(mention.span, start=mention.span.start - len(before))
    widened = mention._replace(span=span, text=before + mention.text)
    return surrogate._replace(mention=widened, text=word + text)


_SPACE: Final = re.compile(r"\s")
_TO: Final = frozenset({"a ", "au ", "aux ", "a la ", "a l'"})
_USES: Final = {
    **dict.fromkeys((*_TO, "en "), Use.IN),
    **dict.fromkeys(("de ", "d'"), Use.OF),
    **dict.fromkeys(("du ", "des ", "de la ", "de l'"), Use.OF_THE),
    **dict.fromkeys(("le ", "la ", "les ", "l'"), Use.THE),
    **dict.fromkeys(("dans ", "dans le ", "dans la ", "dans les ", "dans l'"), Use.WITHIN),
}


def _area(before: str, surrogate: Surrogate) -> tuple[str | None, str]:
    """What must stand before a department, region or canton, and its name; None if it is well."""
    text = surrogate.text
    use = _USES.get(before)
    if use is None or surrogate.mention.label is not Label.CITY:
        return None, text
    if _is_town(surrogate) and before != "en " and use is not Use.WITHIN:
        return None, text  # a town and its department may have one name
    if before in ("du ", "des "):  # "de Bretagne" where "du Grand Est" stood
        use = Use.OF
    if (article := _OWN.match(text)) is not None and before in ("a ", "de "):
        bare = text[article.end() :]
        word = introduced(bare, Use.IN if before == "a " else Use.OF_THE)
        if word is not None:
            return word, bare
    return introduced(text, use), text


_OWN: Final = re.compile(r"(?:la|les?)\s|l['’]", re.IGNORECASE)


def _is_town(surrogate: Surrogate) -> bool:
    place = surrogate.value
    return isinstance(place, Place) and place_key(place.name) == place_key(surrogate.text)


_DETERMINED: Final = re.compile(r"(?:l['’]|(?:le|la|ce|cet)\s)", re.IGNORECASE)


def _is_whole(surrogate: Surrogate) -> bool:
    """Whether it takes no article from before it: it has its own ("l'établissement"), or is a mere
    name where the kind of an institution stood: "au conseil départemental" is "à Estivance".
    """
    if surrogate.strategy == Words.name:
        return _DETERMINED.match(surrogate.text) is not None
    if surrogate.mention.label not in _INSTITUTIONS or split(surrogate.text)[0]:
        return False
    if surrogate.mention.text.isupper() and surrogate.text.isupper() and _is_short(surrogate):
        return False  # "aux HUG"
    old, new = _WORD.search(fold(surrogate.mention.text)), _WORD.search(fold(surrogate.text))
    return old is None or new is None or old[0] != new[0]


def _is_short(surrogate: Surrogate) -> bool:
    """Whether it is letters for letters, whose kind and so whose article stays."""
    return max(len(surrogate.mention.text), len(surrogate.text)) <= _LETTERS


_LETTERS: Final = 6


def _town(before: str, text: str) -> tuple[str | None, str]:
    """What must stand before the name of a town or of an institution that needs no article instead
    of `before`, and the name without what went into it.

    None if that is well. An article goes: a town that needs one has its own.
    """
    use = _USES.get(before)
    if use is None or before == "dans ":
        return None, text
    if use is Use.THE:
        return "", text
    role = "de" if use in (Use.OF, Use.OF_THE) else "à"
    article = _ARTICLE.match(text)
    if article is not None:
        return _CONTRACTED[role, fold(article[1]) == "les"], text[article.end() :]
    if role == "à":
        return None if before == "a " else "à ", text
    return _LONG["de "] if fold(text[0]) in _VOWELS else "de ", text


_CONTRACTED: Final = {
    ("à", False): "au ",
    ("à", True): "aux ",
    ("de", False): "du ",
    ("de", True): "des ",
}
_ARTICLE: Final = re.compile(r"(les?)[ -]", re.IGNORECASE)


def _people(before: str, text: str, number: Number) -> str | None:
    """What must stand before the people of a town instead of `before`; None if that is well."""
    if number.plural or (role := _ROLES.get(before)) in (None, "in"):
        return None
    if fold(text[0]) in _VOWELS:
        return "à l'" if role == "to" else _ELIDED[role]
    return (_FEMININE if number.feminine else _MASCULINE)[role]


_REDACTED: Final = {
    **_SHORT,
    **{"l'": "le ", "de l'": "du ", "a l'": "au ", "cet ": "ce "},
}
"""What stands before a label, or what stands for one: the same before a vowel, or it would tell
one.
"""
_REDACTED_TOWN: Final = {**_SHORT, "au ": "à ", "aux ": "à ", "du ": "de ", "des ": "de "}


def _word(before: str, surrogate: Surrogate) -> str | None:
    """What must stand before a surrogate instead of `before`; None if that is well."""
    label = surrogate.mention.label
    if label is Label.DATE and surrogate.text[0].isdigit():  # "à l'Épiphanie", "au 24 janvier"
        return _REDACTED.get(before)
    if surrogate.strategy in (Redact.name, Words.name) and label in _NOISED:
        return (_REDACTED if label is Label.DATE else _REDACTED_TOWN).get(before)
    first = _WORD.match(fold(surrogate.text))
    if first is None or surrogate.text[first.end() : first.end() + 1] == ".":
        return None
    genders = _GENDERS.get(first[0]) if surrogate.mention.label is Label.DATE else None
    if genders is not None and before in _ROLES:
        word = genders.get(_ROLES[before])
        return None if word is None or fold(word) == before else word
    if first[0][0] in _UNSURE or first[0] == "onze":
        return _SHORT.get(before) if surrogate.mention.label in _NOISED else None
    return (_LONG if first[0][0] in _VOWELS else _SHORT).get(before)


_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_DATES: Final = (Label.DATE, Label.BIRTH_DATE)
_LOUD: Final = re.compile(r"\b(?=\w*[À-ÖØ-ÞŒŸ])[A-ZÀ-ÖØ-ÞŒŸ]{2,}\b")
"""A word in capitals with an accent."""
_ENOUGH: Final = 300
"""So many characters of French without a single accent are written without them."""


def unaccented(text: str, surrogates: Sequence[Surrogate]) -> Iterator[Surrogate]:
    """The surrogates of a text, sorted by start: those in capitals without accents, unless the text
    writes capitals with them; all of them without accents if the whole text is.
    """
    if all(s.text.isascii() for s in surrogates):
        yield from surrogates
        return
    outside = "".join(_outside(text, surrogates))
    bare = outside.isascii() and len(outside) >= _ENOUGH
    accented = _LOUD.search(outside) is not None
    for surrogate in surrogates:
        new = surrogate.text
        if surrogate.strategy != Keep.name and not new.isascii():
            loud = new.isupper() and sum(map(str.isalpha, new)) > 1
            if bare or (loud and _is_bare(surrogate, accented)):
                plain = "".join(_plain(c) if c.isalpha() else c for c in new)
                surrogate = surrogate._replace(text=plain)
        yield surrogate


def _outside(text: str, surrogates: Iterable[Surrogate]) -> Iterator[str]:
    done = 0
    for surrogate in surrogates:
        yield text[done : surrogate.mention.span.start]
        done = surrogate.mention.span.end
    yield text[done:]


def _is_bare(surrogate: Surrogate, accented: bool) -> bool:
    mention = surrogate.mention
    if not mention.text.isascii() and _has_no_bound(surrogate):
        return False
    if mention.label in _INSTITUTIONS and _LOUD.search(split(mention.text)[0]):
        return False  # its kind is kept, and so is how it is written
    return (mention.label in _NAMES and fold(mention.text) in _accented_names()) or not accented


def _has_no_bound(surrogate: Surrogate) -> bool:
    """Whether the form of a mention may show: a name, or a date moved without a guarantee."""
    label = surrogate.mention.label
    losses = [charge.loss for charge in surrogate.charges]
    moved = bool(losses) and all(isinstance(loss, NoGuarantee) for loss in losses)
    return label in _NAMES or (label in _DATES and moved)


@cache
def _accented_names() -> frozenset[str]:
    """Folded first names that are always written with an accent: "HELENE" leaves it out."""
    written = [name for sex in Sex for name in gazetteers.first_name_list(sex)]
    plain = {name.lower() for name in written if name.isascii()}
    return frozenset(fold(name) for name in written if not name.isascii()) - plain


def _plain(character: str) -> str:
    bare = fold(character)
    return character if not bare.isascii() else bare.upper() if character.isupper() else bare


_span: Final = attrgetter("mention.span")


def fit(
    text: str, surrogates: Iterable[Surrogate]
) -> tuple[tuple[Surrogate, ...], tuple[Surrogate, ...]]:
    """The surrogates of a text, sorted by start: towns lie in the country behind them, capitals
    have accents where their note writes them so, and the word before each agrees with it.

    A mention is widened where the word before it changes; so accents come before agreement, since
    an article that a mention takes in changes what is in capitals.

    Returns:
        The surrogates, and the same before they took words in.
    """
    placed = list(abroad(text, sorted(surrogates, key=_span)))
    bare = tuple(unaccented(text, placed))
    return tuple(agreed(text, bare)), bare
