"""Files in and out: one `Row` for each note or for each line that holds none.

A format is a module with a reader, a writer or both; errors name the row and repeat no text.
"""
