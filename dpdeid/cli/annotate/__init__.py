"""`dpdeid annotate`: notes out to annotators, their answers back, and what these are worth."""
