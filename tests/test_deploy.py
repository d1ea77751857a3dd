"""deploy/: a night does what docs/daily.md says, also when it is killed; the units are tight."""

from __future__ import annotations

import configparser
import inspect
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdeid.cli.releasing.run import run
from dpdeid.policy.policy import policy_text

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SCRIPT = DEPLOY / "daily.sh"
PAGE = (ROOT / "docs" / "daily.md").read_text(encoding="utf-8")
SECRET = "Zorguelec"
NOTES = [
    {
        "id": f"n{at}",
        "patient_id": f"p{at % 3}",
        "text": f"Mme {SECRET}, née le 12/03/1951, vue le 0{1 + at}/02/2021 à Brest.",
    }
    for at in range(6)
]


def rows(path: Path, notes: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(note) + "\n" for note in notes), encoding="utf-8")


def environment(shims: Path) -> dict[str, str]:
    """`dpdeid` is this checkout; whatever else lies in the folder comes before the system's."""
    shims.mkdir(exist_ok=True)
    own = shims / "dpdeid"
    if not own.exists():
        own.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dpdeid "$@"\n', encoding="utf-8")
        own.chmod(0o755)
    paths = {"PATH": f"{shims}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **paths}


class Home:
    """The folder of a site, with a cohort under rules alone and a baseline of such notes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shims = folder, folder.parent / "shims"
        self.environment = environment(self.shims)

    def make(self) -> None:
        (self.folder / "in").mkdir(parents=True)
        policy = self.folder / "rules.yaml"
        policy.write_text(policy_text("dp").replace(", crf, transformer]", "]"), encoding="utf-8")
        self.call("cohort", "new", self.folder / "cohort", "--policy", policy)
        spans = self.folder / "evaluated.spans.jsonl"
        evaluated = [{**note, "id": f"e{at}"} for at, note in enumerate(NOTES * 7)]
        rows(self.folder / "evaluated.jsonl", evaluated)
        self.call("detect", self.folder / "evaluated.jsonl", "-o", spans, "--policy", policy)
        today = time.strftime("%Y-%m-%d")
        self.call("monitor", spans, "-b", self.folder / "baseline.json", "--new-baseline", today)

    def call(self, *arguments: object) -> None:
        command = ["dpdeid", *map(str, arguments)]
        subprocess.run(command, env=self.environment, check=True, capture_output=True)

    def bring(self, notes: list[dict[str, str]], name: str = "notes.jsonl") -> None:
        rows(self.folder / "in" / name, notes)

    def night(self, *options: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(SCRIPT), str(self.folder), "--workers", "1", *options]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False
        )
        assert SECRET not in done.stdout + done.stderr
        return done

    def files(self, place: str) -> list[str]:
        """What lies in a folder, with a star for the name of the night."""
        found = (p.relative_to(self.folder / place) for p in (self.folder / place).rglob("*"))
        return sorted(re.sub(r"^\d{4}-\d\d-\d\dT\d{6}Z", "*", str(path)) for path in found)

    def out(self) -> list[dict[str, str]]:
        (file,) = (self.folder / "out").iterdir()
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("site") / "home")
    home.make()
    return home


@pytest.fixture
def home(site: Home, tmp_path: Path) -> Home:
    return Home(shutil.copytree(site.folder, tmp_path / "home"))


DONE = ["*", "*/ledger.json", "*/log", "*/monitor.json", "*/notes", "*/notes/notes.jsonl"]


def test_a_night_is_released_and_put_away(home: Home) -> None:
    home.bring(NOTES)
    rows(home.folder / "in" / "more.jsonl.part", NOTES)  # somebody is still writing it
    done = home.night()
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"daily: \S+Z: 6 rows released, 0 failed, 0 left out\n", done.stdout)
    out = home.out()
    assert len(out) == 6
    assert all({*row} == {"id", "text"} and SECRET not in row["text"] for row in out)
    assert home.files("done") == [*DONE, "*/status"]
    assert (home.files("running"), home.files("held")) == ([], [])
    assert home.files("in") == ["more.jsonl.part"]
    (file,) = (home.folder / "out").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    for private in (home.folder / "done").rglob("*"):
        if private.name != "notes.jsonl":  # it came as it is
            assert not stat.S_IMODE(private.stat().st_mode) & 0o077


def test_rows_that_fail_are_told_and_the_others_released(home: Home) -> None:
    home.bring([*NOTES, {"id": SECRET, "patient_id": "p9"}])
    done = home.night()
    assert done.returncode == 3
    assert "some rows failed, the others are released" in done.stderr
    assert sum("error" in row for row in home.out()) == 1
    assert home.files("done") == [*DONE, "*/status"]


def test_a_file_that_nobody_reads_is_told(home: Home) -> None:
    home.bring(NOTES)
    (home.folder / "in" / f"{SECRET}.doc").write_bytes(b"x")
    done = home.night()
    assert done.returncode == 3
    assert "unknown kinds were not read" in done.stderr
    assert len(home.out()) == 6


def test_a_night_that_drifts_is_held_and_the_next_one_is_not(home: Home) -> None:
    home.bring([{"id": f"e{at}", "text": "Va bien."} for at in range(40)])
    done = home.night()
    assert done.returncode == 1
    assert "the monitor failed, nothing is released" in done.stderr
    assert (home.files("out"), home.files("running"), home.files("done")) == ([], [], [])
    kept = [*DONE, "*/released.jsonl", "*/spans.jsonl", "*/status"]
    assert home.files("held") == kept
    home.bring(NOTES)
    assert home.night().returncode == 0
    assert len(home.out()) == 6
    assert home.files("held") == kept


def test_without_a_baseline_nothing_is_released_and_nothing_is_done_twice(home: Home) -> None:
    baseline = home.folder / "baseline.json"
    baseline.rename(home.folder / "kept.json")
    home.bring(NOTES)
    done = home.night()
    assert done.returncode == 2
    assert home.files("out") == []
    (home.folder / "kept.json").rename(baseline)
    assert home.night().returncode == 0
    assert len(home.out()) == 6
    (log,) = (home.folder / "done").glob("*/log")
    assert log.read_text(encoding="utf-8").count("rows released") == 1


def test_where_no_row_is_processed_the_night_is_held(home: Home) -> None:
    home.bring([{"id": "a"}])
    done = home.night()
    assert done.returncode == 4
    assert "no row was processed" in done.stderr
    assert (home.files("out"), home.files("running")) == ([], [])
    assert "*/notes/notes.jsonl" in home.files("held")


def test_a_run_that_is_refused_keeps_the_night(home: Home) -> None:
    manifest = home.folder / "cohort" / "manifest.json"
    manifest.rename(home.folder / "kept.json")
    home.bring(NOTES)
    done = home.night()
    assert done.returncode == 2
    assert "dpdeid run ended with 2" in done.stderr
    assert (home.files("out"), home.files("in")) == ([], [])
    (home.folder / "kept.json").rename(manifest)
    assert home.night().returncode == 0
    assert len(home.out()) == 6


@pytest.mark.parametrize(("code", "told"), [(5, 5), (137, 137), (143, 143), (1, 5)])
def test_a_run_that_breaks_down_keeps_the_night(home: Home, code: int, told: int) -> None:
    """A full disk, the kernel's hand, the signal TERM, an error nobody thought of."""
    (home.shims / "dpdeid").write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
    home.bring(NOTES)
    done = home.night()
    assert done.returncode == told
    assert "nothing is released" in done.stderr
    assert home.files("out") == []
    assert home.files("running") == ["*", "*/log", "*/notes", "*/notes/notes.jsonl"]


def test_an_empty_inbox_is_told(home: Home) -> None:
    done = home.night()
    assert done.returncode == 4
    assert "no file in" in done.stderr


def test_two_nights_do_not_run_at_once(home: Home) -> None:
    with subprocess.Popen(
        ["flock", str(home.folder), "sleep", "600"], start_new_session=True
    ) as it:
        while (
            subprocess.run(["flock", "-n", str(home.folder), "true"], check=False).returncode == 0
        ):
            time.sleep(0.01)
        done = home.night()
        os.killpg(it.pid, signal.SIGKILL)
    assert done.returncode == 2
    assert "another night is at work" in done.stderr


def test_options_go_to_the_run(home: Home) -> None:
    home.bring(NOTES)
    listed = home.folder / "who objects.txt"
    listed.write_text("p1\np7\n", encoding="utf-8")
    done = home.night("--exclude", str(listed), "--absent-ok")
    assert done.returncode == 0
    assert "4 rows released, 0 failed, 2 left out" in done.stdout


def stopping(home: Home, command: str, pattern: str) -> Path:
    """Lets a command stop for good where its arguments have a pattern; the file that tells it."""
    reached = home.folder.parent / "reached"
    real = (home.shims / "dpdeid").rename(home.shims / "own") if command == "dpdeid" else None
    shim = home.shims / command
    shim.write_text(
        f'#!/bin/sh\ncase "$*" in {pattern}) touch "{reached}"; exec sleep 600 ;; esac\n'
        f'exec "{real or shutil.which(command)}" "$@"\n',
        encoding="utf-8",
    )
    shim.chmod(0o755)
    return reached


def killed(home: Home, when: Path) -> None:
    """Starts a night and ends all of its processes once a file is there, as kill -9 does."""
    command = ["sh", str(SCRIPT), str(home.folder), "--workers", "1"]
    null = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=home.environment, start_new_session=True, stdout=null, stderr=null
    ) as night:
        until = time.monotonic() + 120
        while not when.exists():
            assert night.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        os.killpg(night.pid, signal.SIGKILL)
    subprocess.run(["flock", "-w", "60", str(home.folder), "true"], check=True)  # all are gone


