"""Fictitious clinical notes with their spans: patients, staff and places that nobody bears."""
