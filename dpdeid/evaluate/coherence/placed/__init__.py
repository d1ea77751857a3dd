"""Contradictions of place: postal codes, telephone areas, departments, institutions."""
