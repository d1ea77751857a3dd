"""Files of office programs, packages of XML: each is released as a new one of its kind, made by a
table of what is known to be harmless.
"""
