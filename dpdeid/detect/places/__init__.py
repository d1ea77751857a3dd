"""Towns and other places by the lists, and the scene a place name stands in.

A missing place is a line of a gazetteer; what a preposition announces is in `index`.
"""
