"""What is kept between runs: key and reference date, manifest, account, sealed mappings, logs.

Every file here is private and written whole or not at all; none holds a text of a note.
"""
