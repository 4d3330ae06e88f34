"""Scored translation rules."""
