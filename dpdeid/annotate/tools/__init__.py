"""The annotation tools: of each a module with `files`, what it opens, and `read`, what comes back.

`returned` has what they share. No module knows of notes, only of units under a reference.
"""
