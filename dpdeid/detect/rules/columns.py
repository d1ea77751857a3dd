"""The cells of an exported table, by the names of its columns: "nom;ddn;ipp" above "X;…;4011".

Read where a line has at least two known column names between the same separators; the lines below
it, as long as they have as many cells, get the columns' labels. Columns may be lined up with spaces
too, if two of them are of names; there the place of a cell tells its column. A cell that holds no
letter and no digit is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dpdeid.detect.grids import NO_SIGN
from dpdeid.detect.names.pet_names import is_pet_name
from dpdeid.detect.names.vocabulary import EVIDENCE, words
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_NAMES: Final[dict[Label, str]] = {
    Label.LAST_NAME: "nom,nom patient,nom de naissance,nom usuel,nom de famille,patient_nom"
    ",nom naiss.,nom naissance,nom usage,nom d'usage,nom_jf,nom jf,nom_naissance,nom_usage",
    Label.FIRST_NAME: "prenom,prenoms,patient_prenom",
    Label.BIRTH_DATE: "ddn,date de naissance,naissance,ne le,nee le,ne(e) le,date_naissance,dn"
    ",naiss.,nais.,ne(e),nee,date naiss.,date naissance",
    Label.PATIENT_ID: "ipp,nip,id patient,patient_id,n° patient,n° ipp,id_patient,ipp patient"
    ",num_ipp",
    Label.VISIT_ID: "nda,iep,n° sejour,num_sejour,n° de sejour,num_sej,sejour",
    Label.SSN: "nir,nss,n° ss,n° secu,n° de securite sociale,avs,niss",
    Label.ZIP: "cp,code postal,code_postal,npa",
    Label.CITY: "ville,commune,localite",
    Label.STREET: "adresse,rue",
    Label.PHONE: "tel,telephone,portable,mobile,gsm,n° tel",
    Label.FAX: "fax,telecopie,n° fax",
    Label.ORDER_ID: "n° examen,n° demande,n° labo,n° prelevement,id echantillon,n° echantillon"
    ",n° bon,accession,n° acc,n° d'examen",
    Label.PROVIDER_ID: "rpps,n° rpps,finess,adeli",
    Label.EMAIL: "email,e-mail,mail,courriel",
    Label.ROOM: "chambre,ch,ch.,lit,box,n° lit,n° chambre,n° ch",
    Label.AGE: "age",
    Label.PROFESSION: "profession,metier",
    Label.NATIONALITY: "nationalite",
}
LABELS: Final = {name: label for label, names in _NAMES.items() for name in names.split(",")}
OTHERS: Final = frozenset(
    (
        *("patient", "patiente", "sexe", "medecin", "motif", "motif / evolution", "evolution"),
        *("diagnostic", "antecedents", "atcd", "traitement", "surveillance", "examens"),
        *("consignes", "a faire", "remarques", "entree", "sortie", "pat", "pat.", "fait", "rq"),
        *("obs", "observations", "nom prenom", "nom et prenom", "heure", "protocole", "acte"),
        *("examen", "analyse", "resultat", "resultats", "unite", "unites", "norme", "normes"),
        *("borne inf", "borne sup", "drapeau", "statut", "valeur", "valeurs usuelles", "flag"),
        *("poids", "taille", "ta", "temp", "glyc", "dextro", "eva", "spo2", "sat", "fc", "soin"),
    )
)
"""Columns of no label that lists of patients have as well."""
STAFF: Final = frozenset(
    (
        *("med", "med.", "medecin", "qui", "par", "fait par", "poseur", "pose par", "operateur"),
        *("prescripteur", "preleveur", "ide", "infirmier", "infirmiere", "soignant", "visa"),
        *("senior", "interne", "resp", "resp.", "responsable", "chir", "anesth", "signature"),
        *("init", "init.", "initiales", "referent", "valide par", "agent", "initiale", "as", "ash"),
        *("aide-soignant", "aide-soignante", "sf", "sage-femme", "iade", "ibode", "kine", "signe"),
        *("externe", "manip", "technicien", "brancardier", "emargement", "paraphe", "equipe"),
        *("ref", "ref.", "tech", "tech.", "pharm", "pharm.", "redacteur", "branche par", "sign."),
    )
)
"""Columns of who acted, where initials stand for a name."""
_INITIALS: Final = re.compile(r"[A-Z]{2,4}|[a-z]{2,3}")
_GIVEN: Final = re.compile(
    r"(?m)(?<=\|)(?:[ \t]*+(?:(?:[xX✓+]|\.?\d{1,3})[ \t]*+)?\|){4,31}"
    r"[ \t]*(?P<signs>(?:[A-Z]{2,3}|[a-z]{2,3})(?: (?:[A-Z]{2,3}|[a-z]{2,3})){0,3})[ \t]*$"
)
"""The end of a row of doses given: crosses, numbers or blanks in cells, initials in the last."""
_FAMILIAR: Final = frozenset(("prenom", "prenoms", "age", "ddn", "dn", "ipp", "nip", "nda"))
"""Words of the heads of columns that are lined up with spaces."""
_FILLED: Final = re.compile(r"[\d:=]")
_LEAST: Final = 3
"""Columns of a table that is lined up so, where they are not of names."""
MAIL: Final = words(
    "to from cc bcc cci subject sent re fwd tr objet de a von an kopie betreff gesendet datum date "
    "aw wg"
)
"""What stands before the colon of a mail's header, in French, English and German."""
_USUAL: Final = 3
"""How usual a surname must be for a word that is a field to be one, in the levels of the lists."""
_APART: Final = re.compile(r"\S[ \t]*(?: {3}|\t)\Z")
_SEPARATOR: Final = re.compile(r"[;|\t]")
_SURE: Final = frozenset(
    (Label.BIRTH_DATE, Label.PATIENT_ID, Label.VISIT_ID, Label.ORDER_ID, Label.SSN)
)
"""Columns whose name says enough without a second one."""
_MOST: Final = 40
"""Columns read of one line."""
_NAMED: Final = frozenset((Label.LAST_NAME, Label.FIRST_NAME))
_WIDE: Final = "  "
_CELL: Final = re.compile(r"\S(?:\S| (?=\S)){0,80}")
"""A cell of a table that is lined up with spaces: two of them end it."""
_LOUD: Final = re.compile("[A-Z]{2,4}")
_WORD: Final = re.compile(r"\w+")
_LINE: Final = re.compile(r"(?m)^.*$")
_BEFORE: Final = 6
"""Heads of columns looked at before one of who acted."""
_NEAR: Final = 8
"""Characters beside a cell in which its border stands."""


