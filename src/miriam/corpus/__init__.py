"""From tokens to a bitext: cleaning, de-duplication, splits, domain labels."""
