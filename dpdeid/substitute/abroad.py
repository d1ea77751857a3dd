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

_HOME: Final = frozenset(("FR", "BE", "CH", "LU"))
_BETWEEN: Final = re.compile(r"\s{0,2}[(,–-]\s{0,2}|\s(?:en|au|aux)\s", re.IGNORECASE)
_TOWNS: Final = """
    Afghanistan: Kaboul Hérat Kandahar Jalalabad
    Afrique du Sud: Johannesbourg Durban Pretoria Soweto
    Albanie: Tirana Durrës Vlora Shkodra
    Algérie: Alger Oran Constantine Annaba Sétif Blida Tlemcen Béjaïa
    Allemagne: Berlin Hambourg Cologne Francfort Stuttgart Leipzig Brême Hanovre
    Angleterre: Londres Manchester Leeds Bristol Liverpool
    Angola: Luanda Huambo Lobito Benguela Lubango Malanje
    Arabie saoudite: Riyad Djeddah Médine Taïf
    Argentine: Rosario Mendoza Tucumán Salta
    Arménie: Erevan Gyumri Vanadzor
    Australie: Sydney Melbourne Brisbane Perth
    Autriche: Vienne Graz Linz Salzbourg Innsbruck
    Bangladesh: Dacca Chittagong Khulna Sylhet
    Bénin: Cotonou Porto-Novo Parakou Abomey Natitingou Ouidah
    Biélorussie: Minsk Gomel Brest-Litovsk Grodno
    Bolivie: La-Paz Sucre Cochabamba Oruro
    Bosnie: Sarajevo Mostar Tuzla Zenica
    Brésil: Recife Salvador Fortaleza Curitiba Manaus Belém
    Bulgarie: Sofia Plovdiv Varna Bourgas Pleven
    Burkina Faso: Ouagadougou Bobo-Dioulasso Koudougou Ouahigouya Banfora
    Burundi: Bujumbura Gitega Ngozi
    Cambodge: Phnom-Penh Battambang Kampot
    Cameroun: Douala Yaoundé Garoua Bamenda Bafoussam Maroua
    Canada: Ottawa Toronto Vancouver Calgary Winnipeg
    Cap-Vert: Praia Mindelo Tarrafal
    Centrafrique: Bangui Bambari Bouar Berbérati
    Chili: Santiago Valparaiso Concepción Temuco
    Chine: Pékin Shanghai Canton Wuhan Nankin Wenzhou
    Colombie: Bogota Cali Medellín Carthagène
    Comores: Moroni Mutsamudu Fomboni Domoni
    Congo: Brazzaville Pointe-Noire Dolisie Owando
    Corée du Sud: Séoul Busan Daegu Incheon
    Côte d'Ivoire: Abidjan Bouaké Daloa Yamoussoukro Korhogo Gagnoa
    Croatie: Zagreb Split Rijeka Osijek
    Cuba: Santa-Clara Camagüey Holguín Matanzas
    Danemark: Copenhague Aarhus Odense Aalborg
    Djibouti: Tadjourah Obock Dikhil
    Écosse: Édimbourg Glasgow Dundee Aberdeen
    Égypte: Alexandrie Assouan Louxor Tanta Port-Saïd
    Émirats arabes unis: Dubaï Charjah Ajman
    Équateur: Quito Guayaquil Cuenca
    Érythrée: Asmara Keren Massaoua
    Espagne: Madrid Barcelone Valence Séville Saragosse Malaga Bilbao Grenade
    Estonie: Tallinn Tartu Narva
    États-Unis: Boston Chicago Denver Seattle Houston Miami
    Éthiopie: Addis-Abeba Gondar Dessie Harar
    Finlande: Helsinki Tampere Turku Oulu
    Gabon: Libreville Port-Gentil Franceville Oyem
    Géorgie: Tbilissi Batoumi Koutaïssi
    Ghana: Accra Kumasi Tamale Takoradi
    Grèce: Athènes Patras Larissa Héraklion Volos
    Guinée-Bissau: Bissau Bafatá Gabú
    Guinée: Conakry Kankan Labé Kindia Nzérékoré
    Haïti: Port-au-Prince Gonaïves Jacmel Jérémie
    Hongrie: Budapest Debrecen Szeged Pécs
    Inde: Bombay Madras Calcutta Pondichéry Jaipur
    Indonésie: Jakarta Surabaya Bandung Medan
    Irak: Bagdad Mossoul Bassora Erbil Kirkouk
    Iran: Téhéran Ispahan Chiraz Tabriz Machhad
    Irlande: Dublin Cork Galway Limerick Waterford
    Islande: Reykjavik Akureyri Selfoss
    Israël: Haïfa Jérusalem Netanya Ashdod
    Italie: Rome Milan Naples Turin Palerme Bologne Bari Catane
    Japon: Tokyo Osaka Kyoto Nagoya Sapporo
    Jordanie: Amman Zarka Irbid
    Kazakhstan: Almaty Astana Karaganda
    Kenya: Nairobi Mombasa Kisumu Nakuru
    Kosovo: Pristina Prizren Peja Mitrovica
    Laos: Vientiane Savannakhet Paksé
    Lettonie: Riga Liepaja Daugavpils
    Liban: Beyrouth Tripoli Saïda Zahlé
    Libye: Benghazi Misrata Sebha
    Lituanie: Vilnius Kaunas Klaipeda
    Macédoine: Skopje Bitola Kumanovo
    Madagascar: Antananarivo Tamatave Majunga Antsirabe Fianarantsoa
    Mali: Bamako Kayes Sikasso Mopti Ségou
    Maroc: Casablanca Rabat Fès Marrakech Agadir Tanger Meknès Oujda
    Maurice: Port-Louis Curepipe Vacoas
    Mauritanie: Nouakchott Nouadhibou Kaédi
    Mexique: Mexico Guadalajara Monterrey Puebla Oaxaca
    Moldavie: Chisinau Balti Cahul
    Mongolie: Oulan-Bator Erdenet Darkhan
    Mozambique: Maputo Beira Nampula
    Népal: Katmandou Pokhara Biratnagar
    Niger: Niamey Zinder Maradi Agadez
    Nigeria: Lagos Ibadan Kano Abuja
    Norvège: Oslo Bergen Trondheim Stavanger
    Nouvelle-Zélande: Auckland Wellington Christchurch
    Ouganda: Kampala Entebbe Gulu
    Ouzbékistan: Tachkent Samarcande Boukhara
    Pakistan: Karachi Lahore Peshawar Islamabad
    Pays-Bas: Amsterdam Rotterdam Utrecht Eindhoven
    Pérou: Lima Cuzco Arequipa Trujillo
    Philippines: Manille Cebu Davao
    Pologne: Varsovie Cracovie Gdansk Poznan Lublin
    Portugal: Lisbonne Porto Braga Coimbra Setúbal Viseu Aveiro Guimarães
    République centrafricaine: Bangui Bambari Bouar Berbérati
    République démocratique du Congo: Kinshasa Lubumbashi Goma Kisangani Matadi
    République dominicaine: Saint-Domingue Santiago Puerto-Plata
    République tchèque: Prague Brno Ostrava Plzen
    Roumanie: Bucarest Cluj Timisoara Iasi Brasov Constanta
    Royaume-Uni: Londres Manchester Leeds Bristol Glasgow
    Russie: Moscou Kazan Samara Perm Omsk
    Rwanda: Kigali Butare Gisenyi
    Sénégal: Dakar Thiès Kaolack Ziguinchor Saint-Louis Tambacounda
    Serbie: Belgrade Nis Novi-Sad Kragujevac
    Slovaquie: Bratislava Kosice Nitra
    Slovénie: Ljubljana Maribor Celje
    Somalie: Mogadiscio Hargeisa Kismaayo
    Soudan: Khartoum Omdurman Kassala
    Sri Lanka: Colombo Jaffna Kandy Galle
    Suède: Stockholm Göteborg Malmö Uppsala
    Syrie: Damas Alep Homs Hama Lattaquié
    Tanzanie: Dodoma Arusha Mwanza
    Tchad: Moundou Abéché Sarh
    Tchéquie: Prague Brno Ostrava Plzen
    Thaïlande: Bangkok Phuket Chiang-Mai
    Togo: Lomé Sokodé Kara Kpalimé Atakpamé
    Tunisie: Tunis Sfax Sousse Bizerte Gabès Kairouan
    Turquie: Istanbul Ankara Izmir Bursa Adana Konya
    Ukraine: Kiev Odessa Kharkiv Lviv Dnipro
    Venezuela: Caracas Maracaibo Valencia
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
    """The surrogates of a text, sorted by start, towns at home that stand before another country
    put into it, in every mention of the text.
    """
    moved: dict[str, str] = {}
    for town, land in pairwise(surrogates):
        place, towns = _at_home(town), BY_COUNTRY.get(fold(land.text), ())
        if place is None or land.mention.label is not Label.COUNTRY or not towns:
            continue
        if _BETWEEN.fullmatch(text, town.mention.span.end, land.mention.span.start):
            moved[place.code] = towns[zlib.crc32(place.code.encode()) % len(towns)]
    for surrogate in surrogates:
        place = _at_home(surrogate)
        if place is None or place.code not in moved:
            yield surrogate
            continue
        new = moved[place.code]
        named = like_case(new, surrogate.text)
        yield surrogate._replace(text=named, value=replace(place, name=new))


def _at_home(surrogate: Surrogate) -> Place | None:
    """The place of a mention that is a town of our lists' own countries, by its own text."""
    place = surrogate.value
    if surrogate.mention.label is not Label.CITY or not isinstance(place, Place):
        return None
    is_town = place.country in _HOME and place_key(surrogate.text) == place_key(place.name)
    return place if is_town else None
