"""Miriam: statistical machine translation that is fast, small, exact and explains itself."""

from __future__ import annotations

__version__ = "0.1.0"
