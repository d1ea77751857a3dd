"""FASDIM (Chazard et al. 2014): whatever no list vouches for is removed. A site's lists, what is
new in its notes, the review by an expert, and the detector; no other room reads it.
"""
