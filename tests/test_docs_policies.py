"""docs/policies.md has every key of every choice of a policy, with its default, and no other."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dpdeid.labels import Label
from dpdeid.policy.loader import choice_name
from dpdeid.policy.policy import (
    DETECTORS,
    MERGES,
    PROPAGATORS,
    STRATEGIES,
    load_policy,
    parse_policy,
    policy_text,
)

PAGE = (Path(__file__).parents[1] / "docs" / "policies.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^#{2,4} ([\w ]+)\n(.*?)(?=^#{2,4} |\Z)", PAGE, re.M | re.S))
TOP = {"name", "description", "unit", "e0", "randomness", "budget", "detectors", "propagators",
       "merge", "strategies", "default"}  # fmt: skip


def rows(section: str) -> dict[str, str]:
    """Key → default of a section's table."""
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]*?) \|", SECTIONS[section], re.M))


def inside(hint: Any) -> Iterator[type]:
    """The dataclasses that a value may be."""
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for inner in typing.get_args(hint):
        yield from inside(inner)


def choices() -> Iterator[type]:
    """Every class that a policy file can name, those inside of others too."""
    waiting = []
    for path in [
        *DETECTORS.values(),
        *PROPAGATORS.values(),
        *MERGES.values(),
        *STRATEGIES.values(),
    ]:
        module, _, name = path.partition(":")
        waiting.append(getattr(import_module(module), name))
    while waiting:
        cls = waiting.pop()
        yield cls
        hints = typing.get_type_hints(cls)
        for field in fields(cls):
            waiting += inside(hints[field.name]) if field.init else ()


def default(field: Field[Any]) -> str:
    """As the page writes it."""
    if field.default is MISSING and field.default_factory is MISSING:
        return "–"
    value = field.default if field.default is not MISSING else field.default_factory()  # type: ignore[misc]
    if value is None or value == () or value == {}:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and not isinstance(value, Enum):
        return f"`{value}`"
    if isinstance(value, tuple):
        return "all" if value == tuple(Label) else ", ".join(map(str, value))
    return f"`{choice_name(type(value))}`" if is_dataclass(value) else str(value)


@pytest.mark.parametrize("cls", dict.fromkeys(choices()), ids=choice_name)
def test_every_key_stands_in_the_page_with_its_default(cls: type) -> None:
    own = {f.name: default(f) for f in fields(cls) if f.init}
    name = choice_name(cls)
    if not own:
        assert f"`{name}`" in PAGE
        return
    assert rows(name) == own


def test_every_key_of_the_file_stands_in_the_page() -> None:
    assert set(rows("The file")) == TOP
    with pytest.raises(Exception, match="allowed: ") as error:
        parse_policy(policy_text("redact") + "stranger: 1\n")
    assert set(str(error.value).partition("allowed: ")[2].split(", ")) == TOP


def test_the_policy_of_the_page_loads(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
    (tmp_path / "ours.yaml").write_text(text, encoding="utf-8")
    assert load_policy(tmp_path / "ours.yaml").name == "ours"
