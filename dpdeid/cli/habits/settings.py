"""The settings of a site: a file of what would otherwise stand in every command.

    policy = "site/policy.yaml"   # or a built-in one
    cohort = "site/cohort"
    workers = 8

`dpdeid.toml` in the current folder, or the file that DPDEID_CONFIG names. A key is the long name of
an option, and counts in every command that has it and was not told otherwise.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpdeid.cli.terminal import tell
from dpdeid.errors import UsageError

FILE: Final = "dpdeid.toml"
VARIABLE: Final = "DPDEID_CONFIG"

_PATHS: Final = ("cohort", "key_file", "ledger_key_file", "lists", "crf", "transformer")
KEYS: Final = ("policy", *_PATHS, "workers")
_EITHER: Final = ("cohort", "key_file")
"""A cohort has its own key: what is named on the command line stands for both."""
_HELP: Final = frozenset(("-h", "--help"))


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file of settings says; relative paths start where it lies."""

    path: Path
    values: Mapping[str, str]

    def of(self, parameters: Iterable[Any]) -> dict[str, str]:
        """What it says of parameters, as click has them, by their names."""
        taken = {one.name: _key(one) for one in parameters}
        return {name: self.values[key] for name, key in taken.items() if key in self.values}


def read() -> Settings | None:
    """The settings that are in force; None if there are none, or DPDEID_CONFIG is empty.

    Raises:
        UsageError: the file cannot be read, or has a key or value that is none; names file and key.
    """
    named = os.environ.get(VARIABLE)
    path = Path(FILE if named is None else named)
    if named == "" or (named is None and not path.exists()):
        return None
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the settings {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
    if {*_EITHER} <= found.keys():
        raise UsageError(f"{path}: cohort and key_file: a cohort has its own key")
    return Settings(path, {key: _value(path, key, value) for key, value in found.items()})


def _value(path: Path, key: str, value: object) -> str:
    if key not in KEYS:
        raise UsageError(f"{path}: unknown key {key}; allowed: {', '.join(KEYS)}")
    if key == "workers":
        if type(value) is not int or value < 1:
            raise UsageError(f"{path}: workers is no whole number from 1 on")
        return str(value)
    if not isinstance(value, str) or not value:
        raise UsageError(f"{path}: {key} is no text")
    return str(path.parent / value) if key in _PATHS or _is_file(value) else value


def _is_file(policy: str) -> bool:
    from dpdeid.policy.policy import policy_file

    return policy_file(policy) is not None


def _key(parameter: Any) -> str:
    """The key of a parameter: the long name of its option, or its own; "" for a flag or a list."""
    if parameter.multiple or parameter.nargs != 1 or getattr(parameter, "is_flag", False):
        return ""
    long = (name for name in parameter.opts if name.startswith("--"))
    return next(long, str(parameter.name)).removeprefix("--").replace("-", "_")


def in_force(command: Any, name: str | None, args: Sequence[str], *rest: Any, **extra: Any) -> Any:
    """The context of a command, as click makes it, with what the settings say of it; tells what
    that is.

    Raises:
        UsageError: the settings are refused.
    """
    helps = extra.get("resilient_parsing") or not _HELP.isdisjoint(args)
    settings = None if helps else read()
    if settings is None:
        return command.make_context(name, args, *rest, **extra)
    given = settings.of(command.params)
    made = command.make_context(name, args, *rest, default_map=given, **extra)
    source = {one: made.get_parameter_source(one) for one in given}
    used = [one for one in given if source[one].name == "DEFAULT_MAP"]
    if any(made.params.get(one) is not None and one not in used for one in _EITHER):
        for one in {*_EITHER} & {*used}:
            made.params[one] = None
            used.remove(one)
    if used:
        tell(f"{settings.path}: {', '.join(_key(p) for p in command.params if p.name in used)}")
    return made
