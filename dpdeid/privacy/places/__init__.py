"""Noise on places: classes of places, planar and weighted mechanisms, the lists they choose from.

Weights are integers that are shipped; `gazetteers/weigh.py` makes them and a test checks them.
"""
