"""Learned taggers (CRF, transformer, bi-LSTM) as they run: features, windows, scores, model cards.

What feeds a tagger has a fingerprint (`inputs`): change it, score again, then `make inputs`.
"""
