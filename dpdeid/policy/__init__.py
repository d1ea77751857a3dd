"""What shall be done: policies, their YAML, and the plug-ins they may name.

A detector, propagator, merge or strategy gets its name in `policy`, and nowhere else.
"""
