"""Proposals of several detectors made one set of spans, and what speaks against a tagger.

A merge is a frozen dataclass named in a policy; what it drops is measured by
`benchmarks/merges.py`.
"""
