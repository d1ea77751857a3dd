"""What stands apart: dotted and spaced abbreviations and words that a scanner cut, which are one,
and the numbers of lines. Each module makes edits of one kind, as those beside this folder do.
"""
