"""What each tool writes when an annotator accepts all that is suggested.

brat: its server writes back the .ann as it is (https://brat.nlplab.org/standoff.html).
Doccano: `backend/data_export/pipeline` of its wheel 1.8.4: {"id", "text", keys that went in,
"label", "Comments"}, sorted tuples; "entities" and "relations" where a project has relations.
Label Studio: https://labelstud.io/guide/export, and `tasks/serializers.py` of its wheel 1.23.2.
Prodigy: https://prodi.gy/docs/api-interfaces#ner_manual, `_timestamp` in seconds.
The two pages of JavaScript cut a text by UTF-16 code units; so does what stands for them here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any


def brat(sent: Path, into: Path) -> Path:
    """The server checks each T line against the text, as `verify_textbound` of brat does."""
    del into
    for ann in sent.glob("*.ann"):
        text = ann.with_suffix(".txt").read_text(encoding="utf-8")
        for line in ann.read_text(encoding="utf-8").splitlines():
            _, where, stated = line.split("\t", 2)
            stretches = [one.split() for one in where.partition(" ")[2].split(";")]
            assert stated == " ".join(text[int(a) : int(b)] for a, b in stretches)
    return sent


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().decode("ascii").splitlines()]


def cut(text: str, start: int, end: int) -> str:
    """A piece of a text as a page cuts it."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def doccano(sent: Path, into: Path) -> Path:
    labels = json.loads((sent / "labels.json").read_text())
    assert all(one["suffix_key"] in digits + ascii_lowercase for one in labels)
    names = {one["text"] for one in labels}
    rows = []
    for number, (row, plain) in enumerate(zip(lines(sent / "units.jsonl"), cycle([True, False]))):
        out = {"id": number + 40, "text": row["text"], "unit": row["unit"]}
        for start, end, name in row["label"]:
            assert cut(row["text"], start, end).strip()
            assert name in names
        if plain:
            out |= {"label": sorted(row["label"]), "Comments": []}
        else:
            spans = [
                {"id": 1, "label": name, "start_offset": start, "end_offset": end}
                for start, end, name in row["label"]
            ]
            out |= {"entities": spans, "relations": [], "Comments": []}
        rows.append(json.dumps(out, ensure_ascii=False) + "\n")
    path = into / "all.jsonl"
    path.write_text("".join(rows), encoding="utf-8", newline="")
    return path


def label_studio(sent: Path, into: Path) -> Path:
    tasks = json.loads((sent / "tasks.json").read_bytes())
    for number, task in enumerate(tasks, 1):
        result = [region | {"origin": "prediction"} for region in task["predictions"][0]["result"]]
        for region in result:
            told = region["value"]
            told["text"] = cut(task["data"]["text"], told["start"], told["end"])
        annotation = {
            "id": number, "completed_by": 1, "result": result, "was_cancelled": False,
            "created_at": "2026-03-01T10:00:00.123456Z", "updated_at": "2026-03-01T10:00:09.5Z",
            "lead_time": 8.25, "ground_truth": False,
        }  # fmt: skip
        task |= {"id": number, "annotations": [annotation], "drafts": [], "meta": {}}
    path = into / "project-1.json"
    path.write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8", newline="")
    return path


def prodigy(sent: Path, into: Path) -> Path:
    names = (sent / "labels.txt").read_text(encoding="utf-8").split()
    rows = []
    for number, task in enumerate(lines(sent / "units.jsonl")):
        text, tokens = task["text"], task["tokens"]
        assert "".join(t["text"] + " " * t["ws"] for t in tokens) == text
        assert [t["id"] for t in tokens] == list(range(len(tokens)))
        spans = []
        for span in task["spans"]:
            start, end = tokens[span["token_start"]]["start"], tokens[span["token_end"]]["end"]
            assert (start, end) == (span["start"], span["end"])
            assert span["label"] in names
            spans.append(span | {"text": text[start:end]})
        task |= {
            "spans": spans, "_input_hash": number, "_task_hash": -number, "_view_id": "ner_manual",
            "_is_binary": False, "answer": "accept", "_timestamp": 1772355600 + 7 * number,
            "_annotator_id": "set-anne_red", "_session_id": "set-anne_red",
        }  # fmt: skip
        rows.append(json.dumps(task, ensure_ascii=False) + "\n")
    path = into / "set.jsonl"
    path.write_text("".join(rows), encoding="utf-8", newline="")
    return path


RETURNS: dict[str, Callable[[Path, Path], Path]] = {
    "brat": brat,
    "doccano": doccano,
    "label-studio": label_studio,
    "prodigy": prodigy,
}
"""Of each tool what makes its export of a folder that was sent, into another folder."""
