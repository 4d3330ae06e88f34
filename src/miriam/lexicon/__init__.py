"""Words and their ids."""
