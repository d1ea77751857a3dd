"""ZIP files, and those of IHE XDM: documents of one patient, packed anew under numbers.

No name of a file or folder passes. METADATA.XML of XDM says whose the documents are, and goes;
INDEX.HTM and README.TXT are written anew. Style sheets, and what systems leave beside files, go.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from dpdeid.document import Deidentified
from dpdeid.formats.documents.hl7 import patient_of
from dpdeid.formats.envelopes.parts import Part, Placed, envelope
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.markup.elements import tree
from dpdeid.formats.markup.form import opened
from dpdeid.formats.messages.facts import Patient
from dpdeid.formats.messages.segments import Marks, Message
from dpdeid.formats.office.package import Package, packed
from dpdeid.formats.rows import Row

_XDM: Final = re.compile(r"(?i)(?:.*/)?IHE_XDM/[^/]+/METADATA\.XML")
_ABOUT: Final = re.compile(r"(?i)(?:.*/)?(?:METADATA\.XML|INDEX\.HTML?|README(?:\.TXT|\.MD)?)")
_LEFT: Final = re.compile(
    r"(?i)(?:.*/)?(?:__MACOSX/.*|\.[^/]*|Thumbs\.db|desktop\.ini|[^/]*\.(?:xslt?|css|xsd|dtd))"
)
_AUTHORS: Final = {"authorPerson": 12, "legalAuthenticator": 12, "authorInstitution": 21}
_FIELD: Final = re.compile(r"PID-(\d{1,2})\|(.*)", re.DOTALL)


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a package."""
    package = Package(file.read(), ".zip")
    about = [name for name in package.names if _XDM.fullmatch(name)]
    is_xdm = bool(about)
    told = Patient()
    for name in about:
        told = told.beside(_whose(package.part(name)).document("", ""))
    names = [
        name
        for name in package.names
        if not _LEFT.fullmatch(name) and not (is_xdm and _ABOUT.fullmatch(name))
    ]

    def parts() -> Iterator[Part]:
        for number, name in enumerate(names, 1):
            data, wrong = b"", ""
            try:
                data = package.part(name)
            except ValueError as error:
                wrong = str(error)
            yield Part(f"part {number}", data, name=name.rpartition("/")[2], wrong=wrong)

    return envelope(origin, parts(), how, lambda placed: Zipped(placed, is_xdm), told)


def _whose(metadata: bytes) -> Patient:
    """What the slots of documents say of their patient, as fields of PID, and of their authors, as
    in ORC-12 and ORC-21.
    """
    text = opened(metadata, is_xml=True).text
    root, _ = tree(text)
    fields, order = [""] * 40, defaultdict[int, list[str]](list)
    for slot in root.every():
        if slot.name == "Slot" and slot.get("name") == "sourcePatientInfo":
            for value in slot.at("ValueList", "Value"):
                if found := _FIELD.fullmatch(value.text(text)):
                    fields[int(found[1]) % 40] = found[2]
        elif slot.name == "Slot" and (number := _AUTHORS.get(slot.get("name"), 0)):
            order[number] += [value.text(text) for value in slot.at("ValueList", "Value")]
    authors = ["~".join(order[number]) for number in range(1, 22)]
    return patient_of(Message(Marks(), [["PID", *fields[1:]], ["ORC", *authors]]))


@dataclass(frozen=True, slots=True)
class Zipped:
    """A released package."""

    parts: Placed
    is_xdm: bool
    ending: str = ".zip"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The package, which holds no name and no time of the one that came in."""
        files = {
            f"{number:05}{part.ending}": part.written(start, result, f"{released_id}-{number}")
            for number, (start, part) in enumerate(self.parts, 1)
        }
        if not self.is_xdm:
            return packed(files)
        places = {f"IHE_XDM/SUBSET01/DOC{name.upper()}": data for name, data in files.items()}
        links = "".join(f'<li><a href="{name}">{name[-12:]}</a></li>' for name in places)
        index = f"<!DOCTYPE html><html><body><ul>{links}</ul></body></html>"
        readme = f"{len(files)} documents. METADATA.XML named the patient, and is left out.\r\n"
        return packed({"INDEX.HTM": index.encode(), "README.TXT": readme.encode(), **places})
