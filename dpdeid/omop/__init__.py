"""Tables of the OMOP common data model 5.4: notes and their persons read, the same released.

What is released of a table is in `tables`; nothing else passes.
"""
