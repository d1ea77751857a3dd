"""YAML nodes to frozen dataclasses: the constructor call a policy rule stands for.

Works on nodes, not on loaded values, because a node knows its line and its own text: a mistake is
told with its line, and "0.05" becomes the fraction 1/20 and not the nearest float.
"""

from __future__ import annotations

import datetime as dt
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import yaml

from dpdeid.errors import PolicyError
from dpdeid.privacy.ledger import Allowance, by_weights, uniform
from dpdeid.privacy.losses import Amount, Epsilon

Registry = Mapping[str, Callable[[], type]]


@dataclass(frozen=True, slots=True)
class Budget:
    """A total ε and the part of it that each strategy has.

    In a rule, `share` is the strategy's part of the total and `share/20` a twentieth of it.

    Args:
        parts: exact; they sum to the total.
        counted: instead, strategies that share the total in each note by how often their values
            occur in it; to a rule the share is then the whole.
    """

    epsilon: Fraction
    parts: Mapping[str, Fraction]
    counted: tuple[str, ...] = ()

    def share(self, strategy: str) -> Fraction | None:
        """The part of one strategy, None if it has none."""
        return self.epsilon if strategy in self.counted else self.parts.get(strategy)

    def check(self, strategies: Sequence[Any]) -> None:
        """Refuses a part for nobody, and a strategy that may lose more than its part.

        Only losses of one unit can be compared: a strategy that loses an ε per day or per km too
        has its part in other units.

        Raises:
            ValueError: names the strategy.
        """
        names = [strategy.name for strategy in strategies]
        if strangers := sorted(set(self.parts) - set(names)):
            raise ValueError(
                f"no strategy {strangers[0]!r} in this policy; has: {', '.join(names)}"
            )
        for strategy in strategies:
            share, worst = self.parts.get(strategy.name), Allowance.of(strategy.guarantees()).worst
            losses = [loss for loss in worst if isinstance(loss, Amount)]
            if share is None or len(losses) != 1 or not isinstance(losses[0], Epsilon):
                continue
            if losses[0].amount > share:
                raise ValueError(
                    f"{strategy.name} may lose {losses[0]}, more than its part of the budget "
                    f"({Epsilon(share)})"
                )


def choice_name(cls: Any) -> str:
    """The name of a class in a policy file: its `name`, else its class name in snake case."""
    name = cls.__dict__.get("name")
    return name if isinstance(name, str) else re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@dataclass(frozen=True, slots=True)
