"""Contradictions of time: dates, feasts, ages, distances, order, times of day. Each a function."""
