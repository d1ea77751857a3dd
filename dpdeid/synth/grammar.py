r"""The template language: rules whose alternatives hold slots, options and marked text.

A file of `templates/` has rules. `= name` starts a rule with one alternative a line; `== name` one
with a single alternative of many lines, up to the next rule. The same name twice adds to a rule.
`3*` before an alternative (after the name of `==`) is its weight. In an alternative:

    {name}            a rule, or a slot that the scene fills
    {name:a,b}        a slot with arguments
    [one|two|]        one of these; [one] alone: with or without
    <le/la>           by the patient's sex
    «LABEL:text»      text with a label
    ? at a line start keeps the line or drops it
    \                 the next sign as it stands; \n is a line break

A rule of six alternatives or more seldom repeats itself within a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Protocol

from dpdeid.labels import Label
from dpdeid.synth.dice import Dice, sums
from dpdeid.synth.pieces import Piece

_RULE: Final = re.compile(r"(==?) (?:(\d+)\* )?([\w.]+)$")
_WEIGHT: Final = re.compile(r"(\d+)\* ")
_PLAIN: Final = re.compile(r"(?:[^\\{\[<«]|«(?![A-Z_]+:)|<(?![^<>]*/[^<>]*>))+")
_ENDS: Final = {"{": "}", "[": "]", "<": ">", "«": "»"}
_MAYBE: Final = re.compile(r"(?m)^(\? .*\n?)")
_MANY: Final = 6
_TRIES: Final = 2


class Scene(Protocol):
    """What fills the slots of a note."""

    dice: Dice
    female: bool
    said: dict[str, set[int]]

    def fill(self, slot: str, arguments: tuple[str, ...]) -> Iterator[Piece]:
        """The pieces of a slot; raises KeyError if there is none of that name."""


Node = Callable[[Scene, list[Piece]], None]


class TemplateError(ValueError):
    """A template that cannot be read; the message names the rule."""


class Rule:
    """The weighted alternatives of a rule, compiled when first used."""

    __slots__ = ("_nodes", "_sums", "lines", "name", "weights")

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.weights: list[int] = []
        self._nodes: list[Node] = []
        self._sums: list[int] = []

    def add(self, line: str, weight: int) -> None:
        self.lines.append(line)
        self.weights.append(weight)

    def write(self, scene: Scene, out: list[Piece]) -> None:
        """Appends the pieces of one alternative to `out`."""
        if not self._nodes:
            self._nodes = [_compiled(line, self.name) for line in self.lines]
            self._sums = sums(self.weights)
        places = range(len(self._nodes))
        drawn = scene.dice.weighted(places, self._sums)
        if len(places) >= _MANY:
            said = scene.said.setdefault(self.name, set())
            for _ in range(_TRIES):
                if drawn not in said:
                    break
                drawn = scene.dice.weighted(places, self._sums)
            said.add(drawn)
        self._nodes[drawn](scene, out)


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule of every template file, by name."""
    found: dict[str, Rule] = {}
    folder = files("dpdeid.synth") / "templates"
    for file in sorted(folder.iterdir(), key=lambda path: path.name):
        if file.name.endswith(".txt"):
            _read(file.read_text(encoding="utf-8"), found)
    return found


@cache
def lines(name: str) -> tuple[str, ...]:
    """The alternatives of a rule as they stand in the file: a plain list."""
    return tuple(rules()[name].lines)


def _read(text: str, found: dict[str, Rule]) -> None:
    rule, weight = Rule(""), 1
    block: list[str] | None = None
    for line in [*text.splitlines(), "= end_"]:
        if head := _RULE.match(line):
            if block is not None:
                rule.add("\n".join(block).strip("\n"), weight)
            rule = found.setdefault(head[3], Rule(head[3]))
            weight = int(head[2] or 1)
            block = [] if head[1] == "==" else None
        elif block is not None:
            block.append(line)
        elif line and not line.startswith("#"):
            given = _WEIGHT.match(line)
            rule.add(line[given.end() :] if given else line, int(given[1]) if given else 1)
    found.pop("end_", None)


def _compiled(line: str, name: str) -> Node:
    try:
        nodes = [_line(part) for part in _MAYBE.split(line) if part]
    except (KeyError, ValueError, IndexError) as error:
        raise TemplateError(f"template {name}: cannot read {line!r}: {error}") from error
    return nodes[0] if len(nodes) == 1 else _all(nodes)


def _line(line: str) -> Node:
    if not _MAYBE.fullmatch(line):
        return _sequence(line)
    node = _sequence(line[2:])
    return lambda scene, out: node(scene, out) if scene.dice.chance(50) else None


def _sequence(text: str) -> Node:
    nodes: list[Node] = []
    at, plain = 0, ""
    while at < len(text):
        if found := _PLAIN.match(text, at):
            plain += found[0]
            at = found.end()
        elif text[at] == "\\":
            plain += "\n" if text[at + 1] == "n" else text[at + 1]
            at += 2
        else:
            end = _close(text, at)
            if plain:
                nodes.append(_literal(plain))
                plain = ""
            nodes.append(_SIGNS[text[at]](text[at + 1 : end]))
            at = end + 1
    if plain:
        nodes.append(_literal(plain))
    return nodes[0] if len(nodes) == 1 else _all(nodes)


def _close(text: str, at: int) -> int:
    opening, closing = text[at], _ENDS[text[at]]
    depth, here = 0, at
    while here < len(text):
        if text[here] == "\\":
            here += 1
        elif text[here] == opening:
            depth += 1
        elif text[here] == closing:
            depth -= 1
            if not depth:
                return here
        here += 1
    raise ValueError(f"no {closing}")


def _split(text: str, sign: str) -> list[str]:
    """The parts between signs that stand in no bracket."""
    parts, depth, begin, at = [], 0, 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] in "{[<«":
            depth += 1
        elif text[at] in "}]>»":
            depth -= 1
        elif text[at] == sign and not depth:
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*parts, text[begin:]]


def _all(nodes: list[Node]) -> Node:
    fixed = tuple(nodes)

    def write(scene: Scene, out: list[Piece]) -> None:
        for node in fixed:
            node(scene, out)

    return write


def _literal(text: str) -> Node:
    piece = Piece(text)
    return lambda scene, out: out.append(piece)


def _slot(text: str) -> Node:
    name, _, given = text.partition(":")
    arguments = tuple(given.split(",")) if given else ()
    if not arguments and (rule := rules().get(name)):
        return rule.write
    return lambda scene, out: out.extend(scene.fill(name, arguments))


def _option(text: str) -> Node:
    parts = _split(text, "|")
    nodes = [_sequence(part) if part else _all([]) for part in parts]
    if len(nodes) == 1:
        (node,) = nodes
        return lambda scene, out: node(scene, out) if scene.dice.chance(50) else None
    return lambda scene, out: scene.dice.choice(nodes)(scene, out)


def _gender(text: str) -> Node:
    him, her = _split(text, "/")
    male, female = (_sequence(part) if part else _all([]) for part in (him, her))
    return lambda scene, out: (female if scene.female else male)(scene, out)


def _mark(text: str) -> Node:
    name, _, inside = text.partition(":")
    label, node = Label(name), _sequence(inside)

    def write(scene: Scene, out: list[Piece]) -> None:
        held: list[Piece] = []
        node(scene, held)
        out.append(Piece("".join(piece.text for piece in held), label))

    return write


_SIGNS: Final = {"{": _slot, "[": _option, "<": _gender, "«": _mark}
