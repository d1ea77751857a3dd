"""Measures of a release: what was missed, what medicine was kept, what an attacker gains.

It reads what others released and changes none of it; every figure comes with its interval.
"""
