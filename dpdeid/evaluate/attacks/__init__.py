"""What an attacker gets out of a release: eight attacks, each small and each a lower bound on risk.

    uniqueness   how many timelines nobody else has, before and after (`traces`)
    linkage      whose record is it, for somebody who knows some dates and towns of a patient
    games        the same among records that read alike, beside the bound that is proved
    averaging    what many releases of one record tell together (`games`)
    residual     which words of the originals survive, and what spans beside a text give away
    frequency    names by how often they come (`names`)
    hidden       whether a missed name stands out among surrogates (`names`)
    oracle       what somebody learns who may submit notes (`names`)

A better attacker may do more: what is measured here can refute a claim and can never prove one.
"""
