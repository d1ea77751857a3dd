"""Readings of a note: plain text in place of markup, escapes, boxes, scanner slips and dictation.

`plain.reading_of` is the way in; each other module but `words` and `written` makes edits of one
kind. All steps behind it read the plain text; `written` puts surrogates into the form of the note.
"""
