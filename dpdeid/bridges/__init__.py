"""dpdeid inside other libraries: a pipe of spaCy and edsnlp, parts of Presidio, batches of `datasets`.

Nothing in the package imports these; each imports its own library. They hold no rule of their own.
"""
