"""`dpdeid run`: rows of files in, released rows or files out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from dpdeid.cli.options import reading
from dpdeid.cli.releasing import spark
from dpdeid.cli.releasing.files import Files
from dpdeid.cli.releasing.rehearsal import rehearse
from dpdeid.cli.releasing.release import release
from dpdeid.cli.releasing.way import Asked
from dpdeid.cohort.shards import Shard
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import OCR_FLOOR
from dpdeid.formats.sources import look, source_files
from dpdeid.formats.targets import Target
from dpdeid.formats.write import identifying


def run(
    source: str,
    output: Path | None = None,
    policy: str | None = None,
    cohort: Path | None = None,
    key_file: Path | None = None,
    e0: datetime | None = None,
    ledger_key_file: Path | None = None,
    keep_ids: bool = False,
    keep_order: bool = False,
    keep: list[str] | None = None,
    keep_as_it_is: list[str] | None = None,
    spans: Path | None = None,
    mapping: Path | None = None,
    ledger: Path | None = None,
    exclude: Path | None = None,
    absent_ok: bool = False,
    seal: Path | None = None,
    seal_key_file: Path | None = None,
    format: str | None = None,  # noqa: A002 - the option's own name
    text_column: str | None = None,
    column: list[str] | None = None,
    workers: int = 1,
    body: bool = False,
    sheet: str | None = None,
    partial: bool = False,
    all_messages: bool = False,
    ocr_floor: float = OCR_FLOOR,
    resume: bool = False,
    shard: str | None = None,
    engine: str = "local",
    dry_run: bool = False,
) -> int:
    """De-identifies every row of the source; the exit code says how many failed. See `release`,
    `spark.release` for that engine and `rehearsal.rehearse` for a run that only looks.

    Raises:
        UsageError: the source, a kept key or an output file is refused, or somebody who objects has
            no row here; nothing was released then.
    """
    as_it_is = tuple(dict.fromkeys(keep_as_it_is or ()))
    kept = tuple(dict.fromkeys((*(keep or ()), *as_it_is)))
    if refused := sorted(filter(identifying, kept)):
        raise UsageError(f"--keep {refused[0]}: this key is never released")
    how = reading(format, text_column, column, body, sheet, partial, all_messages, ocr_floor)
    asked = Asked(
        policy, cohort, key_file, e0, ledger_key_file, spans, mapping, ledger, exclude, absent_ok,
        seal, seal_key_file, workers, resume, None if shard is None else Shard.parse(shard),
    )  # fmt: skip
    if engine == "spark":
        alone = {
            "--keep-ids": keep_ids,
            "--keep-order": keep_order,
            "--body": body,
            "--dry-run": dry_run,
        }
        return spark.release(asked, spark.Frames(source, how, output, kept, as_it_is), alone)
    if engine != "local":
        raise UsageError("--engine is local or spark")
    sources = source_files(source, how)
    found = look(source, how)
    columns = kept
    if found.may_be_scanned(how):
        columns = (*kept, "ocr")
        if "ocr" in kept:
            raise UsageError("--keep ocr: where notes may be scans, it says how sure OCR is")
    target = Target.of(output, sources, columns, how)
    if shard is not None and not target.is_of_rows:
        raise UsageError("--shard parts rows: the output is .jsonl, .csv or .parquet")
    way = Files(found, how, sources, target, kept, keep_ids, keep_order, as_it_is)
    if dry_run:
        return rehearse(asked, way)
    return release(asked, way)
