"""dpdeid inside other libraries: a pipe of spaCy and edsnlp, parts of Presidio, batches of Hugging
Face `datasets`, frames of Spark.

Nothing in the package imports these; each imports its own library, and holds no rule of its own.
"""
