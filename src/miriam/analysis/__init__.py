"""Analysis: what a run of training or tuning did, shown to a person."""
