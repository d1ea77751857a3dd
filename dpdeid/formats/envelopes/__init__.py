"""What holds files: a part is read by the kind that it is, or opened in its turn (`parts`)."""
