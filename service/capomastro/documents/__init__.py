"""JSON in and out: decoding with its traps closed, shapes, versions, canonical forms, hashes and wordings."""
