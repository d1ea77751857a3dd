"""Telephone numbers, mail addresses, national numbers and identifiers, in the form they had.

Check digits and number plans are those of `dpdeid.french`; a surrogate is never a real number.
"""
