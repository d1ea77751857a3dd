"""What an annex says: every part, the policy's own losses, the files' own figures, and no other."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace

import pytest

from dpdeid.assurance.forecast import SURE
from dpdeid.dossier.figures import Measured
from dpdeid.dossier.parts import annex
from dpdeid.dossier.promised import fate, proved, what_it_does
from dpdeid.dossier.texts import annex_words
from dpdeid.dossier.tree import Grid
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.inputs import between, value
from dpdeid.evaluate.report.page import LANGS, words
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy, names
from dpdeid.privacy.leakage import RECORDS
from tests.dossier.making import (
    DAY,
    NONE,
    POLICIES,
    attack,
    by_chance,
    evaluations,
    made,
    missing,
    part,
)

KEYS = ["opening", "purpose", "flow", "policy", "guarantee", "bits", "risk", "keys", "retention",
        "rights", "wp216", "law", "review"]  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("policy", names())
def test_every_policy_has_every_part_in_every_language(policy: str, lang: str) -> None:
    of = made(policy, lang)
    assert [one.key for one in of.parts] == KEYS
    assert [one.title.partition(".")[0] for one in of.parts[1:]] == [*map(str, range(1, 13))]
    assert all(one.blocks for one in of.parts)
    assert all(text.strip() for text in of.texts())
    assert not any("{" in text for text in of.texts())


def test_it_opens_with_what_the_data_are() -> None:
    first = {lang: made(lang=lang).parts[0].blocks[0].text for lang in LANGS}  # type: ignore[union-attr]
    assert first["en"].startswith("The result stays pseudonymised personal data")
    assert "unless all of the following hold" in first["en"]
    assert first["fr"].startswith(
        "Le résultat reste une donnée à caractère personnel pseudonymisée"
    )


@pytest.mark.parametrize("is_measured", [False, True])
@pytest.mark.parametrize("policy", ["aphp", "redact", "chuv", "fasdim", "safe-harbor"])
def test_no_epsilon_where_nothing_is_proved(policy: str, is_measured: bool) -> None:
    assert not proved(load_policy(policy))
    for lang in LANGS:
        of = made(policy, lang, is_measured)
        assert not any("ε" in text or "e^L" in text for text in of.texts())
        nothing = {"fr": "Rien. Aucune borne", "en": "Nothing. No bound"}[lang]
        assert nothing in part(of, "guarantee")


def test_epsilon_stands_beside_what_it_is_proved_of() -> None:
    told = [line for line in part(made("hnfc"), "guarantee").split("\n") if "ε" in line]
    assert {"ε = 0,1 par kilomètre d'écart", "ε = 0,1415, quelle que soit la distance"} <= {*told}
    assert len(told) == 4  # and what ε is, and the worst case of both
    assert {label for one in proved(load_policy("hnfc")) for label in one.labels} == {
        Label.CITY,
        Label.ZIP,
    }
    strict = part(made("dp-strict", "en"), "guarantee")
    assert "at most ε = 12 in all for a record" in strict
    assert "ε = 0.05 per kilometre apart" in strict


def test_how_surely_two_lengths_are_told_apart_is_computed() -> None:
    lines = part(made("dp", "en"), "guarantee").split("\n")
    at = lines.index("a patient of 50 or of 51 years")
    loss, odds = map(float, lines[at + 1 : at + 3])
    assert pytest.approx(loss, abs=0.1) == 366 / 200  # a year, at 200 days of noise
    assert math.exp(366 / 200) == pytest.approx(odds, abs=0.1)


def test_what_becomes_of_each_label_is_that_of_the_policy() -> None:
    dp, redact = load_policy("dp"), load_policy("redact")
    assert [fate(dp, one) for one in (Label.DATE, Label.UNIT)] == ["replaced", "kept"]
    assert [fate(redact, one) for one in (Label.DATE, Label.DURATION)] == ["removed", "kept"]
    shown = part(made("aphp", "en"), "policy")
    for label in Label:
        assert words("en")(f"label {label}") in shown
    assert "by one secret number of days" in shown


@pytest.mark.parametrize("policy", POLICIES)
def test_bits_stand_only_where_they_are_proved(policy: str) -> None:
    of = part(made(policy, "en"), "bits")
    assert ("a town of metropolitan France" in of) == bool(proved(load_policy(policy)))
    assert ("No bound in bits: this policy" in of) == (not proved(load_policy(policy)))
    assert ("\nBits, at most\n" in of) == bool(proved(load_policy(policy)))


@pytest.mark.parametrize("lang", LANGS)
def test_without_files_nothing_is_claimed_and_the_command_is_named(lang: str) -> None:
    of = made("dp", lang)
    told = "\n".join(missing(of))
    gold = {"fr": "ANNOTÉES", "en": "GOLD"}[lang]
    for command in (f"evaluate detection {gold}", "evaluate attack --simulate 4000 --policy dp",
                    "evaluate utility", f"review {gold} --effort", "--cohort"):  # fmt: skip
        assert command in told
    asked = "Non mesuré pour cette annexe" if lang == "fr" else "Not measured for this annex"
    assert told.count(asked) == 7
    shown = part(of, "risk")
    before, _, makers = shown.partition(
        "Pour comparaison" if lang == "fr" else "For comparison: the makers"
    )
    assert "%" not in before.replace("95 %", "")
    assert "99" in makers  # what the makers measured, after the word that says so


def test_what_one_file_measured_is_not_missing() -> None:
    only = replace(NONE, detection=evaluations().detection)
    of = annex(Measured(load_policy("dp"), only), "en", day=DAY)
    assert sum("evaluate detection" in text for text in missing(of)) == 0
    assert sum("evaluate attack" in text for text in missing(of)) == 3


def test_figures_are_those_of_the_files() -> None:
    found, of = evaluations(), made("dp", "en", True)
    shown, said = part(of, "risk"), words("en")
    data = found.detection["site"]
    low, high = between(data, "direct", "redacted")
    left = said.share(1 - value(data, "direct", "redacted"))
    ends = f"({said.share(1 - high, 'low')} to {said.share(1 - low, 'high')}; words left: "
    assert f"On {data['notes']} annotated notes {left} of the words" in shown
    assert ends in shown
    assert f"leave none: {said.share(value(data, 'direct', 'fully_redacted'))}" in shown
    assert "knows 3 true dates of a patient finds their record among 300 in 1.7 %" in shown
    assert "(0.4 % to 4.3 %, 240 trials)" in shown
    assert "14.2 % of cases (10.0 % to 19.3 %, 240 trials)" in shown
    assert "97.5\u00a0%" in shown  # of the effort, after 2 % of the words
    assert "95.0\u00a0%" in shown  # codes kept
    assert shown.count("Source: the file “site”, of `dpdeid ") == 4
    assert "--simulate" not in shown  # with which options a file was written nobody knows
    assert missing(of) == [text for text in missing(of) if "--cohort" in text]


def test_the_three_questions_are_answered_with_what_was_measured() -> None:
    shown = part(made("dp", "en", True), "wp216")
    assert "297 of 300 records still have a sequence of intervals" in shown
    assert shown.count("Answer:") == 3
    assert "in 1.7 % of cases" in shown
    assert "at most 7.8 bits" in shown
    assert "Proved: nothing, under this policy." in part(made("aphp", "en", True), "wp216")


def test_an_attack_on_another_policy_is_refused() -> None:
    with pytest.raises(UsageError, match="attack other is on the policy aphp and not on this dp"):
        Measured(load_policy("dp"), replace(NONE, attack={"other": attack("aphp")}))


def test_an_attack_on_files_is_shown_and_said_to_be_one() -> None:
    data = {key: one for key, one in attack("aphp").items() if key != "setting"}
    of = annex(Measured(load_policy("dp"), replace(NONE, attack={"a": data})), "en", day=DAY)
    assert "under which policy: to be confirmed" in part(of, "risk")


def test_the_review_is_a_year_after_unless_a_day_is_given() -> None:
    assert "28 novembre 2027" in part(made(), "review")
    leap = annex(Measured(load_policy("redact"), NONE), "en", day=dt.date(2028, 2, 29))
    assert "28 February 2029" in part(leap, "review")
    given = annex(Measured(load_policy("redact"), NONE), "en", day=DAY, review=dt.date(2027, 6, 30))
    assert "30 June 2027" in part(given, "review")


@pytest.mark.parametrize(
    ("policy", "told"),
    [("dp", "replaces the birth date"), ("redact", "removes the birth date")],
)
def test_the_law_is_told_of_this_policy(policy: str, told: str) -> None:
    shown = part(made(policy, "en"), "law")
    assert told in shown
    for name in ("CNIL", "GDPR", "FADP", "HRA", "Belgium", "Luxembourg"):
        assert name in shown


def test_how_surely_two_towns_are_told_apart_is_computed() -> None:
    lines = part(made("dp", "en"), "guarantee").split("\n")
    at = lines.index("two towns 100 km apart")
    loss, odds = (float(cell.replace(",", "")) for cell in lines[at + 1 : at + 3])
    assert loss == pytest.approx(0.1415 + 100 * 0.05, abs=0.1)
    assert math.log(odds) == pytest.approx(loss, abs=0.1)
    assert "km apart" not in part(made("aphp", "en"), "guarantee")


def test_what_the_bound_of_a_record_does_not_exclude_stands_first() -> None:
    told = part(made("dp"), "guarantee")
    assert told.index("D'abord le plus important") < told.index("Perte d'un tirage")
    assert "D'abord le plus important" not in part(made("redact"), "guarantee")


def test_hours_are_told_apart_from_what_is_kept() -> None:
    told = part(made("dp"), "guarantee")
    (kept,) = [line for line in told.split("\n") if line.endswith("conservés tels quels.")]
    assert "heure" not in kept
    assert "quelles heures sont d'un même jour" in told


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("fr", ("elle est complète quand plus aucune note ne doit s'y ajouter", "cohort close")),
        ("en", ("it is complete when no further note is to join it", "cohort close")),
    ],
)
def test_complete_and_closed_are_explained_where_they_first_stand(
    lang: str, told: tuple[str, ...]
) -> None:
    of = made("dp", lang)
    assert all(one in part(of, "opening") for one in told)
    first = next(text for text in of.texts() if "cohort" in text)
    assert told[0] in first


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "fr",
            (
                "La clé détruite ne revient pas",
                "le programme ne sait plus quelles notes diffusées sont de ce patient",
                "inscrire le patient à la liste `--exclude` de toute autre cohorte",
            ),
        ),
        (
            "en",
            (
                "The destroyed key does not come back",
                "the program no longer knows which released notes are of this patient",
                "put the patient on the `--exclude` list of every other cohort",
            ),
        ),
    ],
)
def test_what_is_left_of_erasure_once_the_key_is_gone(lang: str, told: tuple[str, ...]) -> None:
    assert all(one in part(made("dp", lang), "rights") for one in told)


@pytest.mark.parametrize(
    ("lang", "of_keyed"),
    [
        ("fr", ("selon la clé", "qui détient la clé", "secret de la clé", "tirer les remplacements",
                "tous les remplacements", "retrouver tout original", "par construction")),
        ("en", ("by the key", "holds the key can find", "secrecy of the key", "draw the replace",
                "every replacement", "find any original", "a cohort yes: by design")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("policy", names())
def test_no_keyed_draw_is_told_of_where_there_is_none(
    policy: str, lang: str, of_keyed: tuple[str, ...]
) -> None:
    keyed, drawn = ("\n".join(one(policy, lang).texts()) for one in (made, by_chance))
    assert any(one in keyed for one in of_keyed)
    assert not [one for one in of_keyed if one in drawn]


@pytest.mark.parametrize(
    ("lang", "both", "row"),
    [
        ("fr", "n'a pas à la fois le coffre de la cohorte et sa clé", "de quelle note"),
        ("en", "who has not both the vault of the cohort and its key", "which note"),
    ],
)  # fmt: skip
def test_what_the_key_opens_where_no_draw_hangs_on_it(lang: str, both: str, row: str) -> None:
    of = by_chance("dp", lang)
    assert both in part(of, "guarantee")
    assert row in part(of, "keys")
    assert both not in part(made("dp", lang), "guarantee")


def test_what_the_law_says_of_births_is_to_be_checked() -> None:
    (fr, en) = (part(made("dp", lang), "law") for lang in ("fr", "en"))
    assert "elle peut figurer dans l'entrepôt est à vérifier dans le texte en vigueur" in fr
    assert (
        "(month and year?), it may stand in the warehouse is to be checked in the text in force"
        in en
    )
    assert "Aucune ligne n'a été comparée à lui" in fr


@pytest.mark.parametrize(
    ("policy", "told"), [("dp", "toutes les notes d'un patient"), ("hnfc", "une seule note")]
)
def test_what_a_record_is_depends_on_the_unit(policy: str, told: str) -> None:
    assert f"« Dossier » veut dire ici {told}" in part(made(policy), "policy")


def test_sets_of_the_makers_have_names_that_say_what_they_are() -> None:
    shown = part(made("dp"), "risk")
    assert "comptes rendus d'internes sur des patients fictifs" in shown
    assert "gold_dev" not in shown


@pytest.mark.parametrize(
    ("lang", "simulated", "whose"),
    [
        ("fr", "Patients fictifs, simulés sous cette politique ; rien n'est mesuré sur les notes "
               "du site.", "au site de confirmer que ce sont"),
        ("en", "Made-up patients, simulated under this policy; nothing is measured on the notes of "
               "the site.", "for the site to confirm that the"),
    ],
)  # fmt: skip
def test_wp216_tells_a_simulation_from_a_measurement(lang: str, simulated: str, whose: str) -> None:
    lines = part(made("dp", lang, True), "wp216").split("\n")
    of_attack = [line for line in lines if "297" in line or "240" in line]
    assert len(of_attack) == 3
    for line in of_attack:
        assert line.startswith({"fr": "Simulé (fichier", "en": "Simulated (file"}[lang])
        assert simulated in line
    (of_detection,) = [line for line in lines if line.startswith(("Mesuré", "Measured"))]
    assert whose in of_detection
    own = {key: one for key, one in attack().items() if key != "setting"}
    of = annex(Measured(load_policy("dp"), replace(NONE, attack={"a": own})), lang, day=DAY)
    assert simulated not in part(of, "wp216")
    assert part(of, "wp216").count(whose) == 3


@pytest.mark.parametrize(
    ("lang", "told"),
    [("fr", "Rien, dans un fichier de repérage"), ("en", "Nothing in a file of detection")],
)
def test_files_do_not_say_whose_notes_they_are(lang: str, told: str) -> None:
    assert part(made("dp", lang, True), "risk").count(told) == 1
    assert told not in part(made("dp", lang), "risk")


@pytest.mark.parametrize("policy", POLICIES)
def test_the_three_answers_are_yes_and_the_opening_says_the_same(policy: str) -> None:
    fr, en = (part(made(policy, lang), "wp216") for lang in ("fr", "en"))
    assert fr.count("Réponse : oui") == en.count("Answer: ") == 3
    assert "Ici, les trois réponses sont « oui »" in fr
    assert "Here all three answers are “yes”" in en
    assert "négligeable" in part(made(policy), "opening")
    assert "négligeable" in fr


@pytest.mark.parametrize(
    ("lang", "mark", "sum_of"),
    [
        (
            "fr",
            " : trouvé, puis conservé tel quel",
            "quasi-identifiants : trouvés, dont une",
        ),
        ("en", ": found, then kept as it stands", "quasi-identifiers: found, a part of them kept"),
    ],
)
def test_what_is_found_and_kept_is_not_taken_for_protected(
    lang: str, mark: str, sum_of: str
) -> None:
    policy, data, said = load_policy("dp"), evaluations().detection["site"], words(lang)
    lines = part(made("dp", lang, True), "risk").split("\n")
    kept = [one for one in Label if one in data["labels"] and fate(policy, one) == "kept"]
    assert kept
    for label in Label:
        if label in data["labels"]:
            name = said(f"label {label}")
            assert (name + mark in lines, name in lines) == (label in kept, label not in kept)
    assert any(line.startswith(sum_of) for line in lines)
    clear = sum(data["labels"][one]["covered"] for one in kept)
    (told,) = [line for line in lines if "Trouvé ne veut pas" in line or "Found does not" in line]
    assert f" {data['quasi']['covered']} " in told
    assert f" {clear} " in told


def test_the_rest_of_the_text_may_be_changed_by_mistake() -> None:
    shown = part(made("dp"), "policy")
    assert "n'est pas modifié, sauf ce qui est pris à tort" in shown
    assert "non mesuré dans cette annexe ; `dpdeid evaluate utility --gold`" in shown
    known = {"site": {**evaluations().utility["site"], "changed": {}}}
    first = next(what_it_does(load_policy("dp"), known, annex_words("fr")))
    assert "mesuré en partie 6, « La médecine" in first.text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("lang", "yes", "told"),
    [
        ("fr", {"oui": True, "NON": False}, "Au-delà, elle ne protège plus à elle seule"),
        ("en", {"yes": True, "NO": False}, "Beyond it the proof by itself no longer protects"),
    ],
)
def test_where_a_bound_stops_protecting_stands_beside_it(
    lang: str, yes: dict[str, bool], told: str
) -> None:
    shown = part(made("dp", lang), "guarantee")
    assert told in shown
    assert str(round(SURE / (1 - SURE))) in shown  # 19, of the words
    assert words(lang).number(math.log(RECORDS - 1)) in shown  # half a chance
    (guarantee,) = [one for one in made("dp", lang).parts if one.key == "guarantee"]
    rows = [row for block in guarantee.blocks if isinstance(block, Grid) for row in block.rows]
    worth = {row[2]: yes[row[3]] for row in rows if len(row) == 4}
    assert set(worth.values()) == {True, False}
    for odds, is_excluded in worth.items():
        number = float(odds.replace(",", "." if lang == "fr" else ""))
        assert is_excluded == (number < SURE / (1 - SURE))
    assert told not in part(made("aphp", lang), "guarantee")


def test_a_lawyer_is_told_what_words_mean_and_who_decides() -> None:
    text = "\n".join(made("dp", "fr", True).texts())
    for gone in ("(leur nombre", "Ici cherchent", "relie l'un à l'autre", "appris (CRF)",
                 "Rien ne dit quels passages", "95 % de Clopper",
                 "le délégué, et l'équipe"):  # fmt: skip
        assert gone not in text
    review = part(made(), "review")
    for told in ("Le responsable du traitement décide du réexamen, après avis du délégué",
                 "un nouveau destinataire", "`dpdeid monitor`, la commande qui"):  # fmt: skip
        assert told in review
    (en,) = [line for line in part(made("dp", "en"), "review").split("\n") if "monitor" in line]
    assert "The controller decides on the review" in en
    assert "a new recipient" in en


def test_one_date_is_told_of_as_one() -> None:
    one = {**attack(), "linkage": attack()["linkage"][:1]}
    for lang, told in (("fr", "connaît une vraie date d'un"), ("en", "knows one true date of a")):
        of = annex(Measured(load_policy("dp"), replace(NONE, attack={"a": one})), lang, day=DAY)
        assert told in part(of, "risk")


def test_the_officer_supervises_and_holds_no_key() -> None:
    assert "art. 38, point 6" in part(made(), "keys")
    assert "GDPR, art. 38(6)" in part(made("dp", "en"), "keys")
