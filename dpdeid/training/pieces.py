"""A vocabulary of word pieces of our own, for a model that is trained from nothing.

Byte-pair encoding, cased, accents kept, typographic variants folded one to one so that offsets
stay those of the raw text. Numbers are cut into pairs of digits ("2023" → 20 · 23): 110 pieces
cover all of them, and centuries, days and departments keep a piece of their own. A line break is
a piece: in a note, the layout says where a field ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_BREAKS: Final = ("\n", "\n\n", "\t")
_VARIANTS: Final = (("[’‘`´]", "'"), ("[‐‑−–—]", "-"), ("[\u00a0\u202f\u2009]", " "))


def train_pieces(texts: Iterable[str], *, size: int) -> Tokenizer:
    """A tokenizer with offsets and `size` pieces, special and line-break pieces counted.

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
