"""Tables of specialties and units for `care`: what may follow "service de"."""

from __future__ import annotations

from typing import Final

from dpdeid.detect.patterns.phrase import one_of, opening

SPECIALTIES: Final = """
addictologie, kardiologie, innere medizin, gynäkologie, pädiatrie, allergologie, allergo,
anatomopathologie, anatomie pathologique, anatomie et cytologie pathologiques,
neurosciences cliniques, neuroréhabilitation, soins intermédiaires, pédiatrie ados,
diabète et grossesse, psychotrauma, médico-judiciaire, maladies vasculaires, anesthésie,
anesthésie-réanimation, angiologie, aval des urgences, accueil des urgences, biologie médicale,
bloc opératoire, brûlés, cancérologie, cardiologie, cardio, chirurgie, chir, chir., chrurgie,
court séjour gériatrique, déchocage, dermatologie, dermato, diabétologie, diabéto, dialyse,
endocrinologie, endocrino, endoscopie, essais précoces, exploration fonctionnelle,
explorations fonctionnelles, fœtopathologie, gastro-entérologie, gastroentérologie, gastro,
génétique, gériatrie, grossesse à haut risque, grossesses à haut risque,
grossesses à hauts risques, grossesse pathologique, grossesses pathologiques, gynécologie,
gynécologie-obstétrique, gynéco, hématologie, hémato, hémodialyse, hépatologie,
hépato-gastro-entérologie, hospitalisation à domicile, hôpital de jour, imagerie,
imagerie médicale, immunologie, infectiologie, maladies infectieuses, maladie infectieuse,
maladies métaboliques, maternité, médecine, médecine interne, médecine polyvalente,
médecine nucléaire, médecine du travail, médecine physique et de réadaptation, mpr, néonatalogie,
néonatologie, néonat, néphrologie, néphro, neurochirurgie, neurologie, neuro, neurovasculaire,
neuroradiologie, neuro-gériatrie, nutrition, obstétrique, oncologie, onco,
oncologie-radiothérapie, ophtalmologie, ophtalmo, orl, orthogériatrie, orthopédie, ortho,
orthopédie-traumatologie, traumatologie-orthopédie, pédiatrie, pédopsychiatrie, pharmacie,
plaies et cicatrisation, pathologies professionnelles, pneumologie, pneumo, post-urgences,
psychiatrie, psy, psychogériatrie, radiologie, radiothérapie, réanimation, réa, rea, rééducation,
réadaptation, rhumatologie, rhumato, soins continus, soins intensifs, soins palliatifs,
soins de suite, soins de suite et de réadaptation, stomatologie, suites de couches, toxicologie,
transplantation, traumatologie, traumato, urgences, urg, urologie, uro, virologie, bactériologie,
mère-bébé, locomoteur, cérébrovasculaire, surveillance continue, salle de thérapie cellulaire,
méd a, méd b, méd c, méd d, méd interne, méd poly,
femme-enfant, femme-mère-enfant, mère-enfant, policlinique, ssr neuro,
rythmologie, rythmologie et stimulation cardiaque, stimulation cardiaque, électrophysiologie,
sénologie, tabacologie, phlébologie, proctologie, andrologie, odontologie,
chirurgie orale, épileptologie, immuno-hématologie, immunologie clinique, oncogénétique,
oncopédiatrie, hépatologie, médecine légale, médecine physique, médecine vasculaire,
oto-rhino-laryngologie, anatomo-pathologie, imagerie interventionnelle,
algologie, douleur, vieillissement, gérontologie, chirurgie cardiaque, consultation mémoire,
diagnostic anténatal, diagnostic prénatal, médecine fœtale, révalidation, guidance infantile,
psychiatrie de l'enfant et de l'adolescent, psychiatrie de l'adulte, psychiatrie du sujet âgé,
médecine de l'adolescent, médecine du sommeil, mater
"""
MODIFIERS: Final = """
adulte, adultes, psychiatriques, ados, ambulatoire, aiguë, aigue, bariatrique, cardiaque,
cardio-vasculaire, cardiovasculaire, cervico-faciale, chirurgicale, chirurgicaux, clinique,
conventionnelle, de la main, de liaison, de neurologie, de cardiologie, de jour, de semaine,
de l'enfant, digestive, digestif, du rachis, endocrinienne, générale, gériatrique, gériatriques,
gynécologique, gynécologiques, hépato-biliaire, hépatobiliaire, infantile, infantiles, intensive,
interne, interspécialité, interspécialités, interventionnelle, maxillo-faciale, médicale,
médicales, médicaux, mobile, mammaire, néonatale, néonatales, neurologique, néphrologiques,
obstétricale, obstétricales, obstétriques, oncologique, orthopédique, orthopédie, pédiatrique,
pédiatriques, ped, péd, plastique, polyvalente, polyvalents, poly, prénatale, professionnelle,
reconstructrice, respiratoire, respiratoires, sénologique, spécialisée, thoracique,
traumatologique, urologique, vasculaire, vasculaires, viscérale, visc, viscéral, néonatologie,
onco, méd, med, cardio, neuro, mémoire, aval des urgences, secteur aval des urgences,
- aval des urgences, sport, hépatique, intensifs, palliatifs, covid, post-urgences,
traumatisé médullaire
"""
_LINK: Final = r"(?:[ /-]| (?:et|ET) | et de | [-–] |, | & )"

UNIT: Final = (
    rf"{opening(SPECIALTIES)}{one_of(SPECIALTIES)}\b"
    rf"(?:(?:{_LINK}){one_of(f'{SPECIALTIES}, {MODIFIERS}')}\b){{0,4}}"
    rf"(?: [A-H1-4]\b(?![.'/,]\d| \d))?"
)
"""One specialty with what follows it: "chirurgie digestive C", "ORL et chirurgie cervicale"."""

SHORT_UNITS: Final = """
UHCD, SAU, USIC, USC, USI, SSPI, UNV, USP, USLD, UCC, UGO, GHR, UPOG, UMJ, UMPSP, USINV, UPATOU,
EMSP, CMRR, CPDPN, réa, rea, réanimation néonatale, urg péd, urgences pédiatriques,
urgences gynécologiques, urgences obstétricales, urgences adultes, chir visc, chir ortho, néonat,
neonat, lits-porte
"""
"""Units whose short name is enough."""
