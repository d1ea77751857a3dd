"""Tables of nouns and names for `care`: what a place of care or another body is called.

General knowledge of the French-speaking health systems, no list of establishments: a name that is
not here is found through its noun ("clinique …"), not by being known.
"""

from __future__ import annotations

from typing import Final

HEADS: Final = """
hôpital, hôpitaux, hôpitaux universitaires, hôpitaux civils, nouvelles cliniques, cliniques,
hop., hôp.,
clinique, clin., polyclinique, policlinique, centre hospitalier, centre médical, centre de santé,
centre d'imagerie, centre de radiologie, centre de dialyse, centre de rééducation,
centre de réadaptation, centre de soins, centre de convalescence, centre du sein,
centre médico-psychologique, centre médico-social, maison de santé, maison médicale,
maison de retraite, maison départementale, maison de repos, cabinet médical, cabinet de,
cabinet d', cabinet dentaire, cabinet infirmier, cabinet, institut, institution, fondation,
maternité, maternite, dispensaire, médipôle, pôle santé, pôle hospitalier, pôle mère-enfant,
cité sanitaire, home, permanence, résidence autonomie, résidence médicalisée, résidence senior,
foyer de vie, foyer d'accueil médicalisé, imagerie médicale, unité transversale,
établissement public de santé, groupe hospitalier, groupement hospitalier,
centre hospitalo-universitaire, spital, kantonsspital, universitätsspital, krankenhaus, klinik,
hospice, sanatorium, ziekenhuis, mater
"""
"""Nouns that make a place of care with a name behind them, in any case."""

HOUSES: Final = """
CH, CHU, CHRU, CHR, CHI, CHIC, CHIV, CHM, CHS, CHC, CHT, CHIRC, GHT, GHU, GHR, GHI, GH, EPSM,
EPS, EPHAD, EHPAD, Ehpad, ehpad, MAPA, USLD, SSR, SMR, CMP, CMPP, CAMSP, CSAPA, CAARUD, CATTP,
PMI, HAD, MSP, CLCC, CRLCC, CRF, CMS, CLSC, EMS, HFR, CHVR, HIA, CRTH, SSM, CNP, RHNe, IME, ITEP,
SESSAD, MAS, FAM, CPEF, CDS, CPTS, SSIAD, USSR, UGECAM, chu, chru, chr, cmp, pmi, ssr, chic,
CIUSSS, CISSS, CHSLD, CSSS, CHP, CMC, CMCO, CRRF, CMPR, GMF de, GMF du, GMF des, GMF-U,
AURAD, AURAL, AURAR
"""
"""Acronyms that make a place of care with a name behind them, as written."""

KNOWN: Final = """
CHUV, HUG, AP-HP, APHP, AP-HM, APHM, HCL, Inselspital, Hospices civils de Lyon,
Assistance publique, Pitié-Salpêtrière, La Pitié, Salpêtrière, Necker-Enfants malades,
Hôtel-Dieu, Lariboisière, Val-de-Grâce, Bicêtre, Kremlin-Bicêtre, Henri-Mondor, Robert-Debré,
Armand-Trousseau, Georges-Pompidou, HEGP, Quinze-Vingts, Sainte-Anne, Bichat, Purpan, Rangueil,
Larrey, Oncopole, IUCT, Pellegrin, Haut-Lévêque, Lapeyronie, Gui-de-Chauliac,
Arnaud-de-Villeneuve, Édouard-Herriot, Lyon-Sud, Croix-Rousse, La Timone, Timone, Pontchaillou,
Hautepierre, Gustave-Roussy, Institut Curie, Léon-Bérard, Oscar-Lambret, Bergonié,
Paoli-Calmettes, Claudius-Regaud, Antoine-Lacassagne, Val d'Aurelle, Cavale Blanche, Brabois,
Dupuytren, Trousseau, Bretonneau, Laënnec, Sart-Tilman, Erasme, HUDERF, Brugmann, UZ Leuven,
Gasthuisberg, Saint-Luc, Citadelle, CHL, Kirchberg, Hirslanden, Pourtalès, Balgrist,
Sainte-Justine, Maisonneuve-Rosemont, Sacré-Cœur, CHUM, CUSM, Gabriel-Martin, Félix-Guyon,
Gaston-Bourret, EPSAN, CHIVA, CHICAS, CHPG, CHMS, AURAD, AURAL, AURAR, AUB Santé, AIDER Santé,
Calydial, Diaverum, NephroCare, Institut mutualiste Montsouris, Foch, Marie-Lannelongue,
Gustave Dron, Lenval, L'Archet, Pasteur 2, Jean-Minjoz, Guillaume-Régnier, Jeanne-de-Flandre
"""
"""Names that need no noun, with hyphen or space."""

