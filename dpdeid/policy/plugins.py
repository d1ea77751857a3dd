"""Strategies of other packages: found by their entry points, imported where a policy names one.

    [project.entry-points."dpdeid.strategies"]
    wards = "our_package.wards:Wards"

A plug-in cannot take the name of a built-in strategy, nor of another plug-in. Whatever is wrong
with one is told with its name and package, before any note is read.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, get_type_hints

from dpdeid.errors import PolicyError
from dpdeid.labels import Label
from dpdeid.protocols import Guarantee, Strategy

GROUP: Final = "dpdeid.strategies"

_PARTS: Final = ("name", "needs", "labels", "substitute", "guarantees")


@dataclass(frozen=True, slots=True)
class Plugin:
    """A strategy of another package, not yet imported."""

    entry: EntryPoint

    @property
    def package(self) -> str:
        """Name and version of the package."""
        return f"{self.entry.dist.name} {self.entry.dist.version}" if self.entry.dist else "?"

    def error(self, message: str) -> PolicyError:
        """An error that names the plug-in and its package."""
        return PolicyError(f"the plug-in {self.entry.name!r} of {self.package} {message}")

    def load(self) -> type:
        """Its class.

        Raises:
            PolicyError: it cannot be imported, or is no strategy of this name.
        """
        try:
            cls = self.entry.load()
            get_type_hints(cls)
        except Exception as error:  # anybody's code
            told = f"{type(error).__name__}: {error}"
            raise self.error(f"cannot be imported ({self.entry.value}: {told})") from None
        if not (isinstance(cls, type) and is_dataclass(cls) and _is_frozen(cls)):
            raise self.error(f"is not a frozen dataclass ({self.entry.value})")
        own = {*(f.name for f in fields(cls)), *dir(cls)}
        if missing := [part for part in _PARTS if part not in own]:
            raise self.error(f"is no strategy: it has no {', '.join(missing)}")
        if getattr(cls, "name", None) != self.entry.name:
            raise self.error("has a class of another name; both are the name in a policy")
        return cls

    def check(self, strategy: Strategy) -> None:
        """Refuses an object of it that could not stand in a policy.

        Raises:
            PolicyError: labels, needs or guarantees are not what they must be.
        """
        try:
            labels, needs, stated = strategy.labels, strategy.needs, strategy.guarantees()
        except Exception as error:
            told = type(error).__name__
            raise self.error(f"cannot tell its labels or guarantees ({told})") from None
        if not _all(labels, Label) or not labels:
            raise self.error("has labels that are no tuple of labels")
        if not _all(needs, str):
            raise self.error("has needs that are no tuple of names")
        if not _all(stated, Guarantee):
            raise self.error("has guarantees that are no tuple of Guarantee")


def strategies(built_in: Collection[str]) -> dict[str, Plugin]:
    """The strategies of other packages, by name. Imports none of them.

    Raises:
        PolicyError: one has the name of a built-in strategy, or of another.
    """
    found: dict[str, Plugin] = {}
    for entry in _entries(tuple(sys.path)):
        plugin = Plugin(entry)
        if entry.name in built_in:
            raise plugin.error("has the name of a built-in strategy; it must have another")
        if entry.name in found:
            raise plugin.error(f"has the name of one of {found[entry.name].package}")
        found[entry.name] = plugin
    return found


@lru_cache(maxsize=1)
def _entries(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """What the packages on this path offer; looking takes 20 ms."""
    return tuple(entry_points(group=GROUP))


def _is_frozen(cls: type) -> bool:
    return bool(cls.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def _all(values: object, kind: type) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, kind) for value in values)
