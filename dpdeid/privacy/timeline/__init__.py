"""Noise on all dates of a record at once: the modes, the points they read, the way back to days.

A mode sees points and never words; order comes only from what is printed (`chain`).
"""
