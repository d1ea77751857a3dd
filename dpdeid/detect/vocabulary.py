"""Closed lists of French words that stand around names, and what each word may be in a note.

`TRAITS` gives the bits of one folded word: list membership (gazetteers) and role in a sentence
(title, kinship noun, particle …). It is the only place where names meet the gazetteers, so that
every detector of people weighs the same evidence. Not a list of names: those are data.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.labels import Role, Sex
from dpdeid.memo import Memo
from dpdeid.normalize import fold


def words(text: str) -> frozenset[str]:
    """The words of a list written with spaces."""
    return frozenset(text.split())


WORD: Final = 1
"""An ordinary word: no evidence for a name."""
FIRST: Final = 2
"""In the list of first names."""
LAST: Final = 4
"""In the list of surnames."""
COMMON: Final = 8
"""Among the most frequent surnames."""
STOP: Final = 16
"""Never part of a name, whatever stands before it."""
TITLE: Final = 32
"""A civility or a degree; a name follows it in any case."""
ROLE: Final = 64
"""A profession or kinship noun; a name may follow it."""
PARTICLE: Final = 128
"""Begins or joins a surname."""
EPONYM: Final = 256
"""Stands alone for a sign, score or disease; a person only after a title."""
FREQUENT: Final = 512
"""Among the most frequent first names."""
ANCHOR: Final = 1024
"""A name may follow: titles, roles, "née", "nom", and the marks of headers and typists."""
LETTER: Final = 2048
"""A single letter."""
SOLE: Final = 4096
"""In a list of names and no ordinary word."""
LISTED: Final = FIRST | LAST
"""In a list of names."""
CALL: Final = TITLE | ROLE
"""A name may follow it, and hardly is it."""
CLOSED: Final = STOP | TITLE
"""No part of a name."""
NO_NAME: Final = STOP | TITLE | ROLE
"""No part of a name, or hardly one."""
_COMMON_RANKS: Final = 4000
_FREQUENT_RANKS: Final = 600

TITLES: Final = {
    **dict.fromkeys(
        words(
            "m mr mrs mme mmes mm melle mlle mles mlles monsieur messieurs madame mesdames"
            " mademoiselle mesdemoiselles"
        ),
        Role.UNKNOWN,
    ),
    **dict.fromkeys(
        words(
            "dr drs dre dres dresse dresses drsse docteur docteure docteurs docteures doc pr prs"
            " pre prof profs"
            " professeur professeure professeurs me mtre maitre"
        ),
        Role.STAFF,
    ),
}
"""Civilities and degrees, with the role of who bears them."""

PLURAL: Final = words(
    "mm mmes messieurs mesdames drs dres docteurs docteures prs profs professeurs"
)
"""Titles before a list of names."""

STAFF: Final = words(
    "brigadier commandant lieutenant gendarme commissaire ide ides idel idec tech iade ibode"
    " interne internes externe as ash infirmier infirmiere infirmieres soignant soignante kine"
    " kinesitherapeute psychologue psy psychiatre ergo ergotherapeute orthophoniste ortho"
    " orthoptiste dieteticien dieteticienne diet pharmacien pharmacienne preparateur preparatrice"
    " sf maieuticien femme manip manipulateur manipulatrice brancardier brancardiere ambulancier"
    " secretaire anesthesiste anesth chirurgien chirurgienne chir operateur operatrice cadre"
    " puericultrice auxiliaire technicien technicienne biologiste gyneco cardiologue pediatre"
    " radiologue neurologue urologue urgentiste reanimateur geriatre generaliste medecin confrere"
    " consoeur collegue educateur educatrice educ instit institutrice maitresse professeur pasteur"
    " abbe imam rabbin aumonier notaire juge adjudant capitaine coursier vigile veilleur veilleuse"
    " surv surveillant surveillante insp inspecteur sgt cpl nounou amb biol assist physicien"
    " mandataire avocat avocate mediateur mediatrice interprete"
    " remplacant remplacante etudiant etudiante esi stagiaire socio coordinatrice assistante"
    " assistant"
)
FAMILY: Final = words(
    "epoux epouse mari femme conjoint conjointe compagnon compagne concubin concubine ami amie"
    " copain copine fiance fiancee fils fille filles enfant enfants garcon bebe bb pere mere maman"
    " papa frere freres soeur soeurs oncle tante neveu niece cousin cousine gendre bru voisin"
    " voisine jumeau jumelle jumeaux aine ainee cadet cadette parrain marraine aidant aidante"
    " tuteur tutrice curateur curatrice grand papi mamie papy mamy belle veuf ex beau pote"
)
NAMING: Final = words(
    "prenom prenomme prenommee nomme nommee surnomme surnommee surnom dit dite alias appele appelee"
)
"""Words that say that a name follows."""

MAIDEN: Final = words("nee ne epouse ep epse veuve vve divorcee mariee alias dite nom")
"""Words between two surnames of one person."""

_MARKS: Final = frozenset(":=|/")
HEADERS: Final = {
    **dict.fromkeys(
        words(
            "patient patiente patients nom noms prenom prenoms naissance usage marital epouse"
            " nais naiss jeunefille identite concerne objet assure assuree resident residente"
            " eleve beneficiaire usager client etatcivil conjugal usuel famille nne"
        ),
        Role.PATIENT,
    ),
    **dict.fromkeys(
        words(
            "maman papa mere pere conjoint epoux mari fils fille soeur frere contact confiance"
            " tuteur prevenir accompagnant tutrice curateur curatrice temoin"
        ),
        Role.RELATIVE,
    ),
    **dict.fromkeys(
        words(
            "traitant mt operateur operateurs operatrice chirurgien chirurgiens aide aides"
            " anesthesiste anesthesistes anesth ibode iade ide interne internes externe redacteur"
            " redactrice signataire signe signature prescripteur prescriptrice demandeur"
            " demandeuse destinataire destinataires correspondant correspondants copie copies cc"
            " double visa medecin medecins med responsable senior referent referente radiologue"
            " radiologues manip preleveur biologiste biologistes pathologiste kine"
            " kinesitherapeute presents present presentes excuses excuse cardiologue pharmacien"
            " pharmacienne technicien technicienne declarant dictee secretaire sec sage lecture"
            " relecture valide validation validateur redige dicte saisie frappe auteur emetteur de"
            " a from to pour adresseur requerant infirmier infirmiere infirmiers psychologue cadre"
            " examinateur realise par"
        ),
        Role.STAFF,
    ),
}
"""Last word before the colon of a header whose value is a name."""

PARTICLES: Final = words(
    "de du des d la le les l van von vanden vander den der ter ten zu zum el al ben bel ould bou"
    " abou abu aboud dos da do das di del della delle mac mc o st saint sainte y san santa ait ibn"
    " bint oulad hadj sidi lo te op wa n"
)
LATE_PARTICLES: Final = words("da dos do das van von den der ben el y dit di del della wa ould al")
"""Particles that may stand in lower case inside a surname."""

BEFORE_PERSON: Final = words(
    "par avec chez contacter appeler prevenir prevenu prevenue appel avis selon cher chere chers"
    " confrere bonjour bonsoir coucou slt salut merci signe rappeler joindre voir pour dixit via"
)
BESIDE_PERSON: Final = words("avec chez contacter appeler prevenir prevenu prevenue rappeler")
"""Of these, the words that stand before a person rather than before a thing."""
LATIN: Final = words(
    "coli aureus pylori difficile albicans pneumoniae farinae faecalis cloacae monocytogenes"
    " burgdorferi jirovecii fumigatus glabrata mirabilis influenzae trachomatis vaginalis gondii"
    " immitis pyogenes agalactiae tuberculosis falciparum vivax bassiana"
    " varum valgum recurvatum flexum varus valgus cavus planus adductus rigidus equinus"
)
"""Species after an initial and forms of limbs, which are Latin: "E. Coli", "Genu varum"."""
SIGN_OFF: Final = words(
    "cordialement confraternellement amicalement amities bises bisous sentiments salutations"
    " respectueusement sincerement devoue devouee affectueusement remerciements merci toi"
)
"""Words that close a letter; what stands alone on the next line is who signs."""
DOES: Final = words(
    "est a presente beneficie consulte vit se etait avait dit refuse semble rapporte decrit prend"
    " sera va n ne s demande reste mange dort veut"
)
"""Verbs after a person's name at the beginning of a sentence."""
STREETS: Final = words(
    "rue avenue av bd boulevard bld blvd place pl square impasse allee allees chemin route quai"
    " cours hopital clinique lycee college ecole centre parc villa cite residence pavillon"
)
"""Nouns whose proper name may be a person's."""
BEFORE_PLACE: Final = words(
    "rue avenue av bd boulevard bld blvd place pl square sq impasse allee allees chemin ch route"
    " rte quai cours passage villa cite residence res hameau lotissement lieu hopital hopitaux chu"
    " chr chru clinique polyclinique cliniques centre institut ehpad maison foyer lycee college"
    " ecole creche stade laboratoire labo pharmacie societe sarl garage boulangerie usine port"
    " pont tour batiment bat fondation groupe groupement site pavillon amphi salle unite service"
    " parc pole office royal gare eglise quartier commune ville canton departement st saint sainte"
    " chambre chapelle domaine rsd ambulances ambulance mutuelle assurance cabinet fam mas ssr"
    " camping hotel restaurant aeroport"
)

