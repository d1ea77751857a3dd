"""A policy: which detectors run, how they are merged, what replaces each label, in which order.

A rule is the constructor call of one frozen dataclass, so a policy file has no grammar of its own:

    strategies:
      - dates:                             # the strategy's name
          labels: [DATE, BIRTH_DATE, AGE]  # its fields
          timeline: {shift: {days: 365}}   # a nested choice: the class name, then its fields

Whatever is not known (a key, label, strategy, detector) is refused at load with its line and the
names that are allowed. Amounts are read from the file's own text into exact fractions. A strategy
may come from another package, see `dpdeid.policy.plugins`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from dpdeid.errors import PolicyError
from dpdeid.labels import Label
from dpdeid.policy import plugins
from dpdeid.policy.loader import Loader
from dpdeid.privacy.timeline.unproved import Paper
from dpdeid.protocols import Detector, Learned, Merge, Propagator, Sharing, Strategy

_HERE: Final = Path()
_POLICIES: Final = files("dpdeid") / "policies"

DETECTORS: Final = {
    "patterns": "dpdeid.detect.rules:Patterns",
    "metadata": "dpdeid.detect.known_facts.metadata:Metadata",
    "lookup": "dpdeid.detect.names.lookup:Lookup",
    "lookup_places": "dpdeid.detect.places.lookup:LookupPlaces",
    "site": "dpdeid.detect.known_facts.site:Site",
    "fasdim": "dpdeid.fasdim.detector:Fasdim",
    "crf": "dpdeid.detect.taggers.crf:Crf",
    "transformer": "dpdeid.detect.taggers.transformer:Transformer",
    "flair": "dpdeid.detect.taggers.flair:Flair",
}
PROPAGATORS: Final = {"propagate": "dpdeid.detect.known_facts.propagate:Propagate"}
MERGES: Final = {
    "union": "dpdeid.detect.merge.published:Union",
    "tags": "dpdeid.detect.merge.published:Tags",
    "route": "dpdeid.detect.merge.published:Route",
    "by_category": "dpdeid.detect.merge.by_category:ByCategory",
    "decision": "dpdeid.detect.decision.decision:Decision",
}
STRATEGIES: Final = {
    "redact": "dpdeid.substitute.without_draws:Redact",
    "words": "dpdeid.substitute.in_words:Words",
    "keep": "dpdeid.substitute.without_draws:Keep",
    "dates": "dpdeid.substitute.dates.strategy:Dates",
    "times": "dpdeid.substitute.dates.times:Times",
    "generalise": "dpdeid.substitute.without_draws:Generalise",
    "people": "dpdeid.substitute.people.strategy:People",
    "places": "dpdeid.substitute.places.strategy:Places",
    "addresses": "dpdeid.substitute.places.addresses:Addresses",
    "identifiers": "dpdeid.substitute.codes.identifiers:Identifiers",
    "contacts": "dpdeid.substitute.codes.contacts:Contacts",
}

_NEEDED: Final = ("name", "unit", "detectors", "merge", "strategies", "default")
"""Keys of every policy."""
FALLBACKS: Final = {name: STRATEGIES[name] for name in ("redact", "words")}
"""What may answer where no strategy did: never the original."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A checked policy.

    Args:
        unit: what one privacy unit is: a note, or all notes of a patient.
        detectors, propagators: run in this order; their order changes the result only where two of
            one kind tie. Several of a kind are several voices, see `dpdeid.detect.merge.published`.
        merge: decides between them.
        strategies: in the order in which they run; no label is served twice.
        default: replaces what no strategy answered for.
        e0: the cohort's public reference date, if the policy fixes one.
        by_counts: strategies that share one ε in each note by how often their values occur in it;
            only the published mode may.
        randomness: whether draws come from the key and can be repeated, or are made anew for each
            record.
        plugins: name of a strategy that another package brought → that package and its version.
        sha256: of the policy's text, or "" if it was built in code.

    Raises:
        PolicyError: two strategies serve a label, one stands before another that it needs, a
            detector stands twice with the same options or the same model, the merge gives labels to
            one that is not there, or an ε is split by counts where that is no published design.
    """

    name: str
    unit: Literal["note", "patient"]
    detectors: tuple[Detector, ...]
    merge: Merge
    strategies: tuple[Strategy, ...]
    default: Strategy
    propagators: tuple[Propagator, ...] = ()
    description: str = ""
    e0: dt.date | None = None
    randomness: Literal["keyed", "system"] = "keyed"
    by_counts: tuple[str, ...] = ()
    plugins: Mapping[str, str] = field(default_factory=dict, compare=False)
    sha256: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        self._check_voices()
        seen: dict[Label, str] = {}
        for strategy in self.strategies:
            for label in strategy.labels:
                if label in seen:
                    raise PolicyError(f"{label} is served by {seen[label]} and by {strategy.name}")
                seen[label] = strategy.name
        order = [strategy.name for strategy in self.strategies]
        for place, strategy in enumerate(self.strategies):
            for needed in strategy.needs:
                if needed in order[place:]:
                    raise PolicyError(f"{strategy.name} must stand after {needed}")
        self._check_counts()
        parts: tuple[Detector | Propagator, ...] = (*self.detectors, *self.propagators)
        heard = {part.name for part in parts}
        if missing := sorted(set(self.merge.needs) - heard):
            raise PolicyError(f"the merge gives labels to {missing[0]}, which is no detector here")

    def _check_voices(self) -> None:
        """What is heard twice counts twice: two of a kind must be two lists or two models."""
        parts: tuple[Detector | Propagator, ...] = (*self.detectors, *self.propagators)
        for place, part in enumerate(parts):
            for other in parts[:place]:
                if part == other:
                    raise PolicyError(f"{part.name} stands twice with the same options")
                if part.name == other.name and _model(part) == _model(other) != {}:
                    raise PolicyError(f"{part.name} stands twice with the same model")

    def _check_counts(self) -> None:
        """Only the published design may have a share that follows a count: it has no worst case."""
        counted = [s for s in self.strategies if s.name in self.by_counts]
        if missing := set(self.by_counts) - {s.name for s in counted}:
            raise PolicyError(f"split by counts: there is no strategy {sorted(missing)[0]}")
        published = any(isinstance(getattr(s, "timeline", None), Paper) for s in counted)
        if counted and not (published and all(isinstance(s, Sharing) for s in counted)):
            raise PolicyError("split by counts: only with the timeline paper")

    def found_by(self, *detectors: Detector, merge: Merge | None = None) -> Policy:
        """The same with these detectors alone."""
        return replace(self, detectors=detectors, merge=merge or self.merge)

    def origin(self, strategy: Strategy) -> str:
        """Who brought a strategy, whose claims nothing here proves; "" for one that is built in."""
        cls = type(strategy)
        if STRATEGIES.get(strategy.name) == f"{cls.__module__}:{cls.__qualname__}":
            return ""
        return self.plugins.get(strategy.name, cls.__module__)

    def strategy_for(self, label: Label) -> Strategy:
        """The strategy that serves a label, or the default."""
        return next((s for s in self.strategies if label in s.labels), self.default)


def _model(detector: Detector | Propagator) -> Mapping[str, str]:
    return detector.model_files() if isinstance(detector, Learned) else {}


def names() -> tuple[str, ...]:
    """The built-in policies, sorted."""
    found = (p.name for p in _POLICIES.iterdir() if p.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in found))


def load_policy(source: str | Path, base: Path | None = None) -> Policy:
    """The policy of a built-in name or a YAML file.

    Args:
        base: where its relative paths start; by default where the file lies.

    Raises:
        PolicyError: no such policy, or something in it is not known; with the line.
    """
    built_in = isinstance(source, str) and source in names()
    name, where = (f"policy {source}", Path()) if built_in else (str(source), Path(source).parent)
    return parse_policy(policy_text(source), name, base or where)


def policy_file(source: str | Path | None) -> Path | None:
    """The file that a policy is read from, None for a built-in one."""
    return None if source is None or source in names() else Path(source)


def policy_text(source: str | Path) -> str:
    """The YAML text of a built-in policy or of a file.

    Raises:
        PolicyError: no such policy, or the file cannot be read.
    """
    if isinstance(source, str) and source in names():
        return (_POLICIES / f"{source}.yaml").read_text(encoding="utf-8")
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PolicyError(
            f"no policy {str(source)!r}: it is neither a file nor one of {', '.join(names())}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"cannot read the policy {path}: {type(error).__name__}") from None


def parse_policy(text: str, source: str = "policy", base: Path = _HERE) -> Policy:
    """The policy in a YAML text. `source` names it in errors, its paths start at `base`.

    Raises:
        PolicyError: something in it is not known; with the line.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise PolicyError(f"{source}{where}: not valid YAML") from None
    if root is None:
        raise PolicyError(f"{source}: the file is empty")
    loader = Loader(source, base)
    top = loader.mapping(root)
    total = top.pop("budget", None)
    budget = loader.budget(total)
    others = plugins.strategies(STRATEGIES)
    known = _registry(STRATEGIES) | {name: plugin.load for name, plugin in others.items()}
    part: dict[str, Callable[[yaml.Node], Any]] = {
        "name": loader.scalar,
        "description": loader.scalar,
        "unit": lambda node: loader.value(node, Literal["note", "patient"]),
        "e0": lambda node: loader.value(node, dt.date),
        "randomness": lambda node: loader.value(node, Literal["keyed", "system"]),
        "detectors": lambda node: loader.choices(node, _registry(DETECTORS), "detector"),
        "propagators": lambda node: loader.choices(node, _registry(PROPAGATORS), "propagator"),
        "merge": lambda node: loader.choice(node, _registry(MERGES), "merge rule"),
        "strategies": lambda node: loader.choices(node, known, "strategy", budget),
        "default": lambda node: loader.choice(node, _registry(FALLBACKS), "default"),
    }
    fields = {}
    for key, node in top.items():
        if key not in part:
            raise loader.error(
                node, f"unknown key {key!r}; allowed: {', '.join((*part, 'budget'))}"
            )
        fields[key] = part[key](node)
    if missing := [key for key in _NEEDED if key not in fields]:
        raise loader.error(root, f"missing: {', '.join(missing)}")
    if not fields["detectors"]:
        raise loader.error(top["detectors"], "no detector: nothing would be found or replaced")
    if budget is not None:
        try:
            budget.check(fields["strategies"])
        except ValueError as error:
            raise loader.error(total or root, str(error)) from None
    used = [strategy for strategy in fields["strategies"] if strategy.name in others]
    for strategy in used:
        others[strategy.name].check(strategy)
    fields["plugins"] = {s.name: others[s.name].package for s in used}
    try:
        counted = budget.counted if budget else ()
        return Policy(**fields, by_counts=counted, sha256=hashlib.sha256(text.encode()).hexdigest())
    except PolicyError as error:
        raise PolicyError(f"{source}: {error}") from None


def _registry(paths: Mapping[str, str]) -> dict[str, Callable[[], type]]:
    def finder(path: str) -> Callable[[], type]:
        module, _, name = path.partition(":")
        return lambda: getattr(import_module(module), name)

    return {name: finder(path) for name, path in paths.items()}
