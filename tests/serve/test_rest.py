"""What a program gets from the service, over a real socket."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import httpx
import pytest

import dpdeid
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import names
from dpdeid.testing import notes
from tests.fuzz.test_notes import text as odd_text
from tests.serve.conftest import LIMITS
from tests.serve.serving import Served

NOTE = "Mme QUÉMÉNEUR, née le 14/03/1951, vue le 6 novembre 2023 à Brest. Tél 06 39 98 41 27."
SECRETS = ("QUÉMÉNEUR", "1951-03-14", "06 39 98 41 27")


def asked(client: httpx.Client, path: str, **body: object) -> httpx.Response:
    return client.post(path, json=body)


@pytest.mark.parametrize("policy", names())
def test_a_note_is_released_under_every_policy(client: httpx.Client, policy: str) -> None:
    answer = asked(client, "/deidentify", text=NOTE, policy=policy)
    assert answer.status_code == 200
    told = answer.json()
    assert set(told) == {"text", "note_date", "replaced", "losses"}
    assert told["replaced"] >= 3
    assert "QUÉMÉNEUR" not in told["text"]


def test_what_leaves_no_choice_is_what_the_engine_gives(client: httpx.Client) -> None:
    engine = Deidentifier("redact")
    texts = [doc.text for doc, _ in notes()]
    batch = [{"text": text} for text in texts]
    told = asked(client, "/deidentify/batch", notes=batch, policy="redact").json()["results"]
    assert [one["text"] for one in told] == [engine(text).text for text in texts]


def test_no_two_answers_belong_together(client: httpx.Client) -> None:
    batch = [{"text": NOTE}] * 20
    results = asked(client, "/deidentify/batch", notes=batch, policy="aphp").json()["results"]
    texts = {one["text"] for one in results}
    texts.add(asked(client, "/deidentify", text=NOTE, policy="aphp").json()["text"])
    assert len(texts) == 21


def test_what_the_hospital_knows_is_found(client: httpx.Client) -> None:
    text = "Plaie propre, zzyrkon mobile."
    plain, told = (
        asked(client, "/deidentify", text=text, policy="redact", patient=patient).json()["text"]
        for patient in (None, {"first_name": "Zzyrkon"})
    )
    assert "zzyrkon" in plain
    assert "zzyrkon" not in told


def test_a_date_of_the_note_comes_out_moved(client: httpx.Client) -> None:
    told = asked(client, "/deidentify", text="Vue ce jour.", note_date="06/11/2023", policy="aphp")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", told.json()["note_date"])
    assert told.json()["note_date"] != "2023-11-06"


def test_spans_are_those_of_the_engine(client: httpx.Client) -> None:
    told = asked(client, "/detect", text=NOTE).json()["spans"]
    found = Deidentifier("dp").detect(NOTE).spans
    assert [(one["start"], one["end"], one["label"]) for one in told] == [
        (span.start, span.end, span.label.value) for span in found
    ]


def test_one_result_a_note_and_errors_in_their_places(client: httpx.Client) -> None:
    batch = [{"text": "Vue."}, {"text": "Vue.", "note_date": "QUÉMÉNEUR"}, {"text": NOTE}]
    results = asked(client, "/deidentify/batch", notes=batch).json()["results"]
    assert ["error" in one for one in results] == [False, True, False]
    assert results[1]["error"].startswith("note 2: note_date is not a date")


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"text": NOTE, "patient_id": SECRETS[0]}, 422, "patient_id: no such key (a patient is"),
        ({"text": NOTE, "QUÉMÉNEUR": 1}, 422, "the body: no such key"),
        ({"text": [NOTE]}, 422, "text: string type"),
        ({"policy": "dp"}, 422, "text: missing"),
        ({"text": NOTE, "policy": "/etc/QUÉMÉNEUR"}, 422, "there is no such policy"),
        ({"text": NOTE, "note_date": "1951-03-14-QUÉMÉNEUR"}, 422, "note 1: note_date"),
        ({"text": NOTE, "note_date": "2999-01-01"}, 422, "note_date lies after"),
        ({"text": NOTE, "patient": {"QUÉMÉNEUR": "x"}}, 422, "note 1: unknown key in patient"),
        ({"text": NOTE, "patient": {"date_shift": 3}}, 422, "date_shift is not for a service"),
        ({"text": "é" * (LIMITS.characters + 1)}, 413, "note 1 is longer than 20,000 characters"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_repeated(
    client: httpx.Client, body: dict[str, object], status: int, told: str
) -> None:
    answer = client.post("/deidentify", json=body)
    assert answer.status_code == status
    assert told in answer.json()["error"]
    assert not [secret for secret in SECRETS if secret in answer.text]


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[1]", b'"x"', b"\xff", NOTE.encode()])
@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_a_body_that_is_no_object_is_told(client: httpx.Client, body: bytes, kind: str) -> None:
    answer = client.post("/deidentify", content=body, headers={"Content-Type": kind})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]
    assert "QUÉMÉNEUR" not in answer.text


def test_batches_have_an_end(client: httpx.Client) -> None:
    batch = [{"text": "Vue."}] * (LIMITS.notes + 1)
    answer = asked(client, "/deidentify/batch", notes=batch)
    assert (answer.status_code, answer.json()["error"]) == (413, "a batch has at most 20 notes")
    assert asked(client, "/deidentify/batch", notes=[]).status_code == 422


@pytest.mark.parametrize("says_its_length", [True, False])
def test_a_body_has_an_end(client: httpx.Client, says_its_length: bool) -> None:
    body = b" " * (LIMITS.bytes + 1)
    content = body if says_its_length else iter([body[:1000], body[1000:]])
    answer = client.post(
        "/deidentify", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413


def test_policies_and_what_each_does(client: httpx.Client) -> None:
    listed = [one["name"] for one in client.get("/policies").json()["policies"]]
    assert listed == list(names())
    told = client.get("/check", params={"policy": "dp"}).json()
    assert told["statement"][0] == "Unit: one note of a request, one cohort."
    assert any("ε" in one["loss"] for one in told["strategies"])
    redacted = client.get("/check", params={"policy": "redact"}).json()
    assert not any("ε" in one["loss"] for one in redacted["strategies"])
    assert client.get("/check", params={"policy": "../dp"}).status_code == 422


def test_health_and_the_description_of_the_api(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "ok", "version": dpdeid.__version__}
    described = client.get("/openapi.json").json()
    paths = set(described["paths"])
    assert {"/deidentify", "/deidentify/batch", "/detect", "/policies", "/check"} <= paths
    assert described["security"] == [{"token": []}]
    assert "patient_id" not in json.dumps(described)


def test_odd_letters_come_back_or_are_refused(client: httpx.Client) -> None:
    kinds = Counter[int]()
    for number in range(60):
        text = odd_text(Random(number))[: LIMITS.characters]
        body = json.dumps({"text": text, "policy": "redact"}).encode()
        answer = client.post(
            "/deidentify", content=body, headers={"Content-Type": "application/json"}
        )
        kinds[answer.status_code] += 1
        assert answer.status_code in (200, 422)
        if answer.status_code == 200:
            assert isinstance(answer.json()["text"], str)
    assert kinds[200] > 50


def test_clients_at_once_get_each_their_own(service: Served) -> None:
    """Every note has a word of its own that stays, and a name that goes."""

    def one(number: int) -> None:
        with service.client() as client:
            for turn in range(3):
                word = f"xk{number}zz{turn}"
                text = f"Mme QUÉMÉNEUR, vue le 06/11/2023, dossier de traitement {word} mg."
                for path in ("/deidentify", "/detect"):
                    answer = asked(client, path, text=text, policy="redact")
                    assert answer.status_code == 200, answer.text
                    if path == "/deidentify":
                        said = answer.json()["text"]
                        assert word in said
                        assert len(re.findall(r"xk\d+zz\d", said)) == 1

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(one, range(20)))


def test_the_log_has_a_line_a_request_and_nothing_of_it(service: Served) -> None:
    with service.client() as client:
        before = len(service.log)
        asked(client, "/deidentify", text=NOTE)
        client.get("/check", params={"policy": "QUÉMÉNEUR"})
        client.get("/QUÉMÉNEUR")
    end = time.monotonic() + 10
    while len(service.log) < before + 3 and time.monotonic() < end:
        time.sleep(0.01)  # a line is written once its answer is out
    lines = [json.loads(line) for line in service.log[before:]]
    assert [(one["method"], one["route"], one["status"]) for one in lines] == [
        ("POST", "/deidentify", 200),
        ("GET", "/check", 422),
        ("GET", "none", 404),
    ]
    assert all(set(one) == {"when", "method", "route", "status", "ms"} for one in lines)


def test_what_was_asked_is_counted(client: httpx.Client) -> None:
    def counted() -> float:
        text = client.get("/metrics").text
        pattern = r'^dpdeid_requests_total\{method="GET",route="/policies",status="200"\} (\S+)$'
        found = re.search(pattern, text, re.MULTILINE)
        return float(found[1]) if found else 0

    before = counted()
    client.get("/policies")
    assert counted() == before + 1
