"""Encoders to start from: a local folder or hub name, its weights and a tokenizer with offsets.

CamemBERT and its kin bring a fast tokenizer. FlauBERT has none; its byte-pair merges are read into
one here. Words are cut as its Moses tokenizer does, but for rare marks. Weights are read from
safetensors only, 16-bit ones too. "shipped" names the small base that comes with the package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpdeid.detect.tagger_files import SHIPPED, TOKENIZER, shipped_folder
from dpdeid.detect.torch_tagger import without_pooling
from dpdeid.errors import TrainingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MERGES: Final = ("vocab.json", "merges.txt")
_WORD_END: Final = "</w>"
_FRENCH: Final = r"\p{L}+'|[\p{L}\p{M}]+|\p{N}+|[^\s\p{L}\p{M}\p{N}]"
"""Words, numbers, marks; an elided article keeps its apostrophe ("l'" · "hiver")."""


def find_base(base: str) -> str:
    """The folder of the base that comes with the package for "shipped"; any other name as it is.

    Raises:
        TrainingError: none comes with this version.
    """
    if base != SHIPPED:
        return base
    folder = shipped_folder("base")
    if folder is None:
        raise TrainingError("no base ships with this version: name a folder, or train one first")
    return str(folder)


def read_encoder(base: str) -> Any:
    """The encoder of a folder or hub name, without a pooling layer.

    Raises:
        TrainingError: there is none, or its weights are not safetensors.
    """
    from transformers import AutoModel

    try:
        return without_pooling(AutoModel.from_pretrained, base, use_safetensors=True).float()
    except (OSError, ValueError) as error:
        raise refusal(base, error) from None


def read_language_model(base: str) -> Any:
    """The masked language model of a folder or hub name.

    Raises:
        TrainingError: there is none, or its weights are not safetensors.
    """
    from transformers import AutoModelForMaskedLM

    try:
        return AutoModelForMaskedLM.from_pretrained(base, use_safetensors=True).float()
    except (OSError, ValueError) as error:
        raise refusal(base, error) from None


def refusal(base: str, error: Exception) -> TrainingError:
    """What is said of a base that cannot be read."""
    return TrainingError(
        f"{base}: no encoder with safetensors weights ({type(error).__name__}); pickled weights "
        "are not read: convert them where you trust them"
    )


def fast_tokenizer(base: str) -> Tokenizer:
    """The tokenizer of a folder or hub name, with offsets.

    Raises:
        TrainingError: it has none that gives offsets.
    """
    from tokenizers import Tokenizer

    own = _file(base, TOKENIZER)
    if own is not None:
        try:
            return Tokenizer.from_file(str(own))
        except Exception as error:  # the library raises Exception itself
            raise TrainingError(f"{own} is damaged ({type(error).__name__})") from None
    vocabulary, merges = (_file(base, name) for name in _MERGES)
    if vocabulary is not None and merges is not None:
        lower = _file(base, "tokenizer_config.json")
        settings = json.loads(lower.read_text(encoding="utf-8")) if lower else {}
        built = merged_tokenizer(vocabulary, merges, lower=bool(settings.get("do_lowercase")))
        if built is not None:
            return built
    return _converted(base)


def _converted(base: str) -> Tokenizer:
    """The fast tokenizer that transformers makes of a slow one."""
    from transformers import AutoTokenizer

    try:
        loaded = AutoTokenizer.from_pretrained(base, use_fast=True)
        return loaded.backend_tokenizer
    except (AttributeError, ImportError, OSError, ValueError) as error:
        raise TrainingError(
            f"{base}: no tokenizer with offsets ({type(error).__name__}): it needs a {TOKENIZER}"
        ) from None


def merged_tokenizer(vocabulary: Path, merges: Path, *, lower: bool) -> Tokenizer | None:
    """The tokenizer of byte-pair merges whose words end in "</w>", FlauBERT's and XLM's.

    Args:
        vocabulary, merges: a JSON object of pieces, and a line a merge ("a b</w> 123").
        lower: whether the model reads small letters only.

    Returns:
        None if the pieces are of another kind.

    Raises:
        TrainingError: a file is damaged.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
    from tokenizers.processors import TemplateProcessing

    try:
        pieces = json.loads(vocabulary.read_text(encoding="utf-8"))
        if not any(piece.endswith(_WORD_END) for piece in pieces):
            return None
        lines = merges.read_text(encoding="utf-8").splitlines()
        pairs = [(a, b) for a, b, *_ in (x.split() for x in lines if " " in x and x[0] != "#")]
        model = models.BPE(pieces, pairs, unk_token="<unk>", end_of_word_suffix=_WORD_END)
        begin, end = ((mark, pieces[mark]) for mark in ("<s>", "</s>"))
    except Exception as error:  # the library raises Exception itself
        raise TrainingError(
            f"{vocabulary} and {merges.name} are damaged ({type(error).__name__})"
        ) from None
    tokenizer = Tokenizer(model)
    plain = [normalizers.NFC(), normalizers.Replace(Regex("[’‘`´]"), "'")]
    tokenizer.normalizer = normalizers.Sequence([*plain, *[normalizers.Lowercase()][: int(lower)]])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex(_FRENCH), "isolated")]
    )
    tokenizer.post_processor = TemplateProcessing(
        single=f"{begin[0]} $A {end[0]}", special_tokens=[begin, end]
    )
    return tokenizer


def _file(base: str, name: str) -> Path | None:
    """A file of a folder or of a hub repository, None if it has none."""
    if Path(base).is_dir():
        path = Path(base) / name
        return path if path.is_file() else None
    from transformers.utils.hub import cached_file

    try:
        found = cached_file(base, name, _raise_exceptions_for_missing_entries=False)
    except (OSError, ValueError) as error:
        raise TrainingError(
            f"{base} is neither a local folder nor to be had from the hub ({type(error).__name__})"
        ) from None
    return None if found is None else Path(found)
