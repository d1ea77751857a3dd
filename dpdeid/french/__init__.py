"""What dpdeid knows of French: months, feasts, numbers, titles, areas, telephone and check digits.

The one place for it: detection finds what stands here, substitution writes it, `dpdeid synth` makes
it. Lists are tables beside the modules, each with its source. Nothing here knows a note or a draw.
"""
