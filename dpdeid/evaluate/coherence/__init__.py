"""A judge that counts contradictions that notes show by themselves.

`reading` turns a note into facts, each kind of contradiction is a function over them (in `dated`,
`named` and `placed`), `judge` runs them all. Written without a look at how surrogates are made,
and nothing of `dpdeid.substitute` may be imported here.
"""
