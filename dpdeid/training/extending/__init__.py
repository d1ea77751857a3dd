"""Models that ship, trained further on the notes of a site: where their weights are read, moved and
written again, and what that brought. Their starting weights are never changed in place.
"""
