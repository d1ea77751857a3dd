"""What the slider of the playground shows beside a note: the risk and the worth of each ε.

    python benchmarks/playground.py [--tiny] [--json FILE] [--write]

Made-up patients in the setting "stays" of `attacks.py`, and expected errors as `dpdeid check` has
them, of each built-in policy that replaces dates by dates, at each factor of its ε. An attacker who
knows three dates of a patient, or these and two towns, looks for the record among all: what is
found is a lower bound on the risk. With --write the table that the service ships is written anew.
Half an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

from privacy_utility import shown

from dpdeid.assurance.forecast import timeline_of
from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.patients import Drawn, patients, released
from dpdeid.evaluate.attacks.simulated import linked
from dpdeid.policy.policy import load_policy, names
from dpdeid.privacy import expected_error
from dpdeid.serve import scaled
from dpdeid.substitute.places.strategy import Keyed, Places, place_outlook

DATES: Final = 15
"""Of the made-up records on which the error of an interval is expected."""
KNOWN: Final = 3
PATIENTS, SOUGHT = 1_000, 400
HEAD: Final = """\
# Made-up patients; written by `python benchmarks/playground.py --write`. Columns: the policy; the
# factor of its ε; expected error of an interval (days, median) and of a town (km); patients; those
# sought among them; those found by three dates, and by three dates and two towns.
"""
Row = dict[str, Any]


def cases() -> Iterator[tuple[str, Fraction]]:
    """The policies that replace dates by dates, with each factor that changes them."""
    for name in names():
        policy = load_policy(name)
        try:
            Drawn.of(policy)
        except UsageError:
            continue
        for times in scaled.FACTORS:
            if times == 1 or scaled.is_noised(policy):
                yield name, times


def measured(name: str, times: Fraction, size: int, sought: int) -> Row:
    """A row of the table."""
    policy = scaled.scaled(load_policy(name), times)
    drawn, people = Drawn.of(policy), patients(size)
    traces = [released(drawn, one, f"p{at}") for at, one in enumerate(people)]
    found = [
        linked(drawn, people, traces, KNOWN, sought, towns=both).found for both in (False, True)
    ]
    mode = timeline_of(policy)
    assert mode is not None
    told = expected_error.dates(mode, by_patient=policy.unit == "patient")
    places = next(s for s in policy.strategies if isinstance(s, Places))
    return {
        "policy": name,
        "times": str(times),
        "days": round(next(one.interval for one in told if one.dates == DATES), 1),
        "km": math.nan
        if isinstance(places.mechanism, Keyed)
        else round(place_outlook(places).km, 1),
        "records": size,
        "sought": found[0].trials,
        "by_dates": found[0].hits,
        "by_towns": found[1].hits,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--tiny", action="store_true", help="one policy, few patients: does it run?"
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--write", action="store_true", help="write the table of the service")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    wanted = [("dp", Fraction(1)), ("dp", Fraction(8))] if options.tiny else list(cases())
    sizes = (60, 30) if options.tiny else (PATIENTS, SOUGHT)
    with Pool(options.processes) as pool:
        rows = pool.starmap(measured, [(*one, *sizes) for one in wanted], chunksize=1)
    print(shown(rows))
    if options.write:
        lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
        table = Path(scaled.__file__).with_name(scaled.TABLE)
        table.write_text(HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    if options.json is not None:
        options.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
