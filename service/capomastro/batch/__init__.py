"""Archives of recorded games, judged by all cores of a machine or by a cluster.

sources (files, directories) → records → verdicts in the order of the sources → a file that can be gone on with. The
command line shows it; what becomes of one record is said by `archive`.
"""
