"""The technical annex of an impact assessment (GDPR art. 35) for a data-protection officer to sign.

`parts` makes one tree of a policy and of what was measured; `html` and `docx` write it, so that
both say the same. What it says stands in `words.yaml`, in French and English, and not in the code.
"""
