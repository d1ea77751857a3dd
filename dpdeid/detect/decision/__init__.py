"""The one decision between the voices: for each word what speaks for and against it, a learned
chance, and spans from it. In come a note and all proposals, out go sorted spans apart.
"""
