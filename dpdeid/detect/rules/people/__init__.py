"""Names after cues: titles, headers, kinship, signatures and typists.

A new cue is a word of `people.yaml`; who is a name at all is asked of `detect.names`.
"""
