"""Words around places: cues that announce one, cues against one, and a few names no list has.

Folded throughout (see `dpdeid.normalize.fold`). The towns here are the French names of foreign
cities, which lists of France, Belgium, Luxembourg and Switzerland lack or write otherwise.
"""

from __future__ import annotations

from typing import Final


def _folded(text: str) -> frozenset[str]:
    return frozenset(text.split())


LIVES: Final = _folded(
    "habite habitent habitant habitante habitait domicilie domiciliee domicilies domiciliees reside"
    " residant residante residait demeurant demeure vit vivant vivait vecu ne nee nes nees natif"
    " native"
    " originaire installe installee loge logee heberge hebergee scolarise scolarisee mort morte"
    " deces"
    " decede decedee rentre rentree arrive arrivee venu venue revenu revenue parti partie fait"
    " voyage"
    " domicile transfere transferee transfert adresse adressee hospitalise hospitalisee vient monte"
    " opere origine operee suivi suivie accouche accouchement naissance lieu ville commune voyages"
    " sejour"
)
"""Verbs and nouns after which "à", "de" or nothing at all announces a place."""

PREPOSITIONS: Final = _folded("a au aux de du des d en sur vers depuis par pour dans via entre")
"""Words that may stand between a cue and a place."""

TITLES: Final = _folded(
    "m mr mme mlle mm monsieur madame mademoiselle dr dre drs docteur docteure docteurs pr prof"
    " professeur professeure me maitre soeur frere pere abbe sieur famille patient patiente"
    " mesdames messieurs ide interne externe nom prenom nee epouse veuve epx"
)
"""A capital word behind one of these is a person, whatever the lists say."""

EPONYM_HEADS: Final = _folded(
    "maladie maladies syndrome syndromes score scores test tests signe signes classification"
    " echelle"
    " manoeuvre critere criteres canal triangle fracture indice index gene type types incision"
    " technique intervention operation protocole formule ligne loi malformation thyroidite methode"
    " reaction coloration pince redon catheter sonde drain drains ablation vis plaque prothese"
    " attelle collier"
    " bandage consensus conference accord grille questionnaire inventaire stade grade anneau point"
    " douleur appareil chaussure chaussures lunettes corps cellule cellules bacille virus fievre"
    " tumeur sarcome lymphome anemie choree paralysie phenomene reflexe regle equation diametre"
    " angle"
    " espace ganglion valvule sphincter glande bol clou clous lame voile poche cul boite hernie"
    " cochon noix baume poivre figue pomme bleu"
)
"""Nouns that take a proper name without being at that place ("score de Lille")."""

PLACE_NOUNS: Final = _folded(
    "ville commune village canton quartier departement region district tribu ile plage gare"
    " aeroport"
    " port centre foret lac mairie eglise marche cote vallee presqu'ile banlieue agglomeration"
    " prefecture pays route usine caserne prison camp barreau tribunal pres cote environs"
)

FUNCTION_WORDS: Final = _folded(
    "a as au aux avec ce ces des du elle en est et eu il ils je la le les ma mais me mon my ne on"
    " ou par pas pour sa sans se ses si son sur tu un une y fa bu lot rue mere appels avion sept"
    " oct mai juin cote us mars dose vue porte plus dans moi nous vous bas haut salle plan chambre"
    " bon bonne mis ins mer bio redon reunion crest creon baar barre fontana hashimoto oms ger ige"
    " ligne sos sam dim cave mode l d avril septembre octobre nord sud ouest hoffa ville"
)
"""Words that are also names of hamlets and never count as one."""

LARGE_TOWNS: Final = """
paris, marseille, lyon, toulouse, nice, nantes, montpellier, strasbourg, bordeaux, lille,
rennes, reims, toulon, saint-étienne, grenoble, dijon, angers, nîmes, villeurbanne,
clermont-ferrand, le mans, aix-en-provence, brest, tours, amiens, limoges, annecy, perpignan,
metz, besançon, orléans, rouen, mulhouse, caen, nancy, poitiers, quimper, lorient, vannes, pau,
la rochelle, bruxelles, liège, namur, charleroi, genève, lausanne, fribourg, neuchâtel
"""
"""Towns that end a street in small letters where no particle ties them to it."""

CANTONS: Final = frozenset(
    [
        "AG",
        "AI",
        "AR",
        "BE",
        "BL",
        "BS",
        "FR",
        "GE",
        "GL",
        "GR",
        "JU",
        "LU",
        "NE",
        "NW",
        "OW",
        "SG",
        "SH",
        "SO",
        "SZ",
        "TG",
        "TI",
        "UR",
        "VD",
        "VS",
        "ZG",
        "ZH",
    ]
)
"""Codes of the Swiss cantons, as written behind a town."""

