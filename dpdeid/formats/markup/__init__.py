"""What the formats in markup share: encodings and their way back, trees of XML, facts by the names
of fields. Nothing here says what passes: `documents/html.py`, `xml.py` and `cda.py` do.
"""
