"""docs/formats.md: its table is that of the kinds, and its dump gives the release that it shows."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.formats.kinds import KINDS

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")


def test_the_table_has_every_kind_with_its_endings_and_extra() -> None:
    table = PAGE.partition("\n## ")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines() if line[:1] == "|"]
    found = {}
    for names, endings, *_, extra in rows[2:]:
        for name in names.strip().split(", "):
            found[name] = (endings, extra.strip("` "))
    assert found.keys() == {kind.name for kind in KINDS}
    for kind in KINDS:
        assert all(f"`{ending}`" in found[kind.name][0] for ending in kind.endings), kind.name
        assert found[kind.name][1] == kind.extra


def test_the_dump_gives_the_release(tmp_path: Path) -> None:
    section = PAGE.partition("### From a dump to its release")[2]
    dump, shown, released = re.findall(r"^```\w*\n(.*?)^```", section, re.M | re.S)[:3]
    source, out = tmp_path / "dump.hl7", tmp_path / "released.hl7"
    source.write_text(dump, encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(source), "--policy", "redact", "-o", str(out)])
    assert result.exit_code == 0, result.output
    told, summary = re.findall(r"^dpdeid: (.*)$", shown, re.M)
    assert told in result.stderr
    assert summary.partition(" in ")[0] in result.stderr
    lines = out.read_text(encoding="utf-8").splitlines()
    for line, expected in zip(lines, released.splitlines(), strict=True):
        assert re.fullmatch(
            re.escape(expected).replace("…", "[A-Za-z0-9+/=]+").replace("5f0c", ""), line
        )
    packed = lines[-1].split("^")[-1].partition("|")[0]
    words = b64decode(packed).decode("ascii")
    assert "[LAST_NAME]" in words
    assert "[PATIENT_ID]" in words
    assert "BOIS" not in words
