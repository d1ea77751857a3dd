"""The files and functions that one note goes through, room by room.

    python benchmarks/way.py [--policy dp] [--text NOTE] [--json F] [--tiny]

A file counts if one of its functions runs for the note, a function once however often it runs.
Rooms stand in the order in which the note comes to them. What runs while a module is imported is
not counted, nor what runs to load lists and models: another note goes through before. With --cold
no other does, so that loading counts. --tiny prints the files alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import dpdeid
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.testing import KEY

NOTE = (
    "Mme Solène KERVADEC, née le 02/11/1958, 17 rue des Ajoncs, 29000 Quimper, hospitalisée du 6 au"
    " 13 mars 2023.\nCourrier au Dr Yann Ollivier, CHU de Rennes, tél. 02 98 52 60 61, IPP"
    " 8001234567."
)
"""The two lines that are counted: names, dates, an address, a telephone number and a code."""
OTHER = (
    "M. Hervé LE BRAS, 64 ans, né le 5 mai 1959 à Lorient (56), vu le 14/04/2023 à 10h30 par le Pr"
    " Denise Guillou.\nIl habite 3 place Gambetta, 35000 Rennes, tél. 06 12 34 56 78, NIR"
    " 2 58 11 29 232 118 43, a.b@exemple.fr ; retour le 16, clinique des Ormes, Dakar (Sénégal)."
)
"""The note that goes through before, so that what it needs is loaded."""
HOME = Path(dpdeid.__file__).parent

Way = dict[str, dict[str, list[str]]]
"""Room → file → its functions, each in the order of the first call."""


def way(work: Callable[[], object]) -> Way:
    """What of the package runs in a call, imports left out."""
    found: dict[CodeType, None] = {}
    importing = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal importing
        code = frame.f_code
        if code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing:
            found[code] = None

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    rooms: Way = {}
    for code in found:
        path = Path(code.co_filename)
        if HOME in path.parents:
            file = path.relative_to(HOME)
            functions = rooms.setdefault(file.parts[0], {}).setdefault(str(file), [])
            if not code.co_name.startswith("<"):  # a comprehension is part of its function
                functions.append(code.co_qualname)
    return rooms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--text", default=NOTE)
    parser.add_argument("--cold", action="store_true", help="count loading, too")
    parser.add_argument("--tiny", action="store_true", help="print files alone")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    deidentifier = Deidentifier(args.policy, key=KEY)
    if not args.cold:
        deidentifier(Document("before", OTHER))
    rooms = way(lambda: deidentifier(Document("note", args.text)))
    total = {"files": 0, "functions": 0}
    for room, files in rooms.items():
        count = sum(map(len, files.values()))
        total = {"files": total["files"] + len(files), "functions": total["functions"] + count}
        print(f"{room}: {len(files)} files, {count} functions")
        for file, functions in files.items():
            print(f"  {file}" + ("" if args.tiny else f": {', '.join(functions)}"))
    print(f"in all: {total['files']} files, {total['functions']} functions")
    if args.json:
        told = {"policy": args.policy, "cold": args.cold, "total": total, "rooms": rooms}
        args.json.write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
