"""What an interface dump costs: messages (MDM) that each hold a clinical document (CDA level 1) in
Base64, whose body is a letter as text, rich text or PDF in turn.

    python benchmarks/envelopes.py [--messages 200 1000] [--policy dp] [--tiny] [--json FILE]

Letters are made up (`dpdeid.synth`), one a patient. Each figure is of a process of its own:

- run: a `dpdeid run` from a file of messages into one, messages a second with loading;
- opened: messages are opened and written again, and no detector is asked.

Both tell the most memory that the process held (RSS). What is opened should need the same for any
number of messages; a run needs more until the caches of words that detection keeps are full.
Needs `pip install '.[formats]' reportlab`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from io import BytesIO
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from dpdeid.synth import corpus
from dpdeid.testing import KEY

WIDEST = 95
"""Letters of a line of a PDF."""
SEED = 7
LINES = 60
"""Lines of a page."""
CDA = """<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3"><realmCode code="FR"/>
<typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/><id root="1.2.250.1.999.1"/>
<code code="34133-9" codeSystem="2.16.840.1.113883.6.1"/><title>Lettre</title>
<effectiveTime value="20231107103000+0100"/><confidentialityCode code="N"/>
<recordTarget><patientRole><id root="1.2.250.1.999.2" extension="{number}"/></patientRole>
</recordTarget><author><time value="20231107"/><assignedAuthor><id root="1.2" extension="10001"/>
<assignedPerson><name><given>Solène</given><family>KERVADEC</family></name></assignedPerson>
</assignedAuthor></author><custodian><assignedCustodian><representedCustodianOrganization>
<id root="1.2"/></representedCustodianOrganization></assignedCustodian></custodian>
<component><nonXMLBody><text mediaType="{media}" representation="B64">{body}</text></nonXMLBody>
</component></ClinicalDocument>"""


def rich(text: str) -> bytes:
    signs = {"\\": "\\\\", "{": "\\{", "}": "\\}", "\n": "\\par\n"}
    codes = (signs.get(c) or (c if c.isascii() else f"\\u{ord(c)}?") for c in text)
    return ("{\\rtf1\\ansi\\pard " + "".join(codes) + "\\par}").encode("ascii")


def pages(text: str) -> bytes:
    lines = [
        line[at : at + WIDEST]
        for line in text.split("\n")
        for at in range(0, max(len(line), 1), WIDEST)
    ]
    paper = Canvas(out := BytesIO(), pageCompression=1)
    for first in range(0, len(lines), LINES):
        for at, line in enumerate(lines[first : first + LINES]):
            paper.drawString(40, 800 - 12 * at, line)
        paper.showPage()
    paper.save()
    return out.getvalue()


def letter(text: str, at: int) -> tuple[str, bytes]:
    """The media type and the bytes of a letter, of three kinds in turn."""
    kinds = (("text/plain", str.encode), ("text/rtf", rich), ("application/pdf", pages))
    media, made = kinds[at % 3]
    return media, made(text)


def message(text: str, day: str, at: int) -> bytes:
    media, body = letter(text, at)
    packed = b64encode(body).decode()
    document = CDA.format(number=f"{80_000_000 + at}", media=escape(media), body=packed)
    lines = (
        f"MSH|^~\\&|DPI|CH|EAI|CH|{day}||MDM^T02^MDM_T02|{at}|P|2.5||||||UNICODE UTF-8",
        f"PID|1||{80_000_000 + at}^^^CH^PI",
        f"TXA|1|CN|AP|{day}|10001^KERVADEC^Solène",
        f"OBX|1|ED|34133-9^^LN||^text^XML^Base64^{b64encode(document.encode()).decode()}||||||F",
    )
    return "".join(f"{line}\r" for line in lines).encode()


def dump(path: Path, count: int) -> int:
    """Writes that many messages; their bytes."""
    with path.open("wb") as file:
        return sum(
            file.write(message(row["text"], row["note_date"].replace("-", ""), at))
            for at, row in enumerate(corpus.notes(count, SEED))
        )


def one(folder: Path, count: int, policy: str) -> dict[str, float]:
    """The figures of so many messages."""
    source, key, out = folder / "in.hl7", folder / "key", folder / "out.hl7"
    size = dump(source, count)
    key.write_text(KEY.hex())
    key.chmod(0o600)
    asked = ("run", source, "-o", out, "-p", policy, "--key-file", key)
    seconds, peak = timed(_RUN, *map(str, asked))
    assert out.read_bytes().count(b"MSH|") == count, "every message is released"
    opening, opened = timed(_OPEN, str(source))
    return {
        "messages": count,
        "input_mb": size / 1e6,
        "run_per_s": count / seconds,
        "run_peak_rss_mb": peak,
        "opened_per_s": count / opening,
        "opened_peak_rss_mb": opened,
    }


def timed(code: str, *arguments: str) -> tuple[float, float]:
    """Seconds and mebibytes of a process."""
    start = time.perf_counter()
    run = [sys.executable, "-c", code + _PEAK, *arguments]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start, float(done.stderr.rsplit(maxsplit=1)[-1]) / 1024


_RUN = """
import sys
from dpdeid.cli.app import app
app(standalone_mode=False)
"""
_OPEN = """
import io, sys
from dpdeid.document import Deidentified
from dpdeid.formats.sources import read
for row in read(sys.argv[1], io.BytesIO()):
    row.form.written(Deidentified("", row.document.text), "x")
"""
_PEAK = """
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(argv)
    rows = []
    print("messages in, with a document in each; memory should be flat")
    for count in (3, 6) if asked.tiny else asked.messages:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(one(Path(folder), count, asked.policy))
        print("  ".join(f"{key} {value:,.1f}" for key, value in rows[-1].items()), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps({"policy": asked.policy, "runs": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