_STOP: Final = words(
    "est a as ai ont et ou ni mais donc car que qui quoi dont un une aux au ce cet cette ces son"
    " sa ses leur leurs mon ma mes votre vos notre nos pour par avec sans sous sur dans chez vers"
    " en lors puis ainsi ne pas plus non oui se s c j t il elle ils elles on nous vous je tu etait"
    " sera etant ayant nee age agee ans an jour jours mois semaine chef service hopital chu ipp"
    " nip ddn rpps adeli finess tel fax email mail dect bip poste ph cca pui hdj has epouse veuve"
    " vit va vient dit depuis apres avant cher chere chers entree sortie vu vue le_ garde traitant"
    " responsable consultation consultant decede decedee sort rentre presente beneficie confrere"
    " collegue lundi mardi mercredi jeudi vendredi samedi_ dimanche_ janvier_ objet signe docteur"
    " professeur medecin mal ici ca si tout tres bien cf nb ok rdv associe associee hospitalier"
    " hospitaliere adjoint titulaire inspecteur president presidente directeur directrice maire"
    " procureur prefet juge coordinateur coordonnateur courant ttt date heure numero num adresse"
    " telephone sexe nom prenom prenoms noms usage naissance refere referent ref copie secretariat"
    " patient patiente poids taille civilite cabinet clinique centre gln inami nas avs eds dpi"
    " dossier sejour uf um cs vous_ concernant informee informe mme mr dr pr madame monsieur fait"
    " prof catarrhalis tuberculosis genitalium hominis kansasii"
)
ABBREVIATED_ROLES: Final = words(
    "surv insp amb assist biol anesth chir diet sec infirm kine ortho gyneco psy med"
)
SHORT_ROLES: Final = words(
    "ide ides idel idec iade ibode as ash sf esi psy ergo kine diet manip chir anesth aes mkde"
)
"""Short names of professions that stand after a name: "Christelle IDE"."""
DEGREES: Final = words("md phd msc bsc dsc frcpc frcsc frcs frcp facs facc fesc crcpc mph mba febu")
"""Degrees and memberships that stand after a name: "Julie Côté, MD"."""
FACULTIES: Final = words("med medic sc phil rer nat dent vet techn iur")
"""What stands between a title and a name: "Dr sc. nat. Aline Weber"."""
FIELDS: Final = words("niss ipp nda iep nir nss rpps inami inr nam ramq ddn dect bip adeli finess")
"""Heads of fields and of results in capitals: what stands behind them is no part of a name."""
GREETINGS: Final = words("bonjour bonsoir salut coucou slt bjr cdt cdlt")
"""Words that open or close a letter."""
_ORDINARY: Final = words(
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre nais"
    " collet nadir fournie noel sylvienne adelphe antero urban semi care ugo dai campenspaques"
    " pentecote toussaint assomption ascension epiphanie aid ramadan kippour hanouka thu jan sun"
    " mon fri feb apr jun jul aug sep oct nov dec tue wed regul rea irm tdm tep scan eeg ecg enmg"
    " emg avc ait hta bpco paco asat alat cpk ains anca baar elisa aspa alsace languedoc normandie"
    " bretagne maroc algerie tunisie portugal espagne italie turquie france liban senegal"
    " guadeloupe martinique reunion mayotte suisse belgique doudou kine check tech idec mst opj"
    " ide maia saos tapp eva abdo mini crest prot alb creat leuco bili ferrit fibri tropo lipas"
    " prado lata niss iao ssiad evar ttr adamts walant"
    " gazo rachi reinke dosi reco biol remp palu gsm table courier iva vl niss lamal stent stente"
    " stentee stentes stentees trophicite arac spiro"
)
_EPONYMS: Final = words(
    "glasgow babinski parkinson alzheimer charcot barthel lasegue rankin doppler holter guillain"
    " barre crohn hodgkin apgar norton braden lawton katz tinetti romberg murphy mcburney fallot"
    " down turner horton basedow graves hashimoto cushing addison conn raynaud gougerot sjogren"
    " behcet still kawasaki wegener goodpasture berger alport marfan ehlers danlos ebstein child"
    " pugh gleason clark breslow bethesda gram koch ziehl dukes schober lachman froment tinel"
    " phalen trendelenburg thompson homans swan ganz foley redon blake jackson pratt killip"
    " forrester framingham fazekas cockcroft gault holmes hoehn yahr wernicke korsakoff broca"
    " huntington tourette wilson gilbert dupuytren scheuermann baker segond garden salter harris"
    " weber gustilo schatzker duke jones valsalva kussmaul cheyne stokes brudzinski kernig"
    " hoffmann hoffman chvostek trousseau blumberg douglas meckel ogilvie mallory weiss barrett"
    " zenker hartmann whipple bricker billroth lichtenstein miller dix hallpike epley semont"
    " meniere rinne bell willis sylvius monro arnold lisfranc chopart achille pavlik ponseti"
    " barlow ortolani moro denver ballard silverman bishop pfannenstiel kristeller kiwi braxton"
    " hicks rhesus coombs biermer vaquez kaposi burkitt waldenstrom kahler bence ranson balthazar"
    " ann arbor osler duroziez janeway libman lyell stevens johnson quincke jakob creutzfeldt lewy"
    " binswanger lhermitte uhthoff moya bouchard heberden moore paget jersey finkelstein quervain"
    " spurling hawkins neer jobe yocum merle aubigne ilizarov kirschner steinmann mobitz"
    " wenckebach brugada luciani wolff parkinsonien hamilton beck montgomery asberg folstein"
    " dubois grober buschke karnofsky zarit zubrod lugano rockall forrest sengstaken blakemore"
    " linton mayo truelove witts marsh vater oddi wirsung santorini glisson couinaud kupffer lynch"
    " gardner bartter gitelman fanconi lowe bowman henle tenckhoff scribner cimino brescia kt"
    " seldinger tisseel liebermann burch manchester cobb risser tanner prader willi klinefelter"
    " noonan angelman edwards patau rett west lennox gastaut dravet jacksonienne todd ramsay hunt"
    " zona adams duchenne becker steinert friedreich refsum fabry gaucher pompe pick hurler"
    " takayasu churg strauss erdheim chester castleman sweet reiter bazin kaplan meier likert"
    " epworth berlin pittsburgh conners snellen parinaud monoyer ishihara amsler goldmann schirmer"
    " schlemm descemet tenon kocher farabeuf hegar pozzi mallampati cormack macintosh magill"
    " guedel yankauer venturi ringer hartman hepburn stewart fick starling frank laplace"
    " poiseuille kerley westermark hampton bochdalek morgagni larrey chiari dandy walker lisch"
    " koplik forchheimer trail stroop wechsler rorschach binet rey hounsfield larsen horner devic"
    " bankart hill sachs virchow bright bentall simpson scarpa colles pouteau cauchoix duparc"
    " crest cooper jamar borg tardieu bravais arial latarjet mac burney humphrey fuchs witzel"
    " lowenstein jensen bonferroni wilcoxon fisher pearson wright benson eaton tiffeneau valleix"
    " homan mandard karasek kleinert cotard clerambault lequesne campens charriere chaussier"
    " besnier judkins goutallier morison tsuge"
    " bruch barety maddrey kehr milligan felty cogan gerstmann balint spitz apfel legius mccune"
    " gunn"
    " lalouette browder capgras jerger beckmann babcock saeed baudelocque knaus gelle rosenmuller"
    " politzer dartevelle madden briganti kegel courvoisier schenkenberg tullio hennebert westgard"
    " levey jennings marchiafava letournel seidel bohler pfirrmann modic dawson curcio pautrier"
    " hasson hertel alvarado kabat jacquemier mcroberts heimlich bernheim judet begaud eschmann"
    " mohs"
    " wellens junius kuhnt steinberg laubry"
    " ackerman akin alajouanine auer auerbach barouk bickel brachmann bragard brauer cajal"
    " camurati caplan carney carvallo caton cheney cloquet costello cotrel covi cribier dor"
    " dreifuss dubousset durosier ehrmann ellison engelmann fitzpatrick foix franceschetti"
    " freiberg frenzel gartner gehrig gimbernat goldberger griscelli hajdu hakki harrington henoch"
    " herick hodges hogg holzmann houston jankovic kaloustian kerboull kindler knobloch lancaster"
    " landing lauge leber lemierre lemmel lenegre lenz leri levine littre loeffler loffler luque"
    " maddox maffucci malpuech maroteaux matti meige meinecke meissner merrer merten mingarelli"
    " mobius monaldi moussous mueller naguib nevo nissen oppenheim patey patton peel peyer"
    " politano potocki potts qazi raimondi raskin rasmussen rastelli rieger ritchie salzmann"
    " sanfilippo schaaf schepens schlatter sensenbrenner senter sever snyder soave sottas spaeth"
    " spiegel tirone turcot ullrich warburton yacoub zollinger"
)


