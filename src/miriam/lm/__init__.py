"""Language models: estimated, queried, shared."""