@pytest.fixture(scope="module")
def whole(site: Home, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """What a night releases that nobody kills."""
    other = Home(shutil.copytree(site.folder, tmp_path_factory.mktemp("whole") / "home"))
    other.bring(NOTES[:3], "a.jsonl")
    other.bring(NOTES[3:], "b.jsonl")
    assert other.night().returncode == 0
    return other.out()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "pattern"),
    [
        ("mv", "*a.jsonl*"),
        ("mv", "*b.jsonl*"),
        ("dpdeid", "run*"),
        ("mv", "*/status"),
        ("dpdeid", "monitor*"),
        ("mv", "*/out/*"),
        ("mv", "*/done/"),
    ],
)
def test_a_night_killed_anywhere_goes_on_to_the_same_end(
    home: Home, whole: list[dict[str, str]], command: str, pattern: str
) -> None:
    home.bring(NOTES[:3], "a.jsonl")
    home.bring(NOTES[3:], "b.jsonl")
    killed(home, stopping(home, command, pattern))
    if pattern != "*/done/":
        assert home.files("out") == []
    shutil.rmtree(home.shims)
    home.environment = environment(home.shims)
    assert home.night().returncode == 0
    released = [p.read_text(encoding="utf-8") for p in (home.folder / "out").iterdir()]
    lines = sorted(json.dumps(json.loads(line)) for text in released for line in text.splitlines())
    same = sorted(json.dumps(row) for row in whole)
    assert [json.loads(line)["id"] for line in lines] == [json.loads(line)["id"] for line in same]
    if pattern != "*b.jsonl*":  # else half of the notes made a night of their own
        assert lines == same
    assert (home.files("running"), home.files("held"), home.files("in")) == ([], [], [])


