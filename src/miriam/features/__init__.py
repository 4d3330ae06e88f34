"""Features of derivations: their names, their values in n-best lists, their weights in files."""
