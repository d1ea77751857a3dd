"""What ε per km costs on places, from the shipped mechanisms and tables.

    python benchmarks/privacy_places.py [--tiny] [--json FILE] [--plots DIR]

Mean distance in km between an input and its surrogate at equal guaranteed ε per km: planar noise
and the nearest place (drawn), the exponential mechanism and the weighted sites (exact). First with
the places of a list as the only inputs, each as likely, as the literature has it; then with every
commune as an input, as likely as it has people. The plots need matplotlib.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from privacy_utility import shown

from dpdeid import gazetteers
from dpdeid.privacy import weighing
from dpdeid.privacy.nearest import PlaceList
from dpdeid.privacy.place_tables import WeighedPlaces, exponential, qp_weighted, rounded
from dpdeid.privacy.planar import PlanarLaplace
from dpdeid.privacy.rng import Stream

Floats = NDArray[np.float64]
Row = dict[str, Any]

KEY = bytes(range(32))
CITY = "Rennes"


def chords(positions: Sequence[tuple[float, float]]) -> Floats:
    """Positions in space, in km."""
    return weighing.chords([rounded(*position) for position in positions]) / 1e6


def expected_km(
    weighed: WeighedPlaces, inputs: Sequence[tuple[float, float]], prior: Floats
) -> tuple[float, float]:
    """Mean km between an input and its surrogate, and how often the place is its own surrogate."""
    listed = chords(weighed.places.positions)
    mean, same = 0.0, 0.0
    for position, share, here in zip(inputs, prior, chords(inputs), strict=True):
        weights = weighed.pmf(*position)
        index = np.fromiter(weights, dtype=np.int64)
        probabilities = np.array([float(weight) for weight in weights.values()])
        probabilities /= probabilities.sum()
        away = np.linalg.norm(listed[index] - here, axis=1)
        mean += share * float(probabilities @ away)
        same += share * float(probabilities[away < 0.01].sum())
    return mean, same


def planar_km(
    epsilon: Fraction, places: PlaceList, inputs: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The same for planar noise and the nearest place, one draw an input."""
    mechanism, stream = PlanarLaplace(epsilon_per_km=epsilon, places=places), Stream(KEY)
    drawn = [places.positions[mechanism.randomise(*position, stream)] for position in inputs]
    away = np.linalg.norm(chords(inputs) - chords(drawn), axis=1)
    return float(away.mean()), float((away < 0.01).mean())


