"""The language in which the command line tells of itself. English is in the tables of the folder
above and in typer, French in the tables `*.fr.tsv` beside them; a text without a line there stays.
"""
