"""Towns, areas, postal codes, streets and institutions.

What is near comes from `privacy.places`; what is written agrees with the town that was drawn.
"""
