"""JSON in and out: strict decoding, shapes, reading, hashes and wordings."""
