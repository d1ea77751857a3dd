"""What was measured: part 6 of an annex, and WP216. No figure stands without its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dpdeid.assurance.leakage import above
from dpdeid.assurance.report import recall_of
from dpdeid.dossier.promised import fate, most_bits, proved_labels
from dpdeid.dossier.texts import by_draws, columns, decimal, items, listed, of_section, share
from dpdeid.dossier.tree import Blanks, Block, Grid, Head, Missing, Said
from dpdeid.errors import UsageError
from dpdeid.evaluate.report import attacked, measured
from dpdeid.evaluate.report.inputs import Data, Evaluations, between, value
from dpdeid.evaluate.report.page import Section, Words
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy

_WRITERS: Final = {
    "detection": "evaluate detection",
    "attack": "evaluate attack",
    "utility": "evaluate utility",
    "effort": "review --effort",
}
"""What wrote a file of each kind; with which options, the file does not say."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the files say of a policy.

    Args:
        files: the name and the SHA-256 of each file.

    Raises:
        UsageError: a simulated attack is on another policy.
    """

    policy: Policy
    evaluations: Evaluations
    files: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, data in self.evaluations.attack.items():
            if _is_simulated(data) and data["policy_sha256"] != self.policy.sha256:
                raise UsageError(
                    f"the attack {name} is on the policy {data['policy']} and not on this "
                    f"{self.policy.name}: an annex shows the figures of its own policy only"
                )


def residual_risk(of: Measured, said: Words) -> Iterator[Block]:
    """What was missed, what is found by whoever knows something, what of medicine is kept, what
    reading is worth; each with its file, or with the command that would measure it.
    """
    yield Said(said("risk said"))
    if of.evaluations.detection or of.evaluations.utility or of.evaluations.effort:
        yield Said(said("files whose"))
    yield Head(said("missed title"))
    for name, data in of.evaluations.detection.items():
        yield _file(name, "detection", said)
        yield Said(_missed(data, said))
        yield from _found(name, data, of.policy, said)
        yield from _sections(said, measured.types(name, data, said))
    for name, data in of.evaluations.robustness.items():
        yield from of_section(measured.origins(name, data, said), said)
    if not of.evaluations.detection:
        yield _not_measured("detection", of.policy, said)
    yield Head(said("linkage annex title"))
    yield from _linkage(of, said)
    yield Head(said("medicine title"))
    yield from _medicine(of, said)
    yield Head(said("effort annex title"))
    for name, data in of.evaluations.effort.items():
        yield _file(name, "effort", said)
        yield from of_section(measured.reading(name, data, said), said)
    if not of.evaluations.effort:
        yield _not_measured("effort", of.policy, said)
    yield Head(said("makers title"))
    yield from _makers(of.policy, said)
    yield Head(said("files title"))
    if of.files:
        yield Grid(columns(said, "file_name", "sha256"), of.files)
    else:
        yield Said(said("files none"))


def _file(name: str, kind: str, said: Words) -> Said:
    return Said(said("annex file", name=name, command=_WRITERS[kind]))


def _not_measured(kind: str, policy: Policy, said: Words) -> Missing:
    command = said(f"command {kind}", policy=policy.name)
    return Missing(said("annex missing", command=command))


def _sections(said: Words, *sections: Section | None) -> Iterator[Block]:
    for section in sections:
        if section is not None:
            yield from of_section(section, said)


def _missed(data: Data, said: Words) -> str:
    low, high = between(data, "direct", "redacted")
    few, many = between(data, "direct", "fully_redacted")
    fully = value(data, "direct", "fully_redacted")
    return said(
        "missed text",
        notes=data["notes"],
        left=share(1 - value(data, "direct", "redacted"), said),
        left_low=share(1 - high, said, "low"),
        left_high=share(1 - low, said, "high"),
        words=said.count(round(value(data, "direct", "leaked"))),
        notes_left=share(1 - fully, said),
        notes_low=share(1 - many, said, "low"),
        notes_high=share(1 - few, said, "high"),
        fully=share(fully, said),
    )


def _found(name: str, data: Data, policy: Policy, said: Words) -> Iterator[Block]:
    """What was found, by label; whatever the policy keeps is named as that."""
    kept = [one for one in Label if fate(policy, one) == "kept" and one.value in data["labels"]]
    own = {f"label {one}": said("found kept", label=said(f"label {one}")) for one in kept}
    own |= {"quasi": said("found kept quasi")} if kept else {}
    marked = replace(said, texts={**said.texts, **own})
    yield from _sections(marked, measured.found(name, data, marked))
    if kept:
        covered = data["quasi"].get("covered") or 0
        clear = sum(data["labels"][one.value].get("covered") or 0 for one in kept)
        counts = {"found": said.count(covered), "kept": said.count(clear)}
        yield Said(said("found kept text", values=listed(kept, said), **counts))


def _linkage(of: Measured, said: Words) -> Iterator[Block]:
    attacks = of.evaluations.attack
    if not attacks:
        yield _not_measured("attack", of.policy, said)
        return
    for name, data in attacks.items():
        yield _file(name, "attack", said)
        yield Said(said("attack simulated" if _is_simulated(data) else "attack files"))
        for told in _told(data, said):
            yield Said(told)
    yield Said(said("attack tried"))
    for towns in (False, True):
        yield from _sections(said, attacked.linkage(attacks, said, towns=towns))
    yield from _sections(said, attacked.unique(attacks, said))


def _is_simulated(data: Data) -> bool:
    return "setting" in data


def _told(data: Data, said: Words) -> Iterator[str]:
    """What somebody finds who knows the most dates that were tried, alone and with their towns."""
    rows = data["linkage"]
    most = max((row["known"] for row in rows), default=0)
    for row in rows:
        if row["known"] == most:
            found = row["found"]
            yield said(
                "linkage annex towns" if row["towns"] else "linkage annex text",
                dates=said("true date" if most == 1 else "true dates", known=most),
                records=said.count(row["records"]),
                share=share(found["share"], said),
                low=share(found["low"], said, "low"),
                high=share(found["high"], said, "high"),
                trials=said.count(found["trials"]),
            )


def _medicine(of: Measured, said: Words) -> Iterator[Block]:
    utility = of.evaluations.utility
    if not utility:
        yield _not_measured("utility", of.policy, said)
        return
    for name in utility:
        yield _file(name, "utility", said)
    yield from _sections(said, measured.kept(utility, said), measured.changed(utility, said))


def _makers(policy: Policy, said: Words) -> Iterator[Block]:
    found: Mapping[str, Mapping[str, Any]] = recall_of(policy)
    if not found:
        yield Said(said("makers nothing"))
        return
    yield Said(said("makers text"))
    rows = tuple(
        (
            said.said(f"set {name}", name),
            said.share(one["direct"]["redacted"]),
            said.share(one["direct"]["fully_redacted"]),
            said.share(one["quasi"]["redacted"]),
        )
        for name, one in found.items()
    )
    heads = columns(said, "notes_set", "direct_share", "clean_share", "quasi_share")
    yield Grid(heads, rows, of_figures=True)


def three_questions(of: Measured, said: Words) -> Iterator[Block]:
    """Singling out, linkability, inference: an answer, what is proved, what was measured."""
    attacks = of.evaluations.attack
    yield Said(said("wp216 said"))
    yield Head(said("singling title"))
    yield Said(said("singling answer"))
    yield _proved(of.policy, said)
    for name, data in attacks.items():
        before, after = data["uniqueness"]["before"], data["uniqueness"]["after"]
        counts = (after["with_intervals"], *(one["interval_sequences"] for one in (after, before)))
        records, unique, once = map(said.count, counts)
        told = said("singling measured", records=records, unique=unique, before=once)
        yield Said(_of_attack(name, data, told, said))
    if not attacks:
        yield _not_measured("attack", of.policy, said)
    yield Head(said("linking title"))
    yield Said(by_draws(said, f"linking answer {of.policy.unit}", of.policy))
    yield _proved(of.policy, said)
    for name, data in attacks.items():
        for told in _told(data, said):
            yield Said(_of_attack(name, data, told, said))
    if not attacks:
        yield _not_measured("attack", of.policy, said)
    yield Head(said("inferring title"))
    yield Said(said("inferring answer"))
    if bits := most_bits(of.policy):
        worst = max(bits, key=lambda what: bits[what])
        draw = said.said(f"leak {worst}", worst)
        yield Said(said("wp216 bits", bits=decimal(above(bits[worst]), said), draw=draw))
    else:
        yield Said(said("wp216 unproved"))
    for name, data in of.evaluations.detection.items():
        yield Said(said("wp216 measured", name=name, told=_missed(data, said)))
    if not of.evaluations.detection:
        yield _not_measured("detection", of.policy, said)
    yield Blanks(items(said, "wp216 conclusion"))


def _of_attack(name: str, data: Data, told: str, said: Words) -> str:
    key = "wp216 simulated" if _is_simulated(data) else "wp216 measured"
    return said(key, name=name, told=told)


def _proved(policy: Policy, said: Words) -> Said:
    if labels := proved_labels(policy):
        return Said(said("wp216 proved", values=listed(labels, said)))
    return Said(said("wp216 unproved"))
