"""Rows for addresses and places: STREET, ZIP, CITY.

A street is found by its form, with the house number before ("12 bis rue …") or after ("Rue … 44"),
together with what completes it (apartment, staircase, post box). A city is found here only by its
position: beside a postal code, after "né à", "domicilié à", before ", le 3 mai". Whether a lone
word is a town is for `dpdeid.detect.lookup_places` to say, which has the lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dpdeid.detect.patterns.phrase import (
    CAPITAL,
    NAME,
    UPPER,
    anchors,
    one_of,
    opening,
)
from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.detect.patterns.timewords import FULL_MONTH, NUMBER, NUMERALS
from dpdeid.detect.place_words import LARGE_TOWNS
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_ALWAYS: Final = """
rue, avenue, ave, av., boulevard, bld, blvd, bd., bvd, boul., impasse, imp., allée, allées, chemin,
chem., route, rte, quai, square, ruelle, venelle, sentier, sente, montée, traverse, promenade,
esplanade, faubourg, fbg, chaussée, rond-point, lotissement, lieu-dit, lieudit, hameau, corniche,
vieux chemin, ancien chemin, chemin rural, ancienne route, ruette, drève, îlot, servitude,
immeuble, lotiss., zone artisanale, clos des, cité des, trav., coron, hent, raidillon,
parc d'activités, zone d'activités
"""
_WITH_CAPITAL: Final = """
place, pl., cours, passage, cité, résidence, résid., rés., domaine, villa, clos, mail, parvis,
voie, pont, morne, section, tour, chalet, château, squat, zi, za, zac, zone industrielle, rampe,
côte, cour, galerie, sq., che., ch., all., chaussee, lot., r., imm., rang, dreef, square, parc,
coteau, habitation
"""
_TYPE: Final = one_of(f"{_ALWAYS}, {_WITH_CAPITAL}")
_LONE_TYPE: Final = (
    f"{_ALWAYS}, place, pl., cours, cité, résidence, rés., domaine, villa, clos, parvis, morne"
    ", squat, zi, za, zac, zone industrielle"
)

_STOP: Final = (
    r"(?!(?i:t[ée]l|t[ée]l[ée]phone|fax|mob|mobile|port|portable|gsm|ipp|nir|ss|code|digicode|[àa]"
    r"|est"
    r"|avec|dans|chez|mais|pour|qui|n[ée]e?|mr?|mme|dr|pas|vit|habite|depuis|ou|où|il|elle|on|ans"
    r"|cedex|dossier|mail|email|et(?! d)|son|sa|par|sur|mt|med|médecin|medecin|appt?|apt|appart\w*"
    r"|escalier|porte|[ée]tage|bat|b[âa]t"
    r"|\d{4,5}|esc|bp|cs|trouv[ée]e?|passe|ce|hier|puis|sans|ne|se|a|y|car|si|virgule|point)\b)"
)
_LOW: Final = rf"{_STOP}[\w]{{2,24}}(?:['-][\w]{{1,24}}){{0,6}}"
_CITIES: Final = one_of(LARGE_TOWNS)
_DAY: Final = rf"(?:\d{{1,2}}|1er)(?:[ -](?i:{FULL_MONTH}))(?:[ -]\d{{4}}(?!\d))?"
_PARTICLES: Final = (
    r"(?:(?:(?i:de|du|des|la|le|les|en|et|sur|sous|st|ste|aux)[ \n]|[dlDL]' ?)){0,3}"
)
_RANK: Final = (
    r"(?:(?<=aréchal)|(?<=arechal)|(?<=énéral)|(?<=eneral)|(?<=octeur)|(?<=ésident)|(?<=esident)"
    r"|(?<=olonel)|(?<=apitaine)|(?<=ofesseur)|(?<=[Aa]miral)|(?<= Jean)|(?<=Saint)|(?<=Sainte))"
)
"""What a name still follows when the line breaks behind it: "19 rue du Maréchal⏎Foch"."""
_BEARER: Final = (
    r"(?:(?:(?:(?<=[dD][uU] )(?i:dr|docteur|pr|professeur)|(?i:g[ée]n[ée]ral|mar[ée]chal|colonel"
    r"|capitaine|commandant"
    r"|pr[ée]sident|abb[ée]|fr[èe]res?|amiral|chanoine|cur[ée]|sergent|lieutenant|ing[ée]nieur|maire"
    r"|adjudant|p[èe]re|s(?:œ|oe)urs?|monseigneur|mgr|cardinal|[ée]v[êe]que))\.?[ -]"
    r"|[A-Z]\. ?){1,2})?"
)
"""The rank or the initial of who gives a street its name."""
_CAPITALS: Final = (
    rf"{_PARTICLES}{_BEARER}(?:{_DAY}|{CAPITAL})"
    rf"(?:(?: ?-\n| |-|{_RANK}\n){_PARTICLES}{CAPITAL}){{0,6}}"
    r"(?:-\n[ \t]{0,20}\w{2,24}(?:['-]\w{1,24}){0,5})?"
)
_MIXED: Final = rf"{_PARTICLES}{_LOW}(?: (?!{_CITIES}\b){_PARTICLES}{_LOW}){{0,2}}"
_UNIT: Final = (
    r"(?:(?i:app(?:t|art|artement)?|apt|b[âa]t(?:iment)?|esc(?:alier)?|porte|bte|bo[îi]te(?:"
    r" postale)?"
    r"|b\.?p|c\.p|cs|tsa|hall|bloc|entr[ée]e|lot|bus|emplacement|pk|allée|logement|log|lgt|villa|n°)\.?"
    r" {0,2}(?:n° ?)?[A-Z0-9][\w/]{0,7}(?: bis| ter)?"
    rf"|(?i:app(?:t|artement)?|b[âa]t(?:iment)?|esc|bloc|all[ée]e) [a-z]\b"
    rf"|(?i:b[âa]t(?:iment)?|entr[ée]e)\.? (?:(?i:les?|la) )?{CAPITAL}"
    r"|(?i:porte (?:face|(?:de )?gauche|(?:de )?droite))\b"
    r"|\d{1,2} ?(?:er|e|è|ème|eme|°)(?: ?(?:étage|etage|[ée]t\.|dr\b\.?|droite|gauche|porte))?(?: "
    r"(?:droite|gauche))?"
    rf"|(?i:r[ée]s(?:idence)?|tour|lotissement|chalet|villa|vallée)\.? {NAME})"
)
_MORE: Final = rf"(?:(?:,? ?(?:\n[ \t]{{0,20}})?| {{1,3}}[-–] )?{_UNIT}){{0,4}}"
_HOUSE: Final = (
    r"(?<![./+×-])(?<!\d,)(?<!h )(?<!\d:)(?!(?:19|20)\d\d,)\d{1,4}+"
    r"(?: ?(?:bis|ter|quater|BIS|TER)\b| ?[A-Ga-g]\b)?(?! ?, ?(?i:lot)\.? [A-Z]{0,3}\d)"
    r"(?: ?- ?\d{1,4}\b)?"
)
_ANY_TYPE: Final = (
    rf"{opening(f'{_ALWAYS}, {_WITH_CAPITAL}')}"
    rf"(?:{one_of(_ALWAYS)}(?: {{1,2}}|\n)(?:{_CAPITALS}|{_MIXED})"
    rf"|{_TYPE} {{1,2}}{_CAPITALS}"
    rf"|(?i:place|pl\.?) (?=d[ue] |de la |des |d')(?!du patient){_MIXED}"
    rf"|(?i:r[ée]sidence|cit[ée]|ch\.?|all\.) {_MIXED})"
)
_HOUSE_AFTER: Final = (
    r"(?:,? {1,2}(?:[nN]° ?)?(?:\d{1,3}|\d{4}(?! {1,4}[A-ZÀ-Þ]))(?:[-/]\w{1,4})?(?: ?bis| ?ter"
    r"|[A-Da-d])?\b(?!"
    r"(?:[.,]| ?)\d)"
    rf"(?! ?(?:ans|h\b|kg|mg|%))(?! ?,? ?{one_of(_ALWAYS)}\b))"
)

_CODE: Final = r"(?:0[1-9]|[1-8]\d|9[0-578])\d{3}"
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

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "places.number",
        Number(r"0{5}[ –A-ZÀ-ÖØ-Þ-]|0{1,4}(?:[ ,][^0jknouwxyJKNOUWXY]|-|[A-Ha-hFPfpqrtTQè])"),
        rf"(?P<ZIP>{_CODE})(?![\d.,]\d)(?: {{0,4}}| ?[-–] ?)(?P<CITY>(?!{_MEASURE})(?!"
        rf"(?i:cedex|ville|commune|nda|ipp|nip|per|date|examen|taxi)\b){TOWN})"
        rf"|(?P<STREET>{_HOUSE}(?:(?: ?, ?| {{1,2}}|(?=rue|avenue|boulevard|chemin|route|allée))"
        rf"{_ANY_TYPE}{_MORE}|,? [gG][rR][aA][nN][dD][eE]?(?:[- ]|' ?)[rR][uU][eE]\b))"
        rf"(?: (?P<CITY_3>{_CITIES})\b)?"
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
    Row(
        "places.street.lone",
        anchors(_LONE_TYPE),
        rf"(?<![eE][nN] )(?<!FAUSSE )(?<!ausse )(?!AV\.? (?:O[DG]|[IVX]+\b|PRE))"
        r"(?!(?<=[lL]a )(?i:route) d|(?i:immeuble) d[e'])"
        rf"(?P<STREET>{one_of(_LONE_TYPE)} {{1,2}}(?![A-Z]\d|en"
        rf" ){_CAPITALS}{_HOUSE_AFTER}?{_MORE})",
        "Domicile : «STREET:Rue de Lausanne 44, bte 3», 1020 Renens",
        0.9,
        never=(
            "tombé dans la rue hier",
            "au cours de la journée",
            "la place du traitement",
            "mise en place de l'HAD",
            "FAUSSE ROUTE DIMANCHE",
            "AV OD 10/10",
        ),
    ),
    Row(
        "places.street.lower",
        words("residence cite lotissement hameau immeuble"),
        rf"(?P<STREET>(?i:r[ée]sidence|cit[ée]|lotissement|hameau|immeuble) {_MIXED}(?:,?"
        rf" {_UNIT}){{1,4}})",
        "adresse «STREET:residence les capitouls bat c», tel",
        0.85,
        never=("la cité est calme",),
    ),
    Row(
        "places.street.lower.numbered",
        words("rue avenue av chemin ch route rte quai place boulevard bd impasse allee ruelle"),
        rf"(?P<STREET>(?i:rue|avenue|av\.|chemin|ch\.|route|rte|quai|place|boulevard|bd|impasse"
        rf"|all[ée]e|ruelle) {_MIXED} \d{{1,3}}[a-d]?)(?=,? \d{{4,5}} [^\W\d_])",
        "«STREET:rue de la gare 12», 1950 sion",
        0.88,
        never=("la place de la morphine 12 mg", "rue du stade 2019"),
    ),
    Row(
        "places.street.dictated",
        NUMERALS - words("un une et"),
        rf"(?i)(?P<STREET>{NUMBER}(?: bis| ter)?,? (?:rue|avenue|boulevard|chemin|impasse|all[ée]e"
        rf"|route|quai|place d[eu])(?-i: {_MIXED}| {_CAPITALS}))",
        "au «STREET:douze bis rue des lilas» virgule",
        0.9,
        never=("deux rues plus loin", "trois places de parking"),
    ),
    Row(
        "places.street.inhabited",
        words("habite habitant habitait vit demeure demeurant domicilie domiciliee reside adresse"),
        r"(?i:\w{3,10})(?: [a-zà-ÿ]{2,12}){0,2}? (?P<STREET>(?:rue|avenue|bd|boulevard|impasse|quai"
        rf"|ruelle|all[ée]e|chemin) {_MIXED})",
        "habite seule «STREET:rue des lilas» avec",
        0.8,
        never=("vit à la rue depuis",),
    ),
    Row(
        "places.street.lower.coded",
        words("rue avenue av chemin route rte quai place boulevard bd impasse allee ruelle square"),
        rf"(?P<STREET>(?i:rue|avenue|av\.|chemin|route|rte|quai|place|boulevard|bd|impasse"
        rf"|all[ée]e|ruelle|square) {_MIXED})(?=,? {_CODE} [^\W\d_])",
        "demeurant «STREET:rue du lavoir», 35000 rennes",
        0.85,
        never=("au bout de la rue, 35000 plaquettes",),
    ),
    Row(
        "places.street.quoted",
        words("residence res lieu lieudit immeuble villa cite clos domaine tour"),
        r"(?P<STREET>(?i:r[ée]sidence|r[ée]s\.|lieu[- ]?dit|immeuble|villa|cit[ée]|clos|domaine"
        r"|tour)"
        r' ?["«] ?[^"»\n]{2,30}["»])',
        'habite «STREET:lieu dit "La Combe"», 15100 Saint-Flour',
        0.88,
        never=("le lieu de vie", "domaine « social »"),
        check=lambda match: any(letter.isupper() for letter in match["STREET"][1:]),
    ),
    Row(
        "places.street.flat",
        words("bat batiment esc escalier appt apt appart appartement logement hall porte"),
        rf"(?<![,–-] )(?P<STREET>{_UNIT}(?:(?: ?[,–-] ?| ){_UNIT}){{1,4}})",
        "«STREET:Bât. C, esc. 2, appt 314», interphone",
        0.86,
        check=lambda match: re.search(r"(?i)\b(?:app|apt|log|esc)", match["STREET"]) is not None,
        never=("bâtiment B, 3e étage", "porte 2"),
    ),
    Row(
        "places.street.house",
        words("tour residence res shlmr hlm chalet villa immeuble imm mas ferme moulin chateau"),
        rf"(?P<STREET>(?i:tour|r[ée]s\.|imm\.|shlmr|hlm|chalet|villa|mas|ferme|moulin"
        rf"|ch[âa]teau) {NAME}"
        rf"(?:(?: ?[,–-] ?| ){_UNIT}){{1,4}})",
        "«STREET:Tour Panoramis, esc. B, 12e étage», interphone",
        0.86,
        never=("tour Eiffel", "Tour de garde le 3e"),
    ),
    Row(
        "places.street.abbreviated",
        words("ch che pl sq all fbg imm place placette via"),
        rf"(?P<STREET>(?:Ch|Che|Pl|Sq|All|Fbg|Imm)\.? {_CAPITALS}{_HOUSE_AFTER}{_MORE}"
        rf"|(?:Place|Placette|Via) (?:{_CAPITALS}|communale|centrale|publique|du village|du bourg"
        rf"|du march[ée]|de l'[ée]glise|de la (?:gare|mairie|poste|r[ée]publique))"
        rf"{_HOUSE_AFTER}{_MORE})",
        "«STREET:Ch. des Vignes 4», vit seule",
        0.87,
        never=("Ch. 12", "Place du traitement 2 fois", "Pl 250 000"),
    ),
    Row(
        "places.street.kilometre",
        words("pk"),
        r"(?P<STREET>(?i:pk) ?\d{1,3}(?:[.,]\d)? c[ôo]t[ée] (?:mer|montagne))",
        "case au «STREET:PK 12,5 côté montagne», Punaauia",
        0.9,
        never=("PK 12,5 heures",),
    ),
    Row(
        "places.street.grand",
        words("grand grande"),
        r"(?P<STREET>(?i:grande?(?:[- ]|' ?)rue)(?:,? \d{1,3}[a-d]?\b)?)",
        "Dr Schaller, «STREET:Grand-Rue 29», Bulle",
        0.9,
    ),
    Row(
        "places.box",
        words("bp cs tsa boite case postfach"),
        r"(?P<STREET>(?:(?:BP|(?:CS|TSA)(?= ?[A-Z]?\d{4}))"
        r"|(?i:bo[îi]te postale|case postale|postfach)) ?[A-Z]?\d{1,6})\b",
        "CHU de Caen, «STREET:CS 30001», 14033 Caen",
        0.85,
        never=("angio TSA 24/10", "CS 3 mois"),
    ),
    *(
        Row(
            f"places.street.german.{ending}",
            f"{ending} ",
            rf"\b(?P<STREET>[A-ZÄÖÜ][a-zäöüß]{{2,24}}{ending} \d{{1,3}}[a-d]?)\b",
            f"wohnhaft «STREET:Bahnhof{ending} 12», 3011 Bern",
            0.9,
        )
        for ending in ("strasse", "straße", "gasse", "weg", "platz", "laan", "straat")
    ),
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
        rf"(?i:\w{{3,12}})(?: [a-zà-ÿ]{{2,12}}){{0,2}}? (?i:à|aux?|d'|de) ?(?P<CITY>(?!(?i:CH"
        rf"|EHPAD|la |le )|[A-Z]{{2,4}}\b){TOWN})",
        "habite à «CITY:Bermont» depuis",
        0.6,
        never=("vit avec sa mère", "vit au domicile"),
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
        words("dept dpt departement"),
        r"(?i:d[ée]p(?:artemen)?t|dpt)\.? (?P<CITY>\d{2,3}|2[AB])\b",
        "71 kg, dept «CITY:87»",
        0.8,
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

_AFTER_STREET: Final = re.compile(
    rf"(?: ?(?i:bp|cs) ?\d{{1,6}})?[ \t,–|/>-]{{0,60}}(?:\n[ \t]{{0,80}})?(?:(?:CH|B|L|F)-)?"
    rf"(?P<ZIP>(?:{_CODE}|[1-9]\d{{3}}(?= {{1,4}}[{UPPER}])))\b(?![.,/]\d)"
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
_BRACKETED: Final = re.compile(rf"\((?P<ZIP>{_CODE})\)")
_TOWN_BEFORE: Final = re.compile(rf"(?<!\w)(?P<CITY>{TOWN}) ?$")


def grow(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The code and town behind a street; a code in brackets and the capital name before it."""
    for bracket in _BRACKETED.finditer(doc.text):
        yield Span(*bracket.span("ZIP"), Label.ZIP, 0.8, "patterns/places.bracket")
        start = max(0, bracket.start() - 60, doc.text.rfind("\n", 0, bracket.start()) + 1)
        if town := _TOWN_BEFORE.search(doc.text[start : bracket.start()]):
            first, last = town.span("CITY")
            yield Span(start + first, start + last, Label.CITY, 0.7, "patterns/places.bracket")
    streets = [span.end for span in spans if span.label is Label.STREET]
    for span in spans:
        if span.label is Label.ZIP and not any(0 <= span.start - end <= 60 for end in streets):
            begin = max(0, span.start - 110)
            if above := _ABOVE_CODE.search(doc.text[begin : span.end]):
                first, last = above.span("STREET")
                yield Span(begin + first, begin + last, Label.STREET, 0.7, "patterns/places.above")
        if span.label is Label.STREET and (match := _AFTER_STREET.match(doc.text, span.end)):
            for label in (Label.ZIP, Label.CITY):
                start, end = match.span(label)
                if start < end:
                    yield Span(start, end, label, 0.9, "patterns/places.after_street")
