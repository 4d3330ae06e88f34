"""Scores of translations: additive statistics, pure scores, signatures, significance."""
