"""How a process works on records, whoever started it: how long one may take, and when to look for
cycles of objects. `collecting` imports nothing, for the command line begins with it.
"""
