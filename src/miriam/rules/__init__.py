"""From an aligned bitext to scored translation rules."""