class Loader:
    """Turns nodes of one YAML file into values.

    Args:
        source: names the file in errors.
        base: where the file's relative paths start.
    """

    source: str
    base: Path = Path()

    def error(self, node: yaml.Node, message: str) -> PolicyError:
        """An error that names the file and the line of a node."""
        return PolicyError(f"{self.source}, line {node.start_mark.line + 1}: {message}")

    def scalar(self, node: yaml.Node) -> str:
        """The text of a scalar."""
        if not isinstance(node, yaml.ScalarNode):
            raise self.error(node, "a single value is expected here")
        return str(node.value)

    def mapping(self, node: yaml.Node) -> dict[str, yaml.Node]:
        """The nodes of a mapping by key."""
        if not isinstance(node, yaml.MappingNode):
            raise self.error(node, "a mapping (key: value) is expected here")
        out: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self.scalar(key)
            if name in out:
                raise self.error(key, f"the key {name!r} stands twice")
            out[name] = value
        return out

    def sequence(self, node: yaml.Node) -> list[yaml.Node]:
        """The nodes of a list."""
        if not isinstance(node, yaml.SequenceNode):
            raise self.error(node, "a list is expected here")
        return list(node.value)

    def budget(self, node: yaml.Node | None) -> Budget | None:
        """The policy's budget: `split` has shares that sum to one, or `weights: {name: weight}`,
        `uniform: [names]` or `counts: [names]`.
        """
        if node is None:
            return None
        top = self.mapping(node)
        unknown = set(top) - {"epsilon", "split"}
        if unknown or len(top) < 2:
            raise self.error(node, "a budget has the keys epsilon and split, and no other")
        epsilon, split = self._fraction(top["epsilon"]), self.mapping(top["split"])
        if epsilon <= 0:
            raise self.error(node, "epsilon must be > 0")
        way, inner = next(iter(split.items()), ("", node))
        try:
            if len(split) == 1 and way in ("uniform", "counts"):
                named = tuple(self.scalar(item) for item in self.sequence(inner))
                even = uniform(epsilon, named)
                return Budget(epsilon, even) if way == "uniform" else Budget(epsilon, {}, named)
            weighed = len(split) == 1 and way == "weights"
            shares = self.mapping(inner) if weighed else split
            weights = {name: self._fraction(share) for name, share in shares.items()}
            parts = by_weights(epsilon, weights)
        except ValueError as error:
            raise self.error(node, str(error)) from None
        if not weighed and sum(weights.values()) != 1:
            raise self.error(node, "the shares must sum to 1")
        return Budget(epsilon, parts)

    def choices(
        self, node: yaml.Node, registry: Registry, kind: str, budget: Budget | None = None
    ) -> tuple[Any, ...]:
        """One object for each entry of a list. See `choice`."""
        return tuple(self.choice(item, registry, kind, budget) for item in self.sequence(node))

    def choice(
        self, node: yaml.Node, registry: Registry, kind: str, budget: Budget | None = None
    ) -> Any:
        """The object that `name` or `{name: {field: value}}` stands for."""
        name, options = self._named(node, f"one {kind} is expected here, as {{name: options}}")
        if name not in registry:
            allowed = ", ".join(sorted(registry))
            raise self.error(node, f"unknown {kind} {name!r}; allowed: {allowed}")
        share = budget.share(name) if budget else None
        return self._build(node, registry[name](), options, share)

    def options(self, node: yaml.Node, cls: type) -> Any:
        """The object of a class that has no name in the file: {field: value}."""
        return self._build(node, cls, self.mapping(node), None)

    def _named(self, node: yaml.Node, expected: str) -> tuple[str, Mapping[str, yaml.Node]]:
        """The name and the options of `name` or `{name: {field: value}}`."""
        if isinstance(node, yaml.ScalarNode):
            return str(node.value), {}
        entry = self.mapping(node)
        if len(entry) != 1:
            raise self.error(node, expected)
        ((name, inner),) = entry.items()
        empty = isinstance(inner, yaml.ScalarNode) and inner.value == ""
        return name, {} if empty else self.mapping(inner)

    def _build(
        self, node: yaml.Node, cls: Any, options: Mapping[str, yaml.Node], share: Fraction | None
    ) -> Any:
        known = {f.name: f for f in fields(cls) if f.init}
        hints = typing.get_type_hints(cls)
        for key, value in options.items():
            if key not in known:
                allowed = ", ".join(known) or "none"
                raise self.error(value, f"unknown key {key!r}; allowed: {allowed}")
        required = {
            n for n, f in known.items() if f.default is MISSING and f.default_factory is MISSING
        }
        if missing := sorted(required - set(options)):
            raise self.error(node, f"{choice_name(cls)} needs {', '.join(missing)}")
        values = {key: self.value(value, hints[key], share) for key, value in options.items()}
        try:
            return cls(**values)
        except (ValueError, TypeError) as error:
            raise self.error(node, f"{choice_name(cls)}: {error}") from None

    def value(self, node: yaml.Node, hint: Any, share: Fraction | None = None) -> Any:
        """The value of a node where `hint` is expected."""
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self._one_of(node, args, share)
        if origin is Literal:
            text = self.scalar(node)
            if text not in args:
                raise self.error(node, f"{text!r} is not one of {', '.join(map(str, args))}")
            return text
        if origin is tuple:
            items = self.sequence(node)
            inner = [args[0]] * len(items) if args[-1] is Ellipsis else list(args)
            if len(inner) != len(items):
                raise self.error(node, f"{len(inner)} values are expected here")
            return tuple(self.value(i, h, share) for i, h in zip(items, inner, strict=True))
        if origin is not None and issubclass(origin, Mapping):
            return {
                self._member(node, key, args[0]): self.value(value, args[1], share)
                for key, value in self.mapping(node).items()
            }
        if is_dataclass(hint):
            return self._one_of(node, (hint,), share)
        return self._plain(node, hint, share)

    def _one_of(self, node: yaml.Node, options: tuple[Any, ...], share: Fraction | None) -> Any:
        """A value of a union: null, one of its dataclasses by name, or its one plain type."""
        plain = [o for o in options if not is_dataclass(o) and o is not type(None)]
        classes = {choice_name(o): o for o in options if is_dataclass(o)}
        null = isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"
        if null and type(None) in options:
            return None
        if len(plain) == 1 and not classes:
            return self.value(node, plain[0], share)
        allowed = ", ".join(sorted(classes))
        name, inner = self._named(node, f"one of {allowed} is expected here")
        if name not in classes:
            raise self.error(node, f"unknown choice {name!r}; allowed: {allowed}")
        return self._build(node, classes[name], inner, share)

    def _plain(self, node: yaml.Node, hint: Any, share: Fraction | None) -> Any:
        text = self.scalar(node)
        if hint is str:
            return text
        if hint is Path:
            return self.base / text
        if hint is bool:
            if text not in ("true", "false"):
                raise self.error(node, f"{text!r} is neither true nor false")
            return text == "true"
        if hint is Fraction:
            return self._fraction(node, share)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self._member(node, text, hint)
        if hint is int or hint is dt.date:
            try:
                return int(text) if hint is int else dt.date.fromisoformat(text)
            except ValueError:
                expected = "a whole number" if hint is int else "a date such as 2026-12-31"
                raise self.error(node, f"{text!r} is not {expected}") from None
        raise self.error(node, f"no value of this kind can be written in a policy ({hint})")

    def _member(self, node: yaml.Node, text: str, hint: Any) -> Any:
        if not (isinstance(hint, type) and issubclass(hint, Enum)):
            return text
        try:
            return hint(text)
        except ValueError:
            allowed = ", ".join(str(member.value) for member in hint)
            raise self.error(
                node, f"unknown {hint.__name__.lower()} {text!r}; allowed: {allowed}"
            ) from None

    def _fraction(self, node: yaml.Node, share: Fraction | None = None) -> Fraction:
        """The exact number of "8", "0.05", "3/4", "share" or "share/20"."""
        text = self.scalar(node)
        whole, _, part = text.partition("/")
        try:
            if whole != "share":
                return Fraction(text)
            if share is None:
                raise self.error(node, "share: the budget has no part for this strategy")
            return share / Fraction(part or 1)
        except (ValueError, ZeroDivisionError):
            raise self.error(node, f"{text!r} is not a number such as 8, 0.05 or 3/4") from None
