"""Rows for streets: their noun, the house number before or behind it, and what completes them.

With a capital name any noun of the tables makes a street; without one ("12 rue du lavoir") a house
number, a postal code, a flat or a verb of dwelling must stand beside it. `places` has the row that
begins with a number, for it finds codes and rooms as well.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.phrase import CAPITAL, NAME, beginnings, one_of, opening
from dpdeid.detect.patterns.table import Ending, Row, words
from dpdeid.detect.patterns.timewords import FULL_MONTH, NUMBER, NUMERALS
from dpdeid.detect.place_words import LARGE_TOWNS
from dpdeid.normalize import fold

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

_STOP_WORDS: Final = """
tél, téléphone, fax, mob, mobile, port, portable, gsm, ipp, nir, ss, code, digicode, à, est, avec,
dans, chez, mais, pour, qui, né, née, m, mr, mme, dr, pas, vit, habite, depuis, où, il, elle, on,
ans, cedex, dossier, mail, email, son, sa, par, sur, mt, med, médecin, app, appt, apt, escalier,
porte, étage, bât, esc, bp, cs, trouvé, trouvée, passe, ce, hier, puis, sans, ne, se, y, car, si,
virgule, point
"""
_STOP: Final = (
    rf"(?!(?:{one_of(_STOP_WORDS)}|[eE][tT](?! [dD])|[aA][pP][pP][aA][rR][tT]\w*|\d{{4,5}})\b)"
)
_LOW: Final = rf"{_STOP}[\w]{{2,24}}(?:['-][\w]{{1,24}}){{0,6}}"
CITIES: Final = one_of(LARGE_TOWNS)
_DAY: Final = rf"(?:\d{{1,2}}|1er)(?:[ -](?i:{FULL_MONTH}))(?:[ -]\d{{4}}(?!\d))?"
_PARTICLES: Final = (
    rf"(?:(?:{one_of('de, du, des, la, le, les, en, et, sur, sous, st, ste, aux')}[ \n]"
    r"|[dlDL]' ?)){0,3}"
)
_RANK: Final = (
    r"(?:(?<=aréchal)|(?<=arechal)|(?<=énéral)|(?<=eneral)|(?<=octeur)|(?<=ésident)|(?<=esident)"
    r"|(?<=olonel)|(?<=apitaine)|(?<=ofesseur)|(?<=[Aa]miral)|(?<= Jean)|(?<=Saint)|(?<=Sainte))"
)
"""What a name still follows when the line breaks behind it: "19 rue du Maréchal⏎Foch"."""
_RANKS: Final = """
général, maréchal, colonel, capitaine, commandant, président, abbé, frère, frères, amiral,
chanoine, curé, sergent, lieutenant, ingénieur, maire, adjudant, père, sœur, sœurs, monseigneur,
mgr, cardinal, évêque
"""
_BEARER: Final = (
    rf"(?:(?:(?:(?<=[dD][uU] ){one_of('dr, docteur, pr, professeur')}|{one_of(_RANKS)})\.?[ -]"
    r"|[A-Z]\. ?){1,2})?"
)
"""The rank or the initial of who gives a street its name."""
_CAPITALS: Final = (
    rf"{_PARTICLES}{_BEARER}(?:{_DAY}|{CAPITAL})"
    rf"(?:(?: ?-\n| |-|{_RANK}\n){_PARTICLES}{CAPITAL}){{0,6}}"
    r"(?:-\n[ \t]{0,20}\w{2,24}(?:['-]\w{1,24}){0,5})?"
)
_MIXED: Final = rf"{_PARTICLES}{_LOW}(?: (?!{CITIES}\b){_PARTICLES}{_LOW}){{0,2}}"
_FLATS: Final = """
app, appt, appart, appartement, apt, bât, bâtiment, esc, escalier, porte, bte, boîte,
boîte postale, b.p, cs, tsa, hall, bloc, entrée, lot, bus, emplacement, pk, allée, logement, log,
lgt, villa, n°
"""
_UNIT: Final = (
    rf"(?:(?:{one_of(_FLATS)}|[cC]\.[pP])\.?"
    r" {0,2}(?:n° ?)?[A-Z0-9][\w/]{0,7}(?: bis| ter)?"
    rf"|{one_of('app, appt, appartement, bât, bâtiment, esc, bloc, allée')} [a-z]\b"
    rf"|{one_of('bât, bâtiment, entrée')}\.? (?:(?i:les?|la) )?{CAPITAL}"
    r"|[pP](?i:orte (?:face|(?:de )?gauche|(?:de )?droite))\b"
    r"|\d{1,2} ?(?:er|e|è|ème|eme|°)(?: ?(?:étage|etage|[ée]t\.|dr\b\.?|droite|gauche|porte))?(?: "
    r"(?:droite|gauche))?"
    rf"|{one_of('rés, résidence, tour, lotissement, chalet, villa, vallée')}\.? {NAME})"
)
MORE: Final = rf"(?:(?:,? ?(?:\n[ \t]{{0,20}})?| {{1,3}}[-–] )?{_UNIT}){{0,4}}"
HOUSE: Final = (
    r"(?<![./+×-])(?<!\d,)(?<!h )(?<!\d:)(?!(?:19|20)\d\d,)\d{1,4}+"
    r"(?: ?(?:bis|ter|quater|BIS|TER)\b| ?[A-Ga-g]\b)?(?! ?, ?(?i:lot)\.? [A-Z]{0,3}\d)"
    r"(?: ?- ?\d{1,4}\b)?"
)
OPENING: Final = opening(f"{_ALWAYS}, {_WITH_CAPITAL}")
"""Where the noun of a street may begin."""
ANY_TYPE: Final = (
    rf"{OPENING}"
    rf"(?:{one_of(_ALWAYS)}(?: {{1,2}}|\n)(?:{_CAPITALS}|{_MIXED})"
    rf"|{_TYPE} {{1,2}}{_CAPITALS}"
    rf"|(?i:place|pl\.?) (?=d[ue] |de la |des |d')(?!du patient){_MIXED}"
    rf"|(?i:r[ée]sidence|cit[ée]|ch\.?|all\.) {_MIXED})"
)
_HOUSE_AFTER: Final = (
    r"(?:,? {1,2}(?:[nN]° ?)?(?:\d{1,3}|\d{4}(?!(?: {1,4}|-)[A-ZÀ-Þ]))(?:[-/]\w{1,4})?"
    r"(?: ?bis| ?ter|[A-Da-d])?\b(?!(?:[.,]| ?)\d)"
    rf"(?! ?(?:ans|h\b|kg|mg|%))(?! ?,? ?{one_of(_ALWAYS)}\b))"
)

CODE: Final = r"(?:0[1-9]|[1-8]\d|9[0-578])\d{3}"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "places.street.lone",
        beginnings(_LONE_TYPE),
        rf"(?<![eE][nN] )(?<!FAUSSE )(?<!ausse )(?!AV\.? (?:O[DG]|[IVX]+\b|PRE))"
        r"(?!(?<=[lL]a )(?i:route) d|(?i:immeuble) d[e'])"
        rf"(?P<STREET>{one_of(_LONE_TYPE)} {{1,2}}(?![A-Z]\d|(?i:en)"
        r" |(?<=\bav )[A-Z]{2,4}\b|(?<=\bplace )[A-Z]{2,4}\b)"
        rf"{_CAPITALS}{_HOUSE_AFTER}?{MORE})",
        "Domicile : «STREET:Rue de Lausanne 44, bte 3», 1020 Renens",
        0.9,
        never=(
            "tombé dans la rue hier",
            "au cours de la journée",
            "la place du traitement",
            "mise en place de l'HAD",
            "FAUSSE ROUTE DIMANCHE",
            "AV OD 10/10",
            "rdv av AS sociale",
            "voir si place USLD Les Tilleuls",
            "SUR LA ROUTE EN ESPAGNE",
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
        rf"|all[ée]e|ruelle|square) {_MIXED})(?=,? {CODE} [^\W\d_])",
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
        rf"(?P<STREET>(?:Ch|Che|Pl|Sq|All|Fbg|Imm)\.? {_CAPITALS}{_HOUSE_AFTER}{MORE}"
        rf"|(?:Place|Placette|Via) (?:{_CAPITALS}|communale|centrale|publique|du village|du bourg"
        rf"|du march[ée]|de l'[ée]glise|de la (?:gare|mairie|poste|r[ée]publique))"
        rf"{_HOUSE_AFTER}{MORE})",
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
            Ending(fold(ending)),
            rf"\b(?P<STREET>[A-ZÄÖÜ][a-zäöüß]{{2,24}}{ending} \d{{1,3}}[a-d]?)\b",
            f"wohnhaft «STREET:Bahnhof{ending} 12», 3011 Bern",
            0.9,
        )
        for ending in ("strasse", "straße", "gasse", "weg", "platz", "laan", "straat")
    ),
)
"""Rows of streets, for `places`."""
