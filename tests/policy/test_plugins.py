"""Strategies of other packages: the worked example of CONTRIBUTING.md, and everything that can be
wrong with one.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.assurance.report import label_rows, statement
from dpdeid.cli.app import app
from dpdeid.cohort import manifest
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import CohortError, PolicyError
from dpdeid.labels import Label
from dpdeid.policy import plugins
from dpdeid.policy.policy import STRATEGIES, Policy, load_policy, parse_policy
from dpdeid.privacy.skeleton import Shown
from dpdeid.protocols import Strategy
from tests.conftest import KEY, OTHER_KEY

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", CONTRIBUTING, re.M | re.S)
(EXAMPLE,) = [text for kind, text in BLOCKS if "class Wards" in text]
(ENTRY,) = [tomllib.loads(text) for kind, text in BLOCKS if kind == "toml"]

POLICY = """\
name: ours
unit: note
detectors: [patterns]
merge: union
strategies:
  - {}
default: redact
"""
NOTES = "Service de cardiologie. Vu dans le service de CARDIOLOGIE, puis le service d'urologie."

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a package of one module, as pip would leave it."""
    before = set(sys.modules)

    def put(
        code: str = EXAMPLE,
        points: dict[str, str] | None = None,
        package: str = "our-wards",
        version: str = "1.2",
    ) -> None:
        folder = tmp_path / f"site-{package}"
        info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
        for old in folder.glob("*.dist-info"):
            old.rename(tmp_path / f"old-{old.name}")
        info.mkdir(parents=True)
        (folder / "wards.py").write_text(code, encoding="utf-8")
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        )
        lines = (points or ENTRY["project"]["entry-points"][plugins.GROUP]).items()
        text = "".join(f"{name} = {value}\n" for name, value in lines)
        (info / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{text}")
        monkeypatch.syspath_prepend(folder)
        plugins._entries.cache_clear()

    yield put
    plugins._entries.cache_clear()
    for name in set(sys.modules) - before:
        if name == "wards":
            del sys.modules[name]


def policy(rule: str = "wards") -> Policy:
    return parse_policy(POLICY.format(rule))


def check(path: Path, rule: str = "wards") -> Result:
    path.write_text(POLICY.format(rule))
    return CliRunner().invoke(app, ["check", str(path)], env={"COLUMNS": "300"})


class TestTheExample:
    @pytest.fixture(autouse=True)
    def installed(self, install: Install) -> None:
        install()

    def test_it_is_a_strategy_with_options(self) -> None:
        (wards,) = policy("wards: {word: pôle}").strategies
        assert isinstance(wards, Strategy)
        assert wards.labels == (Label.UNIT,)
        assert wards.word == "pôle"  # type: ignore[attr-defined]
        assert policy().plugins == {"wards": "our-wards 1.2"}
        with pytest.raises(PolicyError, match=r"line 6: unknown key 'colour'; allowed: labels"):
            policy("wards: {colour: red}")

    def test_it_replaces_and_charges(self) -> None:
        engine = Deidentifier(policy(), key=KEY)
        result = engine(NOTES)
        first, again, other = (s for s in result.surrogates if s.strategy == "wards")
        assert re.fullmatch("secteur [A-Z]", first.text)
        assert first.text == again.text
        assert first.charges == again.charges != other.charges
        assert "cardiologie" not in result.text.lower()
        assert engine(NOTES).text == result.text
        texts = {
            Deidentifier(policy(), key=key)(Document(str(at), NOTES)).text
            for key in (KEY, OTHER_KEY)
            for at in range(9)
        }
        assert len(texts) > 9

    def test_check_says_that_nothing_is_guaranteed(self, tmp_path: Path) -> None:
        result = check(tmp_path / "p.yaml")
        assert result.exit_code == 0
        assert "no guarantee (a keyed letter)" in result.stdout
        assert "No guarantee for UNIT: a keyed letter." in " ".join(result.stdout.split())

    def test_a_cohort_is_bound_to_its_version(self, install: Install, tmp_path: Path) -> None:
        (tmp_path / "p.yaml").write_text(POLICY.format("wards"))
        manifest.create(tmp_path / "c", str(tmp_path / "p.yaml"))
        assert manifest.open_cohort(tmp_path / "c").policy.plugins
        install(version="1.3")
        with pytest.raises(CohortError, match=r"the strategy wards of our-wards 1\.2, not with.*3"):
            manifest.open_cohort(tmp_path / "c")

    def test_what_fails_is_never_left_to_it(self) -> None:
        text = POLICY.format("redact: {labels: [DATE]}").replace(
            "default: redact", "default: wards"
        )
        with pytest.raises(PolicyError, match="line 7: unknown default 'wards'; allowed: redact"):
            parse_policy(text)


NOISY = """\
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpdeid import Charge, Label, Surrogate
from dpdeid.privacy.ledger import Forecast, Wording
from dpdeid.privacy.losses import EpsilonPerDay
from dpdeid.protocols import Guarantee


@dataclass(frozen=True, slots=True)
class Noisy:
    name: ClassVar[str] = "noisy"
    needs: ClassVar[tuple[str, ...]] = ()
    labels: tuple[Label, ...] = (Label.DATE,)
    epsilon_per_day: Fraction = Fraction(1, 10)

    def substitute(self, mentions, record, context):
        return ()

    def guarantees(self):
        return (Guarantee(self.labels, "noisy", EpsilonPerDay(self.epsilon_per_day), 7),)
"""
TELLING = """
    def wording(self):
        return Wording(("noisy dates",), ("0.1 × (their days)",), ("Noisy dates are noisy.",))

    def forecast(self, unit):
        return Forecast(
            (("a record", f"a date of a {unit}", "10 days", "1 year"),),
            ("noisy dates are uneven",),
            ("noise on holidays",),
        )

    def leaks(self):
        yield "noisy dates keep their month"
"""


class TestNoise:
    """A strategy with noise on dates words its own statement, forecast and leaks."""

    def told(self, install: Install, path: Path, code: str) -> str:
        install(code, {"noisy": "wards:Noisy"})
        result = check(path, "noisy")
        assert result.exit_code == 0, result.stdout
        return " ".join(result.stdout.split())

    def test_a_loss_by_steps_is_worded_by_steps(self, install: Install, tmp_path: Path) -> None:
        told = self.told(install, tmp_path / "p.yaml", NOISY.replace("PerDay", "PerStep"))
        assert "0.1 × (sum, over at most 7 values of DATE, of the steps between them)" in told

    def test_check_prints_what_it_tells(self, install: Install, tmp_path: Path) -> None:
        told = self.told(install, tmp_path / "p.yaml", NOISY + TELLING)
        assert "differing only in noisy dates." in told
        assert "exp(L), L = 0.1 × (their days)." in told
        assert "Noisy dates are noisy. The loss of noisy is what our-wards 1.2 states" in told
        assert f"- {Shown.TEXT}" in told
        assert f"- {Shown.AREAS}" not in told
        assert re.search(r"a record +│ a date of a note +│ 10 days +│ 1 year", told)
        assert "noisy dates are uneven" in told
        assert "little use: noise on holidays" in told
        assert "warning: noisy dates keep their month" in told

    def test_one_that_tells_nothing_reads_as_its_guarantees(
        self, install: Install, tmp_path: Path
    ) -> None:
        told = self.told(install, tmp_path / "p.yaml", NOISY)
        assert "differing only in values of DATE." in told
        assert "L = 0.1 × (sum, over at most 7 values of DATE, of the days between them)." in told
        assert f"- {Shown.EQUAL}" in told
        assert "Leakage in bits" not in told
        assert "What to expect" not in told


class TestLazy:
    def test_nothing_is_imported_until_a_policy_names_it(self, install: Install) -> None:
        install("raise SystemError('imported')\n")
        assert load_policy("redact").plugins == {}
        with pytest.raises(PolicyError, match="SystemError: imported"):
            policy()

    def test_unknown_names_are_answered_with_theirs_too(self, install: Install) -> None:
        install()
        with pytest.raises(PolicyError, match=r"unknown strategy 'ward'; allowed: .*times, wards"):
            policy("ward")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("from dpdeid import Charge", "import no_such_module  #", "ModuleNotFoundError"),
        ("class Wards", "class Ward", "AttributeError"),
        ("@dataclass(frozen=True, slots=True)", "@dataclass", "is not a frozen dataclass"),
        ("@dataclass(frozen=True, slots=True)\n", "", "is not a frozen dataclass"),
        ("def guarantees", "def guarantee", "it has no guarantees"),
        ("def substitute", "def replace", "it has no substitute"),
        ('name: ClassVar[str] = "wards"', 'name: ClassVar[str] = "units"', "of another name"),
        ("word: str", "word: Undefined", "NameError"),
        ("(Label.UNIT,)", "()", "labels that are no tuple of labels"),
        ("(Label.UNIT,)", '("UNIT",)', "labels that are no tuple of labels"),
        ("return (Guarantee", "return [Guarantee", "SyntaxError"),
        ("return (Guarantee(self.labels, self.name, LOSS),)", "return None", "no tuple of Guarant"),
        ("return (Guarantee(self.labels, self.name, LOSS),)", "raise OSError", "OSError"),
        ("= ()  # strategies", "= 'dates'  # strategies", "no tuple of names"),
    ],
)
def test_a_broken_one_is_told_with_its_name_and_package(
    old: str, new: str, message: str, install: Install
) -> None:
    assert old in EXAMPLE
    install(EXAMPLE.replace(old, new))
    with pytest.raises(PolicyError, match=message) as caught:
        policy()
    assert "the plug-in 'wards' of our-wards 1.2" in str(caught.value)


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_plug_in_takes_the_place_of_a_built_in_strategy(name: str, install: Install) -> None:
    install(points={name: "wards:Wards"})
    with pytest.raises(PolicyError, match=rf"'{name}' of our-wards 1\.2 has the name of a built-i"):
        load_policy("redact")


