"""Exact randomness, losses, budgets and ledgers, and the mechanisms that prove an ε.

It knows no text. What changes a weight changes its exact test with it, or is wrong.
"""