def _cells(line: str, separator: str) -> list[tuple[int, str]]:
    out, at = [], 0
    for cell in line.split(separator)[:_MOST]:
        bare = cell.lstrip(' \t\r"')
        out.append((at + len(cell) - len(bare), bare.rstrip(' \t\r"')))
        at += len(cell) + 1
    return out


def _header(cells: Sequence[tuple[int, str]]) -> dict[int, Label]:
    """The labels of the columns that have one; of fewer than two, only where its name is sure."""
    found = _known(cells)
    filled = _filled(cells)
    if _heads(found, filled):
        return found
    return {n: label for n, label in found.items() if label in _SURE} if filled > 1 else {}


def _known(cells: Sequence[tuple[int, str]]) -> dict[int, Label]:
    named = ((n, LABELS.get(fold(_untitled(n, cell)))) for n, (_, cell) in enumerate(cells))
    return {n: label for n, label in named if label is not None}


def _filled(cells: Sequence[tuple[int, str]]) -> int:
    return sum(1 for _, cell in cells if cell and fold(cell) not in OTHERS)


def _heads(found: Mapping[int, Label], filled: int) -> bool:
    """Whether two columns or more are known: most of all, or neighbours, as in no form."""
    return len(found) >= 2 and (
        2 * len(found) > filled or any(number + 1 in found for number in found)
    )


def is_head(text: str, at: int) -> bool:
    """Whether the place lies in a line of column names: of two with a label or more, of most that
    are of none ("EXAMEN|RESULTAT|UNITE|BORNE INF"), or of words above a first row of values.
    """
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    mark, cells, heads = _read(text[start : end if end >= 0 else len(text)])
    return heads or (mark is not None and _is_of_things(text, at, cells, mark))


