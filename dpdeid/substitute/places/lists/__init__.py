"""What the public lists of places say of one place: its classes, and which of several lists a name
is of. Nothing here draws.
"""