def test_two_plug_ins_cannot_share_a_name(install: Install) -> None:
    install()
    install(package="their-wards")
    with pytest.raises(PolicyError, match=r"of (our|their)-wards 1\.2 has the name of one of "):
        policy()


STATES_NOTHING = EXAMPLE.replace("(Guarantee(self.labels, self.name, LOSS),)", "()")
STATES_EPSILON = EXAMPLE.replace('NoGuarantee("a keyed letter")', "Epsilon(1)").replace(
    "import NoGuarantee", "import Epsilon"
).replace("self.name, LOSS),)", "self.name, LOSS, 2),)")  # fmt: skip


class TestWhatIsGuaranteed:
    def test_one_that_states_nothing_is_shown_as_one_without_a_guarantee(
        self, install: Install, tmp_path: Path
    ) -> None:
        install(STATES_NOTHING)
        result = check(tmp_path / "p.yaml")
        assert result.exit_code == 0
        assert "no guarantee (it states none)" in result.stdout
        said = " ".join(statement(policy()))
        assert (
            "No guarantee for UNIT: replaced by wards of our-wards 1.2, which states none" in said
        )
        assert "nothing is drawn" not in label_rows(policy())[0]

    def test_a_loss_that_it_states_is_told_as_its_own_word(
        self, install: Install, tmp_path: Path
    ) -> None:
        install(STATES_EPSILON)
        result = check(tmp_path / "p.yaml")
        assert "ε = 1 (as stated by our-wards 1.2, proved by nothing here)" in result.stdout
        said = " ".join(statement(policy()))
        assert "The loss of wards is what our-wards 1.2 states: nothing here proves it." in said
        audited = CliRunner().invoke(app, ["audit", str(tmp_path / "p.yaml")])
        assert "not audited: wards of our-wards 1.2" in " ".join(audited.stdout.split())

    def test_more_than_it_states_is_not_released(self, install: Install) -> None:
        """Three wards are charged where two were stated: all are redacted."""
        install(STATES_EPSILON)
        engine = Deidentifier(policy(), key=KEY)
        assert "[UNIT]" not in engine(NOTES).text
        more = engine(NOTES + " Enfin le service de pneumologie.")
        assert [s.text for s in more.surrogates] == ["[UNIT]"] * 4

    @pytest.mark.parametrize("name", ["dp", "dp-strict", "aphp", "redact"])
    def test_nothing_is_said_about_the_built_in_ones(self, name: str) -> None:
        own = load_policy(name)
        assert all(not own.origin(s) for s in (*own.strategies, own.default))
        assert "nothing here proves" not in " ".join(statement(own))

    def test_a_class_under_a_built_in_name_is_not_built_in(self, install: Install) -> None:
        install(EXAMPLE.replace('"wards"', '"people"'), points={"wards": "wards:Wards"})
        import wards  # type: ignore[import-not-found]

        assert load_policy("redact").origin(wards.Wards()) == "wards"
