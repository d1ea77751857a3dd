"""Files in and out: one `Row` for each note or for each line that holds none."""
