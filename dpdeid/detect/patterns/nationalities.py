"""Table of nationalities for `social`, masculine and feminine."""

from __future__ import annotations

from typing import Final

_BASE: Final = """
afghan/e albanais/e algérien/ne allemand/e américain/e angolais/e anglais/e argentin/e
arménien/ne australien/ne autrichien/ne azerbaïdjanais/e bangladais/e belge béninois/e
biélorusse birman/e bolivien/ne bosniaque brésilien/ne britannique bulgare burkinabè burundais/e
cambodgien/ne camerounais/e canadien/ne cap-verdien/ne centrafricain/e chilien/ne chinois/e
chypriote colombien/ne comorien/ne congolais/e coréen/ne croate cubain/e danois/e djiboutien/ne
dominicain/e égyptien/ne équatorien/ne érythréen/ne espagnol/e estonien/ne éthiopien/ne
finlandais/e français/e gabonais/e gambien/ne géorgien/ne ghanéen/ne grec grecque guinéen/ne
haïtien/ne hollandais/e hongrois/e indien/ne indonésien/ne irakien/ne iranien/ne irlandais/e
islandais/e israélien/ne italien/ne ivoirien/ne jamaïcain/e japonais/e jordanien/ne kazakh/e
kényan/e kosovar/e koweïtien/ne kurde laotien/ne letton/ne libanais/e libérien/ne libyen/ne
lituanien/ne luxembourgeois/e macédonien/ne malgache malien/ne maltais/e marocain/e mauricien/ne
mauritanien/ne mexicain/e moldave mongol/e monténégrin/e mozambicain/e néerlandais/e
néo-zélandais/e népalais/e nigérian/e nigérien/ne norvégien/ne ougandais/e ouzbek pakistanais/e
palestinien/ne panaméen/ne paraguayen/ne péruvien/ne philippin/e polonais/e portugais/e
roumain/e russe rwandais/e salvadorien/ne sénégalais/e serbe sierra-léonais/e slovaque slovène
somalien/ne soudanais/e sri-lankais/e suédois/e suisse surinamais/e syrien/ne tanzanien/ne
tchadien/ne tchétchène tchèque thaïlandais/e togolais/e tunisien/ne turc turque ukrainien/ne
uruguayen/ne vénézuélien/ne vietnamien/ne yéménite yougoslave zaïrois/e zambien/ne zimbabwéen/ne
"""

NATIONALITIES: Final = tuple(
    form
    for entry in _BASE.split()
    for stem, _, ending in [entry.partition("/")]
    for form in ((stem, stem + ending) if ending else (stem,))
)
"""Adjectives of nationality and of large peoples without a state of their own."""
