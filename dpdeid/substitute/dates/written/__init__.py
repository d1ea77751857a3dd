"""What a date, as it is written, says: its fields and the form of each (`parser`), read piece by
piece (`scanner`), and the day that they mean near another one (`completing`). No text around it is
looked at.
"""
