"""What somebody reads after detection: the riskiest words left in place and a random sample of the
others, one at a time by one reader or several, what they say of them, and what that is worth.
"""
