"""What all commands do alike at a terminal: the settings of a site, first steps, completion. Of the
commands themselves nothing is known here but their parameters.
"""
