"""Training of the learned taggers. Needs the extra of what is trained; nothing else imports it.

Never give it `gold_dev`; what it writes is a model with a card that says what it has seen.
"""
