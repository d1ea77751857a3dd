"""Names of people by the lists: what a token may be, what speaks against it, how names are read.

Words go into `detect/words.txt` or a gazetteer; a rule about one sentence has no place here.
"""
