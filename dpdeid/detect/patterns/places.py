"""Rows for addresses and places: STREET, ZIP, CITY.

Streets have their own module; here is the row for all that begins with a number. A city is found
here only by its position: beside a postal code, after "né à", "domicilié à", before ", le 3 mai".
Whether a lone word is a town is for `dpdeid.detect.lookup_places` to say, which has the lists.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.patterns import street_forms
from dpdeid.detect.patterns.phrase import NAME, UPPER, one_of
from dpdeid.detect.patterns.street_forms import ANY_TYPE, CITIES, CODE, HOUSE, MORE, OPENING
from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.normalize import fold

TOWN: Final = (
    rf"[{UPPER}][^\W\d_]{{1,24}}(?:['-][\w]{{1,24}}){{0,6}}"
    rf"(?:[ ](?!(?i:cedex|tel|tél|fax|dr|mme|mr?|le|monsieur|madame|ipp|service)\b)"
    rf"(?:(?i:sur|sous|les?|la|lès|lez|de|du|des|aux?|et|s/|d'|l'|da|do|dos|di|del) ?){{0,3}}"
    rf"[{UPPER}][\w]{{1,24}}(?:['/-][\w]{{1,24}}){{0,6}}){{0,4}}"
)


_REGIONS: Final = one_of(
    """parisienne, lyonnaise, lilloise, nantaise, bordelaise, toulousaine, marseillaise,
    grenobloise, rennaise, niçoise, strasbourgeoise, rouennaise, genevoise, lausannoise,
    bruxelloise, liégeoise, montréalaise, bretonne, normande, alsacienne, lorraine, provençale"""
)
_MEASURE: Final = r"(?:UI|IU|MG|ML|KG|Ui|Mg|PNN|GB|Da)\b"

_SHAPE: Final = (
    rf"\d{{5}}(?: {{0,2}}[{UPPER}]|  | ?[-–])"
    rf"|\d{{1,4}}(?: ?-| ?[A-Ga-g](?!\w)| ?(?:bi|te|qu|BI|TE)|(?: ?, ?| {{1,2}})(?:{OPENING}|\w\Z)"
    r"| ?, ?\Z|rue|ave|bou|che|rou|all| [gG][rR]"  # a house number
    r"| ?(?:er|e |è|em)| ?[PFpf] | [Mm][rmlaoMR.]| vi)"  # a district, a room
)

_LANDFORM: Final = re.compile(r"piton|mont\b|cirque|étang|etang", re.IGNORECASE)
"""Nouns of nature that are no words of medicine."""


def _spot(match: re.Match[str]) -> bool:
    """Whether a capital name behind the noun of a spot is a compound or no ordinary word."""
    name = fold(match["CITY"]).removeprefix("les ").removeprefix("la ").removeprefix("le ")
    compound = re.search(rf"\w-[{UPPER}]", match["CITY"]) is not None
    return (
        compound
        or bool(gazetteers.places_named(name))
        or any(word not in gazetteers.words() for word in re.findall(r"\w{3,}", name))
    )


def _natural(match: re.Match[str]) -> bool:
    """Whether it is a landscape: no word of medicine, or no ordinary one behind "col"."""
    named = re.findall(r"\w{3,}", fold(match["CITY"]))[1:]
    if any(gazetteers.medical().get(word) for word in named):
        return False
    return _LANDFORM.match(match[0]) is not None or any(
        word not in gazetteers.words() for word in named if word not in ("des", "les")
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "places.number",
        Number(_SHAPE),
        rf"(?P<ZIP>{CODE})(?![\d.,]\d)(?: {{0,4}}| ?[-–] ?)(?P<CITY>(?!{_MEASURE})(?!"
        rf"(?i:cedex|ville|commune|nda|ipp|nip|per|date|examen|taxi)\b){TOWN})"
        rf"|(?P<STREET>{HOUSE}(?:(?: ?, ?| {{1,2}}|(?=rue|avenue|boulevard|chemin|route|allée))"
        rf"{ANY_TYPE}{MORE}|,? [gG][rR][aA][nN][dD][eE]?(?:[- ]|' ?)[rR][uU][eE]\b))"
        rf"(?: (?P<CITY_3>{CITIES})\b)?"
        r"|(?P<CITY_2>\d{1,2} ?(?:er|e|è|ème|eme)(?: arrondissement| arrdt| arr\.))"
        r"|(?<![^\n])(?P<ROOM>\d{1,4}(?:-\d| bis)?(?: ?[PFpf])?)(?= {1,2}(?:[Mm]r|[Mm]me|[Mm]lle"
        r"|[Mm]\.|M[MR]E?|[Mm]adame|[Mm]onsieur) ?\w)"
        r"|(?<![^\n])(?P<ROOM_2>\d{3}(?:-\d| bis)?)(?= {1,2}vide\b)",
        "Elle vit «STREET:12 bis, rue des Frères-Lumière, appt 6», «ZIP:35200» «CITY:Rennes»",
        0.95,
        never=(
            "elle fait 12 cours par semaine",
            "2 place pour manger",
            "dossier 24350 UI",
            "dossier 53668 - NDA : à venir",
        ),
    ),
    *street_forms.ROWS,
    Row(
        "places.zip.foreign",
        Word(words("ch b l lu be"), "-0"),
        rf"(?:CH|B|BE|L|LU)-(?P<ZIP>[1-9]\d{{3}}) {{1,3}}(?P<CITY>{TOWN})",
        "CH-«ZIP:1950» «CITY:Sion»",
        0.95,
    ),
    Row(
        "places.zip.canadian",
        Word(words("g h j k l m n p t v"), "0[A-Z]"),
        r"(?P<ZIP>[GHJKLMNPTV]\d[A-Z] \d[A-Z]\d)\b",
        "Montréal (Québec) «ZIP:H2K 3P1»",
        0.9,
    ),
    Row(
        "places.born",
        words("ne nee nes nees"),
        rf"(?i:n[ée]e?s?)\b[^.;\n]{{0,60}}? (?i:à|a|aux?) (?P<CITY>(?!\w{{1,2}}\b){TOWN})",
        "né le 3 mai 1950 à «CITY:Figueira da Foz», marié",
        0.6,
    ),
    Row(
        "places.lives",
        words(
            "habite habitent habitait habiter domicilie domiciliee demeurant reside residant vit"
            " vivant"
            " originaire domicilies demeure retraite heberge hebergee arrive arrivee rentre"
            " rentree installe"
            " installee parti partie revenu revenue venu venue mort decede loge logee voyage sejour"
        ),
        r"(?i:\w{3,12})(?: (?!des?\b|du\b)[a-zà-ÿ]{2,12}){0,2}?"
        r" (?i:à|aux?"
        r"|(?<!loge )(?<!mort )(?<!retraite )(?<!voyage )(?<!sejour )(?<!séjour )(?:d'|de))"
        rf" ?(?P<CITY>(?!(?i:CH|EHPAD|la |le )|[A-Z]{{2,4}}\b){TOWN})",
        "habite à «CITY:Bermont» depuis",
        0.6,
        never=(
            "vit avec sa mère",
            "vit au domicile",
            "adénopathie de la loge de Ranvier",
            "l'arrivée des ambulanciers d'Assistance-Plus",
            "la mort de Rémi",
        ),
    ),
    Row(
        "places.kind",
        words("tribu quartier commune village hameau ile canton district province stade port"),
        rf"(?i:tribu|quartier|commune|village|hameau|[îi]le|canton|district|province) (?i:de la "
        rf"|de l'|de |des |du |d')?"
        rf"(?P<CITY>{TOWN})",
        "elle vit dans la tribu de «CITY:Hapetra», Lifou",
        0.75,
        never=("le quartier est calme",),
    ),
    Row(
        "places.country",
        words("pays"),
        r"(?i:pays(?: de (?:naissance|r[ée]sidence))?) {0,6}[:|] {0,12}"
        rf"(?P<COUNTRY>(?!(?i:de la|du|des)\b){TOWN})",
        "Pays : «COUNTRY:France»",
        0.9,
        never=("pays chaud : éviter", "Pays : non précisé"),
    ),
    Row(
        "places.compound",
        Word(words("a"), f" [{UPPER}]"),
        rf"(?:à|À|A) (?P<CITY>(?!COVID)[{UPPER}]\w{{2,20}}(?:-\w{{2,20}}){{1,5}})\b",
        "fêté à «CITY:Sorel-Tracy» hier",
        0.7,
    ),
    Row(
        "places.arrondissement.short",
        words("dans"),
        r"dans le (?P<CITY>\d{1,2}(?:e|è|ème|eme))\b(?= ?[.,;\n]| arr)",
        "elle vit dans le «CITY:14e».",
        0.6,
    ),
    Row(
        "places.department",
        words("dept dpt departement dep"),
        r"(?i:d[ée]p(?:artemen)?t|dpt|d[ée]p\.)\.?"
        r"(?: (?i:de )?(?i:naissance|naiss\.?|r[ée]sidence))?"
        r" ?:? {0,4}(?P<CITY>\d{2,3}|2[AB])\b(?![.,/]\d| ?(?i:lits|%))",
        "71 kg, dept «CITY:87» - Département de naissance : «CITY:974»",
        0.8,
        never=("département 40 lits", "dép. 12/03"),
    ),
    Row(
        "places.spot",
        words("gare metro rer aeroport plage camp bidonville hippodrome"),
        rf"(?:[Gg]are|[Mm][ée]tro|RER|[Aa][ée]roport|[Pp]lage|[Cc]amp|[Bb]idonville|[Hh]ippodrome) "
        rf"(?:de la |de l'|de |des |du |d'|à )?(?P<CITY>(?!M[mr.]|Dr\b)(?:Le |La |Les )?{TOWN})",
        "malaise à la gare «CITY:Part-Dieu», plage des «CITY:Sablettes»",
        0.75,
        _spot,
        never=("Plage Thérapeutique", "plage de Pression", "Gare Mme Roux"),
    ),
    Row(
        "places.nature",
        words("piton mont massif cirque etang col gorges refuge glacier"),
        rf"(?P<CITY>(?:[Pp]iton|[Mm]ont|[Mm]assif|[Cc]irque|[ÉEée]tang|[Cc]ol|[Gg]orges"
        rf"|[Rr]efuge|[Gg]lacier) (?:de la |de l'|de |des |du |d')"
        rf"(?=[{UPPER}][a-zà-ÿ]){NAME})",
        "chute au «CITY:piton des Neiges» hier",
        0.75,
        _natural,
        never=("col du Fémur", "massif de l'Épaule", "refuge de Nuit"),
    ),
    Row(
        "places.lake",
        words("lac"),
        rf"(?P<CITY>lac (?:de |du |d'|des )?{NAME})",
        "pêche au «CITY:lac Léman»",
        0.8,
    ),
    Row(
        "places.region",
        words("region"),
        rf"(?P<CITY>[rR][ée]gion {_REGIONS})\b",
        "2 enfants en «CITY:région parisienne»",
        0.8,
        never=("la région inguinale",),
    ),
)

_STREET, _ZIP, _CITY = Label.STREET, Label.ZIP, Label.CITY
_AFTER_STREET: Final = re.compile(
    rf"(?: ?(?i:bp|cs) ?\d{{1,6}})?[ \t,–|/>-]{{0,60}}(?:\n[ \t]{{0,80}})?(?:(?:CH|B|L|F)-)?"
    rf"(?P<ZIP>(?:{CODE}|[1-9]\d{{3}}(?= {{1,4}}[{UPPER}])))\b(?![.,/]\d)"
    rf"(?: {{1,4}}| ?[-–] ?)?(?P<CITY>(?!(?i:cedex|tel|tél)){TOWN})?"
)


_ABOVE_CODE: Final = re.compile(
    rf"(?:^|[\n,;:|–—(]|\s-|  )[ \t]{{0,4}}(?P<STREET>"
    r"\d{1,4}(?: bis| ter)?,? [^\W\d_][^\d\n,;:|(–—]{2,40}[^\s\d\n,;:|(–—-]"
    r"|(?i:manoir|ch[âa]teau|tour|chalet|villa|section|quartier|ferme|moulin|mas|immeuble|ker"
    rf"|r[ée]sidence|le clos|route) [^\d\n;:|(–—]{{2,40}}[^\s\d\n;:|(–—,-]"
    rf"|[{UPPER}][\w' -]{{2,30}} \d{{1,3}}[a-z]?(?=[\s,–-]+(?:CH-|B-|L-)?\d{{4}}$))"
    r"[\s,–-]{1,60}(?:CH-|B-|L-)?\d{4,5}$"
)
"""What stands right above or before a postal code, by its house number or the noun of a house."""
_BRACKETED: Final = re.compile(rf"\((?P<ZIP>{CODE})\)")
_TOWN_BEFORE: Final = re.compile(rf"(?<!\w)(?P<CITY>{TOWN}) ?$")


def grow(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The code and town behind a street; a code in brackets and the capital name before it."""
    for bracket in _BRACKETED.finditer(doc.text):
        yield Span(*bracket.span("ZIP"), Label.ZIP, 0.8, "patterns/places.bracket")
        start = max(0, bracket.start() - 60, doc.text.rfind("\n", 0, bracket.start()) + 1)
        if town := _TOWN_BEFORE.search(doc.text[start : bracket.start()]):
            first, last = town.span("CITY")
            yield Span(start + first, start + last, Label.CITY, 0.7, "patterns/places.bracket")
    streets = sorted({span.end for span in spans if span.label is _STREET})
    for code in [span for span in spans if span.label is _ZIP]:
        before = bisect_right(streets, code.start)
        if not before or code.start - streets[before - 1] > 60:
            begin = max(0, code.start - 110)
            if above := _ABOVE_CODE.search(doc.text[begin : code.end]):
                first, last = above.span("STREET")
                yield Span(begin + first, begin + last, _STREET, 0.7, "patterns/places.above")
    for behind in streets:
        if match := _AFTER_STREET.match(doc.text, behind):
            for label in (_ZIP, _CITY):
                start, end = match.span(label)
                if start < end:
                    yield Span(start, end, label, 0.9, "patterns/places.after_street")
