"""What ε per km costs on places, from the shipped mechanisms and tables.

    python benchmarks/privacy_places.py [--tiny] [--json FILE] [--plots DIR]

Mean distance in km between an input and its surrogate at equal guaranteed ε per km: planar noise
and the nearest place (drawn), the exponential mechanism and the weighted sites (exact). First with
the places of a list as the only inputs, each as likely, as the literature has it; then with every
commune as an input, as likely as it has people. The plots need matplotlib. Exit code 1 if a time
misses its acceptance bound.
"""

from __future__ import annotations

import argparse
import json
import math
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
from vectorised.places import randomise_places

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dpdeid import gazetteers
from dpdeid.gazetteers import Place
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.places.release import PlanarNearest, QPWeighted, Spot
from dpdeid.privacy.places.weighted import (
    DEGREE,
    Position,
    WeighedPlaces,
    exponential,
    qp_weighted,
    rounded,
    shipped_rates,
)
from dpdeid.privacy.rng import Stream, Streams
from gazetteers import weighing

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
) -> tuple[float, float, float]:
    """The same for planar noise and the nearest place, one draw an input; with the standard error
    of the mean.
    """
    mechanism = PlanarLaplace(epsilon_per_km=epsilon, places=places)
    drawn = [places.positions[at] for at in randomise_places(mechanism, inputs, Stream(KEY))]
    away = np.linalg.norm(chords(inputs) - chords(drawn), axis=1)
    error = float(away.std() / math.sqrt(len(away)))
    return float(away.mean()), float((away < 0.01).mean()), error


def input_positions(everything: Sequence[Place], size: int) -> tuple[tuple[float, float], ...]:
    """The positions of the `size` largest places, each once."""
    largest = sorted(everything, key=lambda place: -place.population)[:size]
    return tuple(dict.fromkeys((place.latitude, place.longitude) for place in largest))


