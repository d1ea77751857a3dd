"""Pages that are images, read by OCR: what draws, straightens and recognises them. Whatever reads
one asks `recognised`; only `tesseract` runs anything.
"""
