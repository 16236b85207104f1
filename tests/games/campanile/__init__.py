"""Tests of Campanile."""
