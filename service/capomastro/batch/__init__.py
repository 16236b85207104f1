"""Judges archives of recorded games on all cores of a machine or on a cluster.

sources (files, directories) → records → verdicts in the order of the sources → a file from which a run can resume. The
command line is the front end; `archive` judges the single record.
"""
