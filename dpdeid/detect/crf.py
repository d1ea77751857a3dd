"""The CRF tagger: BIO tags over the clinical tokens, from features and not from word pieces.

The role of MEDINA in the HNFC hybrid (Tchouka et al. 2022), with the proposals of the rules among
its features; `dpdeid.detect.crf_tagger` does the work. A model file holds words of its training
notes in clear; its card says whether they were real ones.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import ClassVar, Final

from dpdeid.detect.card import ModelCard, card_path, read_card
from dpdeid.detect.crf_tagger import NAME, Tagger
from dpdeid.detect.eponyms import without_eponyms
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError

SHIPPED: Final = "shipped"
_NAME: Final = "crf.crfsuite"

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Crf:
    """Finds spans with a trained conditional random field.

    Args:
        model: a file that `dpdeid train crf` wrote, or "shipped".
        outside: a token whose calibrated chance to be outside every direct label is less than this
            is tagged, in [0.5, 1]; the higher, the more is found and the more is found wrongly.
            The other labels are those of the likeliest row of tags.
        recall_first: use the chances with which each label reached a target recall on held-out
            notes, at a cost in precision; `outside` stands for labels without one.
    """

    name: ClassVar[str] = NAME
    model: str = SHIPPED
    outside: Fraction = Fraction(3, 4)
    recall_first: bool = False

    def __post_init__(self) -> None:
        if not 0.5 <= self.outside <= 1:
            raise ValueError(f"outside lies in [0.5, 1], not {self.outside}")

    def __call__(self, doc: Document) -> Iterable[Span]:
        """The spans of a note; a score is the least calibrated chance of its tokens.

        Raises:
            ModelError: the model is missing, damaged or of another kind, or python-crfsuite is not
                installed.
        """
        tagger = _loaded(self.model)
        found = tagger.spans(doc, float(self.outside), recall_first=self.recall_first)
        return without_eponyms(doc, found)

    def model_files(self) -> Mapping[str, str]:
        """File of the model → its SHA-256 (hex); so too for its settings, by which it is read.

        Raises:
            ModelError: the model or its card is missing or damaged.
        """
        card = _shipped()[0] if self.model == SHIPPED else read_card(Path(self.model))
        settings = json.dumps(dict(card.settings), sort_keys=True)
        return {**card.files, "settings": sha256(settings.encode()).hexdigest()}


@cache
def _loaded(model: str) -> Tagger:
    if model == SHIPPED:
        card, data = _shipped()
        return Tagger(data, card, _NAME)
    tagger = Tagger.read(Path(model))
    if tagger.card.trained_on_identified:
        _log.warning("the model %s was trained on identified notes: it must stay inside", model)
    return tagger


def _shipped() -> tuple[ModelCard, bytes]:
    folder = files("dpdeid") / "models"  # inside a zip file, perhaps
    card = card_path(Path(_NAME)).name
    try:
        text, data = (folder / card).read_text(encoding="utf-8"), (folder / _NAME).read_bytes()
    except (OSError, UnicodeDecodeError):
        raise ModelError("the shipped CRF model is missing or damaged: reinstall dpdeid") from None
    return ModelCard.from_json(text, card), data
