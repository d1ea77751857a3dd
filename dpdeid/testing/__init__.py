"""Helps for tests, ours and others': the shipped fictitious notes, Hypothesis strategies."""

from dpdeid.testing.notes import marked, notes

__all__ = ["marked", "notes"]
