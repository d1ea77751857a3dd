"""What a date, as it is written, says: its fields and the form of each (`parser`), read piece by
piece (`scanner`). No text around it is looked at.
"""
