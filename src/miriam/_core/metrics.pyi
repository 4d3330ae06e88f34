"""Sentence-level scores of candidates."""
