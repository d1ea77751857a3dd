"""Postal codes of towns in Switzerland, Belgium and Luxembourg, which the list of places lacks.

GeoNames gives these towns without their codes. Here are the codes of the larger ones, as those who
live there know them; written for this project, and each compared with open lists of codes. A town
that is not here gets a code of the nearest one that is: real, of its neighbourhood, not its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.gazetteers import Place

_CODES: Final = {
    "CH": """
    AG: Aarau 5000, Baden 5400, Wettingen 5430, Wohlen 5610, Spreitenbach 8957, Zofingen 4800,
    Brugg 5200, Rheinfelden 4310, Lenzburg 5600, Oftringen 4665, Möhlin 4313, Suhr 5034,
    Neuenhof 5432, Reinach 5734, Oberentfelden 5036, Rothrist 4852, Aarburg 4663, Windisch 5210,
    Buchs 5033, Gränichen 5722, Bremgarten 5620, Muri 5630, Würenlos 5436, Villmergen 5612,
    Menziken 5737, Küttigen 5024
    AI: Appenzell 9050
    AR: Herisau 9100, Teufen 9053
    BE: Berne 3004 3005 3006 3007 3008 3010 3011 3012 3013 3014 3018 3027, Bienne 2502 2503 2504,
    Thoune 3600 3604, Köniz 3098, Berthoud 3400, Steffisburg 3612, Langenthal 4900, Muri 3074,
    Spiez 3700, Ittigen 3063, Worb 3076, Lyss 3250, Münsingen 3110, Münchenbuchsee 3053, Belp 3123,
    Gstaad 3780, Wohlen 3033, Zollikofen 3052, Langnau 3550, Lengnau 2543, Nidau 2560,
    Frutigen 3714, Saanen 3792, Bolligen 3065, Uetendorf 3661, Herzogenbuchsee 3360, Heimberg 3627,
    Saint-Imier 2610, Sumiswald 3454, Unterseen 3800, Interlaken 3800
    BL: Reinach 4153, Allschwil 4123, Muttenz 4132, Pratteln 4133, Binningen 4102, Liestal 4410,
    Münchenstein 4142, Birsfelden 4127, Oberwil 4104, Aesch 4147, Therwil 4106, Arlesheim 4144,
    Frenkendorf 4402, Bottmingen 4103, Sissach 4450, Gelterkinden 4460, Laufen 4242
    BS: Bâle 4051 4052 4053 4054 4055 4056 4057 4058, Riehen 4125
    FR: Fribourg 1700, Bulle 1630, Villars-sur-Glâne 1752, Marly 1723, Düdingen 3186, Morat 3280,
    Romont 1680, Châtel-Saint-Denis 1618, Estavayer-le-Lac 1470
    GE: Genève 1201 1202 1203 1204 1205 1206 1207 1208 1209, Vernier 1214, Lancy 1212 1213,
    Meyrin 1217, Carouge 1227, Onex 1213, Thônex 1226, Versoix 1290, Plan-les-Ouates 1228,
    Chêne-Bougeries 1224, Veyrier 1255, Le Grand-Saconnex 1218, Bernex 1233, Chêne-Bourg 1225,
    Les Avanchets 1220
    GL: Glarus 8750
    GR: Coire 7000, Davos 7260 7270, Landquart 7302, Igis 7206, Domat 7013
    JU: Delémont 2800, Moutier 2740, Porrentruy 2900
    LU: Lucerne 6003 6004 6005 6006, Emmen 6032, Kriens 6010, Littau 6014, Horw 6048, Ebikon 6030,
    Sursee 6210, Hochdorf 6280, Willisau 6130, Meggen 6045, Ruswil 6017, Malters 6102,
    Neuenkirch 6206, Adligenswil 6043, Buchrain 6033
    NE: La Chaux-de-Fonds 2300, Neuchâtel 2000, Le Locle 2400, Peseux 2034
    NW: Stans 6370, Buochs 6374, Hergiswil 6052
    OW: Sarnen 6060, Alpnach 6055, Kerns 6064
    SG: Saint-Gall 9000 9008 9011 9012 9014 9016, Rapperswil 8640, Wil 9500, Jona 8645,
    Gossau 9200, Uzwil 9240, Altstätten 9450, Buchs 9470, Flawil 9230, Eschenbach 8733,
    Goldach 9403, Rorschach 9400, Wittenbach 9300, Wattwil 9630, Oberriet 9463, Au 9434, Thal 9425,
    Grabs 9472, Sargans 7320, Oberuzwil 9242, Uznach 8730, Diepoldsau 9444, Sankt Margrethen 9430,
    Bad Ragaz 7310, Walenstadt 8880
    SH: Schaffhouse 8200 8203, Neuhausen 8212
    SO: Olten 4600, Soleure 4500, Grenchen 2540, Zuchwil 4528, Biberist 4562, Dornach 4143,
    Trimbach 4632, Derendingen 4552, Balsthal 4710
    SZ: Einsiedeln 8840, Schwyz 6430, Freienbach 8807, Küssnacht 6403, Arth 6415, Lachen 8853,
    Schübelbach 8862, Pfäffikon 8808, Siebnen 8854, Wollerau 8832, Goldau 6410, Altendorf 8852
    TG: Frauenfeld 8500, Kreuzlingen 8280, Arbon 9320, Amriswil 8580, Weinfelden 8570,
    Romanshorn 8590, Aadorf 8355, Sirnach 8370, Münchwilen 9542
    TI: Lugano 6900, Bellinzone 6500, Locarno 6600, Mendrisio 6850, Chiasso 6830, Giubiasco 6512,
    Pregassona 6963, Minusio 6648, Viganello 6962, Losone 6616, Biasca 6710, Massagno 6900,
    Ascona 6612
    UR: Altdorf 6460
    VD: Lausanne 1003 1004 1005 1006 1007 1010 1012 1018, Yverdon-les-Bains 1400, Montreux 1820,
    Renens 1020, Vevey 1800, Nyon 1260, Pully 1009, Morges 1110, Gland 1196, Prilly 1008,
    La Tour-de-Peilz 1814, Ecublens 1024, Aigle 1860, Payerne 1530, Lutry 1095, Epalinges 1066,
    Bussigny 1030, Ollon 1867, Crissier 1023, Blécherette 1018, Bex 1880, Echallens 1040,
    Chavannes 1022, Le Mont-sur-Lausanne 1052, Blonay 1807, Orbe 1350
    VS: Sion 1950, Martigny-Ville 1920, Monthey 1870, Sierre 3960, Crans-Montana 3963,
    Conthey 1964, Viège 3930, Naters 3904, Zermatt 3920, Bagnes 1934, Collombey 1868, Fully 1926,
    Savièse 1965, Basse-Nendaz 1996, Brigue 3900
    ZG: Zoug 6300, Baar 6340, Cham 6330, Rotkreuz 6343, Hünenberg 6331, Steinhausen 6312,
    Unterägeri 6314
    ZH: Zurich 8001 8002 8003 8004 8005 8006 8008 8032 8037 8038 8041 8044 8045 8046 8047 8048 8049
    8050 8051 8052 8053 8055 8057 8064, Winterthour 8400 8404 8405 8406 8408, Uster 8610,
    Wetzikon 8620, Horgen 8810, Opfikon 8152, Dietikon 8953, Bülach 8180, Dübendorf 8600,
    Kloten 8302, Adliswil 8134, Meilen 8706, Thalwil 8800, Wädenswil 8820, Schlieren 8952,
    Affoltern am Albis 8910, Pfäffikon 8330, Wallisellen 8304, Küsnacht 8700, Hinwil 8340,
    Richterswil 8805, Effretikon 8307, Rüti 8630, Hombrechtikon 8634, Urdorf 8902, Egg 8132,
    Hegnau 8604, Männedorf 8708, Regensdorf 8105, Embrach 8424, Bassersdorf 8303,
    Langnau am Albis 8135, Kilchberg 8802, Zollikon 8702, Oberengstringen 8102, Stäfa 8712,
    Rümlang 8153, Greifensee 8606, Herrliberg 8704
    """,
    "BE": """
    BRU: Bruxelles 1000 1020 1120 1130, Anderlecht 1070, Schaerbeek 1030, Molenbeek-Saint-Jean 1080,
    Ixelles 1050, Uccle 1180, Woluwe-Saint-Lambert 1200, Forest 1190, Jette 1090,
    Saint-Gilles 1060, Etterbeek 1040, Evere 1140, Auderghem 1160, Saint-Josse-ten-Noode 1210,
    Berchem-Sainte-Agathe 1082, Watermael-Boitsfort 1170, Ganshoren 1083, Koekelberg 1081
    WAL: Charleroi 6000, Liège 4000 4020, Namur 5000, Mons 7000, La Louvière 7100, Tournai 7500,
    Seraing 4100, Verviers 4800, Mouscron 7700, Braine-l'Alleud 1420, Herstal 4040, Châtelet 6200,
    Wavre 1300, Binche 7130, Waterloo 1410, Louvain-la-Neuve 1348, Courcelles 6180, Ans 4430,
    Ath 7800, Arlon 6700, Flémalle-Haute 4400, Soignies 7060, Jumet 6040, Nivelles 1400,
    Andenne 5300, Marcinelle 6001, Oupeye 4680, Saint-Ghislain 7330, Manage 7170, Fleurus 6220,
    Gembloux 5030, Rixensart 1330, Grivegnée 4030, Chaudfontaine 4050, Frameries 7080,
    Braine-le-Comte 7090, Boussu 7300, Gilly 6060, Huy 4500, Colfontaine 7340, Jambes 5100,
    Montignies-sur-Sambre 6061, Quaregnon 7390, Morlanwelz-Mariemont 7140, Eupen 4700, Tubize 1480,
    Lessines 7860, Walcourt 5650, Châtelineau 6200, Visé 4600, Dour 7370, Marche-en-Famenne 6900,
    Péruwelz 7600, Herve 4650, Fléron 4620, Pont-à-Celles 6230, Heusy 4802, Soumagne 4630,
    Marchienne-au-Pont 6030, Aubange 6790, Ciney 5590, Thuin 6530, Bastogne 6600,
    Chapelle-lez-Herlaimont 7160, Éghezée 5310, Genappe 1470, Hannut 4280, Waremme 4300,
    Dison 4820, Couvin 5660, Esneux 4130, Beloeil 7970, Amay 4540, Sprimont 4140, Wanze 4520,
    Dinant 5500, Mont-sur-Marchienne 6032, Blégny 4670, Malmédy 4960, Bressoux 4020,
    Grez-Doiceau 1390, Mettet 5640, Rochefort 5580, Ougrée 4102
    VLG: Anvers 2000 2018 2020 2060, Gand 9000, Bruges 8000, Louvain 3000, Deurne 2100,
    Hasselt 3500, Alost 9300, Malines 2800, Courtrai 8500, Ostende 8400, Saint-Nicolas 9100,
    Genk 3600, Roulers 8800, Borgerhout 2140, Termonde 9200, Merksem 2170, Turnhout 2300,
    Berchem 2600, Lokeren 9160, Wilrijk 2610, Dilbeek 1700, Heist-op-den-Berg 2220,
    Saint-Trond 3800, Brasschaat 2930, Grimbergen 1850, Vilvorde 1800, Maasmechelen 3630,
    Waregem 8790, Ypres 8900, Ninove 9400, Geel 2440, Hal 1500, Hoboken 2660, Knokke-Heist 8300,
    Schoten 2900, Lierre 2500, Mol 2400, Lommel 3920, Menin 8930, Audenarde 9700, Tirlemont 3300,
    Wevelgem 8560, Grammont 9500, Tongres 3700, Deinze 9800, Bilzen 3740, Asse 1730,
    Zaventem 1930, Aerschot 3200, Izegem 8870, Tamise 9140, Harelbeke 8530, Herentals 2200,
    Maaseik 3680, Mortsel 2640, Zottegem 9620, Renaix 9600, Overijse 3090, Diest 3290,
    Eeklo 9900, Poperinge 8970, Tielt 8700, Torhout 8820, Blankenberge 8370, Furnes 8630,
    Dixmude 8600, Sint-Genesius-Rode 1640, Kraainem 1950, Wemmel 1780, Wezembeek-Oppem 1970
    """,
    "LU": """
    LU: Luxembourg 1313 1466 1727 1835 2163 2229 2449 2520, Walferdange 7220, Strassen 8010,
    Bertrange 8050, Sandweiler 5220, Steinsel 7305, Contern 5310, Niederanven 6940,
    Hesperange 5884
    ES: Esch-sur-Alzette 4010 4041 4132 4210 4240, Dudelange 3440 3510, Schifflange 3811,
    Bettembourg 3210, Pétange 4760, Differdange 4501, Kayl 3650, Mondercange 3912, Frisange 5750,
    Leudelange 3355
    DI: Diekirch 9202, Ettelbruck 9010
    RM: Remich 5501, Mondorf-les-Bains 5601
    GR: Grevenmacher 6701, Wasserbillig 6601, Junglinster 6101
    CA: Mamer 8201, Bascharage 4901, Steinfort 8401, Koerich 8385
    WI: Wiltz 9501
    EC: Echternach 6401
    ME: Mersch 7501, Larochette 7601, Bissen 7701
    VD: Vianden 9401
    CL: Clervaux 9701, Troisvierges 9901
    RD: Redange-sur-Attert 8510
    """,
}
"""Country → area: town and its codes. Codes of post-office boxes and of firms are left out."""


def codes_of(place: Place) -> tuple[str, ...]:
    """The postal codes of a place, failing those the codes of the nearest place of its country that
    has any; none for other countries.
    """
    if place.zips:
        return place.zips
    known = _known().get(place.country, {})
    if (own := known.get((place.department, place.name))) is not None:
        return own[1]
    flat = math.cos(math.radians(place.latitude))

    def away(other: Place) -> float:
        east = (other.longitude - place.longitude) * flat
        return math.hypot(east, other.latitude - place.latitude)

    nearest = min(known.values(), key=lambda one: (away(one[0]), one[0].code), default=None)
    return () if nearest is None else nearest[1]


_Known = dict[tuple[str, str], tuple[Place, tuple[str, ...]]]


@cache
def _known() -> dict[str, _Known]:
    """Country → department and name → the place and its codes."""
    found: dict[str, _Known] = {country: {} for country in _CODES}
    rows = {(c, area, town): codes for c in _CODES for area, town, codes in _rows(_CODES[c])}
    for place in gazetteers.places():
        key = (place.department, place.name)
        codes = rows.get((place.country, *key))
        if codes is not None and key not in found[place.country]:  # the largest of that name
            found[place.country][key] = (place, codes)
    return found


def _rows(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Area, town and codes, of one country."""
    _, *blocks = re.split(r"\b([A-Z]{2,3}): ", text)
    for area, towns in zip(blocks[::2], blocks[1::2], strict=True):
        for town in towns.split(","):
            words = town.split()
            named = [word for word in words if not word.isdecimal()]
            yield area, " ".join(named), tuple(words[len(named) :])
