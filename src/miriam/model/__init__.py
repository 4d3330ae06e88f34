"""The model on disk: its files and their manifest, its text preparation, its weights."""
