"""Names that a dictionary also has as words, where a reader of a note thinks of the name first.

Chosen by hand among the most frequent names of France: no source says how often a folded form is
the name and how often the word. Where the word is ordinary in a note ("rose", "petit", "claire",
"constant", "couturier") it stays a word.
"""

from __future__ import annotations

from typing import Final

_FIRST_NAMES: Final = """
adele aida alexandra alexandrine alvin amadou amandine amina ana angelique aubin auguste augustin
augustine aurelie balthazar baptiste benjamin benoit brandon caroline casimir celestin cesar
charlotte cherif clarisse claude clemence clement clementine colin dan daphne delia denis dina dora
doris elise eugenie fanny florence florentin florentine franco gaspard germain germaine gilles
gloria grondin guillaume guillemette hector henry hilaire honore isabelle jack jacqueline jacques
jan jean jeannette jenny joseph jules julien julienne laure leonard lia lino lise lolita lorette
loris louis luis madeleine maia marc marcel marguerite maria marie marina mark martial martin
matisse maxime maya melodie micheline mina moise moussa murat noria oceane olivier oscar pascal
pascale patrice paulette peter philippine pierrette pierrot regis rene renee richard robert romain
romane rosa rosalie rosie sabine salome sana serge simon sylvain sylvestre tomas tommy valentin
valentine veronique victoria virginie zoe
"""

_SURNAMES: Final = """
allais bardot bastide bayle begue beguin berthon besson bigot billard blanchet blondel boisseau
bonnard bouvet bouvier bru brunet camus caron cartier castel causse chabot charlot charrier charron
chauvin collet combe combes corbin cordier cormier coutant demange doucet ducasse faucher fayard
ferrer flores fortin foulon fournie fournier froment gaillard gallo gerber gille goujon grasset
grimaud guyot jacquet jacquot kaiser labbe lebel lutz maillard maillet marchais martel martini
martins mercier merlin mestre meunier millet minier morales moreau murat parmentier pelletier pepin
peres perron picard picot pineau pinot poirier poitevin portal potier poulain prevot privat renier
romano roque rousseau saunier senechal serra servais soule tavernier terrien valette verdier weber
"""

NAMES_FIRST: Final = frozenset((_FIRST_NAMES + _SURNAMES).split())