if "resume" in inspect.signature(run).parameters:

    @pytest.mark.slow
    def test_a_run_that_was_killed_is_not_done_again(home: Home) -> None:
        home.bring([{**NOTES[0], "id": f"n{at}", "patient_id": f"p{at}"} for at in range(300)])
        begun = home.folder.parent / "begun"
        resumes = f"'{home.folder}'/running/*/released.jsonl.resume"
        watch = f'until [ "$(cat {resumes} 2>/dev/null | wc -l)" -gt 1 ]; do sleep 0.01; done'
        watching = f"{watch}; touch '{begun}'"
        with subprocess.Popen(["sh", "-c", watching]):
            killed(home, begun)
        assert home.files("out") == []
        assert home.night().returncode == 0
        assert len(home.out()) == 300
        (log,) = (home.folder / "done").glob("*/log")
        assert re.search(r"\d+ records done before", log.read_text(encoding="utf-8"))


def test_the_script_is_posix(tmp_path: Path) -> None:
    for shell in ("sh", "bash"):
        subprocess.run([shell, "-n", str(SCRIPT)], check=True)
    text = SCRIPT.read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n")
    assert not re.search(r"\[\[|\blocal\b|\bfunction\b|<<<|<\(|\$'|\bsource\b|\$\{\w+[:^,/]", text)
    assert os.access(SCRIPT, os.X_OK)


