"""One page for a data-protection officer: what was missed, what was kept, what an attacker gains.

`inputs` reads what the other evaluations wrote, `sections` makes headings, texts, tables and
charts of it in the reader's language (`words`), `page` puts them on one page that needs no network.
"""