CITIES: Final = """
Aargau, Argovie, Appenzell, Bâle, Bâle-Campagne, Bâle-Ville, Berne, Fribourg, Genève, Glaris,
Grisons, Jura, Lucerne, Neuchâtel, Nidwald, Obwald, Saint-Gall, Schaffhouse, Schwytz, Soleure,
Tessin, Thurgovie, Uri, Valais, Vaud, Zoug, Zurich, Brabant wallon, Hainaut, Flandre, Wallonie,
Bruxelles, Anvers, Gand, Bruges, Louvain, Malines, Ostende, Courtrai, Tongres, Alsace, Aquitaine,
Auvergne, Lorraine, Picardie, Poitou-Charentes, Limousin, Languedoc, Languedoc-Roussillon,
Midi-Pyrénées, Rhône-Alpes, Champagne-Ardenne, Haute-Normandie, Basse-Normandie, Bourgogne,
Franche-Comté, Savoie, Provence, Vendée, Pays basque, Béarn, Roussillon, Gascogne, Touraine,
Anjou, Berry, Nivernais, Côte d'Azur, Québec, Montréal, Laval, Gatineau, Sherbrooke,
Trois-Rivières, Longueuil, Ottawa, Toronto, Vancouver, New York, Londres, Manchester, Édimbourg,
Dublin, Madrid, Barcelone, Séville, Valence, Lisbonne, Porto, Coimbra, Setúbal, Braga, Funchal,
Rome, Milan, Turin, Naples, Venise, Florence, Palerme, Gênes, Vintimille, Berlin, Munich,
Hambourg, Cologne, Francfort, Stuttgart, Sarrebruck, Fribourg-en-Brisgau, Karlsruhe, Kehl,
Vienne, Salzbourg, Prague, Budapest, Varsovie, Cracovie, Katowice, Gdańsk, Bucarest, Sofia,
Athènes, Istanbul, Ankara, Izmir, Konya, Kayseri, Belgrade, Zagreb, Sarajevo, Pristina, Prizren,
Skopje, Tirana, Moscou, Saint-Pétersbourg, Kiev, Odessa, Minsk, Vilnius, Riga, Tallinn,
Stockholm, Oslo, Copenhague, Helsinki, Amsterdam, Rotterdam, La Haye, Utrecht, Maastricht, Alger,
Oran, Constantine, Annaba, Tizi Ouzou, Béjaïa, Sétif, Mostaganem, Tlemcen, Sidi Bel Abbès,
Casablanca, Rabat, Marrakech, Fès, Tanger, Agadir, Oujda, Meknès, Nador, Tétouan, Tunis, Sfax,
Sousse, Bizerte, Tripoli, Le Caire, Alexandrie, Beyrouth, Damas, Alep, Jérusalem, Tel Aviv,
Amman, Bagdad, Téhéran, Kaboul, Islamabad, Karachi, Lahore, Delhi, New Delhi, Bombay, Calcutta,
Pondichéry, Chennai, Colombo, Jaffna, Dacca, Katmandou, Pékin, Shanghai, Hong Kong, Tokyo, Séoul,
Hanoï, Saïgon, Hô Chi Minh-Ville, Hué, Phnom Penh, Vientiane, Bangkok, Singapour, Djakarta,
Manille, Sydney, Melbourne, Auckland, Dakar, Thiès, Saint-Louis, Rufisque, Ziguinchor, Bamako,
Kayes, Ségou, Nouakchott, Conakry, Freetown, Monrovia, Abidjan, Bouaké, Yamoussoukro, Accra,
Lomé, Cotonou, Porto-Novo, Lagos, Benin City, Abuja, Niamey, Ouagadougou, Bobo-Dioulasso,
N'Djamena, Douala, Yaoundé, Bafoussam, Libreville, Port-Gentil, Brazzaville, Pointe-Noire,
Kinshasa, Lubumbashi, Goma, Bukavu, Kigali, Bujumbura, Kampala, Nairobi, Mogadiscio, Addis-Abeba,
Asmara, Djibouti, Khartoum, Luanda, Johannesburg, Le Cap, Antananarivo, Tananarive, Tamatave,
Majunga, Moroni, Mutsamudu, Anjouan, Mohéli, Grande Comore, Port-Louis, Port-au-Prince,
Cap-Haïtien, Les Gonaïves, La Havane, Saint-Domingue, Roseau, Fort-de-France, Paramaribo,
Caracas, Bogota, Lima, Quito, Santiago, Buenos Aires, São Paulo, Rio de Janeiro, Brasilia,
Mexico, Miami, Los Angeles, San Francisco, Chicago, Boston, Washington, Erevan, Tbilissi, Bakou,
Grozny, La Réunion, Mayotte, Grande-Terre, Petite-Terre, Basse-Terre, Guadeloupe, Martinique,
Guyane, Marie-Galante, Les Saintes, Saint-Barthélemy, Saint-Martin, Nouvelle-Calédonie, Lifou,
Maré, Ouvéa, Île des Pins, Tahiti, Moorea, Bora-Bora, Wallis, Futuna, Wallis-et-Futuna,
Saint-Pierre-et-Miquelon, Polynésie, Kourou, Corse, Bretagne, Normandie, Occitanie,
Île-de-France
"""
"""Cantons, provinces, older regions, islands, and cities of the world, with commas between them."""
