"""What a release changed that the gold marks left alone: which words, of which kind of medicine.

Kinds and cues are data; it asks no detector and no strategy.
"""