@lru_cache(maxsize=4)  # each word of a line asks
def _read(line: str) -> tuple[str | None, Sequence[tuple[int, str]], bool]:
    """What separates the cells of a line, the cells, and whether they are heads."""
    mark = _SEPARATOR.search(line, 0, 60)
    wide = () if mark or _FILLED.search(line) else _CELL.finditer(line)
    cells = _cells(line, mark[0]) if mark else [(cell.start(), cell[0]) for cell in wide]
    return mark and mark[0], cells, _heads(_known(cells), _filled(cells))


def _is_of_things(text: str, at: int, cells: Sequence[tuple[int, str]], mark: str) -> bool:
    """Whether most cells of a line are known columns of no label, or all are words and the first
    row of as many cells, one with a number, stands below.
    """
    names = [fold(cell) for _, cell in cells if cell]
    said = _WORD.findall(" ".join(names))
    if len(cells) < _LEAST or any(map(str.isdigit, "".join(said))):
        return False
    if len(names) > _LEAST and 2 * sum(name in OTHERS for name in names) >= len(names):
        return True
    if not all(EVIDENCE[word].word for word in said):
        return False
    above = text.count("\n", 0, at)
    rows = ("", *text.split("\n"), "")[above : above + 3]
    marks = [row.count(mark) for row in rows]
    return marks[0] != marks[1] == marks[2] and any(map(str.isdigit, rows[2]))


def is_field(word: str, behind: str) -> bool:
    """Whether a folded word names the field whose value follows: "Débranché : 17 h".

    Args:
        behind: what stands behind it; two characters are enough.
    """
    known = EVIDENCE[word]
    ordinary = known.word and not known.first_name and known.surname < _USUAL
    return (ordinary or word in MAIL) and behind[:2].lstrip(" ").startswith(":")


def is_next_field(text: str, start: int, end: int) -> bool:
    """Whether the word there is the field of the next column: "Lien : sœur       Métier : …"."""
    apart = _APART.search(text, max(0, start - _NEAR), start)
    return apart is not None and is_field(fold(text[start:end]), text[end : end + 2])


