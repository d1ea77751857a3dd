"""Files of rows: a note is a text in one of the columns."""
