"""Dates, births, ages and times: read into points, handed to a timeline mode, written in their
form.

What is written comes from released days and from the form of the original, never from its
value.
"""
