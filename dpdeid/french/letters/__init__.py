"""Letters that stand for words or for people: "H.T.A.", "P.L.". The abbreviations are a table,
`abbreviations.tsv`; what stands around letters says whether they are somebody's initials.
"""
