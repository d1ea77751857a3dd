"""Milliseconds a note by stage, and microseconds a character by size, of what a policy does."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, Final
from unittest import mock

from dpdeid import engine
from dpdeid.detect.merge.published import LEARNED
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.testing import KEY
from dpdeid.testing import notes as shipped

POLICIES: Final = ("rules", "aphp", "dp")
SIZES: Final = (500, 2_000, 20_000, 500_000, 5_000_000)
ROUNDS: Final = 7
Clock = defaultdict[str, float]


def policy_of(name: str) -> Policy:
    """A policy; "rules" is `dp` without its taggers, and "aphp" is taken without them too."""
    policy = load_policy("dp" if name == "rules" else name)
    if name == "dp":
        return policy
    return policy.found_by(*(d for d in policy.detectors if d.name not in LEARNED))


def timed(clock: Clock, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def run(*given: Any, **named: Any) -> Any:
        started = time.process_time()
        try:
            return call(*given, **named)
        finally:
            clock[stage] += time.process_time() - started

    return run


def of_a_round(policy: Policy, texts: Sequence[str]) -> Mapping[str, float]:
    """Milliseconds a note by stage: what reads, splits into tokens, finds, merges and replaces."""
    clock: Clock = defaultdict(float)
    one = Deidentifier(policy, key=KEY)
    held: Any = one
    for voices in (held._detectors, held._propagators):
        voices.update({name: timed(clock, name, voice) for name, voice in voices.items()})
    merged = mock.patch.object(one, "_merged", timed(clock, "merge", one._merged))
    drawn = mock.patch.object(one, "_substitute", timed(clock, "substitute", one._substitute))
    written = mock.patch.object(one, "_assemble", timed(clock, "fit and write", one._assemble))
    read = mock.patch.object(engine, "_read", timed(clock, "read", tokens_too(clock)))
    with merged, drawn, written, read:
        one(Document("warm-up", shipped()[0][0].text))
        clock.clear()
        started = time.process_time()
        for number, text in enumerate(texts):
            one(Document(str(number), text))
    whole = time.process_time() - started
    clock["rest"] = whole - sum(clock.values())
    return {name: 1_000 * seconds / len(texts) for name, seconds in clock.items()} | {
        "whole": 1_000 * whole / len(texts)
    }


def tokens_too(clock: Clock) -> Callable[..., Any]:
    """What reads notes, with their tokens made at once, which count as a stage of their own."""
    read = engine._read

    def both(docs: Sequence[Document]) -> Any:
        plain, readings = read(docs)
        started = time.process_time()
        for doc in plain:
            len(doc.tokens)
        spent = time.process_time() - started
        clock["tokens"] += spent
        clock["read"] -= spent
        return plain, readings

    return both


def by_stage(name: str, texts: Sequence[str], rounds: int) -> Mapping[str, float]:
    """Medians of the rounds."""
    policy = policy_of(name)
    each = [of_a_round(policy, texts) for _ in range(rounds)]
    return {stage: statistics.median(one.get(stage, 0.0) for one in each) for stage in each[0]}


def by_size(name: str, texts: Sequence[str], sizes: Sequence[int]) -> Mapping[int, float]:
    """Microseconds a character, by how many a note has: notes one behind the other, cut there."""
    policy = policy_of(name)
    one = Deidentifier(policy, key=KEY)
    one(Document("warm-up", shipped()[0][0].text))
    found = {}
    for size in sizes:
        long = "\n\n".join(islice(cycle(texts), 1 + size // min(map(len, texts))))[:size]
        started = time.process_time()
        one.detect(Document(str(size), long))
        found[size] = 1e6 * (time.process_time() - started) / size
    return found


def told(sets: Mapping[str, Sequence[str]], tiny: bool) -> Mapping[str, Any]:
    """Both, printed and given: stages of each set under each policy, sizes of the first set."""
    rounds, sizes = (1, SIZES[:2]) if tiny else (ROUNDS, SIZES)
    stages: dict[str, dict[str, Mapping[str, float]]] = {}
    for of, texts in sets.items():
        stages[of] = {name: by_stage(name, texts, rounds) for name in POLICIES}
        rows = dict.fromkeys(stage for one in stages[of].values() for stage in one)
        size = sum(map(len, texts)) // len(texts)
        print(f"\nms a note, {of}: {len(texts)} notes of {size} characters on average")
        print(f"{'':16s}" + "".join(f"{name:>9s}" for name in POLICIES))
        for stage in rows:
            cells = (stages[of][name].get(stage) for name in POLICIES)
            told = ("" if ms is None else f"{ms:.2f}" for ms in cells)
            print(f"{stage:16s}" + "".join(f"{cell:>9s}" for cell in told))
    first = next(iter(sets.values()))
    lengths = {name: by_size(name, first, sizes) for name in POLICIES}
    print("\nµs a character, detection\n" + f"{'':16s}" + "".join(f"{n:>11,d}" for n in sizes))
    for name, row in lengths.items():
        print(f"{name:16s}" + "".join(f"{us:11.2f}" for us in row.values()))
    return {"stages": stages, "characters": lengths}
