"""JSON in and out: strict decoding, shapes, canonical forms, hashes and wordings."""
