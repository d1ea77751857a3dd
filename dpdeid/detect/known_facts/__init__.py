"""What the hospital knows of its patients and itself, and what one note tells of another.

A new kind of fact is a way of writing it, in `search`; nothing here guesses.
"""