def table_cells(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The cells under known column names, and who signs the rows of a grid of doses; `spans` are
    not looked at.
    """
    for row in _GIVEN.finditer(doc.text) if "|" in doc.text else ():
        for sign in _INITIALS.finditer(doc.text, *row.span("signs")):
            if fold(sign[0]) not in NO_SIGN:
                yield Span(
                    *sign.span(), Label.FIRST_NAME, 0.9, "patterns/column.signed", Role.STAFF
                )
    if _WIDE in doc.text and not _FAMILIAR.isdisjoint(doc.tokens.folded):
        yield from _aligned(doc.text)
        yield from _stray(doc.text)
    if not any(mark in doc.text for mark in ";|\t"):
        return
    columns = _NO_COLUMNS
    separator, width = "", 0
    for found in _LINE.finditer(doc.text):
        start, line = found.start(), found[0]
        cells = _cells(line, separator) if columns and line.count(separator) == width else []
        if cells and not columns.end_at(line, cells):
            yield from columns.spans(start, enumerate(cells), 0.96, "patterns/column")
            continue
        columns = _NO_COLUMNS
        if (mark := _SEPARATOR.search(line, 0, 60)) is not None:
            separator = mark[0]
            width = line.count(separator)
            cells = _cells(line, separator)
            columns = _Columns(_header(cells), _staff(cells))


def _aligned(text: str) -> Iterator[Span]:
    """The cells of tables whose columns are lined up with spaces."""
    heads: list[int] = []
    columns = _NO_COLUMNS
    for found in _LINE.finditer(text):
        start, line = found.start(), found[0]
        cells = [(cell.start(), cell[0]) for cell in _CELL.finditer(line)] if _WIDE in line else []
        known = _known(cells)
        if _NAMED.issubset(known.values()) or (
            len(cells) >= _LEAST and not _FILLED.search(line) and _heads(known, _filled(cells))
        ):
            heads, columns = [at for at, _ in cells], _Columns(known, _staff(cells))
            continue
        places = [bisect_right(heads, at + 1) - 1 for at, _ in cells]
        placed = list(zip(places, cells, strict=True))
        lined = [n >= 0 and abs(at - heads[n]) <= 1 for n, (at, _) in placed] if heads else []
        if sum(lined) < 2 or len({*places}) < len(places):
            heads, columns = [], _NO_COLUMNS
            continue
        yield from columns.spans(start, placed, 0.95, "patterns/column.aligned")


def _stray(text: str) -> Iterator[Span]:
    """Initials that stand alone in several cells behind the heads of columns of which one is of who
    acted, wherever the lines of the table were broken or joined.
    """
    cells = [*_CELL.finditer(text)]
    heads = [fold(cell[0]) for cell in cells]
    at = next((n for n, head in enumerate(heads) if head in STAFF and _is_headed(heads[:n])), None)
    signs = [c for c in cells[at + 1 :] if _LOUD.fullmatch(c[0])] if at is not None else []
    times = Counter(sign[0] for sign in signs)
    for sign in signs:
        if times[sign[0]] > 1 and is_sign(sign[0]):
            yield Span(
                *sign.span(), Label.FIRST_NAME, 0.8, "patterns/column.stray.staff", Role.STAFF
            )


def _is_headed(before: Sequence[str]) -> bool:
    """Whether heads of columns, at least two that are known, stand before the head of another."""
    near = before[-_BEFORE:]
    filled = next((n for n, cell in enumerate(reversed(near)) if _FILLED.search(cell)), len(near))
    known = sum(cell in LABELS or cell in OTHERS for cell in near[len(near) - filled :])
    return known >= _LEAST - 1


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns by number: the label of each that has one, and those of who acted."""

    labels: Mapping[int, Label]
    staff: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.labels or self.staff)

    def end_at(self, line: str, cells: Sequence[tuple[int, str]]) -> bool:
        """Whether a line heads columns anew: by a known name, or by words alone where a date or
        number is due.
        """
        due = [cell for n, (_, cell) in enumerate(cells) if self.labels.get(n) in _SURE]
        known = any(fold(cell) in LABELS for _, cell in cells)
        return known or (any(due) and not any(map(str.isdigit, line)))

    def spans(
        self, start: int, cells: Iterable[tuple[int, tuple[int, str]]], score: float, source: str
    ) -> Iterator[Span]:
        """The labelled cells of a line that begins at `start`, each with its column's number."""
        for number, (offset, cell) in cells:
            at, stop = start + offset, start + offset + len(cell)
            if number in self.labels and _fits(cell, label := self.labels[number]):
                yield Span(at, stop, label, score, source)
            elif number in self.staff and is_sign(cell):
                yield Span(at, stop, Label.FIRST_NAME, score, f"{source}.staff", Role.STAFF)


def is_sign(cell: str) -> bool:
    """Whether a cell of who acted holds initials, or the pet name that a colleague goes by."""
    initials = _INITIALS.fullmatch(cell) is not None
    return fold(cell) not in NO_SIGN and (initials or is_pet_name(fold(cell), told=True))


_NO_COLUMNS: Final = _Columns({}, frozenset())


def _staff(cells: Sequence[tuple[int, str]]) -> frozenset[int]:
    """The columns of who acted, in a line of column names: one without a digit or colon."""
    cells = [(at, _untitled(number, cell)) for number, (at, cell) in enumerate(cells)]
    most = max(_filled(cells), sum(bool(cell) for _, cell in cells) - 1)
    if most < _LEAST - 1 or any(_FILLED.search(cell) for _, cell in cells):
        return frozenset()
    return frozenset(number for number, (_, cell) in enumerate(cells) if fold(cell) in STAFF)


def _untitled(number: int, cell: str) -> str:
    """A cell without the title of the table before the first: "EXPORT POIDS: NOM|LIT"."""
    return cell if number else cell[cell.rfind(": ") + 1 :].lstrip()


def _fits(cell: str, label: Label) -> bool:
    """The cell is filled in; one of a number, an age or a date holds a digit."""
    numbered = label in _SURE or label is Label.AGE
    return any(map(str.isdigit if numbered else str.isalnum, cell))