OPTIONS = {
    "Unit": {"Description", "Documentation", "RequiresMountsFor", "OnFailure", "After", "Wants"},
    "Service": {
        *("Type", "User", "Group", "Environment", "ExecStart", "ExecStartPre", "UMask"),
        *("LoadCredential", "LoadCredentialEncrypted", "RuntimeDirectory", "RuntimeDirectoryMode"),
        *("TimeoutStartSec", "TimeoutStopSec", "NoNewPrivileges", "CapabilityBoundingSet"),
        *("PrivateNetwork", "RestrictAddressFamilies", "ProtectSystem", "ReadWritePaths"),
        *("ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectProc", "ProtectClock"),
        *("ProtectHostname", "ProtectControlGroups", "ProtectKernelLogs", "ProtectKernelModules"),
        *("ProtectKernelTunables", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID"),
        *("LockPersonality", "SystemCallArchitectures", "LimitCORE", "MemorySwapMax"),
    },
    "Timer": {"OnCalendar", "Persistent", "RandomizedDelaySec", "AccuracySec", "Unit"},
    "Install": {"WantedBy"},
}
"""Of systemd.unit, .service, .exec, .resource-control and .timer (5), what such units need."""


def unit(kind: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / f"dpdeid-daily.{kind}", encoding="utf-8")
    return parser


def unknown(parser: configparser.RawConfigParser) -> Iterator[str]:
    for section in parser.sections():
        yield from {*parser[section]} - OPTIONS.get(section, set())


def test_units_have_options_that_exist() -> None:
    service, timer = unit("service"), unit("timer")
    assert [*unknown(service), *unknown(timer)] == []
    assert service.sections() == ["Unit", "Service"]
    assert timer.sections() == ["Unit", "Timer", "Install"]
    service["Service"]["PrivateNetworks"] = "yes"
    assert [*unknown(service)] == ["PrivateNetworks"]


def test_the_service_has_no_network_and_writes_one_folder() -> None:
    service = unit("service")["Service"]
    for option in ("PrivateNetwork", "NoNewPrivileges", "PrivateTmp", "ProtectHome"):
        assert service[option] == "yes"
    assert (service["ProtectSystem"], service["UMask"]) == ("strict", "0077")
    folder = service["ReadWritePaths"]
    assert service["ExecStart"].split()[-1] == folder
    name, _, key = service["LoadCredential"].partition(":")
    assert key.startswith("/etc/")
    assert f"%d/{name} /run/{service['RuntimeDirectory']}/{name}" in service["ExecStartPre"]
    assert f"/run/{service['RuntimeDirectory']}/{name}" in PAGE


def instructions() -> list[tuple[str, str]]:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_image_runs_without_rights_and_is_built_of_pinned_versions() -> None:
    found = instructions()
    (at,) = (at for at, (word, _) in enumerate(found) if word == "USER")
    user = found[at][1]
    assert int(user.partition(":")[0]) > 0
    assert {word for word, _ in found[at:]} == {"USER", "WORKDIR", "CMD"}
    bases = [rest for word, rest in found if word == "FROM"]
    assert len(bases) == 2
    assert all(base.split()[0] == "${BASE}" for base in bases)
    base, debian = (rest for word, rest in found if word == "ARG")
    assert debian == "DEBIAN"  # nothing of Debian's, unless it is asked for
    assert re.fullmatch(r"BASE=python:3\.\d+-slim-\w+", base)
    assert any(
        "PIP_CONSTRAINT=/src/constraints.txt" in rest for word, rest in found if word == "ENV"
    )
    runs = " ".join(rest for word, rest in found if word == "RUN")
    assert "--no-build-isolation" in runs  # else what builds is of any version
    asked, others = (
        [rest for word, rest in found if word == "RUN" and ("DEBIAN" in rest) is of_debian]
        for of_debian in (True, False)
    )
    assert [rest.startswith('test -z "${DEBIAN}" || {') for rest in asked] == [True]
    assert not re.search(r"curl|wget|apt-get|\bsudo\b|https?:", " ".join(others))
    assert "ADD" not in {word for word, _ in found}


def test_what_is_copied_is_there_and_let_into_the_build() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored[1] == "*"
    let_in = {line[1:] for line in ignored if line.startswith("!")}
    copied = {
        path
        for word, rest in instructions()
        if word == "COPY" and "--from" not in rest
        for path in [one for one in rest.split() if not one.startswith("--")][:-1]
    }
    assert copied == let_in
    assert all((ROOT / path).exists() for path in copied)


def test_every_pinned_package_of_the_image_has_its_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    of_image = (one for extra in ("formats", "mail", "ocr") for one in extras[extra])
    assert "[formats,mail,ocr]" in " ".join(rest for _, rest in instructions())
    wanted = [*project["dependencies"], *of_image, "hatchling"]
    names = {re.split(r"[<>=\[ ]", one)[0].replace(".", "-") for one in wanted}
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(), re.M)
    assert names - {*pinned} == set()


