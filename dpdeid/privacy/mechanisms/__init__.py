"""Noise on whole numbers: the contract, and the shapes (window; falling: bounded Laplace, clamped
geometric). A policy names one in `timeline.proved`.

A mechanism gives exact integer weights and its loss; `tests/privacy` checks ratio and scale.
"""
