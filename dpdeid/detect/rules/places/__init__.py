"""Streets, addresses and the words around them.

A new kind of street is a word of `places.yaml`; towns are the business of `detect.places`.
"""
