"""Commands that release notes: `release` is what each of them does, and the only place where rows
become released ones; the others say where rows come from and go.
"""
