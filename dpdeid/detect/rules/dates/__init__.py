"""Dates and births that need more than a row: calendar days, births by their cues, missing spaces.

Month and feast words come from `dpdeid.french`; a new written form is a row of `dates.yaml`.
"""
