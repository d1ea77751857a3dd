"""`python -m dpdeid.testing.coupled`: fuzzes the statement of policies; 1 if a release differs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from dpdeid.policy.policy import load_policy
from dpdeid.testing.coupled.comparison import fuzz, stated_policies


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints one line a policy, and each violation as small as it could be made."""
    parser = argparse.ArgumentParser(prog="python -m dpdeid.testing.coupled", description=__doc__)
    parser.add_argument("--policy", action="append", help="name or file; default: all that state")
    parser.add_argument("--templates", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=5, help="stop after so many violations")
    given = parser.parse_args(arguments)
    policies = [load_policy(p) for p in given.policy] if given.policy else stated_policies()
    failed = False
    for policy in policies:
        result = fuzz(policy, given.templates, seed=given.seed, most=given.most)
        failed |= bool(result.violations)
        sys.stdout.write(f"{result}\n" + "".join(f"{one}\n" for one in result.violations))
        sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
