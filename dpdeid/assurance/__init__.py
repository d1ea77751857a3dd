"""What a policy promises and what can be checked of it: statement, forecast, warnings, audit.

Sentences about a strategy are asked of the strategy (`dpdeid.protocols`), never of its class.
"""
