"""The French tables say what the English ones say, under the same keys and with the same names."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from typer.main import get_command

from dpdeid.cli.app import GROUPS, app
from dpdeid.cli.language.french import PROGRAM, rows

ROOT = get_command(app)
COMMANDS = {
    PROGRAM: str(ROOT.help),
    **GROUPS,
    **{path: said for path, _, said in rows("commands.tsv")},
}
OPTIONS = {
    **{
        (PROGRAM, str(option.name)): (option.metavar or "", str(option.help))  # type: ignore[attr-defined]
        for option in ROOT.params
    },
    **{(of, name): (row[1], row[4]) for of, name, *row in rows("options.tsv")},
}
FRENCH_COMMANDS = dict(rows("commands.fr.tsv"))
FRENCH_OPTIONS = {(of, name): (shown, said) for of, name, shown, said in rows("options.fr.tsv")}

SHOWN = {
    word: other
    for key in OPTIONS.keys() & FRENCH_OPTIONS.keys()
    for word, other in zip(
        re.findall(r"\w+", OPTIONS[key][0]), re.findall(r"\w+", FRENCH_OPTIONS[key][0]), strict=True
    )
} | {"OUTPUT": "SORTIE", "GDPR": "RGPD"}
"""What stands for a value in English, and in French."""

NAMES = re.compile(
    r"`[^`]+`"  # commands
    r"|--[a-z]+(?:-[a-z]+)*"  # options
    r"|\{[^{}]+\}"  # rows
    r"|[\w~/]*\.(?:gz|md|txt|csv|tsv|xml|pdf|yaml|json\w*|parquet|duckdb|docx|html|py|log|pgpass)\b"
    r"|\w+://|\b[a-z]\w*_\w+\b|\b[a-z]+\d+\b"  # keys
    r"|\b[A-ZÀ-Ü][A-ZÀ-Ü\d_]+\b"  # tables, formats, what stands for a value
    r"|\d[\d.,\xa0]*\d|\d"
)

TEXTS = [
    *((key, said, FRENCH_COMMANDS.get(key, "")) for key, said in COMMANDS.items()),
    *(
        (" ".join(key), said, FRENCH_OPTIONS.get(key, ("", ""))[1])
        for key, (_, said) in OPTIONS.items()
    ),
]


def names(text: str) -> Counter[str]:
    """What a text names, with numbers written one way."""
    found = (re.sub(r"(?<=\d)[,\xa0](?=\d{3}\b)", "", name) for name in NAMES.findall(text))
    return Counter(found)


def in_french(text: str) -> str:
    """A text in which what stands for a value is French."""
    return re.sub(r"\b[A-Z]{2,}\b", lambda word: SHOWN.get(word[0], word[0]), text)


def test_every_text_has_its_other_side() -> None:
    assert FRENCH_COMMANDS.keys() == COMMANDS.keys()
    assert FRENCH_OPTIONS.keys() == OPTIONS.keys()
    assert len(FRENCH_COMMANDS) == len(rows("commands.fr.tsv"))
    assert len(FRENCH_OPTIONS) == len(rows("options.fr.tsv"))


def test_what_is_said_and_shown_in_one_language_is_in_the_other() -> None:
    for key, english in OPTIONS.items():
        assert [*map(bool, FRENCH_OPTIONS[key])] == [*map(bool, english)], key
    for path, said in COMMANDS.items():
        assert FRENCH_COMMANDS[path].count("\\n\\n") == said.count("\\n\\n"), path


@pytest.mark.parametrize(("key", "english", "french"), TEXTS, ids=[key for key, _, _ in TEXTS])
def test_what_is_named_keeps_its_name(key: str, english: str, french: str) -> None:
    assert names(french) == names(in_french(english))


def test_names_that_differ_are_seen() -> None:
    for english, french in (
        ("As `run --spans` wrote.", "Comme `run --span` l'a écrit."),
        ("See docs/omop.md.", "Voir docs/omop."),
        ("At most 4,000.", "Au plus 400."),
        ("A note_date of FILE.", "Une date de FICHIER."),
    ):
        assert names(french) != names(in_french(english)), english
    assert names("Au plus 4\xa0000 de FICHIER.") == names(in_french("At most 4,000 of FILE."))


def test_one_word_stands_for_a_value_in_both() -> None:
    pairs = {(OPTIONS[key][0], FRENCH_OPTIONS[key][0]) for key in OPTIONS}
    english, french = zip(*pairs, strict=True)
    assert len({*english}) == len(pairs)
    assert {"FICHIER", "DOSSIER", "CLÉ=COLONNE"} <= {*french}


@pytest.mark.parametrize(
    "name", ["commands.fr.tsv", "options.fr.tsv", "errors.fr.tsv", "messages.fr.tsv"]
)
def test_french_is_set_as_french_is(name: str) -> None:
    """No-break spaces before high marks and within quotes."""
    said = "\n".join(row[-1] for row in rows(name))
    assert not re.findall(r".* [:;?!»%](?:\W|$)|.*« ", said, re.M)
    assert not re.findall(r".*[\w)`.][;!»](?!\w)|.*[\w)`]:(?![/\w])", said)
    assert not re.findall(r".*[‘’“”].*|.*  ", said)


def test_nothing_is_told_in_english_on_the_french_side() -> None:
    """No text is the English one, and none has words that only English has."""
    words = re.compile(r"\b(the|of|and|with|their|its|which|written|default)\b", re.I)
    for key, english, french in TEXTS:
        bare = NAMES.sub(" ", french)
        assert not english or english != french, key
        assert not words.findall(bare), key
    for name in ("errors.fr.tsv", "messages.fr.tsv"):
        for english, french in rows(name):
            assert english != french
            assert not words.findall(NAMES.sub(" ", french)), french
