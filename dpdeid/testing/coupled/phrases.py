"""The words around slots. Between two dates stand more than ten characters, or words that join."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpdeid.labels import Label
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

FIXED: Final = (
    ("Adressé par le Dr ", "Vasseur", Label.LAST_NAME, " ce jour. "),
    ("Suivi au ", "CHU de Rennes", Label.HOSPITAL, " en parallèle. "),
    ("Hospitalisé à la ", "clinique des Ormes", Label.HOSPITAL, " auparavant. "),
    ("Travaille chez ", "Transports Girard", Label.ORGANIZATION, " à temps plein. "),
    ("Joignable au ", "04 72 11 00 37", Label.PHONE, " en journée. "),
    ("Demeure au ", "12 rue des Lilas", Label.STREET, ", deuxième étage. "),
    ("N° de sécurité sociale ", "2580369123456", Label.SSN, " (copie au dossier). "),
    ("NIR de l'enfant : ", "2050369123456", Label.SSN, " (ouvrant droit). "),
    ("N° FINESS ", "690781810", Label.PROVIDER_ID, " au verso. "),
    ("Sorti après ", "5 jours", Label.DURATION, " de repos. "),
    ("Voyage récent en ", "Italie", Label.COUNTRY, " sans fièvre. "),
)
"""Before, the text, its label, after: what is replaced under a key, or kept."""
ABROAD: Final[tuple[tuple[str, Lead, str, str, Label, str], ...]] = (
    ("Né ", "à", " (", "Sénégal", Label.COUNTRY, "). "),
)
