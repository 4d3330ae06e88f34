"""Learning weights: losses, updaters, regularisers, online and batch learners, on n-best lists."""
