"""The words around slots. Between two dates stand more than ten characters, or words that join."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpdeid.testing.coupled.forms import Lead, Precision

BESIDE: Final = 10
"""Dates with no more characters between them lend one another the year and the month."""

DATED: Final[Mapping[Precision, tuple[tuple[str, Lead, str], ...]]] = {
    "day": (
        ("Opéré le ", "", " sans complication. "),
        ("Consultation du ", "", ", état stable. "),
        ("Le contrôle est prévu le ", "", " à jeun. "),
        ("Scanner thoracique (", "", ") sans lésion. "),
        ("Plâtre retiré le ", "", ".\nMarche reprise. "),
    ),
    "part": (("Une toux est apparue ", "", " environ. "),),
    "month": (
        ("Bilan sanguin fait en ", "", " et normal. "),
        ("Au mois ", "d", " on note une perte de poids. "),
    ),
    "season": (("Vaccin antigrippal reçu ", "en", " comme prévu. "),),
    "part of year": (("Arrêt du tabac obtenu ", "", " et tenu. "),),
    "year": (("Appendicectomie faite en ", "", " sans suite. "),),
    "decade": (("Hépatite dans les ", "", " traitée en ville. "),),
}
"""Before a date, what French elides in front of it, after it."""

BIRTHS: Final = (
    ("Patient né le ", ", suivi régulier. "),
    ("DDN : ", " (carte vitale vue). "),
)
RELATIVES: Final = (("Sa mère, née le ", ", est diabétique. "),)
AGES: Final = (
    ("Patient de ", " en bon état général. "),
    ("Âge : ", ", autonome. "),
)
RELATIVE_AGES: Final = (("Sa mère a ", " et va bien. "),)

RANGES: Final = (
    ("Hospitalisé du ", " au ", " en chirurgie. "),
    ("Traité entre le ", " et le ", " par antibiotique. "),
    ("Entrée le ", ", sortie le ", ", retour au domicile. "),
    ("Absent (", " - ", ") pour maladie. "),
)
"""Before, between and after two dates, each a span of its own."""
SEQUENCES: Final = (
    ("Vu le ", ", puis le ", " pour le pansement. "),
    ("Séances les ", " et ", " bien tolérées. "),
    ("Perfusions les ", ", ", " en hôpital de jour. "),
)
PAIRED: Final = (
    ("12/03/2024", "12/03/2024"),
    ("12", "12 mars 2024"),
    ("12", "12 mars"),
    ("12", "12/03/2024"),
    ("12/03", "12/03/2024"),
    ("12/03", "12/03"),
    ("12 mars", "12 mars 2024"),
    ("mardi 12 mars", "mardi 12 mars 2024"),
    ("12 mars 2024", "12 mars 2024"),
    ("3/5", "3/5/24"),
)
"""Forms of two dates that stand beside one another."""
WHOLE: Final = (
    ("12", "-", "12/03/2024"),
    ("12", " au ", "12 mars 2024"),
    ("12/03", " au ", "12/03/2024"),
    ("12 mars", " au ", "12 mars 2024"),
    ("12/03/2024", " au ", "12/03/2024"),
    ("12/03/2024", "-", "12/03/2024"),
    ("12 mars 2024", " à ", "12 mars 2024"),
)
"""Forms of the two dates of a range in one span, and what joins them."""

TOWNS: Final[tuple[tuple[str, Lead, str], ...]] = (
    ("Habite ", "à", " depuis peu. "),
    ("Originaire ", "de", " par son père. "),
    ("Vit près ", "de", " avec son fils. "),
    ("Domicile : ", "", ". "),
    ("Adressé par un confrère ", "de", ". "),
)
ADDRESSES: Final = (("Adresse : ", " ", ". "), ("Demeure au bourg, ", " ", ", en France. "))
IN_AREAS: Final[tuple[tuple[str, Lead, str, str], ...]] = (
    ("Réside ", "à", " (", ") avec son épouse. "),
    ("Né ", "à", " (", "). "),
)
CODES: Final = (("Code postal ", " noté. "),)
NEUTRAL: Final = (
    "Bonjour. ",
    "Pas d'allergie connue.\n",
    "Tension normale. ",
    "Le reste est sans particularité. ",
)
