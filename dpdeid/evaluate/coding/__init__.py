"""Coders: which codes of ICD-10, ATC and CCAM the words of a note carry.

A coder reads a text and gives codes with places; terms are data, with their source.
"""