_MEDICAL_ENDING: Final = re.compile(
    r"(?:(?:log|path|phil|gen|lyt|cyt|plas|troph|trop|tom|graph|scop|pt|ct|st|bit|mat|rrhag|pleg|alg"
    r"|mnes|tox|mbol|nem|rem|lem)iques?|(?:path|phil|nem|rem|lem|pen|plas|troph|tom|graph|scop"
    r"|rrhag|pleg|alg|log|megal|ectas)ies?|(?:gramme|cytose|sclerose|stenose|rrhee|oide|logue"
    r"|isme|mateux|mateuse|cytaire|isation)s?)\Z"
)
_FORMED: Final = 8
"""Letters from which a word with such an ending is no name: "prééclamptique", "phlébitique"."""


@cache
def _frequent() -> frozenset[str]:
    return frozenset(
        fold(name)
        for sex in (Sex.FEMALE, Sex.MALE)
        for name in gazetteers.first_name_list(sex)[:_FREQUENT_RANKS]
    )


def _traits(word: str) -> int:
    """The bits of one folded word; 0 for a number, a mark or a word that no list knows."""
    if not word.isalpha():
        return ANCHOR if word in _MARKS else 0
    bits = LETTER if len(word) == 1 else 0
    if word in gazetteers.words():
        bits |= WORD
    if word in gazetteers.first_names():
        bits |= FIRST
    rank = gazetteers.surnames().get(word)
    if rank is not None:
        bits |= LAST | (COMMON if rank < _COMMON_RANKS else 0)
    ordinary = word in _ORDINARY
    if ordinary or (not bits and len(word) >= _FORMED and _MEDICAL_ENDING.search(word)):
        bits |= WORD
    if word in _STOP:
        bits |= STOP | WORD
    if word in TITLES:
        bits |= TITLE
    if word in STAFF or word in FAMILY or word in NAMING:
        bits |= ROLE | WORD
    if bits & LISTED and not bits & WORD:
        bits |= SOLE
    if bits & CALL or word in MAIDEN or word in ("patient", "patiente"):
        bits |= ANCHOR
    if word in PARTICLES:
        bits |= PARTICLE
    if word in _EPONYMS:
        bits |= EPONYM
    if word in _frequent() and not ordinary:
        bits |= FREQUENT
    return bits


TRAITS: Final = Memo(_traits)
"""The bits of each folded word; 0 for a number, a mark or a word that no list knows."""

ANCHORS: Final = Memo(lambda word: TRAITS[word] & ANCHOR)
"""Nothing for a folded word that no name may follow."""
