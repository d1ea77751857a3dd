"""Paragraphs in another language: where they stand in a French note, and what in them identifies.

`paragraphs.stretches` tells them; `settled.settled` is what the merge asks, `settled.believable`
what the net asks. In German, Dutch, Italian and English what detectors trained on French propose
needs backing, and what is written in the forms of that language is found. Of any other language
nothing is read: `unread` takes whatever is written as names, dates and numbers are. A word or form
more is a word of words.txt or others.txt, or an expression of forms.yaml.
"""
