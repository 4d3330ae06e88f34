"""Spelling normalisation: historical words to modern ones, character by character and as words."""
