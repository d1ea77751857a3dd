"""What stands in for what identifies: strategies, one surrogate a mention, and their charges.

A strategy draws from the record's streams, charges every draw, and never falls back on the
original.
"""
