"""Towns abroad: a surrogate before the name of a country that is released lies in that country.

A town that no list of places knows gets one of the record's list, and "né à Dakar (Sénégal)" became
"né à Vineuil (Sénégal)". Which town it becomes follows from the surrogate and from the country in
the released text alone: post-processing, that costs nothing and tells nothing of an original. The
towns are the largest of each country, as everybody knows them; written for this project.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from dpdeid.document import Surrogate
from dpdeid.gazetteers import Place, place_key
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.shapes import like_case

_BETWEEN: Final = re.compile(r"\s{0,2}[(,–-]\s{0,2}|\s(?:en|au|aux)\s", re.IGNORECASE)
_TOWNS: Final = """
    Algérie: Alger Oran Constantine Annaba Sétif Blida Tlemcen Béjaïa
    Allemagne: Berlin Hambourg Cologne Francfort Stuttgart Leipzig Brême Hanovre
    Angola: Luanda Huambo Lobito Benguela Lubango Malanje
    Arménie: Erevan Gyumri Vanadzor
    Bénin: Cotonou Porto-Novo Parakou Abomey Natitingou Ouidah
    Brésil: Recife Salvador Fortaleza Curitiba Manaus Belém
    Bulgarie: Sofia Plovdiv Varna Bourgas Pleven
    Burkina Faso: Ouagadougou Bobo-Dioulasso Koudougou Ouahigouya Banfora
    Cameroun: Douala Yaoundé Garoua Bamenda Bafoussam Maroua
    Chine: Pékin Shanghai Canton Wuhan Nankin Wenzhou
    Comores: Moroni Mutsamudu Fomboni Domoni
    Congo: Brazzaville Pointe-Noire Dolisie Owando
    Côte d'Ivoire: Abidjan Bouaké Daloa Yamoussoukro Korhogo Gagnoa
    Égypte: Alexandrie Assouan Louxor Tanta Port-Saïd
    Espagne: Madrid Barcelone Valence Séville Saragosse Malaga Bilbao Grenade
    Gabon: Libreville Port-Gentil Franceville Oyem
    Géorgie: Tbilissi Batoumi Koutaïssi
    Grèce: Athènes Patras Larissa Héraklion Volos
    Guinée: Conakry Kankan Labé Kindia Nzérékoré
    Haïti: Port-au-Prince Gonaïves Jacmel Jérémie
    Inde: Bombay Madras Calcutta Pondichéry Jaipur
    Italie: Rome Milan Naples Turin Palerme Bologne Bari Catane
    Liban: Beyrouth Tripoli Saïda Zahlé
    Madagascar: Antananarivo Tamatave Majunga Antsirabe Fianarantsoa
    Mali: Bamako Kayes Sikasso Mopti Ségou
    Maroc: Casablanca Rabat Fès Marrakech Agadir Tanger Meknès Oujda
    Maurice: Port-Louis Curepipe Vacoas
    Mauritanie: Nouakchott Nouadhibou Kaédi
    Pologne: Varsovie Cracovie Gdansk Poznan Lublin
    Portugal: Lisbonne Porto Braga Coimbra Setúbal Viseu Aveiro Guimarães
    République démocratique du Congo: Kinshasa Lubumbashi Goma Kisangani Matadi
    Roumanie: Bucarest Cluj Timisoara Iasi Brasov Constanta
    Royaume-Uni: Londres Manchester Leeds Bristol Glasgow
    Russie: Moscou Kazan Samara Perm Omsk
    Sénégal: Dakar Thiès Kaolack Ziguinchor Saint-Louis Tambacounda
    Serbie: Belgrade Nis Novi-Sad Kragujevac
    Sri Lanka: Colombo Jaffna Kandy Galle
    Syrie: Damas Alep Homs Hama Lattaquié
    Togo: Lomé Sokodé Kara Kpalimé Atakpamé
    Tunisie: Tunis Sfax Sousse Bizerte Gabès Kairouan
    Turquie: Istanbul Ankara Izmir Bursa Adana Konya
    Ukraine: Kiev Odessa Kharkiv Lviv Dnipro
    Vietnam: Hanoï Saïgon Hué Danang
"""
BY_COUNTRY: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        fold(country.strip()): tuple(towns.split())
        for country, towns in (line.split(":") for line in _TOWNS.strip().splitlines())
    }
)
"""Folded country → towns in it."""


def abroad(text: str, surrogates: Sequence[Surrogate]) -> Iterator[Surrogate]:
    """The surrogates of a text, sorted by start, French towns before another country put into it,
    in every mention of the text.
    """
    moved: dict[str, str] = {}
    for town, land in pairwise(surrogates):
        place, towns = _french(town), BY_COUNTRY.get(fold(land.text), ())
        if place is None or land.mention.label is not Label.COUNTRY or not towns:
            continue
        if _BETWEEN.fullmatch(text, town.mention.span.end, land.mention.span.start):
            moved[place.code] = towns[zlib.crc32(place.code.encode()) % len(towns)]
    for surrogate in surrogates:
        place = _french(surrogate)
        if place is None or place.code not in moved:
            yield surrogate
            continue
        new = moved[place.code]
        named = like_case(new, surrogate.text)
        yield surrogate._replace(text=named, value=replace(place, name=new))


def _french(surrogate: Surrogate) -> Place | None:
    """The place of a mention that is a town in France, by its own text."""
    place = surrogate.value
    if surrogate.mention.label is not Label.CITY or not isinstance(place, Place):
        return None
    is_town = place.country == "FR" and place_key(surrogate.text) == place_key(place.name)
    return place if is_town else None
