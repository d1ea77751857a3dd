"""Coders: which codes of ICD-10, ATC and CCAM the words of a note carry."""
