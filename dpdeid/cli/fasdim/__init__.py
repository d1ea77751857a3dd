"""The commands of FASDIM: the lists, and their review. What they do is in `dpdeid.fasdim`."""
