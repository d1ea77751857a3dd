"""Training of the learned taggers. Needs the extra of what is trained; nothing else imports it."""