CUED: Final = """
Purpan, Rangueil, Larrey, Pellegrin, Haut-Lévêque, Lapeyronie, Gui-de-Chauliac, Bicêtre,
Salpêtrière, Pitié-Salpêtrière, Lariboisière, Bichat, Cochin, Necker, Tenon, Beaujon, Rothschild,
Saint-Antoine, Saint-Louis, Ambroise-Paré, Georges-Pompidou, Pompidou, HEGP, Mondor,
Henri-Mondor, Robert-Debré, Trousseau, Avicenne, Jean-Verdier, Antoine-Béclère, Béclère,
Paul-Brousse, Louis-Mourier, Raymond-Poincaré, Garches, Édouard-Herriot, Lyon-Sud, Croix-Rousse,
Timone, Pontchaillou, Hautepierre, Brabois, Lenval, L'Archet, Pasteur 2, Carémeau, Salengro,
Roger-Salengro, Huriez, Calmette, Jeanne-de-Flandre, Cavale Blanche, Bretonneau, Dupuytren,
Minjoz, Jean-Minjoz, Estaing, Gabriel-Montpied, Gustave-Roussy, Léon-Bérard, Oscar-Lambret,
Bergonié, Paoli-Calmettes, Foch, Marie-Lannelongue, Val-de-Grâce, Percy, Bégin, Quinze-Vingts,
Sainte-Anne, Hôtel-Dieu, CHUV, HUG, Inselspital, Pourtalès, Balgrist, Hirslanden, Erasme,
Brugmann, Gasthuisberg, Sart-Tilman, MontLégia, Citadelle, Kirchberg, Félix-Guyon,
Gaston-Bourret, Gabriel-Martin, Médipôle
"""
"""Well-known names that need no noun after a verb of care, in any case ("vu à purpan")."""

COURTS: Final = """
barreau, tribunal judiciaire, tribunal de grande instance, tribunal pour enfants, tribunal, tj, tgi,
cour d'appel, cour d'assises, commissariat, gendarmerie, brigade de gendarmerie,
conseil de prud'hommes
"""
"""Nouns of law that make an organization with the town behind them."""

BODIES: Final = """
laboratoire, labo, manufacture, papeterie, conservatoire, athénée, justice de paix, base navale,
office cantonal, pharmacie, ambulances, école, collège, lycée, université, faculté, iut, crèche,
esat, ime, tribunal, tj, tgi, cour d'appel, barreau, commissariat, gendarmerie, brigade, mairie,
conseil départemental, cpam, caf, msa, mdph, mds, carsat, udaf, association, asso, foyer, usine,
garage, banque, crédit, sdis, samu, smur, pompes funèbres, office ai, chantiers, arsenal,
entrepôt, transports, taxis, taxi, agence, centre scolaire, centre commercial, groupe scolaire,
croix-rouge, ccas, cias, ars, maison des parents, maison des adolescents, cap emploi,
france victimes, ehpa, sos médecins, institution, sas, sarl, brasserie, boulangerie, supermarché,
hôtel, prison, maison d'arrêt, centre pénitentiaire, centre de détention, ufr,
chambre d'agriculture, ligue, institut de pathologie, centre de pathologie,
centre de biologie, institut de biologie, institut médico-légal, laboratoires,
gypserie, cabinet de pathologie, cabinet d'avocats, salon, crpv,
cap, police, préfecture, pfi, maison de justice, réseau, drive, camping, auberge, buffet,
amicale, section amicale, médiathèque, bibliothèque, musée, piscine, gymnase, théâtre
"""
"""Nouns that make an organization with a name behind them."""

KNOWN_BODIES: Final = """
SNCF, RATP, EDF, Engie, La Poste, Orange, Airbus, Renault, Peugeot, Michelin, ArcelorMittal,
TotalEnergies, Carrefour, Leclerc, Intermarché, Auchan, Lidl, Amazon, Adecco, Manpower, Randstad,
Onet, Bpost, SUVA, Suva, Helsana, Swica, Visana, Assura, Sanitas, Groupe Mutuel, Ethias,
Solidaris, Partenamut, MGEN, MAAF, MAIF, MACIF, Macif, Maif, AG2R, Malakoff Humanis,
Harmonie Mutuelle, CAFAT, Cerballiance, Biogroup, Eurofins, Unilabs, Viollier, Synlab, SYNLAB,
Inovie, Asten Santé, VitalAire, Air Liquide, Linde Homecare, SOS Oxygène, Elivie, Orkyn, ANGDM,
Croix-Rouge, Emmaüs, Secours populaire, Secours catholique, Restos du cœur, Banque de France,
CFDT, CGT, Médecins sans frontières, SOS médecins, ADMR, Pôle emploi, Cap emploi, CNP Assurances,
Allianz, AXA, Groupama, GMF, Matmut, Hénaff, Swissmedic, CNESST, Hydro-Québec, Office AI,
Linde, Cerba, Biomnis, Biomnis-Eurofins, Dinno Santé, Isis Diabète, Santélys, Agiradom,
Homeperf, France Oxygène, Ketterthill, Laboratoires Réunis, LaboSud, Inovie Labosud, Laborizon,
Commission européenne, Parlement européen, Conseil de l'Europe, OTAN, ONU, UNICEF, UNESCO,
Sciensano, AViQ, Fedasil, SPMi, Hospice général, France Travail, Association d'assurance accident,
Stellantis, Faurecia, Air France, RTM, STIB, TEC, CTS, FOREM
"""
"""Employers, insurers and laboratories that need no noun."""
