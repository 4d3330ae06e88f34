"""From a bitext to word alignments."""
