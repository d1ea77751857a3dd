"""What a release changed that the gold marks left alone: which words, of which kind of medicine."""
