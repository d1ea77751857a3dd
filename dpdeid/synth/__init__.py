"""Fictitious notes with their spans: patients, staff and places that nobody bears.

A form is a template; a word it uses comes from `dpdeid.french` or a gazetteer.
"""