def listed_rows(sizes: Sequence[int], epsilons: Sequence[str]) -> list[Row]:
    """Inputs are the places of the list itself, each as likely, as the literature has it."""
    everything = gazetteers.place_lists()["FR"]
    rows = []
    for size in sizes:
        largest = sorted(everything, key=lambda place: -place.population)[:size]
        positions = tuple(dict.fromkeys((place.latitude, place.longitude) for place in largest))
        places = PlaceList("largest", positions)
        prior = np.full(len(positions), 1 / len(positions))
        for epsilon in map(Fraction, epsilons):
            weighed = weighing.weigh(
                epsilon, places, weighing.inputs_at(places), list(prior), on_places=True
            )
            draws = positions * max(20_000 // len(positions), 1)
            rows.append(
                {
                    "places": len(positions),
                    "epsilon_per_km": float(epsilon),
                    "planar": planar_km(epsilon, places, draws)[0],
                    "exponential": expected_km(exponential(epsilon, places), positions, prior)[0],
                    "qp_weighted": expected_km(weighed, positions, prior)[0],
                    "certificate": weighing.certificate(weighed),
                }
            )
    return rows


def commune_rows(names: Sequence[str], draws: int) -> list[Row]:
    """Inputs are all places, as likely as they have people; outputs the shipped lists."""
    rows = []
    for name in names:
        listed = gazetteers.place_lists()[name]
        places = PlaceList(name, tuple((place.latitude, place.longitude) for place in listed))
        everyone = [p for p in gazetteers.places() if gazetteers.place_list_name(p) == name]
        known = qp_weighted(Fraction("0.1"), places).inputs
        inside = [p for p in everyone if rounded(p.latitude, p.longitude) in known]
        people = np.array([place.population for place in inside], dtype=np.float64)
        ranks = np.searchsorted(np.cumsum(people) / people.sum(), (np.arange(draws) + 0.5) / draws)
        inputs = [(inside[rank].latitude, inside[rank].longitude) for rank in ranks]
        prior = np.full(len(inputs), 1 / len(inputs))
        for epsilon in (Fraction("0.05"), Fraction("0.1")):
            planar, weighed = planar_km(epsilon, places, inputs), qp_weighted(epsilon, places)
            qp, base = (
                expected_km(one, inputs, prior) for one in (weighed, exponential(epsilon, places))
            )
            rows.append(
                {
                    "list": name,
                    "places": len(listed),
                    "inputs": len(known),
                    "epsilon_per_km": float(epsilon),
                    "planar": planar[0],
                    "exponential": base[0],
                    "qp_weighted": qp[0],
                    "planar_same": planar[1],
                    "qp_same": qp[1],
                }
            )
    return rows


def loading() -> Row:
    """How long the largest table takes."""
    listed = gazetteers.place_lists()["FR"]
    places = PlaceList("FR", tuple((place.latitude, place.longitude) for place in listed))
    qp_weighted.cache_clear()
    start = time.perf_counter()
    weighed = qp_weighted(Fraction("0.05"), places)
    loaded = time.perf_counter()
    weighed.randomise(*places.positions[0], Stream(KEY))
    drawn = time.perf_counter()
    weighed.randomise(*places.positions[0], Stream(KEY))
    return {
        "load_s": loaded - start,
        "first_draw_ms": 1_000 * (drawn - loaded),
        "next_draw_ms": 1_000 * (time.perf_counter() - drawn),
    }


def plot(folder: Path, draws: int) -> None:
    """A map of one city's surrogates at three ε: every draw lands on a listed place."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    listed = gazetteers.place_lists()["FR"]
    places = PlaceList("FR", tuple((place.latitude, place.longitude) for place in listed))
    home = gazetteers.places_named(CITY)[0]
    north, east = np.array(places.positions).T
    figure, axes = plt.subplots(1, 3, figsize=(12, 4.4), layout="constrained")
    for axis, epsilon in zip(axes, ("0.02", "0.05", "0.3"), strict=True):
        mechanism, stream = (
            PlanarLaplace(epsilon_per_km=Fraction(epsilon), places=places),
            Stream(KEY),
        )
        drawn = Counter(
            mechanism.randomise(home.latitude, home.longitude, stream) for _ in range(draws)
        )
        index = np.array(list(drawn))
        shares = np.array([drawn[place] for place in drawn]) / draws
        cloud = np.array([places.positions[place] for place in drawn])
        away = np.linalg.norm(
            chords(list(map(tuple, cloud))) - chords([(home.latitude, home.longitude)]), axis=1
        )
        axis.scatter(east, north, s=1.5, color="0.82", linewidths=0)
        axis.scatter(
            east[index], north[index], s=4 + 500 * shares, color="#1f6fb2", alpha=0.6, linewidths=0
        )
        axis.plot(
            home.longitude, home.latitude, "+", color="#c0392b", markersize=11, markeredgewidth=1.8
        )
        axis.set_title(
            f"ε = {epsilon} per km: {shares @ away:.0f} km on average, {len(index)} towns",
            fontsize=10,
        )
        axis.set_aspect(1 / np.cos(np.radians(46.5)))
        axis.set(xlim=(-5.3, 8.4), ylim=(42.2, 51.2))
        axis.set_axis_off()
    figure.suptitle(
        f"{draws:,} surrogates of {CITY} (cross); the size of a dot is its share", fontsize=11
    )
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "place_cloud.png", dpi=120)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tiny", action="store_true", help="small tables: does it run?")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plots", type=Path, help="folder for the figures (needs matplotlib)")
    options = parser.parse_args(arguments)
    tiny = options.tiny
    listed = listed_rows(
        (100,) if tiny else (692, 2_074), ("0.1",) if tiny else ("0.05", "0.1", "0.3")
    )
    print(f"Mean km, inputs are the places of the list\n{shown(listed)}\n")
    communes = commune_rows(("LU",) if tiny else ("FR", "BE", "CH", "LU"), 40 if tiny else 2_000)
    print(f"Mean km, inputs are all places by population, shipped lists\n{shown(communes)}\n")
    table = loading()
    print(f"The table of metropolitan France\n{shown([table])}")
    if options.plots is not None:
        plot(options.plots, 20_000)
    if options.json is not None:
        head = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
        )
        report = {
            "commit": head.stdout.strip(),
            "gazetteers": gazetteers.fingerprint(),
            "listed": listed,
            "communes": communes,
            "table": table,
        }
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
