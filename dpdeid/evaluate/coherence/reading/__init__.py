"""One reader: the text of a note → its facts. Nothing here judges; lists are the gazetteers'."""
