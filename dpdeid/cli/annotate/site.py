"""`dpdeid annotate site`: what annotated notes teach the policy of the hospital they come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdeid.annotate.site import LEAST, site_lists, with_detectors
from dpdeid.cli.terminal import counted, tell
from dpdeid.errors import UsageError
from dpdeid.formats.write import open_private
from dpdeid.policy.policy import load_policy, policy_text
from dpdeid.training.corpus import read_corpus

LISTS = "lists"
POLICY = "policy.yaml"


def site(
    notes: list[Path],
    out: Path,
    policy: str = "dp",
    crf: Path | None = None,
    transformer: Path | None = None,
    least: int = LEAST,
) -> None:
    """Writes the lists and the policy into a folder and says how much stands in them.

    Raises:
        UsageError: the notes, the policy or a model are refused, the folder is there and not
            empty, or nothing was given that a policy could add.
    """
    load_policy(policy)
    lists = site_lists(read_corpus(notes), least)
    models = {"crf": crf, "transformer": transformer}
    used = {name: path for name, path in models.items() if path is not None}
    if not lists and not used:
        raise UsageError(
            f"no entry stands in the notes of {counted(least, 'patient')}, and no model is given"
        )
    if out.is_dir() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty")
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    added: list[dict[str, Any]] = []
    if lists:
        (out / LISTS).mkdir(mode=0o700)
        for kind, entries in lists.items():
            with open_private(out / LISTS / f"{kind}.txt") as file:
                file.writelines(f"{entry}\n" for entry in entries)
        added.append({"site": {"folder": LISTS}})
    for name, path in used.items():
        added.append({name: {"model": str(path.resolve())}})
    target = out / POLICY
    with open_private(target) as file:
        file.write(with_detectors(policy_text(policy), f"{load_policy(policy).name}-site", added))
    load_policy(target)
    told = ", ".join(f"{len(entries)} {kind}" for kind, entries in lists.items()) or "no lists"
    tell(f"{target}: {', '.join([told, *used])}")
