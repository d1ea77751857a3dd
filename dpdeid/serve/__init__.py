"""A service and its pages: notes go in and come out over HTTP, on this machine by default.

A worker process has the models; the process that answers requests never has a note longer than one
request takes, but for those that people review, and writes none of it anywhere but their answers.
Nothing here decides what is released: the engine does, with a key that is thrown away after each
note.
"""
