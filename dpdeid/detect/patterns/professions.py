"""Tables of professions for `social`, masculine and feminine, and what may complete them."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.phrase import loose

_BASE: Final = """
accompagnateur/trice acheteur/euse acrobate acteur/trice administrateur/trice affûteur/euse
agriculteur/trice agronome ajusteur/euse altiste ambulancier/ère analyste animateur/trice
antiquaire apiculteur/trice arboriculteur/trice archéologue architecte archiviste armurier/ère
artificier/ère artisan/e artiste assureur/e astronome atsem aubergiste auto-entrepreneur/euse
autoentrepreneur/euse aviateur/trice avocat/e bagagiste banquier/ère barman batelier/ère
berger/ère bibliothécaire bijoutier/ère biologiste blanchisseur/euse boucher/ère boulanger/ère
bourrelier/ère brancardier/ère brasseur/euse brocanteur/euse bûcheron/ne buraliste cafetier/ère
caissier/ère camionneur/euse cantinier/ère cantonnier/ère cardeur/euse cariste carreleur/euse
carrossier/ère céramiste chapelier/ère charcutier/ère charpentier/ère chasseur/euse
chaudronnier/ère chauffagiste chauffeur/euse cheminot/e chercheur/euse chimiste chocolatier/ère
cinéaste coffreur/euse coiffeur/euse coloriste comédien/ne commercial/e commerçant/e comptable
concierge conducteur/trice confiseur/euse conseiller/ère contremaître/sse contrôleur/euse
coordinateur/trice cordonnier/ère coupeur/euse coursier/ère coutelier/ère couturier/ère
couvreur/euse crémier/ère crêpier/ère croupier/ère cuisinier/ère cultivateur/trice curé
danseur/euse décorateur/trice déménageur/euse démonstrateur/trice dentellière dessinateur/trice
détective diamantaire diplomate disquaire docker doctorant/e documentaliste dompteur/euse
douanier/ère dramaturge ébéniste éboueur/euse écailler/ère éclusier/ère économiste écrivain/e
éditeur/trice éducateur/trice électricien/ne électronicien/ne électromécanicien/ne éleveur/euse
employé/e encadreur/euse enseignant/e entraîneur/euse entrepreneur/euse épicier/ère ergonome
esthéticien/ne étudiant/e expert-comptable exploitant/e fabricant/e façadier/ère facteur/trice
factrice faïencier/ère ferblantier/ère fermier/ère ferrailleur/euse ferronnier/ère financier/ère
fleuriste fonctionnaire fondeur/euse footballeur/euse forain/e forestier/ère forgeron/ne
formateur/trice fraiseur/euse fromager/ère galeriste gantier/ère garagiste gardien/ne
garde-barrière garde-chasse garde-forestier gendarme géographe géologue géomètre gérant/e
gestionnaire glacier/ère gouvernante graphiste graveur/euse greffier/ère grutier/ère
guichetier/ère guide guitariste historien/ne horloger/ère horticulteur/trice hôtelier/ère hôte/sse
huissier/ère illustrateur/trice imprimeur/euse informaticien/ne ingénieur/e inspecteur/trice
instituteur/trice instit installateur/trice interprète jardinier/ère joaillier/ère jockey
journaliste jongleur/euse juge juriste laborantin/e laveur/euse lapidaire lavandière libraire
linguiste linotypiste livreur/euse logisticien/ne lunetier/ère luthier/ère lycéen/ne lingère
machiniste maçon/ne magasinier/ère magicien/ne magistrat/e maire maître-nageur manutentionnaire
maquettiste maquilleur/euse maraîcher/ère marbrier/ère marchand/e maréchal-ferrant mareyeur/euse
marin mariner marinier/ère maroquinier/ère masseur/euse matelot mathématicien/ne mécanicien/ne
mécano médiateur/trice menuisier/ère mercière métallo métallurgiste meunier/ère militaire mineur
miroitier/ère modéliste modiste moniteur/trice monteur/euse mouleur/euse musicien/ne naturaliste
navigateur/trice négociant/e notaire nourrice officier ostréiculteur/trice outilleur/euse
ouvreur/euse ouvrier/ère paludier/ère papetier/ère parfumeur/euse pasteur/e pâtissier/ère
patron/ne paysagiste paysan/ne peaussier/ère pêcheur/euse peintre perchman percussionniste
perruquier/ère philosophe photographe physicien/ne pianiste pilote pisciculteur/trice pizzaïolo
plâtrier/ère plombier/ère plongeur/euse poinçonneur/euse poissonnier/ère policier/ère
polisseur/euse pompier/ère pompiste porcelainier/ère postier/ère postière potier/ère
préparateur/trice présentateur/trice prêtre producteur/trice programmeur/euse professeur/e prof
professeure projectionniste prothésiste psychologue publicitaire puériculteur/trice ramoneur/euse
réalisateur/trice réceptionniste rectifieur/euse relieur/euse religieux/euse réparateur/trice
repasseuse représentant/e responsable député/e iade ibode restaurateur/trice retoucheur/euse
romancier/ère rouleur/euse routier/ère sableur/euse saisonnier/ère scénariste scieur/euse
sculpteur/trice secrétaire sellier/ère sérigraphe serrurier/ère serveur/euse sidérurgiste
sociologue sommelier/ère sondeur/euse soudeur/euse souffleur/euse standardiste styliste
surveillant/e tailleur/euse tapissier/ère taxi technicien/ne téléconseiller/ère télévendeur/euse
teinturier/ère tisserand/e tisseur/euse tôlier/ère tonnelier/ère topographe tourneur/euse
traducteur/trice trader traiteur/euse transporteur/euse tricoteuse tuyauteur/euse urbaniste
vannier/ère veilleur/euse vendeur/euse verrier/ère vétérinaire vidangeur/euse vigile vigneron/ne
violoniste viticulteur/trice vitrier/ère voilier/ère volailler/ère webdesigner zingueur/euse
pharmacien/ne infirmier/ère aide-soignant/e kinésithérapeute médecin dentiste orthophoniste
ergothérapeute psychiatre dermatologue chirurgien/ne opticien/ne ostéopathe sage-femme assistant/e
auxiliaire cadre chef/fe directeur/trice aide agent/e apprenti/e alternant/e opérateur/trice
stagiaire technico-commercial/e maître/sse aumônier/ère clerc procureur/e principal/e
pointeur/euse camelot écolier/ère collégien/ne bouilleur charretier/ère sabotier/ère lessiveuse
femme homme
skipper conchyliculteur/trice sylviculteur/trice élagueur/euse pépiniériste saunier/ère caviste
œnologue barista développeur/euse webmaster terrassier/ère étancheur/euse plaquiste staffeur/euse
cordiste scaphandrier/ère steward tatoueur/euse audioprothésiste toiletteur/euse podologue
sophrologue naturopathe croque-mort thanatopracteur/trice fossoyeur/euse légionnaire courtier/ère
palefrenier/ère pisteur/euse rugbyman handballeur/euse basketteur/euse régisseur/euse imam diacre
séminariste tenancier/ère barmaid majordome maître-chien convoyeur/euse frigoriste ascensoriste
organiste violoncelliste flûtiste accordéoniste trompettiste clarinettiste saxophoniste harpiste
chanteur/euse chorégraphe planteur/euse cueilleur/euse vendangeur/euse céréalier/ère vacher/ère
brodeur/euse matelassier/ère nettoyeur/euse balayeur/euse médiathécaire sacristain/e rabbin
pontonnier/ère puisatier charbonnier/ère rempailleur/euse cascadeur/euse ambassadeur/trice
sénateur/trice câbleur/euse égoutier/ère ripeur/euse actuaire statisticien/ne qualiticien/ne
"""

_COMPOUND: Final = """
professeur des écoles, professeurs des écoles, femme de ménage, homme de ménage,
femme de chambre, femme au foyer, mère au foyer, homme au foyer, père au foyer, femme à domicile,
aide ménagère, aide-ménagère, aide à domicile, aide soignante, aide soignant, aide de cuisine,
aide familiale, assistante maternelle, assistant maternel, assistante sociale,
assistante de direction, auxiliaire de vie, auxiliaire à domicile, auxiliaire de puériculture,
agent d'entretien, agente d'entretien, agent de sécurité, agent communal, agente communale,
agent immobilier, agent hospitalier, agent de service, agent territorial, agent technique,
agent de maîtrise, agent administratif, agente administrative, agent commercial,
agent de production, ingénieur, chef d'équipe, chef d'entreprise, chef de chantier,
chef de projet, chef d'atelier, chef de cuisine, cadre de santé, cadre bancaire,
cadre commercial, cadre infirmier, cadre supérieur, chauffeur routier, chauffeur-livreur,
chauffeur VTC, chauffeur de taxi, chauffeur de bus, chauffeur poids lourd, conducteur de bus,
conducteur de train, conducteur de travaux, conducteur d'engins, demandeur d'emploi,
demandeuse d'emploi, directeur d'école, directrice d'école primaire, employé de banque,
employée de banque, employé de bureau, employée de bureau, employé communal, employée communale,
homme d'affaires, femme d'affaires, homme politique, hôtesse de l'air, hôtesse de caisse,
maître nageur, maître nageuse, maître d'hôtel, maître d'œuvre, militaire de carrière,
mineur de fond, officier de marine, ouvrier agricole, ouvrière agricole, ouvrier d'usine,
ouvrière d'usine, peintre en bâtiment, artiste peintre, préparateur de commandes,
travail de bureau, préparatrice de commandes, préparatrice en pharmacie,
préparateur en pharmacie, sapeur-pompier, secrétaire médicale, secrétaire de mairie,
secrétaire de direction, secrétaire médicale, technicien de surface, technicienne de surface,
technicienne de laboratoire, technicien de maintenance, travailleur social, travailleuse sociale,
vendeuse en boulangerie, gardien de la paix, gardien d'immeuble, gardienne d'immeuble,
gérant de bar, garde du corps, garde d'enfants, expert comptable, marin pêcheur, marin-pêcheur,
patron pêcheur, monteur en bâtiment, salarié agricole, tailleur de pierre, tourneur-fraiseur,
vigneron-encaveur, charpentier de marine, peintre aéronautique, traductrice jurée,
pianiste accompagnatrice, intermittente du spectacle, intermittent du spectacle,
infirmière puéricultrice, charpentier-tôlier, étudiant infirmier, étudiante infirmière,
travailleur manuel, technicienne d'imagerie médicale, assistante juridique, journaliste sportif,
pompier d'usine, auto-entrepreneur, conductrice de train, prof des écoles,
pilote de ligne, aiguilleur du ciel, surveillant pénitentiaire, surveillante pénitentiaire,
prothésiste ongulaire, assistante dentaire, négociant en vins, commis de cuisine
"""


def _forms(entry: str) -> tuple[str, ...]:
    """Masculine and feminine of one entry: "acheteur/euse", "boucher/ère", "agent/e"."""
    stem, _, ending = entry.partition("/")
    if not ending:
        return (stem,)
    if stem.endswith("eux"):
        return (stem, stem.removesuffix("eux") + ending)
    if ending in ("euse", "trice"):
        return (stem, stem.removesuffix("teur" if ending == "trice" else "eur") + ending)
    if ending == "ère":
        return (stem, stem.removesuffix("er") + "ère")
    if ending == "sse":
        return (stem, stem.removesuffix("e") + "esse")
    return (stem, stem + ending)


NOUNS: Final = tuple(
    sorted({form for entry in _BASE.split() for form in _forms(entry)} - {"femme", "homme"})
)
"""Single nouns, masculine and feminine."""

COMPOUNDS: Final = tuple(phrase.strip() for phrase in _COMPOUND.split(","))
"""Professions of several words."""

_CARER_STEMS: Final = """
pharmacien infirmi aide-soignant kinésithérapeute médecin dentiste orthophoniste ergothérapeute
psych dermatologue chirurgien opticien ostéopathe sage-femme secrétaire assistant cadre
brancardier ambulancier prothésiste technicien biologiste auxiliaire aide puéricult interprète
préparat stagiaire responsable député/e iade ibode ibode plombier/ère directeur directrice chef
principal professeur juge prof$ médiat éducat agent$ guide religieu pilote laborantin opérat
pompier gendarme policier mineur maire maîtresse glacier officier facteur conseill voilier
gardien patron taxi contrôl coordinat hôte écrivain$ maître$ représentant pasteur curé trader
surveillant sondeur assureur aumônier coursier
"""

CARERS: Final = re.compile("|".join(map(loose, _CARER_STEMS.split())), re.IGNORECASE)
"""Professions that staff and other people of a note bear too: they need more than their place."""
