"""Tests of Fifth Avenue."""
