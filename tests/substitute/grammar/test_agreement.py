"""Articles and prepositions before a surrogate: put right, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Surrogate, rewrite
from dpdeid.gazetteers import places_named
from dpdeid.labels import Label
from dpdeid.substitute.fit import agreed
from tests.substitute.making import marked


def put(note: str, *surrogates: str) -> str:
    """A marked note with these texts in the place of its mentions."""
    record, mentions = marked(note)
    (doc,) = record.documents
    given_here = [Surrogate(m, text, "test") for m, text in zip(mentions, surrogates, strict=True)]
    return rewrite(doc.text, agreed(doc.text, given_here))


@pytest.mark.parametrize(
    ("note", "surrogate", "out"),
    [
        ("originaire d'«CITY:Angers»", "Rennes", "originaire de Rennes"),
        ("originaire d’«CITY:Angers»", "Orléans", "originaire d’Orléans"),
        ("CHU de «CITY:Brest»", "Amiens", "CHU d'Amiens"),
        ("NÉE PRÈS DE «CITY:BREST»", "ANGERS", "NÉE PRÈS D'ANGERS"),
        ("De «CITY:Brest» à Lyon", "Angers", "D'Angers à Lyon"),
        ("la fille d'«FIRST_NAME:Élise»", "Camille", "la fille de Camille"),
        ("le fils de «FIRST_NAME:J.»", "A.", "le fils de A."),
        ("dit qu'«FIRST_NAME:Anne» dort", "Marie", "dit que Marie dort"),
        ("le mois de «DATE:mai 2019»", "août 2019", "le mois d'août 2019"),
        ("fin d'«DATE:avril»", "septembre", "fin de septembre"),
        ("au «DATE:printemps 2020»", "automne 2020", "en automne 2020"),
        ("à l'«DATE:hiver 2020»", "automne 2020", "en automne 2020"),
        ("en «DATE:hiver 2020»", "automne 2020", "en automne 2020"),
        ("depuis l'«DATE:été»", "printemps", "depuis le printemps"),
        ("à l'«DATE:automne»", "printemps", "au printemps"),
        ("en «DATE:été 2019»", "printemps 2020", "au printemps 2020"),
        ("part à l'«ORGANIZATION:Île»", "Prévallon", "part à Prévallon"),
        ("vient de l'«HOSPITAL:Archet»", "Saint-Luc", "vient de Saint-Luc"),
        ("à l'«HOSPITAL:Archet»", "hôpital du Parc", "à l'hôpital du Parc"),
        ("au «ORGANIZATION:Conseil Départemental»", "Estivance", "à Estivance"),
        ("du «ORGANIZATION:Conseil Départemental»", "Estivance", "d'Estivance"),
        ("la «ORGANIZATION:MGEN»", "Prévallon", "Prévallon"),
        ("aux «HOSPITAL:Flamboyants»", "Les Tilleuls", "aux Tilleuls"),
        ("du «HOSPITAL:CHU de Brest»", "CHU de Lille", "du CHU de Lille"),
        ("la veille de «DATE:Noël»", "le 12 mars", "la veille du 12 mars"),
        ("à la fin de l'«DATE:hiver»", "printemps", "à la fin du printemps"),
        ("cet «DATE:hiver»", "printemps", "ce printemps"),
        ("à l'«DATE:Épiphanie»", "24 janvier", "au 24 janvier"),
        ("depuis l'«DATE:Ascension»", "1er mai", "depuis le 1er mai"),
        ("ce «DATE:printemps»", "été", "cet été"),
        ("à la «DATE:mi-avril»", "début mai", "au début mai"),
        ("depuis le «DATE:début mai»", "fin mai", "depuis la fin mai"),
        ("vu «DATE:l'été 2019»", "l'printemps 2019", "vu le printemps 2019"),
        ("«DATE:L'été 2019»", "L'printemps 2019", "Le printemps 2019"),
        ("vu «DATE:le printemps»", "le automne", "vu l'automne"),
        ("«DATE:de mai à juin»", "de octobre à décembre", "d'octobre à décembre"),
        ("«DATE:d'avril à mai»", "d'mars à avril", "de mars à avril"),
        ("«DATE:du 3 au 7 mai»", "du 5 au 9 août", "du 5 au 9 août"),
        ("«DATE:le onze mai»", "le onze août", "le onze août"),
    ],
)
def test_the_word_before_agrees(note: str, surrogate: str, out: str) -> None:
    assert put(note, surrogate) == out


@pytest.mark.parametrize(
    ("before", "town", "out"),
    [
        ("né à ", "Le Mans", "né au Mans"),
        ("né a ", "le mans", "né au mans"),
        ("NÉ À ", "LES SABLES-D'OLONNE", "NÉ AUX SABLES-D'OLONNE"),
        ("venu de ", "Le Havre", "venu du Havre"),
        ("vit aux ", "Brest", "vit à Brest"),
        ("vit au ", "La Rochelle", "vit à La Rochelle"),
        ("venu du ", "Le Mans", "venu du Mans"),
        ("venu du ", "Brest", "venu de Brest"),
        ("né à ", "Brest", "né à Brest"),
        ("venu de ", "Angers", "venu d'Angers"),
        ("venu d'", "Le Mans", "venu du Mans"),
        ("près d'", "Hyères", "près de Hyères"),
        ("près de ", "Hyères", "près de Hyères"),
        ("près d'", "Yvetot", "près de Yvetot"),
        ("vers ", "Le Mans", "vers Le Mans"),
        ("vers la ", "La Rochelle", "vers La Rochelle"),
        ("vers la ", "Brest", "vers Brest"),
        ("Le ", "Brest", "Brest"),
        ("quitte le ", "Le Havre", "quitte Le Havre"),
        ("vers l'", "L'Haÿ-les-Roses", "vers L'Haÿ-les-Roses"),
        ("vit à la ", "La Rochelle", "vit à La Rochelle"),
        ("vit à la ", "Le Mans", "vit au Mans"),
        ("vit à l'", "Brest", "vit à Brest"),
        ("venu de la ", "Angers", "venu d'Angers"),
        ("venu de l'", "Les Sables-d'Olonne", "venu des Sables-d'Olonne"),
        ("vit dans le ", "Brest", "vit à Brest"),
        ("vit en ", "Le Mans", "vit au Mans"),
        ("vit à\nla ", "Brest", "vit à\nBrest"),
        ("quartier dans ", "Brest", "quartier dans Brest"),
    ],
)
def test_the_article_of_a_town_is_contracted_or_its_own(before: str, town: str, out: str) -> None:
    record, (mention,) = marked(f"{before}«CITY:Xy»")
    (place,) = places_named(town)[:1]
    given_here = [Surrogate(mention, town, "test", value=place)]
    assert rewrite(before + "Xy", agreed(record.documents[0].text, given_here)) == out


@pytest.mark.parametrize(
    ("before", "area", "out"),
    [
        ("venu du ", "Finistère", "venu du Finistère"),
        ("dans l'", "Haute-Garonne", "dans la Haute-Garonne"),
        ("dans la ", "Hérault", "dans l'Hérault"),
        ("dans les ", "Var", "dans le Var"),
        ("vit en ", "Var", "vit dans le Var"),
        ("vit dans ", "Var", "vit dans le Var"),
        ("vit dans le ", "Landes", "vit dans les Landes"),
        ("vit en ", "Isère", "vit en Isère"),
        ("vit dans le ", "Corse", "vit en Corse"),
        ("venu du ", "Corse", "venu de Corse"),
        ("au nord de la ", "Bretagne", "au nord de la Bretagne"),
        ("au nord de la ", "Occitanie", "au nord de l'Occitanie"),
        ("CHU de ", "Occitanie", "CHU d'Occitanie"),
        ("préfet de ", "Ain", "préfet de l'Ain"),
        ("préfet d'", "HAUTE SAVOIE", "préfet de la HAUTE SAVOIE"),
        ("DANS LE ", "CREUSE", "DANS LA CREUSE"),
        ("Dans le\n", "Creuse", "Dans la\nCreuse"),
        ("Le ", "Creuse", "La Creuse"),
        ("Dans les ", "Mayotte", "À Mayotte"),
        ("traverse la ", "La Réunion", "traverse La Réunion"),
        ("canton du ", "Vaud", "canton de Vaud"),
        ("canton de ", "Valais", "canton du Valais"),
        ("canton de ", "Argovie", "canton d'Argovie"),
        ("vit au ", "Vaud", "vit dans le canton de Vaud"),
        ("vit en ", "Tessin", "vit au Tessin"),
        ("région ", "Grand Est", "région Grand Est"),
        ("vit à ", "Wallonie", "vit en Wallonie"),
        ("au nord de ", "le Var", "au nord du Var"),
        ("au nord de ", "les Landes", "au nord des Landes"),
        ("au nord de ", "l'Ain", "au nord de l'Ain"),
        ("de ", "La Réunion", "de La Réunion"),
    ],
)
def test_the_words_before_an_area_are_those_of_its_own(before: str, area: str, out: str) -> None:
    record, (mention,) = marked(f"{before}«CITY:Xy»")
    (place,) = places_named("brest")[:1]
    for value in (place, None):
        given_here = [Surrogate(mention, area, "test", value=value)]
        assert rewrite(before + "Xy", agreed(record.documents[0].text, given_here)) == out


@pytest.mark.parametrize(
    ("before", "out"),
    [
        ("vit à ", "vit à Mayenne"),
        ("vit au ", "vit à Mayenne"),
        ("vit en ", "vit en Mayenne"),
        ("vit dans le ", "vit dans la Mayenne"),
    ],
)
def test_a_name_of_a_town_and_its_department_is_read_by_the_word_before(
    before: str, out: str
) -> None:
    record, (mention,) = marked(f"{before}«CITY:Xy»")
    (place,) = places_named("mayenne")[:1]
    given_here = [Surrogate(mention, "Mayenne", "test", value=place)]
    assert rewrite(before + "Xy", agreed(record.documents[0].text, given_here)) == out


@pytest.mark.parametrize(
    ("note", "surrogate"),
    [
        ("vu à «CITY:Brest»", "Angers"),
        ("près de «CITY:Brest»", "Hyères"),
        ("celle d'«LAST_NAME:Angot»", "Hervieu"),
        ("celle de «LAST_NAME:Berthe»", "Hervieu"),
        ("numéro de «PATIENT_ID:4417»", "AB12"),
        ("vers le «DATE:12 mars»", "11 avril"),
        ("le «DATE:deux mai»", "onze mai"),
        ("vide «CITY:Brest»", "Angers"),
        ("près de «CITY:Brest»", "[CITY]"),
        ("durée de  «CITY:Brest»", "Lyon"),
    ],
)
def test_what_is_well_is_left(note: str, surrogate: str) -> None:
    (mention,) = marked(note)[1]
    assert put(note, surrogate) == note.replace(f"«{mention.label}:{mention.text}»", surrogate)


def test_an_article_that_is_another_mention_is_left() -> None:
    assert put("«LAST_NAME:Hue de »«CITY:Brest»", "Roux de ", "Angers") == "Roux de Angers"


def test_what_a_policy_keeps_stays_as_it_stands() -> None:
    record, (mention,) = marked("service de «UNIT:Oncologie»")
    kept = Surrogate(mention, mention.text, "keep")
    assert list(agreed(record.documents[0].text, [kept])) == [kept]


def test_an_equal_surrogate_is_treated_as_any_other() -> None:
    """Else a slip of the pen that stays would tell that the draw is the original."""
    assert put("né près de «CITY:Angers»", "Angers") == "né près d'Angers"


WORDS = st.sampled_from(
    ["d'", "de ", "l'", "à l'", "au ", "le ", "De ", "qu'", "en ", "dans la ", "x ", ""]
)
TEXTS = st.sampled_from(["été", "printemps", "Angers", "Brest", "mi-mai", "12 mai", "[X]", "A."])


@given(st.lists(st.tuples(WORDS, TEXTS, TEXTS), max_size=6))
def test_the_text_between_is_untouched_and_the_original_can_be_put_back(
    parts: list[tuple[str, str, str]],
) -> None:
    note = " ; ".join(f"{word}«DATE:{old}»" for word, old, _ in parts)
    record, mentions = marked(note)
    text = record.documents[0].text
    given_here = [Surrogate(m, new, "t") for m, (_, _, new) in zip(mentions, parts, strict=True)]
    out = list(agreed(text, given_here))
    assert [s.mention.label for s in out] == [Label.DATE] * len(parts)
    back = [Surrogate(s.mention, s.mention.text, "t") for s in out]
    assert rewrite(text, back) == text
    assert rewrite(text, out).count(" ; ") == text.count(" ; ")
