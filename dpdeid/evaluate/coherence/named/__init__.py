"""Contradictions of people: titles, agreement, names, initials, addresses, national numbers."""
