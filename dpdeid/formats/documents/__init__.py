"""Files that are one note or a few: each is released as a file of its kind."""
