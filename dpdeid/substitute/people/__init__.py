"""Names of people: mentions joined to persons, persons to families, each drawn from a table.

Persons are keyed by their names, so that all notes of a patient agree without being read
together.
"""
