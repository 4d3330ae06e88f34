// Placeholder until the first kernel.
