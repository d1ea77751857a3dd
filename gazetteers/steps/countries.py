"""Countries by their French names, and the other names people give them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

# French territories are departments or collectivities, hence places; the rest has no inhabitants.
_LEFT_OUT: Final = frozenset(
    "AC AQ BL BV CP CQ DG EA EU EZ GF GP HM IC IO MF "  # noqa: SIM905
    "MQ NC PF PM QO RE TA TF UN WF XA XB YT ZZ".split()
)

VARIANTS: Final = {
    "Angleterre": "Royaume-Uni",
    "Écosse": "Royaume-Uni",
    "Pays de Galles": "Royaume-Uni",
    "Irlande du Nord": "Royaume-Uni",
    "Grande-Bretagne": "Royaume-Uni",
    "Etats-Unis d'Amérique": "États-Unis",
    "USA": "États-Unis",
    "U.S.A.": "États-Unis",
    "UK": "Royaume-Uni",
    "Hollande": "Pays-Bas",
    "République tchèque": "Tchéquie",
    "Tchécoslovaquie": "Tchéquie",
    "Birmanie": "Myanmar (Birmanie)",
    "Myanmar": "Myanmar (Birmanie)",
    "Congo": "Congo-Brazzaville",
    "République du Congo": "Congo-Brazzaville",
    "République démocratique du Congo": "Congo-Kinshasa",
    "RDC": "Congo-Kinshasa",
    "Zaïre": "Congo-Kinshasa",
    "Palestine": "Territoires palestiniens",
    "Ivoire": "Côte d'Ivoire",
    "RCI": "Côte d'Ivoire",
    "Yougoslavie": "Serbie",
    "ex-Yougoslavie": "Serbie",
    "URSS": "Russie",
    "Fédération de Russie": "Russie",
    "Swaziland": "Eswatini",
    "Cap-Vert": "Cap-Vert",
    "Haute-Volta": "Burkina Faso",
    "Dahomey": "Bénin",
    "Bosnie": "Bosnie-Herzégovine",
    "Macédoine": "Macédoine du Nord",
    "Hong Kong": "R.A.S. chinoise de Hong Kong",
    "Macao": "R.A.S. chinoise de Macao",
    "Vatican": "État de la Cité du Vatican",
    "Timor-Leste": "Timor oriental",
    "Viêt Nam": "Viêt Nam",
    "Vietnam": "Viêt Nam",
    "Corée": "Corée du Sud",
    "Trinité-et-Tobago": "Trinité-et-Tobago",
    "Emirats arabes unis": "Émirats arabes unis",
    "Emirats": "Émirats arabes unis",
    "Grèce": "Grèce",
    "Sri-Lanka": "Sri Lanka",
    "Ceylan": "Sri Lanka",
    "Perse": "Iran",
    "Biélorussie": "Biélorussie",
    "Bélarus": "Biélorussie",
    "République dominicaine": "République dominicaine",
    "République centrafricaine": "République centrafricaine",
    "Centrafrique": "République centrafricaine",
    "Allemagne de l'Est": "Allemagne",
    "RFA": "Allemagne",
    "RDA": "Allemagne",
    "Moldova": "Moldavie",
    "Salvador": "Salvador",
    "El Salvador": "Salvador",
    "Guinée-Conakry": "Guinée",
}

_ASK = """
import sys; sys.path.insert(0, sys.argv[1])
import babel
for code, name in babel.Locale("fr").territories.items(): print(code, name, sep="\\t")
"""


def shown(babel: Path) -> dict[str, str]:
    """Code of a country → its French name."""
    asked = subprocess.run(
        [sys.executable, "-c", _ASK, str(babel)], check=True, capture_output=True, encoding="utf-8"
    )
    found = dict(line.split("\t") for line in asked.stdout.splitlines())
    return {
        code: name.replace("\u2019", "'").replace("\u00a0", " ")
        for code, name in found.items()
        if len(code) == 2 and code.isalpha() and code not in _LEFT_OUT
    }


def countries(babel: Path) -> list[tuple[str, str]]:
    """(a name of a country, the name shown for it), sorted; the shown name is one of its names."""
    names = {name: name for name in shown(babel).values()}
    unknown = set(VARIANTS.values()) - names.keys()
    if unknown:
        raise RuntimeError(f"not names of countries: {sorted(unknown)}")
    return sorted((names | VARIANTS).items())
