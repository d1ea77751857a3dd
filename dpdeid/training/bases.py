"""Models to start from: a local folder or hub name, its weights and a tokenizer with offsets.

A file beside a model says what it was trained on, so that its taggers can say so too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpdeid.detect.taggers.card import Source
from dpdeid.detect.taggers.transformer import SHIPPED, TOKENIZER, shipped_folder
from dpdeid.errors import TrainingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


FILE: Final = "origins.json"


@dataclass(frozen=True, slots=True)
class Origins:
    """Corpora, and whether a note of a real person was among them; `a + b` is both."""

    data: tuple[Source, ...] = ()
    trained_on_identified: bool = False

    def __add__(self, other: Origins) -> Origins:
        return Origins(
            (*self.data, *(source for source in other.data if source not in self.data)),
            self.trained_on_identified or other.trained_on_identified,
        )


def write_origins(folder: Path, origins: Origins) -> None:
    """Writes them into the folder of a language model."""
    (folder / FILE).write_text(json.dumps(asdict(origins), indent=1) + "\n", encoding="utf-8")


def read_origins(base: str | None) -> Origins:
    """Those of a base: its own file, else only its name; nothing for a model from nothing.

    Raises:
        TrainingError: the file is damaged.
    """
    if base is None:
        return Origins()
    path = Path(base) / FILE
    if not path.is_file():
        return Origins((Source(Path(base).name, "see its own card", 0),))
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        data = tuple(Source(**source) for source in row["data"])
        return Origins(data, bool(row["trained_on_identified"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise TrainingError(f"{path} is damaged: copy it again") from None


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

    from dpdeid.detect.taggers.transformer_network import without_pooling

    return _read(base, partial(without_pooling, AutoModel.from_pretrained))


def read_language_model(base: str) -> Any:
    """The masked language model of a folder or hub name.

    Raises:
        TrainingError: there is none, or its weights are not safetensors.
    """
    from transformers import AutoModelForMaskedLM

    return _read(base, AutoModelForMaskedLM.from_pretrained)


def _read(base: str, load: Callable[..., Any]) -> Any:
    try:
        return load(base, use_safetensors=True).float()
    except (OSError, ValueError) as error:
        raise TrainingError(
            f"{base}: no encoder with safetensors weights ({type(error).__name__}); pickled "
            "weights are not read: convert them where you trust them"
        ) from None


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
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(base, use_fast=True).backend_tokenizer
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


SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_BREAKS: Final = ("\n", "\n\n", "\t")
_VARIANTS: Final = (("[’‘`´]", "'"), ("[‐‑−–—]", "-"), ("[\u00a0\u202f\u2009]", " "))


def train_pieces(texts: Iterable[str], *, size: int) -> Tokenizer:
    """A tokenizer with offsets and `size` pieces, special and line-break pieces counted.

    Byte-pair encoding, cased, accents kept, typographic variants folded one to one so that offsets
    stay those of the raw text. Numbers are cut into pairs of digits ("2023" → 20 · 23): 110 pieces
    cover all of them, and centuries, days and departments keep a piece of their own. A line break
    is a piece: in a note, the layout says where a field ends.

    Args:
        texts: what it is trained on.
        size: of the vocabulary, at least the alphabet of the texts (about 300).
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
    from tokenizers import pre_tokenizers as cuts
    from tokenizers.processors import TemplateProcessing
    from tokenizers.trainers import BpeTrainer

    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), *(normalizers.Replace(Regex(a), b) for a, b in _VARIANTS)]
    )
    tokenizer.pre_tokenizer = cuts.Sequence(
        [cuts.BertPreTokenizer(), cuts.Split(Regex(r"\d{1,2}"), "isolated")]
    )
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    breaks = [AddedToken(piece, normalized=False) for piece in _BREAKS]
    trainer = BpeTrainer(
        vocab_size=size - len(_BREAKS),
        special_tokens=list(SPECIAL),
        limit_alphabet=250,
        continuing_subword_prefix="##",
        min_frequency=2,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_tokens(breaks)
    cls, sep = (tokenizer.token_to_id(piece) for piece in ("[CLS]", "[SEP]"))
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", cls), ("[SEP]", sep)]
    )
    return tokenizer
