"""Learned taggers (CRF, transformer, bi-LSTM) as they run: features, windows, scores, model cards.

What feeds a tagger has a fingerprint (`inputs`): change it, score again, then `make inputs`.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
"""Before onnxruntime is imported: it reports its runs to its makers, and keeps an id in a home."""
