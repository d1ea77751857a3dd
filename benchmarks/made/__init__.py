"""Notes whose truth is known because they were made from it."""
