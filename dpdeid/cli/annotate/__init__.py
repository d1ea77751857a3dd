"""`dpdeid annotate …`: a corpus that people annotate, and what it is good for."""
