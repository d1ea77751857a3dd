"""What stands apart and is one: dotted and spaced abbreviations, words that a scanner cut. Each
module makes edits of one kind, as those beside this folder do.
"""
