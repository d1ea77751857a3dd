"""Build the tables of weights for places: `python gazetteers/weigh.py [LIST …] [--epsilon E …]`.

Writes dpdeid/privacy/tables/LIST-E.json.gz for each list of places and each ε per km that a policy
uses. Inputs are all places of the list's country or department; the prior that says what a site
prints is the root of the population: towns count for more, villages are not forgotten. Needs numpy
and scipy (`pip install dpdeid[test]`); about a minute for metropolitan France.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import time
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import weighing  # noqa: E402

from dpdeid import gazetteers  # noqa: E402
from dpdeid.privacy.exact import text  # noqa: E402
from dpdeid.privacy.places import weighted as place_tables  # noqa: E402
from dpdeid.privacy.places.place_list import PlaceList  # noqa: E402
from dpdeid.privacy.places.weighted import Position  # noqa: E402

EPSILONS = ("0.05", "0.1")
FAR_KM = 150
"""A place whose coordinates are those of another department is no input of its list."""


def output_list(name: str) -> PlaceList:
    """The list of that name as the mechanisms see it."""
    places = gazetteers.place_lists()[name]
    return PlaceList(name, tuple((place.latitude, place.longitude) for place in places))


def inputs_of(name: str, listed: PlaceList) -> dict[Position, float]:
    """Every position a place of the list may have → the root of how many people live there."""
    people: dict[Position, int] = {}
    for place in gazetteers.places():
        if gazetteers.place_list_name(place) == name:
            position = place_tables.rounded(place.latitude, place.longitude)
            people[position] = people.get(position, 0) + place.population
    nearest = {
        position: listed.positions[
            listed.nearest(*listed.locate(position[0] / 1000, position[1] / 1000))
        ]
        for position in people
    }
    return {
        position: math.sqrt(people[position] + 1)
        for position, (north, east) in sorted(nearest.items())
        if math.hypot(position[0] / 1000 - north, position[1] / 1000 - east) * 111 <= FAR_KM
    }


def main() -> None:
    """Build and certify what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lists", nargs="*", default=list(gazetteers.place_lists()))
    parser.add_argument("--epsilon", nargs="+", default=list(EPSILONS))
    options = parser.parse_args()
    folder = HERE.parent / "dpdeid" / "privacy" / place_tables.FOLDER
    folder.mkdir(exist_ok=True)
    for name in options.lists:
        try:
            listed = output_list(name)
        except ValueError as error:
            print(f"{name}: no table: {error}")
            continue
        people = inputs_of(name, listed)
        total = sum(people.values())
        prior = [share / total for share in people.values()]
        for epsilon in map(Fraction, options.epsilon):
            start = time.perf_counter()
            made = weighing.weigh(epsilon, listed, list(people), prior)
            data = json.dumps(place_tables.encoded(made), separators=(",", ":")).encode()
            path = folder / f"{name}-{text(epsilon)}.json.gz"
            path.write_bytes(gzip.compress(data, 9, mtime=0))
            print(
                f"{path.name}: {len(people)} inputs, {len(made.sites.points)} sites, "
                f"rate {float(made.sites.rate) * 1e6 / float(epsilon):.3f} of ε, certificate "
                f"{weighing.certificate(made):.5f}, {path.stat().st_size // 1024} KiB, "
                f"{time.perf_counter() - start:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
