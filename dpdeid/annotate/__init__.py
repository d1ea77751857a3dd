"""The workshop: a corpus annotated inside the hospital, from chunks to gold and its parts."""