def listed_rows(sizes: Sequence[int], epsilons: Sequence[str]) -> list[Row]:
    """Inputs are the places of the list itself, each as likely, as the literature has it.

    Beyond 2,500 places there are no weighted sites on all of them, and inputs are sampled for the
    exponential mechanism, whose figure is otherwise exact.
    """
    everything = [
        place
        for place in gazetteers.places()
        if gazetteers.place_list_name(place) == "FR"
        and gazetteers.is_whole(place.name, place.precision)
    ]
    rows = []
    for size in sizes:
        positions = input_positions(everything, size)
        places = PlaceList("largest", positions)
        inputs = weighing.inputs_at(places)
        small = len(positions) <= weighing.MAX_SITES  # planar beyond
        sample = positions[:: max(len(positions) // 1_000, 1)] if not small else positions
        prior, even = np.full(len(sample), 1 / len(sample)), [1 / len(inputs)] * len(inputs)
        for epsilon in map(Fraction, epsilons):
            weighed = (
                weighing.weigh(epsilon, places, inputs, even, on_places=True) if small else None
            )
            draws = positions * max(40_000 // len(positions), 1)
            planar, _, error = planar_km(epsilon, places, draws)
            rows.append(
                {
                    "places": len(positions),
                    "epsilon_per_km": float(epsilon),
                    "planar": planar,
                    "± (2 s.e.)": 2 * error,
                    "exponential": expected_km(exponential(epsilon, places), sample, prior)[0],
                    "qp_weighted": expected_km(weighed, sample, prior)[0] if weighed else None,
                    "certificate": weighing.certificate(weighed) if weighed else None,
                }
            )
    return rows


def commune_rows(names: Sequence[str], draws: int) -> list[Row]:
    """Inputs are all places, as likely as they have people; outputs the shipped lists.

    Weights at 0.3 per km are made here: no policy uses them, so they are not shipped.
    """
    rows = []
    for name in names:
        places = shipped_list(name)
        everyone = [p for p in gazetteers.places() if gazetteers.place_list_name(p) == name]
        known = qp_weighted(Fraction("0.1"), places).inputs
        inside = [p for p in everyone if rounded(p.latitude, p.longitude) in known]
        people = np.array([place.population for place in inside], dtype=np.float64)
        ranks = np.searchsorted(np.cumsum(people) / people.sum(), (np.arange(draws) + 0.5) / draws)
        inputs = [(inside[rank].latitude, inside[rank].longitude) for rank in ranks]
        prior = np.full(len(inputs), 1 / len(inputs))
        for epsilon in (Fraction("0.05"), Fraction("0.1"), Fraction("0.3")):
            planar = planar_km(epsilon, places, inputs)
            if epsilon in shipped_rates():
                weighed = qp_weighted(epsilon, places)
            else:
                roots = root_prior(everyone, sorted(known))
                weighed = weighing.weigh(epsilon, places, sorted(known), roots)
            qp, base = (
                expected_km(one, inputs, prior) for one in (weighed, exponential(epsilon, places))
            )
            rows.append(
                {
                    "list": name,
                    "places": len(places.positions),
                    "inputs": len(known),
                    "epsilon_per_km": float(epsilon),
                    "planar": planar[0],
                    "± (2 s.e.)": 2 * planar[2],
                    "exponential": base[0],
                    "qp_weighted": qp[0],
                    "planar_same": planar[1],
                    "qp_same": qp[1],
                }
            )
    return rows


def shipped_list(name: str) -> PlaceList:
    """The list of that name as the mechanisms see it."""
    listed = gazetteers.place_lists()[name]
    return PlaceList(name, tuple((place.latitude, place.longitude) for place in listed))


def root_prior(everyone: Sequence[Place], inputs: Sequence[Position]) -> list[float]:
    """The prior of the shipped tables: the root of how many people live at an input."""
    people = Counter[Position]()
    for place in everyone:
        people[rounded(place.latitude, place.longitude)] += place.population
    roots = [math.sqrt(people[position] + 1) for position in inputs]
    return [root / sum(roots) for root in roots]


def speed(times: int) -> list[Row]:
    """The time of places of metropolitan France, all drawn for the first time, and of arrays."""
    rows = []
    places = shipped_list("FR")
    qp_weighted.cache_clear()
    start = time.process_time()
    weighed = qp_weighted(Fraction("0.05"), places)
    load = {"qp_weighted": time.process_time() - start}
    planar = PlanarLaplace(epsilon_per_km=Fraction("0.1"), places=places)
    start = time.process_time()
    planar.randomise(*places.positions[0], Stream(KEY))
    load["planar_nearest"] = time.process_time() - start
    known = sorted(weighed.inputs)
    chosen = [known[at * 7_919 % len(known)] for at in range(times)]
    inputs = [(north / DEGREE, east / DEGREE) for north, east in chosen]
    for mechanism, drawn, cap in (
        (PlanarNearest(epsilon_per_km=Fraction("0.1")), planar, 5),
        (QPWeighted(epsilon_per_km=Fraction("0.05"), cap=3), weighed, 3),
    ):
        spots = [Spot(str(at), *position, places) for at, position in enumerate(inputs)]
        notes = [spots[at : at + cap] for at in range(0, len(spots) - cap, cap)]
        start = time.process_time()
        for at, note in enumerate(notes):
            mechanism.release(note, streams=Streams(KEY, str(at)))
        spent = time.process_time() - start
        towns = inputs[:100] * (times // 100)
        start = time.process_time()
        randomise_places(drawn, towns, Stream(KEY))
        rows.append(
            {
                "mechanism": mechanism.name,
                "load_s": load[mechanism.name],
                "place_ms": 1_000 * spent / sum(map(len, notes)),
                "record_ms": 1_000 * spent / len(notes),
                "places_a_record": cap,
                "array_per_s": len(towns) / (time.process_time() - start),
            }
        )
    return rows


def acceptance(seconds: Sequence[Row]) -> list[str]:
    """What misses its bound."""
    slow = [f"{row['mechanism']}: tables load in 0.3 s" for row in seconds if row["load_s"] > 0.3]
    late = [
        f"{row['mechanism']}: places of a note 0.3 ms" for row in seconds if row["record_ms"] > 0.3
    ]
    return slow + late


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
        (100,) if tiny else (692, 2_074, 15_362), ("0.1",) if tiny else ("0.05", "0.1", "0.3")
    )
    print(f"Mean km, inputs are the places of the list\n{shown(listed)}\n")
    communes = commune_rows(("LU",) if tiny else ("FR", "BE", "CH", "LU"), 40 if tiny else 2_000)
    print(f"Mean km, inputs are all places by population, shipped lists\n{shown(communes)}\n")
    seconds = speed(100 if tiny else 10_000)
    print(f"Processor time, France, every place drawn for the first time\n{shown(seconds)}")
    missed = [] if tiny else acceptance(seconds)
    print("\n".join(f"MISSED: {line}" for line in missed) or "all acceptance bounds are met")
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
            "speed": seconds,
            "missed": missed,
        }
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
