"""How fast `dpdeid serve` answers many clients at once, beside Presidio in the same run.

    python benchmarks/serving.py [--clients 50] [--seconds 60] [--rounds 1] [--notes FILE.jsonl]
        [--json FILE] [--tiny]

Each client asks again as soon as it has its answer. Ours is the command itself with one worker:
/detect and /deidentify under dp, and /deidentify under redact of notes that each have a mark of
their own, where no answer may have another one (an error or a leak between requests ends the run).
Presidio's REST application is not in its package; where the package is installed (extra `bridges`),
its French analyzer and anonymizer, without a language model, answer to the same requests
(`POST /analyze`, `POST /anonymize`) under the same server, one note at a time as ours.
The notes have one {"text"} a line; without a file they are the shipped ones.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

import httpx

from dpdeid.testing import notes as shipped

TOKEN: Final = "a-token-for-a-benchmark"
MARK: Final = re.compile(r"xk\d+zz")
READY_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Way:
    """One thing to ask.

    Args:
        body: of the request, beside the text.
        marked: whether each note has a mark of its own.
    """

    name: str
    system: str
    path: str
    body: dict[str, str] = field(default_factory=dict)
    marked: bool = False


OURS: Final = (
    Way("ours: /detect, dp", "ours", "/detect", {"policy": "dp"}),
    Way("ours: /deidentify, dp", "ours", "/deidentify", {"policy": "dp"}),
    Way("ours: /deidentify, marked", "ours", "/deidentify", {"policy": "redact"}, marked=True),
)
PEER: Final = (
    Way("Presidio: /analyze", "peer", "/analyze", {"language": "fr"}),
    Way("Presidio: /anonymize", "peer", "/anonymize", {"language": "fr"}),
)


@contextmanager
def server(*command: str) -> Iterator[str]:
    """A server as a process of its own; gives where it answers."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    own = subprocess.Popen(
        [*command, "--port", str(port)],
        env={**os.environ, "DPDEID_TOKEN": TOKEN},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    end = time.monotonic() + READY_S
    try:
        while True:
            try:
                httpx.get(f"{url}/health")
                break
            except httpx.TransportError:
                if own.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{command[1:]} does not answer") from None
                time.sleep(0.1)
        yield url
    finally:
        own.terminate()
        own.wait()


async def asked(url: str, way: Way, texts: list[str], clients: int, seconds: float) -> list[float]:
    """Seconds of each answer that so many clients got in that time.

    Raises:
        SystemExit: one was an error, or that to another request.
    """
    took: list[float] = []
    end = 0.0
    headers = {"Authorization": f"Bearer {TOKEN}"}
    limits = httpx.Limits(max_connections=clients)

    async def one(client: httpx.AsyncClient, number: int) -> None:
        turn = number
        while time.monotonic() < end:
            mark = f"xk{turn}zz" if way.marked else ""
            text = texts[turn % len(texts)] + (f"\ntraitement : {mark} mg" if mark else "")
            start = time.perf_counter()
            answer = await client.post(way.path, json={"text": text, **way.body})
            took.append(time.perf_counter() - start)
            if answer.status_code != 200:
                raise SystemExit(f"{way.name}: status {answer.status_code}")
            if mark and not set(MARK.findall(answer.json()["text"])) <= {mark}:
                raise SystemExit(f"{way.name}: something of another request")
            turn += clients

    async with httpx.AsyncClient(
        base_url=url, headers=headers, limits=limits, timeout=600
    ) as client:
        await client.post(way.path, json={"text": texts[0], **way.body})  # loads what is needed
        end = time.monotonic() + seconds
        await asyncio.gather(*(one(client, number) for number in range(clients)))
    return took


def figures(took: list[float], seconds: float) -> dict[str, float]:
    """Median and 95th percentile in milliseconds, and answers a second."""
    cuts = statistics.quantiles(took, n=20, method="inclusive")
    return {
        "answers": len(took),
        "per_s": round(len(took) / seconds, 1),
        "p50_ms": round(1000 * statistics.median(took), 1),
        "p95_ms": round(1000 * cuts[18], 1),
    }


def serve_presidio(port: int) -> None:
    """Presidio's French analyzer and anonymizer behind the two requests of its REST application."""
    import uvicorn
    from fastapi import Body, FastAPI
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NoOpNlpEngine
    from presidio_anonymizer import AnonymizerEngine

    nlp = NoOpNlpEngine(models=[{"lang_code": "fr", "model_name": "none"}])
    nlp.load()
    analyzer = AnalyzerEngine(nlp_engine=nlp, supported_languages=["fr"])
    anonymizer, turn = AnonymizerEngine(), threading.Lock()
    app = FastAPI()

    def analyze(text: str = Body(), language: str = Body()) -> list[dict[str, Any]]:
        with turn:
            return [one.to_dict() for one in analyzer.analyze(text, language=language)]

    def anonymize(text: str = Body(), language: str = Body()) -> dict[str, str]:
        with turn:
            found = analyzer.analyze(text, language=language)
            return {"text": anonymizer.anonymize(text, found).text}

    app.add_api_route("/health", lambda: "ok", methods=["GET"])
    app.add_api_route("/analyze", analyze, methods=["POST"])
    app.add_api_route("/anonymize", anonymize, methods=["POST"])
    uvicorn.run(app, port=port, log_config=None, access_log=False)


def measured(args: argparse.Namespace, texts: list[str]) -> dict[str, list[dict[str, float]]]:
    """The figures of every way, round by round."""
    found: dict[str, list[dict[str, float]]] = {}
    systems: dict[str, tuple[tuple[Way, ...], tuple[str, ...]]] = {}
    systems["ours"] = (OURS, ("-m", "dpdeid", "serve", "--per-minute", "0"))
    if importlib.util.find_spec("presidio_analyzer"):
        systems["peer"] = (PEER, (__file__, "--serve-presidio"))
    with ExitStack() as running:
        urls = {
            name: running.enter_context(server(sys.executable, *command))
            for name, (_, command) in systems.items()
        }
        for _ in range(args.rounds):
            for way in chain.from_iterable(ways for ways, _ in systems.values()):
                took = asyncio.run(asked(urls[way.system], way, texts, args.clients, args.seconds))
                found.setdefault(way.name, []).append(figures(took, args.seconds))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--serve-presidio", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve_presidio:
        serve_presidio(args.port)
        return
    if args.tiny:
        args.clients, args.seconds, args.rounds = 3, 0.5, 1
    if args.notes:
        lines = args.notes.read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line)["text"] for line in lines if line.strip()]
    else:
        texts = [doc.text for doc, _ in shipped()]
    found = measured(args, texts)
    print(f"{args.clients} clients, {args.seconds:g} s each; no error, no answer of another")
    print(f"{'':28s} {'answers/s':>10s} {'p50 ms':>8s} {'p95 ms':>8s}   (medians of rounds)")
    for name, rounds in found.items():
        mid = {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
        print(f"{name:28s} {mid['per_s']:10.1f} {mid['p50_ms']:8.0f} {mid['p95_ms']:8.0f}")
    for own, other in zip(OURS, PEER, strict=False):
        if other.name in found:
            pairs = zip(found[own.name], found[other.name], strict=True)
            ratio = statistics.median(a["p95_ms"] / b["p95_ms"] for a, b in pairs)
            print(f"p95, {own.name} ÷ {other.name}: {ratio:.2f}")
    if not importlib.util.find_spec("presidio_analyzer"):
        print("no peer: the extra `bridges` is not installed")
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
