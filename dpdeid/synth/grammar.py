"""The template language, and the pieces of text that its rules write, each with its label.

The alternatives of a rule hold slots, options and marked text. Pieces are joined at the very end:
everything that changes a text (case, noise, broken lines) changes the text of pieces, never their
order or labels, so a span is right by construction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, Protocol

from dpdeid.labels import Label, Role
from dpdeid.synth.dice import Dice, sums


class Piece(NamedTuple):
    """A stretch of text. `label` is None outside spans; `who` is the bearer of a name in its scene
    ("p", "s1"), and which of their names it is, if not the usual one ("p/martin").
    """

    text: str
    label: Label | None = None
    role: Role = Role.UNKNOWN
    who: str = ""


class Entity(NamedTuple):
    """A span of the joined text, [start, end) in code points."""

    start: int
    end: int
    label: Label
    role: Role
    who: str = ""

    def to_json(self) -> dict[str, str | int]:
        """The span as `dpdeid detect` reads it."""
        names = {"label": self.label.value, "role": self.role.value}
        return {"start": self.start, "end": self.end, **names}


def join(pieces: Iterable[Piece]) -> tuple[str, list[Entity]]:
    """The text of the pieces and the spans of those that have a label; empty ones are dropped."""
    texts, entities, at = [], [], 0
    for text, label, role, who in pieces:
        if label is not None and text:
            entities.append(Entity(at, at + len(text), label, role, who))
        texts.append(text)
        at += len(text)
    return "".join(texts), entities


_RULE: Final = re.compile(r"(==?) (?:(\d+)\* )?([\w.-]+)$")
_WEIGHT: Final = re.compile(r"(\d+)\* ")
_OPENING: Final = re.compile(r"[{\[]|«[A-Z_]+:|<(?=[^<>]*/[^<>]*>)")
_PARTS: Final = {"[": ("|", "]"), "<": ("/", ">"), "«": ("\0", "»")}
"""Opening sign → what parts its inside, and what closes it."""
_MAYBE: Final = re.compile(r"(?m)^(\? .*\n?)")
_MASK: Final = re.compile(r"[#@][#@ ./-]*|-[#@-]+")
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


@dataclass(slots=True)
class Rule:
    """The weighted alternatives of a rule, compiled when first used. Not frozen: read by lines."""

    name: str
    lines: list[str] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    _nodes: list[Node] = field(default_factory=list)
    _sums: list[int] = field(default_factory=list)

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
    for file in sorted((files("dpdeid.synth") / "templates").iterdir(), key=lambda path: path.name):
        if file.name.endswith(".txt"):
            _read(file.read_text(encoding="utf-8"), found)
    return found


def written(rule: str, scene: Scene) -> list[Piece]:
    """The pieces of a rule; raises KeyError if there is none of that name."""
    out: list[Piece] = []
    rules()[rule].write(scene, out)
    return out


@cache
def lines(name: str) -> tuple[str, ...]:
    """The alternatives of a rule as they stand in the file: a plain list."""
    return tuple(rules()[name].lines)


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """The tab-separated rows of a table beside the templates, without its comments."""
    text = (files("dpdeid.synth") / f"{name}.tsv").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(tuple(row.split("\t")) for row in rows)


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
    except (TypeError, ValueError, IndexError) as error:
        raise TemplateError(f"template {name}: cannot read {line!r}: {error}") from error
    return nodes[0] if len(nodes) == 1 else _all(nodes)


def _line(line: str) -> Node:
    maybe = _MAYBE.fullmatch(line)
    node, _ = _sequence(line, 2 if maybe else 0, "")
    if not maybe:
        return node
    return lambda scene, out: node(scene, out) if scene.dice.chance(50) else None


def _sequence(text: str, at: int, ends: str) -> tuple[Node, int]:
    """What stands from `at` to the first of `ends` or the end of the text, and where that is."""
    nodes: list[Node] = []
    plain = ""
    while at < len(text) and text[at] not in ends:
        if _OPENING.match(text, at):
            if plain:
                nodes.append(_literal(plain))
                plain = ""
            node, at = _bracket(text, at)
            nodes.append(node)
            continue
        if text[at] == "\\":
            at += 1
            plain += "\n" if text[at] == "n" else text[at]
        else:
            plain += text[at]
        at += 1
    if plain:
        nodes.append(_literal(plain))
    return nodes[0] if len(nodes) == 1 else _all(nodes), at


def _bracket(text: str, at: int) -> tuple[Node, int]:
    """What the bracket that opens at `at` writes, and where the text goes on."""
    sign = text[at]
    if sign == "{":
        end = text.index("}", at)
        return _slot(text[at + 1 : end]), end + 1
    name = ""
    if sign == "«":
        name, _, _ = text[at + 1 :].partition(":")
        at += len(name) + 1
    between, closing = _PARTS[sign]
    nodes: list[Node] = []
    while not nodes or text[at] == between:
        node, at = _sequence(text, at + 1, between + closing)
        nodes.append(node)
    if sign == "«":
        return _mark(Label(name), *nodes), at + 1
    return (_option if sign == "[" else _gender)(*nodes), at + 1


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
    if _MASK.fullmatch(text):
        return lambda scene, out: out.append(Piece(laid(text, scene.dice)))
    name, _, given = text.partition(":")
    arguments = tuple(given.split(",")) if given else ()
    if name == "n":
        return lambda scene, out: out.append(Piece(_number(scene.dice, *map(int, arguments))))
    if not arguments and (rule := rules().get(name)):
        return rule.write
    return lambda scene, out: out.extend(scene.fill(name, arguments))


def laid(mask: str, dice: Dice, given: str = "") -> str:
    """A mask with signs laid over its #, then drawn digits, and letters over @; ~ skips a sign."""
    left, out = iter(given), []
    for sign in mask:
        if sign == "~":
            next(left, "")
        elif sign == "#":
            out.append(next(left, "") or dice.digits(1))
        else:
            out.append(dice.letters(1) if sign == "@" else sign)
    return "".join(out)


def _number(dice: Dice, low: int, high: int, decimals: int = 0) -> str:
    text = str(dice.between(low, high))
    return text + dice.choice(",,,.") + dice.digits(decimals) if decimals else text


def _option(*nodes: Node) -> Node:
    if len(nodes) == 1:
        return lambda scene, out: nodes[0](scene, out) if scene.dice.chance(50) else None
    return lambda scene, out: scene.dice.choice(nodes)(scene, out)


def _gender(him: Node, her: Node) -> Node:
    return lambda scene, out: (her if scene.female else him)(scene, out)


def _mark(label: Label, node: Node) -> Node:
    def write(scene: Scene, out: list[Piece]) -> None:
        held: list[Piece] = []
        node(scene, held)
        out.append(Piece("".join(piece.text for piece in held), label))

    return write


Value = str | Callable[..., str]


@dataclass(slots=True)
class Form:
    """What fills the slots of a rule by values that stand ready, or are made when they are asked
    for: those of a date, a number, a street or a person. Not frozen: it keeps what it has said.
    """

    dice: Dice
    values: Mapping[str, Value]
    female: bool = False
    said: dict[str, set[int]] = field(default_factory=dict)

    def fill(self, slot: str, arguments: tuple[str, ...]) -> Iterator[Piece]:
        value = self.values[slot]
        made = value if isinstance(value, str) else value()
        yield Piece(laid(arguments[0], self.dice, made) if arguments else made)

    def text(self, rule: str) -> str:
        """The text of a rule."""
        return "".join(piece.text for piece in written(rule, self))
