"""Names that a dictionary also has as words, where a reader of a note thinks of the name first.

Chosen by hand among the most frequent names of France: no source says how often a folded form is
the name and how often the word. Where the word is ordinary in a note ("rose", "petit", "claire",
"constant", "couturier") it stays a word.
"""

from __future__ import annotations

from typing import Final

_FIRST_NAMES: Final = """
    aida alexandra alexandrine alvin amadou ana angelique aubin auguste balthazar baptiste benjamin
    benoit brandon casimir celestin cesar charlotte cherif clarisse clemence clementine colin dan
    daphne delia denis dina dora doris elise florence florentin florentine franco gaspard germain
    germaine gilles gloria grondin guillaume guillemette hector henry hilaire honore jack jacques
    jan jeannette jenny joseph jules julien julienne laure leonard lia lise loris lorette luis
    madeleine maia marc marcel marguerite maria marina mark martial martin matisse maxime maya
    melodie micheline mina moise moussa murat noria oscar olivier pascal pascale patrice paulette
    peter pierrot regis rene renee richard robert romain romane rosa rosie sabine serge simon
    sylvain sylvestre tomas tommy veronique victoria virginie
"""

_SURNAMES: Final = """
    allais bardot beguin begue berthon bigot billard blanchet blondel boisseau bouvet bouvier
    brunet camus cartier castel causse chabot charrier chauvin collet combe combes cordier coutant
    demange doucet ducasse faucher fayard ferrer flores fortin foulon fournie fournier gaillard
    gallo gerber gille goujon grasset grimaud jacquet jacquot kaiser lebel maillet marchais martel
    martini mercier merlin mestre meunier millet minier moreau morales murat pelletier peres
    picard picot pineau pinot poirier poitevin potier poulain prevot privat renier romano roque
    rousseau saunier senechal serra servais soule tavernier valette verdier
"""

NAMES_FIRST: Final = frozenset((_FIRST_NAMES + _SURNAMES).split())
