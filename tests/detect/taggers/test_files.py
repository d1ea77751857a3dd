"""A model folder: its specification comes back as written, and every other one is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dpdeid.detect.taggers import transformer as tagger_files
from dpdeid.detect.taggers.inputs import CLASSES
from dpdeid.detect.taggers.sequences import bio_tags
from dpdeid.detect.taggers.transformer import (
    SHIPPED,
    TaggerSpec,
    find_folder,
    read_spec,
    read_tokenizer,
    shipped_folder,
)
from dpdeid.errors import ModelError
from dpdeid.labels import Label

SPEC = TaggerSpec(
    tags=bio_tags((Label.DATE, Label.CITY)),
    classes=CLASSES,
    prefix=(2,),
    suffix=(3,),
    temperature=1.5,
    recall={"DATE": 0.5},
)


def test_tags_stand_in_pairs() -> None:
    assert SPEC.tags == ("O", "B-DATE", "I-DATE", "B-CITY", "I-CITY")
    assert SPEC.labels == (Label.DATE, Label.CITY)


def test_it_comes_back_as_it_was_written() -> None:
    with_crf = replace(SPEC, start=(0.0,) * 5, steps=((0.5,) * 5,) * 5)
    for spec in (SPEC, with_crf):
        assert TaggerSpec.from_json(spec.to_json(), "here") == spec


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tags": ["O", "B-PER", "I-PER"]}, r"here: the tag 'B-PER' is not one of ours.*--base"),
        ({"tags": ["B-DATE", "I-DATE"]}, "here is damaged: tags must be O"),
        ({"tags": ["O", "B-DATE"]}, "here is damaged: tags must be O"),
        ({"classes": ["colour"]}, "here: the word classes are not those of this version"),
        ({"overlap": 384}, "here is damaged: 0 <= overlap < words"),
        ({"temperature": 0}, "here is damaged: temperature must be > 0"),
        ({"steps": [[0.0]]}, "here is damaged: start and steps"),
        ({"colour": 1}, "here is damaged: .*colour"),
        ({"words": "many"}, "here is damaged"),
    ],
)
def test_a_wrong_specification_is_refused(change: dict[str, object], said: str) -> None:
    text = json.dumps({**json.loads(SPEC.to_json()), **change})
    with pytest.raises(ModelError, match=said):
        TaggerSpec.from_json(text, "here")


@pytest.mark.parametrize("text", ["", "[]", "{", "7", "{}"])
def test_what_is_no_specification_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="here is damaged"):
        TaggerSpec.from_json(text, "here")


def test_a_language_model_is_refused_with_the_way_to_use_it(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"has no tagger\.json.*train transformer --base"):
        read_spec(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"tagger\.json is missing"):
        read_spec(tmp_path)


def test_only_folders_and_hub_names_are_models(tmp_path: Path) -> None:
    assert find_folder(str(tmp_path)) == tmp_path
    file = tmp_path / "model.bin"
    file.write_bytes(b"")
    with pytest.raises(ModelError, match=r"model\.bin is a file: a transformer is a folder"):
        find_folder(str(file))
    for absent in (str(tmp_path / "absent"), "absent"):
        with pytest.raises(ModelError, match=r"no model folder .*absent"):
            find_folder(absent)


def test_without_a_shipped_model_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagger_files, "files", lambda _: Path("absent"))
    with pytest.raises(ModelError, match="no transformer ships with this version: train one"):
        find_folder(SHIPPED)


def test_a_folder_inside_a_zip_file_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "package.zip", "w") as held:
        held.writestr("models/transformer/tagger.json", "{}")
    monkeypatch.setattr(tagger_files, "files", lambda _: zipfile.Path(tmp_path / "package.zip"))
    folder = find_folder(SHIPPED)
    assert [file.name for file in folder.iterdir()] == ["tagger.json"]
    assert shipped_folder("absent") is None


def test_without_tokenizers_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModelError, match="pip install onnxruntime tokenizers"):
        read_tokenizer(tmp_path)


def test_a_tagger_leaves_nothing_in_the_home_of_who_runs_it(tmp_path: Path) -> None:
    """onnxruntime would keep an id there, by which it reports its runs to its makers."""
    script = (
        "from dpdeid.detect.taggers.transformer import SHIPPED, find_folder, load\n"
        "load(find_folder(SHIPPED))"
    )
    own = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ORT_"))}
    subprocess.run([sys.executable, "-c", script], env=own | {"HOME": str(tmp_path)}, check=True)
    assert [*tmp_path.rglob("*")] == []
