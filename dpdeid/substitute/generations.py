"""First names by the years in which they were usual in France: nobody born in 1931 is called Enzo.

Written for this project from common knowledge of French first names; no list was copied. A name
stands in every generation in which it sounds its age. Not a list of all first names: those who have
no known birth year draw from `dpdeid.gazetteers`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from dpdeid.labels import Sex
from dpdeid.substitute.shapes import listed

STARTS: Final = (1930, 1948, 1964, 1980, 1997)
"""First birth years of the second and later generations."""

_USUAL: Final = {
    Sex.FEMALE: (
        "Germaine Yvonne Madeleine Suzanne Marcelle Simone Renée Paulette Denise Lucienne Andrée"
        " Georgette Odette Raymonde Henriette Thérèse Gilberte Fernande Solange Ginette Huguette"
        " Augustine Berthe Léontine Eugénie Alphonsine Gisèle Rolande Micheline Arlette Edmonde"
        " Yvette Lucette Juliette Albertine Clémence Joséphine Rosalie Anna Hortense Irène Élise"
        " Émilienne Alice Aline Antoinette Angèle Adrienne Emma Elvire Olga Ida Marguerite Jeanne"
        " Louise Blanche Charlotte Marthe Lucie Cécile Pauline Reine Mathilde Gabrielle",
        "Monique Françoise Jacqueline Jeannine Yvette Colette Josette Paulette Denise Simone"
        " Ginette Gisèle Huguette Pierrette Raymonde Georgette Odette Lucette Claudette Mauricette"
        " Bernadette Thérèse Christiane Nicole Claudine Liliane Micheline Arlette Andrée Irène"
        " Éliane Élisabeth Annie Anne Antoinette Edith Odile Ursule Alice Eugénie Évelyne Edmée"
        " Madeleine Marcelle Renée Rolande Solange Suzanne Louisette Josiane Marinette Paule"
        " Geneviève Hélène Lydie Rosette Denyse Régine Michèle Nelly Ghislaine Cécile",
        "Martine Brigitte Chantal Nicole Françoise Danielle Michèle Christiane Josiane"
        " Maryse Sylvie Catherine Patricia Véronique Ghislaine Nadine Mireille Christine Marylène"
        " Jocelyne Joëlle Régine Viviane Roselyne Béatrice Pascale Corinne Claudine Liliane"
        " Bernadette Marie Florence Geneviève Hélène Thérèse Fabienne Yolande Lydie Muriel"
        " Annie Annick Élisabeth Évelyne Éliane Agnès Anne Arlette Odile Isabelle Edwige Élyane"
        " Armelle Astrid Ariane Édith Anita Elvire Ursula Irène",
        "Nathalie Sandrine Stéphanie Valérie Laurence Karine Virginie Delphine Céline Séverine"
        " Christelle Sophie Sylvie Véronique Florence Corinne Patricia Caroline Carole Cécile"
        " Laëtitia Magali Magalie Muriel Fabienne Myriam Nadège Ludivine Vanessa Sabrina Katia"
        " Gaëlle Gwenaëlle Christine Béatrice Pascale Rachel Claire Nadia Sonia Samira Frédérique"
        " Isabelle Élodie Émilie Estelle Anne Agnès Aurélie Alexandra Audrey Angélique"
        " Emmanuelle Edwige Ingrid Odile Élise Aude Armelle Olivia Éva",
        "Élodie Émilie Aurélie Julie Laura Marine Camille Pauline Charlotte Mélanie Marion Sarah"
        " Lucie Jessica Jennifer Céline Cindy Morgane Justine Mathilde Manon Fanny Sophie Claire"
        " Mélissa Vanessa Sabrina Laëtitia Stéphanie Delphine Ludivine Coralie Noémie Margaux"
        " Marjorie Priscilla Gaëlle Floriane Lauriane Perrine Tiphaine Solène Nolwenn Hélène"
        " Amandine Amélie Anaïs Audrey Alexandra Alice Anne Adeline Alexia Estelle Élise Elsa"
        " Emma Émeline Eva Inès Ophélie Océane Olivia Aude",
        "Léa Manon Chloé Camille Clara Sarah Lucie Juliette Jade Louise Lola Zoé Romane Margaux"
        " Louna Lilou Maëlys Nina Rose Mila Mathilde Noémie Justine Julia Léna Lana Lina Maëva"
        " Célia Clémence Charlotte Victoire Soline Salomé Capucine Constance Cassandre Pauline"
        " Laura Marine Lisa Solène Maya Yasmine Emma Inès Anaïs Océane Éva Ambre Agathe Alice"
        " Anna Élise Éloïse Elsa Éléna Emy Adèle Apolline Assia Aya Iris Ilona Olivia Oriane",
    ),
    Sex.MALE: (
        "Marcel René Louis Roger Robert Georges Henri Maurice Raymond Lucien Paul Joseph Charles"
        " Fernand Gaston Léon Jules Victor Gabriel Gustave Pierre Jean Marius Firmin Prosper"
        " Théophile Félix Célestin Clotaire Baptistin Barthélemy Donatien Hippolyte"
        " Lazare Léonard Mathurin Narcisse Séraphin Julien Jacques Philibert"
        " André Émile Albert Eugène Alphonse Édouard Ernest Auguste Armand Alfred Edmond Antonin"
        " Antoine Adrien Aristide Edgard Étienne Élie Octave Oscar Ulysse Anselme Ambroise",
        "Michel Jean Pierre Jacques Bernard Claude Gérard Guy Roger Robert Marcel Raymond Roland"
        " René Serge Daniel Christian Francis Georges Gilbert Lucien Louis Maurice Paul Joseph"
        " Charles Rémy Noël Jacky Julien Léon Marc Norbert Régis Robert"
        " Denis François Fernand Gabriel Gaston Gilles Hubert Yves Yvon"
        " André Albert Alain Émile Édouard Edmond Eugène Étienne Antoine Armand Alfred Aimé Élie"
        " Aldo Arsène Octave",
        "Michel Philippe Patrick Christian Daniel Bernard Gérard Jacques Serge Dominique Pascal"
        " Didier Thierry Bruno Denis François Francis Gilles Guy Joël Jacky Jean Claude Marc"
        " Lionel Laurent Luc Maurice Noël Norbert Paul Pierre Rémy Régis Roland René Robert Roger"
        " Sylvain Vincent Frédéric Franck Ghislain Gilbert Benoît Christophe Hervé Yves"
        " Alain André Éric Étienne Antoine Emmanuel Olivier Albert Armand Aimé Édouard",
        "Stéphane Christophe Laurent Philippe Thierry David Nicolas Sébastien Frédéric Jérôme"
        " Vincent Bruno Pascal Franck Fabrice Cédric Ludovic Guillaume Grégory Mickaël Yannick"
        " Julien Benoît Cyril Cyrille Sylvain Samuel Stéphan Xavier Régis Rodolphe Raphaël"
        " Patrice Patrick Marc Mathieu Lionel Lilian Karim Johann Joël François Fabien"
        " Florent Gaël Gilles Didier Denis Damien Christian Bertrand Boris Yves"
        " Éric Olivier Arnaud Emmanuel Alexandre Anthony Alain Antoine Étienne Erwan Ismaël Ivan",
        "Nicolas Julien Guillaume Thomas Maxime Kévin Romain Mathieu Jérémy Jonathan Florian"
        " Benjamin Vincent Pierre Quentin Clément Cédric Damien Fabien Sébastien Mickaël Michaël"
        " Ludovic Loïc Simon Samuel Sylvain Rémi Raphaël Paul Marc Mathias Mehdi Gaëtan"
        " Geoffrey Grégory Florent Dylan Dorian David Cyril Corentin Charles Bastien Baptiste"
        " Valentin Victor Steven Jordan Hugo Yohann Yoann"
        " Alexandre Anthony Antoine Adrien Aurélien Arnaud Arthur Alexis Étienne Émilien Erwan"
        " Olivier Emmanuel Ismaël",
        "Lucas Théo Hugo Mathis Nathan Thomas Maxime Clément Tom Louis Baptiste Noah Raphaël"
        " Gabriel Jules Paul Léo Nolan Sacha Robin Rayan Mohamed Maël Mathéo Martin Malo Lukas Liam"
        " Gaspard Gabin Florian Dylan Dorian Corentin Charly Bastien Benjamin Kylian Julien Jérémy"
        " Victor Valentin Titouan Timéo Tristan Tony Simon Samuel Romain Rémi Quentin"
        " Nicolas Naël Marius Mathieu Loris"
        " Enzo Ethan Evan Axel Arthur Antoine Adrien Adam Alexis Alexandre Antonin Aaron Étienne"
        " Éliott Émile Esteban Eliot Ilan Ismaël Oscar Ibrahim Imran Augustin Anatole",
    ),
}


def generation(year: int) -> int:
    """The number of the generation, 0 the oldest, of those born in that year."""
    return bisect_right(STARTS, year)


def usual(sex: Sex, number: int) -> tuple[str, ...]:
    """First names of a generation; those of both sexes where it is unknown."""
    if sex is Sex.UNKNOWN:
        return usual(Sex.FEMALE, number) + usual(Sex.MALE, number)
    return tuple(dict.fromkeys(listed(_USUAL[sex][number])))
