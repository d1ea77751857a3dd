"""What identifies, found: rules, lists of names and places, known facts, taggers, and their merge.

A finder gives spans and replaces nothing; it never sees `substitute`, a key or a policy.
"""
