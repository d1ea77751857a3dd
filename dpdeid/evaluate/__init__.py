"""Measures of what was found and what was missed."""