SHELL = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
    for line in block.splitlines()
]


@pytest.mark.slow
def test_the_commands_of_the_page_run_in_order(tmp_path: Path) -> None:
    where = environment(tmp_path / "shims")
    (tmp_path / "deploy").symlink_to(DEPLOY)
    assert len(SHELL) > 5
    for line in SHELL:
        done = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env=where, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stderr)
    (file,) = (tmp_path / "site" / "out").iterdir()
    assert len(file.read_text(encoding="utf-8").splitlines()) == 40


def test_the_page_tells_how_the_image_runs() -> None:
    (line,) = re.findall(r"^docker run (?:.*\\\n)*.*", PAGE, re.M)
    for option in (
        "--network none",
        "--read-only",
        "--tmpfs /tmp",
        "--rm",
        "-v ",
        "--cap-drop ALL",
    ):
        assert option in line
    (user,) = (rest for word, rest in instructions() if word == "USER")
    assert f"chown -R {user}" in PAGE


def test_every_exit_code_of_the_script_is_explained() -> None:
    explained = {*re.findall(r"^\| (\d+) \|", PAGE, re.M)}
    text = SCRIPT.read_text(encoding="utf-8")
    told = {*re.findall(r"(?:stop|alert) (\d)", text)}
    assert told == {"1", "2", "3", "4", "5"}
    assert told | {"0", "130", "137", "143"} == explained


RATE = re.compile(r"^\| `?([\w ,]+)`? \| ([\d.]+) \|", re.M)
SIZES = {"1 M": 1e6, "100 M": 1e8, "10 G": 1e10}


def figure(text: str) -> float:
    """ "96,200" and "3.4"."""
    return float(text.replace(",", ""))


def test_the_table_of_sizes_follows_from_its_rates() -> None:
    rates = {name: float(rate) for name, rate in RATE.findall(PAGE.partition("### Rates")[2])}
    disk = float(re.search(r"D = ([\d.]+) kB", PAGE)[1])  # type: ignore[index]
    _, _, table = PAGE.partition("### Costs")
    lines = [
        [c.strip() for c in line.split("|")[1:-1]] for line in re.findall(r"^\|.*\|$", table, re.M)
    ]
    body = [line for line in lines if line[1] in SIZES]
    assert len(body) == len(rates) * len(SIZES) > 0
    for policy, notes, hours, *walls, space in body:
        exact = SIZES[notes] / rates[policy.strip("`")] / 3600
        assert figure(hours) == pytest.approx(exact, rel=0.03)
        for cores, wall in zip((2, 32, 1000), walls, strict=True):
            number, name = wall.split()
            span = {"s": 1 / 3600, "min": 1 / 60, "h": 1, "days": 24, "years": 24 * 365.25}[name]
            assert figure(number) * span == pytest.approx(exact / cores, rel=0.05)
        number, name = space.split()
        size = figure(number) * {"GB": 1e9, "TB": 1e12}[name]
        assert size == pytest.approx(SIZES[notes] * disk * 1e3, rel=0.03)
