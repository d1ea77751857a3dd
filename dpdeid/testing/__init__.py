"""Helps for tests, ours and other people's: the shipped fictitious notes and Hypothesis strategies."""

from dpdeid.testing.notes import marked, notes

__all__ = ["marked", "notes"]
