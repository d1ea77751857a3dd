"""The commands of `dpdeid evaluate`, and their tables.

Figures come from `dpdeid.evaluate`; here they are only printed or written.
"""
