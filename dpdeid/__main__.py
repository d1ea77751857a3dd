"""`python -m dpdeid` is the `dpdeid` command."""

from dpdeid.cli import main

main()
